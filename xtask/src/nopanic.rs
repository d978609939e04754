//! `cargo xtask nopanic`: images that link only if the library cannot panic, and with one unchecked index do not.

use anyhow::{Context, Result, ensure};

use crate::{board, setup, sh};

const IMAGES: [&str; 2] = ["surrogate", "controller"];
/// What the panic handlers of the images call, and nobody defines.
const UNDEFINED: &str = "undefined symbol: a_panic_path_survives";

/// Two architectures: what can be proved depends on the optimiser, which has its own way with each.
const TARGETS: [&str; 2] = [board::TARGET, "riscv32imac-unknown-none-elf"];

pub fn run() -> Result<()> {
    for target in TARGETS {
        setup::target(target)?;
        for image in IMAGES {
            sh::run(&mut build(image, target, &[]))
                .with_context(|| format!("{image}, {target}: a panic path survives"))?;
            println!("{image}, {target}: links, so there is no path to a panic");
        }
    }
    for image in IMAGES {
        let control = build(image, board::TARGET, &["--features", "control"]).output()?;
        let message = String::from_utf8_lossy(&control.stderr);
        ensure!(
            !control.status.success(),
            "{image} links with an unchecked index: the check checks nothing"
        );
        ensure!(
            message.contains(UNDEFINED),
            "{image} with an unchecked index fails for another reason:\n{message}"
        );
        println!("{image}: does not link with an unchecked index");
    }
    Ok(())
}

fn build(image: &str, target: &str, features: &[&str]) -> std::process::Command {
    let arguments = [
        "build",
        "--release",
        "--manifest-path",
        "boards/Cargo.toml",
        "--package",
        "sadcbo-nopanic",
        "--target",
        target,
        "--bin",
        image,
    ];
    sh::cargo(&[&arguments, features].concat())
}
