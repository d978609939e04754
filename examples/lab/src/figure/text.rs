//! How words are set, and how wide they come out.

use plotters::prelude::FontFamily;
use plotters::style::{FontDesc, FontStyle, TextStyle, text_anchor::Pos};

pub use plotters::style::text_anchor::{HPos, VPos};

use super::pen::{INK, pixels};

const FAMILY: &str = "Helvetica, Arial, 'DejaVu Sans', sans-serif";

/// Plotters writes font sizes divided by this.
const POINT: f64 = 1.24;

#[derive(Clone, Copy, Debug)]
pub enum Font {
    Small,
    Normal,
    Title,
}

impl Font {
    fn size(self) -> f64 {
        match self {
            Self::Small => 12.0,
            Self::Normal => 13.0,
            Self::Title => 14.0,
        }
    }

    /// For plotters, with the part of the text that is at its position.
    pub fn style(self, across: HPos, along: VPos) -> TextStyle<'static> {
        let weight = match self {
            Self::Title => FontStyle::Bold,
            Self::Small | Self::Normal => FontStyle::Normal,
        };
        let size = f64::from(pixels(self.size())) * POINT;
        let font = FontDesc::new(FontFamily::Name(FAMILY), size, weight);
        TextStyle::from(font)
            .color(&INK)
            .pos(Pos::new(across, along))
    }

    /// Estimated width in DejaVu Sans, the widest of the fonts that a page may get.
    ///
    /// Plotters takes 0.56 em for every letter, so that methods' names in capitals would touch in the legend.
    pub fn width(self, text: &str) -> f64 {
        let ems = text.chars().map(|c| match c {
            ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | 'i' | 'j' | 'l' | 't' | '(' | ')' | '-' => {
                0.38
            }
            'm' | 'w' | 'M' | 'W' | '%' | '+' => 0.9,
            c if c.is_uppercase() => 0.74,
            _ => 0.62,
        });
        let bold = if matches!(self, Self::Title) {
            1.12
        } else {
            1.0
        };
        ems.sum::<f64>() * self.size() * bold
    }
}

/// Text as XML and HTML want it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
