//! Choice of contexts: golden families `fc_select` and `fc`, the user's word, and hostile scores.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::parts::rng::{Purpose, stream};
use sadcbo::parts::selection::{descending, normalise, random_half, select, weigh_by_cost};
use sadcbo::{Scalar, VarSet};
use support::golden::{Case, cases, scalars};
use support::tolerance::{SELECTION, SHARES};

fn all<T>(scores: &[T]) -> VarSet {
    VarSet::first(scores.len())
}

/// The sets have to be equal, unless `exact` scores say that a cumulative share is at the threshold to within rounding.
fn check<T: Scalar>(case: &Case, exact: &[f64], scores: &[T], eta: f64, expected: &str) {
    let got = select(scores, T::from_f64(eta), all(scores), VarSet::EMPTY);
    let expected: VarSet = case.counts(expected).into_iter().collect();
    let total: f64 = exact.iter().sum();
    let mut sum = 0.0;
    let at_threshold = descending(exact, all(exact)).any(|index| {
        sum += exact[index] / total;
        sum != eta && (sum - eta).abs() <= SELECTION.of::<T>()
    });
    assert!(
        got == expected || at_threshold,
        "{}: {got:?} instead of {expected:?}",
        case.name()
    );
}

fn selections<T: Scalar>() {
    for case in cases("fc_select") {
        let exact = case.numbers("input/scores");
        let eta = case.number("input/eta");
        let scores: Vec<T> = scalars(&exact);
        let order: Vec<usize> = descending(&scores, all(&scores)).collect();
        assert_eq!(order, case.counts("expected/order"), "{}", case.name());
        check(&case, &exact, &scores, eta, "expected/J_rule");

        let exact_cost = case.numbers("expected/scores_cost");
        let total: f64 = exact_cost.iter().sum();
        let mut weighed = scores;
        weigh_by_cost(&mut weighed, &scalars::<T>(&case.numbers("input/lambda")));
        for (got, exact) in weighed.iter().zip(&exact_cost) {
            let share = if total > 0.0 { exact / total } else { 0.0 };
            SHARES.check_scaled(&case.name(), *got, share, 1.0);
        }
        check(&case, &exact_cost, &weighed, eta, "expected/J_cost_rule");
    }
}

fn whole_family<T: Scalar>() {
    for case in cases("fc") {
        let exact = case.numbers("expected/FC_D_BO");
        let eta = case.number("input/eta");
        let mut scores: Vec<T> = scalars(&exact);
        check(&case, &exact, &scores, eta, "expected/J_eta");
        weigh_by_cost(&mut scores, &scalars::<T>(&case.numbers("input/lambda")));
        let exact_cost = case.numbers("expected/FC_cost_renormalised");
        for (got, share) in scores.iter().zip(&exact_cost) {
            SHARES.check_scaled(&case.name(), *got, *share, 1.0);
        }
        check(
            &case,
            &exact_cost,
            &scores,
            eta,
            "expected/J_eta_cost_renormalised",
        );
    }
}

#[test]
fn golden_single() {
    selections::<f32>();
    whole_family::<f32>();
}

#[test]
fn golden_double() {
    selections::<f64>();
    whole_family::<f64>();
}

const SCORES: [f32; 4] = [0.5, 0.125, 0.25, 0.125];

fn set(indices: &[usize]) -> VarSet {
    indices.iter().copied().collect()
}

#[test]
fn what_is_not_eligible_is_never_selected() {
    // Without context 0, context 2 has half of what is left.
    assert_eq!(
        select(&SCORES, 0.4, set(&[1, 2, 3]), VarSet::EMPTY),
        set(&[2])
    );
    assert_eq!(
        select(&SCORES, 0.8, set(&[1, 2, 3]), VarSet::EMPTY),
        set(&[1, 2, 3])
    );
    assert_eq!(select(&SCORES, 1.0, set(&[3]), set(&[0])), set(&[3]));
    assert_eq!(
        select(&SCORES, 0.8, VarSet::EMPTY, set(&[0, 1])),
        VarSet::EMPTY
    );
    // A set of eligible variables that do not exist.
    assert_eq!(
        select(&SCORES, 1.0, VarSet::first(32), VarSet::EMPTY),
        all(&SCORES)
    );
}

#[test]
fn what_is_forced_comes_first_and_counts() {
    assert_eq!(
        select(&SCORES, 0.8, all(&SCORES), set(&[3])),
        set(&[0, 2, 3])
    );
    assert_eq!(select(&SCORES, 0.1, all(&SCORES), set(&[3])), set(&[3]));
    assert_eq!(
        select(&[0.0_f32; 4], 0.8, all(&SCORES), set(&[1])),
        set(&[1])
    );
}

#[test]
fn selection_grows_with_the_threshold() {
    let mut last = VarSet::EMPTY;
    for step in 0..=100 {
        let selected = select(&SCORES, step as f32 / 100.0, all(&SCORES), VarSet::EMPTY);
        assert_eq!(last.difference(selected), VarSet::EMPTY, "at {step} %");
        last = selected;
    }
    assert_eq!(last, all(&SCORES));
}

#[test]
fn hostile_scores_select_nothing_of_their_own() {
    let hostile = [f32::NAN, f32::INFINITY, -1.0, f32::NEG_INFINITY];
    assert_eq!(
        select(&hostile, 0.8, all(&hostile), VarSet::EMPTY),
        VarSet::EMPTY
    );
    let mixed = [f32::NAN, 0.25, f32::INFINITY, 0.75];
    assert_eq!(
        select(&mixed, 0.8, all(&mixed), VarSet::EMPTY),
        set(&[1, 3])
    );
    assert_eq!(
        select(&SCORES, f32::NAN, all(&SCORES), VarSet::EMPTY),
        all(&SCORES)
    );

    let mut scores = mixed;
    normalise(&mut scores);
    assert_eq!(scores, [0.0, 0.25, 0.0, 0.75]);
    let mut nothing = [0.0_f32; 3];
    normalise(&mut nothing);
    assert_eq!(nothing, [0.0; 3]);
}

#[test]
fn a_free_context_counts_as_the_cheapest_possible() {
    let mut scores = [0.5_f32, 0.5];
    weigh_by_cost(&mut scores, &[0.0, 0.001]);
    assert_eq!(scores, [0.5, 0.5]);
    let mut scores = [0.5_f32, 0.5];
    weigh_by_cost(&mut scores, &[1.0, f32::INFINITY]);
    assert_eq!(scores, [1.0, 0.0]);
}

#[test]
fn a_random_half_is_half_and_every_half_occurs() {
    let mut generator = stream(1, Purpose::Dropout, 0);
    for count in 0..=32 {
        let half = random_half(&mut generator, count);
        assert_eq!(half.len(), count.div_ceil(2) as usize);
        assert_eq!(
            half.difference(VarSet::first(count as usize)),
            VarSet::EMPTY
        );
    }
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..10_000 {
        *seen
            .entry(random_half(&mut generator, 5).bits())
            .or_insert(0) += 1;
    }
    // 10 sets of 3 out of 5; four standard deviations of a count are 120.
    assert_eq!(seen.len(), 10);
    assert!(
        seen.values().all(|count| (880..=1120).contains(count)),
        "{seen:?}"
    );
}
