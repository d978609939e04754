//! What points promise: golden families `ucb` and `qucb`, through the surrogate, in both precisions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::gp::Outputs;
use sadcbo::parts::acquisition::{Objective, Ucb};
use sadcbo::parts::batch::Batch;
use sadcbo::{MAX_BASE_SAMPLES, Scalar};
use support::golden::{Case, cases};
use support::sensitivity::Sensitivity;
use support::surrogate::{Problem, point};
use support::tolerance::{QUCB, UCB, UCB_SLOPE};

fn upper_bound<T: Scalar>(case: &Case) {
    let problem = Problem::of(case);
    let gp = problem.appended::<T>(Outputs::Raw);
    let sensitivity = Sensitivity::new(&problem, &problem.y, problem.y.len());
    let unit = sensitivity.unit(gp.jitter());
    let beta = case.number("input/beta");
    let ucb = Ucb {
        surrogate: gp.all().unwrap(),
        sqrt_beta: T::from_f64(beta).sqrt(),
    };
    let (upper, lower) = (case.numbers("expected/ucb"), case.numbers("expected/lcb"));
    let deviations = case.numbers("expected/std_f");
    let slopes = case.rows("expected/ducb_dx");
    for (i, v) in case.rows("input/Xs").iter().enumerate() {
        let name = format!("{} at {i}", case.name());
        let at = sensitivity.at(v);
        // What moves the mean, and √β times what moves the deviation: d std = d variance/(2 std).
        let of_std_dev = unit * at.weights * at.weights / deviations[i];
        let rounding = T::EPSILON.to_f64() * (upper[i].abs() + lower[i].abs());
        let scale = unit * at.weights * sensitivity.weights + beta.sqrt() * of_std_dev + rounding;
        let (low, high) = ucb.bounds(&point(v)).unwrap();
        UCB.check_scaled(&name, high, upper[i], scale);
        UCB.check_scaled(&name, low, lower[i], scale);
        let (value, gradient) = ucb.gradient(&point(v)).unwrap();
        assert_eq!(
            Some(value),
            ucb.value(&point(v)),
            "{name}: value with its gradient"
        );
        assert_eq!(value, high, "{name}: value and bound");
        for (j, got) in gradient.iter().enumerate() {
            let expected = slopes[i].get(j).copied().unwrap_or(0.0);
            let (of_slope, size) = match at.slopes.get(j) {
                Some(&slope) => (slope, expected.abs()),
                None => (0.0, 0.0),
            };
            let scale = unit * of_slope * sensitivity.weights
                + beta.sqrt() * unit * of_slope * at.weights / deviations[i]
                + size * of_std_dev / deviations[i]
                + T::EPSILON.to_f64() * size;
            UCB_SLOPE.check_scaled(&format!("{name} along {j}"), got, expected, scale);
        }
    }
}

#[test]
fn upper_bounds() {
    for case in cases("ucb") {
        upper_bound::<f64>(&case);
        upper_bound::<f32>(&case);
    }
}

/// Q-UCB of the golden batch, its points pushed one by one; more base samples than fit at once are taken in parts.
fn batch<T: Scalar>(case: &Case) {
    let name = case.name();
    let problem = Problem::of(case);
    let gp = problem.appended::<T>(Outputs::Raw);
    let surrogate = gp.all().unwrap();
    let beta = T::from_f64(case.number("input/beta"));
    let normals = case.rows("input/eps");
    let points = case.rows("input/Xq");
    let mut batch = Box::new(Batch::new());
    let mut sum = 0.0;
    for part in normals.chunks(MAX_BASE_SAMPLES) {
        batch.restart(beta, part.len(), |s, q| {
            let normal = part.get(s).and_then(|row| row.get(q));
            T::from_f64(normal.copied().unwrap_or(0.0))
        });
        assert_eq!(batch.value(), None, "{name}: a batch without points");
        let mut before = None;
        for v in &points {
            let with = batch.value_with(&surrogate, &point(v)).unwrap();
            assert!(batch.push(&surrogate, &point(v)), "{name}");
            assert_eq!(
                batch.value(),
                Some(with),
                "{name}: what a point would add is what it adds"
            );
            assert!(
                before.is_none_or(|before| with >= before),
                "{name}: a further point never lowers the value"
            );
            before = Some(with);
        }
        sum += batch.value().unwrap().to_f64() * part.len() as f64;
    }
    let sensitivity = Sensitivity::new(&problem, &problem.y, problem.y.len());
    let unit = sensitivity.unit(gp.jitter());
    let covariances = case.rows("expected/cov_f");
    let factor = case.rows("expected/chol");
    let scale = points
        .iter()
        .enumerate()
        .map(|(q, v)| {
            let weights = sensitivity.at(v).weights;
            // The last pivot of the joint covariance is what the other points leave of the variance.
            let deviation = covariances[q][q].sqrt().min(factor[q][q]);
            unit * weights * (sensitivity.weights + weights / deviation)
        })
        .fold(0.0, f64::max);
    let got = T::from_f64(sum / normals.len() as f64);
    let expected = case.number("expected/qucb");
    let rounding = T::EPSILON.to_f64() * expected.abs();
    QUCB.check_scaled(&name, got, expected, scale + rounding);
}

#[test]
fn batches() {
    for case in cases("qucb") {
        batch::<f64>(&case);
        batch::<f32>(&case);
    }
}

/// A point given twice adds nothing, and neither does one beyond the room.
#[test]
fn repeats_and_overflow_are_harmless() {
    let case = &cases("qucb")[5];
    let problem = Problem::of(case);
    let gp = problem.appended::<f32>(Outputs::Raw);
    let surrogate = gp.all().unwrap();
    let points = case.rows("input/Xq");
    let mut batch = Box::new(Batch::new());
    batch.restart(2.0, 32, |s, q| ((s * 7 + q * 3) % 11) as f32 / 5.0 - 1.0);
    for round in 0..2 {
        for v in &points {
            batch.push(&surrogate, &point(v));
        }
        assert_eq!(batch.points().len(), points.len(), "round {round}");
    }
    batch.restart(2.0, 32, |s, q| ((s * 7 + q * 3) % 11) as f32 / 5.0 - 1.0);
    assert!(batch.push(&surrogate, &point(&points[0])));
    let once = batch.value().unwrap();
    assert!(batch.push(&surrogate, &point(&points[0])));
    let twice = batch.value().unwrap();
    assert!((twice - once).abs() < 1e-3, "{once} and {twice}");
}
