//! The ends of every range: smallest and largest capacities, no variables, repeated points, extreme outputs, and
//! hyperparameters at their bounds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::gp::{Gp, Hyper, Kernel, Outputs};
use sadcbo::{Error, Input, Point, Scalar, VarSet};
use support::fingerprint::{fingerprint, results};

/// A wave over the unit interval, the variables taking turns.
fn wave<const D: usize, const C: usize, T: Scalar>(row: usize) -> (Point<D, C, T>, T) {
    let mut point = Point::ORIGIN;
    for (index, value) in point.iter_mut().enumerate() {
        *value = T::from_f64((row * (2 * index + 3) % 17) as f64 / 16.0);
    }
    (point, T::from_f64((row as f64 * 0.7).sin()))
}

fn finite<const N: usize, const D: usize, const C: usize, T: Scalar>(gp: &Gp<N, D, C, T>) -> bool {
    results(gp).into_iter().all(T::is_finite)
}

/// Fills a surrogate to its capacity; it has to agree with one of ample capacity, to the bit.
fn fill<const N: usize, T: Scalar>() {
    let mut gp = Gp::<N, 1, 1, T>::new();
    let mut ample = Gp::<16, 1, 1, T>::new();
    for row in 0..N {
        assert_eq!((gp.len(), gp.capacity()), (row, N));
        let (at, y) = wave(row);
        gp.push(&at, y).unwrap();
        ample.push(&at, y).unwrap();
        assert_eq!(fingerprint(&gp), fingerprint(&ample), "{row} of {N}");
    }
    let (at, y) = wave(N);
    assert_eq!(gp.push(&at, y), Err(Error::Full));
    let hyper = Hyper {
        signal_variance: T::from_f64(2.0),
        ..*gp.hyper()
    };
    gp.set_hyper(hyper).unwrap();
    ample.set_hyper(hyper).unwrap();
    assert_eq!(fingerprint(&gp), fingerprint(&ample), "whole {N}");
    gp.remove(0).unwrap();
    ample.remove(0).unwrap();
    assert_eq!(
        fingerprint(&gp),
        fingerprint(&ample),
        "{N} without the first"
    );
}

#[test]
fn every_small_capacity() {
    fn check<T: Scalar>() {
        fill::<1, T>();
        fill::<2, T>();
        fill::<3, T>();
        fill::<4, T>();
        fill::<5, T>();
        fill::<6, T>();
        fill::<7, T>();
        fill::<8, T>();
        fill::<9, T>();
        fill::<13, T>();
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn no_variable_of_one_kind_or_of_both() {
    fn check<const D: usize, const C: usize, T: Scalar>() {
        let mut gp = Gp::<7, D, C, T>::new();
        for row in 0..7 {
            let (at, y) = wave(row);
            gp.push(&at, y).unwrap();
            assert!(finite(&gp), "{D} {C} {row}");
        }
        gp.fit(&Default::default()).unwrap();
        assert!(finite(&gp), "{D} {C}");
    }
    check::<0, 1, f32>();
    check::<1, 0, f32>();
    check::<0, 0, f32>();
    check::<0, 1, f64>();
    check::<1, 0, f64>();
    check::<0, 0, f64>();
    check::<32, 0, f32>();
    check::<0, 32, f32>();
}

/// Without variables all points are the same one: the mean of the outputs, drawn towards the prior mean 0.
#[test]
fn without_variables_the_posterior_is_an_average() {
    let mut gp = Gp::<4, 0, 0, f64>::new().with_outputs(Outputs::Raw);
    for y in [1.0, 2.0, 3.0] {
        gp.push(&Point::ORIGIN, y).unwrap();
    }
    let at = gp.posterior(&Point::ORIGIN).unwrap();
    // s2 = 1, σ² = 0.01: mean = Σy/(n + σ²), variance = σ²/(n + σ²).
    assert!((at.mean - 6.0 / 3.01).abs() < 1e-13);
    assert!((at.variance - 0.01 / 3.01).abs() < 1e-14);
}

#[test]
fn one_observation() {
    fn check<T: Scalar>(outputs: Outputs, expected: f64) {
        let mut gp = Gp::<4, 1, 1, T>::new().with_outputs(outputs);
        assert_eq!(gp.posterior(&Point::ORIGIN), Err(Error::Empty));
        assert_eq!(gp.likelihood(), Err(Error::Empty));
        assert_eq!(gp.remove(0), Err(Error::Empty));
        gp.push(&Point::ORIGIN, T::from_f64(3.0)).unwrap();
        let at = gp.posterior(&Point::ORIGIN).unwrap();
        assert!((at.mean.to_f64() - expected).abs() < 1e-6, "{at:?}");
        assert!((at.variance.to_f64() - 0.01 / 1.01).abs() < 1e-6, "{at:?}");
        assert_eq!(gp.first(0).map(drop), Err(Error::Empty));
        assert_eq!(gp.first(9).unwrap().len(), 1);
        gp.remove(0).unwrap();
        assert_eq!(gp.posterior(&Point::ORIGIN), Err(Error::Empty));
    }
    // A single output is its own mean; its deviation counts as 1.
    check::<f32>(Outputs::Standardised, 3.0);
    check::<f64>(Outputs::Standardised, 3.0);
    check::<f32>(Outputs::Raw, 3.0 / 1.01);
    check::<f64>(Outputs::Raw, 3.0 / 1.01);
}

#[test]
fn a_thousand_times_the_same_point() {
    fn check<T: Scalar>(noise: f64) {
        let mut gp = Box::new(Gp::<128, 2, 2, T>::new());
        gp.set_hyper(Hyper {
            noise_variance: T::from_f64(noise),
            // No power of two: products round.
            signal_variance: T::from_f64(1.3),
            ..Hyper::START
        })
        .unwrap();
        let at = Point::new([T::HALF; 2], [T::HALF; 2]);
        let mut accepted = 0;
        for time in 0..1000 {
            match gp.push(&at, T::from_f64((time % 7) as f64)) {
                Ok(()) => accepted += 1,
                Err(error) => assert_eq!((error, accepted), (Error::Full, 128)),
            }
        }
        assert_eq!((accepted, gp.len()), (128, 128));
        let got = gp.posterior(&at).unwrap();
        let mean = gp.scale().mean();
        assert!(
            (got.mean - mean).abs() < T::from_f64(0.05),
            "{got:?} {mean}"
        );
        let deviation = gp.scale().deviation();
        assert!(got.std_dev() < T::from_f64(0.1) * deviation, "{got:?}");
        assert!(finite(&gp));
    }
    for noise in [0.0, 1e-9, 1e-4, 0.1] {
        check::<f32>(noise);
        check::<f64>(noise);
    }
}

/// Without noise the matrix of repeated points is singular: the jitter ladder has to step in.
#[test]
fn repeats_without_noise_get_jitter() {
    fn check<T: Scalar>() {
        let mut gp = Gp::<12, 1, 1, T>::new().with_outputs(Outputs::Raw);
        gp.set_hyper(Hyper {
            noise_variance: T::ZERO,
            ..Hyper::START
        })
        .unwrap();
        for row in 0..4 {
            let (at, y) = wave(row);
            gp.push(&at, y).unwrap();
        }
        assert_eq!(gp.jitter(), T::ZERO);
        for row in 0..8 {
            let (at, y) = wave(row % 4);
            gp.push(&at, y).unwrap();
        }
        assert!(gp.jitter() > T::ZERO && gp.jitter() <= T::EPSILON * T::from_f64(64.0));
        for row in 0..4 {
            let (at, y) = wave(row);
            let got = gp.posterior(&at).unwrap();
            assert!((got.mean - y).abs() < T::from_f64(2e-3), "{got:?} {y}");
        }
        assert!(finite(&gp));
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn constant_outputs() {
    fn check<T: Scalar>(value: f64) {
        let value = T::from_f64(value);
        let mut gp = Gp::<8, 1, 1, T>::new();
        for row in 0..8 {
            gp.push(&wave(row).0, value).unwrap();
        }
        assert_eq!((gp.scale().mean(), gp.scale().deviation()), (value, T::ONE));
        let got = gp.posterior(&wave(9).0).unwrap();
        assert_eq!(got.mean, value);
        gp.fit(&Default::default()).unwrap();
        assert_eq!(gp.posterior(&wave(9).0).unwrap().mean, value);
        assert!(finite(&gp));
    }
    for value in [0.0, -2.5, 1e30, -1e-30] {
        check::<f32>(value);
        check::<f64>(value);
    }
}

/// The same problem in picounits and in quettaunits: the same posterior but for the unit.
#[test]
fn outputs_of_any_scale() {
    fn check<T: Scalar>(scale: f64) {
        let (mut gp, mut unit) = (Gp::<12, 1, 1, T>::new(), Gp::<12, 1, 1, T>::new());
        for row in 0..12 {
            let (at, y) = wave(row);
            gp.push(&at, T::from_f64(y.to_f64() * scale)).unwrap();
            unit.push(&at, y).unwrap();
        }
        gp.fit(&Default::default()).unwrap();
        unit.fit(&Default::default()).unwrap();
        let (at, _) = wave(14);
        let (got, expected) = (gp.posterior(&at).unwrap(), unit.posterior(&at).unwrap());
        let near = |a: T, b: T| (a.to_f64() / scale - b.to_f64()).abs() < 2e-3 * b.to_f64().abs();
        assert!(near(got.mean, expected.mean), "{got:?} {expected:?}");
        assert!(
            near(got.std_dev(), expected.std_dev()),
            "{got:?} {expected:?}"
        );
        assert!(finite(&gp));
    }
    for scale in [1e-30, 1e-12, 1e12, 1e30] {
        check::<f32>(scale);
        check::<f64>(scale);
    }
}

#[test]
fn outputs_beyond_the_largest() {
    let mut gp = Gp::<4, 1, 1>::new();
    let out = Err(Error::OutOfRange(Input::Output));
    assert_eq!(gp.push(&Point::ORIGIN, 1.1e36), out);
    assert_eq!(gp.push(&Point::ORIGIN, -1e36), Ok(()));
    assert_eq!(gp.push(&Point::ORIGIN, 1e36), Ok(()));
    assert!(finite(&gp));
    let mut raw = Gp::<4, 1, 1>::new().with_outputs(Outputs::Raw);
    assert_eq!(raw.push(&Point::ORIGIN, 1.1e6), out);
    assert_eq!(raw.push(&Point::ORIGIN, -1e6), Ok(()));
    assert!(finite(&raw));
}

/// A change of the kernel or of the outputs' view is a fresh start, not a state that fits neither.
#[test]
fn settings_forget_the_observations() {
    let mut gp = Gp::<4, 1, 1>::new();
    gp.push(&Point::ORIGIN, 1e30).unwrap();
    let gp = gp.with_outputs(Outputs::Raw);
    assert!(gp.is_empty());
    let mut gp = gp.with_kernel(Kernel::Matern52);
    gp.push(&Point::ORIGIN, 1.0).unwrap();
    assert!(gp.with_kernel(Kernel::SquaredExponential).is_empty());
}

#[test]
fn hyperparameters_at_their_bounds() {
    fn check<T: Scalar>() {
        let [shortest, longest, least, most] = [1e-6, 1e6, 1e-12, 1e12].map(T::from_f64);
        for kernel in [Kernel::SquaredExponential, Kernel::Matern52] {
            // Five observations: the last panel of the factor has padding, which must not fail for any signal variance.
            let mut gp = Gp::<7, 1, 1, T>::new().with_kernel(kernel);
            for row in 0..5 {
                let (at, y) = wave(row);
                gp.push(&at, y).unwrap();
            }
            for scale in [shortest, longest] {
                for signal_variance in [least, most] {
                    for noise_variance in [T::ZERO, least, most] {
                        let hyper = Hyper {
                            design_length_scales: [scale],
                            context_length_scales: [scale],
                            signal_variance,
                            noise_variance,
                        };
                        gp.set_hyper(hyper).unwrap();
                        let got = gp.posterior_gradient(&wave(9).0).unwrap();
                        let posterior = got.posterior;
                        assert!(posterior.mean.is_finite(), "{hyper:?}");
                        assert!(posterior.std_dev() >= T::ZERO, "{hyper:?}");
                        assert!(got.mean.iter().chain(got.std_dev.iter()).all(T::is_finite));
                        // The likelihood may be too large for the type, and says so.
                        match gp.likelihood() {
                            Ok(likelihood) => assert!(likelihood.value.is_finite()),
                            Err(error) => assert_eq!(error, Error::Overflow, "{hyper:?}"),
                        }
                        assert_eq!(gp.posterior_gradient(&wave(9).0).unwrap(), got);
                    }
                }
            }
        }
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn hyperparameters_beyond_their_bounds() {
    let mut gp = Gp::<4, 1, 2>::new();
    gp.push(&Point::ORIGIN, 1.0).unwrap();
    let before = fingerprint(&gp);
    for (bad, finite) in [
        (0.0, true),
        (-1.0, true),
        (1e-13, true),
        (2e12, true),
        (f32::NAN, false),
        (f32::INFINITY, false),
    ] {
        let error = |input| {
            Err(if finite {
                Error::OutOfRange(input)
            } else {
                Error::NonFinite(input)
            })
        };
        let mut hyper = *gp.hyper();
        hyper.design_length_scales = [bad];
        assert_eq!(gp.set_hyper(hyper), error(Input::DesignLengthScale(0)));
        let mut hyper = *gp.hyper();
        hyper.context_length_scales[1] = bad;
        assert_eq!(gp.set_hyper(hyper), error(Input::ContextLengthScale(1)));
        let mut hyper = *gp.hyper();
        hyper.signal_variance = bad;
        assert_eq!(gp.set_hyper(hyper), error(Input::SignalVariance));
        if bad != 0.0 && bad != 1e-13 {
            let mut hyper = *gp.hyper();
            hyper.noise_variance = bad;
            assert_eq!(gp.set_hyper(hyper), error(Input::NoiseVariance));
        }
    }
    assert_eq!(fingerprint(&gp), before);
}

#[test]
fn coordinates_beyond_the_cube() {
    let mut gp = Gp::<4, 1, 1>::new();
    gp.push(&Point::new([-1e4], [1e4]), 1.0).unwrap();
    gp.push(&Point::new([1e4], [-1e4]), 2.0).unwrap();
    assert!(finite(&gp));
    let error = Err(Error::OutOfRange(Input::Context(0)));
    assert_eq!(gp.push(&Point::new([0.0], [1.1e4]), 1.0), error);
}

#[test]
fn indices_beyond_the_end() {
    let mut gp = Gp::<4, 1, 1>::new();
    let mask = VarSet::from_bits(u32::MAX);
    gp.set_active(mask, mask).unwrap();
    assert_eq!(gp.active(), (VarSet::first(1), VarSet::first(1)));
    gp.push(&Point::ORIGIN, 1.0).unwrap();
    assert_eq!(gp.remove(1), Err(Error::Empty));
    assert_eq!(gp.point(1), None);
    assert_eq!(gp.len(), 1);
}
