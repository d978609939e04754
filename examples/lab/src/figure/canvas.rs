//! SVG elements written one after the other.

use std::fmt::Write as _;

use super::style::{Marker, Style};

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    size: f64,
    bold: bool,
}

impl Text {
    pub const NORMAL: Self = Self {
        size: 13.0,
        bold: false,
    };
    pub const SMALL: Self = Self {
        size: 12.0,
        bold: false,
    };
    pub const TITLE: Self = Self {
        size: 14.0,
        bold: true,
    };

    /// Estimated width in DejaVu Sans, the widest of the fonts that a page may get.
    pub fn width(&self, text: &str) -> f64 {
        let ems = text.chars().map(|c| match c {
            ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | 'i' | 'j' | 'l' | 't' | '(' | ')' | '-' => {
                0.38
            }
            'm' | 'w' | 'M' | 'W' | '%' | '+' => 0.9,
            c if c.is_uppercase() => 0.74,
            _ => 0.62,
        });
        ems.sum::<f64>() * self.size * if self.bold { 1.12 } else { 1.0 }
    }
}

/// Which part of the text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing in progress.
pub struct Canvas {
    width: f64,
    height: f64,
    body: String,
    /// Where there is text: left, top, right, bottom. For the test that none overlaps.
    pub texts: Vec<([f64; 4], String)>,
}

impl Canvas {
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            body: String::new(),
            texts: Vec::new(),
        }
    }

    pub fn size(&self) -> [f64; 2] {
        [self.width, self.height]
    }

    fn add(&mut self, element: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{element}");
    }

    pub fn text(&mut self, text: Text, at: [f64; 2], anchor: Anchor, words: &str) {
        let width = text.width(words);
        let (name, left) = match anchor {
            Anchor::Start => ("start", at[0]),
            Anchor::Middle => ("middle", at[0] - width / 2.0),
            Anchor::End => ("end", at[0] - width),
        };
        let place = [
            left,
            at[1] - 0.8 * text.size,
            left + width,
            at[1] + 0.2 * text.size,
        ];
        self.texts.push((place, words.to_string()));
        let weight = if text.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        self.add(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{}\"{weight} text-anchor=\"{name}\">{}</text>",
            at[0],
            at[1],
            text.size,
            escape(words)
        ));
    }

    /// Text read from below, centred at a point.
    pub fn text_upwards(&mut self, text: Text, at: [f64; 2], words: &str) {
        let half = text.width(words) / 2.0;
        let place = [
            at[0] - 0.8 * text.size,
            at[1] - half,
            at[0] + 0.2 * text.size,
            at[1] + half,
        ];
        self.texts.push((place, words.to_string()));
        self.add(format_args!(
            "<text transform=\"translate({:.1} {:.1}) rotate(-90)\" font-size=\"{}\" text-anchor=\"middle\">{}</text>",
            at[0],
            at[1],
            text.size,
            escape(words)
        ));
    }

    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], colour: &str, width: f64, dash: &str) {
        self.add(format_args!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"{}/>",
            from[0],
            from[1],
            to[0],
            to[1],
            dashed(dash)
        ));
    }

    pub fn path(&mut self, points: &[[f64; 2]], style: &Style) {
        self.add(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>",
            list(points),
            style.colour,
            style.width,
            dashed(style.dash)
        ));
    }

    /// A filled outline, see-through.
    pub fn area(&mut self, outline: &[[f64; 2]], colour: &str) {
        self.add(format_args!(
            "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>",
            list(outline)
        ));
    }

    pub fn bar(&mut self, from: [f64; 2], to: [f64; 2], colour: &str) {
        let (x, y) = (from[0].min(to[0]), from[1].min(to[1]));
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\" shape-rendering=\"crispEdges\"/>",
            (to[0] - from[0]).abs(),
            (to[1] - from[1]).abs()
        ));
    }

    /// A marker with a white inside, readable on top of other lines.
    pub fn marker(&mut self, at: [f64; 2], style: &Style) {
        let [x, y] = at;
        let paint = format!(
            "fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.5\"",
            style.colour
        );
        match style.marker {
            Marker::None => {}
            Marker::Circle => self.add(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" {paint}/>"
            )),
            Marker::Square => {
                let (left, top) = (x - 3.0, y - 3.0);
                self.add(format_args!(
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"6\" height=\"6\" {paint}/>"
                ));
            }
            Marker::Triangle => self.shape(
                &[[x, y - 4.0], [x + 3.7, y + 2.8], [x - 3.7, y + 2.8]],
                &paint,
            ),
            Marker::Diamond => {
                self.shape(
                    &[[x, y - 4.2], [x + 4.2, y], [x, y + 4.2], [x - 4.2, y]],
                    &paint,
                );
            }
        }
    }

    fn shape(&mut self, corners: &[[f64; 2]], paint: &str) {
        self.add(format_args!(
            "<polygon points=\"{}\" {paint}/>",
            list(corners)
        ));
    }

    /// What a style looks like in the legend.
    pub fn sample(&mut self, at: [f64; 2], width: f64, style: &Style) {
        self.path(&[at, [at[0] + width, at[1]]], style);
        self.marker([at[0] + width / 2.0, at[1]], style);
    }

    pub fn finish(self, description: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" \
             font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" fill=\"#222222\">\n<title>{}</title>\n{}</svg>\n",
            self.width,
            self.height,
            escape(description),
            self.body
        )
    }
}

fn dashed(dash: &str) -> String {
    if dash.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{dash}\"")
    }
}

fn list(points: &[[f64; 2]]) -> String {
    let points: Vec<String> = points
        .iter()
        .map(|[x, y]| format!("{x:.1},{y:.1}"))
        .collect();
    points.join(" ")
}

/// Text as XML and HTML want it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
