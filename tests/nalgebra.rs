//! nalgebra at the boundary, and as the oracle: its Cholesky on the same problem.
#![cfg(feature = "nalgebra")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use nalgebra::{Cholesky, Matrix3x2, SMatrix, SVector, Vector2, Vector3};
use sadcbo::gp::{Gp, Hyper, Outputs};
use sadcbo::{Error, Input, Point};
use support::fingerprint::fingerprint;

const N: usize = 19;
const NOISE: f64 = 1e-3;

type Model = Gp<N, 2, 1, f64>;

/// A full surrogate, and its kernel matrix with noise and outputs as nalgebra has them.
fn problem() -> (Model, SMatrix<f64, N, N>, SVector<f64, N>) {
    let mut gp = Model::new().with_outputs(Outputs::Raw);
    gp.set_hyper(Hyper {
        design_length_scales: [0.4, 0.8],
        context_length_scales: [0.6],
        signal_variance: 1.7,
        noise_variance: NOISE,
    })
    .unwrap();
    let at = |i: usize| {
        let share = |step: usize| (i * step % N) as f64 / N as f64;
        Point::new([share(5), share(7)], [share(3)])
    };
    let outputs = SVector::from_fn(|i, _| (i as f64).cos());
    for i in 0..N {
        gp.push(&at(i), outputs[i]).unwrap();
    }
    let mut matrix = SMatrix::from_fn(|i, j| kernel(&at(i), &at(j)));
    matrix += SMatrix::identity() * NOISE;
    (gp, matrix, outputs)
}

fn kernel(a: &Point<2, 1, f64>, b: &Point<2, 1, f64>) -> f64 {
    let ((a, c), (b, d)): ((SVector<f64, 2>, SVector<f64, 1>), _) = ((*a).into(), (*b).into());
    let design = (a - b).component_div(&Vector2::new(0.4, 0.8));
    let context = (c - d) / 0.6;
    1.7 * (-0.5 * (design.norm_squared() + context.norm_squared())).exp()
}

/// The condition number is at most 19 · 1.7/1e-3 = 3.3e4, which times epsilon is 7e-12.
#[test]
fn factor_posterior_and_likelihood_agree_with_its_cholesky() {
    let (mut gp, matrix, outputs) = problem();
    let cholesky = Cholesky::new(matrix).unwrap();
    let factor = gp.factor().unwrap();
    assert!((factor - cholesky.l()).amax() < 1e-11);
    assert!((factor * factor.transpose() - matrix).amax() < 1e-14);
    let diagonal = SMatrix::from_diagonal(&factor.diagonal());
    assert_eq!(factor.upper_triangle(), diagonal);

    let weights = cholesky.solve(&outputs);
    for at in [Point::new([0.3, 0.3], [0.3]), Point::new([0.9, 0.1], [0.5])] {
        let k = SVector::<f64, N>::from_fn(|i, _| kernel(&gp.point(i).unwrap(), &at));
        let got = gp.posterior(&at).unwrap();
        assert!((got.mean - k.dot(&weights)).abs() < 1e-11, "{got:?}");
        let variance = 1.7 - k.dot(&cholesky.solve(&k));
        assert!(
            (got.variance - variance).abs() < 1e-11,
            "{got:?} {variance}"
        );
    }
    let half_log_determinant = cholesky.l().diagonal().map(f64::ln).sum();
    let constant = 0.5 * N as f64 * core::f64::consts::TAU.ln();
    let expected = -0.5 * outputs.dot(&weights) - half_log_determinant - constant;
    let likelihood = gp.likelihood().unwrap();
    assert!((likelihood.value / expected - 1.0).abs() < 1e-11);
    // d/d ln σ² = σ²/2 tr(αα' - K⁻¹).
    let trace = weights.norm_squared() - cholesky.inverse().trace();
    assert!((likelihood.noise_variance / (0.5 * NOISE * trace) - 1.0).abs() < 1e-9);
}

#[test]
fn joint_posterior() {
    let (gp, ..) = problem();
    let at = [
        Point::new([0.2, 0.4], [0.6]),
        Point::new([0.25, 0.4], [0.6]),
        Point::new([0.9, 0.9], [0.1]),
    ];
    let (mean, covariance) = gp.joint(&at).unwrap();
    for (i, a) in at.iter().enumerate() {
        assert_eq!(mean[i], gp.posterior(a).unwrap().mean);
        for (j, b) in at.iter().enumerate() {
            assert_eq!(covariance[(i, j)], gp.covariance(a, b).unwrap());
            assert_eq!(covariance[(i, j)], covariance[(j, i)]);
        }
    }
    assert!(Cholesky::new(covariance).is_some());
    let bad = Point::new([f64::NAN, 0.0], [0.0]);
    assert_eq!(
        gp.joint(&[at[0], bad]),
        Err(Error::NonFinite(Input::Design(0)))
    );
}

#[test]
fn rows_of_a_table_all_or_none() {
    let mut gp = Gp::<4, 2, 1>::new();
    gp.push(&Point::ORIGIN, 0.5).unwrap();
    let before = fingerprint(&gp);
    let design = Matrix3x2::new(0.1, 0.9, 0.5, 0.2, 0.8, 0.4);
    let context = Vector3::new(0.0, 0.5, 1.0);
    let bad = gp.push_rows(&design, &context, &Vector3::new(1.0, f32::INFINITY, 2.0));
    assert_eq!(bad, Err(Error::NonFinite(Input::Output)));
    assert_eq!(fingerprint(&gp), before);
    gp.push_rows(&design, &context, &Vector3::new(1.0, 3.0, 2.0))
        .unwrap();
    assert_eq!(gp.outputs(), [0.5, 1.0, 3.0, 2.0]);
    assert_eq!(gp.point(2), Some(Point::new([0.5, 0.2], [0.5])));
    let full = fingerprint(&gp);
    assert_eq!(
        gp.push_rows(&design, &context, &Vector3::new(1.0, 3.0, 2.0)),
        Err(Error::Full)
    );
    assert_eq!(fingerprint(&gp), full);
}
