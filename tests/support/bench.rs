//! A small instrument on which the controller can be driven through anything.

use sadcbo::gp::FitConfig;
use sadcbo::{
    Config, ContextVariable, Controller, Cost, Decision, DesignVariable, Error, Point, Policy,
    Settings, Work,
};

/// Room for a dozen observations, so that a run fills it.
pub type Small<P> = Controller<12, 2, 3, f32, P>;
pub type Outcome = sadcbo::StepRecord<2, 3, f32>;

/// Two design variables; two contexts with actuators of different cost, one without.
pub fn config(seed: u64, budget_milli: u32) -> Config<2, 3, f32> {
    Config::<2, 3, f32>::new(
        [
            DesignVariable::new("speed", "rpm", 500.0, 4_000.0),
            DesignVariable::new("time", "s", 10.0, 90.0),
        ],
        [
            ContextVariable::actuated("humidity", "%RH", 20.0, 60.0, Cost::from_milli(700)),
            ContextVariable::recorded("pressure", "hPa", 980.0, 1_040.0),
            ContextVariable::actuated("temperature", "°C", 15.0, 30.0, Cost::from_milli(1_300)),
        ],
        Cost::from_milli(1_000),
        Cost::from_milli(budget_milli),
    )
    .with_seed(seed)
}

/// Little work per step: what is tested here does not depend on how good a decision is.
pub fn settings() -> Settings<f32> {
    Settings {
        initial_points: 4,
        batch: 3,
        minimum_observational_steps: 2,
        fit: FitConfig::default(),
        work: Work {
            fit_starts: 2,
            fit_evaluations: 6,
            reduced_evaluations: 4,
            raw_samples: 16,
            restarts: 2,
            refinements: 4,
            batch_samples: 4,
            base_samples: 4,
        },
        ..Settings::default()
    }
}

/// The contexts of a step, a little different each time.
pub fn weather(step: u32) -> [f32; 3] {
    let phase = step as f32;
    [
        40.0 + 9.0 * (phase * 0.7).sin(),
        1_010.0 + 12.0 * (phase * 0.3).cos(),
        22.0 + 4.0 * (phase * 1.1).sin(),
    ]
}

/// What the instrument measures: speed and humidity matter most.
pub fn result(at: &Point<2, 3, f32>) -> f32 {
    let speed = (at.design[0] - 2_200.0) / 1_500.0;
    let time = (at.design[1] - 50.0) / 60.0;
    let humidity = (at.context[0] - 35.0) / 15.0;
    3.0 - speed * speed - 0.3 * time * time - humidity * humidity
        + 0.05 * (at.context[2] * 40.0).sin()
}

/// Everything of a decision, as text: two are the same exactly if this is.
pub fn text(decision: &Decision<2, 3, f32>) -> String {
    format!("{decision:?}")
}

/// Everything that can be seen of a controller, its next decision included. Asks a copy.
pub fn fingerprint<P: Policy + Clone>(controller: &Small<P>) -> String {
    let mut copy = Box::new(controller.clone());
    let decision = copy.decide(&weather(controller.step()));
    format!(
        "{} {:?} {} {:?} {:?} {:?} {decision:?}",
        controller.step(),
        controller.phase(),
        controller.observations(),
        controller.remaining(),
        controller.best(),
        copy.hyper(),
    )
}

/// A budget that no test spends.
pub const PLENTY: u32 = 1_000_000;

pub fn new<P: Policy>(seed: u64, budget_milli: u32, settings: Settings<f32>) -> Box<Small<P>> {
    Box::new(Small::new(config(seed, budget_milli), settings).unwrap())
}

/// How a step of a random experiment ends.
#[derive(Clone, Copy, Debug)]
pub enum End {
    Observed,
    Failed,
    Rejected,
}

/// One step; `None` when the experiment is over.
pub fn step<P: Policy>(controller: &mut Small<P>, end: End) -> Option<Outcome> {
    let ambient = weather(controller.step());
    let decision = match controller.decide(&ambient) {
        Ok(decision) => decision,
        Err(Error::BudgetSpent | Error::Full) => return None,
        Err(error) => panic!("{error}"),
    };
    let cost = decision.cost();
    let record = match end {
        End::Observed => {
            let mut applied = *decision.point();
            // What was reached is not quite what was asked for.
            applied.context[0] += 0.2;
            let y = result(&applied);
            controller.observe(decision, &applied, y)
        }
        End::Failed => controller.fail(decision, cost),
        End::Rejected => controller.reject(decision, cost),
    };
    Some(record.unwrap())
}

/// Without asking: what can be seen at once.
pub fn fingerprint_of<P: Policy>(controller: &Small<P>) -> String {
    format!(
        "{} {:?} {} {:?} {:?} {:?}",
        controller.step(),
        controller.phase(),
        controller.observations(),
        controller.remaining(),
        controller.best(),
        controller.hyper(),
    )
}
