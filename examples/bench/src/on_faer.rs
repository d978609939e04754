//! The same likelihood and posterior as one writes them with faer's matrices.

use faer::linalg::solvers::{DenseSolveCore, Llt, Solve};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Col, Mat, Par, Side};
use nalgebra::ComplexField;

use crate::number::{Number, number};
use crate::on_nalgebra::{covariance, slopes};
use crate::problem::{INPUTS, NOISE, Problem};

pub struct Process<T: Number> {
    factor: Llt<T>,
    weights: Col<T>,
}

/// Only the lower half, which is what the factorisation reads.
pub fn kernel_matrix<T: Number>(problem: &Problem<T>) -> Mat<T> {
    let count = problem.inputs.len();
    let mut matrix = Mat::zeros(count, count);
    for j in 0..count {
        matrix[(j, j)] = number(1.0 + NOISE);
        for i in j + 1..count {
            matrix[(i, j)] = covariance(&problem.inputs[i], &problem.inputs[j]);
        }
    }
    matrix
}

pub fn process<T: Number>(problem: &Problem<T>) -> Process<T> {
    let factor = kernel_matrix(problem)
        .llt(Side::Lower)
        .expect("the matrix is positive definite");
    let weights = factor.solve(Col::from_fn(problem.outputs.len(), |i| problem.outputs[i]));
    Process { factor, weights }
}

pub fn likelihood<T: Number>(problem: &Problem<T>) -> (T, [T; INPUTS]) {
    let Process { factor, weights } = process(problem);
    let half = <T as sadcbo::Scalar>::HALF;
    let mut value = <T as sadcbo::Scalar>::ZERO;
    for (i, &output) in problem.outputs.iter().enumerate() {
        value -= half * output * weights[i] + ComplexField::ln(factor.L()[(i, i)]);
    }
    value -= number::<T>(problem.outputs.len() as f64 * 0.5 * std::f64::consts::TAU.ln());
    let inverse = factor.inverse();
    let slopes = slopes(problem, |i, j| weights[i] * weights[j] - inverse[(i, j)]);
    (value, slopes)
}

/// Mean and variance at the probe.
pub fn posterior<T: Number>(process: &Process<T>, problem: &Problem<T>) -> (T, T) {
    let mut vector = Mat::from_fn(problem.inputs.len(), 1, |i, _| {
        covariance(&problem.inputs[i], &problem.probe)
    });
    let zero = <T as sadcbo::Scalar>::ZERO;
    let dot = |a: &Mat<T>, b: &dyn Fn(usize) -> T| {
        (0..a.nrows()).fold(zero, |sum, i| sum + a[(i, 0)] * b(i))
    };
    let mean = dot(&vector, &|i| process.weights[i]);
    solve_lower_triangular_in_place(process.factor.L(), vector.as_mut(), Par::Seq);
    let explained = dot(&vector, &|i| vector[(i, 0)]);
    (mean, <T as sadcbo::Scalar>::ONE - explained)
}
