//! The parts of the [instrument](crate::instrument) put together: what every board and the simulation do alike.

use embassy_time::Delay;
use embedded_hal_async::i2c::I2c;

use crate::actuate::output::Output;
use crate::desk::Desk;
use crate::experiment::{Experiment, Journal};
use crate::instrument::{
    ACCEPTABLE, BoxSensors, CHANNELS, CONTEXTS, DESIGN, FILMS, Loop, RULES, SILENCE,
};
use crate::operator::Panel;
use crate::rig::{Process, Rig, Surroundings};
use crate::safety::Safety;
use crate::sense::barometer::Barometer;
use crate::sense::hygrometer::Hygrometer;
use crate::watchdog::{Attention, Pulse, Watchdog};

/// The safety loop of the box.
pub type BoxSafety<'a, I, W> = Safety<'a, CONTEXTS, BoxSensors<I, I, Delay>, W>;

/// The run of the coater in the box.
pub type BoxExperiment<'a, P, J> =
    Experiment<'a, FILMS, DESIGN, CONTEXTS, Surroundings<'a, CONTEXTS>, Rig<'a, CONTEXTS, P>, J>;

/// The safety loop: two ends of the sensors' bus, the outputs in the order of the contexts, the watchdog and the sign of
/// life of the experiment.
pub fn safety<'a, I: I2c, W: Watchdog>(
    bus: [I; 2],
    outputs: [&'a mut (dyn Output + Send); CONTEXTS],
    watchdog: W,
    experiment: &'a Pulse,
    desk: &'a Desk<CONTEXTS>,
) -> BoxSafety<'a, I, W> {
    let [hygrometer, barometer] = bus;
    let sensors = BoxSensors {
        hygrometer: Hygrometer::new(hygrometer, Delay),
        barometer: Barometer::new(barometer, Delay),
    };
    let experiment = Attention::new(experiment, SILENCE);
    Safety::new(CHANNELS, sensors, outputs, watchdog, experiment, desk)
}

/// The experiment, on top of the safety loop at this desk.
pub fn experiment<'a, P: Process<DESIGN>, J: Journal<DESIGN, CONTEXTS>>(
    controller: &'a mut Loop,
    desk: &'a Desk<CONTEXTS>,
    process: P,
    journal: J,
    panel: &'a Panel,
) -> BoxExperiment<'a, P, J> {
    let slot = RULES.slot;
    let source = Surroundings {
        desk,
        slot,
        not_before: 0,
    };
    let plant = Rig {
        desk,
        process,
        slot,
        acceptable: ACCEPTABLE,
        pinned: [None; CONTEXTS],
    };
    Experiment::new(controller, source, plant, journal, panel, RULES)
}
