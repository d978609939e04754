//! What the surrogate expects at a point: mean, variance, covariance, and their gradients.
//!
//! With v = L⁻¹k: mean = v·L⁻¹y and variance = k(x, x) - v·v. Both sums run over the observations in their order, so
//! those over the first t observations alone are the posterior given only these: the leading block of the same factor.
//!
//! The squares are taken from k(x, x) one by one. What is left shrinks fast, and so does its rounding; their sum taken
//! at once would bring n roundings of the size of k(x, x), ten times the error on the golden family `f32_traps_a`.

use super::kernel::{exponent, exponent_lanes};
use super::panels::{Lanes, lanes, store_lanes};
use super::solve::{solve_lower, solve_upper};
use super::{Gp, check_point, panel_count};
use crate::{Error, Point, Scalar};

/// A normal distribution of the function's value at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Posterior<T = f32> {
    /// Expected value.
    pub mean: T,
    /// Variance of the function, without noise. Never negative.
    ///
    /// In the units of the outputs it may be too small or too large for the number type (outputs of 1e-30 or 1e+30 in
    /// single precision): it is then 0 or the largest number. [`std_dev`](Self::std_dev) is not affected.
    pub variance: T,
    /// Variance of the noise that a measurement adds; in the units of the outputs, as limited as `variance`.
    pub noise: T,
    std_dev: T,
}

impl<T: Scalar> Posterior<T> {
    /// Standard deviation of the function.
    pub fn std_dev(&self) -> T {
        self.std_dev
    }

    /// Variance of a measurement.
    pub fn variance_with_noise(&self) -> T {
        (self.variance + self.noise).saturate()
    }
}

/// A posterior and how it changes with the point.
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
pub struct PosteriorGradient<const D: usize, const C: usize, T = f32> {
    /// The posterior itself.
    pub posterior: Posterior<T>,
    /// d mean/dv.
    pub mean: Point<D, C, T>,
    /// d (standard deviation of the function)/dv; 0 where that deviation is 0.
    pub std_dev: Point<D, C, T>,
}

/// The posterior given only the first observations, with the hyperparameters of all.
///
/// In the units that the surrogate sees (standardised), which do not change with the number of observations.
#[derive(Clone, Debug)]
pub struct Prefix<'a, const N: usize, const D: usize, const C: usize, T = f32> {
    gp: &'a Gp<N, D, C, T>,
    len: usize,
    /// α of these observations.
    weights: [T; N],
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Gp<N, D, C, T> {
    /// The posterior at a point, in the units of the outputs.
    pub fn posterior(&self, at: &Point<D, C, T>) -> Result<Posterior<T>, Error> {
        Ok(self.in_output_units(self.all()?.posterior(at)?))
    }

    /// The posterior at a point and its gradient, in the units of the outputs.
    pub fn posterior_gradient(
        &self,
        at: &Point<D, C, T>,
    ) -> Result<PosteriorGradient<D, C, T>, Error> {
        let mut gradient = self.all()?.posterior_gradient(at)?;
        gradient.posterior = self.in_output_units(gradient.posterior);
        let deviation = self.scale.deviation();
        for value in gradient.mean.iter_mut().chain(gradient.std_dev.iter_mut()) {
            *value = (*value * deviation).saturate();
        }
        Ok(gradient)
    }

    /// Posterior covariance of the function between two points, in the squared units of the outputs.
    pub fn covariance(&self, a: &Point<D, C, T>, b: &Point<D, C, T>) -> Result<T, Error> {
        Ok(self.squared(self.all()?.covariance(a, b)?))
    }

    /// The posterior given all observations, in the units that the surrogate sees.
    pub fn all(&self) -> Result<Prefix<'_, N, D, C, T>, Error> {
        self.ready()?;
        Ok(Prefix {
            gp: self,
            len: self.len,
            weights: self.weights,
        })
    }

    /// The posterior given only the first `len` observations, in the units that the surrogate sees (those of all
    /// observations). The leading block of the factor serves: nothing is refactorised.
    pub fn first(&self, len: usize) -> Result<Prefix<'_, N, D, C, T>, Error> {
        self.ready()?;
        if len == 0 {
            return Err(Error::Empty);
        }
        let len = len.min(self.len);
        let mut weights = [T::ZERO; N];
        for (to, &from) in weights.iter_mut().zip(&self.whitened).take(len) {
            *to = from;
        }
        solve_upper(&self.panels, len, &mut weights);
        Ok(Prefix {
            gp: self,
            len,
            weights,
        })
    }

    fn in_output_units(&self, posterior: Posterior<T>) -> Posterior<T> {
        Posterior {
            mean: self.scale.restore(posterior.mean).saturate(),
            variance: self.squared(posterior.variance),
            noise: self.squared(posterior.noise),
            std_dev: (posterior.std_dev * self.scale.deviation()).saturate(),
        }
    }

    /// A variance or covariance in the squared units of the outputs. The square of the deviation alone may overflow.
    fn squared(&self, value: T) -> T {
        let deviation = self.scale.deviation();
        (value * deviation * deviation).saturate()
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Prefix<'_, N, D, C, T> {
    /// How many observations it knows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it knows no observation (never).
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The posterior at a point.
    pub fn posterior(&self, at: &Point<D, C, T>) -> Result<Posterior<T>, Error> {
        check_point(at)?;
        let mut v = [T::ZERO; N];
        self.whiten(at, &mut v);
        Ok(self.posterior_of(&v))
    }

    /// The posterior at a point and its gradient.
    pub fn posterior_gradient(
        &self,
        at: &Point<D, C, T>,
    ) -> Result<PosteriorGradient<D, C, T>, Error> {
        check_point(at)?;
        let gp = self.gp;
        let mut v = [T::ZERO; N];
        gp.covariances_with(at, self.len, &mut v);
        let mut slopes = v;
        self.solve(&mut v);
        let posterior = self.posterior_of(&v);
        // K⁻¹k, and the slopes of the kernel: dk_i/dv = -slope_i (v - v_i)/ℓ².
        solve_upper(&gp.panels, self.len, &mut v);
        if !gp.kernel.slope_is_covariance() {
            for p in 0..panel_count(self.len) {
                let mut values = exponent_lanes(&gp.metric, gp.inputs.panel(p), at);
                gp.kernel.slopes(gp.hyper.signal_variance, &mut values);
                store_lanes(&mut slopes, p, values);
            }
        }
        let std_dev = posterior.std_dev();
        let per_deviation = if std_dev > T::ZERO {
            T::ONE / std_dev
        } else {
            T::ZERO
        };
        // Σ slope_i α_i (v - v_i) for the mean, Σ slope_i (K⁻¹k)_i (v - v_i) for the variance.
        let (mut of_mean, mut of_variance) = (Point::ORIGIN, Point::ORIGIN);
        for p in 0..panel_count(self.len) {
            let slopes = lanes(&slopes, p);
            let (mut by_weight, mut by_v) = (lanes(&self.weights, p), lanes(&v, p));
            for ((weight, v), slope) in by_weight.iter_mut().zip(&mut by_v).zip(slopes) {
                *weight *= slope;
                *v *= slope;
            }
            let rows = gp.inputs.panel(p);
            add_differences(&mut of_mean.design, rows.design, &at.design, by_weight);
            add_differences(&mut of_mean.context, rows.context, &at.context, by_weight);
            add_differences(&mut of_variance.design, rows.design, &at.design, by_v);
            add_differences(&mut of_variance.context, rows.context, &at.context, by_v);
        }
        // -1/ℓ² = 2·weight; d std = d variance/(2 std), d variance = -2 (dk)ᵀ K⁻¹k.
        for ((mean, variance), weight) in of_mean
            .iter_mut()
            .zip(of_variance.iter_mut())
            .zip(gp.metric.0.iter())
        {
            if weight == T::ZERO {
                // Left out: 0 whatever the sums are, and not -0.
                (*mean, *variance) = (T::ZERO, T::ZERO);
                continue;
            }
            let scale = weight + weight;
            *mean *= scale;
            *variance = -*variance * scale * per_deviation;
        }
        Ok(PosteriorGradient {
            posterior,
            mean: of_mean,
            std_dev: of_variance,
        })
    }

    /// Posterior covariance of the function between two points.
    pub fn covariance(&self, a: &Point<D, C, T>, b: &Point<D, C, T>) -> Result<T, Error> {
        check_point(a)?;
        check_point(b)?;
        let (mut v, mut w) = ([T::ZERO; N], [T::ZERO; N]);
        self.whiten(a, &mut v);
        self.whiten(b, &mut w);
        let prior = self.prior_covariance(a, b);
        Ok(v.iter()
            .zip(&w)
            .take(self.len)
            .fold(prior, |rest, (&v, &w)| rest - v * w))
    }

    /// k(a, b).
    pub(crate) fn prior_covariance(&self, a: &Point<D, C, T>, b: &Point<D, C, T>) -> T {
        let mut value = [exponent(&self.gp.metric, a, b)];
        self.gp
            .kernel
            .covariances(self.gp.hyper.signal_variance, &mut value);
        let [value] = value;
        value
    }

    /// v = L⁻¹k(X, at), 0 behind the observations that count.
    #[inline(always)]
    pub(crate) fn whiten(&self, at: &Point<D, C, T>, v: &mut [T; N]) {
        self.gp.covariances_with(at, self.len, v);
        self.solve(v);
    }

    /// v := L⁻¹v, 0 behind the observations that count.
    #[inline(always)]
    fn solve(&self, v: &mut [T; N]) {
        solve_lower(&self.gp.panels, self.len, v);
        for value in v.iter_mut().skip(self.len) {
            *value = T::ZERO;
        }
    }

    #[inline(always)]
    pub(crate) fn posterior_of(&self, v: &[T; N]) -> Posterior<T> {
        let gp = self.gp;
        let (mut mean, mut variance) = (T::ZERO, gp.hyper.signal_variance);
        for (&v, &whitened) in v.iter().zip(&gp.whitened).take(self.len) {
            mean += v * whitened;
            variance -= v * v;
        }
        let variance = variance.max(T::ZERO);
        Posterior {
            mean,
            variance,
            noise: gp.hyper.noise_variance,
            std_dev: variance.sqrt(),
        }
    }
}

/// sums_d += Σ factor_i (v_d - v_id) over the four rows.
#[inline(always)]
fn add_differences<T: Scalar>(sums: &mut [T], rows: &[Lanes<T>], at: &[T], factors: Lanes<T>) {
    for ((sum, row), &value) in sums.iter_mut().zip(rows).zip(at) {
        for (&input, factor) in row.iter().zip(factors) {
            *sum += (value - input) * factor;
        }
    }
}
