//! The same likelihood and posterior as one writes them with nalgebra's matrices.

use nalgebra::{Cholesky, ComplexField, DMatrix, DVector, Dyn, RowDVector};

use crate::number::{Number, number};
use crate::problem::{INPUTS, LENGTH_SCALE, NOISE, Problem};

pub struct Process<T: Number> {
    factor: Cholesky<T, Dyn>,
    weights: DVector<T>,
}

pub fn covariance<T: Number>(a: &[T; INPUTS], b: &[T; INPUTS]) -> T {
    let mut sum = <T as sadcbo::Scalar>::ZERO;
    for (&a, &b) in a.iter().zip(b) {
        sum += (a - b) * (a - b);
    }
    ComplexField::exp(sum * number::<T>(-0.5 / (LENGTH_SCALE * LENGTH_SCALE)))
}

pub fn kernel_matrix<T: Number>(problem: &Problem<T>) -> DMatrix<T> {
    let count = problem.inputs.len();
    let mut matrix = DMatrix::zeros(count, count);
    for i in 0..count {
        for j in 0..i {
            let value = covariance(&problem.inputs[i], &problem.inputs[j]);
            matrix[(i, j)] = value;
            matrix[(j, i)] = value;
        }
        matrix[(i, i)] = number(1.0 + NOISE);
    }
    matrix
}

pub fn process<T: Number>(problem: &Problem<T>) -> Process<T> {
    let factor = Cholesky::new(kernel_matrix(problem)).expect("the matrix is positive definite");
    let weights = factor.solve(&DVector::from_column_slice(&problem.outputs));
    Process { factor, weights }
}

pub fn likelihood<T: Number>(problem: &Problem<T>) -> (T, [T; INPUTS]) {
    let Process { factor, weights } = process(problem);
    let outputs = RowDVector::from_row_slice(&problem.outputs);
    let half = <T as sadcbo::Scalar>::HALF;
    let mut value = -half * (outputs * &weights)[0];
    for &diagonal in factor.l_dirty().diagonal().iter() {
        value -= ComplexField::ln(diagonal);
    }
    value -= number::<T>(problem.outputs.len() as f64 * 0.5 * std::f64::consts::TAU.ln());
    let inverse = factor.inverse();
    let slopes = slopes(problem, |i, j| weights[i] * weights[j] - inverse[(i, j)]);
    (value, slopes)
}

/// ½ tr(G dK/d ln ℓ) for each length scale, with G = αα' - K⁻¹.
pub fn slopes<T: Number>(problem: &Problem<T>, g: impl Fn(usize, usize) -> T) -> [T; INPUTS] {
    let mut slopes = [<T as sadcbo::Scalar>::ZERO; INPUTS];
    let scale = number::<T>(1.0 / (LENGTH_SCALE * LENGTH_SCALE));
    for (i, a) in problem.inputs.iter().enumerate() {
        for (j, b) in problem.inputs.iter().enumerate().take(i) {
            let weight = g(i, j) * covariance(a, b) * scale;
            for (slope, (&a, &b)) in slopes.iter_mut().zip(a.iter().zip(b)) {
                *slope += weight * (a - b) * (a - b);
            }
        }
    }
    slopes
}

/// Mean and variance at the probe.
pub fn posterior<T: Number>(process: &Process<T>, problem: &Problem<T>) -> (T, T) {
    let row = problem
        .inputs
        .iter()
        .map(|row| covariance(row, &problem.probe));
    let mut vector = DVector::from_iterator(problem.inputs.len(), row);
    let mean = vector.dot(&process.weights);
    process
        .factor
        .l_dirty()
        .solve_lower_triangular_mut(&mut vector);
    (mean, <T as sadcbo::Scalar>::ONE - vector.dot(&vector))
}
