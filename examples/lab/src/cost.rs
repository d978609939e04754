//! Costs in thousandths, so that sums and comparisons are exact.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul};
use std::str::FromStr;

/// A cost of 0.001 times the number inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(pub u64);

impl Cost {
    pub const ZERO: Self = Self(0);
    pub const ONE: Self = Self(1000);

    pub fn as_f64(self) -> f64 {
        self.0 as f64 / 1000.0
    }
}

impl FromStr for Cost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a cost between 0 and 1 000 000");
        let units: f64 = text.parse().map_err(|_| wrong())?;
        if !(0.0..=1e6).contains(&units) {
            return Err(wrong());
        }
        Ok(Self((units * 1000.0).round() as u64))
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.as_f64())
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Mul<usize> for Cost {
    type Output = Self;

    fn mul(self, count: usize) -> Self {
        Self(self.0 * count as u64)
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_add_up_exactly() {
        let tenth: Cost = "0.1".parse().unwrap();
        assert_eq!((0..30).map(|_| tenth).sum::<Cost>(), Cost::ONE * 3);
        assert_eq!(tenth.to_string(), "0.1");
    }

    #[test]
    fn bad_costs_are_refused() {
        for text in ["-1", "NaN", "inf", "", "one"] {
            assert!(text.parse::<Cost>().is_err(), "{text}");
        }
    }
}
