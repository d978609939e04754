//! `cargo xtask bench-host`: the surrogate on this machine, timed beside its peers, and a whole step of the controller.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use crate::readme::{self, Tables};
use crate::{setup, sh};

pub fn run(tables: Tables) -> Result<()> {
    let mut command = sh::cargo(&["run", "--release", "--package", "sadcbo-bench"]);
    // Egobox spreads its starts over threads; here every candidate has one.
    command.env("RAYON_NUM_THREADS", "1");
    let output = sh::output(&mut command)?;
    println!("{output}");
    if tables == Tables::Renew {
        readme::replace(readme::ROOT, "bench-host", &output)?;
    }
    steps(tables)
}

/// A whole step of the controller: its time, and its instructions, which do not depend on what else the machine does.
pub fn steps(tables: Tables) -> Result<()> {
    setup::valgrind()?;
    sh::run(&mut sh::cargo(&[
        "build",
        "--release",
        "--package",
        "sadcbo-bench-step",
    ]))?;
    let mut table = String::from(
        "| a whole step of the controller, observations × design × context | preset | ms f32 | f64 | million instructions f32 | f64 |\n\
         |---:|---|---:|---:|---:|---:|\n",
    );
    for observations in [20, 40, 63] {
        for preset in ["fast", "standard", "thorough"] {
            write!(table, "| {observations} × 2 × 5 | {preset} |")?;
            let case = |precision| format!("{preset} {precision} {observations}");
            for precision in ["f32", "f64"] {
                write!(table, " {:.2} |", seconds(&case(precision))? * 1e3)?;
            }
            for precision in ["f32", "f64"] {
                write!(table, " {:.1} |", instructions(&case(precision))? / 1e6)?;
            }
            table.push('\n');
        }
    }
    println!("{table}");
    if tables == Tables::Renew {
        readme::replace(readme::ROOT, "bench-step", &table)?;
    }
    Ok(())
}

const PROGRAM: &str = "sadcbo-bench-step";

fn seconds(case: &str) -> Result<f64> {
    let program = sh::release(PROGRAM);
    let words: Vec<&str> = ["time"].into_iter().chain(case.split(' ')).collect();
    let output = sh::output(&mut sh::command(program, &words))?;
    output.trim().parse().context("not a time")
}

/// Instructions of one step: callgrind counts inside the function of that name only.
fn instructions(case: &str) -> Result<f64> {
    let options = [
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--toggle-collect=*::measured*",
    ];
    let mut valgrind = sh::command("valgrind", &options);
    valgrind
        .arg(sh::release(PROGRAM))
        .arg("once")
        .args(case.split(' '));
    let output = valgrind.output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "callgrind: {text}");
    let collected = text
        .lines()
        .find_map(|line| line.split_once("Collected : "))
        .context("callgrind says nothing")?;
    let count: f64 = collected.1.trim().parse().context("not a number")?;
    ensure!(count > 0.0, "callgrind did not meet the step");
    Ok(count)
}
