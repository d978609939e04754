//! The air inside the box.

use sadcbo_firmware::timetable::PERIOD_SECONDS;

use crate::weather::Weather;

/// Seconds for the air to follow the walls, the walls to follow the air, and the air to leak out.
const AIR_TO_WALL: f32 = 120.0;
const WALL_TO_AIR: f32 = 600.0;
const LEAK: f32 = 600.0;
/// Seconds in which the air in the box is exchanged with the air outside.
const EXCHANGE: f32 = 300.0;
/// Seconds for an actuator to follow its output.
const LAG: f32 = 8.0;
/// K/s at full power, either way.
const THERMAL_POWER: f32 = 0.08;
/// Grams of water per m³ and second at full power.
const HUMIDIFIER: f32 = 0.04;
/// Share of the moisture that dry gas at full flow takes out per second.
const DRYER: f32 = 1.0 / 60.0;

/// Temperature and moisture of the box, and its actuators.
#[derive(Clone, Copy, Debug)]
pub struct Climate {
    air: f32,
    wall: f32,
    /// Grams of water per m³.
    moisture: f32,
    /// What the actuators do now, from -1 to 1: thermal, moisture.
    acting: [f32; 2],
}

impl Climate {
    /// In balance with the weather.
    pub fn new(weather: &Weather) -> Self {
        Self {
            air: weather.temperature(),
            wall: weather.temperature(),
            moisture: saturation(weather.temperature()) * weather.humidity() / 100.0,
            acting: [0.0; 2],
        }
    }

    /// One control period with the outputs at these levels.
    pub fn step(&mut self, weather: &Weather, levels: [f32; 2]) {
        for (acting, level) in self.acting.iter_mut().zip(levels) {
            *acting += PERIOD_SECONDS / LAG * (level - *acting);
        }
        let [thermal, moist] = self.acting;
        let warming = (self.wall - self.air) / AIR_TO_WALL
            + (weather.temperature() - self.air) / LEAK
            + THERMAL_POWER * thermal;
        self.wall += PERIOD_SECONDS * (self.air - self.wall) / WALL_TO_AIR;
        self.air += PERIOD_SECONDS * warming;
        let outside = saturation(weather.temperature()) * weather.humidity() / 100.0;
        let wetting = if moist > 0.0 {
            HUMIDIFIER * moist
        } else {
            DRYER * self.moisture * moist
        };
        self.moisture += PERIOD_SECONDS * ((outside - self.moisture) / EXCHANGE + wetting);
        self.moisture = self.moisture.clamp(0.0, saturation(self.air));
    }

    /// In °C.
    pub const fn temperature(&self) -> f32 {
        self.air
    }

    /// In %RH.
    pub fn humidity(&self) -> f32 {
        100.0 * self.moisture / saturation(self.air)
    }
}

/// Grams of water per m³ of saturated air: Magnus' formula for the pressure, the gas law for the density.
fn saturation(celsius: f32) -> f32 {
    let pressure = 6.112 * libm::expf(17.62 * celsius / (243.12 + celsius));
    216.7 * pressure / (273.15 + celsius)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(levels: [f32; 2], seconds: u32) -> Climate {
        let weather = Weather::new(1);
        let mut climate = Climate::new(&weather);
        for _ in 0..4 * seconds {
            climate.step(&weather, levels);
        }
        climate
    }

    #[test]
    fn saturation_is_that_of_the_tables() {
        // 17.3 g/m³ at 20 °C and 30.4 g/m³ at 30 °C; the formula is good to 1 %.
        assert!((saturation(20.0) / 17.3 - 1.0).abs() < 0.01);
        assert!((saturation(30.0) / 30.4 - 1.0).abs() < 0.01);
    }

    #[test]
    fn left_alone_it_stays_as_the_weather_is() {
        let climate = run([0.0; 2], 3_600);
        assert!((climate.temperature() - 23.0).abs() < 0.01);
        assert!((climate.humidity() - 50.0).abs() < 0.05);
    }

    #[test]
    fn heating_warms_and_dries_and_needs_time() {
        let (soon, late) = (run([0.2, 0.0], 5), run([0.2, 0.0], 36_000));
        assert!(soon.temperature() < 23.1, "lag and mass");
        assert!((late.temperature() - (23.0 + 0.2 * 0.08 * 600.0)).abs() < 0.3);
        assert!(late.humidity() < 30.0);
    }

    #[test]
    fn the_outputs_reach_what_decisions_may_ask_for() {
        assert!(run([1.0, 0.0], 600).temperature() > 32.0);
        assert!(run([-1.0, 0.0], 600).temperature() < 18.0);
        assert!(run([0.0, 1.0], 600).humidity() > 65.0);
        assert!(run([0.0, -1.0], 600).humidity() < 20.0);
    }
}
