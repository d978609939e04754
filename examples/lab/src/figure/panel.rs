//! One set of axes and what is drawn on it.

use super::axis::{self, Scale};
use super::canvas::{Anchor, Canvas, Text};
use super::style::Style;

/// Something drawn on the axes, in data coordinates.
pub enum Mark {
    /// A line, with markers at some of its points.
    Line {
        points: Vec<[f64; 2]>,
        style: Style,
        /// A marker at every n-th point.
        every: usize,
    },
    /// The area between two lines: x, lower, upper.
    Band { points: Vec<[f64; 3]>, style: Style },
    /// Vertical error bars: x, lower, upper.
    Errors { points: Vec<[f64; 3]>, style: Style },
    /// Upright bars from 0: left, right, height.
    Bars {
        bars: Vec<[f64; 3]>,
        colour: &'static str,
    },
    /// Single markers.
    Points { points: Vec<[f64; 2]>, style: Style },
    /// A vertical line across the panel with a word on it.
    Upright { x: f64, label: String, style: Style },
}

impl Mark {
    /// The values it covers, for the choice of the range.
    fn extent(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Line { points, .. } | Self::Points { points, .. } => points.clone(),
            Self::Band { points, .. } | Self::Errors { points, .. } => points
                .iter()
                .flat_map(|p| [[p[0], p[1]], [p[0], p[2]]])
                .collect(),
            Self::Bars { bars, .. } => bars
                .iter()
                .flat_map(|b| [[b[0], 0.0], [b[1], b[2]]])
                .collect(),
            Self::Upright { x, .. } => vec![[*x, f64::NAN]],
        }
    }
}

/// Axes with a title.
#[derive(Default)]
pub struct Panel {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// Ranges; chosen to fit if not given.
    pub x_range: Option<[f64; 2]>,
    pub y_range: Option<[f64; 2]>,
    /// Words under the x axis instead of numbers: position and word.
    pub x_names: Vec<(f64, String)>,
    pub marks: Vec<Mark>,
}

/// Room around the axes: left, top, right, bottom.
const MARGINS: [f64; 4] = [64.0, 28.0, 14.0, 48.0];

impl Panel {
    /// Draws the panel into a box at `corner`.
    pub fn draw(&self, canvas: &mut Canvas, corner: [f64; 2], size: [f64; 2]) {
        let [left, top] = [corner[0] + MARGINS[0], corner[1] + MARGINS[1]];
        let [right, bottom] = [
            corner[0] + size[0] - MARGINS[2],
            corner[1] + size[1] - MARGINS[3],
        ];
        let extent: Vec<[f64; 2]> = self.marks.iter().flat_map(Mark::extent).collect();
        let x_range = self
            .x_range
            .unwrap_or_else(|| axis::around(extent.iter().map(|p| p[0])));
        let y_range = self
            .y_range
            .unwrap_or_else(|| axis::around(extent.iter().map(|p| p[1])));
        let x = Scale::new(x_range, left, right);
        let y = Scale::new(y_range, bottom, top);
        let middle = (left + right) / 2.0;
        canvas.text(
            Text::TITLE,
            [middle, top - 10.0],
            Anchor::Middle,
            &self.title,
        );
        canvas.text(
            Text::NORMAL,
            [middle, bottom + 38.0],
            Anchor::Middle,
            &self.x_label,
        );
        canvas.text_upwards(
            Text::NORMAL,
            [corner[0] + 15.0, (top + bottom) / 2.0],
            &self.y_label,
        );
        self.draw_y_axis(canvas, &y, [left, right]);
        self.draw_x_axis(canvas, &x, bottom);
        for mark in &self.marks {
            draw_mark(canvas, mark, &x, &y, [top, bottom]);
        }
        canvas.line([left, bottom], [right, bottom], "#222222", 1.0, "");
        canvas.line([left, top], [left, bottom], "#222222", 1.0, "");
    }

    fn draw_y_axis(&self, canvas: &mut Canvas, y: &Scale, [left, right]: [f64; 2]) {
        let ticks = y.ticks(5);
        for tick in &ticks {
            let at = y.at(*tick);
            canvas.line([left, at], [right, at], "#e2e2e2", 0.8, "");
            canvas.text(
                Text::SMALL,
                [left - 6.0, at + 4.0],
                Anchor::End,
                &axis::label(*tick, &ticks),
            );
        }
    }

    fn draw_x_axis(&self, canvas: &mut Canvas, x: &Scale, bottom: f64) {
        let ticks = x.ticks(6);
        let mut named: Vec<(f64, String)> = self.x_names.clone();
        if named.is_empty() {
            named = ticks
                .iter()
                .map(|t| (*t, axis::label(*t, &ticks)))
                .collect();
        }
        // Names that would touch the one before are left out; their tick stays.
        let mut free_from = f64::NEG_INFINITY;
        for (value, name) in named {
            let at = x.at(value);
            let half = Text::SMALL.width(&name) / 2.0;
            canvas.line([at, bottom], [at, bottom + 4.0], "#222222", 1.0, "");
            if at - half >= free_from {
                canvas.text(Text::SMALL, [at, bottom + 18.0], Anchor::Middle, &name);
                free_from = at + half + 4.0;
            }
        }
    }
}

fn draw_mark(canvas: &mut Canvas, mark: &Mark, x: &Scale, y: &Scale, [top, bottom]: [f64; 2]) {
    let at = |p: [f64; 2]| [x.at(p[0]), y.at(p[1])];
    match mark {
        Mark::Line {
            points,
            style,
            every,
        } => {
            let placed: Vec<[f64; 2]> = points.iter().map(|p| at(*p)).collect();
            canvas.path(&placed, style);
            for place in placed.iter().step_by((*every).max(1)) {
                canvas.marker(*place, style);
            }
        }
        Mark::Band { points, style } => {
            let upper = points.iter().map(|p| at([p[0], p[2]]));
            let lower = points.iter().rev().map(|p| at([p[0], p[1]]));
            canvas.area(&upper.chain(lower).collect::<Vec<_>>(), style.colour);
        }
        Mark::Errors { points, style } => {
            for [px, lower, upper] in points {
                canvas.line(at([*px, *lower]), at([*px, *upper]), style.colour, 1.2, "");
            }
        }
        Mark::Bars { bars, colour } => {
            for [from, to, height] in bars {
                canvas.bar(at([*from, 0.0]), at([*to, *height]), colour);
            }
        }
        Mark::Points { points, style } => points.iter().for_each(|p| canvas.marker(at(*p), style)),
        Mark::Upright {
            x: value,
            label,
            style,
        } => {
            let place = x.at(*value);
            canvas.line(
                [place, top],
                [place, bottom],
                style.colour,
                style.width,
                style.dash,
            );
            // The word stands on the side where there is more room.
            let right = *value < 0.5 * (x.lo + x.hi);
            let (offset, anchor) = if right {
                (5.0, Anchor::Start)
            } else {
                (-5.0, Anchor::End)
            };
            canvas.text(Text::SMALL, [place + offset, top + 12.0], anchor, label);
        }
    }
}
