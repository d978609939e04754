//! One set of axes.

use plotters::chart::{ChartBuilder, LabelAreaPosition};
use plotters::element::PathElement;
use plotters::style::{FontTransform, RGBColor};

use super::axis;
use super::mark::{Mark, Plot};
use super::pen::{Drawn, INK, Page, Pixel, pixels, stroke, units};
use super::text::{Font, HPos, VPos};

const GRID: RGBColor = RGBColor(0xe2, 0xe2, 0xe2);

/// Room around the axes.
const LEFT: f64 = 64.0;
const TOP: f64 = 28.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 48.0;

/// What stays empty of it beside the axes' descriptions.
const LEFT_EDGE: f64 = 4.0;
const BOTTOM_EDGE: f64 = 8.0;

/// Labels stand at twice the length of a tick from their axis.
const TICK: f64 = 4.5;

/// Numbers beside an axis, at most.
const X_TICKS: usize = 7;
const Y_TICKS: usize = 6;

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

impl Panel {
    /// Room that the words under the axis need beyond a line of numbers, in a panel of this width.
    ///
    /// Words that would touch each other stand upright.
    pub fn extra_height(&self, width: f64) -> f64 {
        if self.names_fit(width) {
            return 0.0;
        }
        let longest = self.x_names.iter().map(|(_, name)| Font::Small.width(name));
        (longest.fold(0.0, f64::max) - 12.0).max(0.0)
    }

    fn names_fit(&self, width: f64) -> bool {
        let [lo, hi] = self.x_range();
        let unit = (width - LEFT - RIGHT) / (hi - lo);
        let half = |name: &str| Font::Small.width(name) / 2.0;
        self.x_names.windows(2).all(|pair| match pair {
            [(a, left), (b, right)] => half(left) + 4.0 + half(right) <= (b - a) * unit,
            _ => true,
        })
    }

    fn x_range(&self) -> [f64; 2] {
        let extent = self.marks.iter().flat_map(Mark::extent);
        self.x_range
            .unwrap_or_else(|| axis::around(extent.map(|p| p[0])))
    }

    fn y_range(&self) -> [f64; 2] {
        let extent = self.marks.iter().flat_map(Mark::extent);
        self.y_range
            .unwrap_or_else(|| axis::around(extent.map(|p| p[1])))
    }

    /// Draws the panel into its area of the page.
    ///
    /// `extra` is the room under the axis for words that stand upright, here or in a panel beside this one.
    pub fn draw(&self, page: &Page, area: &Page, extra: f64) -> Drawn {
        let (x_range, y_range) = (self.x_range(), self.y_range());
        let mut chart = ChartBuilder::on(area)
            .margin_top(pixels(TOP))
            .margin_right(pixels(RIGHT))
            .margin_left(pixels(LEFT_EDGE))
            .margin_bottom(pixels(BOTTOM_EDGE))
            .set_label_area_size(LabelAreaPosition::Left, pixels(LEFT - LEFT_EDGE))
            .set_label_area_size(
                LabelAreaPosition::Bottom,
                pixels(BOTTOM - BOTTOM_EDGE + extra),
            )
            .build_cartesian_2d(x_range[0]..x_range[1], y_range[0]..y_range[1])?;
        let x_word = |value: &f64| axis::label(*value, x_range, X_TICKS);
        let y_word = |value: &f64| axis::label(*value, y_range, Y_TICKS);
        let mut mesh = chart.configure_mesh();
        mesh.disable_x_mesh()
            .max_light_lines(0)
            .x_labels(X_TICKS)
            .y_labels(Y_TICKS)
            .x_label_formatter(&x_word)
            .y_label_formatter(&y_word)
            .bold_line_style(stroke(GRID, 0.8))
            .axis_style(stroke(INK, 1.0))
            .set_all_tick_mark_size(pixels(TICK))
            .label_style(Font::Small.style(HPos::Left, VPos::Top))
            .axis_desc_style(Font::Normal.style(HPos::Center, VPos::Top))
            .x_desc(&self.x_label)
            .y_desc(&self.y_label);
        if !self.x_names.is_empty() {
            mesh.disable_x_axis();
        }
        mesh.draw()?;
        let inside = chart.plotting_area();
        let at = |[x, y]: [f64; 2]| {
            let x = x.clamp(x_range[0], x_range[1]);
            let y = y.clamp(y_range[0], y_range[1]);
            inside.map_coordinate(&(x, y))
        };
        let level = self.names_fit(units(area.dim_in_pixel().0));
        for (x, name) in &self.x_names {
            draw_name(page, at([*x, y_range[0]]), name, level)?;
        }
        let (columns, rows) = inside.get_pixel_range();
        let middle = (columns.start + columns.end) / 2;
        let title = Font::Title.style(HPos::Center, VPos::Bottom);
        page.draw_text(&self.title, &title, (middle, rows.start - pixels(7.0)))?;
        let plot = Plot {
            page,
            at: &at,
            x_range,
            y_range,
        };
        self.marks.iter().try_for_each(|mark| mark.draw(&plot))?;
        // Once more, over the marks that start at the axes.
        let [lower, upper] = y_range.map(|y| at([x_range[0], y]));
        let frame = [upper, lower, at([x_range[1], y_range[0]])];
        page.draw(&PathElement::new(frame, stroke(INK, 1.0)))
    }
}

/// Plotters centres the labels of an axis on their tick: upright ones would reach into the panel.
fn draw_name(page: &Page, (x, y): Pixel, name: &str, level: bool) -> Drawn {
    let tick = [(x, y), (x, y + pixels(TICK))];
    page.draw(&PathElement::new(tick, stroke(INK, 1.0)))?;
    let style = if level {
        Font::Small.style(HPos::Center, VPos::Top)
    } else {
        let upright = Font::Small.style(HPos::Right, VPos::Center);
        upright.transform(FontTransform::Rotate270)
    };
    page.draw_text(name, &style, (x, y + pixels(2.0 * TICK)))
}
