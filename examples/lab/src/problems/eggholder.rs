//! EggHolder: one design, one relevant context, many deep local optima.

use super::synthetic::{Function, Synthetic};

fn raw(v: &[f64]) -> f64 {
    let (a, b) = (v[0], v[1] + 47.0);
    -b * (b + a / 2.0).abs().sqrt().sin() - a * (a - b).abs().sqrt().sin()
}

pub fn problem(irrelevant: usize) -> Synthetic {
    let function = Function {
        name: "eggholder",
        title: "EggHolder",
        bounds: (-512.0, 512.0),
        raw,
        raw_min: -959.6406627208507,
        raw_max: 1049.1316235044933,
        raw_argmin: &[512.0, 404.23180498565733],
    };
    Synthetic::new(function, vec![0], vec![1], irrelevant)
}
