//! The Cortex-M4F machine that is the default: what it has beyond the others, a counter of instructions.
#![no_std]

pub mod counter;

use sadcbo_emulated::Machine;

/// Its processor has 25 MHz; it executes 7.8 million instructions per second.
pub const MACHINE: Machine = Machine {
    nanoseconds_per_count: 40,
    nanoseconds_per_instruction: 128,
};
