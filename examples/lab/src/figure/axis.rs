//! Ranges and the numbers beside them.

use plotters::coord::ranged1d::{BoldPoints, Ranged as _};
use plotters::coord::types::RangedCoordf64;

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

/// The round values that plotters puts beside an axis, at most `count`.
fn ticks([lo, hi]: [f64; 2], count: usize) -> Vec<f64> {
    RangedCoordf64::from(lo..hi).key_points(BoldPoints(count))
}

/// A tick's text: no more decimals than the ticks need to differ.
pub fn label(value: f64, range: [f64; 2], count: usize) -> String {
    let step = ticks(range, count)
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
        let words = |range, count| -> Vec<String> {
            let ticks = ticks(range, count);
            ticks.iter().map(|t| label(*t, range, count)).collect()
        };
        assert_eq!(words([0.13, 0.97], 6), ["0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(words([0.0, 160.0], 7), ["0", "50", "100", "150"]);
        // Trials are whole.
        assert_eq!(words([0.0, 5.0], 6), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(
            words([-0.02, 0.021], 6),
            ["-0.02", "-0.01", "0.00", "0.01", "0.02"]
        );
    }
}
