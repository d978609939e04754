//! Lines and markers on the page.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon};
use plotters::prelude::SVGBackend;
use plotters::style::{Color as _, RGBColor, ShapeStyle, WHITE};

use super::style::{Marker, Style};

/// The whole drawing, in pixels.
pub type Page<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;
pub type Pixel = (i32, i32);

pub const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);

/// Plotters has whole pixels and line widths only: a pixel is a tenth of a unit, so that curves stay smooth.
pub fn pixels(units: f64) -> i32 {
    (10.0 * units).round() as i32
}

pub fn units(pixels: u32) -> f64 {
    f64::from(pixels) / 10.0
}

pub fn stroke(colour: RGBColor, width: f64) -> ShapeStyle {
    colour.stroke_width(pixels(width) as u32)
}

pub fn line(page: &Page, points: &[Pixel], style: &Style) -> Drawn {
    let stroke = stroke(style.colour, style.width);
    match style.dash {
        // Only the markers are to be seen.
        _ if style.width == 0.0 => Ok(()),
        None => page.draw(&PathElement::new(points, stroke)),
        Some(lengths) => {
            let [dash, gap] = lengths.map(pixels);
            let points = points.iter().copied();
            page.draw(&DashedPathElement::new(points, dash, gap, stroke))
        }
    }
}

/// A marker with a white inside, readable on top of other lines.
pub fn marker(page: &Page, (x, y): Pixel, style: &Style) -> Drawn {
    let edge = stroke(style.colour, 1.5);
    let corners: &[[f64; 2]] = match style.marker {
        Marker::None => return Ok(()),
        Marker::Circle => {
            page.draw(&Circle::new((x, y), pixels(3.2), WHITE.filled()))?;
            return page.draw(&Circle::new((x, y), pixels(3.2), edge));
        }
        Marker::Square => &[[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]],
        Marker::Triangle => &[[0.0, -4.0], [3.7, 2.8], [-3.7, 2.8]],
        Marker::Diamond => &[[0.0, -4.2], [4.2, 0.0], [0.0, 4.2], [-4.2, 0.0]],
    };
    let corners: Vec<Pixel> = corners
        .iter()
        .map(|[right, down]| (x + pixels(*right), y + pixels(*down)))
        .collect();
    // One corner further than closed, so that the first is as sharp as the others.
    let around = corners.iter().cycle().take(corners.len() + 2);
    let outline: Vec<Pixel> = around.copied().collect();
    page.draw(&Polygon::new(corners, WHITE.filled()))?;
    page.draw(&PathElement::new(outline, edge))
}
