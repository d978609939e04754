//! What a surrogate of 64 observations of 7 inputs takes: the image for flash and RAM, its run for the stack.
#![no_std]
#![no_main]

use sadcbo::gp::Gp;
use sadcbo_emulated::{console, entry, exit, stack};
use sadcbo_workload::footprint;

#[entry]
fn main() -> ! {
    static mut GP: Gp<64, 2, 5> = Gp::new();
    if footprint::surrogate(GP).is_err() {
        exit(1)
    }
    let peak = stack::peak();
    console::print(format_args!("figure stack_peak {peak}"));
    exit(0)
}
