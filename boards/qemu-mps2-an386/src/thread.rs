//! Thread mode: one task, below all interrupts.
//!
//! Where embassy's executor for thread mode would sleep, this one skips the time until the next alarm: an hour of waiting
//! costs nothing, and nothing depends on the emulator's own clock. (It executes WFE as a no-op, and with `sleep=off` its
//! clock runs past alarms.)

use core::future::Future;
use core::pin::pin;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use core::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use cortex_m::interrupt;

use crate::counter::Counter;
use crate::time;

static WOKEN: AtomicBool = AtomicBool::new(false);
static INSTRUCTIONS: AtomicU32 = AtomicU32::new(0);

/// Runs a future to its end.
pub fn run<F: Future>(counter: &Counter, future: F) -> F::Output {
    let mut future = pin!(future);
    // SAFETY: the functions of the table ignore the pointer and touch an atomic only.
    let waker = unsafe { Waker::from_raw(WAKER) };
    let mut context = Context::from_waker(&waker);
    loop {
        let start = counter.now();
        let polled = future.as_mut().poll(&mut context);
        let taken = counter.now().saturating_sub(start) as u32;
        INSTRUCTIONS.store(
            INSTRUCTIONS.load(Ordering::Relaxed).wrapping_add(taken),
            Ordering::Relaxed,
        );
        if let Poll::Ready(output) = polled {
            return output;
        }
        // With interrupts off, a wake-up cannot slip in between looking and skipping.
        while !interrupt::free(|_| {
            let woken = WOKEN.load(Ordering::Relaxed);
            WOKEN.store(false, Ordering::Relaxed);
            if !woken {
                time::skip_to_alarm();
            }
            woken
        }) {}
    }
}

/// How many instructions the task has taken since the last call, those of interrupts in between included.
pub fn instructions_taken() -> u32 {
    let taken = INSTRUCTIONS.load(Ordering::Relaxed);
    INSTRUCTIONS.store(0, Ordering::Relaxed);
    taken
}

const WAKER: RawWaker = RawWaker::new(core::ptr::null(), &TABLE);
const TABLE: RawWakerVTable = RawWakerVTable::new(|_| WAKER, wake, wake, |_| {});

fn wake(_: *const ()) {
    WOKEN.store(true, Ordering::Relaxed);
}
