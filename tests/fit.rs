//! Fitting of hyperparameters: the optimum that is reached, and the densities of the priors.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::gp::{Fit, FitConfig, Gp, Hyper, Outputs, Prior};
use sadcbo::parts::prior::log_density;
use sadcbo::{Error, Input, Point, Scalar, VarSet};
use support::golden::{Case, cases};
use support::surrogate::{Model, point};
use support::tolerance::{FIT_LARGE, FIT_SMALL, PRIOR};

#[test]
fn reaches_the_best_known_optimum() {
    println!("| case | objective | f64: nats below the best | f32 |");
    println!("|---|---|---|---|");
    for case in cases("fit") {
        for form in ["ml", "map_lengthscale", "map_botorch"] {
            let (exact, rounded) = (gap::<f64>(&case, form), gap::<f32>(&case, form));
            println!(
                "| {} | {form} | {exact:.4} | {rounded:.4} |",
                case.text("id")
            );
        }
    }
}

fn prior<T: Scalar>(form: &str) -> Prior<T> {
    match form {
        "ml" => Prior::Flat,
        "map_lengthscale" => Prior::LengthScales,
        "map_botorch" => Prior::Botorch,
        _ => panic!("no such objective: {form}"),
    }
}

/// How far below the best known optimum a fit ends, in nats.
fn gap<T: Scalar>(case: &Case, form: &str) -> f64 {
    let mut gp = model::<T>(case);
    let range = |name: &str| {
        let bounds = case.numbers(&format!("bounds/{name}"));
        (T::from_f64(bounds[0]), T::from_f64(bounds[1]))
    };
    let config = FitConfig {
        prior: prior(form),
        length_scales: range("lengthscale"),
        signal_variance: range("s2"),
        noise_variance: range("noise"),
        ..FitConfig::thorough()
    };
    gp.fit(&config).unwrap();
    // Judged in double precision, whatever the precision of the fit.
    let mut judge = model::<f64>(case);
    let hyper = widen(gp.hyper());
    judge.set_hyper(hyper).unwrap();
    let density = log_density(&prior(form), &hyper, 1.0, judge.active()).value;
    let best = case.number(&format!("expected/{form}/best_objective"));
    let gap = best - (judge.log_marginal_likelihood().unwrap() + density);
    let allowed = if gp.len() >= 50 {
        FIT_LARGE.of::<T>()
    } else {
        FIT_SMALL.of::<T>()
    };
    assert!(
        gap <= allowed,
        "{} {form}: {gap} nats below the best known",
        case.name()
    );
    gap
}

fn model<T: Scalar>(case: &Case) -> Box<Model<T>> {
    let mut gp = Box::new(Gp::new().with_outputs(Outputs::Raw));
    let x = case.rows("input/X");
    let d = x[0].len();
    gp.set_active(VarSet::first(d), VarSet::first(d.saturating_sub(12)))
        .unwrap();
    for (x, &y) in x.iter().zip(&case.numbers("input/y")) {
        gp.push(&point(x), T::from_f64(y)).unwrap();
    }
    gp
}

fn widen<const D: usize, const C: usize, T: Scalar>(hyper: &Hyper<D, C, T>) -> Hyper<D, C, f64> {
    Hyper {
        design_length_scales: hyper.design_length_scales.map(T::to_f64),
        context_length_scales: hyper.context_length_scales.map(T::to_f64),
        signal_variance: hyper.signal_variance.to_f64(),
        noise_variance: hyper.noise_variance.to_f64(),
    }
}

#[test]
fn saas_density() {
    for case in cases("saas") {
        check_saas::<f64>(&case);
        check_saas::<f32>(&case);
    }
}

fn check_saas<T: Scalar>(case: &Case) {
    let name = case.name();
    let scales = case.numbers("expected/lengthscale");
    let mut hyper = Hyper::<12, 12, T>::START;
    let places = hyper
        .design_length_scales
        .iter_mut()
        .chain(&mut hyper.context_length_scales);
    for (to, &from) in places.zip(&scales) {
        *to = T::from_f64(from);
    }
    let prior = Prior::Saas {
        alpha: T::from_f64(case.number("input/alpha")),
    };
    let active = (
        VarSet::first(scales.len()),
        VarSet::first(scales.len().saturating_sub(12)),
    );
    let got = log_density(
        &prior,
        &hyper,
        T::from_f64(case.number("input/tau")),
        active,
    );
    let terms = scales.len() as f64;
    let expected = case.number("expected/log_density");
    PRIOR.check_scaled(&name, got.value, expected, expected.abs() + terms);
    PRIOR.check_scaled(
        &name,
        got.tau,
        case.number("expected/dlogp_dlog_tau"),
        terms,
    );
    let slopes = case.numbers("expected/dlogp_dlog_lengthscale");
    for (got, expected) in got.length_scales.iter().zip(slopes) {
        PRIOR.check_scaled(&name, got, expected, 1.0);
    }
}

fn small() -> Gp<8, 1, 1> {
    let mut gp = Gp::new();
    for (i, y) in [0.1, 0.9, 0.4, -0.3, 0.2, 0.8].into_iter().enumerate() {
        let x = i as f32 / 5.0;
        gp.push(&Point::new([x], [1.0 - x * x]), y).unwrap();
    }
    gp
}

#[test]
fn a_fit_in_slices_is_the_same_fit() {
    for prior in [
        Prior::Flat,
        Prior::LengthScales,
        Prior::Botorch,
        Prior::saas(),
    ] {
        let config = FitConfig {
            prior,
            ..FitConfig::default()
        };
        let (mut whole, mut sliced) = (small(), small());
        let expected = whole.fit(&config).unwrap();
        let mut fit = Fit::begin(&sliced, &config).unwrap();
        let mut steps = 0;
        let report = loop {
            steps += 1;
            if let Some(report) = fit.step(&mut sliced).unwrap() {
                break report;
            }
            assert_eq!(sliced.posterior(&Point::ORIGIN), Err(Error::Unfinished));
        };
        assert_eq!(report, expected);
        assert_eq!(steps, report.evaluations);
        assert_eq!(sliced.hyper(), whole.hyper());
        assert_eq!(
            sliced.posterior(&Point::ORIGIN),
            whole.posterior(&Point::ORIGIN)
        );
        whole.hyper().validate().unwrap();
    }
}

#[test]
fn a_mask_protects_the_length_scales_of_the_others() {
    let mut gp = small();
    gp.set_active(VarSet::first(1), VarSet::EMPTY).unwrap();
    let before = *gp.hyper();
    gp.fit(&FitConfig::default()).unwrap();
    assert_ne!(gp.hyper().design_length_scales, before.design_length_scales);
    assert_eq!(
        gp.hyper().context_length_scales,
        before.context_length_scales
    );
}

#[test]
fn bad_settings_are_named_and_change_nothing() {
    let good = FitConfig::<f32>::default();
    let cases = [
        (
            FitConfig {
                length_scales: (0.0, 1.0),
                ..good
            },
            Error::OutOfRange(Input::LengthScaleBounds),
        ),
        (
            FitConfig {
                length_scales: (1.0, 0.5),
                ..good
            },
            Error::OutOfRange(Input::LengthScaleBounds),
        ),
        (
            FitConfig {
                length_scales: (0.1, f32::INFINITY),
                ..good
            },
            Error::NonFinite(Input::LengthScaleBounds),
        ),
        (
            FitConfig {
                signal_variance: (-1.0, 1.0),
                ..good
            },
            Error::OutOfRange(Input::SignalVarianceBounds),
        ),
        (
            FitConfig {
                signal_variance: (f32::NAN, 1.0),
                ..good
            },
            Error::NonFinite(Input::SignalVarianceBounds),
        ),
        (
            FitConfig {
                noise_variance: (0.0, 1.0),
                ..good
            },
            Error::OutOfRange(Input::NoiseVarianceBounds),
        ),
        (
            FitConfig {
                prior: Prior::Saas { alpha: 0.0 },
                ..good
            },
            Error::OutOfRange(Input::Shrinkage),
        ),
    ];
    for (config, error) in cases {
        let mut gp = small();
        let before = (*gp.hyper(), gp.posterior(&Point::ORIGIN));
        assert_eq!(gp.fit(&config), Err(error));
        assert_eq!((*gp.hyper(), gp.posterior(&Point::ORIGIN)), before);
    }
    assert_eq!(Gp::<4, 1, 1>::new().fit(&good), Err(Error::Empty));
}

#[test]
fn degenerate_data_still_fit() {
    let config = FitConfig::default();
    let same = Point::new([0.5], [0.5]);
    let mut gp = Gp::<8, 1, 1>::new();
    gp.push(&same, 3.0).unwrap();
    gp.fit(&config).unwrap();
    for _ in 0..7 {
        gp.push(&same, 3.0).unwrap();
        let report = gp.fit(&config).unwrap();
        assert!(report.objective.is_finite());
        let got = gp.posterior(&same).unwrap();
        assert!(
            (got.mean - 3.0).abs() < 1e-3 && got.variance.is_finite(),
            "{got:?}"
        );
    }
}
