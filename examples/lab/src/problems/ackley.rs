//! Ackley in five dimensions. How many of its coordinates are design variables can be chosen, for
//! the study of switching times against the share of relevant contexts.

use std::f64::consts::{E, TAU};

use anyhow::{Result, ensure};

use super::synthetic::{Function, Synthetic};

fn raw(v: &[f64]) -> f64 {
    let n = v.len() as f64;
    let square = v.iter().map(|x| x * x).sum::<f64>() / n;
    let ripple = v.iter().map(|x| (TAU * x).cos()).sum::<f64>() / n;
    -20.0 * (-0.2 * square.sqrt()).exp() - ripple.exp() + 20.0 + E
}

/// The first `design` coordinates are designs, the others contexts.
pub fn problem(design: usize, irrelevant: usize) -> Result<Synthetic> {
    ensure!(
        (1..=4).contains(&design),
        "ackley5 has five coordinates: design must be 1 to 4, not {design}"
    );
    let function = Function {
        name: "ackley5",
        title: "Ackley5D",
        bounds: (-5.0, 5.0),
        raw,
        raw_min: 0.0,
        raw_max: 14.302667500265276,
        raw_argmin: &[0.0; 5],
    };
    Ok(Synthetic::new(
        function,
        (0..design).collect(),
        (design..5).collect(),
        irrelevant,
    ))
}
