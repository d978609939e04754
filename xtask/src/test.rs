//! `cargo xtask test`: every check of the project.

use anyhow::{Context, Result};

use crate::machine::{self, Machine};
use crate::steps::Steps;
use crate::{board, firmware, hardware, nopanic, parity, readme, setup, sh};

/// How much is checked.
#[derive(Clone, Copy, PartialEq)]
pub enum Extent {
    Full,
    Quick,
}

/// Features whose code runs on the host. `defmt` is not one: its macros link only into an image with a logger.
const HOST_FEATURES: [&str; 3] = ["micromath", "nalgebra", "serde"];
/// Features that the MSRV holds for: nalgebra itself asks for a newer compiler.
const MSRV_FEATURES: &str = "micromath,serde";

pub fn run(extent: Extent) -> Result<()> {
    let mut steps = Steps::default();
    let all_on_host = HOST_FEATURES.join(",");

    steps.add("format", || {
        setup::component("rustfmt")?;
        cargo(&["fmt", "--all", "--check"])
    });
    steps.add("clippy, whole workspace", || {
        setup::component("clippy")?;
        cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ])
    });
    let features = all_on_host.clone();
    steps.add("clippy, features of the host", move || {
        cargo(&[
            "clippy",
            "-p",
            "sadcbo",
            "--all-targets",
            "--features",
            &features,
            "--",
            "-D",
            "warnings",
        ])
    });
    steps.add("clippy, all features, bare metal", || {
        setup::target(board::TARGET)?;
        let target = ["--target", board::TARGET];
        cargo(
            &[
                &["clippy", "-p", "sadcbo", "--all-features"][..],
                &target,
                &["--", "-D", "warnings"],
            ]
            .concat(),
        )
    });
    // The host benchmark has no tests, and its peers take minutes to build.
    steps.add("tests and doc tests", || {
        cargo(&["test", "--workspace", "--exclude", "sadcbo-bench"])
    });
    let features = all_on_host.clone();
    steps.add("tests and doc tests, features of the host", move || {
        cargo(&["test", "-p", "sadcbo", "--features", &features])
    });
    if extent == Extent::Full {
        steps.add("the whole algorithm, optimised", || {
            cargo(&["test", "-p", "sadcbo", "--release", "--test", "algorithm"])
        });
    }
    steps.add("documentation", || {
        let arguments = ["doc", "-p", "sadcbo", "--no-deps", "--all-features"];
        sh::run(sh::cargo(&arguments).env("RUSTDOCFLAGS", "-D warnings"))
    });
    steps.add("feature combinations", feature_combinations);
    for target in setup::TARGETS {
        steps.add(format!("no_std build, {target}"), move || {
            setup::target(target)?;
            cargo(&["build", "-p", "sadcbo", "--target", target])?;
            cargo(&[
                "build",
                "-p",
                "sadcbo",
                "--target",
                target,
                "--all-features",
            ])
        });
    }
    if extent == Extent::Full {
        steps.add("minimum supported Rust version", msrv);
    }
    steps.add("boards: format, clippy, tests on the host, build", boards);
    steps.add("no path to a panic, and the control", nopanic::run);
    steps.add("real boards: build, clippy", hardware::build);
    steps.add("parity: every output bit, host and QEMU", || {
        parity::run(machine::DEFAULT)
    });
    steps.add("firmware: whole experiments, host and QEMU", || {
        firmware::tests::run(firmware::tests::Log::Compare)
    });
    steps.add(
        "firmware: an experiment on every other machine",
        firmware::tests::run_others,
    );
    if extent == Extent::Full {
        steps.add("the README's commands", readme::run_commands);
    }
    steps.run()
}

fn cargo(arguments: &[&str]) -> Result<()> {
    sh::run(&mut sh::cargo(arguments))
}

/// Every set of features that other steps do not build: not the empty one and not all together.
fn feature_combinations() -> Result<()> {
    for set in 1..(1 << HOST_FEATURES.len()) - 1 {
        let chosen: Vec<&str> = (0..HOST_FEATURES.len())
            .filter(|feature| set >> feature & 1 == 1)
            .map(|feature| HOST_FEATURES[feature])
            .collect();
        cargo(&["check", "-p", "sadcbo", "--features", &chosen.join(",")])?;
    }
    setup::target(board::TARGET)?;
    for features in ["defmt", "defmt,serde"] {
        cargo(&[
            "check",
            "-p",
            "sadcbo",
            "--features",
            features,
            "--target",
            board::TARGET,
        ])?;
    }
    // Compiled only: it would link into an image with a logger.
    cargo(&[
        "check",
        "-p",
        "sadcbo",
        "--features",
        "defmt",
        "--test",
        "defmt",
    ])
}

/// The library with the oldest compiler that `Cargo.toml` promises.
fn msrv() -> Result<()> {
    let manifest = std::fs::read_to_string(sh::root().join("Cargo.toml"))?;
    let version = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'))
        .context("no rust-version in Cargo.toml")?;
    let version = format!("{version}.0");
    setup::toolchain(&version)?;
    let check = ["run", &version, "cargo", "check", "-p", "sadcbo"];
    sh::run(&mut sh::command("rustup", &check))?;
    sh::run(&mut sh::command(
        "rustup",
        &[&check[..], &["--features", MSRV_FEATURES]].concat(),
    ))
}

/// The second workspace: what runs on the host is checked for the host, the board for its target.
fn boards() -> Result<()> {
    let manifest = ["--manifest-path", "boards/Cargo.toml"];
    let deny = ["--", "-D", "warnings"];
    let clippy = |package: &[&str]| cargo(&[&["clippy"], &manifest[..], package, &deny].concat());
    cargo(&[&["fmt"], &manifest[..], &["--all", "--check"]].concat())?;
    for package in [
        "sadcbo-workload",
        "sadcbo-firmware",
        "sadcbo-chamber",
        "sadcbo-simulation",
        "sadcbo-hardware",
    ] {
        clippy(&["-p", package, "--all-targets"])?;
        cargo(&[&["test"], &manifest[..], &["-p", package]].concat())?;
    }
    for package in ["sadcbo-qemu-mps2-an386", "sadcbo-nopanic"] {
        clippy(&["-p", package, "--release", "--target", board::TARGET])?;
    }
    // The other architecture. What the machines share is checked with them.
    let riscv = Machine::named("riscv32-virt")?;
    setup::target(riscv.target)?;
    clippy(&["-p", riscv.package, "--target", riscv.target])?;
    board::build()
}
