//! The real boards: built, linked and linted for their targets.

use std::path::PathBuf;

use anyhow::Result;

use crate::{board, setup, sh};

/// A board and its target.
pub struct Board {
    pub name: &'static str,
    pub core: &'static str,
    target: &'static str,
}

pub const BOARDS: [Board; 3] = [
    Board {
        name: "stm32f411",
        core: "Cortex-M4F",
        target: "thumbv7em-none-eabihf",
    },
    Board {
        name: "nrf52840",
        core: "Cortex-M4F",
        target: "thumbv7em-none-eabihf",
    },
    Board {
        name: "rp2350",
        core: "Cortex-M33",
        target: "thumbv8m.main-none-eabihf",
    },
];

/// Builds and lints them all.
pub fn build() -> Result<()> {
    setup::component("clippy")?;
    BOARDS.iter().try_for_each(Board::build)
}

impl Board {
    /// By itself: two boards in one command would share the features of the crates that they share.
    pub fn build(&self) -> Result<()> {
        setup::target(self.target)?;
        let package = format!("sadcbo-{}", self.name);
        let mut build = sh::cargo(&[
            "build",
            "--profile",
            PROFILE,
            "--manifest-path",
            "boards/Cargo.toml",
            "--package",
            &package,
            "--target",
            self.target,
        ]);
        // Lints while it builds. `cargo clippy` would compile the HALs, which take minutes, a second time.
        sh::run(build.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"))
    }

    /// Where its image lies after [`build`](Self::build).
    pub fn image(&self) -> PathBuf {
        board::folder(self.target, PROFILE).join(self.name)
    }
}

/// See boards/Cargo.toml.
const PROFILE: &str = "board";
