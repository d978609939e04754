//! The random generator and the quasi-random points: their values never change, and they fill the cube.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use rand_core::Rng;
use sadcbo::parts::rng::{Purpose, below, stream, uniform};
use sadcbo::parts::sobol::{DIMENSIONS, Sobol, digits};

/// First draws, from a separate implementation of xoshiro128++ and SplitMix64 in Python.
#[test]
fn streams_never_change() {
    let first = |seed, purpose, step| {
        let mut generator = stream(seed, purpose, step);
        [(); 3].map(|()| generator.next_u32())
    };
    assert_eq!(
        first(0, Purpose::InitialDesign, 0),
        [2490707686, 3449214874, 2354995586]
    );
    assert_eq!(
        first(1, Purpose::Search, 7),
        [1996327567, 3695850772, 3083622611]
    );
    assert_eq!(
        first(u64::MAX, Purpose::Switch, u32::MAX),
        [2854460018, 2725950434, 1792484113]
    );
}

#[test]
fn purposes_and_steps_have_streams_of_their_own() {
    let purposes = [
        Purpose::InitialDesign,
        Purpose::Search,
        Purpose::BaseSamples,
        Purpose::Fit,
        Purpose::Dropout,
        Purpose::Switch,
    ];
    let mut seen = std::collections::HashSet::new();
    for purpose in purposes {
        for step in 0..500 {
            assert!(
                seen.insert(stream(42, purpose, step).next_u64()),
                "{purpose:?} {step}"
            );
        }
    }
}

#[test]
fn both_precisions_see_the_same_draws() {
    let mut single = stream(3, Purpose::Fit, 1);
    let mut double = stream(3, Purpose::Fit, 1);
    let mut sum = 0.0;
    for _ in 0..10_000 {
        let (s, d): (f32, f64) = (uniform(&mut single), uniform(&mut double));
        assert!((0.0..1.0).contains(&s) && (0.0..1.0).contains(&d));
        let lost = d - f64::from(s);
        assert!((0.0..2.0_f64.powi(-24)).contains(&lost), "{s} {d}");
        sum += d;
    }
    // Four standard deviations of the mean of 10 000 uniform numbers are 0.0115.
    assert!((sum / 1e4 - 0.5).abs() < 0.0115, "{sum}");
}

#[test]
fn whole_numbers_stay_below_and_reach_everything() {
    let mut generator = stream(5, Purpose::Dropout, 0);
    let mut seen = [0; 7];
    for _ in 0..7_000 {
        seen[below(&mut generator, 7) as usize] += 1;
    }
    // Four standard deviations of a count are 117.
    assert!(
        seen.iter().all(|count| (883..=1117).contains(count)),
        "{seen:?}"
    );
    assert_eq!(below(&mut generator, 0), 0);
}

/// FNV-1a over 256 points of 64 dimensions, computed from scipy 1.17's `qmc.Sobol(64, scramble=False)`, whose order is
/// that of the Gray code.
#[test]
fn unscrambled_points_are_those_of_scipy() {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for index in 0..256 {
        for dimension in 0..DIMENSIONS {
            for byte in digits(index, dimension).to_le_bytes() {
                digest = (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    assert_eq!(digest, 0xb755_5a42_1c2c_dd25);
}

#[test]
fn scrambled_points_never_change() {
    let sobol = Sobol::new(2024);
    let values =
        [(0, 0), (1, 0), (2, 1), (100, 13), (u16::MAX, 63)].map(|(i, d)| sobol.point::<f64>(i, d));
    assert_eq!(
        values,
        [
            0.03294602711685002,
            0.7535620904527605,
            0.8483619708567858,
            0.1773702164646238,
            0.5623173248022795
        ]
    );
}

/// Of the first 2^k points, each interval of length 2^-k holds exactly one, in every dimension.
#[test]
fn every_projection_is_stratified() {
    for seed in [0, 1, 0xdead_beef] {
        let sobol = Sobol::new(seed);
        for dimension in 0..DIMENSIONS {
            for k in [3, 6, 10] {
                let mut hit = vec![false; 1 << k];
                for index in 0..1 << k {
                    let x: f32 = sobol.point(index, dimension);
                    let cell = &mut hit[(x * (1 << k) as f32) as usize];
                    assert!(
                        !*cell,
                        "seed {seed}, dimension {dimension}, {k} digits, point {index}"
                    );
                    *cell = true;
                }
            }
        }
    }
}

#[test]
fn single_precision_never_reaches_one() {
    let sobol = Sobol::new(7);
    for index in 0..u16::MAX {
        let (s, d): (f32, f64) = (sobol.point(index, 3), sobol.point(index, 3));
        assert!(s < 1.0 && f64::from(s) <= d && d - f64::from(s) < 2.0_f64.powi(-24));
    }
}

#[test]
fn dimensions_beyond_the_table_are_scrambled_differently() {
    let sobol = Sobol::new(9);
    assert_eq!(digits(77, 64), digits(77, 0));
    assert_ne!(sobol.point::<f64>(77, 64), sobol.point::<f64>(77, 0));
}

/// Squared star discrepancy in the L2 sense (Warnock's formula).
fn discrepancy(points: &[Vec<f64>]) -> f64 {
    let n = points.len() as f64;
    let d = points[0].len() as i32;
    let single: f64 = points
        .iter()
        .map(|p| p.iter().map(|x| (1.0 - x * x) / 2.0).product::<f64>())
        .sum();
    let pairs: f64 = points
        .iter()
        .flat_map(|p| {
            points.iter().map(|q| {
                p.iter()
                    .zip(q)
                    .map(|(x, y)| 1.0 - x.max(*y))
                    .product::<f64>()
            })
        })
        .sum();
    3.0_f64.powi(-d) - 2.0 / n * single + pairs / (n * n)
}

#[test]
fn points_are_more_even_than_random_ones() {
    // For random points the expectation of the squared discrepancy is (2^-d - 3^-d) / n. The factors below are what
    // scipy 1.17's scrambled points reach too (1.75, 2.47, 1.03 and 74.8 as the mean of 32 seeds).
    for (n, dimensions, gain) in [
        (64_u16, 7_usize, 1.5),
        (256, 7, 2.0),
        (256, 12, 1.0),
        (256, 2, 50.0),
    ] {
        let mean = (0..8).map(|seed| {
            let sobol = Sobol::new(seed);
            let points: Vec<Vec<f64>> = (0..n)
                .map(|index| (0..dimensions).map(|d| sobol.point(index, d)).collect())
                .collect();
            discrepancy(&points)
        });
        let mean = mean.sum::<f64>() / 8.0;
        let random = (2.0_f64.powi(-(dimensions as i32)) - 3.0_f64.powi(-(dimensions as i32)))
            / f64::from(n);
        assert!(
            mean * gain < random,
            "{n} points, {dimensions} dimensions: {mean:e} against {random:e}"
        );
    }
}
