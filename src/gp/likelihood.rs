//! Log marginal likelihood and its gradient with respect to the logarithms of the hyperparameters.
//!
//! lml = -½ yᵀK⁻¹y - ½ ln|K| - ½ n ln 2π,
//! d lml/dθ = ½ tr((ααᵀ - K⁻¹) dK/dθ), α = K⁻¹y.

use super::Gp;
use super::cholesky::{panel_count, reciprocals};
use super::inverse::{invert, moved_tile, negative_inverse_tile};
use super::panels::{LANES, Lanes, Tile, lanes};
use crate::math::sum::Sum;
use crate::{Error, Point, Scalar};

/// ln(2π)/2.
const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_8;

/// Log marginal likelihood and its gradient.
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
pub struct Likelihood<const D: usize, const C: usize, T = f32> {
    /// ln p(y | X, hyperparameters).
    pub value: T,
    /// Derivatives with respect to ln ℓ; 0 for variables that are left out.
    pub length_scales: Point<D, C, T>,
    /// Derivative with respect to ln s2.
    pub signal_variance: T,
    /// Derivative with respect to ln σ².
    pub noise_variance: T,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Gp<N, D, C, T> {
    /// Log marginal likelihood of the outputs as the surrogate sees them, from the factor that is there.
    pub fn log_marginal_likelihood(&self) -> Result<T, Error> {
        self.ready()?;
        let mut squares = Sum::new();
        let mut logarithms = Sum::new();
        for (&b, reciprocal) in self
            .whitened
            .iter()
            .zip(reciprocals(&self.panels, self.len))
        {
            squares.add(b * b);
            logarithms.add(reciprocal.ln());
        }
        let constant = T::from_count(self.len) * T::from_f64(HALF_LN_TWO_PI);
        let value = logarithms.value() - T::HALF * squares.value() - constant;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(Error::Overflow)
        }
    }

    /// Log marginal likelihood and its gradient.
    pub fn likelihood(&mut self) -> Result<Likelihood<D, C, T>, Error> {
        self.ready()?;
        // Observations that were appended are in the factor, not in the kernel matrix.
        self.factorise()?;
        let likelihood = self.likelihood_consuming_factor();
        self.factorise()?;
        likelihood.and_then(|likelihood| {
            let mut slopes = likelihood
                .length_scales
                .iter()
                .chain([likelihood.signal_variance, likelihood.noise_variance]);
            if slopes.all(T::is_finite) {
                Ok(likelihood)
            } else {
                Err(Error::Overflow)
            }
        })
    }

    /// The same right after [`factorise`](Self::factorise), but leaves the inverse where the factor was: for the fit,
    /// which changes the hyperparameters anyway.
    pub(crate) fn likelihood_consuming_factor(&mut self) -> Result<Likelihood<D, C, T>, Error> {
        let value = self.log_marginal_likelihood()?;
        self.factored = false;
        invert(&mut self.panels, self.len);
        let panels = panel_count(self.len);
        // Σ (αα' - K⁻¹)_ij slope_ij (v_i - v'_j)² per variable, each pair once.
        let mut distances = Point::<D, C, T>::ORIGIN;
        let (mut signal, mut noise) = (T::ZERO, T::ZERO);
        for q in 0..panels {
            let a = lanes(&self.weights, q);
            for p in q..panels {
                let b = lanes(&self.weights, p);
                let mut g = negative_inverse_tile(&self.panels, panels, q, p);
                for (g, b) in g.iter_mut().zip(b) {
                    for (g, a) in g.iter_mut().zip(a) {
                        *g += a * b;
                    }
                }
                if p == q {
                    for row in (LANES * q..self.len).take(LANES) {
                        noise += g
                            .get(row % LANES)
                            .and_then(|g| g.get(row % LANES))
                            .copied()
                            .unwrap_or(T::ZERO);
                    }
                    // The tile on the diagonal has each of its pairs twice.
                    g = g.map(|g| g.map(|g| g * T::HALF));
                }
                let (covariance, slope) = self.covariance_and_slope(q, p);
                let mut part = T::ZERO;
                for (g, (covariance, slope)) in g.iter_mut().zip(covariance.iter().zip(&slope)) {
                    for (g, (&covariance, &slope)) in g.iter_mut().zip(covariance.iter().zip(slope))
                    {
                        part += *g * covariance;
                        *g *= slope;
                    }
                }
                signal += part;
                self.add_distances(&mut distances, &g, q, p);
            }
        }
        for (distance, weight) in distances.iter_mut().zip(self.metric.0.iter()) {
            // weight = -1/(2ℓ²)
            *distance = *distance * weight * T::from_f64(-2.0);
        }
        Ok(Likelihood {
            value,
            length_scales: distances,
            signal_variance: signal,
            noise_variance: noise * self.hyper.noise_variance * T::HALF,
        })
    }

    /// Covariances between panels `q` (lanes) and `p` (columns), and their slopes; 0 for rows beyond the data.
    #[inline(always)]
    fn covariance_and_slope(&self, q: usize, p: usize) -> (Tile<T>, Tile<T>) {
        let covariance = if p == q {
            self.covariance_tile(q, p)
        } else {
            moved_tile(&self.panels, q, p)
        };
        if self.kernel.slope_is_covariance() {
            return (covariance, covariance);
        }
        let mut slope = self.exponent_tile(q, p);
        self.kernel
            .slopes(self.hyper.signal_variance, slope.as_flattened_mut());
        self.clear_padding(&mut slope, q, p);
        (covariance, slope)
    }

    /// distances_d += Σ g_ij (v_id - v_jd)² over one tile.
    #[inline(always)]
    fn add_distances(&self, distances: &mut Point<D, C, T>, g: &Tile<T>, q: usize, p: usize) {
        let (a, b) = (self.inputs.panel(q), self.inputs.panel(p));
        let weights = &self.metric.0;
        let add = |distances: &mut [T], weights: &[T], a: &[Lanes<T>], b: &[Lanes<T>]| {
            for (((distance, &weight), a), b) in distances.iter_mut().zip(weights).zip(a).zip(b) {
                if weight == T::ZERO {
                    continue;
                }
                let mut sum = T::ZERO;
                for (g, &b) in g.iter().zip(b) {
                    for (&g, &a) in g.iter().zip(a) {
                        let difference = a - b;
                        sum += difference * difference * g;
                    }
                }
                *distance += sum;
            }
        };
        add(&mut distances.design, &weights.design, a.design, b.design);
        add(
            &mut distances.context,
            &weights.context,
            a.context,
            b.context,
        );
    }
}
