//! How much the results of a problem change when the entries of its kernel matrix do.
//!
//! A program of precision ε knows each covariance to about u = ε s2, whatever else it does right; jitter adds to that.
//! To first order, with w = K⁻¹k and α = K⁻¹y, and for errors of independent signs, that moves
//!
//! | result | by about |
//! |---|---|
//! | mean | u (1 + ‖w‖) ‖α‖ |
//! | covariance of two points | u (1 + ‖w‖) (1 + ‖w'‖) |
//! | log marginal likelihood and its derivatives | u (‖α‖² + tr K⁻¹) |
//! | derivative of the mean by v_j | u (‖K⁻¹ dk/dv_j‖ + 1/ℓ_j) ‖α‖ |
//! | derivative of the variance by v_j | 2 u (‖K⁻¹ dk/dv_j‖ + 1/ℓ_j) (1 + ‖w‖) |
//!
//! The tolerances of `tests/golden.rs` are small multiples of these, the same in both precisions. Where u is as large as
//! the smallest eigenvalue, the second order counts: all of it is multiplied by 1 + u ‖K⁻¹‖.

use super::surrogate::Problem;
use nalgebra::{DMatrix, DVector};
use sadcbo::Scalar;
use sadcbo::gp::Kernel;

pub struct Sensitivity<'a> {
    problem: &'a Problem,
    rows: usize,
    inverse: DMatrix<f64>,
    /// ‖α‖.
    pub weights: f64,
    /// ‖α‖² + tr K⁻¹.
    pub likelihood: f64,
}

/// The same at one point.
pub struct AtPoint {
    /// 1 + ‖w‖.
    pub weights: f64,
    /// ‖K⁻¹ dk/dv_j‖ + 1/ℓ_j.
    pub slopes: Vec<f64>,
}

impl<'a> Sensitivity<'a> {
    /// Of the first `rows` observations, with outputs `y` as the surrogate sees them.
    pub fn new(problem: &'a Problem, y: &[f64], rows: usize) -> Self {
        let x = &problem.x[..rows];
        let mut matrix = DMatrix::from_fn(rows, rows, |i, j| problem.covariance(&x[i], &x[j]));
        for i in 0..rows {
            matrix[(i, i)] += problem.noise_variance;
        }
        let inverse = matrix.cholesky().unwrap().inverse();
        let weights = (&inverse * DVector::from_column_slice(&y[..rows])).norm();
        Self {
            problem,
            rows,
            weights,
            likelihood: weights * weights + inverse.trace(),
            inverse,
        }
    }

    /// u, for a program of precision `T` that added `jitter`.
    pub fn unit<T: Scalar>(&self, jitter: T) -> f64 {
        let first = T::EPSILON.to_f64() * self.problem.signal_variance + jitter.to_f64();
        first * (1.0 + first * self.inverse.norm())
    }

    pub fn at(&self, v: &[f64]) -> AtPoint {
        let problem = self.problem;
        let rows = &problem.x[..self.rows];
        let norm_of_solution = |of_row: &dyn Fn(&Vec<f64>) -> f64| {
            let values = DVector::from_iterator(self.rows, rows.iter().map(of_row));
            (&self.inverse * values).norm()
        };
        AtPoint {
            weights: 1.0 + norm_of_solution(&|x| problem.covariance(x, v)),
            slopes: (0..problem.dimension())
                .map(|j| {
                    let scale = problem.length_scales[j];
                    let derivative =
                        |x: &Vec<f64>| problem.slope(x, v) * (x[j] - v[j]) / (scale * scale);
                    norm_of_solution(&derivative) + 1.0 / scale
                })
                .collect(),
        }
    }
}

impl Problem {
    /// q = Σ (v_j - v'_j)²/ℓ_j².
    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let terms = a.iter().zip(b).zip(&self.length_scales);
        terms.map(|((a, b), scale)| ((a - b) / scale).powi(2)).sum()
    }

    pub fn covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        let q = self.distance(a, b);
        self.signal_variance
            * match self.kernel {
                Kernel::Matern52 => {
                    let a = (5.0 * q).sqrt();
                    (1.0 + a + a * a / 3.0) * (-a).exp()
                }
                _ => (-q / 2.0).exp(),
            }
    }

    /// -2 dk/dq.
    fn slope(&self, a: &[f64], b: &[f64]) -> f64 {
        match self.kernel {
            Kernel::Matern52 => {
                let a = (5.0 * self.distance(a, b)).sqrt();
                self.signal_variance * 5.0 / 3.0 * (1.0 + a) * (-a).exp()
            }
            _ => self.covariance(a, b),
        }
    }
}
