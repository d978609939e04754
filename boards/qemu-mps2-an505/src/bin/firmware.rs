//! The firmware in a simulated room. Arguments: seed, scenario.
#![no_std]
#![no_main]

use sadcbo_emulated::{Machine, entry, firmware};

#[entry]
fn main() -> ! {
    firmware::run(Machine {
        // Its processor has 20 MHz.
        nanoseconds_per_count: 50,
        nanoseconds_per_instruction: 128,
    })
}
