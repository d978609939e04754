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
    /// Rectangles from corner to corner, in greys from white at 0 to dark at 1.
    Shades(Vec<([f64; 2], [f64; 2], f64)>),
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
            Self::Shades(cells) => cells.iter().flat_map(|c| [c.0, c.1]).collect(),
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
    /// Room that the words under the axis need beyond a line of numbers, in a panel of this width.
    ///
    /// Words that would touch each other stand upright.
    pub fn extra_height(&self, width: f64) -> f64 {
        if self.names_fit(width) {
            return 0.0;
        }
        let longest = self.x_names.iter().map(|(_, name)| Text::SMALL.width(name));
        (longest.fold(0.0, f64::max) - 12.0).max(0.0)
    }

    fn names_fit(&self, width: f64) -> bool {
        let x = Scale::new(self.x_range(), 0.0, width - MARGINS[0] - MARGINS[2]);
        let half = |name: &str| Text::SMALL.width(name) / 2.0;
        self.x_names.windows(2).all(|pair| {
            let [(a, left), (b, right)] = pair else {
                return true;
            };
            x.at(*a) + half(left) + 4.0 <= x.at(*b) - half(right)
        })
    }

    fn x_range(&self) -> [f64; 2] {
        let extent = self.marks.iter().flat_map(Mark::extent);
        self.x_range
            .unwrap_or_else(|| axis::around(extent.map(|p| p[0])))
    }

    /// Draws the panel into a box at `corner`.
    ///
    /// `extra` is the room under the axis for words that stand upright, here or in a panel beside this one.
    pub fn draw(&self, canvas: &mut Canvas, corner: [f64; 2], size: [f64; 2], extra: f64) {
        let [left, top] = [corner[0] + MARGINS[0], corner[1] + MARGINS[1]];
        let [right, bottom] = [
            corner[0] + size[0] - MARGINS[2],
            corner[1] + size[1] - MARGINS[3] - extra,
        ];
        let extent: Vec<[f64; 2]> = self.marks.iter().flat_map(Mark::extent).collect();
        let y_range = self
            .y_range
            .unwrap_or_else(|| axis::around(extent.iter().map(|p| p[1])));
        let x = Scale::new(self.x_range(), left, right);
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
            [middle, bottom + extra + 38.0],
            Anchor::Middle,
            &self.x_label,
        );
        canvas.text_upwards(
            Text::NORMAL,
            [corner[0] + 15.0, (top + bottom) / 2.0],
            &self.y_label,
        );
        self.draw_y_axis(canvas, &y, [left, right]);
        self.draw_x_axis(canvas, &x, bottom, self.names_fit(size[0]));
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

    fn draw_x_axis(&self, canvas: &mut Canvas, x: &Scale, bottom: f64, level: bool) {
        let ticks = x.ticks(6);
        let mut named: Vec<(f64, String)> = self.x_names.clone();
        if named.is_empty() {
            named = ticks
                .iter()
                .map(|t| (*t, axis::label(*t, &ticks)))
                .collect();
        }
        for (value, name) in named {
            let at = x.at(value);
            canvas.line([at, bottom], [at, bottom + 4.0], "#222222", 1.0, "");
            if level {
                canvas.text(Text::SMALL, [at, bottom + 18.0], Anchor::Middle, &name);
            } else {
                let half = Text::SMALL.width(&name) / 2.0;
                canvas.text_upwards(Text::SMALL, [at + 4.0, bottom + 8.0 + half], &name);
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
        Mark::Shades(cells) => {
            for (from, to, value) in cells {
                let grey = (255.0 - 150.0 * value.clamp(0.0, 1.0)) as u8;
                canvas.bar(
                    at(*from),
                    at(*to),
                    &format!("#{grey:02x}{grey:02x}{grey:02x}"),
                );
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
