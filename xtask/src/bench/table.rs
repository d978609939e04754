//! The figures as Markdown tables.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::Figures;

const OBSERVATIONS: [u64; 4] = [16, 32, 64, 128];
const INPUTS: [u64; 2] = [7, 12];

pub fn render(figures: &Figures) -> Result<String> {
    Ok(format!(
        "{}\n{}\n{}",
        factorisation(figures)?,
        surrogate(figures)?,
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

fn footprint(figures: &Figures) -> Result<String> {
    let value = |name| get(figures, name).map(grouped);
    Ok(format!(
        "| | |\n|---|---:|\n\
         | e^x for x ≤ 0, instructions | {} |\n\
         | flash of an image with one surrogate (64 × 7) and all its operations, bytes | {} |\n\
         | its static RAM, bytes | {} |\n\
         | its deepest stack, bytes | {} |\n",
        value("exp")?,
        value("flash")?,
        value("ram")?,
        value("stack_peak")?,
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
