//! Values worked out by hand or read from printed tables.

use super::*;

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

#[test]
fn mean_and_standard_error() {
    // Mean 3, sum of squares 10, variance 2.5, error sqrt(0.5).
    let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    close(estimate.mean, 3.0, 1e-15);
    close(estimate.se, 0.5f64.sqrt(), 1e-15);
    assert_eq!(Estimate::of(&[2.0]), Estimate { mean: 2.0, se: 0.0 });
}

#[test]
fn best_at_a_cost_is_that_of_the_last_step_paid() {
    let steps = [(0.0, 0.1), (2.0, 0.3), (4.0, 0.3), (9.0, 0.8)];
    for (cost, best) in [
        (0.0, 0.1),
        (1.99, 0.1),
        (2.0, 0.3),
        (8.0, 0.3),
        (9.0, 0.8),
        (50.0, 0.8),
    ] {
        assert_eq!(best_at(steps, cost), best, "{cost}");
    }
    assert!(best_at([], 1.0).is_nan());
}

#[test]
fn quantiles_of_student() {
    // Printed tables: 95 % two-sided.
    for (freedom, t) in [
        (1.0, 12.706),
        (2.0, 4.303),
        (9.0, 2.262),
        (30.0, 2.042),
        (99.0, 1.984),
    ] {
        close(t_quantile(0.05, freedom), t, 5e-4);
    }
    // One degree of freedom is Cauchy: P(|t| > 1) = 1/2. Two: P(|t| > t) = 1 - t / sqrt(2 + t^2).
    close(t_two_sided(1.0, 1.0), 0.5, 1e-12);
    close(t_two_sided(3.0, 2.0), 1.0 - 3.0 / 11f64.sqrt(), 1e-12);
}

#[test]
fn paired_t_test_by_hand() {
    // Differences 1, 2, 3: mean 2, error 1/sqrt(3), t = 2 sqrt(3), 2 degrees: p = 1 - t / sqrt(2 + t^2).
    let test = paired_t(&[2.0, 4.0, 6.0], &[1.0, 2.0, 3.0]);
    close(test.difference, 2.0, 1e-15);
    close(test.p, 1.0 - (12f64 / 14.0).sqrt(), 1e-12);
    close(test.margin, 4.303 / 3f64.sqrt(), 1e-3);
    // No difference at all, the same difference always, one pair only.
    assert_eq!(paired_t(&[1.0, 2.0], &[1.0, 2.0]).p, 1.0);
    assert_eq!(paired_t(&[2.0, 3.0], &[1.0, 2.0]).p, 0.0);
    assert_eq!(paired_t(&[2.0], &[1.0]).p, 1.0);
}

#[test]
fn welch_equals_student_for_equal_spread_and_size() {
    // Both have variance 1 and n = 3: t = -3 / sqrt(2/3), 4 degrees.
    let test = welch_t(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]);
    close(test.difference, -3.0, 1e-15);
    close(test.p, t_two_sided(3.0 / (2f64 / 3.0).sqrt(), 4.0), 1e-12);
    close(test.margin, 2.776 * (2f64 / 3.0).sqrt(), 1e-3);
    assert_eq!(welch_t(&[1.0, 1.0], &[1.0, 1.0]).p, 1.0);
}

#[test]
fn wilcoxon_by_hand() {
    // All five differences positive: only one sign pattern of 32 has so high a sum; two-sided 2/32.
    let zero = [0.0; 5];
    close(
        wilcoxon(&[1.0, 2.0, 3.0, 4.0, 5.0], &zero),
        2.0 / 32.0,
        1e-15,
    );
    // Rank 1 negative: sums 0 and 1 are as extreme: 2 (1 + 1) / 32.
    close(
        wilcoxon(&[-1.0, 2.0, 3.0, 4.0, 5.0], &zero),
        4.0 / 32.0,
        1e-15,
    );
    assert_eq!(wilcoxon(&zero, &zero), 1.0);
    // Ties: ranks 1.5, 1.5, 3 all positive; W = 6, mean 3, variance 3.5 - 6/48 = 3.375.
    let z: f64 = 2.5 / 3.375f64.sqrt();
    close(
        wilcoxon(&[1.0, 1.0, 2.0], &[0.0; 3]),
        erfc(z / 2f64.sqrt()),
        1e-12,
    );
}

#[test]
fn holm_by_hand() {
    // Sorted 0.01, 0.02, 0.04 times 3, 2, 1, then made monotone.
    let corrected = holm(&[0.04, 0.01, 0.02]);
    for (a, b) in corrected.iter().zip([0.04, 0.03, 0.04]) {
        close(*a, b, 1e-15);
    }
}

#[test]
fn ranking_orders_tests_and_shares_places() {
    let values = vec![
        vec![0.25, 0.0, 0.25],
        vec![1.0, 0.75, 0.875],
        vec![0.875, 0.75, 1.0],
    ];
    let places = ranking(&values);
    let order: Vec<usize> = places.iter().map(|p| p.method).collect();
    assert_eq!(order[2], 0);
    assert_eq!(places[2].rank, 3.0);
    // Equal means share places 1 and 2.
    assert_eq!((places[0].rank, places[1].rank), (1.5, 1.5));
    assert!(!places[0].is_beaten() && !places[1].is_beaten());
    assert!(places[2].is_beaten(), "{:?}", places[2]);
}
