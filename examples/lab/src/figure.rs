//! Figures as SVG text: panels on a grid under one legend.
//!
//! Sizes are in user units of an 800-wide drawing: on an A4 page the text comes out at 7 to 8 points.

mod axis;
mod canvas;
mod panel;
mod style;

pub use canvas::escape;
pub use panel::{Mark, Panel};
pub use style::{Marker, Style, VIRIDIS, of_method, of_series};

use canvas::{Anchor, Canvas, Text};

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
        self.draw().finish(&self.description)
    }

    fn draw(&self) -> Canvas {
        let legend = self.legend_lines();
        let top = LEGEND_LINE * legend.len() as f64 + if legend.is_empty() { 0.0 } else { 8.0 };
        let width = WIDTH / self.columns as f64;
        let extra = |row: &[Panel]| {
            let heights = row.iter().map(|panel| panel.extra_height(width));
            heights.fold(0.0, f64::max)
        };
        let extras: Vec<f64> = self.panels.chunks(self.columns).map(extra).collect();
        let height = extras.iter().map(|extra| PANEL_HEIGHT + extra).sum::<f64>();
        let mut canvas = Canvas::new(WIDTH, top + height);
        for (number, line) in legend.iter().enumerate() {
            self.draw_legend_line(&mut canvas, line, LEGEND_LINE * (number as f64 + 0.7));
        }
        let mut y = top;
        for (row, extra) in self.panels.chunks(self.columns).zip(extras) {
            let size = [width, PANEL_HEIGHT + extra];
            for (column, panel) in row.iter().enumerate() {
                panel.draw(&mut canvas, [column as f64 * width, y], size, extra);
            }
            y += size[1];
        }
        canvas
    }

    fn entry_width(name: &str) -> f64 {
        LEGEND_SAMPLE + 6.0 + Text::NORMAL.width(name) + LEGEND_GAP
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

    fn draw_legend_line(&self, canvas: &mut Canvas, line: &[usize], y: f64) {
        let total: f64 = line
            .iter()
            .map(|&i| Self::entry_width(&self.legend[i].0))
            .sum();
        let mut x = (WIDTH - total + LEGEND_GAP) / 2.0;
        for &index in line {
            let (name, style) = &self.legend[index];
            canvas.sample([x, y - 4.0], LEGEND_SAMPLE, style);
            canvas.text(
                Text::NORMAL,
                [x + LEGEND_SAMPLE + 6.0, y],
                Anchor::Start,
                name,
            );
            x += Self::entry_width(name);
        }
    }
}

#[cfg(test)]
mod tests;
