//! Interrupts: the timer's, and one that no device uses, for the tasks that go before everything else.

use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::NVIC;
use cortex_m_rt::exception;
use embassy_executor::{InterruptExecutor, SendSpawner};

use crate::time;

#[derive(Clone, Copy)]
struct Irq(u16);

// SAFETY: both numbers below are interrupts of this board.
unsafe impl InterruptNumber for Irq {
    fn number(self) -> u16 {
        self.0
    }
}

const TIMER: Irq = Irq(8);
/// The second serial port's overflow: not used here.
const TASKS: Irq = Irq(29);

/// Lower is more urgent. The upper three bits count.
const TIMER_PRIORITY: u8 = 1 << 5;
const TASKS_PRIORITY: u8 = 2 << 5;

static EXECUTOR: InterruptExecutor = InterruptExecutor::new();

/// Starts the time and the executor whose tasks interrupt thread mode.
pub fn start_executor(mut nvic: NVIC) -> SendSpawner {
    time::start();
    // SAFETY: no critical section relies on priorities.
    unsafe {
        nvic.set_priority(TIMER, TIMER_PRIORITY);
        nvic.set_priority(TASKS, TASKS_PRIORITY);
        NVIC::unmask(TIMER);
    }
    EXECUTOR.start(TASKS)
}

/// Lets the timer's interrupt come now.
pub fn pend_timer() {
    NVIC::pend(TIMER);
}

// SAFETY: the executor is started before its interrupt is enabled, and is called from here only.
#[exception]
unsafe fn DefaultHandler(irq: i16) {
    match u16::try_from(irq) {
        Ok(number) if number == TIMER.0 => critical_section::with(time::on_interrupt),
        // SAFETY: see above.
        Ok(number) if number == TASKS.0 => unsafe { EXECUTOR.on_interrupt() },
        _ => panic!("interrupt {irq} is not expected"),
    }
}
