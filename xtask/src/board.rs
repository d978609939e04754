//! The default machine's images, and where images lie.

use std::path::PathBuf;

use anyhow::Result;

use crate::{machine, sh};

pub const TARGET: &str = machine::DEFAULT.target;
pub const IMAGES: [&str; 5] = [
    "firmware",
    "parity",
    "bench",
    "footprint",
    "footprint_controller",
];

/// Builds all images of the default machine.
pub fn build() -> Result<()> {
    machine::DEFAULT.build(&[])
}

/// Where an image lies after [`build`].
pub fn image(name: &str) -> PathBuf {
    machine::DEFAULT.image(name)
}

/// Where the images of a target lie.
pub fn folder(target: &str, profile: &str) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| sh::root().join("boards/target"), PathBuf::from)
        .join(target)
        .join(profile)
}
