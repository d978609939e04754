//! The data: Hartmann's function of 6 variables, which are every other one of 12 inputs.

use sadcbo::Point;

use crate::number::{Number, number};

/// Inputs: 3 of the design and 9 of the context.
pub const DESIGN: usize = 3;
pub const CONTEXT: usize = 9;
pub const INPUTS: usize = DESIGN + CONTEXT;

/// The hyperparameters at which likelihood and posterior are timed.
pub const LENGTH_SCALE: f64 = 0.7;
pub const NOISE: f64 = 1e-2;

/// Observations with standardised outputs.
#[derive(Clone)]
pub struct Problem<T> {
    pub inputs: Vec<[T; INPUTS]>,
    pub outputs: Vec<T>,
    /// Where the posterior is asked for.
    pub probe: [T; INPUTS],
}

impl<T: Number> Problem<T> {
    pub fn new(observations: usize) -> Self {
        // Knuth's MMIX generator; multiples of 2^-24 are the same number in either precision.
        let mut state = observations as u64;
        let mut point = || -> [f64; INPUTS] {
            std::array::from_fn(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as f64 / 16_777_216.0
            })
        };
        let probe = point();
        let inputs: Vec<[f64; INPUTS]> = (0..observations).map(|_| point()).collect();
        let raw: Vec<f64> = inputs.iter().map(hartmann6).collect();
        let count = observations as f64;
        let mean = raw.iter().sum::<f64>() / count;
        let variance = raw.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Self {
            inputs: inputs.iter().map(|row| row.map(number)).collect(),
            outputs: raw
                .iter()
                .map(|y| number((y - mean) / variance.sqrt()))
                .collect(),
            probe: probe.map(number),
        }
    }
}

/// A row of inputs as the library takes it.
pub fn point<T: Number>(row: &[T; INPUTS]) -> Point<DESIGN, CONTEXT, T> {
    let mut at = Point::ORIGIN;
    for (to, &from) in at.iter_mut().zip(row) {
        *to = from;
    }
    at
}

/// Hartmann's function of 6 variables with the sign that makes its optimum a maximum.
fn hartmann6(row: &[f64; INPUTS]) -> f64 {
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
    let term = |alpha: f64, a: &[f64; 6], p: &[f64; 6]| {
        let variables = row.iter().step_by(2);
        let exponent: f64 = variables
            .zip(a.iter().zip(p))
            .map(|(x, (a, p))| a * (x - p).powi(2))
            .sum();
        alpha * (-exponent).exp()
    };
    ALPHA
        .iter()
        .zip(A.iter().zip(&P))
        .map(|(&alpha, (a, p))| term(alpha, a, p))
        .sum()
}

/// Refuses to time the wrong function: it has a known maximum.
pub fn check() {
    let optimum = [0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573];
    let mut row = [0.9; INPUTS];
    for (index, x) in optimum.into_iter().enumerate() {
        row[2 * index] = x;
    }
    assert!((hartmann6(&row) - 3.32237).abs() < 1e-5);
}
