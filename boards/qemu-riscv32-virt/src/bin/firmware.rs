//! The firmware in a simulated room. Arguments: seed, scenario.
#![no_std]
#![no_main]

use sadcbo_emulated::{Machine, entry, firmware};

#[entry]
fn main() -> ! {
    firmware::run(Machine {
        // `mtime` counts with 10 MHz.
        nanoseconds_per_count: 100,
        // Four times faster than the others: what an experiment computes in software has to end within its slot.
        nanoseconds_per_instruction: 32,
    })
}
