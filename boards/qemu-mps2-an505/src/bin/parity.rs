//! Prints every output of the workload, to be compared with the host's.
#![no_std]
#![no_main]

use sadcbo_emulated::{entry, parity};

#[entry]
fn main() -> ! {
    parity()
}
