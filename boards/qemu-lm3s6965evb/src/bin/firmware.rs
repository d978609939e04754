//! The firmware in a simulated room. Arguments: seed, scenario.
#![no_std]
#![no_main]

use sadcbo_emulated::{Machine, entry, firmware};

#[entry]
fn main() -> ! {
    firmware::run(Machine {
        // Its processor begins with 12.5 MHz.
        nanoseconds_per_count: 80,
        // Four times faster than the others: what an experiment computes in software has to end within its slot.
        nanoseconds_per_instruction: 32,
    })
}
