//! The PWM outputs as the microcontroller sees them.

use core::convert::Infallible;

use embedded_hal::pwm::{ErrorType, SetDutyCycle};
use sadcbo_firmware::actuate::output::Pair;

use crate::world::Shared;

/// Counts at full power.
const FULL: u16 = 1_000;

/// One PWM output: the heating or the cooling half of an actuator, for example.
pub struct Pwm<'a> {
    world: &'a Shared,
    actuator: usize,
    /// What it does at full power.
    sign: f32,
    duty: u16,
}

impl ErrorType for Pwm<'_> {
    type Error = Infallible;
}

impl SetDutyCycle for Pwm<'_> {
    fn max_duty_cycle(&self) -> u16 {
        FULL
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        // The half that is switched off says nothing about the other half.
        if duty > 0 || self.duty > 0 {
            let level = self.sign * f32::from(duty) / f32::from(FULL);
            self.world
                .lock(|world| world.borrow_mut().now().set_level(self.actuator, level));
        }
        self.duty = duty;
        Ok(())
    }
}

/// Both halves of an actuator: 0 is thermal, 1 is moisture.
pub fn pair(world: &Shared, actuator: usize) -> Pair<Pwm<'_>, Pwm<'_>> {
    let half = |sign: f32| Pwm {
        world,
        actuator,
        sign,
        duty: 0,
    };
    Pair::new(half(1.0), half(-1.0))
}
