//! Figures as SVG text, drawn with plotters: panels on a grid under one legend.
//!
//! Sizes are in units of an 800-wide drawing: on an A4 page the text comes out at 7 to 8 points.

mod axis;
mod mark;
mod panel;
mod pen;
mod style;
mod text;

pub use mark::Mark;
pub use panel::Panel;
pub use style::{Marker, Style, VIRIDIS, of_method, of_series};
pub use text::escape;

use pen::{Drawn, Page, pixels};
use plotters::prelude::{IntoDrawingArea as _, SVGBackend};
use text::{Font, HPos, VPos};

/// Width of every figure.
const WIDTH: f64 = 800.0;
const PANEL_HEIGHT: f64 = 250.0;
const LEGEND_LINE: f64 = 22.0;
const LEGEND_SAMPLE: f64 = 30.0;
const LEGEND_GAP: f64 = 18.0;

/// Panels in rows of so many columns, and what the line styles mean.
pub struct Figure {
    /// Read out by screen readers.
    pub description: String,
    pub legend: Vec<(String, Style)>,
    pub columns: usize,
    pub panels: Vec<Panel>,
}

impl Figure {
    pub fn svg(&self) -> String {
        let size = (pixels(WIDTH) as u32, pixels(self.height()) as u32);
        let mut text = String::new();
        let page = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = self.draw(&page).and_then(|()| page.present());
        drop(page);
        match drawn {
            Ok(()) => self.with_own_head(&text, size),
            Err(error) => format!("<p>{}</p>\n", escape(&error.to_string())),
        }
    }

    /// Plotters' head fixes the size on the screen, and knows neither a description nor round joins.
    fn with_own_head(&self, text: &str, (width, height): (u32, u32)) -> String {
        let (_, body) = text.split_once('>').unwrap_or_default();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             stroke-linejoin=\"round\">\n<title>{}</title>{body}",
            escape(&self.description)
        )
    }

    fn draw(&self, page: &Page) -> Drawn {
        for (number, line) in self.legend_lines().iter().enumerate() {
            self.draw_legend_line(page, line, LEGEND_LINE * (number as f64 + 0.5))?;
        }
        let width = WIDTH / self.columns as f64;
        let mut y = self.legend_height();
        for (row, extra) in self.panels.chunks(self.columns).zip(self.extras()) {
            let height = PANEL_HEIGHT + extra;
            for (column, panel) in row.iter().enumerate() {
                let corner = (pixels(column as f64 * width), pixels(y));
                let area = page.clone().shrink(corner, (pixels(width), pixels(height)));
                panel.draw(page, &area, extra)?;
            }
            y += height;
        }
        Ok(())
    }

    /// Room that the rows of panels need beyond the usual height, for words under the axis.
    fn extras(&self) -> Vec<f64> {
        let width = WIDTH / self.columns as f64;
        let extra = |row: &[Panel]| {
            let heights = row.iter().map(|panel| panel.extra_height(width));
            heights.fold(0.0, f64::max)
        };
        self.panels.chunks(self.columns).map(extra).collect()
    }

    fn height(&self) -> f64 {
        let panels = self
            .extras()
            .iter()
            .map(|extra| PANEL_HEIGHT + extra)
            .sum::<f64>();
        self.legend_height() + panels
    }

    fn legend_height(&self) -> f64 {
        match self.legend_lines().len() {
            0 => 0.0,
            lines => LEGEND_LINE * lines as f64 + 8.0,
        }
    }

    fn entry_width(name: &str) -> f64 {
        LEGEND_SAMPLE + 6.0 + Font::Normal.width(name) + LEGEND_GAP
    }

    /// Legend entries, as many to a line as fit.
    fn legend_lines(&self) -> Vec<Vec<usize>> {
        let mut lines: Vec<Vec<usize>> = Vec::new();
        let mut room = 0.0;
        for (index, (name, _)) in self.legend.iter().enumerate() {
            let width = Self::entry_width(name);
            match lines.last_mut() {
                Some(line) if width <= room => line.push(index),
                _ => {
                    lines.push(vec![index]);
                    room = WIDTH - 20.0;
                }
            }
            room -= width;
        }
        lines
    }

    /// Plotters' own legend belongs to one chart; this one is of all panels.
    fn draw_legend_line(&self, page: &Page, line: &[usize], y: f64) -> Drawn {
        let entries = line.iter().map(|&index| &self.legend[index]);
        let total: f64 = entries
            .clone()
            .map(|(name, _)| Self::entry_width(name))
            .sum();
        let mut x = (WIDTH - total + LEGEND_GAP) / 2.0;
        for (name, style) in entries {
            let [left, middle, right] =
                [0.0, 0.5, 1.0].map(|share| pixels(x + share * LEGEND_SAMPLE));
            let y = pixels(y);
            pen::line(page, &[(left, y), (right, y)], style)?;
            pen::marker(page, (middle, y), style)?;
            let words = Font::Normal.style(HPos::Left, VPos::Center);
            page.draw_text(name, &words, (right + pixels(6.0), y))?;
            x += Self::entry_width(name);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
