//! What an architecture brings: a clock that counts and gives an alarm, an interrupt for the tasks that go before
//! everything else, and what happens on a fault.
//!
//! Both offer the same: `Clock` with `start`, `elapsed` and `set_alarm`; `start_executor`, `pend_timer`, `entry`, `spin`.

#[cfg(target_arch = "arm")]
mod cortex_m;
#[cfg(target_arch = "riscv32")]
mod riscv;

#[cfg(target_arch = "arm")]
pub use cortex_m::*;
#[cfg(target_arch = "riscv32")]
pub use riscv::*;
