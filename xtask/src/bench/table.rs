//! The figures as Markdown tables.

use std::fmt::Write;

use anyhow::{Context, Result};

use sadcbo_workload::bench::exponential;

use super::Figures;

const OBSERVATIONS: [u64; 4] = [16, 32, 64, 128];
const INPUTS: [u64; 2] = [7, 12];

pub fn render(figures: &Figures) -> Result<String> {
    Ok(format!(
        "{}\n{}\n{}\n{}\n{}",
        exponential(figures)?,
        factorisation(figures)?,
        surrogate(figures)?,
        step(figures)?,
        footprint(figures)?
    ))
}

fn factorisation(figures: &Figures) -> Result<String> {
    let mut table = String::from(
        "| Cholesky factorisation, n | sadcbo | per multiply-add | nalgebra | per multiply-add |\n\
         |---:|---:|---:|---:|---:|\n",
    );
    for n in OBSERVATIONS {
        let own = get(figures, &format!("cholesky/{n}"))?;
        let nalgebra = get(figures, &format!("nalgebra_cholesky/{n}"))?;
        let multiply_adds = ((n - 1) * n * (n + 1) / 6) as f64;
        writeln!(
            table,
            "| {n} | {} | {:.2} | {} | {:.2} |",
            grouped(own),
            own as f64 / multiply_adds,
            grouped(nalgebra),
            nalgebra as f64 / multiply_adds,
        )?;
    }
    Ok(table)
}

fn surrogate(figures: &Figures) -> Result<String> {
    const COLUMNS: [(&str, &str); 6] = [
        ("append", "append"),
        ("posterior", "posterior"),
        ("posterior_grad", "posterior + gradient"),
        ("lml_grad", "likelihood + gradient"),
        ("fit", "whole fit"),
        ("size_of/gp", "bytes of RAM"),
    ];
    let mut table = String::from("| observations × inputs |");
    for (_, title) in COLUMNS {
        write!(table, " {title} |")?;
    }
    table += "\n|---:|---:|---:|---:|---:|---:|---:|\n";
    for n in OBSERVATIONS {
        for inputs in INPUTS {
            write!(table, "| {n} × {inputs} |")?;
            for (name, _) in COLUMNS {
                let value = get(figures, &format!("{name}/{n}x{inputs}"))?;
                write!(table, " {} |", grouped(value))?;
            }
            table.push('\n');
        }
    }
    Ok(table)
}

fn exponential(figures: &Figures) -> Result<String> {
    let mut table = String::from(
        "| e^x for -20 ≤ x ≤ 0 | instructions | largest relative error |\n|---|---:|---:|\n",
    );
    for (name, key, function) in [
        ("sadcbo", "exp", exponential::own as fn(f32) -> f32),
        ("libm", "peer/libm_exp", exponential::libm),
        ("micromath", "peer/micromath_exp", exponential::micromath),
    ] {
        let (count, error) = (get(figures, key)?, largest_error(function));
        writeln!(table, "| {name} | {count} | {error:.1e} |")?;
    }
    Ok(table)
}

/// Against the double-precision exponential, at 20 001 points.
fn largest_error(function: fn(f32) -> f32) -> f64 {
    (0..=20_000)
        .map(|step| {
            let x = exponential::SMALLEST * step as f32 / 20_000.0;
            (f64::from(function(x)) / f64::from(x).exp() - 1.0).abs()
        })
        .fold(0.0, f64::max)
}

fn step(figures: &Figures) -> Result<String> {
    const STAGES: [&str; 5] = ["fit", "select", "reduce", "search", "switch"];
    const KINDS: [(&str, &str); 4] = [
        ("fast", "recording"),
        ("fast", "actuating"),
        ("standard", "recording"),
        ("standard", "actuating"),
    ];
    let mut table = String::from(
        "| a whole step of the controller, observations × design × context | preset | phase | million instructions | full fit \
         | selection | reduced fit | search | switching test |\n|---:|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let shapes = ["20x2x5", "40x2x5", "63x2x5", "60x3x9", "127x3x9"];
    for (shape, (preset, phase)) in shapes
        .iter()
        .flat_map(|shape| KINDS.map(|kind| (shape, kind)))
    {
        let name = format!("step/{preset}/{phase}/{shape}");
        let million = |key: &str| get(figures, key).map(|count| count as f64 / 1e6);
        write!(
            table,
            "| {} | {preset} | {phase} | {:.1} |",
            shape.replace('x', " × "),
            million(&name)?
        )?;
        for stage in STAGES {
            write!(table, " {:.1} |", million(&format!("{name}/{stage}"))?)?;
        }
        table.push('\n');
    }
    Ok(table)
}

fn footprint(figures: &Figures) -> Result<String> {
    let row = |title: &str, name: &str| -> Result<String> {
        let surrogate = get(figures, name)?;
        let controller = get(figures, &format!("{name}/controller/64x2x5"))?;
        Ok(format!(
            "| {title} | {} | {} |\n",
            grouped(surrogate),
            grouped(controller)
        ))
    };
    Ok(format!(
        "| bytes of an image with nothing else, 64 observations of 2 + 5 variables | surrogate | controller |\n\
         |---|---:|---:|\n{}{}{}",
        row("flash, initial values of variables included", "flash")?,
        row("static RAM", "ram")?,
        row("deepest stack", "stack_peak")?,
    ))
}

fn get(figures: &Figures, key: &str) -> Result<u64> {
    figures
        .get(key)
        .copied()
        .with_context(|| format!("the benchmark has no figure {key}"))
}

/// Digits in groups of three.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(123_456), "123 456");
        assert_eq!(grouped(1_234_567), "1 234 567");
    }
}
