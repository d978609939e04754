//! Stage: the switching criterion's figures for the last observation, from the surrogate before and after it.
//!
//! Both posteriors have the same hyperparameters, so the earlier one is the leading block of the same factor.

use super::acquisition::Ucb;
use super::switch::SwitchInputs;
use crate::gp::{Gp, best_of};
use crate::{Point, Scalar};

/// The best rows with and without the last observation: v*_t and v*_{t-1}; `None` if there is none before it.
pub fn best_rows<T: Scalar>(outputs: &[T]) -> Option<(usize, usize)> {
    let (_, before) = outputs.split_last()?;
    Some((best_of(outputs)?, best_of(before)?))
}

/// What the criterion needs to know about the last observation; `None` if there is none before it.
///
/// `kappa` is [`Spread::kappa`] of the posterior before it.
pub fn inputs_of_last<const N: usize, const D: usize, const C: usize, T: Scalar>(
    gp: &Gp<N, D, C, T>,
    (star, former): (usize, usize),
    kappa: T,
    delta: T,
) -> Option<SwitchInputs<T>> {
    let outputs = gp.outputs();
    let last = outputs.len().checked_sub(1)?;
    let after = gp.all().ok()?;
    let before = gp.first(last).ok()?;
    let (at_star, at_former, at_last) = (gp.point(star)?, gp.point(former)?, gp.point(last)?);
    let star_after = after.posterior(&at_star).ok()?;
    let (lead, lead_sd) = if star == former {
        (T::ZERO, T::ZERO)
    } else {
        let former_after = after.posterior(&at_former).ok()?;
        let shared = after.covariance(&at_star, &at_former).ok()?;
        let variance = star_after.variance - shared - shared + former_after.variance;
        (
            star_after.mean - former_after.mean,
            variance.max(T::ZERO).sqrt(),
        )
    };
    let surprise = before.posterior(&at_last).ok()?;
    Some(SwitchInputs {
        mean_change: star_after.mean - before.posterior(&at_former).ok()?.mean,
        lead,
        lead_sd,
        variance: surprise.variance,
        residual: gp.scale().standardise(*outputs.get(last)?) - surprise.mean,
        best_sd: before.posterior(&at_star).ok()?.std_dev(),
        kappa,
        noise: gp.hyper().noise_variance,
        delta,
    })
}

/// κ = max over the cube of UCB_{t-1} - max over the data of LCB_{t-1}, gathered point by point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread<T> {
    upper: Option<T>,
    lower: Option<T>,
}

impl<T: Scalar> Spread<T> {
    /// Nothing seen yet.
    pub const fn new() -> Self {
        Self {
            upper: None,
            lower: None,
        }
    }

    /// Takes in a point of the data; `None` if the posterior cannot be computed there.
    pub fn observed<const N: usize, const D: usize, const C: usize>(
        &mut self,
        objective: &Ucb<'_, N, D, C, T>,
        point: &Point<D, C, T>,
    ) -> Option<()> {
        let (lower, upper) = objective.bounds(point)?;
        self.lower = Some(self.lower.map_or(lower, |best| best.max(lower)));
        self.elsewhere(upper);
        Some(())
    }

    /// Takes in the upper bound of any other point.
    pub fn elsewhere(&mut self, upper: T) {
        self.upper = Some(self.upper.map_or(upper, |best| best.max(upper)));
    }

    /// κ, never negative; `None` without data.
    pub fn kappa(&self) -> Option<T> {
        Some(self.upper? - self.lower?)
    }
}
