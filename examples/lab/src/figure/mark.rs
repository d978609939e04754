//! What is drawn on a panel's axes.

use plotters::element::{PathElement, Polygon, Rectangle};
use plotters::style::{Color as _, RGBColor};

use super::pen::{self, Drawn, Page, Pixel, pixels, stroke};
use super::style::Style;
use super::text::{Font, HPos, VPos};

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
        colour: RGBColor,
    },
    /// Rectangles from corner to corner, in greys from white at 0 to dark at 1.
    Shades(Vec<([f64; 2], [f64; 2], f64)>),
    /// Single markers.
    Points { points: Vec<[f64; 2]>, style: Style },
    /// A vertical line across the panel with a word on it.
    Upright { x: f64, label: String, style: Style },
}

/// The inside of a panel: where its values are on the page.
pub struct Plot<'a, 'b> {
    pub page: &'a Page<'b>,
    /// Values outside of the ranges are put on their edge.
    pub at: &'a dyn Fn([f64; 2]) -> Pixel,
    pub x_range: [f64; 2],
    pub y_range: [f64; 2],
}

impl Mark {
    /// The values it covers, for the choice of the range.
    pub fn extent(&self) -> Vec<[f64; 2]> {
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

    pub fn draw(&self, plot: &Plot) -> Drawn {
        let Plot { page, at, .. } = plot;
        match self {
            Self::Line {
                points,
                style,
                every,
            } => {
                let placed: Vec<Pixel> = points.iter().map(|p| at(*p)).collect();
                pen::line(page, &placed, style)?;
                let marked = placed.iter().step_by((*every).max(1));
                marked
                    .copied()
                    .try_for_each(|p| pen::marker(page, p, style))
            }
            Self::Band { points, style } => {
                let upper = points.iter().map(|p| at([p[0], p[2]]));
                let lower = points.iter().rev().map(|p| at([p[0], p[1]]));
                let outline: Vec<Pixel> = upper.chain(lower).collect();
                page.draw(&Polygon::new(outline, style.colour.mix(0.15)))
            }
            Self::Errors { points, style } => points.iter().try_for_each(|[x, lower, upper]| {
                let bar = [at([*x, *lower]), at([*x, *upper])];
                page.draw(&PathElement::new(bar, stroke(style.colour, 1.2)))
            }),
            Self::Bars { bars, colour } => bars.iter().try_for_each(|[left, right, height]| {
                let corners = [at([*left, 0.0]), at([*right, *height])];
                page.draw(&Rectangle::new(corners, colour.filled()))
            }),
            Self::Shades(cells) => cells.iter().try_for_each(|(from, to, value)| {
                let grey = (255.0 - 150.0 * value.clamp(0.0, 1.0)) as u8;
                let colour = RGBColor(grey, grey, grey);
                page.draw(&Rectangle::new([at(*from), at(*to)], colour.filled()))
            }),
            Self::Points { points, style } => points
                .iter()
                .try_for_each(|p| pen::marker(page, at(*p), style)),
            Self::Upright { x, label, style } => draw_upright(plot, *x, label, style),
        }
    }
}

fn draw_upright(plot: &Plot, x: f64, label: &str, style: &Style) -> Drawn {
    let [low, high] = plot.y_range.map(|y| (plot.at)([x, y]));
    pen::line(plot.page, &[low, high], style)?;
    // The word stands on the side where there is more room.
    let [left, right] = plot.x_range;
    let (aside, anchor) = if x < 0.5 * (left + right) {
        (5.0, HPos::Left)
    } else {
        (-5.0, HPos::Right)
    };
    let place = (high.0 + pixels(aside), high.1 + pixels(2.0));
    plot.page
        .draw_text(label, &Font::Small.style(anchor, VPos::Top), place)
}
