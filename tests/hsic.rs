//! Dependence of being among the best on a context: golden family `hsic`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::parts::elite::elite;
use sadcbo::parts::hsic::{Row, hsic, median_distance, score};
use sadcbo::parts::selection::normalise;
use sadcbo::{EliteRule, Scalar};
use support::golden::{cases, scalars};
use support::tolerance::{HSIC, HSIC_SHARES, MEDIAN};

fn golden<T: Scalar>() {
    for case in cases("hsic") {
        let y: Vec<T> = scalars(&case.numbers("input/y"));
        let best = elite(
            EliteRule::Ratio(T::from_f64(case.number("input/gamma"))),
            &y,
        );
        let indicator: Vec<bool> = (0..y.len()).map(|row| best.contains(row, y[row])).collect();
        let expected: Vec<bool> = case
            .counts("expected/indicator")
            .iter()
            .map(|&flag| flag == 1)
            .collect();
        assert_eq!(indicator, expected, "{}", case.name());

        let z = case.rows("input/Z");
        let mut scores = Vec::new();
        for (j, fixed) in case
            .numbers("input/bandwidth_fixed")
            .into_iter()
            .enumerate()
        {
            let mut rows: Vec<Row<T>> = z
                .iter()
                .zip(&indicator)
                .map(|(row, &is_best)| (T::from_f64(row[j]), is_best))
                .collect();
            let what = format!("{} context {j}", case.name());
            let with_fixed = score(&rows, T::from_f64(fixed));
            HSIC.check_scaled(
                &what,
                with_fixed,
                case.numbers("expected/S_hsic_fixed")[j],
                1.0,
            );
            scores.push(hsic(&mut rows));
            HSIC.check_scaled(
                &what,
                scores[j],
                case.numbers("expected/S_hsic_median")[j],
                1.0,
            );
            // hsic() has sorted the rows. The golden bandwidth is 1 where the median is 0.
            let median = median_distance(&rows);
            let bandwidth = if median > T::ZERO { median } else { T::ONE };
            MEDIAN.check(
                &what,
                bandwidth,
                case.numbers("expected/median_bandwidth")[j],
                0.0,
            );
        }
        normalise(&mut scores);
        if case.has("expected/S_hsic_median_normalised") {
            for (got, share) in scores
                .iter()
                .zip(case.numbers("expected/S_hsic_median_normalised"))
            {
                HSIC_SHARES.check_scaled(&case.name(), *got, share, 1.0);
            }
        } else {
            assert!(
                scores.iter().all(|&share| share == T::ZERO),
                "{}",
                case.name()
            );
        }
    }
}

#[test]
fn golden_single() {
    golden::<f32>();
}

#[test]
fn golden_double() {
    golden::<f64>();
}

/// Against the median of a sorted list of all distances, with many equal values among them, for odd and even counts.
#[test]
fn median_is_exact() {
    for n in 0..60_usize {
        for steps in [1, 2, 7, 1000] {
            let value =
                |i: usize| ((i * 7919 + n * 31) % 1009 * steps / 1009) as f32 / steps as f32;
            let mut rows: Vec<Row<f32>> = (0..n).map(|i| (value(i), i % 3 == 0)).collect();
            rows.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut distances: Vec<f32> = (0..n)
                .flat_map(|b| (0..b).map(move |a| (a, b)))
                .map(|(a, b)| rows[b].0 - rows[a].0)
                .collect();
            distances.sort_by(f32::total_cmp);
            let expected = match distances.len() {
                0 => 0.0,
                pairs if pairs % 2 == 1 => distances[pairs / 2],
                pairs => 0.5 * (distances[pairs / 2 - 1] + distances[pairs / 2]),
            };
            assert_eq!(median_distance(&rows), expected, "{n} rows, {steps} steps");
        }
    }
}

#[test]
fn order_of_the_rows_changes_nothing() {
    let forward: Vec<Row<f32>> = (0..40_u16)
        .map(|i| (f32::from(i * 37 % 40) / 40.0, i % 5 == 0))
        .collect();
    let mut backward: Vec<Row<f32>> = forward.iter().rev().copied().collect();
    assert_eq!(hsic(&mut forward.clone()), hsic(&mut backward));
}

#[test]
fn extremes_end() {
    assert_eq!(hsic::<f32>(&mut []), 0.0);
    let tiny = f32::from_bits(1);
    for values in [[0.0, tiny, 1.0], [-1e36, 0.0, 1e36], [0.5, 0.5, 0.5]] {
        let mut rows = [(values[0], true), (values[1], false), (values[2], false)];
        let got = hsic(&mut rows);
        assert!((0.0..1.0).contains(&got), "{values:?}: {got}");
    }
}
