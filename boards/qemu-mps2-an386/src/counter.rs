//! Counts instructions.
//!
//! With `-icount shift=7` QEMU lets 128 ns pass per instruction. The CMSDK timer counts down at 25 MHz, so 16 ticks are
//! 5 instructions and rounding gives the exact number. It wraps after 1.3e9 instructions; the dual timer beside it, 256
//! times slower, tells how often.

use core::hint::black_box;
use core::ptr;

use sadcbo_emulated::spin;

const TIMER: usize = 0x4000_1000; // CMSDK TIMER1
const TIMER_CONTROL: usize = TIMER;
const TIMER_VALUE: usize = TIMER + 4;
const TIMER_RELOAD: usize = TIMER + 8;
const TIMER_ENABLE: u32 = 1;

const SLOW: usize = 0x4000_2000; // first of the CMSDK dual timer
const SLOW_LOAD: usize = SLOW;
const SLOW_VALUE: usize = SLOW + 4;
const SLOW_CONTROL: usize = SLOW + 8;
/// Enabled, periodic, divided by 256, 32 bits.
const SLOW_SETTING: u32 = 1 << 7 | 1 << 6 | 2 << 2 | 1 << 1;
const SLOW_DIVISOR: u64 = 256;

/// A loop of this many rounds and two instructions each shows whether the timer counts instructions.
const CALIBRATION_ROUNDS: u32 = 100_000;

/// A running counter of instructions.
pub struct Counter {
    /// What counting nothing counts.
    overhead: u64,
}

impl Counter {
    /// Starts the timers.
    ///
    /// # Panics
    ///
    /// If they do not count instructions, because QEMU was started without `-icount shift=7`.
    pub fn start() -> Self {
        write(TIMER_RELOAD, u32::MAX);
        write(TIMER_VALUE, u32::MAX);
        write(TIMER_CONTROL, TIMER_ENABLE);
        write(SLOW_LOAD, u32::MAX);
        write(SLOW_CONTROL, SLOW_SETTING);
        let mut counter = Self { overhead: 0 };
        let ((), overhead) = counter.count(|| ());
        counter.overhead = overhead;
        let ((), counted) = counter.count(|| spin(CALIBRATION_ROUNDS));
        let expected = u64::from(CALIBRATION_ROUNDS) * 2;
        assert!(
            counted.abs_diff(expected) <= 8,
            "the timer counted {counted} for {expected} instructions: QEMU needs -icount shift=7"
        );
        counter
    }

    /// Runs `work` and returns its result with the number of instructions that it took.
    #[inline(never)]
    pub fn count<R>(&self, work: impl FnOnce() -> R) -> (R, u64) {
        let start = Reading::take();
        let result = black_box(work());
        let end = Reading::take();
        (
            result,
            end.instructions_since(&start).saturating_sub(self.overhead),
        )
    }

    /// Instructions since the start, those of reading included.
    pub fn now(&self) -> u64 {
        let start = Reading {
            fast: u32::MAX,
            slow: u32::MAX,
        };
        Reading::take().instructions_since(&start)
    }
}

/// Both timers at one moment; they count down.
struct Reading {
    fast: u32,
    slow: u32,
}

impl Reading {
    #[inline(always)]
    fn take() -> Self {
        Self {
            fast: read(TIMER_VALUE),
            slow: read(SLOW_VALUE),
        }
    }

    fn instructions_since(&self, start: &Self) -> u64 {
        let fast = u64::from(start.fast.wrapping_sub(self.fast));
        let slow = u64::from(start.slow.wrapping_sub(self.slow)) * SLOW_DIVISOR;
        // `slow` lies within a few hundred ticks of the truth, `fast` misses a multiple of 2^32.
        let wraps = (slow.saturating_sub(fast) + (1 << 31)) >> 32;
        let ticks = fast + (wraps << 32);
        (ticks * 5 + 8) / 16
    }
}

fn read(register: usize) -> u32 {
    // SAFETY: only called with the addresses above, which are this board's timer registers.
    unsafe { ptr::read_volatile(ptr::with_exposed_provenance(register)) }
}

fn write(register: usize, value: u32) {
    // SAFETY: as for `read`; these timers serve nothing else.
    unsafe { ptr::write_volatile(ptr::with_exposed_provenance_mut(register), value) }
}
