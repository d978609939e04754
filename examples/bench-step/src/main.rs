//! A whole step of the controller on a desktop, decision and observation, refits included: `cargo xtask bench-host`.
//!
//! `time CASE` prints the seconds of a step, `once CASE` does one for a tool that counts instructions. A case is
//! `fast f64 63`: preset, precision, observations before the step.

use std::env;
use std::hint::black_box;
use std::time::Instant;

use sadcbo::{
    Config, ContextVariable, Controller, Cost, DesignVariable, Point, Scalar, Settings, Work,
};

const CAPACITY: usize = 64;
const DESIGN: usize = 2;
const CONTEXT: usize = 5;
/// The fastest of so many is the one that the rest of the machine disturbed least.
const ROUNDS: usize = 50;

type Loop<T> = Controller<CAPACITY, DESIGN, CONTEXT, T>;
type At<T> = Point<DESIGN, CONTEXT, T>;

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [what, preset, precision, observations] = words[..] else {
        panic!("usage: time|once fast|standard|thorough f32|f64 OBSERVATIONS");
    };
    let work = match preset {
        "fast" => Work::FAST,
        "standard" => Work::STANDARD,
        "thorough" => Work::THOROUGH,
        _ => panic!("no preset {preset}"),
    };
    let rounds = match what {
        "time" => ROUNDS,
        "once" => 1,
        _ => panic!("neither time nor once: {what}"),
    };
    let observations = observations.parse().expect("a number of observations");
    let seconds = match precision {
        "f32" => fastest::<f32>(work, observations, rounds),
        "f64" => fastest::<f64>(work, observations, rounds),
        _ => panic!("no precision {precision}"),
    };
    println!("{seconds}");
}

/// Seconds of the fastest round. Every round repeats the same step, on a copy.
fn fastest<T: Scalar>(work: Work, observations: usize, rounds: usize) -> f64 {
    let (controller, mut experiment) = prepared::<T>(work, observations);
    let (at, output) = experiment.observe();
    (0..rounds)
        .map(|_| {
            let mut controller = controller.clone();
            let start = Instant::now();
            measured(&mut controller, &at, output);
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

/// What is timed; the counting tool knows it by its name.
#[inline(never)]
fn measured<T: Scalar>(controller: &mut Loop<T>, at: &At<T>, output: T) {
    step(controller, at, output);
}

fn step<T: Scalar>(controller: &mut Loop<T>, at: &At<T>, output: T) {
    let decision = controller.decide(&at.context).expect("there is budget");
    let applied = *decision.point();
    black_box(controller.observe(decision, &applied, output)).expect("there is room");
}

/// A controller with so many observations, and hyperparameters warmed up by the step before, as in every real run.
fn prepared<T: Scalar>(work: Work, observations: usize) -> (Box<Loop<T>>, Experiment) {
    let cost = Cost::from_milli(1_000);
    let config = Config::try_new(
        [DesignVariable::new("design", "", T::ZERO, T::ONE); DESIGN],
        [ContextVariable::actuated("context", "", T::ZERO, T::ONE, cost); CONTEXT],
        cost,
        Cost::from_milli(1_000_000),
    )
    .expect("the variables are sound");
    let settings = Settings {
        initial_points: 2,
        work,
        ..Settings::default()
    };
    let mut controller = Box::new(Loop::new(config, settings).expect("the settings are sound"));
    let mut experiment = Experiment { state: 1 };
    for _ in 1..observations {
        let (at, output) = experiment.observe();
        controller
            .seed_with(&at, output)
            .expect("there is room for it");
    }
    let (at, output) = experiment.observe();
    step(&mut controller, &at, output);
    assert_eq!(controller.observations(), observations);
    (controller, experiment)
}

/// Random points and a smooth function of the design and two contexts.
struct Experiment {
    state: u32,
}

impl Experiment {
    fn observe<T: Scalar>(&mut self) -> (At<T>, T) {
        let mut at = At::ORIGIN;
        for value in at.iter_mut() {
            // The constants of Numerical Recipes; the upper bits are random enough for a benchmark.
            self.state = self
                .state
                .wrapping_mul(1_664_525)
                .wrapping_add(1_013_904_223);
            *value = T::from_f64(f64::from(self.state >> 8) / f64::from(1 << 24));
        }
        let output = at.iter().take(4).fold(T::ONE, |sum, value| {
            let distance = value - T::FIFTH;
            sum - distance * distance
        });
        (at, output)
    }
}
