//! The emulated board's images.

use std::path::PathBuf;

use anyhow::Result;

use crate::{setup, sh};

/// Hard float and no particular core: `a * b + c` rounds twice here, as it does on the host.
pub const TARGET: &str = "thumbv7em-none-eabihf";
const PACKAGE: &str = "sadcbo-qemu-mps2-an386";
pub const IMAGES: [&str; 5] = [
    "firmware",
    "parity",
    "bench",
    "footprint",
    "footprint_controller",
];

/// Builds all images of the board.
pub fn build() -> Result<()> {
    setup::target(TARGET)?;
    sh::run(&mut sh::cargo(&[
        "build",
        "--release",
        "--manifest-path",
        "boards/Cargo.toml",
        "--package",
        PACKAGE,
        "--target",
        TARGET,
    ]))
}

/// Where an image lies after [`build`].
pub fn image(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| sh::root().join("boards/target"), PathBuf::from);
    target.join(TARGET).join("release").join(name)
}
