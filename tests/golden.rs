//! The surrogate against the golden families, in both precisions: rows appended one by one, and the whole matrix
//! factorised at once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::Scalar;
use sadcbo::gp::{Outputs, PosteriorGradient, Prefix};
use support::golden::{Case, cases};
use support::sensitivity::{AtPoint, Sensitivity};
use support::surrogate::{Model, Problem, point};
use support::tolerance::{
    DOUBLE_GATE, GP_COVARIANCE, GP_LIKELIHOOD, GP_LIKELIHOOD_SLOPE, GP_MEAN, GP_MEAN_SLOPE,
    GP_STD_DEV_SLOPE, OUTPUT_DEVIATION, OUTPUT_MEAN,
};

#[test]
fn squared_exponential() {
    for family in ["gp_rbf_small", "gp_rbf_large", "gp_rbf_special"] {
        check_family(family);
    }
}

#[test]
fn matern() {
    check_family("gp_matern52");
}

/// Prints the error reached on each case (`cargo test --test golden traps -- --nocapture`).
#[test]
fn single_precision_traps() {
    println!(
        "| case | n | cond | noise/s2 | jitter/s2 | lml | mean | std dev/√s2 | worst variance |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for family in ["f32_traps_a", "f32_traps_b"] {
        check_family(family);
        for case in cases(family) {
            let problem = Problem::of(&case);
            let gp = problem.appended::<f32>(Outputs::Raw);
            let errors = Errors::of(&case, &gp);
            let s2 = problem.signal_variance;
            println!(
                "| {} | {} | {:.0e} | {:.0e} | {:.0e} | {:.0e} | {:.0e} | {:.0e} | {:.1} % |",
                case.text("id"),
                gp.len(),
                case.number("cond"),
                problem.noise_variance / s2,
                gp.jitter().to_f64() / s2,
                errors.likelihood,
                errors.mean,
                errors.std_dev / s2.sqrt(),
                errors.variance * 100.0
            );
        }
    }
}

fn check_family(family: &'static str) {
    for case in cases(family) {
        check_precision::<f64>(&case);
        check_precision::<f32>(&case);
        let errors = Errors::of(&case, &Problem::of(&case).appended::<f64>(Outputs::Raw));
        // SCHEMA: or 1e-15 times the condition number, which is 1e6 times the first number.
        let allowed = (case.number("cond") * 1e-6).max(1.0);
        for (what, error) in [
            ("likelihood", errors.likelihood),
            ("gradient", errors.gradient),
            ("mean", errors.mean),
            ("variance", errors.variance),
        ] {
            DOUBLE_GATE.check_scaled(&format!("{}: {what}", case.name()), error, 0.0, allowed);
        }
    }
}

fn check_precision<T: Scalar>(case: &Case) {
    let problem = Problem::of(case);
    let sensitivity = Sensitivity::new(&problem, &problem.y, problem.y.len());
    let mut appended = problem.appended::<T>(Outputs::Raw);
    check_posterior(case, &problem, &sensitivity, &appended);
    let mut refactorised = problem.refactorised::<T>(Outputs::Raw);
    check_posterior(case, &problem, &sensitivity, &refactorised);
    check_likelihood(case, &sensitivity, &mut appended);
    check_likelihood(case, &sensitivity, &mut refactorised);
}

fn check_likelihood<T: Scalar>(case: &Case, sensitivity: &Sensitivity, gp: &mut Model<T>) {
    let name = case.name();
    let unit = sensitivity.unit(gp.jitter());
    let rounding = |of: f64| T::EPSILON.to_f64() * (gp.len() as f64 + of.abs());
    let expected = case.number("expected/lml");
    let scale = unit * sensitivity.likelihood + rounding(expected);
    let value = gp.log_marginal_likelihood().unwrap();
    GP_LIKELIHOOD.check_scaled(&name, value, expected, scale);

    let slopes = expected_slopes(case);
    let steepest = largest(slopes.iter().map(|slope| slope.abs()));
    let scale = unit * sensitivity.likelihood + rounding(steepest);
    let likelihood = gp.likelihood().unwrap();
    assert_eq!(likelihood.value, value, "{name}");
    let got = likelihood.length_scales.iter().take(slopes.len() - 2);
    let got = got.chain([likelihood.signal_variance, likelihood.noise_variance]);
    for (index, (got, expected)) in got.zip(slopes).enumerate() {
        GP_LIKELIHOOD_SLOPE.check_scaled(&format!("{name}: {index}"), got, expected, scale);
    }
}

/// By ln ℓ, then ln s2, then ln σ².
fn expected_slopes(case: &Case) -> Vec<f64> {
    let mut slopes = case.numbers("expected/dlml_dlog_lengthscale");
    slopes.push(case.number("expected/dlml_dlog_s2"));
    slopes.push(case.number("expected/dlml_dlog_noise"));
    slopes
}

fn check_posterior<T: Scalar>(
    case: &Case,
    problem: &Problem,
    sensitivity: &Sensitivity,
    gp: &Model<T>,
) {
    let unit = sensitivity.unit(gp.jitter());
    let at = case.rows("input/Xs");
    let points: Vec<_> = at.iter().map(|v| sensitivity.at(v)).collect();
    let means = case.numbers("expected/mean");
    let variances = case.numbers("expected/var_f");
    let with_noise = case.numbers("expected/var_y");
    let covariances = case.rows("expected/cov_f");
    for (i, v) in at.iter().enumerate() {
        let name = format!("{} at {i}", case.name());
        let got = gp.posterior_gradient(&point(v)).unwrap();
        assert_eq!(got.posterior, gp.posterior(&point(v)).unwrap(), "{name}");
        let scale = unit * points[i].weights * sensitivity.weights;
        GP_MEAN.check_scaled(&name, got.posterior.mean, means[i], scale);
        let scale = unit * points[i].weights * points[i].weights;
        GP_COVARIANCE.check_scaled(&name, got.posterior.variance, variances[i], scale);
        let total = got.posterior.variance_with_noise();
        GP_COVARIANCE.check_scaled(&name, total, with_noise[i], scale);
        assert!(got.posterior.variance >= T::ZERO, "{name}");
        check_slopes(
            case,
            problem,
            i,
            &got,
            &points[i],
            (unit, sensitivity.weights),
        );
        for (j, w) in at.iter().enumerate() {
            let got = gp.covariance(&point(v), &point(w)).unwrap();
            let scale = unit * points[i].weights * points[j].weights;
            GP_COVARIANCE.check_scaled(&name, got, covariances[i][j], scale);
        }
    }
}

fn check_slopes<T: Scalar>(
    case: &Case,
    problem: &Problem,
    i: usize,
    got: &PosteriorGradient<12, 12, T>,
    at: &AtPoint,
    (unit, weights): (f64, f64),
) {
    let of_mean = &case.rows("expected/dmean_dx")[i];
    let of_std_dev = &case.rows("expected/dstd_dx")[i];
    let variance = case.numbers("expected/var_f")[i];
    let got = got.mean.iter().zip(got.std_dev.iter());
    for (j, (mean, std_dev)) in got.take(problem.dimension()).enumerate() {
        let name = format!("{} at {i} along {j}", case.name());
        let scale = unit * at.slopes[j] * weights;
        GP_MEAN_SLOPE.check_scaled(&name, mean, of_mean[j], scale);
        // d std = d variance/(2 std): what moves the numerator, and what moves the denominator.
        let scale = unit * at.slopes[j] * at.weights / variance.sqrt()
            + of_std_dev[j].abs() * unit * at.weights * at.weights / variance;
        GP_STD_DEV_SLOPE.check_scaled(&name, std_dev, of_std_dev[j], scale);
    }
}

/// The largest errors of a case, in the norms of the golden files' own `f64_error`; `std_dev` is absolute.
struct Errors {
    likelihood: f64,
    gradient: f64,
    mean: f64,
    std_dev: f64,
    variance: f64,
}

impl Errors {
    fn of<T: Scalar>(case: &Case, gp: &Model<T>) -> Self {
        let mut gp = gp.clone();
        let likelihood = gp.likelihood().unwrap();
        let expected = case.number("expected/lml");
        let value = likelihood.value.to_f64();
        let slopes = expected_slopes(case);
        let got = likelihood.length_scales.iter().take(slopes.len() - 2);
        let got = got.chain([likelihood.signal_variance, likelihood.noise_variance]);
        let of_slopes = largest(got.zip(&slopes).map(|(got, e)| (got.to_f64() - e).abs()));
        let means = case.numbers("expected/mean");
        let variances = case.numbers("expected/var_f");
        let at = case.rows("input/Xs");
        let posterior = |v: &Vec<f64>| gp.posterior(&point(v)).unwrap();
        let got: Vec<_> = at.iter().map(posterior).collect();
        let pairs = || got.iter().zip(&variances);
        Self {
            likelihood: (value - expected).abs() / expected.abs().max(1.0),
            gradient: of_slopes / largest(slopes.iter().map(|s| s.abs())).max(1.0),
            mean: largest(
                got.iter()
                    .zip(&means)
                    .map(|(g, e)| (g.mean.to_f64() - e).abs()),
            ) / largest(means.iter().map(|m| m.abs())).max(1e-3),
            std_dev: largest(pairs().map(|(g, e)| (g.std_dev().to_f64() - e.sqrt()).abs())),
            variance: largest(pairs().map(|(g, e)| (g.variance.to_f64() - e).abs() / e)),
        }
    }
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, f64::max)
}

#[test]
fn standardised_outputs() {
    for case in cases("standardise") {
        check_standardised::<f64>(&case);
        check_standardised::<f32>(&case);
    }
}

fn check_standardised<T: Scalar>(case: &Case) {
    let name = case.name();
    let problem = Problem::of(case);
    let epsilon = T::EPSILON.to_f64();
    let gp = problem.appended::<T>(Outputs::Standardised);
    let y = case.numbers("expected/y_standardised");
    let (mean, deviation) = (
        case.number("expected/y_mean"),
        case.number("expected/y_std"),
    );
    OUTPUT_MEAN.check_scaled(
        &name,
        gp.scale().mean(),
        mean,
        largest(problem.y.iter().map(|y| y.abs())),
    );
    OUTPUT_DEVIATION.check(&name, gp.scale().deviation(), deviation, 0.0);
    for (&raw, &expected) in problem.y.iter().zip(&y) {
        let got = gp.scale().standardise(T::from_f64(raw));
        OUTPUT_DEVIATION.check(&name, got, expected, largest(y.iter().map(|y| y.abs())));
    }

    let sensitivity = Sensitivity::new(&problem, &y, y.len());
    let unit = sensitivity.unit(gp.jitter());
    let expected = case.number("expected/lml_standardised");
    let scale = unit * sensitivity.likelihood + epsilon * (y.len() as f64 + expected.abs());
    GP_LIKELIHOOD.check_scaled(
        &name,
        gp.log_marginal_likelihood().unwrap(),
        expected,
        scale,
    );
    let means = case.numbers("expected/mean");
    let seen_means = case.numbers("expected/mean_standardised");
    let std_devs = case.numbers("expected/std_f");
    let variances = case.numbers("expected/var_f");
    let seen_variances = case.numbers("expected/var_f_standardised");
    let with_noise = case.numbers("expected/var_y");
    let covariances = case.rows("expected/cov_f");
    let at = case.rows("input/Xs");
    for (i, v) in at.iter().enumerate() {
        let AtPoint { weights, .. } = sensitivity.at(v);
        let (seen, got) = (
            gp.all().unwrap().posterior(&point(v)).unwrap(),
            gp.posterior(&point(v)).unwrap(),
        );
        let scale = unit * weights * sensitivity.weights;
        GP_MEAN.check_scaled(&name, seen.mean, seen_means[i], scale);
        // The mean goes back to its offset, and rounds there.
        GP_MEAN.check_scaled(
            &name,
            got.mean,
            means[i],
            scale * deviation + epsilon * means[i].abs(),
        );
        let scale = unit * weights * weights;
        GP_COVARIANCE.check_scaled(&name, seen.variance, seen_variances[i], scale);
        let square = deviation * deviation;
        GP_COVARIANCE.check_scaled(&name, got.variance, variances[i], scale * square);
        GP_COVARIANCE.check_scaled(
            &name,
            got.variance_with_noise(),
            with_noise[i],
            scale * square,
        );
        GP_COVARIANCE.check_scaled(
            &name,
            got.std_dev(),
            std_devs[i],
            scale * deviation / seen_variances[i].sqrt(),
        );
        for (j, w) in at.iter().enumerate() {
            let scale = unit * weights * sensitivity.at(w).weights * square;
            let got = gp.covariance(&point(v), &point(w)).unwrap();
            GP_COVARIANCE.check_scaled(&name, got, covariances[i][j], scale);
        }
    }
}

/// The posterior given all observations but the last, from the factor of all.
#[test]
fn posterior_before_the_last_observation() {
    for case in cases("switching") {
        check_prefix::<f64>(&case);
        check_prefix::<f32>(&case);
    }
}

fn check_prefix<T: Scalar>(case: &Case) {
    let problem = Problem::of(case);
    let gp = problem.refactorised::<T>(Outputs::Raw);
    let n = problem.y.len();
    let (before, last) = (gp.first(n - 1).unwrap(), &problem.x[n - 1]);
    let sensitivity = Sensitivity::new(&problem, &problem.y, n - 1);
    let check = |what: &str,
                 view: &Prefix<128, 12, 12, T>,
                 sensitivity: &Sensitivity,
                 v: &[f64],
                 mean: f64| {
        let scale = sensitivity.unit(gp.jitter()) * sensitivity.at(v).weights * sensitivity.weights;
        let got = view.posterior(&point(v)).unwrap();
        GP_MEAN.check_scaled(&format!("{}: {what}", case.name()), got.mean, mean, scale);
        got.variance
    };
    let star = &problem.x[case.count("expected/idx_star_prev")];
    check(
        "best before",
        &before,
        &sensitivity,
        star,
        case.number("expected/mu_prev_star"),
    );
    let variance = check(
        "last before",
        &before,
        &sensitivity,
        last,
        case.number("expected/mu_prev_vt"),
    );
    let scale = sensitivity.unit(gp.jitter()) * sensitivity.at(last).weights.powi(2);
    GP_COVARIANCE.check_scaled(
        &case.name(),
        variance,
        case.number("expected/sigma2_prev_vt"),
        scale,
    );
    let all = Sensitivity::new(&problem, &problem.y, n);
    let star = &problem.x[case.count("expected/idx_star_t")];
    check(
        "best now",
        &gp.all().unwrap(),
        &all,
        star,
        case.number("expected/mu_t_star"),
    );
}

/// The families of the acquisition functions state posteriors as well.
#[test]
fn posteriors_of_other_families() {
    for case in cases("ucb") {
        check_other::<f64>(&case, "input/Xs");
        check_other::<f32>(&case, "input/Xs");
    }
    for case in cases("qucb") {
        check_other::<f64>(&case, "input/Xq");
        check_other::<f32>(&case, "input/Xq");
    }
}

fn check_other<T: Scalar>(case: &Case, at: &str) {
    let name = case.name();
    let problem = Problem::of(case);
    let sensitivity = Sensitivity::new(&problem, &problem.y, problem.y.len());
    let gp = problem.appended::<T>(Outputs::Raw);
    let unit = sensitivity.unit(gp.jitter());
    let at = case.rows(at);
    let means = case.numbers("expected/mean");
    for (i, v) in at.iter().enumerate() {
        let weights = sensitivity.at(v).weights;
        let got = gp.posterior(&point(v)).unwrap();
        GP_MEAN.check_scaled(
            &name,
            got.mean,
            means[i],
            unit * weights * sensitivity.weights,
        );
        if case.has("expected/std_f") {
            let expected = case.numbers("expected/std_f")[i];
            GP_COVARIANCE.check_scaled(
                &name,
                got.std_dev(),
                expected,
                unit * weights * weights / expected,
            );
        }
        if case.has("expected/cov_f") {
            for (j, w) in at.iter().enumerate() {
                let got = gp.covariance(&point(v), &point(w)).unwrap();
                let scale = unit * weights * sensitivity.at(w).weights;
                GP_COVARIANCE.check_scaled(&name, got, case.rows("expected/cov_f")[i][j], scale);
            }
        }
    }
}
