//! One whole step of the controller, decision and observation, split by stage.

use core::fmt;

use sadcbo::parts::stages::{Stage, run as block_on};
use sadcbo::{
    Config, ContextVariable, Controller, Cost, DesignVariable, Policy, Sadcbo, Settings,
    SwitchRule, Work,
};

use super::Meter;
use crate::data::Experiment;
use crate::output::Bits;

/// `step/standard/recording/63x2x5` or `step/standard/recording/63x2x5/fit`.
#[derive(Clone, Copy)]
struct StepKey<const D: usize, const C: usize> {
    preset: &'static str,
    when: When,
    observations: usize,
    stage: Option<Stage>,
}

impl<const D: usize, const C: usize> fmt::Display for StepKey<D, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (preset, when) = (self.preset, self.when.name());
        write!(f, "step/{preset}/{when}/{}x{D}x{C}", self.observations)?;
        match self.stage {
            None => Ok(()),
            Some(stage) => write!(f, "/{}", name(stage)),
        }
    }
}

/// Before the switch, with the switching test; or after it, where what recording promises is searched for too.
#[derive(Clone, Copy)]
enum When {
    Recording,
    Actuating,
}

impl When {
    const fn name(self) -> &'static str {
        match self {
            Self::Recording => "recording",
            Self::Actuating => "actuating",
        }
    }
}

/// `size_of/controller/64x2x5`.
struct SizeKey<const N: usize, const D: usize, const C: usize>;

impl<const N: usize, const D: usize, const C: usize> fmt::Display for SizeKey<N, D, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "size_of/controller/{N}x{D}x{C}")
    }
}

const STAGES: [Stage; 5] = [
    Stage::Fit,
    Stage::Select,
    Stage::Reduce,
    Stage::Search,
    Stage::Switch,
];

fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Fit => "fit",
        Stage::Select => "select",
        Stage::Reduce => "reduce",
        Stage::Search => "search",
        Stage::Switch => "switch",
    }
}

pub fn run(meter: &mut impl Meter) {
    size::<64, 2, 5>(meter);
    size::<128, 3, 9>(meter);
    for (preset, work) in [("fast", Work::FAST), ("standard", Work::STANDARD)] {
        for when in [When::Recording, When::Actuating] {
            step::<64, 2, 5>(meter, preset, work, when, 20);
            step::<64, 2, 5>(meter, preset, work, when, 40);
            step::<64, 2, 5>(meter, preset, work, when, 63);
            step::<128, 3, 9>(meter, preset, work, when, 60);
            step::<128, 3, 9>(meter, preset, work, when, 127);
        }
    }
}

fn size<const N: usize, const D: usize, const C: usize>(meter: &mut impl Meter) {
    let bytes = size_of::<Controller<N, D, C>>();
    meter.figure(SizeKey::<N, D, C>, bytes as u64);
}

/// A step at `observations` observations: the one before it has warmed up the hyperparameters, as in every real run.
fn step<const N: usize, const D: usize, const C: usize>(
    meter: &mut impl Meter,
    preset: &'static str,
    work: Work,
    when: When,
    observations: usize,
) {
    let mut key = StepKey::<D, C> {
        preset,
        when,
        observations,
        stage: None,
    };
    let Some(mut controller) = controller::<N, D, C, Sadcbo>(work, when, observations) else {
        return;
    };
    let mut experiment = Experiment::<D, C>::new(5);
    let mut spent = [0_u64; STAGES.len()];
    let mut sum = 0.0;
    for warm in [false, true] {
        let (at, output) = experiment.observe();
        let mut watch = Watch::new();
        let decision = block_on(
            controller.decide_watched(&at.context, |stage| watch.enter(meter.now(), stage)),
        );
        watch.leave(meter.now());
        let Ok(decision) = decision else {
            return;
        };
        let applied = *decision.point();
        let record = block_on(
            controller.observe_watched(decision, &applied, output, |stage| {
                watch.enter(meter.now(), stage);
            }),
        );
        watch.leave(meter.now());
        if let (true, Ok(record)) = (warm, record) {
            sum = record.applied.iter().sum::<f32>() + record.hyper.noise_variance;
            spent = watch.spent;
        }
    }
    meter.figure(key, spent.iter().sum());
    for (stage, spent) in STAGES.into_iter().zip(spent) {
        key.stage = Some(stage);
        meter.figure(key, spent);
    }
    key.stage = None;
    meter.check(key, Bits::of(sum));
}

/// Adds up the instructions of each stage.
struct Watch {
    spent: [u64; STAGES.len()],
    current: Option<(Stage, u64)>,
}

impl Watch {
    const fn new() -> Self {
        Self {
            spent: [0; STAGES.len()],
            current: None,
        }
    }

    fn enter(&mut self, now: u64, stage: Stage) {
        self.leave(now);
        self.current = Some((stage, now));
    }

    fn leave(&mut self, now: u64) {
        if let Some((stage, since)) = self.current.take() {
            let index = STAGES.iter().position(|&other| other == stage);
            if let Some(spent) = index.and_then(|index| self.spent.get_mut(index)) {
                *spent += now - since;
            }
        }
    }
}

/// A controller that was given all but one of its observations.
fn controller<const N: usize, const D: usize, const C: usize, P: Policy>(
    work: Work,
    when: When,
    observations: usize,
) -> Option<Controller<N, D, C, f32, P>> {
    let cost = Cost::from_milli(1_000);
    let config = Config::try_new(
        [DesignVariable::new("design", "", 0.0, 1.0); D],
        [ContextVariable::actuated("context", "", 0.0, 1.0, cost); C],
        cost,
        Cost::from_milli(1_000_000),
    )
    .ok()?;
    let mut settings = Settings {
        initial_points: 2,
        work,
        ..Settings::default()
    };
    if let When::Actuating = when {
        // The first of the two steps is the last that records.
        settings.switch = SwitchRule::At(1);
        settings.minimum_observational_steps = 1;
    }
    let mut controller = Controller::new(config, settings).ok()?;
    let mut experiment = Experiment::<D, C>::new(7);
    for _ in 1..observations {
        let (at, output) = experiment.observe();
        controller.seed_with(&at, output).ok()?;
    }
    Some(controller)
}
