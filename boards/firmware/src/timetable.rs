//! The grid on which everything happens.

use embassy_time::{Duration, Instant, Timer};

/// How often the safety loop runs.
pub const PERIOD: Duration = Duration::from_millis(250);
/// The same as a number of seconds.
pub const PERIOD_SECONDS: f32 = 0.25;

/// So many seconds in control periods, at least one.
pub const fn periods(seconds: u16) -> u16 {
    let periods = seconds.saturating_mul(4);
    if periods == 0 { 1 } else { periods }
}

/// The number of the period that is going on.
pub fn this_period() -> u32 {
    // 34 years.
    (Instant::now().as_ticks() / PERIOD.as_ticks()) as u32
}

/// Waits for the next multiple of the period and returns its number. A period that was missed is not made up for.
pub async fn next_period() -> (u32, Instant) {
    let length = PERIOD.as_ticks();
    let number = Instant::now().as_ticks() / length + 1;
    let due = Instant::from_ticks(number * length);
    Timer::at(due).await;
    // 34 years.
    (number as u32, due)
}
