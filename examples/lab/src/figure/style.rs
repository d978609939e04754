//! Lines that can be told apart, in colour (Okabe and Ito's palette) and without.

use plotters::style::RGBColor;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub colour: RGBColor,
    pub dash: Dash,
    pub width: f64,
    pub marker: Marker,
}

/// Lengths of dash and gap; none for a solid line. Plotters does not mix two kinds of dashes in a line.
pub type Dash = Option<[f64; 2]>;

/// The shape at a series' points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    None,
    Circle,
    Square,
    Triangle,
    Diamond,
}

pub const BLACK: RGBColor = RGBColor(0x00, 0x00, 0x00);
pub const ORANGE: RGBColor = RGBColor(0xe6, 0x9f, 0x00);
pub const SKY: RGBColor = RGBColor(0x56, 0xb4, 0xe9);
pub const GREEN: RGBColor = RGBColor(0x00, 0x9e, 0x73);
pub const BLUE: RGBColor = RGBColor(0x00, 0x72, 0xb2);
pub const VERMILLION: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
pub const PURPLE: RGBColor = RGBColor(0xcc, 0x79, 0xa7);
pub const GREY: RGBColor = RGBColor(0x77, 0x77, 0x77);

/// An order from dark to light that survives grey printing; its last quarter is left out, too pale on white.
pub const VIRIDIS: [RGBColor; 4] = [
    RGBColor(0x44, 0x01, 0x54),
    RGBColor(0x3b, 0x52, 0x8b),
    RGBColor(0x21, 0x91, 0x8c),
    RGBColor(0x5e, 0xc9, 0x62),
];

const SERIES: [(RGBColor, Dash, Marker); 7] = [
    (BLUE, None, Marker::Circle),
    (ORANGE, Some([6.0, 3.0]), Marker::Square),
    (GREEN, Some([2.0, 2.0]), Marker::Triangle),
    (PURPLE, Some([9.0, 3.0]), Marker::Diamond),
    (SKY, None, Marker::Square),
    (BLACK, Some([4.0, 2.0]), Marker::Triangle),
    (GREY, Some([1.0, 3.0]), Marker::Diamond),
];

/// The style of the n-th series of a figure that does not compare methods.
///
/// After seven, colours come again with another marker.
pub fn of_series(n: usize) -> Style {
    let (colour, dash, _) = SERIES[n % SERIES.len()];
    let (_, _, marker) = SERIES[(n + n / SERIES.len()) % SERIES.len()];
    Style {
        colour,
        dash,
        width: 1.8,
        marker,
    }
}

/// A method looks the same in every figure; SADCBO stands out as in the paper.
pub fn of_method(name: &str) -> Style {
    let (colour, dash, width, marker) = match name {
        "sadcbo" => (VERMILLION, None, 2.6, Marker::Circle),
        "cbo" => (BLUE, None, 1.8, Marker::Circle),
        "cubo" => (ORANGE, Some([6.0, 3.0]), 1.8, Marker::Square),
        "vbo" => (GREEN, Some([2.0, 2.0]), 1.8, Marker::Triangle),
        "cabo" => (PURPLE, Some([9.0, 3.0]), 1.8, Marker::Diamond),
        "dropout" => (SKY, None, 1.8, Marker::Square),
        "mmdbo" => (BLACK, Some([4.0, 2.0]), 1.8, Marker::Triangle),
        "saasbo" => (SKY, Some([6.0, 3.0]), 1.8, Marker::Diamond),
        "saasbo-sadcbo" => (BLUE, Some([4.0, 2.0]), 1.8, Marker::Square),
        "sadcbo-budget" => (ORANGE, None, 1.8, Marker::Diamond),
        "sadcbo-learned-costs" => (GREEN, None, 1.8, Marker::Square),
        "sadcbo-cost-model" => (PURPLE, None, 1.8, Marker::Triangle),
        "sadcbo-freeze" => (BLACK, None, 1.8, Marker::Diamond),
        _ => (GREY, Some([1.0, 3.0]), 1.8, Marker::None),
    };
    Style {
        colour,
        dash,
        width,
        marker,
    }
}
