//! A PWM generator for each output: their four channels share one sequence in memory, four generators share nothing.

use core::convert::Infallible;

use embassy_nrf::Peri;
use embassy_nrf::gpio::Pin;
use embassy_nrf::pwm::{DutyCycle, Instance, Prescaler, SimpleConfig, SimplePwm};
use embedded_hal::pwm::{ErrorType, SetDutyCycle};
use sadcbo_hardware::PWM_HERTZ;

/// Counts per second after the prescaler.
const COUNTS: u32 = 1_000_000;

/// One output. Off until it is set.
pub struct Pwm(SimplePwm<'static>);

impl Pwm {
    pub fn new(generator: Peri<'static, impl Instance>, pin: Peri<'static, impl Pin>) -> Self {
        let mut config = SimpleConfig::default();
        config.prescaler = Prescaler::Div16;
        config.max_duty = (COUNTS / PWM_HERTZ) as u16;
        Self(SimplePwm::new_1ch(generator, pin, &config))
    }
}

impl ErrorType for Pwm {
    type Error = Infallible;
}

impl SetDutyCycle for Pwm {
    fn max_duty_cycle(&self) -> u16 {
        self.0.max_duty()
    }

    /// Returns when the generator has taken it over: after at most one period of it, a millisecond.
    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        // "Inverted" here is high while the counter is below the duty.
        self.0.set_duty(0, DutyCycle::inverted(duty));
        Ok(())
    }
}
