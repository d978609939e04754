//! `cargo xtask nopanic`: images that link only if the library cannot panic, and with one unchecked index do not.

use anyhow::{Context, Result, ensure};

use crate::{board, setup, sh};

const IMAGES: [&str; 2] = ["surrogate", "controller"];
/// What the panic handlers of the images call, and nobody defines.
const UNDEFINED: &str = "undefined symbol: a_panic_path_survives";

pub fn run() -> Result<()> {
    setup::target(board::TARGET)?;
    for image in IMAGES {
        sh::run(&mut build(image, &[]))
            .with_context(|| format!("{image}: a panic path survives"))?;
        let control = build(image, &["--features", "control"]).output()?;
        let message = String::from_utf8_lossy(&control.stderr);
        ensure!(
            !control.status.success(),
            "{image} links with an unchecked index: the check checks nothing"
        );
        ensure!(
            message.contains(UNDEFINED),
            "{image} with an unchecked index fails for another reason:\n{message}"
        );
        println!("{image}: links without a panic path, and not with an unchecked index");
    }
    Ok(())
}

fn build(image: &str, features: &[&str]) -> std::process::Command {
    let arguments = [
        "build",
        "--release",
        "--manifest-path",
        "boards/Cargo.toml",
        "--package",
        "sadcbo-nopanic",
        "--target",
        board::TARGET,
        "--bin",
        image,
    ];
    sh::cargo(&[&arguments, features].concat())
}
