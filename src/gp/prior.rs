//! What is believed about the hyperparameters before the data: log densities and their gradients in the logarithms.

use super::hyper::Hyper;
use crate::optim::{EXTRA, Params};
use crate::{Scalar, VarSet};

/// ln √(2π).
const LN_SQRT_TWO_PI: f64 = 0.918_938_533_204_672_8;
/// ln(2/π).
const LN_TWO_OVER_PI: f64 = -0.451_582_705_289_454_9;

/// Maximum likelihood, or a prior for MAP.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Prior<T = f32> {
    /// No prior: maximum likelihood.
    Flat,
    /// ℓ ~ LogNormal(√2 + ½ ln d, √3) for d active variables, as in BoTorch since 0.12: long length scales unless
    /// the data speak. Variances are free.
    #[default]
    LengthScales,
    /// The same, and σ² ~ LogNormal(-4, 1), s2 = 1: all of BoTorch's defaults.
    Botorch,
    /// Sparse axis-aligned subspaces: τ ~ HalfCauchy(α), 1/ℓ² ~ HalfCauchy(τ). Most variables are believed not to
    /// matter. τ is a further parameter of the fit.
    Saas {
        /// α: scale of the global shrinkage, 0.1 usually.
        alpha: T,
    },
}

impl<T: Scalar> Prior<T> {
    /// The SAAS prior with the usual α = 0.1.
    pub fn saas() -> Self {
        Self::Saas {
            alpha: T::from_f64(0.1),
        }
    }

    /// Log density in (ℓ, σ², τ), with its gradient in ln ℓ, ln s2, ln σ² and ln τ. Variables that are left out do
    /// not count.
    pub(crate) fn log_density<const D: usize, const C: usize>(
        &self,
        hyper: &Hyper<D, C, T>,
        tau: T,
        design: VarSet,
        context: VarSet,
    ) -> (T, Params<D, C, T>) {
        let mut gradient = Params::ZERO;
        let mut total = T::ZERO;
        let count = design.len() + context.len();
        let [_, of_noise, of_tau] = &mut gradient.extra;
        match self {
            Self::Flat => return (total, gradient),
            Self::LengthScales => {}
            Self::Botorch => {
                let (value, slope) = log_normal(hyper.noise_variance, T::from_f64(-4.0), T::ONE);
                total += value;
                *of_noise = slope;
            }
            Self::Saas { alpha } => {
                let (value, slope, _) = half_cauchy(tau, *alpha);
                total += value;
                *of_tau = slope;
            }
        }
        let location =
            T::from_f64(core::f64::consts::SQRT_2) + T::HALF * T::from_count(count.max(1)).ln();
        let spread = T::from_f64(1.732_050_807_568_877_2);
        let designs = gradient
            .design
            .iter_mut()
            .zip(&hyper.design_length_scales)
            .enumerate();
        let contexts = gradient
            .context
            .iter_mut()
            .zip(&hyper.context_length_scales)
            .enumerate();
        let active_designs = designs.filter(|(index, _)| design.contains(*index));
        let active_contexts = contexts.filter(|(index, _)| context.contains(*index));
        for (_, (derivative, &scale)) in active_designs.chain(active_contexts) {
            if let Self::Saas { .. } = self {
                let (value, by_rho, by_tau) = half_cauchy(T::ONE / (scale * scale), tau);
                total += value;
                // ln ρ = -2 ln ℓ
                *derivative = -(by_rho + by_rho);
                *of_tau += by_tau;
            } else {
                let (value, slope) = log_normal(scale, location, spread);
                total += value;
                *derivative = slope;
            }
        }
        (total, gradient)
    }
}

/// Log density of LogNormal(μ, s) at x, and its derivative in ln x.
fn log_normal<T: Scalar>(x: T, location: T, spread: T) -> (T, T) {
    let logarithm = x.ln();
    let distance = (logarithm - location) / spread;
    let value =
        -logarithm - spread.ln() - T::from_f64(LN_SQRT_TWO_PI) - T::HALF * distance * distance;
    (value, -T::ONE - distance / spread)
}

/// Log density of HalfCauchy(s) at x, and its derivatives in ln x and ln s.
fn half_cauchy<T: Scalar>(x: T, scale: T) -> (T, T, T) {
    let ratio = x / scale;
    let square = ratio * ratio;
    // u²/(1 + u²), from 1/u² where u² is large: it may overflow.
    let share = if ratio > T::ONE {
        let inverse = scale / x;
        T::ONE / (T::ONE + inverse * inverse)
    } else {
        square / (T::ONE + square)
    };
    // ln(1 + u²) likewise.
    let logarithm = if ratio > T::ONE {
        let inverse = scale / x;
        (T::ONE + inverse * inverse).ln() + ratio.ln() + ratio.ln()
    } else {
        (T::ONE + square).ln()
    };
    let value = T::from_f64(LN_TWO_OVER_PI) - scale.ln() - logarithm;
    (value, -(share + share), share + share - T::ONE)
}

/// Where things are in [`Params::extra`].
pub(crate) const SIGNAL: usize = 0;
pub(crate) const NOISE: usize = 1;
pub(crate) const TAU: usize = 2;
const _: () = assert!(TAU < EXTRA);
