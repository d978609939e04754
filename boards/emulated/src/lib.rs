//! A machine in QEMU: how an image talks, ends, tells the time, runs its tasks and measures its stack; and the images that
//! are the same on every machine.
#![no_std]

mod arch;
mod arguments;
pub mod console;
mod faults;
pub mod firmware;
mod journal;
pub mod stack;
mod thread;
mod time;
mod watchdog;

pub use arch::{entry, spin};

/// What differs between machines of one architecture.
#[derive(Clone, Copy)]
pub struct Machine {
    /// How long a count of the clock takes: SysTick's on a Cortex-M, `mtime`'s on RISC-V.
    pub nanoseconds_per_count: u32,
    /// How long an instruction takes. QEMU is told the same: its option `-icount shift=7` stands for 2^7.
    pub nanoseconds_per_instruction: u32,
}

/// Ends the emulation with this exit code.
pub fn exit(code: i32) -> ! {
    semihosting::process::exit(code)
}

/// Prints every output of the workload, to be compared with the host's.
pub fn parity() -> ! {
    sadcbo_workload::parity::run(&mut |output| console::print(format_args!("{output}")));
    exit(0)
}
