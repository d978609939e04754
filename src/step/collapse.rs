//! Stage: how far the prediction at a point shifts when a context is collapsed (eq. fcmeasure).
//!
//! r_ij = KL( p(y | v_i) ‖ p(y | v_i with context j collapsed) ), both predictions with noise.

use crate::gp::{Gp, Posterior, Prefix};
use crate::math::normal::kl_divergence;
use crate::settings::Collapse;
use crate::{Point, Scalar};

/// The most observed values that [`Collapse::Observed`] averages over.
const OBSERVED: usize = 8;

/// Where contexts are collapsed to: up to eight points, of which only the contexts count.
#[derive(Clone, Copy, Debug)]
pub struct Collapsed<const C: usize, T> {
    values: [[T; C]; OBSERVED],
    len: usize,
}

impl<const C: usize, T: Scalar> Collapsed<C, T> {
    /// The points that a rule stands for.
    pub fn new<const N: usize, const D: usize>(collapse: Collapse, gp: &Gp<N, D, C, T>) -> Self {
        let mut collapsed = Self {
            values: [[T::ZERO; C]; OBSERVED],
            len: 1,
        };
        match collapse {
            Collapse::Zero => {}
            Collapse::Mean => {
                let count = T::from_count(gp.len().max(1));
                let [mean, ..] = &mut collapsed.values;
                for point in (0..gp.len()).filter_map(|row| gp.point(row)) {
                    for (sum, z) in mean.iter_mut().zip(point.context) {
                        *sum += z / count;
                    }
                }
            }
            Collapse::Observed => {
                collapsed.len = gp.len().clamp(1, OBSERVED);
                // Evenly over the history, so that a drift is seen whole.
                let rows = (0..collapsed.len)
                    .filter_map(|index| (index * gp.len()).checked_div(collapsed.len));
                for (value, row) in collapsed.values.iter_mut().zip(rows) {
                    *value = gp.point(row).map_or(*value, |point| point.context);
                }
            }
        }
        collapsed
    }
}

/// r_ij for every context j of one point; `None` if a prediction could not be computed.
pub fn divergences<const N: usize, const D: usize, const C: usize, T: Scalar>(
    surrogate: &Prefix<'_, N, D, C, T>,
    point: &Point<D, C, T>,
    collapsed: &Collapsed<C, T>,
) -> Option<[T; C]> {
    let whole = surrogate.posterior(point).ok()?;
    let mut divergences = [T::ZERO; C];
    for values in collapsed.values.iter().take(collapsed.len) {
        for (j, (sum, &value)) in divergences.iter_mut().zip(values).enumerate() {
            let mut without = *point;
            let place = without.context.get_mut(j)?;
            if *place != value {
                *place = value;
                *sum += shift(surrogate, &whole, &without)?;
            }
        }
    }
    Some(divergences)
}

/// r_ij for every design variable j of one point, collapsed to 0: beyond the paper.
pub fn design_divergences<const N: usize, const D: usize, const C: usize, T: Scalar>(
    surrogate: &Prefix<'_, N, D, C, T>,
    point: &Point<D, C, T>,
) -> Option<[T; D]> {
    let whole = surrogate.posterior(point).ok()?;
    let mut divergences = [T::ZERO; D];
    for (j, divergence) in divergences.iter_mut().enumerate() {
        let mut without = *point;
        *without.design.get_mut(j)? = T::ZERO;
        if without != *point {
            *divergence = shift(surrogate, &whole, &without)?;
        }
    }
    Some(divergences)
}

/// KL from the prediction at a point to the one at another.
fn shift<const N: usize, const D: usize, const C: usize, T: Scalar>(
    surrogate: &Prefix<'_, N, D, C, T>,
    whole: &Posterior<T>,
    to: &Point<D, C, T>,
) -> Option<T> {
    let rest = surrogate.posterior(to).ok()?;
    Some(kl_divergence(
        whole.mean,
        whole.variance_with_noise(),
        rest.mean,
        rest.variance_with_noise(),
    ))
}
