//! The time: microseconds since the start, from the architecture's clock, and what was skipped.

use core::cell::RefCell;
use core::task::Waker;

use critical_section::Mutex;
use embassy_time_driver::{Driver, time_driver_impl};
use embassy_time_queue_utils::Queue;

use crate::arch::Clock;
use crate::{Machine, arch, watchdog};

/// An alarm further away is set again later, in microseconds. Every clock can wait for so long, and be asked again.
const FURTHEST: u64 = 500_000;

struct Time(Mutex<RefCell<State>>);

struct State {
    queue: Queue,
    clock: Clock,
    nanoseconds_per_count: u32,
    /// Microseconds since the start, those that were skipped because nothing was to be done included.
    microseconds: u64,
    /// What is left of the counts: less than a microsecond.
    nanoseconds: u32,
}

time_driver_impl!(static TIME: Time = Time(Mutex::new(RefCell::new(State {
    queue: Queue::new(),
    clock: Clock::new(),
    nanoseconds_per_count: 1,
    microseconds: 0,
    nanoseconds: 0,
}))));

impl Driver for Time {
    fn now(&self) -> u64 {
        with_state(State::now)
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        with_state(|state| {
            if state.queue.schedule_wake(at, waker) {
                state.set_alarm();
            }
        });
    }
}

impl State {
    fn now(&mut self) -> u64 {
        // Below 2^32: an alarm comes at least every half second.
        self.nanoseconds += self.clock.elapsed() * self.nanoseconds_per_count;
        self.microseconds += u64::from(self.nanoseconds / 1_000);
        self.nanoseconds %= 1_000;
        self.microseconds
    }

    fn set_alarm(&mut self) {
        let now = self.now();
        let next = self.queue.next_expiration(now);
        let wait = next.saturating_sub(now).clamp(1, FURTHEST) as u32 * 1_000;
        // Not too early.
        self.clock
            .set_alarm(wait.div_ceil(self.nanoseconds_per_count));
    }
}

fn with_state<R>(work: impl FnOnce(&mut State) -> R) -> R {
    critical_section::with(|section| work(&mut TIME.0.borrow_ref_mut(section)))
}

/// For the architecture, which starts its clock.
pub fn with_clock<R>(work: impl FnOnce(&mut Clock) -> R) -> R {
    with_state(|state| work(&mut state.clock))
}

/// Before the clock is started.
pub fn set_up(machine: Machine) {
    with_state(|state| state.nanoseconds_per_count = machine.nanoseconds_per_count);
}

/// Puts the clock forward to the next alarm and lets the timer's interrupt come at once. For when nothing else is to be done.
///
/// # Panics
///
/// If there is no alarm: everybody would wait for ever.
pub fn skip_to_alarm() {
    with_state(|state| {
        let now = state.now();
        let next = state.queue.next_expiration(now);
        assert!(next != u64::MAX, "all tasks wait and there is no alarm");
        state.microseconds = state.microseconds.max(next);
    });
    arch::pend_timer();
}

/// The timer's interrupt: wakes who is due and sets the next alarm.
pub fn on_interrupt() {
    let now = with_state(|state| {
        state.set_alarm();
        state.now()
    });
    watchdog::check(now);
}
