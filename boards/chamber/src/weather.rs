//! The air outside the box.

use sadcbo_firmware::timetable::PERIOD_SECONDS;

use crate::noise::Noise;

/// A value that wanders around a mean (an Ornstein-Uhlenbeck process).
#[derive(Clone, Copy, Debug)]
struct Wander {
    mean: f32,
    /// Standard deviation in the long run.
    sd: f32,
    /// Seconds after which it has forgotten most of where it was.
    memory: f32,
    value: f32,
}

impl Wander {
    const fn new(mean: f32, sd: f32, memory: f32) -> Self {
        Self {
            mean,
            sd,
            memory,
            value: mean,
        }
    }

    fn step(&mut self, noise: &mut Noise) {
        let share = PERIOD_SECONDS / self.memory;
        // The variance that each step loses by forgetting comes back as noise: 2 share sd^2.
        let kick = libm::sqrtf(2.0 * share) * self.sd;
        self.value += share * (self.mean - self.value) + kick * noise.normal();
    }
}

/// Temperature, humidity and pressure outside.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    noise: Noise,
    temperature: Wander,
    humidity: Wander,
    pressure: Wander,
}

impl Weather {
    pub const fn new(seed: u32) -> Self {
        Self {
            noise: Noise::new(seed, 0, 0),
            temperature: Wander::new(23.0, 2.0, 600.0),
            humidity: Wander::new(50.0, 8.0, 400.0),
            pressure: Wander::new(1_013.0, 6.0, 1_500.0),
        }
    }

    pub fn step(&mut self) {
        self.temperature.step(&mut self.noise);
        self.humidity.step(&mut self.noise);
        self.pressure.step(&mut self.noise);
    }

    /// In °C.
    pub const fn temperature(&self) -> f32 {
        self.temperature.value
    }

    /// In %RH.
    pub const fn humidity(&self) -> f32 {
        self.humidity.value.clamp(10.0, 90.0)
    }

    /// In hPa.
    pub const fn pressure(&self) -> f32 {
        self.pressure.value
    }
}
