//! Two PWM slices, with two outputs each.

use embassy_rp::Peri;
use embassy_rp::peripherals::{PIN_16, PIN_17, PIN_18, PIN_19, PWM_SLICE0, PWM_SLICE1};
use embassy_rp::pwm::{Config, Pwm, PwmOutput};
use sadcbo_hardware::{Outputs, PWM_HERTZ};

/// The clock has 150 MHz: the outputs count microseconds.
const CLOCKS_PER_COUNT: u8 = 150;
const COUNTS: u32 = 1_000_000;

/// All off: heater and cooler on the first slice, humidifier and dryer on the second.
pub fn new(
    thermal: Peri<'static, PWM_SLICE0>,
    (heater, cooler): (Peri<'static, PIN_16>, Peri<'static, PIN_17>),
    moist: Peri<'static, PWM_SLICE1>,
    (humidifier, dryer): (Peri<'static, PIN_18>, Peri<'static, PIN_19>),
) -> Outputs<PwmOutput<'static>> {
    let mut config = Config::default();
    config.divider = CLOCKS_PER_COUNT.into();
    config.top = (COUNTS / PWM_HERTZ - 1) as u16;
    let thermal = Pwm::new_output_ab(thermal, heater, cooler, config.clone()).split();
    let moist = Pwm::new_output_ab(moist, humidifier, dryer, config).split();
    let outputs = [thermal.0, thermal.1, moist.0, moist.1];
    Outputs::from(outputs.map(|output| output.expect("both halves have a pin")))
}
