//! RISC-V: the core-local interruptor's `mtime` as the clock, its software interrupt for the tasks.
//!
//! Interrupts do not nest: the timer's waits while a task runs.

use core::arch::asm;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use embassy_executor::{SendSpawner, raw};
use riscv::interrupt::Interrupt;
use riscv::register::{mie, mstatus};
pub use riscv_rt::entry;
use riscv_rt::{TrapFrame, core_interrupt};
use static_cell::StaticCell;

use crate::{faults, stack, time};

const CLINT: usize = 0x0200_0000;
const SOFTWARE: usize = CLINT;
const COMPARE: usize = CLINT + 0x4000;
const COMPARE_HIGH: usize = COMPARE + 4;
const TIME: usize = CLINT + 0xBFF8;
const TIME_HIGH: usize = TIME + 4;

static EXECUTOR: StaticCell<raw::Executor> = StaticCell::new();
/// Set before the tasks' interrupt is enabled.
static STARTED: AtomicPtr<raw::Executor> = AtomicPtr::new(ptr::null_mut());

/// `mtime` runs freely. Its lower half is enough: it begins anew after minutes, alarms come within a second.
pub struct Clock {
    told: u32,
}

impl Clock {
    pub const fn new() -> Self {
        Self { told: 0 }
    }

    /// Counts since this was last asked.
    pub fn elapsed(&mut self) -> u32 {
        let now = read(TIME);
        let elapsed = now.wrapping_sub(self.told);
        self.told = now;
        elapsed
    }

    /// The interrupt comes so many counts after [`elapsed`](Self::elapsed) was last asked.
    pub fn set_alarm(&mut self, counts: u32) {
        let now = now();
        let since = (now as u32).wrapping_sub(self.told);
        let alarm = now + u64::from(counts.saturating_sub(since));
        // Never in the past on the way.
        write(COMPARE_HIGH, u32::MAX);
        write(COMPARE, alarm as u32);
        write(COMPARE_HIGH, (alarm >> 32) as u32);
    }
}

/// Starts the executor whose tasks interrupt thread mode. The clock runs already.
///
/// # Panics
///
/// The second time.
pub fn start_executor() -> SendSpawner {
    let executor = &*EXECUTOR.init_with(|| raw::Executor::new(ptr::null_mut()));
    STARTED.store(ptr::from_ref(executor).cast_mut(), Ordering::Relaxed);
    // What has passed until now does not count.
    time::with_clock(Clock::elapsed);
    pend_timer();
    // SAFETY: the handlers below are there, and no critical section is going on.
    unsafe {
        mie::set_msoft();
        mie::set_mtimer();
        mstatus::set_mie();
    }
    executor.spawner().make_send()
}

/// Lets the timer's interrupt come now.
pub fn pend_timer() {
    write(COMPARE_HIGH, 0);
    write(COMPARE, 0);
}

#[core_interrupt(Interrupt::MachineTimer)]
fn timer() {
    time::on_interrupt();
}

/// Called by the executor when a task is to run.
#[unsafe(export_name = "__pender")]
fn pend_tasks(_context: *mut ()) {
    write(SOFTWARE, 1);
}

#[core_interrupt(Interrupt::MachineSoft)]
fn tasks() {
    write(SOFTWARE, 0);
    let started = STARTED.load(Ordering::Relaxed);
    // SAFETY: null or the executor, which is there for ever; polled by this handler only, which does not interrupt itself.
    unsafe {
        if let Some(executor) = started.as_ref() {
            executor.poll();
        }
    }
}

#[unsafe(export_name = "ExceptionHandler")]
fn exception(_frame: &TrapFrame) -> ! {
    faults::faulted(riscv::register::mepc::read() as u32)
}

/// Takes so many rounds of two instructions.
pub fn spin(rounds: u32) {
    // SAFETY: registers only; the loop counts down to 0 and ends.
    unsafe {
        asm!(
            "2: addi {rounds}, {rounds}, -1",
            "bnez {rounds}, 2b",
            rounds = inout(reg) rounds => _,
            options(nomem, nostack),
        );
    }
}

/// Paints the stack below the present frame.
#[inline(never)]
pub fn paint_stack() {
    let pointer: usize;
    // SAFETY: reads a register.
    unsafe { asm!("mv {}, sp", out(reg) pointer, options(nomem, nostack)) };
    // SAFETY: what lies a hundred bytes below the stack pointer is in nobody's use; interrupts are still off.
    unsafe { stack::paint(pointer - 128) };
}

/// Both halves, from one moment.
fn now() -> u64 {
    loop {
        let high = read(TIME_HIGH);
        let low = read(TIME);
        if read(TIME_HIGH) == high {
            return u64::from(high) << 32 | u64::from(low);
        }
    }
}

fn read(register: usize) -> u32 {
    // SAFETY: only called with the addresses above, which are registers of this machine.
    unsafe { ptr::read_volatile(ptr::with_exposed_provenance(register)) }
}

fn write(register: usize, value: u32) {
    // SAFETY: as for `read`; they serve nothing else.
    unsafe { ptr::write_volatile(ptr::with_exposed_provenance_mut(register), value) }
}
