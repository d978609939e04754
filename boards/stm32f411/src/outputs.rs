//! Four channels of a timer.

use embassy_stm32::Peri;
use embassy_stm32::gpio::OutputType::PushPull;
use embassy_stm32::peripherals::{PA6, PA7, PB0, PB1, TIM3};
use embassy_stm32::time::Hertz;
use embassy_stm32::timer::simple_pwm::{PwmPin, SimplePwm, SimplePwmChannel};
use sadcbo_hardware::{Outputs, PWM_HERTZ};

pub type Pwm = SimplePwmChannel<'static, TIM3>;

/// All off.
pub fn new(
    timer: Peri<'static, TIM3>,
    heater: Peri<'static, PA6>,
    cooler: Peri<'static, PA7>,
    humidifier: Peri<'static, PB0>,
    dryer: Peri<'static, PB1>,
) -> Outputs<Pwm> {
    let pwm = SimplePwm::new(
        timer,
        Some(PwmPin::new(heater, PushPull)),
        Some(PwmPin::new(cooler, PushPull)),
        Some(PwmPin::new(humidifier, PushPull)),
        Some(PwmPin::new(dryer, PushPull)),
        Hertz(PWM_HERTZ),
        Default::default(),
    );
    let channels = pwm.split();
    let channels = [channels.ch1, channels.ch2, channels.ch3, channels.ch4];
    Outputs::from(channels.map(|mut channel| {
        channel.set_duty_cycle_fully_off();
        channel.enable();
        channel
    }))
}
