//! Scales and their ticks.

/// A linear map from values to positions on the page.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    pub lo: f64,
    pub hi: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// Values `lo..hi` onto page positions `from..to`; an empty range is widened.
    pub fn new(range: [f64; 2], from: f64, to: f64) -> Self {
        let [lo, hi] = range;
        let hi = if hi > lo { hi } else { lo + 1.0 };
        Self { lo, hi, from, to }
    }

    pub fn at(&self, value: f64) -> f64 {
        let value = value.clamp(self.lo, self.hi);
        self.from + (value - self.lo) / (self.hi - self.lo) * (self.to - self.from)
    }

    /// About `count` round values inside the range.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        let rough = (self.hi - self.lo) / count as f64;
        let magnitude = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * magnitude);
        let step = step
            .into_iter()
            .find(|s| *s >= rough * 0.999)
            .unwrap_or(rough);
        let first = (self.lo / step - 1e-9).ceil() as i64;
        let last = (self.hi / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// A range that holds all values with a little room.
pub fn around(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    let finite = values.into_iter().filter(|v| v.is_finite());
    let (lo, hi) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| {
        (lo.min(v), hi.max(v))
    });
    if lo > hi {
        return [0.0, 1.0];
    }
    let room = if hi > lo { 0.04 * (hi - lo) } else { 0.5 };
    [lo - room, hi + room]
}

/// A tick's text: no more decimals than the ticks need to differ.
pub fn label(value: f64, ticks: &[f64]) -> String {
    let step = ticks
        .windows(2)
        .map(|w| (w[1] - w[0]).abs())
        .fold(f64::INFINITY, f64::min);
    let shown = |decimals: usize| format!("{value:.decimals$}");
    let exact = |decimals: usize| {
        let scale = 10f64.powi(decimals as i32);
        (step * scale - (step * scale).round()).abs() < 1e-6
    };
    let decimals = (0..6).find(|d| !step.is_finite() || exact(*d)).unwrap_or(6);
    // "-0" is not a number anyone writes.
    let text = shown(decimals);
    if text.trim_start_matches(['-', '0', '.']).is_empty() {
        shown(decimals).replace('-', "")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale::new([0.13, 0.97], 0.0, 1.0);
        let ticks = scale.ticks(5);
        let labels: Vec<String> = ticks.iter().map(|t| label(*t, &ticks)).collect();
        assert_eq!(labels, ["0.2", "0.4", "0.6", "0.8"]);
        let ticks = Scale::new([0.0, 160.0], 0.0, 1.0).ticks(5);
        let labels: Vec<String> = ticks.iter().map(|t| label(*t, &ticks)).collect();
        assert_eq!(labels, ["0", "50", "100", "150"]);
    }

    #[test]
    fn positions_are_linear_and_stay_on_the_axis() {
        let scale = Scale::new([0.0, 10.0], 100.0, 200.0);
        assert_eq!(scale.at(2.5), 125.0);
        assert_eq!(scale.at(-5.0), 100.0);
    }
}
