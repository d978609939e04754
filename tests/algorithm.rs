//! The whole algorithm: Hartmann4D with three irrelevant contexts by the protocol of SPEC §8, noise sd 0.01, 60 seeds.
//!
//! Run with `cargo test --release --test algorithm`: unoptimised it would take minutes, so it says that it is ignored.
//! The table of results is kept in `algorithm.txt`: a change of behaviour shows as a difference of text. Write it anew
//! with `SADCBO_OVERWRITE=1`. `SADCBO_SEEDS=200` prints the table for other numbers of seeds and compares nothing.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use std::fmt::Write as _;

use sadcbo::{CapacityPolicy, Cbo, Cubo, Divergence, Policy, Sadcbo, Scalar, Settings, Vbo, Work};
use support::hartmann::{Trial, trial, trial_in};

const SEEDS: u64 = 60;

/// How many seeds were asked for.
fn seeds() -> u64 {
    std::env::var("SADCBO_SEEDS").map_or(SEEDS, |seeds| seeds.parse().unwrap())
}

/// A mean over the seeds, and its standard error.
#[derive(Clone, Copy)]
struct Mean {
    value: f64,
    error: f64,
}

impl Mean {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let value = values.clone().sum::<f64>() / count;
        let squares: f64 = values.map(|x| (x - value).powi(2)).sum();
        Self {
            value,
            error: (squares / (count - 1.0) / count).sqrt(),
        }
    }
}

/// What all trials of one method came to.
struct Result {
    name: &'static str,
    trials: Vec<Trial>,
}

impl Result {
    /// Best noiseless value at a quarter of the budget, 4 being all of it.
    fn best(&self, quarter: usize) -> Mean {
        Mean::of(self.trials.iter().map(|trial| trial.best[quarter]))
    }

    fn inclusion(&self, context: usize) -> f64 {
        Mean::of(self.trials.iter().map(|trial| trial.inclusion[context])).value
    }

    /// How much more than another it reached with the same data, contexts and noise.
    fn lead_over(&self, other: &Self) -> Mean {
        let pairs = self.trials.iter().zip(&other.trials);
        Mean::of(pairs.map(|(a, b)| a.best[4] - b.best[4]))
    }

    fn line(&self) -> String {
        let mut line = format!("{:<20}", self.name);
        for quarter in 0..5 {
            let Mean { value, error } = self.best(quarter);
            write!(line, " {value:.4} ± {error:.4}").unwrap();
        }
        line.push_str("  ");
        for context in 0..5 {
            write!(line, " {:.2}", self.inclusion(context)).unwrap();
        }
        let mut switches: Vec<u32> = self.trials.iter().filter_map(|t| t.switched).collect();
        switches.sort_unstable();
        match switches.get(switches.len() / 2) {
            Some(median) => writeln!(line, "  {median:>6}").unwrap(),
            None => writeln!(line, "   never").unwrap(),
        }
        line
    }
}

/// All seeds, on two threads.
fn run(name: &'static str, one: impl Fn(u64) -> Trial + Sync) -> Result {
    let half = |first: u64| {
        (first..seeds())
            .step_by(2)
            .map(&one)
            .collect::<Vec<_>>()
            .into_iter()
    };
    let (mut even, mut odd) = std::thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        (half(0), odd.join().unwrap())
    });
    let trials = (0..seeds())
        .map(|seed| {
            if seed % 2 == 0 {
                even.next()
            } else {
                odd.next()
            }
        })
        .map(Option::unwrap)
        .collect();
    Result { name, trials }
}

fn policy<T: Scalar + Sync, P: Policy>(name: &'static str) -> Result {
    run(name, |seed| trial::<T, P>(seed, Settings::default()))
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "minutes unless optimised: cargo test --release --test algorithm"
)]
fn hartmann4_with_irrelevant_contexts() {
    let sadcbo = policy::<f32, Sadcbo>("sadcbo f32");
    let double = policy::<f64, Sadcbo>("sadcbo f64");
    let flatter = run("sadcbo f32 sqrt-kl", |seed| {
        let settings = Settings {
            divergence: Divergence::SqrtKl,
            ..Settings::default()
        };
        trial::<f32, Sadcbo>(seed, settings)
    });
    let with_work = |name, work| {
        run(name, |seed| {
            let settings = Settings {
                work,
                ..Settings::default()
            };
            trial::<f32, Sadcbo>(seed, settings)
        })
    };
    let fast = with_work("sadcbo f32 fast", Work::FAST);
    let thorough = with_work("sadcbo f32 thorough", Work::THOROUGH);
    let forgetting = run("sadcbo f32, room 32", |seed| {
        let settings = Settings {
            capacity: CapacityPolicy::ForgetLeastInformative,
            ..Settings::default()
        };
        trial_in::<32, f32, Sadcbo>(seed, settings)
    });
    let cbo = policy::<f32, Cbo>("cbo f32");
    let vbo = policy::<f32, Vbo>("vbo f32");
    let cubo = policy::<f32, Cubo>("cubo f32");

    let mut table = format!("{:<20}", "method");
    for share in [0, 25, 50, 75, 100] {
        write!(table, " {:<15}", format!("{share} % of budget")).unwrap();
    }
    writeln!(table, "   z2   z3   n1   n2   n3   switch").unwrap();
    let all = [
        &sadcbo,
        &double,
        &flatter,
        &fast,
        &thorough,
        &forgetting,
        &cbo,
        &vbo,
        &cubo,
    ];
    for result in all {
        table.push_str(&result.line());
    }
    print!("{table}");
    if seeds() != SEEDS {
        return;
    }

    for result in [&sadcbo, &double, &flatter] {
        let name = result.name;
        assert!(result.best(4).value >= 0.97, "{name}: best");
        for context in [0, 1] {
            assert!(
                result.inclusion(context) >= 0.7,
                "{name}: context {context}"
            );
        }
    }
    for context in [2, 3, 4] {
        for result in [&sadcbo, &double] {
            let share = result.inclusion(context);
            assert!(share <= 0.25, "{}: context {context}", result.name);
        }
        // The square root flattens the shares: a quarter is missed by up to a tenth.
        let share = flatter.inclusion(context);
        assert!(share <= 0.35, "{}: context {context}", flatter.name);
    }
    let lead = sadcbo.lead_over(&double);
    let error = sadcbo.best(4).error.max(double.best(4).error);
    assert!(lead.value.abs() <= error, "f32 {} above f64", lead.value);
    assert!(sadcbo.best(4).value - fast.best(4).value <= 0.01, "fast");

    // The paper's order, at half of the budget and at the end.
    for pair in [&sadcbo, &cbo, &vbo, &cubo].windows(2) {
        for share in [2, 4] {
            let (better, worse) = (pair[0].best(share).value, pair[1].best(share).value);
            assert!(better > worse, "{} above {}", pair[0].name, pair[1].name);
        }
    }

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/algorithm.txt");
    if std::env::var_os("SADCBO_OVERWRITE").is_some() {
        std::fs::write(path, &table).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), table, "{path}");
}
