//! Averaging of relevance: golden family `fc`, from its divergences to the scores, and degenerate rows.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::parts::relevance::Relevance;
use sadcbo::{Divergence, Scalar};
use support::golden::{Case, cases, scalars};
use support::tolerance::SHARES;

/// More contexts than any golden case has; those beyond the case's own have divergence 0 and so share 0.
const C: usize = 24;

fn shares<T: Scalar>(divergence: Divergence, divergences: &[Vec<f64>], rows: &[usize]) -> [T; C] {
    let mut relevance = Relevance::<C, T>::new(divergence);
    for &row in rows {
        let mut r = [T::ZERO; C];
        let given = scalars::<T>(&divergences[row]);
        r[..given.len()].copy_from_slice(&given);
        relevance.add_row(&r);
    }
    relevance.shares()
}

fn check<T: Scalar>(case: &Case, expected: &str, got: [T; C]) {
    let expected = case.numbers(expected);
    for (j, share) in got.into_iter().enumerate() {
        let wanted = expected.get(j).copied().unwrap_or(0.0);
        SHARES.check_scaled(&format!("{} context {j}", case.name()), share, wanted, 1.0);
    }
}

fn golden<T: Scalar>() {
    for case in cases("fc") {
        let r = case.rows("expected/r_y");
        let data: Vec<usize> = (0..case.count("n")).collect();
        check::<T>(&case, "expected/FC_D", shares(Divergence::Kl, &r, &data));
        let elite = case.counts("expected/D_gamma");
        check::<T>(
            &case,
            "expected/FC_D_gamma",
            shares(Divergence::Kl, &r, &elite),
        );
        let promising = case.counts("expected/D_BO_rows");
        check::<T>(
            &case,
            "expected/FC_D_BO",
            shares(Divergence::Kl, &r, &promising),
        );
        check::<T>(
            &case,
            "expected/FC_D_BO_sqrt",
            shares(Divergence::SqrtKl, &r, &promising),
        );
        let latent = case.rows("expected/r_f");
        check::<T>(
            &case,
            "expected/FC_D_BO_latent",
            shares(Divergence::Kl, &latent, &promising),
        );
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

#[test]
fn rows_that_say_nothing_do_not_count() {
    let mut relevance = Relevance::<2, f32>::new(Divergence::Kl);
    assert_eq!(relevance.shares(), [0.0, 0.0]);
    relevance.add_row(&[0.0, 0.0]);
    relevance.add_row(&[f32::NAN, 1.0]);
    relevance.add_row(&[1.0, f32::INFINITY]);
    relevance.add_row(&[f32::MAX, f32::MAX]);
    assert_eq!(relevance.shares(), [0.0, 0.0]);
    relevance.add_row(&[3.0, 1.0]);
    relevance.add_row(&[0.0, 0.0]);
    assert_eq!(relevance.shares(), [0.75, 0.25]);
    relevance.add_row(&[1e-30, 1e-30]);
    assert_eq!(relevance.shares(), [0.625, 0.375]);
}

#[test]
fn no_context_has_no_share() {
    let mut relevance = Relevance::<0, f32>::new(Divergence::SqrtKl);
    relevance.add_row(&[]);
    assert_eq!(relevance.shares(), [0.0; 0]);
}
