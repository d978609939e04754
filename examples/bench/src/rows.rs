//! The tables, one row per number of observations. Candidates must agree before they are timed.

use std::hint::black_box;

use sadcbo::parts::factor::{Panels, factorise};

use crate::number::{Number, number};
use crate::problem::{Problem, point};
use crate::timing::{Candidate, medians, once};
use crate::{egobox, on_faer, on_nalgebra, own};

/// Runs a generic function for every number of observations.
macro_rules! for_each_size {
    ($row:ident) => {{
        $row::<20>();
        $row::<50>();
        $row::<100>();
        $row::<200>();
    }};
}

pub fn factorisation() {
    println!(
        "| Cholesky factorisation, µs, n | sadcbo f32 | f64 | nalgebra f32 | f64 | faer f32 | f64 |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for_each_size!(factorisation_row);
    println!();
}

fn factorisation_row<const N: usize>() {
    let mut single = factorisation_times::<N, f32>();
    let double = factorisation_times::<N, f64>();
    single.extend(double);
    print_row(
        N,
        &[
            single[0], single[3], single[1], single[4], single[2], single[5],
        ],
    );
}

fn factorisation_times<const N: usize, T: Number>() -> Vec<f64> {
    let problem = Problem::<T>::new(N);
    let nalgebra = on_nalgebra::kernel_matrix(&problem);
    let faer = on_faer::kernel_matrix(&problem);
    let mut matrix = Box::new(Panels::<N, T>::new());
    matrix.set_matrix(N, |i, j| nalgebra[(i, j)]);
    let mut panels = matrix.clone();
    // Each factorises a copy.
    let candidates: [Candidate<'_>; 3] = [
        Box::new(|| {
            panels.clone_from(black_box(&matrix));
            assert!(factorise(&mut *panels, N, number(0.0)));
            black_box(&panels);
        }),
        Box::new(|| {
            black_box(nalgebra::Cholesky::new(black_box(&nalgebra).clone()));
        }),
        Box::new(|| {
            black_box(
                black_box(&faer)
                    .llt(faer::Side::Lower)
                    .expect("it is positive definite"),
            );
        }),
    ];
    medians(&mut { candidates })
}

pub fn likelihood() {
    println!(
        "| likelihood + gradient, µs, n | sadcbo f32 | f64 | on nalgebra f32 | f64 | on faer f32 | f64 |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for_each_size!(likelihood_row);
    println!();
}

fn likelihood_row<const N: usize>() {
    let single = likelihood_times::<N, f32>(1e-3);
    let double = likelihood_times::<N, f64>(1e-9);
    print_row(
        N,
        &[
            single[0], double[0], single[1], double[1], single[2], double[2],
        ],
    );
}

fn likelihood_times<const N: usize, T: Number>(tolerance: f64) -> Vec<f64> {
    let problem = Problem::<T>::new(N);
    let mut gp = own::process::<N, T>(&problem);
    let expected = own::likelihood(&mut gp);
    for (name, found) in [
        ("nalgebra", on_nalgebra::likelihood(&problem)),
        ("faer", on_faer::likelihood(&problem)),
    ] {
        agree(name, expected.0, found.0, tolerance);
        for (expected, found) in expected.1.into_iter().zip(found.1) {
            agree(name, expected, found, tolerance);
        }
    }
    let candidates: [Candidate<'_>; 3] = [
        Box::new(|| {
            black_box(own::likelihood(black_box(&mut gp)));
        }),
        Box::new(|| {
            black_box(on_nalgebra::likelihood(black_box(&problem)));
        }),
        Box::new(|| {
            black_box(on_faer::likelihood(black_box(&problem)));
        }),
    ];
    medians(&mut { candidates })
}

pub fn posterior() {
    println!(
        "| posterior mean + variance, µs, n | sadcbo f32 | f64 | on nalgebra f64 | on faer f64 | egobox-gp f64 |"
    );
    println!("|---:|---:|---:|---:|---:|---:|");
    for_each_size!(posterior_row);
    println!();
}

fn posterior_row<const N: usize>() {
    let (single, double) = (Problem::<f32>::new(N), Problem::<f64>::new(N));
    let (gp32, gp64) = (
        own::process::<N, f32>(&single),
        own::process::<N, f64>(&double),
    );
    let (at32, at64) = (point(&single.probe), point(&double.probe));
    let nalgebra = on_nalgebra::process(&double);
    let faer = on_faer::process(&double);
    let egobox = egobox::fit(&double);
    let probe = egobox::probe(&double);
    let expected = gp64.posterior(&at64).expect("the process is ready");
    for (name, found) in [
        ("nalgebra", on_nalgebra::posterior(&nalgebra, &double)),
        ("faer", on_faer::posterior(&faer, &double)),
    ] {
        agree(name, expected.mean, found.0, 1e-9);
        agree(name, expected.variance, found.1, 1e-9);
    }
    let mut candidates: [Candidate<'_>; 5] = [
        Box::new(|| {
            black_box(
                gp32.posterior(black_box(&at32))
                    .expect("the process is ready"),
            );
        }),
        Box::new(|| {
            black_box(
                gp64.posterior(black_box(&at64))
                    .expect("the process is ready"),
            );
        }),
        Box::new(|| {
            black_box(on_nalgebra::posterior(&nalgebra, black_box(&double)));
        }),
        Box::new(|| {
            black_box(on_faer::posterior(&faer, black_box(&double)));
        }),
        Box::new(|| {
            black_box(
                egobox
                    .predict_valvar(black_box(&probe))
                    .expect("it predicts"),
            );
        }),
    ];
    print_row(N, &medians(&mut candidates));
}

pub fn fit() {
    println!(
        "| whole fit, ms (log marginal likelihood reached), n | sadcbo f32 | f64 | egobox-gp f64 | times faster, f64 |"
    );
    println!("|---:|---:|---:|---:|---:|");
    for_each_size!(fit_row);
    println!(
        "\nMaximum likelihood from each crate's default number of starts. The likelihood is that of the length scales and \
         the noise ratio found, for zero mean and the best signal variance, computed in f64 for all."
    );
}

fn fit_row<const N: usize>() {
    let (single, double) = (Problem::<f32>::new(N), Problem::<f64>::new(N));
    // A fit is long and does the same work each time: the median of a few, in turn.
    let mut times = [const { Vec::new() }; 3];
    let mut reached = [0.0; 3];
    for _ in 0..3 {
        let mut gp = own::process::<N, f32>(&single);
        times[0].push(once(|| own::fit(&mut gp)).1);
        reached[0] = own::judge::<N>(&double, own::length_scales(&gp), own::noise_ratio(&gp));
        let mut gp = own::process::<N, f64>(&double);
        times[1].push(once(|| own::fit(&mut gp)).1);
        reached[1] = own::judge::<N>(&double, own::length_scales(&gp), own::noise_ratio(&gp));
        let (process, time) = once(|| egobox::fit(&double));
        times[2].push(time);
        let scales = egobox::length_scales(&process, &double);
        reached[2] = own::judge::<N>(&double, scales, egobox::NOISE_RATIO);
    }
    let [single, double, egobox] = times.map(crate::timing::median);
    println!(
        "| {N} | {:.1} ({:.2}) | {:.1} ({:.2}) | {:.1} ({:.2}) | {:.1} |",
        single * 1e3,
        reached[0],
        double * 1e3,
        reached[1],
        egobox * 1e3,
        reached[2],
        egobox / double
    );
}

fn print_row(n: usize, seconds: &[f64]) {
    let cells: Vec<String> = seconds
        .iter()
        .map(|time| format!("{:.1}", time * 1e6))
        .collect();
    println!("| {n} | {} |", cells.join(" | "));
}

/// Candidates that do not compute the same are not worth timing.
fn agree<T: Number>(name: &str, expected: T, found: T, tolerance: f64) {
    let (expected, found) = (
        sadcbo::Scalar::to_f64(expected),
        sadcbo::Scalar::to_f64(found),
    );
    let scale = expected.abs().max(1.0);
    assert!(
        (expected - found).abs() <= tolerance * scale,
        "{name} gives {found}, sadcbo {expected}"
    );
}
