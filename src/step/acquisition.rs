//! Stage: what a point promises, with its gradient.

use crate::gp::{Posterior, Prefix};
use crate::math::normal::{cdf, pdf};
use crate::{Point, Scalar};

/// Something to be maximised over the cube. `None` where it cannot be computed.
pub trait Objective<const D: usize, const C: usize, T> {
    /// The value at a point.
    fn value(&self, at: &Point<D, C, T>) -> Option<T>;
    /// The value at a point, and its gradient.
    fn gradient(&self, at: &Point<D, C, T>) -> Option<(T, Point<D, C, T>)>;
}

/// UCB(v) = μ(v) + √β·σ(v), σ without noise (eq. sensicucb, controlaf), in the surrogate's units.
pub struct Ucb<'a, const N: usize, const D: usize, const C: usize, T> {
    /// The posterior.
    pub surrogate: Prefix<'a, N, D, C, T>,
    /// √β.
    pub sqrt_beta: T,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Ucb<'_, N, D, C, T> {
    /// The lower and the upper confidence bound, μ ∓ √β·σ.
    pub fn bounds(&self, at: &Point<D, C, T>) -> Option<(T, T)> {
        let posterior = self.surrogate.posterior(at).ok()?;
        let width = self.sqrt_beta * posterior.std_dev();
        Some((posterior.mean - width, posterior.mean + width))
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Objective<D, C, T>
    for Ucb<'_, N, D, C, T>
{
    fn value(&self, at: &Point<D, C, T>) -> Option<T> {
        self.bounds(at).map(|(_, upper)| upper)
    }

    fn gradient(&self, at: &Point<D, C, T>) -> Option<(T, Point<D, C, T>)> {
        let g = self.surrogate.posterior_gradient(at).ok()?;
        let mut gradient = g.mean;
        for (slope, of_deviation) in gradient.iter_mut().zip(g.std_dev.iter()) {
            *slope += self.sqrt_beta * of_deviation;
        }
        Some((
            g.posterior.mean + self.sqrt_beta * g.posterior.std_dev(),
            gradient,
        ))
    }
}

/// EI = (μ - best) Φ(u) + σ φ(u), u = (μ - best)/σ; with Φ(u) and φ(u), its derivatives in μ and σ.
pub(crate) fn improvement<T: Scalar>(posterior: &Posterior<T>, best: T) -> (T, T, T) {
    let (lead, deviation) = (posterior.mean - best, posterior.std_dev());
    if deviation > T::ZERO {
        let u = lead / deviation;
        let (by_mean, by_deviation) = (cdf(u), pdf(u));
        let value = lead * by_mean + deviation * by_deviation;
        (value.max(T::ZERO), by_mean, by_deviation)
    } else if lead > T::ZERO {
        (lead, T::ONE, T::ZERO)
    } else {
        (T::ZERO, T::ZERO, T::ZERO)
    }
}

/// How far a context may be from the ambient value and still count as not moved (w, SPEC §7).
pub(crate) const UNMOVED: f64 = 0.1;

/// Expected improvement per unit of a smooth cost: the acquisition of [`CaBo`](crate::CaBo) (Lee et al. 2020).
///
/// c(z) = λ_x + Σ λ_j (1 - exp(-(z_j - z_j^obs)²/(2w²))): staying at the ambient context is free.
pub(crate) struct ImprovementPerCost<'a, const N: usize, const D: usize, const C: usize, T> {
    pub(crate) surrogate: Prefix<'a, N, D, C, T>,
    /// The best output so far, in the surrogate's units.
    pub(crate) best: T,
    pub(crate) ambient: [T; C],
    pub(crate) run_cost: T,
    pub(crate) context_costs: [T; C],
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> ImprovementPerCost<'_, N, D, C, T> {
    /// c(z) and its derivatives.
    fn cost(&self, context: &[T; C]) -> (T, [T; C]) {
        let per_width = T::ONE / T::from_f64(UNMOVED * UNMOVED);
        let mut cost = self.run_cost;
        let mut slopes = [T::ZERO; C];
        let terms = context.iter().zip(&self.ambient).zip(&self.context_costs);
        for (((&z, &ambient), &price), slope) in terms.zip(&mut slopes) {
            let distance = z - ambient;
            let near = (-T::HALF * distance * distance * per_width).exp_neg();
            cost += price * (T::ONE - near);
            *slope = price * near * distance * per_width;
        }
        (cost, slopes)
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Objective<D, C, T>
    for ImprovementPerCost<'_, N, D, C, T>
{
    fn value(&self, at: &Point<D, C, T>) -> Option<T> {
        let posterior = self.surrogate.posterior(at).ok()?;
        Some(improvement(&posterior, self.best).0 / self.cost(&at.context).0)
    }

    fn gradient(&self, at: &Point<D, C, T>) -> Option<(T, Point<D, C, T>)> {
        let g = self.surrogate.posterior_gradient(at).ok()?;
        let (value, by_mean, by_deviation) = improvement(&g.posterior, self.best);
        let (cost, slopes) = self.cost(&at.context);
        let mut gradient = g.mean;
        for (slope, of_deviation) in gradient.iter_mut().zip(g.std_dev.iter()) {
            *slope = (*slope * by_mean + of_deviation * by_deviation) / cost;
        }
        for (slope, of_cost) in gradient.context.iter_mut().zip(slopes) {
            *slope -= value * of_cost / (cost * cost);
        }
        Some((value / cost, gradient))
    }
}
