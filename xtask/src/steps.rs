//! A list of checks, run one after the other up to the first that fails.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

type Check = Box<dyn Fn() -> Result<()>>;

/// Named checks in the order in which they run.
#[derive(Default)]
pub struct Steps {
    steps: Vec<(String, Check)>,
}

impl Steps {
    pub fn add(&mut self, name: impl Into<String>, check: impl Fn() -> Result<()> + 'static) {
        self.steps.push((name.into(), Box::new(check)));
    }

    /// Runs them; prints the time of each and, at the end, how many passed and failed.
    pub fn run(self) -> Result<()> {
        let count = self.steps.len();
        let mut times: Vec<(String, Duration)> = Vec::new();
        for (index, (name, check)) in self.steps.into_iter().enumerate() {
            println!("\n=== {}/{count} {name}", index + 1);
            let start = Instant::now();
            let outcome = check();
            times.push((name.clone(), start.elapsed()));
            if outcome.is_err() {
                print_times(&times);
                println!(
                    "{index} passed, 1 failed ({name}), {} not run",
                    count - index - 1
                );
                return outcome.context(name);
            }
        }
        print_times(&times);
        println!("{count} passed, 0 failed");
        Ok(())
    }
}

fn print_times(times: &[(String, Duration)]) {
    println!();
    for (name, time) in times {
        println!("{:7.1} s  {name}", time.as_secs_f64());
    }
    let total: Duration = times.iter().map(|(_, time)| time).sum();
    println!("{:7.1} s  in all", total.as_secs_f64());
}
