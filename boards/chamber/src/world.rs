//! The room as a whole, moved on by whoever looks at it.

use core::cell::RefCell;

use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_time::Instant;
use sadcbo_firmware::timetable::PERIOD;

use crate::chips::bme280::Bme280;
use crate::chips::hdc302x::Hdc302x;
use crate::climate::Climate;
use crate::film;
use crate::noise::Noise;
use crate::scenario::{Fault, Scenario};
use crate::weather::Weather;

/// The room, shared by the chips, the outputs and the coater.
pub type Shared = Mutex<CriticalSectionRawMutex, RefCell<World>>;

/// The room.
#[derive(Debug)]
pub struct World {
    scenario: Scenario,
    weather: Weather,
    climate: Climate,
    levels: [f32; 2],
    seed: u32,
    /// Control periods that have passed.
    steps: u64,
    pub(crate) hygrometer: Hdc302x,
    pub(crate) barometer: Bme280,
}

impl World {
    /// The room for this seed. It has stood for an hour before the experiment begins.
    pub fn new(seed: u32, scenario: Scenario) -> Self {
        let mut weather = Weather::new(seed);
        let mut climate = Climate::new(&weather);
        for _ in 0..14_400 {
            weather.step();
            climate.step(&weather, [0.0; 2]);
        }
        Self {
            scenario,
            weather,
            climate,
            levels: [0.0; 2],
            seed,
            steps: 0,
            hygrometer: Hdc302x::new(),
            barometer: Bme280::new(),
        }
    }

    /// The room, to be shared.
    pub fn shared(self) -> Shared {
        Mutex::new(RefCell::new(self))
    }

    /// Moves on to the present period.
    pub(crate) fn now(&mut self) -> &mut Self {
        let due = Instant::now().as_ticks() / PERIOD.as_ticks();
        while self.steps < due {
            self.steps += 1;
            self.weather.step();
            let [thermal, moist] = self.levels;
            let thermal = if self.fails(Fault::WeldedHeater) {
                1.0
            } else {
                thermal
            };
            let moist = if self.fails(Fault::DeadHumidifier) {
                0.0
            } else {
                moist
            };
            self.climate.step(&self.weather, [thermal, moist]);
        }
        self
    }

    /// Whether this goes wrong now.
    pub(crate) fn fails(&self, fault: Fault) -> bool {
        self.scenario.has(fault, self.second())
    }

    fn second(&self) -> u32 {
        (self.steps / 4) as u32
    }

    pub(crate) fn set_level(&mut self, actuator: usize, level: f32) {
        if let Some(place) = self.levels.get_mut(actuator) {
            *place = level;
        }
    }

    /// Temperature in °C and humidity in %RH as the hygrometer sees them, with its noise.
    pub(crate) fn climate_seen(&self) -> (f32, f32) {
        let mut noise = self.noise(1);
        let temperature = self.climate.temperature() + 0.02 * noise.normal();
        let humidity = self.climate.humidity() + 0.1 * noise.normal();
        (temperature, humidity)
    }

    /// Pressure in Pa as the barometer sees it, with its noise.
    pub(crate) fn pressure_seen(&self) -> f32 {
        100.0 * self.weather.pressure() + 3.0 * self.noise(2).normal()
    }

    /// The measured quality of a film made now.
    pub(crate) fn film(&self, speed: f32, annealing: f32) -> f32 {
        if self.fails(Fault::NotANumber) {
            return f32::NAN;
        }
        let quality = film::quality(speed, annealing, self.climate.humidity());
        quality + 0.01 * self.noise(3).normal()
    }

    /// The noise of this moment, for one purpose.
    fn noise(&self, purpose: u32) -> Noise {
        Noise::new(self.seed, purpose, self.steps as u32)
    }
}

/// How good a film really is, for judging an experiment: no noise, the contexts as given.
pub fn true_quality(design: [f32; 2], humidity: f32) -> f32 {
    film::quality(design[0], design[1], humidity)
}
