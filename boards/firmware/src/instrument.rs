//! The instrument that the boards here run: a spin coater in a box with its own climate.
//!
//! Speed and annealing time are set for every film. Temperature and humidity in the box can be recorded or held, at a
//! cost; air pressure can only be recorded. Which of them matter is what the controller finds out.

use sadcbo::{
    Collapse, Config, ContextVariable, Controller, Cost, DesignVariable, Place, Settings, Work,
};

use crate::actuate::drive::Tuning;
use crate::experiment::Rules;
use crate::interlock::Limits;
use crate::safety::Channel;
use crate::sense::barometer::Barometer;
use crate::sense::hygrometer::Hygrometer;
use crate::sense::monitor::Plausible;
use crate::sense::{Sample, Sensors};
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::i2c::I2c;

/// Design variables: spin speed, annealing time.
pub const DESIGN: usize = 2;
/// Contexts: temperature, humidity, pressure.
pub const CONTEXTS: usize = 3;
/// Room for so many films.
pub const FILMS: usize = 60;
/// The index of the temperature among the contexts.
pub const TEMPERATURE: usize = 0;
/// The index of the humidity among the contexts.
pub const HUMIDITY: usize = 1;
/// The index of the air pressure among the contexts.
pub const PRESSURE: usize = 2;

/// The controller of this instrument.
pub type Loop = Controller<FILMS, DESIGN, CONTEXTS>;
/// Room for it in a `static`, without a copy of it in flash.
pub type LoopPlace = Place<FILMS, DESIGN, CONTEXTS>;

/// A film costs 1, holding the temperature 1, holding the humidity 1.
pub const CONFIG: Config<DESIGN, CONTEXTS> = Config::<DESIGN, CONTEXTS, f32>::new(
    [
        DesignVariable::new("speed", "rpm", 500.0, 4_000.0),
        DesignVariable::new("annealing", "s", 10.0, 120.0),
    ],
    [
        ContextVariable::actuated("temperature", "degC", 18.0, 32.0, Cost::from_milli(1_000)),
        ContextVariable::actuated("humidity", "%RH", 20.0, 65.0, Cost::from_milli(1_000)),
        ContextVariable::recorded("pressure", "hPa", 985.0, 1_040.0),
    ],
    Cost::from_milli(1_000),
    Cost::from_milli(60_000),
);

/// How decisions are made: as by default, with the work of a small part.
///
/// Contexts are collapsed to their observed mean. The weather moves the temperature by a few tenths of a degree in a
/// range of 14: at its lower end, where the paper collapses to, the prediction is mere extrapolation, and a context that
/// does not matter looks as if it did.
pub const SETTINGS: Settings = Settings {
    initial_points: 8,
    collapse: Collapse::Mean,
    work: Work::FAST,
    ..Settings::DEFAULT
};

/// A new experiment, for a `static`.
pub const CONTROLLER: Loop = Controller::in_static(CONFIG, SETTINGS);

/// When to try again and when to give up.
pub const RULES: Rules = Rules::DEFAULT;

/// What the safety loop knows about each context.
pub const CHANNELS: [Channel; CONTEXTS] = [
    Channel {
        plausible: Plausible {
            low: -20.0,
            high: 85.0,
            jump: 3.0,
            stuck: 40,
        },
        limits: Some(Limits {
            low: 5.0,
            high: 45.0,
            rate: 0.5,
        }),
        tuning: Some(Tuning {
            proportional: 0.4,
            integral: 0.02,
            slew: 0.1,
            tolerance: 0.2,
            settle: 20,
            timeout: 300,
        }),
    },
    Channel {
        plausible: Plausible {
            low: 0.0,
            high: 100.0,
            jump: 8.0,
            stuck: 40,
        },
        limits: Some(Limits {
            low: 2.0,
            high: 90.0,
            rate: 3.0,
        }),
        tuning: Some(Tuning {
            proportional: 0.08,
            integral: 0.004,
            slew: 0.5,
            tolerance: 0.8,
            settle: 20,
            timeout: 300,
        }),
    },
    Channel {
        plausible: Plausible {
            low: 300.0,
            high: 1_100.0,
            jump: 5.0,
            stuck: 40,
        },
        limits: None,
        tuning: None,
    },
];

/// A context that was not reached in time is still good for a film within so much of its value.
pub const ACCEPTABLE: [f32; CONTEXTS] = [1.0, 3.0, 0.0];

/// How long the experiment may give no sign of life, in control periods.
pub const SILENCE: u16 = 8;

/// The sensors of the box.
pub struct BoxSensors<I, J, D> {
    /// Temperature and humidity.
    pub hygrometer: Hygrometer<I, D>,
    /// Air pressure.
    pub barometer: Barometer<J, D>,
}

impl<I: I2c, J: I2c, D: DelayNs> Sensors<CONTEXTS> for BoxSensors<I, J, D> {
    async fn sample(&mut self) -> [Sample; CONTEXTS] {
        let climate = self.hygrometer.read().await;
        let pressure = self.barometer.read().await;
        match climate {
            Ok([temperature, humidity]) => [Ok(temperature), Ok(humidity), pressure],
            Err(fault) => [Err(fault), Err(fault), pressure],
        }
    }
}
