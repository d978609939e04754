//! The switching criterion: golden family `switching`, from its intermediate numbers, and the rules.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::gp::Outputs;
use sadcbo::parts::acquisition::{Objective, Ucb};
use sadcbo::parts::switch::{Spread, SwitchInputs, SwitchState, best_rows, inputs_of_last};
use sadcbo::{Scalar, SwitchFigures, SwitchRule};
use support::golden::{Case, cases};
use support::sensitivity::Sensitivity;
use support::surrogate::{Problem, point};
use support::tolerance::{KAPPA, SWITCH, SWITCH_BOUND, SWITCH_INPUTS};

fn golden<T: Scalar>() {
    for case in cases("switching") {
        let expected = |field: &str| T::from_f64(case.number(&format!("expected/{field}")));
        let figures = SwitchInputs {
            mean_change: expected("delta_mu"),
            lead: expected("delta_mu_source"),
            lead_sd: expected("v"),
            variance: expected("sigma2_prev_vt"),
            residual: expected("residual"),
            best_sd: expected("sigma_prev_star_t"),
            kappa: expected("kappa/source"),
            noise: T::from_f64(case.number("input/noise")),
            delta: T::from_f64(case.number("input/delta")),
        }
        .figures();
        let name = case.name();
        let (bound, threshold) = (
            case.number("expected/delta_R/source/source"),
            case.number("expected/s_t/source"),
        );
        SWITCH.check_scaled(
            &name,
            figures.improvement,
            case.number("expected/ei_term/source"),
            bound,
        );
        SWITCH.check(&name, figures.information, case.number("expected/KL"), 0.0);
        SWITCH.check(&name, figures.bound, bound, 0.0);
        SWITCH.check(&name, figures.threshold, threshold, 0.0);
        let near = (bound - threshold).abs() <= SWITCH.of::<T>() * bound.max(threshold);
        let switches = SwitchState::new().observe(SwitchRule::Adaptive, 0, false, Some(&figures));
        assert!(
            switches == case.flag("expected/switch/source/source") || near,
            "{name}"
        );
    }
}

/// From the observations through the surrogate to the criterion, as the controller does it: each number that enters,
/// within what the precision knows of its posterior; then the figures and the decision.
fn from_the_data<T: Scalar>(case: &Case) {
    let name = case.name();
    let problem = Problem::of(case);
    let (n, beta) = (problem.y.len(), case.number("input/beta"));
    let gp = problem.appended::<T>(Outputs::Raw);
    let stars = (
        case.count("expected/idx_star_t"),
        case.count("expected/idx_star_prev"),
    );
    if case.text("input/star_rule") == "y" {
        assert_eq!(best_rows(gp.outputs()), Some(stars), "{name}");
    }

    let objective = Ucb {
        surrogate: gp.first(n - 1).unwrap(),
        sqrt_beta: T::from_f64(beta).sqrt(),
    };
    let mut spread = Spread::new();
    assert!(spread.kappa().is_none(), "no data, no spread");
    for v in &problem.x[..n - 1] {
        spread.observed(&objective, &point(v)).unwrap();
    }
    assert!(spread.kappa().unwrap() >= T::ZERO, "{name}");
    let candidates = case.rows("input/candidates");
    for v in &candidates {
        spread.elsewhere(objective.value(&point(v)).unwrap());
    }
    let kappa = spread.kappa().unwrap();
    let inputs =
        inputs_of_last(&gp, stars, kappa, T::from_f64(case.number("input/delta"))).unwrap();

    let (before, after) = (
        Sensitivity::new(&problem, &problem.y, n - 1),
        Sensitivity::new(&problem, &problem.y, n),
    );
    let unit = after.unit(gp.jitter());
    let all = problem.x.iter().chain(&candidates);
    let widest = all.map(|v| before.at(v).weights).fold(0.0, f64::max);
    let deviation = problem
        .noise_variance
        .sqrt()
        .min(problem.signal_variance.sqrt());
    let mean = |s: &Sensitivity, v: &[f64]| unit * s.at(v).weights * s.weights;
    let variance = |s: &Sensitivity, v: &[f64]| unit * s.at(v).weights * s.at(v).weights;
    let (star, former, last) = (&problem.x[stars.0], &problem.x[stars.1], &problem.x[n - 1]);
    let rounding = T::EPSILON.to_f64();

    let expected = |field: &str| case.number(&format!("expected/{field}"));
    let of_bounds =
        unit * widest * before.weights + beta.sqrt() * unit * widest * widest / deviation;
    KAPPA.check_scaled(
        &name,
        kappa,
        expected("kappa/source"),
        of_bounds + rounding * expected("kappa/source"),
    );
    let check = |what: &str, got: T, field: &str, scale: f64| {
        let what = format!("{name}: {what}");
        let scale = scale + rounding * expected(field).abs();
        SWITCH_INPUTS.check_scaled(&what, got, expected(field), scale);
    };
    let of_means = mean(&after, star) + mean(&after, former) + mean(&before, former);
    check(
        "change of the mean",
        inputs.mean_change,
        "delta_mu",
        of_means,
    );
    check("lead", inputs.lead, "delta_mu_source", of_means);
    check(
        "variance",
        inputs.variance,
        "sigma2_prev_vt",
        variance(&before, last),
    );
    check("residual", inputs.residual, "residual", mean(&before, last));
    let at_star = expected("sigma_prev_star_t");
    check(
        "deviation",
        inputs.best_sd,
        "sigma_prev_star_t",
        variance(&before, star) / at_star,
    );
    let of_lead = variance(&after, star) + variance(&after, former);
    let lead_sd = expected("v");
    // √ of a difference of variances: half its relative error, or its root where the difference is rounding alone.
    check(
        "deviation of the lead",
        inputs.lead_sd,
        "v",
        (of_lead / lead_sd.max(of_lead.sqrt())).min(of_lead.sqrt()),
    );

    let figures = inputs.figures();
    let (bound, threshold) = (expected("delta_R/source/source"), expected("s_t/source"));
    SWITCH_BOUND.check(&name, figures.bound, bound, 0.0);
    SWITCH_BOUND.check(&name, figures.threshold, threshold, 0.0);
    let near = (bound - threshold).abs() <= 2.0 * SWITCH_BOUND.of::<T>() * bound.max(threshold);
    let switches = SwitchState::new().observe(SwitchRule::Adaptive, 0, false, Some(&figures));
    assert!(
        switches == case.flag("expected/switch/source/source") || near,
        "{name}"
    );
}

#[test]
fn from_the_data_single() {
    for case in cases("switching") {
        from_the_data::<f32>(&case);
    }
}

#[test]
fn from_the_data_double() {
    for case in cases("switching") {
        from_the_data::<f64>(&case);
    }
}

const QUIET: SwitchInputs<f32> = SwitchInputs {
    mean_change: 0.0,
    lead: 0.0,
    lead_sd: 0.0,
    variance: 0.0,
    residual: 1.0,
    best_sd: 0.0,
    kappa: 0.0,
    noise: 1e-4,
    delta: 0.05,
};

#[test]
fn golden_single() {
    golden::<f32>();
}

#[test]
fn golden_double() {
    golden::<f64>();
}

/// ½ (ln(1+s) - s/(1+s)), with 60 digits (mpmath): an observation that says hardly anything still says it precisely.
#[test]
fn small_information_keeps_its_precision() {
    for (variance, expected) in [
        (0.5_f32.powi(4), 0.0009005462023350683),
        (0.5_f32.powi(10), 2.3810847894896017e-07),
        (0.5_f32.powi(20), 2.2737338632296291e-13),
        (0.5_f32.powi(40), 2.0679515313800614e-25),
        (64.0, 1.5948859426401263),
    ] {
        let information = SwitchInputs {
            variance,
            residual: 0.0,
            noise: 1.0,
            ..QUIET
        }
        .figures()
        .information;
        SWITCH.check("information", information, expected, 0.0);
    }
}

#[test]
fn extremes_stay_defined() {
    let figures = QUIET.figures();
    assert_eq!(
        (
            figures.improvement,
            figures.information,
            figures.bound,
            figures.threshold
        ),
        (0.0, 0.0, 0.0, 0.0)
    );
    // The former best point is far worse than the new one: no improvement, and no negative rest of rounding.
    for lead in [1.0_f32, 5.0, 7.0, 13.0, 100.0, 1e20] {
        let improvement = SwitchInputs {
            lead,
            lead_sd: 1.0,
            ..QUIET
        }
        .figures()
        .improvement;
        assert!(
            (0.0..=0.084).contains(&improvement),
            "{lead}: {improvement}"
        );
    }
    let sure = SwitchInputs {
        lead: -3.0,
        lead_sd: 1e-20,
        ..QUIET
    }
    .figures();
    assert_eq!(sure.improvement, 3.0);
}

fn figures(bound: f32, threshold: f32) -> SwitchFigures {
    SwitchFigures {
        improvement: 0.0,
        information: 0.0,
        bound,
        threshold,
    }
}

/// The step after which a rule ends the phase, of the bounds of successive steps against a threshold of 1.
fn switch_step(rule: SwitchRule, minimum: u32, bounds: &[f32]) -> Option<u32> {
    let mut state = SwitchState::new();
    bounds.iter().find_map(|&bound| {
        let due = state.observe(rule, minimum, false, Some(&figures(bound, 1.0)));
        due.then(|| state.steps())
    })
}

#[test]
fn adaptive_rule_compares_with_its_threshold() {
    assert_eq!(
        switch_step(SwitchRule::Adaptive, 0, &[3.0, 1.5, 1.0, 0.5]),
        Some(3)
    );
    assert_eq!(
        switch_step(SwitchRule::Adaptive, 4, &[3.0, 0.5, 0.5, 2.0, 0.5]),
        Some(5)
    );
    assert_eq!(
        switch_step(SwitchRule::Adaptive, 0, &[f32::NAN, f32::INFINITY, 2.0]),
        None
    );
}

#[test]
fn median_rule_waits_for_twenty_values() {
    // First 20 values 1..=20 in another order: median 10.5.
    let mut bounds: Vec<f32> = (0..20).map(|i| (i * 7 % 20 + 1) as f32).collect();
    bounds.extend([1.06, 1.06, 1.049]);
    assert_eq!(
        switch_step(SwitchRule::MedianFraction, 0, &bounds),
        Some(23)
    );
    assert_eq!(switch_step(SwitchRule::MedianFraction, 30, &bounds), None);
    // A very small value among the first 20 decides nothing before they are complete.
    bounds[3] = 1e-6;
    assert_eq!(
        switch_step(SwitchRule::MedianFraction, 0, &bounds[..19]),
        None
    );
    // Later values do not move the median, and values that are not numbers are not among the 20.
    let mut gaps = vec![f32::NAN; 7];
    gaps.extend([10.0; 20]);
    gaps.extend([2.0; 50]);
    gaps.push(0.999);
    assert_eq!(switch_step(SwitchRule::MedianFraction, 0, &gaps), Some(78));
}

#[test]
fn fixed_rules_ignore_the_criterion() {
    assert_eq!(switch_step(SwitchRule::At(3), 0, &[9.0; 10]), Some(3));
    assert_eq!(switch_step(SwitchRule::At(3), 5, &[9.0; 10]), Some(5));
    assert_eq!(switch_step(SwitchRule::At(0), 0, &[9.0; 10]), Some(1));
    assert_eq!(switch_step(SwitchRule::Never, 0, &[0.0; 100]), None);
    // A step whose figures are missing counts as a step.
    let mut state = SwitchState::<f32>::new();
    assert!(!state.observe(SwitchRule::At(2), 0, false, None));
    assert!(state.observe(SwitchRule::At(2), 0, false, None));
    assert!(!state.observe(SwitchRule::Adaptive, 0, false, None));
}

#[test]
fn criterion_is_not_asked_when_it_is_late() {
    for (rule, minimum, expected) in [
        (SwitchRule::Adaptive, 0, true),
        (SwitchRule::MedianFraction, 0, true),
        (SwitchRule::Adaptive, 2, false),
        (SwitchRule::At(2), 0, false),
        (SwitchRule::Never, 0, false),
    ] {
        let due = SwitchState::new().observe(rule, minimum, true, Some(&figures(9.0, 1.0)));
        assert_eq!(due, expected, "{rule:?}, at least {minimum}");
    }
}
