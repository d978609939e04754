//! A run as a picture: the result and each context, step by step.

use std::fmt::Write;

use anyhow::Result;
use sadcbo_simulation::{CONFIG, CONTEXTS, Phase, Record};

const WIDTH: f32 = 900.0;
const PANEL: f32 = 130.0;
const GAP: f32 = 34.0;
const LEFT: f32 = 70.0;
const RIGHT: f32 = 20.0;
const TOP: f32 = 46.0;

/// Colours that can be told apart without colour vision (Okabe and Ito).
const RECORDED: &str = "#56b4e9";
const ACTUATED: &str = "#d55e00";
const RESULT: &str = "#222222";

/// The picture, as SVG.
pub fn render(records: &[Record]) -> Result<String> {
    let height = TOP + (1 + CONTEXTS) as f32 * (PANEL + GAP) + 10.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    legend(&mut svg)?;
    let steps = records.len();
    let result = Panel::new(0, "result".to_owned(), records, |record| record.output);
    result.draw(&mut svg, records)?;
    for record in records {
        result.mark(&mut svg, record.step, record.output, RESULT, steps)?;
    }
    for (index, variable) in CONFIG.context().iter().enumerate() {
        let title = format!("{} / {}", variable.name, variable.unit);
        let panel = Panel::new(index + 1, title, records, |r| r.applied.context[index]);
        panel.draw(&mut svg, records)?;
        for record in records {
            let held = record.actuated.contains(index);
            let colour = if held { ACTUATED } else { RECORDED };
            panel.mark(
                &mut svg,
                record.step,
                record.applied.context[index],
                colour,
                steps,
            )?;
        }
    }
    svg += "</svg>\n";
    Ok(svg)
}

fn legend(svg: &mut String) -> Result<()> {
    for (x, colour, text) in [
        (LEFT, RECORDED, "recorded"),
        (LEFT + 110.0, ACTUATED, "actuated"),
    ] {
        writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"16\" r=\"4\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"20\">{text}</text>",
            x + 10.0
        )?;
    }
    writeln!(
        svg,
        "<text x=\"{}\" y=\"20\">background: initial, observational, optimization (darker)</text>",
        LEFT + 220.0
    )?;
    Ok(())
}

/// One diagram over the steps.
struct Panel {
    top: f32,
    title: String,
    low: f32,
    high: f32,
}

impl Panel {
    fn new(row: usize, title: String, records: &[Record], value: impl Fn(&Record) -> f32) -> Self {
        let values = records.iter().map(value);
        let (low, high) = values.fold((f32::MAX, f32::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let margin = (high - low).max(1e-3) * 0.06;
        Self {
            top: TOP + row as f32 * (PANEL + GAP),
            title,
            low: low - margin,
            high: high + margin,
        }
    }

    /// Background by phase, frame, labels.
    fn draw(&self, svg: &mut String, records: &[Record]) -> Result<()> {
        let (top, bottom) = (self.top, self.top + PANEL);
        let width = (WIDTH - LEFT - RIGHT) / records.len().max(1) as f32;
        for record in records {
            let colour = match record.phase {
                Phase::Initial => "#fafafa",
                Phase::Observational => "#f0f0f0",
                Phase::Optimization => "#e0e0e0",
            };
            writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{PANEL}\" fill=\"{colour}\"/>",
                LEFT + record.step as f32 * width,
                width + 0.3
            )?;
        }
        writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{}</text>",
            top - 6.0,
            self.title
        )?;
        for (value, y) in [(self.high, top + 10.0), (self.low, bottom)] {
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{value:.2}</text>",
                LEFT - 6.0
            )?;
        }
        for step in (0..records.len()).step_by(10) {
            let x = LEFT + (step as f32 + 0.5) * width;
            writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{step}</text>",
                bottom + 14.0
            )?;
        }
        Ok(())
    }

    fn mark(
        &self,
        svg: &mut String,
        step: u32,
        value: f32,
        colour: &str,
        steps: usize,
    ) -> Result<()> {
        let width = (WIDTH - LEFT - RIGHT) / steps.max(1) as f32;
        let x = LEFT + (step as f32 + 0.5) * width;
        let y = self.top + PANEL * (self.high - value) / (self.high - self.low);
        writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
        )?;
        Ok(())
    }
}
