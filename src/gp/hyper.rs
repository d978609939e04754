//! Hyperparameters of the surrogate.

use crate::{Error, Input, Scalar};

/// Length scales, signal variance and noise variance.
///
/// Length scales are in units of the cube; variances in those of the outputs that the surrogate sees (standardised, unless [`Outputs::Raw`](super::Outputs::Raw)).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "T: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de> + Copy + Default"
    ))
)]
pub struct Hyper<const D: usize, const C: usize, T = f32> {
    /// ℓ of each design variable.
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    pub design_length_scales: [T; D],
    /// ℓ of each context variable.
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    pub context_length_scales: [T; C],
    /// s2: variance of the function.
    pub signal_variance: T,
    /// σ²: variance of the noise.
    pub noise_variance: T,
}

/// Smallest and largest length scale that makes sense on the unit cube, in either precision.
pub(crate) const LENGTH_SCALES: (f64, f64) = (1e-6, 1e6);
/// Smallest and largest variance; the noise may also be 0.
pub(crate) const VARIANCES: (f64, f64) = (1e-12, 1e12);

impl<const D: usize, const C: usize, T: Scalar> Hyper<D, C, T> {
    /// ℓ = 0.5, s2 = 1, σ² = 0.01: where a first fit starts.
    pub const START: Self = Self {
        design_length_scales: [T::HALF; D],
        context_length_scales: [T::HALF; C],
        signal_variance: T::ONE,
        noise_variance: T::HUNDREDTH,
    };

    /// All 0, which is valid nowhere: for a place without a surrogate.
    pub(crate) const VACANT: Self = Self {
        design_length_scales: [T::ZERO; D],
        context_length_scales: [T::ZERO; C],
        signal_variance: T::ZERO,
        noise_variance: T::ZERO,
    };

    /// The same, or the error that names what is wrong.
    pub fn validate(&self) -> Result<(), Error> {
        let check = |value: T, (low, high): (f64, f64), input: Input| {
            if !value.is_finite() {
                Err(Error::NonFinite(input))
            } else if value < T::from_f64(low) || value > T::from_f64(high) {
                Err(Error::OutOfRange(input))
            } else {
                Ok(())
            }
        };
        for (index, &scale) in self.design_length_scales.iter().enumerate() {
            check(scale, LENGTH_SCALES, Input::DesignLengthScale(index))?;
        }
        for (index, &scale) in self.context_length_scales.iter().enumerate() {
            check(scale, LENGTH_SCALES, Input::ContextLengthScale(index))?;
        }
        check(self.signal_variance, VARIANCES, Input::SignalVariance)?;
        check(
            self.noise_variance,
            (0.0, VARIANCES.1),
            Input::NoiseVariance,
        )
    }
}
