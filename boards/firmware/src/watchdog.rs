//! The watchdog is fed only while every task is alive.

use core::future::{Future, poll_fn};
use core::pin::pin;
use core::sync::atomic::{AtomicBool, Ordering};

/// The board's watchdog: it resets the part, and with it all outputs, unless it is fed.
pub trait Watchdog {
    /// Puts the reset off.
    fn feed(&mut self);
}

/// A sign of life of one task.
#[derive(Debug, Default)]
pub struct Pulse(AtomicBool);

impl Pulse {
    /// No sign yet.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Gives a sign.
    pub fn beat(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether there was a sign since the last call. Load and store, since not every part can swap.
    pub fn take(&self) -> bool {
        let beaten = self.0.load(Ordering::Relaxed);
        self.0.store(false, Ordering::Relaxed);
        beaten
    }
}

/// A future that gives a sign of life whenever it gets on.
pub async fn pulsed<F: Future>(pulse: &Pulse, future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|context| {
        pulse.beat();
        future.as_mut().poll(context)
    })
    .await
}

/// Counts for how long a task has given no sign.
#[derive(Debug)]
pub struct Attention<'a> {
    pulse: &'a Pulse,
    allowed: u16,
    silent: u16,
}

impl<'a> Attention<'a> {
    /// The task may be silent for this many control periods.
    pub const fn new(pulse: &'a Pulse, allowed: u16) -> Self {
        Self {
            pulse,
            allowed,
            silent: 0,
        }
    }

    /// Once per period: whether the task is still alive.
    pub fn is_alive(&mut self) -> bool {
        self.silent = if self.pulse.take() {
            0
        } else {
            self.silent.saturating_add(1)
        };
        self.silent <= self.allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_task_is_dead_and_can_come_back() {
        let pulse = Pulse::new();
        let mut attention = Attention::new(&pulse, 2);
        assert!(attention.is_alive() && attention.is_alive());
        assert!(!attention.is_alive());
        pulse.beat();
        assert!(attention.is_alive());
    }

    #[test]
    fn every_poll_is_a_sign() {
        let pulse = Pulse::new();
        embassy_futures::block_on(pulsed(&pulse, async {
            assert!(pulse.take());
            embassy_futures::yield_now().await;
            assert!(pulse.take());
        }));
    }
}
