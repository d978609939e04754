//! The watchdog. The emulated board has none, so the timer's interrupt stands in for it: it ends the emulation.

use core::sync::atomic::{AtomicU32, Ordering};

use embassy_time::Instant;

use crate::console;
use crate::exit;

/// Exit code of an image whose watchdog was not fed.
const BITTEN: i32 = 103;
/// Milliseconds.
const PATIENCE: u32 = 1_000;

/// When it was last fed, in milliseconds; 0 before it was started.
static FED: AtomicU32 = AtomicU32::new(0);

/// Runs from the first feeding on.
pub struct Watchdog;

impl sadcbo_firmware::watchdog::Watchdog for Watchdog {
    fn feed(&mut self) {
        FED.store(milliseconds(Instant::now().as_micros()), Ordering::Relaxed);
    }
}

/// Ends the emulation if it was not fed in time.
pub fn check(microseconds: u64) {
    let fed = FED.load(Ordering::Relaxed);
    if fed != 0 && milliseconds(microseconds).wrapping_sub(fed) > PATIENCE {
        console::print_last_words(format_args!("the watchdog was not fed"));
        exit(BITTEN)
    }
}

fn milliseconds(microseconds: u64) -> u32 {
    // 49 days.
    (microseconds / 1_000) as u32
}
