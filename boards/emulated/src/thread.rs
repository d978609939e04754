//! Thread mode: one task, below all interrupts.
//!
//! Where embassy's executor for thread mode would sleep, this one skips the time until the next alarm: an hour of waiting
//! costs nothing, and nothing depends on the emulator's own clock. (It executes WFE as a no-op, and with `sleep=off` its
//! clock runs past alarms.)

use core::future::Future;
use core::pin::pin;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use core::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use embassy_time::Instant;

use crate::{Machine, arch, time};

/// A loop of this many rounds and two instructions each shows whether the clock counts instructions.
const CALIBRATION_ROUNDS: u32 = 100_000;

static WOKEN: AtomicBool = AtomicBool::new(false);
static MICROSECONDS: AtomicU32 = AtomicU32::new(0);

static NANOSECONDS_PER_INSTRUCTION: AtomicU32 = AtomicU32::new(1);

/// Runs a future to its end.
pub fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    // SAFETY: the functions of the table ignore the pointer and touch an atomic only.
    let waker = unsafe { Waker::from_raw(WAKER) };
    let mut context = Context::from_waker(&waker);
    loop {
        let start = Instant::now();
        let polled = future.as_mut().poll(&mut context);
        // A poll of an hour would be a fault.
        let taken = start.elapsed().as_micros() as u32;
        MICROSECONDS.store(
            MICROSECONDS.load(Ordering::Relaxed).wrapping_add(taken),
            Ordering::Relaxed,
        );
        if let Poll::Ready(output) = polled {
            return output;
        }
        // With interrupts off, a wake-up cannot slip in between looking and skipping.
        while !critical_section::with(|_| {
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
    let taken = MICROSECONDS.load(Ordering::Relaxed);
    MICROSECONDS.store(0, Ordering::Relaxed);
    instructions(taken)
}

/// Once the clock runs.
///
/// # Panics
///
/// If the clock does not count instructions, because QEMU was started without the right `-icount` or the machine's clock
/// is not what it was said to be.
pub fn set_up(machine: Machine) {
    NANOSECONDS_PER_INSTRUCTION.store(machine.nanoseconds_per_instruction, Ordering::Relaxed);
    let start = Instant::now();
    arch::spin(CALIBRATION_ROUNDS);
    let counted = instructions(start.elapsed().as_micros() as u32);
    let expected = CALIBRATION_ROUNDS * 2;
    assert!(
        counted.abs_diff(expected) <= expected / 200,
        "the clock counted {counted} for {expected} instructions: is QEMU started with the right -icount?"
    );
}

fn instructions(microseconds: u32) -> u32 {
    let length = NANOSECONDS_PER_INSTRUCTION.load(Ordering::Relaxed);
    (u64::from(microseconds) * 1_000 / u64::from(length)) as u32
}

const WAKER: RawWaker = RawWaker::new(core::ptr::null(), &TABLE);
const TABLE: RawWakerVTable = RawWakerVTable::new(|_| WAKER, wake, wake, |_| {});

fn wake(_: *const ()) {
    WOKEN.store(true, Ordering::Relaxed);
}
