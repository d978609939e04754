//! Cortex-M: SysTick as the clock, an interrupt that no device uses for the tasks.

use core::arch::asm;

use cortex_m::Peripherals;
use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::scb::SystemHandler;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{SCB, SYST};
pub use cortex_m_rt::entry;
use cortex_m_rt::{ExceptionFrame, exception};
use embassy_executor::{InterruptExecutor, SendSpawner};

use crate::{faults, time};

#[derive(Clone, Copy)]
struct Irq(u16);

// SAFETY: every machine here has an interrupt of this number.
unsafe impl InterruptNumber for Irq {
    fn number(self) -> u16 {
        self.0
    }
}

/// No device that an image uses has this one.
const TASKS: Irq = Irq(29);

/// Lower is more urgent. The upper three bits count.
const TIMER_PRIORITY: u8 = 1 << 5;
const TASKS_PRIORITY: u8 = 2 << 5;

/// The counter has 24 bits.
const LONGEST: u32 = 1 << 24;

static EXECUTOR: InterruptExecutor = InterruptExecutor::new();

/// SysTick counts down to the alarm, then a long turn, so that no turn is missed before the alarm is set again.
pub struct Clock {
    timer: Option<SYST>,
    /// Counts of this turn.
    length: u32,
    /// Those that have been told already.
    told: u32,
    /// Those of earlier turns that have not been told yet.
    owed: u32,
}

impl Clock {
    pub const fn new() -> Self {
        Self {
            timer: None,
            length: LONGEST,
            told: 0,
            owed: 0,
        }
    }

    /// Counts since this was last asked.
    pub fn elapsed(&mut self) -> u32 {
        let Some(timer) = &mut self.timer else {
            return 0;
        };
        let mut left = SYST::get_current();
        // It may have begun anew after it was read: it says so, once.
        if timer.has_wrapped() {
            self.owed += self.length - self.told;
            (self.length, self.told) = (LONGEST, 0);
            left = SYST::get_current();
        }
        // Zero: it is about to begin.
        let counted = if left == 0 { 0 } else { self.length - left };
        let elapsed = self.owed + counted - self.told;
        (self.told, self.owed) = (counted, 0);
        elapsed
    }

    /// The interrupt comes so many counts after [`elapsed`](Self::elapsed) was last asked. Loses the few counts that
    /// beginning anew takes.
    pub fn set_alarm(&mut self, counts: u32) {
        self.owed = self.elapsed();
        let Some(timer) = &mut self.timer else {
            return;
        };
        self.length = counts.saturating_sub(self.owed).clamp(2, LONGEST);
        self.told = 0;
        timer.set_reload(self.length - 1);
        timer.clear_current();
        while SYST::get_current() == 0 {}
        timer.set_reload(LONGEST - 1);
    }
}

/// Starts the clock and the executor whose tasks interrupt thread mode.
///
/// # Panics
///
/// The second time.
pub fn start_executor() -> SendSpawner {
    let Peripherals {
        SYST: mut timer,
        SCB: mut scb,
        NVIC: mut nvic,
        ..
    } = Peripherals::take().expect("an image starts once");
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(LONGEST - 1);
    timer.clear_current();
    timer.enable_counter();
    timer.enable_interrupt();
    // SAFETY: no critical section relies on priorities.
    unsafe {
        scb.set_priority(SystemHandler::SysTick, TIMER_PRIORITY);
        nvic.set_priority(TASKS, TASKS_PRIORITY);
    }
    time::with_clock(|clock| clock.timer = Some(timer));
    EXECUTOR.start(TASKS)
}

/// Lets the timer's interrupt come now.
pub fn pend_timer() {
    SCB::set_pendst();
}

#[exception]
fn SysTick() {
    time::on_interrupt();
}

// SAFETY: the executor is started before its interrupt is enabled, and is called from here only.
#[exception]
unsafe fn DefaultHandler(irq: i16) {
    match u16::try_from(irq) {
        // SAFETY: see above.
        Ok(number) if number == TASKS.0 => unsafe { EXECUTOR.on_interrupt() },
        _ => panic!("interrupt {irq} is not expected"),
    }
}

// SAFETY: the frame is only read, and the handler does not return to the code that faulted.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    faults::faulted(frame.pc())
}

/// Takes so many rounds of two instructions.
pub fn spin(rounds: u32) {
    // SAFETY: registers only; the loop counts down to 0 and ends.
    unsafe {
        asm!(
            "2: subs {rounds}, {rounds}, #1",
            "bne 2b",
            rounds = inout(reg) rounds => _,
            options(nomem, nostack),
        );
    }
}

/// The runtime paints the stack at reset.
pub fn paint_stack() {}
