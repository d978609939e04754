//! `cargo xtask bench-host`: the surrogate on this machine, timed beside its peers.

use anyhow::Result;

use crate::readme::{self, Tables};
use crate::sh;

pub fn run(tables: Tables) -> Result<()> {
    let mut command = sh::cargo(&["run", "--release", "--package", "sadcbo-bench"]);
    // Egobox spreads its starts over threads; here every candidate has one.
    command.env("RAYON_NUM_THREADS", "1");
    let output = sh::output(&mut command)?;
    println!("{output}");
    if tables == Tables::Renew {
        readme::replace("bench-host", &output)?;
    }
    Ok(())
}
