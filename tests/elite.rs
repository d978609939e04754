//! The best observations: golden families `fc_dgamma` and `fc`, and hostile input.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::parts::elite::elite;
use sadcbo::{EliteRule, Scalar};
use support::golden::{cases, scalars};

fn rows<T: Scalar>(rule: EliteRule<T>, y: &[T]) -> Vec<usize> {
    let set = elite(rule, y);
    (0..y.len())
        .filter(|&row| set.contains(row, y[row]))
        .collect()
}

fn ranges_and_ratios<T: Scalar>(family: &'static str) {
    for case in cases(family) {
        let y: Vec<T> = scalars(&case.numbers("input/y"));
        let gamma = T::from_f64(case.number("input/gamma"));
        let min_max = rows(EliteRule::MinMax(gamma), &y);
        assert_eq!(
            min_max,
            case.counts("expected/D_gamma_minmax"),
            "{}",
            case.name()
        );
        // The printed ratio where it has a meaning, the range elsewhere.
        let ratio = rows(EliteRule::Ratio(gamma), &y);
        assert_eq!(ratio, case.counts("expected/D_gamma"), "{}", case.name());
    }
}

fn ranks<T: Scalar>() {
    for case in cases("fc") {
        let y: Vec<T> = scalars(&case.numbers("input/y"));
        let rule = EliteRule::TopFraction(T::from_f64(case.number("input/top_fraction")));
        let mut expected = case.counts("expected/D_top_reference");
        expected.sort_unstable();
        assert_eq!(rows(rule, &y), expected, "{}", case.name());
    }
}

#[test]
fn golden_single() {
    ranges_and_ratios::<f32>("fc_dgamma");
    ranges_and_ratios::<f32>("fc");
    ranks::<f32>();
}

#[test]
fn golden_double() {
    ranges_and_ratios::<f64>("fc_dgamma");
    ranges_and_ratios::<f64>("fc");
    ranks::<f64>();
}

#[test]
fn ranks_among_equals_go_to_the_older() {
    let y = [1.0_f32, 2.0, 1.0, 1.0, 2.0];
    assert_eq!(rows(EliteRule::TopFraction(0.6), &y), [0, 1, 4]);
    assert_eq!(rows(EliteRule::TopFraction(0.2), &y), [1]);
    assert!(rows(EliteRule::TopFraction(0.0), &y).is_empty());
    assert_eq!(rows(EliteRule::TopFraction(7.0), &y), [0, 1, 2, 3, 4]);
}

/// Every fraction k/n selects exactly k rows, although most have no exact binary form.
#[test]
fn fractions_are_whole_where_they_should_be() {
    for n in (1..=40_u16).chain([64, 100, 128]) {
        let y: Vec<f32> = (0..n).map(f32::from).collect();
        for k in 0..=n {
            let fraction = f32::from(k) / f32::from(n);
            assert_eq!(
                rows(EliteRule::TopFraction(fraction), &y).len(),
                usize::from(k),
                "{k}/{n}"
            );
        }
    }
}

#[test]
fn the_best_row_is_always_among_the_best() {
    for scale in [1e-30_f32, 1.0, 1e36] {
        for offset in [-1.0, 0.0, 0.37, 1.0] {
            let y: Vec<f32> = (0..50)
                .map(|i| ((i * 37 % 50) as f32 * 0.0137 + offset) * scale)
                .collect();
            let best = (0..50)
                .reduce(|a, b| if y[b] > y[a] { b } else { a })
                .unwrap();
            for rule in [
                EliteRule::MinMax(1.0),
                EliteRule::Ratio(1.0),
                EliteRule::default(),
            ] {
                assert!(rows(rule, &y).contains(&best), "{scale} {offset} {rule:?}");
            }
        }
    }
}

#[test]
fn nothing_is_the_best_of_nothing() {
    for rule in [
        EliteRule::MinMax(0.8),
        EliteRule::Ratio(0.8),
        EliteRule::TopFraction(0.2),
    ] {
        assert!(rows::<f32>(rule, &[]).is_empty());
    }
    // A fraction or ratio that is not a number selects nothing.
    for rule in [EliteRule::MinMax, EliteRule::Ratio, EliteRule::TopFraction] {
        assert!(rows(rule(f32::NAN), &[1.0, 2.0]).is_empty());
    }
}
