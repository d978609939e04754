//! The machines that QEMU emulates, and their images.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::{board, setup, sh};

/// A machine of QEMU and where its images come from. Machines with the same instructions share them.
#[derive(Clone, Copy)]
pub struct Machine {
    /// What we call it.
    pub name: &'static str,
    /// What QEMU calls it.
    pub model: &'static str,
    /// What kind of core it has.
    pub core: &'static str,
    pub emulator: Emulator,
    pub target: &'static str,
    pub package: &'static str,
    /// See boards/Cargo.toml.
    profile: &'static str,
    /// An instruction takes two to the power of this in nanoseconds. The image knows it too.
    pub shift: u32,
    /// What it can run: the firmware, the workload for parity.
    pub firmware: bool,
    pub parity: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Emulator {
    Arm,
    Riscv,
}

/// The one that every command uses unless it is told otherwise.
pub const DEFAULT: &Machine = &Machine {
    name: "mps2-an386",
    model: "mps2-an386",
    core: "Cortex-M4F",
    emulator: Emulator::Arm,
    // Hard float and no particular core: `a * b + c` rounds twice here, as it does on the host.
    target: "thumbv7em-none-eabihf",
    package: "sadcbo-qemu-mps2-an386",
    profile: "release",
    shift: 7,
    firmware: true,
    parity: true,
};

/// No floating-point unit. 256 KiB of flash and 64 KiB of RAM are all that it has: the workload does not fit.
const CORTEX_M3: Machine = Machine {
    name: "lm3s6965evb",
    model: "lm3s6965evb",
    core: "Cortex-M3",
    target: "thumbv7m-none-eabi",
    package: "sadcbo-qemu-lm3s6965evb",
    profile: "small",
    // What a decision computes has to end within its slot.
    shift: 5,
    parity: false,
    ..*DEFAULT
};

pub const ALL: [Machine; 6] = [
    *DEFAULT,
    // The very images of the default machine, on a core that also computes in double precision.
    Machine {
        name: "mps2-an500",
        model: "mps2-an500",
        core: "Cortex-M7",
        ..*DEFAULT
    },
    Machine {
        name: "mps2-an505",
        model: "mps2-an505",
        core: "Cortex-M33",
        target: "thumbv8m.main-none-eabihf",
        package: "sadcbo-qemu-mps2-an505",
        ..*DEFAULT
    },
    CORTEX_M3,
    // More memory, for the workload.
    Machine {
        name: "mps2-an385",
        model: "mps2-an385",
        firmware: false,
        parity: true,
        ..CORTEX_M3
    },
    Machine {
        name: "riscv32-virt",
        model: "virt",
        core: "RV32IMAC",
        emulator: Emulator::Riscv,
        target: "riscv32imac-unknown-none-elf",
        package: "sadcbo-qemu-riscv32-virt",
        profile: "small",
        shift: CORTEX_M3.shift,
        ..*DEFAULT
    },
];

impl Machine {
    /// The machine of this name.
    pub fn named(name: &str) -> Result<&'static Self> {
        let names = || ALL.map(|machine| machine.name).join(", ");
        ALL.iter()
            .find(|machine| machine.name == name)
            .with_context(|| format!("no machine {name}; there are {}", names()))
    }

    /// Builds these images, or all if none is named.
    pub fn build(&self, images: &[&str]) -> Result<()> {
        setup::target(self.target)?;
        let mut arguments = vec![
            "build",
            "--profile",
            self.profile,
            "--manifest-path",
            "boards/Cargo.toml",
            "--package",
            self.package,
            "--target",
            self.target,
        ];
        for image in images {
            arguments.extend(["--bin", image]);
        }
        sh::run(&mut sh::cargo(&arguments))
    }

    /// Where an image lies after [`build`](Self::build).
    pub fn image(&self, name: &str) -> PathBuf {
        board::folder(self.target, self.profile).join(name)
    }
}
