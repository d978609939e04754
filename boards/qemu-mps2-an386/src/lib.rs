//! The emulated board: how an image talks, ends, tells the time, runs its tasks, counts instructions and measures its stack.
#![no_std]

pub mod console;
pub mod counter;
mod faults;
mod interrupts;
pub mod stack;
pub mod thread;
mod time;
pub mod watchdog;

pub use interrupts::start_executor;

use cortex_m as _; // brings the critical section

/// Ends the emulation with this exit code.
pub fn exit(code: i32) -> ! {
    semihosting::process::exit(code)
}
