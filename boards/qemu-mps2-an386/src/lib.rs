//! The emulated board: how an image talks, ends, counts instructions and measures its stack.
#![no_std]

pub mod console;
pub mod counter;
mod faults;
pub mod stack;

use cortex_m as _; // brings the critical section

/// Ends the emulation with this exit code.
pub fn exit(code: i32) -> ! {
    semihosting::process::exit(code)
}
