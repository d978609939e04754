//! What a level of -1 to 1 does to the hardware.

use embedded_hal::pwm::SetDutyCycle;

/// The output could not be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotSet;

/// The output of one context. Off until it is set.
pub trait Output {
    /// Sets the level: 1 drives up with full power, -1 down, 0 is off.
    fn set(&mut self, level: f32) -> Result<(), NotSet>;
}

/// Two PWM outputs, of which at most one is on: heater and cooler, humidifier and dry gas.
#[derive(Debug)]
pub struct Pair<U, D> {
    up: U,
    down: D,
}

impl<U: SetDutyCycle, D: SetDutyCycle> Pair<U, D> {
    /// Both are switched off.
    pub fn new(up: U, down: D) -> Self {
        let mut pair = Self { up, down };
        // An output that cannot be set reports that in the first period.
        let _ = pair.set(0.0);
        pair
    }
}

impl<U: SetDutyCycle, D: SetDutyCycle> Output for Pair<U, D> {
    fn set(&mut self, level: f32) -> Result<(), NotSet> {
        // Off first, so that both are never on together, not even if the second cannot be set.
        let up = if level > 0.0 { level } else { 0.0 };
        let down = if level < 0.0 { -level } else { 0.0 };
        let result = if level > 0.0 {
            duty(&mut self.down, down).and(duty(&mut self.up, up))
        } else {
            duty(&mut self.up, up).and(duty(&mut self.down, down))
        };
        if result.is_err() {
            let _ = self.up.set_duty_cycle_fully_off();
            let _ = self.down.set_duty_cycle_fully_off();
        }
        result
    }
}

fn duty(pwm: &mut impl SetDutyCycle, share: f32) -> Result<(), NotSet> {
    let full = pwm.max_duty_cycle();
    // A cast from float to integer saturates.
    let duty = (share * f32::from(full) + 0.5) as u16;
    pwm.set_duty_cycle(duty.min(full)).map_err(|_| NotSet)
}

/// For a context that cannot be actuated.
#[derive(Debug)]
pub struct NoOutput;

impl Output for NoOutput {
    fn set(&mut self, _: f32) -> Result<(), NotSet> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embedded_hal_mock::eh1::pwm::{Mock, Transaction};

    #[test]
    fn one_goes_off_before_the_other_goes_on() {
        let up = [
            Transaction::max_duty_cycle(1000),
            Transaction::set_duty_cycle(0),
            Transaction::max_duty_cycle(1000),
            Transaction::set_duty_cycle(250),
            Transaction::max_duty_cycle(1000),
            Transaction::set_duty_cycle(0),
        ];
        let down = [
            Transaction::max_duty_cycle(200),
            Transaction::set_duty_cycle(0),
            Transaction::max_duty_cycle(200),
            Transaction::set_duty_cycle(0),
            Transaction::max_duty_cycle(200),
            Transaction::set_duty_cycle(200),
        ];
        let (mut up, mut down) = (Mock::new(&up), Mock::new(&down));
        let mut pair = Pair::new(up.clone(), down.clone());
        assert_eq!(pair.set(0.25), Ok(()));
        assert_eq!(pair.set(-3.0), Ok(()));
        up.done();
        down.done();
    }
}
