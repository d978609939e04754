//! Hartmann in four and six dimensions: the same four bumps, the 4-D form on the first four columns.

use super::synthetic::{Function, Synthetic};

const ALPHA: [f64; 4] = [1.0, 1.2, 3.0, 3.2];

const A: [[f64; 6]; 4] = [
    [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
    [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
    [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
    [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
];

const P: [[f64; 6]; 4] = [
    [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
    [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
    [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
    [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
];

/// Sum of the bumps; the paper prints the exponent without its square.
fn bumps(v: &[f64]) -> f64 {
    let bump = |i: usize| {
        let terms = A[i].iter().zip(&P[i]).zip(v);
        ALPHA[i] * (-terms.map(|((a, p), x)| a * (x - p).powi(2)).sum::<f64>()).exp()
    };
    (0..4).map(bump).sum()
}

/// Hartmann4D: x = {1, 4}, z = {2, 3}.
pub fn four(irrelevant: usize) -> Synthetic {
    let function = Function {
        name: "hartmann4",
        title: "Hartmann4D",
        bounds: (0.0, 1.0),
        raw: |v| (1.1 - bumps(v)) / 0.839,
        raw_min: -3.1344941412223988,
        raw_max: 1.3095406214559708,
        raw_argmin: &[
            0.1873952710279954,
            0.19415153086031936,
            0.5579177827298436,
            0.2647796246351455,
        ],
    };
    Synthetic::new(function, vec![0, 3], vec![1, 2], irrelevant)
}

/// Hartmann6D: x = {2, 5, 6}, z = {1, 3, 4}.
pub fn six(irrelevant: usize) -> Synthetic {
    let function = Function {
        name: "hartmann6",
        title: "Hartmann6D",
        bounds: (0.0, 1.0),
        raw: |v| -bumps(v),
        raw_min: -3.3223680114155143,
        raw_max: -2.8124505439686544e-08,
        raw_argmin: &[
            0.20168951106355495,
            0.15001069099672495,
            0.4768739762043027,
            0.2753324316513598,
            0.3116516147312024,
            0.6573005363430262,
        ],
    };
    Synthetic::new(function, vec![1, 4, 5], vec![0, 2, 3], irrelevant)
}
