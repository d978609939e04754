//! What a machine that has only rustup still needs. Nothing is touched that is there already.

use anyhow::{Result, bail};

use crate::sh;

/// The targets that the library is built for, each for its own reason.
pub const TARGETS: [&str; 5] = [
    "thumbv6m-none-eabi",        // Cortex-M0: no hardware float, no compare-and-swap
    "thumbv7m-none-eabi",        // Cortex-M3: no hardware float
    "thumbv7em-none-eabihf",     // Cortex-M4F and M7: the default board
    "thumbv8m.main-none-eabihf", // Cortex-M33
    "riscv32imac-unknown-none-elf", // not an Arm
];

/// Everything that any verb needs.
pub fn everything() -> Result<()> {
    component("rustfmt")?;
    component("clippy")?;
    for name in TARGETS {
        target(name)?;
    }
    qemu_arm()?;
    qemu_riscv()
}

/// A target of the active toolchain.
pub fn target(name: &str) -> Result<()> {
    if !installed(&["target", "list", "--installed"], |line| line == name)? {
        sh::run(&mut sh::command("rustup", &["target", "add", name]))?;
    }
    Ok(())
}

/// A component of the active toolchain.
pub fn component(name: &str) -> Result<()> {
    // Rustup lists a component as `name-host`.
    if !installed(&["component", "list", "--installed"], |line| {
        line.starts_with(name)
    })? {
        sh::run(&mut sh::command("rustup", &["component", "add", name]))?;
    }
    Ok(())
}

/// A toolchain by its version, without documentation.
pub fn toolchain(version: &str) -> Result<()> {
    let prefix = format!("{version}-");
    if !installed(&["toolchain", "list"], |line| line.starts_with(&prefix))? {
        sh::run(&mut sh::command(
            "rustup",
            &["toolchain", "install", version, "--profile", "minimal"],
        ))?;
    }
    Ok(())
}

fn installed(question: &[&str], wanted: impl Fn(&str) -> bool) -> Result<bool> {
    if !sh::exists("rustup") {
        bail!("rustup is missing: install it from https://rustup.rs");
    }
    Ok(sh::output(&mut sh::command("rustup", question))?
        .lines()
        .any(wanted))
}

/// The emulator of the Arm boards.
pub fn qemu_arm() -> Result<()> {
    program(&Package {
        program: "qemu-system-arm",
        apt: "qemu-system-arm",
        dnf: "qemu-system-arm-core",
        pacman: "qemu-system-arm",
        brew: "qemu",
    })
}

/// The emulator of the RISC-V boards.
pub fn qemu_riscv() -> Result<()> {
    program(&Package {
        program: "qemu-system-riscv32",
        apt: "qemu-system-misc",
        dnf: "qemu-system-riscv-core",
        pacman: "qemu-system-riscv",
        brew: "qemu",
    })
}

/// The tool that counts instructions on the host.
pub fn valgrind() -> Result<()> {
    program(&Package {
        program: "valgrind",
        apt: "valgrind",
        dnf: "valgrind",
        pacman: "valgrind",
        brew: "valgrind",
    })
}

/// A program and the package that brings it, by package manager.
struct Package {
    program: &'static str,
    apt: &'static str,
    dnf: &'static str,
    pacman: &'static str,
    brew: &'static str,
}

fn program(package: &Package) -> Result<()> {
    if sh::exists(package.program) {
        return Ok(());
    }
    let commands: Vec<Vec<&str>> = if sh::exists("apt-get") {
        vec![
            as_root(&["apt-get", "-q", "update"]),
            as_root(&[
                "apt-get",
                "-qy",
                "install",
                "--no-install-recommends",
                package.apt,
            ]),
        ]
    } else if sh::exists("dnf") {
        vec![as_root(&["dnf", "-y", "install", package.dnf])]
    } else if sh::exists("pacman") {
        vec![as_root(&["pacman", "-S", "--noconfirm", package.pacman])]
    } else if sh::exists("brew") {
        vec![vec!["brew", "install", package.brew]]
    } else {
        vec![]
    };
    let installed = commands.iter().all(|words| {
        sh::run(sh::command(words[0], &words[1..]).env("DEBIAN_FRONTEND", "noninteractive")).is_ok()
    });
    if !installed || !sh::exists(package.program) {
        bail!(
            "{} is missing: install {} (Debian, Ubuntu), {} (Fedora), {} (Arch) or {} (Homebrew)",
            package.program,
            package.apt,
            package.dnf,
            package.pacman,
            package.brew
        );
    }
    Ok(())
}

/// The command with the rights to install: as it is for root, through `sudo` that asks nothing for others.
fn as_root<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let is_root = sh::output(&mut sh::command("id", &["-u"])).is_ok_and(|id| id.trim() == "0");
    let prefix: &[&str] = if is_root { &[] } else { &["sudo", "-n"] };
    [prefix, words].concat()
}
