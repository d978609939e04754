//! The Gaussian process of egobox, with its own defaults: constant mean, no noise, theta tuned from several starts.

use egobox_gp::correlation_models::SquaredExponentialCorr;
use egobox_gp::mean_models::ConstantMean;
use egobox_gp::{GaussianProcess, GpParams};
use linfa::Dataset;
use linfa::traits::Fit;
use ndarray::{Array1, Array2};

use crate::problem::{INPUTS, Problem};

pub type Process = GaussianProcess<f64, ConstantMean, SquaredExponentialCorr>;

/// Its nugget, as a part of the signal variance: 100 times the machine's epsilon.
pub const NOISE_RATIO: f64 = 100.0 * f64::EPSILON;

pub fn fit(problem: &Problem<f64>) -> Process {
    let inputs = Array2::from_shape_fn((problem.inputs.len(), INPUTS), |(i, j)| {
        problem.inputs[i][j]
    });
    let outputs = Array1::from(problem.outputs.clone());
    GpParams::new(ConstantMean::default(), SquaredExponentialCorr::default())
        .fit(&Dataset::new(inputs, outputs))
        .expect("the fit succeeds")
}

/// Its length scales in units of the cube: it divides each input by its standard deviation first.
pub fn length_scales(process: &Process, problem: &Problem<f64>) -> [f64; INPUTS] {
    let count = problem.inputs.len() as f64;
    std::array::from_fn(|j| {
        let column = || problem.inputs.iter().map(|row| row[j]);
        let mean = column().sum::<f64>() / count;
        let variance = column().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
        variance.sqrt() / process.theta()[j]
    })
}

/// The probe in the form that it takes.
pub fn probe(problem: &Problem<f64>) -> Array2<f64> {
    Array2::from_shape_fn((1, INPUTS), |(_, j)| problem.probe[j])
}
