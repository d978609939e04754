//! A climate chamber: humidity and temperature can be driven, light can be dimmed, and the weather drifts. Only the
//! humidity matters, and nobody knows. Run with `cargo run --example chamber`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "an example on a desktop"
)]

use sadcbo::{
    Action, Config, ContextVariable, Controller, Cost, Decision, DesignVariable, Error, Outcome,
    Phase, Point, Settings, StepRecord,
};

// Problem: the instrument, the chamber around it, and what can go wrong.

const HUMIDITY: usize = 0;
const TEMPERATURE: usize = 1;
const LIGHT: usize = 2;

const CONFIG: Config<2, 3> = Config::<2, 3, f32>::new(
    [
        DesignVariable::new("spin speed", "rpm", 500.0, 4_000.0),
        DesignVariable::new("annealing time", "min", 5.0, 60.0),
    ],
    [
        ContextVariable::actuated("humidity", "%RH", 20.0, 60.0, Cost::from_milli(1_000)),
        ContextVariable::actuated("temperature", "°C", 16.0, 30.0, Cost::from_milli(1_000)),
        ContextVariable::actuated("light", "lx", 0.0, 500.0, Cost::from_milli(1_000)),
    ],
    Cost::from_milli(2_000),
    Cost::from_milli(120_000),
);

/// The chamber, one second at a time: what is driven approaches its target, what is not approaches the weather.
struct Chamber {
    seconds: u32,
    state: [f32; 3],
    noise: Noise,
}

/// How fast a context follows, in seconds; how near is near enough; how long it has to hold.
const FOLLOWS: [f32; 3] = [90.0, 150.0, 2.0];
const NEAR: [f32; 3] = [0.5, 0.2, 5.0];
const HOLDS: u32 = 20;
/// Longest time that a step waits for its contexts.
const PATIENCE: u32 = 1_800;
/// Standard deviations of the sensors, and of the measured quality.
const SENSORS: [f32; 3] = [0.3, 0.1, 2.0];
const QUALITY: f32 = 0.01;

impl Chamber {
    fn new(seed: u32) -> Self {
        let mut chamber = Self {
            seconds: 0,
            state: [0.0; 3],
            noise: Noise(seed),
        };
        chamber.state = chamber.weather();
        chamber
    }

    /// Slow drift over days, and the lamps of the corridor.
    fn weather(&self) -> [f32; 3] {
        let hours = self.seconds as f32 / 3_600.0;
        [
            44.0 + 9.0 * (hours * 0.31).sin() + 3.0 * (hours * 0.83).cos(),
            23.0 + 3.0 * (hours * 0.26).cos(),
            250.0 + 180.0 * (hours * 1.7).sin(),
        ]
    }

    fn second(&mut self, targets: &[Option<f32>; 3]) {
        let weather = self.weather();
        for index in 0..3 {
            let target = targets[index].unwrap_or(weather[index]);
            self.state[index] += (target - self.state[index]) / FOLLOWS[index];
        }
        self.seconds += 1;
    }

    /// The sensors: a mean of eight noisy readings.
    fn read(&mut self) -> [f32; 3] {
        let mut mean = self.state;
        for (value, deviation) in mean.iter_mut().zip(SENSORS) {
            *value += deviation * (0..8).map(|_| self.noise.normal()).sum::<f32>() / 8.0;
        }
        mean
    }

    /// Drives what the decision says until it has settled; `None` if that takes too long.
    fn settle(&mut self, decision: &Decision<2, 3>) -> Option<[f32; 3]> {
        let mut targets = [None; 3];
        for (index, target) in targets.iter_mut().enumerate() {
            if let Action::Actuate(value) = decision.action(index) {
                *target = Some(value);
            }
        }
        let mut held = 0;
        for _ in 0..PATIENCE {
            self.second(&targets);
            let near = |(index, target): (usize, &Option<f32>)| {
                target.is_none_or(|target| (target - self.state[index]).abs() < NEAR[index])
            };
            held = if targets.iter().enumerate().all(near) {
                held + 1
            } else {
                0
            };
            if held >= HOLDS {
                return Some(self.read());
            }
        }
        None
    }

    /// One film, coated, annealed and measured in two hours at the contexts as they are: best at 2200 rpm, 25 min and 35 %RH.
    fn coat(&mut self, design: &[f32; 2]) -> f32 {
        self.seconds += 7_200;
        let speed = (design[0] - 2_200.0) / 1_600.0;
        let time = (design[1] - 25.0) / 30.0;
        let humidity = (self.state[HUMIDITY] - 35.0) / 12.0;
        (-speed * speed - time * time - humidity * humidity).exp() + QUALITY * self.noise.normal()
    }
}

/// Normal numbers from a small generator.
struct Noise(u32);

impl Noise {
    fn uniform(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    /// The sum of twelve uniform numbers is normal enough.
    fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.uniform()).sum::<f32>() - 6.0
    }
}

// Controller: one step after the other until the budget is spent.

type Loop = Controller<64, 2, 3>;

fn run(seed: u32, mut log: impl FnMut(String)) -> Result<Vec<StepRecord<2, 3>>, Error> {
    let mut controller = Loop::in_static(CONFIG.with_seed(seed.into()), Settings::default());
    let mut chamber = Chamber::new(seed);
    let mut records = Vec::new();
    loop {
        let ambient = chamber.read();
        let decision = match controller.decide(&ambient) {
            Ok(decision) => decision,
            Err(Error::BudgetSpent) => return Ok(records),
            Err(error) => return Err(error),
        };
        log(decision.explain(&CONFIG).to_string());
        let record = match chamber.settle(&decision) {
            Some(reached) => {
                let applied = Point::new(*decision.design(), reached);
                let quality = chamber.coat(&applied.design);
                log(format!(
                    "    humidity {:.1} %RH reached, quality {quality:.3}",
                    reached[0]
                ));
                controller.observe(decision, &applied, quality)?
            }
            None => {
                log("    not settled in time: failed, nothing learnt".into());
                controller.fail(decision, CONFIG.run_cost())?
            }
        };
        records.push(record);
    }
}

// Checks: what the experiment found, and what it spent on finding it.

/// The share of the steps with actuation in which a context was actuated.
fn actuated(records: &[StepRecord<2, 3>], context: usize) -> f32 {
    let chosen = records
        .iter()
        .filter(|record| record.phase == Phase::Optimization && !record.actuated.is_empty());
    let count = chosen.clone().count().max(1) as f32;
    chosen
        .filter(|record| record.actuated.contains(context))
        .count() as f32
        / count
}

fn best(records: &[StepRecord<2, 3>]) -> f32 {
    let results = records
        .iter()
        .filter(|record| record.outcome == Outcome::Observed);
    results.map(|record| record.output).fold(0.0, f32::max)
}

#[test]
fn only_what_matters_is_actuated() {
    let runs: Vec<_> = (1..=8).map(|seed| run(seed, |_| ()).unwrap()).collect();
    let share = |context| runs.iter().map(|run| actuated(run, context)).sum::<f32>() / 8.0;
    assert!(share(HUMIDITY) > 0.9, "{}", share(HUMIDITY));
    assert!(share(TEMPERATURE) < 0.2, "{}", share(TEMPERATURE));
    assert!(share(LIGHT) < 0.2, "{}", share(LIGHT));
    assert!(runs.iter().all(|run| best(run) > 0.97));
}

fn main() -> Result<(), Error> {
    let records = run(1, |line| println!("{line}"))?;
    println!(
        "\nbest quality {:.3} after {} steps",
        best(&records),
        records.len()
    );
    for index in [HUMIDITY, TEMPERATURE, LIGHT] {
        let context = &CONFIG.context()[index];
        let share = 100.0 * actuated(&records, index);
        println!(
            "{}: actuated in {share:.0} % of the steps that could",
            context.name
        );
    }
    Ok(())
}
