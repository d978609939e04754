//! Time that passes only when everything waits.
#![allow(dead_code, reason = "each test file uses its part")]

use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use embassy_time::{Duration, MockDriver};
use embedded_hal_async::delay::DelayNs;

/// There is one clock: tests that let it run take turns.
static CLOCK: Mutex<()> = Mutex::new(());

/// Runs a future; whenever it waits, a millisecond passes.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let _turn = CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        MockDriver::get().advance(Duration::from_millis(1));
    }
}

/// A delay that never ends: a sensor that hangs.
pub struct Never;

impl DelayNs for Never {
    async fn delay_ns(&mut self, _: u32) {
        std::future::pending().await
    }
}
