//! `cargo xtask figures`: what the firmware takes on every machine and board.

use std::fmt::Write;

use anyhow::{Context, Result};

use crate::firmware;
use crate::machine::{self, Machine};
use crate::readme::{self, Tables};
use crate::{hardware, size};

/// Where the table belongs.
const README: &str = "boards/README.md";

pub fn run(tables: Tables) -> Result<()> {
    let mut table = String::from(
        "| where | core | flash, bytes | static RAM, bytes | deepest stack, bytes | million instructions per step, \
         median and most | safety loop late, at most |\n|---|---|---:|---:|---:|---:|---:|\n",
    );
    for machine in machine::ALL.iter().filter(|machine| machine.firmware) {
        table += &emulated(machine)?;
    }
    for board in &hardware::BOARDS {
        board.build()?;
        let size = size::of(&board.image())?;
        writeln!(
            table,
            "| {} | {} | {} | {} | | | |",
            board.name, board.core, size.flash, size.ram
        )?;
    }
    println!("{table}");
    if tables == Tables::Renew {
        readme::replace(README, "figures", &table)?;
    }
    Ok(())
}

/// The row of a machine: sizes of its image, the rest from a whole experiment.
fn emulated(machine: &Machine) -> Result<String> {
    let run = firmware::tests::calm(machine)?;
    let size = size::of(&machine.image("firmware"))?;
    let steps = run.step_instructions();
    let median = steps.get(steps.len() / 2).context("no step")?;
    let most = steps.last().context("no step")?;
    let late = run.figure("safety_latest_us")?;
    let million = |count: u64| count as f64 / 1e6;
    Ok(format!(
        "| {} | {} | {} | {} | {} | {:.1}, {:.1} | {} instructions, {late} µs |\n",
        machine.name,
        machine.core,
        size.flash,
        size.ram,
        run.figure("stack_peak")?,
        million(*median),
        million(*most),
        (late * 1_000) >> machine.shift,
    ))
}
