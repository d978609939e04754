//! Covariance functions with one length scale per variable, a tile of sixteen pairs at a time.
//!
//! q = Σ (v_i - v'_i)²/ℓ_i². Everything below works on the *exponent* -q/2, so that the squared exponential is
//! s2·exp(exponent) without another operation.

use super::dataset::Rows;
use super::hyper::Hyper;
use super::panels::{LANES, Lanes, Tile};
use crate::{Point, Scalar, VarSet};

/// The covariance function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Kernel {
    /// k = s2·exp(-q/2): smooth results. The paper's choice.
    #[default]
    SquaredExponential,
    /// k = s2·(1 + a + a²/3)·exp(-a), a = √(5q): results with a rougher face.
    Matern52,
    /// The squared exponential on micromath's `exp`, whose relative error reaches 2.4e-3: positive definiteness then
    /// rests on the noise, which has to be well above that. Slower than the exact one on a Cortex-M4F, too.
    #[cfg(feature = "micromath")]
    ApproximateSquaredExponential,
}

/// -1/(2ℓ²) per variable; exactly 0 for a variable that is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metric<const D: usize, const C: usize, T>(pub(crate) Point<D, C, T>);

impl<const D: usize, const C: usize, T: Scalar> Metric<D, C, T> {
    /// No variable in use.
    pub(crate) const NONE: Self = Self(Point::ORIGIN);

    pub(crate) fn new(hyper: &Hyper<D, C, T>, design: VarSet, context: VarSet) -> Self {
        let mut weights = Point::ORIGIN;
        let weigh = |weights: &mut [T], scales: &[T], active: VarSet| {
            for (index, (weight, &scale)) in weights.iter_mut().zip(scales).enumerate() {
                if active.contains(index) {
                    *weight = -T::HALF / (scale * scale);
                }
            }
        };
        weigh(&mut weights.design, &hyper.design_length_scales, design);
        weigh(&mut weights.context, &hyper.context_length_scales, context);
        Self(weights)
    }
}

/// Exponents between four rows (lanes) and four rows (columns).
#[inline(always)]
pub(crate) fn exponent_tile<const D: usize, const C: usize, T: Scalar>(
    metric: &Metric<D, C, T>,
    a: Rows<'_, D, C, T>,
    b: Rows<'_, D, C, T>,
) -> Tile<T> {
    let mut sums = [[T::ZERO; LANES]; LANES];
    let mut add = |a: &[Lanes<T>], b: &[Lanes<T>], weights: &[T]| {
        for ((a, b), &weight) in a.iter().zip(b).zip(weights) {
            if weight != T::ZERO {
                for (sums, &b) in sums.iter_mut().zip(b) {
                    for (sum, &a) in sums.iter_mut().zip(a) {
                        let difference = a - b;
                        *sum += difference * difference * weight;
                    }
                }
            }
        }
    };
    add(a.design, b.design, &metric.0.design);
    add(a.context, b.context, &metric.0.context);
    sums
}

/// Exponents between four rows and one point.
#[inline(always)]
pub(crate) fn exponent_lanes<const D: usize, const C: usize, T: Scalar>(
    metric: &Metric<D, C, T>,
    rows: Rows<'_, D, C, T>,
    at: &Point<D, C, T>,
) -> Lanes<T> {
    let mut sums = [T::ZERO; LANES];
    let mut add = |rows: &[Lanes<T>], at: &[T], weights: &[T]| {
        for ((row, &value), &weight) in rows.iter().zip(at).zip(weights) {
            for (sum, &a) in sums.iter_mut().zip(row) {
                let difference = a - value;
                *sum += difference * difference * weight;
            }
        }
    };
    add(rows.design, &at.design, &metric.0.design);
    add(rows.context, &at.context, &metric.0.context);
    sums
}

/// Exponent between two points.
pub(crate) fn exponent<const D: usize, const C: usize, T: Scalar>(
    metric: &Metric<D, C, T>,
    a: &Point<D, C, T>,
    b: &Point<D, C, T>,
) -> T {
    let mut sum = T::ZERO;
    for ((weight, a), b) in metric.0.iter().zip(a.iter()).zip(b.iter()) {
        let difference = a - b;
        sum += difference * difference * weight;
    }
    sum
}

impl Kernel {
    /// Replaces exponents by covariances.
    #[inline(always)]
    pub(crate) fn covariances<T: Scalar>(self, signal_variance: T, exponents: &mut [T]) {
        match self {
            Self::SquaredExponential => {
                for value in exponents {
                    *value = signal_variance * value.exp_neg();
                }
            }
            Self::Matern52 => {
                for value in exponents {
                    let a = matern_distance(*value);
                    *value =
                        signal_variance * (T::ONE + a + a * a / T::from_f64(3.0)) * (-a).exp_neg();
                }
            }
            #[cfg(feature = "micromath")]
            Self::ApproximateSquaredExponential => {
                for value in exponents {
                    *value = signal_variance * value.exp_approximate();
                }
            }
        }
    }

    /// Replaces exponents by slopes -2 dk/dq, the common factor of every derivative:
    /// dk/dv_i = -slope·(v_i - v'_i)/ℓ_i², dk/d(ln ℓ_i) = slope·(v_i - v'_i)²/ℓ_i².
    #[inline(always)]
    pub(crate) fn slopes<T: Scalar>(self, signal_variance: T, exponents: &mut [T]) {
        match self {
            Self::Matern52 => {
                let factor = signal_variance * T::from_f64(5.0 / 3.0);
                for value in exponents {
                    let a = matern_distance(*value);
                    *value = factor * (T::ONE + a) * (-a).exp_neg();
                }
            }
            _ => self.covariances(signal_variance, exponents),
        }
    }

    /// Whether the slope of a pair is its covariance, so that one need not be computed from the other's exponent.
    pub(crate) fn slope_is_covariance(self) -> bool {
        !matches!(self, Self::Matern52)
    }
}

/// a = √(5q) from the exponent -q/2.
#[inline(always)]
fn matern_distance<T: Scalar>(exponent: T) -> T {
    (T::from_f64(-10.0) * exponent).sqrt()
}
