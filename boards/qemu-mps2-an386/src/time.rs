//! The time: a counter of microseconds that runs freely, and a timer for the next alarm.

use core::cell::RefCell;
use core::ptr;
use core::task::Waker;

use critical_section::{CriticalSection, Mutex};
use embassy_time_driver::{Driver, time_driver_impl};
use embassy_time_queue_utils::Queue;

use crate::{interrupts, watchdog};

const FPGAIO: usize = 0x4002_8000;
const COUNTER: usize = FPGAIO + 0x18;
const PRESCALE: usize = FPGAIO + 0x1c;
/// The counter's clock has 25 MHz: one count in 25 cycles.
const CYCLES_PER_MICROSECOND: u32 = 25;

const TIMER: usize = 0x4000_0000; // CMSDK TIMER0
const TIMER_CONTROL: usize = TIMER;
const TIMER_VALUE: usize = TIMER + 4;
const TIMER_RELOAD: usize = TIMER + 8;
const TIMER_CLEAR: usize = TIMER + 12;
const TIMER_OFF: u32 = 0;
const TIMER_ON_WITH_INTERRUPT: u32 = 1 | 1 << 3;

/// An alarm further away is set again later. Far less than the 71 minutes after which the counter begins anew.
const FURTHEST: u64 = 60_000_000;

struct Clock(Mutex<RefCell<State>>);

struct State {
    queue: Queue,
    /// The upper half of the time, and the lower half when it was last seen.
    wraps: u32,
    seen: u32,
    /// Microseconds that were skipped because nothing was to be done.
    skipped: u64,
}

time_driver_impl!(static CLOCK: Clock = Clock(Mutex::new(RefCell::new(State {
    queue: Queue::new(),
    wraps: 0,
    seen: 0,
    skipped: 0,
}))));

impl Driver for Clock {
    fn now(&self) -> u64 {
        critical_section::with(|section| self.0.borrow_ref_mut(section).now())
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|section| {
            let state = &mut *self.0.borrow_ref_mut(section);
            if state.queue.schedule_wake(at, waker) {
                state.set_alarm();
            }
        });
    }
}

impl State {
    fn now(&mut self) -> u64 {
        let low = read(COUNTER);
        if low < self.seen {
            self.wraps += 1;
        }
        self.seen = low;
        (u64::from(self.wraps) << 32 | u64::from(low)) + self.skipped
    }

    fn set_alarm(&mut self) {
        let now = self.now();
        let next = self.queue.next_expiration(now);
        let wait = next.saturating_sub(now).clamp(1, FURTHEST);
        write(TIMER_CONTROL, TIMER_OFF);
        write(TIMER_CLEAR, 1);
        // Below 2^32, because of `FURTHEST`.
        write(TIMER_RELOAD, wait as u32 * CYCLES_PER_MICROSECOND);
        write(TIMER_VALUE, wait as u32 * CYCLES_PER_MICROSECOND);
        write(TIMER_CONTROL, TIMER_ON_WITH_INTERRUPT);
    }
}

/// Starts the counter.
pub fn start() {
    write(PRESCALE, CYCLES_PER_MICROSECOND - 1);
}

/// Puts the clock forward to the next alarm and lets the timer's interrupt come at once. For when nothing else is to be done.
///
/// # Panics
///
/// If there is no alarm: everybody would wait for ever.
pub fn skip_to_alarm() {
    critical_section::with(|section| {
        let mut state = CLOCK.0.borrow_ref_mut(section);
        let now = state.now();
        let next = state.queue.next_expiration(now);
        assert!(next != u64::MAX, "all tasks wait and there is no alarm");
        state.skipped += next.saturating_sub(now);
    });
    interrupts::pend_timer();
}

/// The timer's interrupt: wakes who is due and sets the next alarm.
pub fn on_interrupt(section: CriticalSection<'_>) {
    let mut state = CLOCK.0.borrow_ref_mut(section);
    state.set_alarm();
    watchdog::check(state.now());
}

fn read(register: usize) -> u32 {
    // SAFETY: only called with the addresses above, which are this board's registers.
    unsafe { ptr::read_volatile(ptr::with_exposed_provenance(register)) }
}

fn write(register: usize, value: u32) {
    // SAFETY: as for `read`; this counter and this timer serve nothing else.
    unsafe { ptr::write_volatile(ptr::with_exposed_provenance_mut(register), value) }
}
