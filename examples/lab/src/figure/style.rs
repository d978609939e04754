//! Lines that can be told apart, in colour (Okabe and Ito's palette) and without.

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub colour: &'static str,
    /// SVG dash array; empty for a solid line.
    pub dash: &'static str,
    pub width: f64,
    pub marker: Marker,
}

/// The shape at a series' points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    None,
    Circle,
    Square,
    Triangle,
    Diamond,
}

pub const BLACK: &str = "#000000";
pub const ORANGE: &str = "#e69f00";
pub const SKY: &str = "#56b4e9";
pub const GREEN: &str = "#009e73";
pub const BLUE: &str = "#0072b2";
pub const VERMILLION: &str = "#d55e00";
pub const PURPLE: &str = "#cc79a7";
pub const GREY: &str = "#777777";

/// An order from dark to light that survives grey printing.
pub const VIRIDIS: [&str; 4] = ["#440154", "#31688e", "#35b779", "#fde725"];

const SERIES: [(&str, &str, Marker); 7] = [
    (BLUE, "", Marker::Circle),
    (ORANGE, "6 3", Marker::Square),
    (GREEN, "2 2", Marker::Triangle),
    (PURPLE, "8 3 2 3", Marker::Diamond),
    (SKY, "", Marker::Square),
    (BLACK, "4 2", Marker::Triangle),
    (GREY, "1 3", Marker::Diamond),
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
        "sadcbo" => (VERMILLION, "", 2.6, Marker::Circle),
        "cbo" => (BLUE, "", 1.8, Marker::Circle),
        "cubo" => (ORANGE, "6 3", 1.8, Marker::Square),
        "vbo" => (GREEN, "2 2", 1.8, Marker::Triangle),
        "cabo" => (PURPLE, "8 3 2 3", 1.8, Marker::Diamond),
        "dropout" => (SKY, "", 1.8, Marker::Square),
        "mmdbo" => (BLACK, "4 2", 1.8, Marker::Triangle),
        "saasbo" => (SKY, "6 3", 1.8, Marker::Diamond),
        "saasbo-sadcbo" => (BLUE, "4 2", 1.8, Marker::Square),
        "sadcbo-budget" => (ORANGE, "", 1.8, Marker::Diamond),
        "sadcbo-learned-costs" => (GREEN, "", 1.8, Marker::Square),
        "sadcbo-cost-model" => (PURPLE, "", 1.8, Marker::Triangle),
        "sadcbo-freeze" => (BLACK, "", 1.8, Marker::Diamond),
        _ => (GREY, "1 3", 1.8, Marker::None),
    };
    Style {
        colour,
        dash,
        width,
        marker,
    }
}
