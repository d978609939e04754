//! The firmware in a simulated room. Arguments: seed, scenario.
#![no_std]
#![no_main]

use sadcbo_emulated::{entry, firmware};
use sadcbo_qemu_mps2_an386::MACHINE;

#[entry]
fn main() -> ! {
    firmware::run(MACHINE)
}
