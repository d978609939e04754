//! Stage: what a decision costs, and what is left. Counted in whole thousandths, so that ten times 0.1 is 1.

use core::fmt;
use core::str::FromStr;

use super::selection::descending;
use crate::{Scalar, VarSet};

/// An amount of the budget, in thousandths of a unit: exact, up to 4.29 million units.
///
/// The unit is the user's: runs, minutes, grams of precursor.
///
/// ```
/// use sadcbo::Cost;
///
/// const RUN: Cost = Cost::from_milli(1_500);
/// assert_eq!("1.5".parse(), Ok(RUN));
/// assert_eq!(Cost::try_from_units(1.5_f32), Ok(RUN));
/// assert!("0.0001".parse::<Cost>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost(u32);

/// Why a number is not a [`Cost`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CostError {
    /// It is not a number, or not a finite one.
    NotANumber,
    /// It is negative.
    Negative,
    /// It is more than 4 294 967.295 units.
    TooLarge,
    /// It has a part below a thousandth that would be lost.
    TooFine,
}

impl fmt::Display for CostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotANumber => "the cost is not a finite number",
            Self::Negative => "the cost is negative",
            Self::TooLarge => "the cost is above 4294967.295 units",
            Self::TooFine => "the cost has a part below a thousandth",
        })
    }
}

impl core::error::Error for CostError {}

impl Cost {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// So many thousandths of a unit.
    pub const fn from_milli(milli: u32) -> Self {
        Self(milli)
    }

    /// The amount in thousandths of a unit.
    pub const fn milli(self) -> u32 {
        self.0
    }

    /// The amount nearest to a floating-point number of units.
    ///
    /// Refuses a positive number that would become 0; otherwise rounds, since 0.1 has no exact binary form.
    pub fn try_from_units<T: Scalar>(units: T) -> Result<Self, CostError> {
        let milli = units.to_f64() * 1000.0 + 0.5;
        if !units.is_finite() {
            Err(CostError::NotANumber)
        } else if units < T::ZERO {
            Err(CostError::Negative)
        } else if milli >= f64::from(u32::MAX) + 1.0 {
            Err(CostError::TooLarge)
        } else if units > T::ZERO && milli < 1.0 {
            Err(CostError::TooFine)
        } else {
            Ok(Self(milli as u32))
        }
    }

    /// The number of units.
    pub fn units<T: Scalar>(self) -> T {
        T::from_f64(f64::from(self.0) / 1000.0)
    }

    /// Both amounts together, or the largest amount if that is more than can be counted.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl FromStr for Cost {
    type Err = CostError;

    /// Reads a decimal number such as `2`, `0.25` or `1.500`, exactly.
    fn from_str(text: &str) -> Result<Self, CostError> {
        if text.starts_with('-') {
            return Err(CostError::Negative);
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        if whole.is_empty() || fraction.is_empty() {
            return Err(CostError::NotANumber);
        }
        let mut milli = 0_u32;
        let thousandths = fraction.chars().chain("000".chars()).take(3);
        for digit in whole.chars().chain(thousandths) {
            let digit = digit.to_digit(10).ok_or(CostError::NotANumber)?;
            let shifted = milli.checked_mul(10).ok_or(CostError::TooLarge)?;
            milli = shifted.checked_add(digit).ok_or(CostError::TooLarge)?;
        }
        match fraction.chars().skip(3).find(|&digit| digit != '0') {
            None => Ok(Self(milli)),
            Some(digit) if digit.is_ascii_digit() => Err(CostError::TooFine),
            Some(_) => Err(CostError::NotANumber),
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (units, milli) = (self.0 / 1000, self.0 % 1000);
        match milli {
            0 => write!(f, "{units}"),
            _ if milli % 100 == 0 => write!(f, "{units}.{}", milli / 100),
            _ if milli % 10 == 0 => write!(f, "{units}.{:02}", milli / 10),
            _ => write!(f, "{units}.{milli:03}"),
        }
    }
}

/// What becomes of a step that costs more than what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Overspend {
    /// It leaves its least relevant contexts to the environment until the rest fits: no decision plans to exceed the
    /// budget. What a step really cost, if it is reported, can: the money is gone, the balance negative and the
    /// experiment over.
    #[default]
    Trim,
    /// It is done all the same, as in the paper's loop: the last step may exceed the budget.
    Overdraw,
}

/// What a step costs: λ_x, and λ_j for each actuated context.
#[derive(Clone, Copy, Debug)]
pub struct Prices<'a> {
    /// The cost of one run (λ_x).
    pub run: Cost,
    /// The cost of actuating each context (λ_j).
    pub contexts: &'a [Cost],
}

impl Prices<'_> {
    /// λ_x + Σ λ_j over the actuated contexts; the set is empty in the observational phase.
    pub fn of_step(&self, actuated: VarSet) -> Cost {
        let chosen = self
            .contexts
            .iter()
            .enumerate()
            .filter(|(index, _)| actuated.contains(*index));
        chosen.fold(self.run, |sum, (_, &cost)| sum.saturating_add(cost))
    }
}

/// What is left of the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    remaining_milli: i64,
}

impl Ledger {
    /// Nothing spent yet.
    pub const fn new(budget: Cost) -> Self {
        Self {
            remaining_milli: budget.0 as i64,
        }
    }

    /// What is left, in thousandths of a unit; negative after [`Overspend::Overdraw`].
    pub const fn remaining_milli(&self) -> i64 {
        self.remaining_milli
    }

    /// What is left and can be spent.
    pub fn remaining(&self) -> Cost {
        // Never above the budget, so it fits.
        Cost(u32::try_from(self.remaining_milli.max(0)).unwrap_or(u32::MAX))
    }

    /// Whether more was spent than there was.
    pub const fn is_overdrawn(&self) -> bool {
        self.remaining_milli < 0
    }

    /// Whether this much is left. The run is over when the cost of one run (λ_x) is not.
    pub const fn covers(&self, cost: Cost) -> bool {
        self.remaining_milli >= cost.0 as i64
    }

    /// Spends. The balance may become negative.
    pub const fn charge(&mut self, cost: Cost) {
        self.remaining_milli = self.remaining_milli.saturating_sub(cost.0 as i64);
    }

    /// The contexts of a wanted set that the step may actuate: all of them, or under [`Overspend::Trim`] the set without
    /// its least relevant contexts, one after the other until the step fits what is left.
    pub fn affordable<T: Scalar>(
        &self,
        overspend: Overspend,
        prices: &Prices<'_>,
        wanted: VarSet,
        relevance: &[T],
    ) -> VarSet {
        let mut kept = wanted;
        while overspend == Overspend::Trim && !self.covers(prices.of_step(kept)) {
            let Some(least) = descending(relevance, kept).last() else {
                break;
            };
            kept = kept.without(least);
        }
        kept
    }
}
