//! `cargo xtask demo`: the controller at work.

use anyhow::Result;

use crate::sh;

pub fn run() -> Result<()> {
    if !sh::root().join("examples/quickstart.rs").is_file() {
        println!("Nothing to show yet: examples/quickstart.rs comes with the controller.");
        return Ok(());
    }
    sh::run(&mut sh::cargo(&[
        "run",
        "--release",
        "--example",
        "quickstart",
    ]))
}
