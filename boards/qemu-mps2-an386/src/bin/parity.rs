//! Prints every output of the workload, to be compared with the host's.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use sadcbo_qemu_mps2_an386::{console, exit};
use sadcbo_workload::parity;

#[entry]
fn main() -> ! {
    parity::run(&mut |output| console::print(format_args!("{output}")));
    exit(0)
}
