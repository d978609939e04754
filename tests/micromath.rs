//! The approximate kernel: near the exact one where the noise covers its error, and never worse than an error elsewhere.
#![cfg(feature = "micromath")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::gp::{Gp, Hyper, Kernel};
use sadcbo::{Error, Point, Scalar};
use support::fingerprint::fingerprint;

fn row<T: Scalar>(index: usize) -> (Point<1, 1, T>, T) {
    let x = (index * 7 % 16) as f64 / 15.0;
    let z = (index * 5 % 11) as f64 / 10.0;
    let y = (5.0 * x).sin() + z;
    (
        Point::new([T::from_f64(x)], [T::from_f64(z)]),
        T::from_f64(y),
    )
}

#[test]
fn near_the_exact_kernel_when_there_is_noise() {
    fn check<T: Scalar>() {
        let mut exact = Gp::<16, 1, 1, T>::new();
        let mut near = Gp::<16, 1, 1, T>::new().with_kernel(Kernel::ApproximateSquaredExponential);
        let noisy = Hyper {
            noise_variance: T::from_f64(0.1),
            ..Hyper::START
        };
        exact.set_hyper(noisy).unwrap();
        near.set_hyper(noisy).unwrap();
        for index in 0..16 {
            let (at, y) = row(index);
            exact.push(&at, y).unwrap();
            near.push(&at, y).unwrap();
        }
        assert_eq!(near.jitter(), T::ZERO);
        for index in 0..16 {
            let mut at = row::<T>(index).0;
            at.design[0] += T::from_f64(0.03);
            let (a, b) = (exact.posterior(&at).unwrap(), near.posterior(&at).unwrap());
            // The kernel's error of 2.4e-3 over a noise of 0.1.
            assert!((a.mean - b.mean).abs() < T::from_f64(0.024), "{a:?} {b:?}");
            assert!(
                (a.std_dev() - b.std_dev()).abs() < T::from_f64(0.024),
                "{a:?} {b:?}"
            );
            assert_ne!(a, b);
        }
    }
    check::<f32>();
    check::<f64>();
}

/// Without noise its matrix need not be positive definite: a push is then refused and forgotten.
#[test]
fn a_refused_observation_leaves_no_trace() {
    let mut gp = Gp::<16, 1, 1, f64>::new().with_kernel(Kernel::ApproximateSquaredExponential);
    let hyper = Hyper {
        design_length_scales: [0.8],
        context_length_scales: [0.8],
        noise_variance: 0.0,
        ..Hyper::START
    };
    gp.set_hyper(hyper).unwrap();
    let mut refused = 0;
    for index in 0..16 {
        let before = fingerprint(&gp);
        let (at, y) = row(index);
        if let Err(error) = gp.push(&at, y) {
            assert_eq!(error, Error::NotPositiveDefinite);
            assert_eq!(fingerprint(&gp), before);
            refused += 1;
        }
    }
    // Double precision has no jitter as large as the kernel's error.
    assert!(refused > 0 && gp.len() == 16 - refused);
}
