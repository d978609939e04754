//! Counts the instructions of the benchmark's cases. Prints `figure KEY VALUE` and `check KEY BITS`.
#![no_std]
#![no_main]

use core::fmt;

use sadcbo_emulated::{console, entry, exit};
use sadcbo_qemu_mps2_an386::counter::Counter;
use sadcbo_workload::bench::{self, Meter};
use sadcbo_workload::output::Bits;

struct Board(Counter);

impl Meter for Board {
    fn count<R>(&mut self, work: impl FnOnce() -> R) -> (R, u64) {
        self.0.count(work)
    }

    fn now(&mut self) -> u64 {
        self.0.now()
    }

    fn figure(&mut self, key: impl fmt::Display, value: u64) {
        console::print(format_args!("figure {key} {value}"));
    }

    fn check(&mut self, key: impl fmt::Display, bits: Bits) {
        console::print(format_args!("check {key} {bits}"));
    }
}

#[entry]
fn main() -> ! {
    bench::run(&mut Board(Counter::start()));
    exit(0)
}
