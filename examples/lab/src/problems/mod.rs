//! The paper's problems, each a maximisation on the unit cube scaled so that its optimum is 1.

mod ackley;
mod alanine;
mod eggholder;
mod hartmann;
mod pool;
mod portfolio;
mod robot;
mod synthetic;
mod yacht;

use std::path::Path;

use anyhow::{Result, bail};

use crate::settings::Settings;

pub use alanine::{Alanine, Domain, Energy};
pub use pool::{Pool, Remaining};
pub use robot::{Outcome, simulate};

/// What `--problem` accepts, in the order of the report.
pub const NAMES: [&str; 9] = [
    "eggholder",
    "hartmann4",
    "hartmann6",
    "ackley5",
    "portfolio",
    "yacht",
    "robot",
    "alanine",
    "alanine-wide",
];

/// One input of a problem and its physical range.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    /// Empty if the variable has no dimension.
    pub unit: &'static str,
    pub lo: f64,
    pub hi: f64,
}

impl Variable {
    pub fn new(name: impl Into<String>, unit: &'static str, lo: f64, hi: f64) -> Self {
        let name = name.into();
        Self { name, unit, lo, hi }
    }

    /// The physical value of a unit-cube coordinate.
    pub fn physical(&self, unit: f64) -> f64 {
        self.lo + unit * (self.hi - self.lo)
    }
}

/// A black box with design and context variables.
///
/// Points are on the unit cube; [`Problem::value`] has no noise.
pub trait Problem: Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// The name in figures.
    fn title(&self) -> String;

    fn design(&self) -> &[Variable];

    fn context(&self) -> &[Variable];

    /// How many variables the value depends on: the protocol's unit of budget and initial data.
    fn relevant(&self) -> usize {
        self.design().len() + self.context().len()
    }

    /// How many design variables a step pays for.
    fn paid_designs(&self) -> usize {
        self.design().len()
    }

    /// The scaled value at a point, 1 at the optimum. Always finite inside the cube.
    fn value(&self, design: &[f64], context: &[f64]) -> f64;

    /// The physical quantity that a scaled value stands for, and its unit.
    fn physical(&self, value: f64) -> (f64, &'static str);

    /// A point of the cube with the best known value.
    fn optimum(&self) -> (Vec<f64>, Vec<f64>);

    /// Standard deviation of the measurement noise if the user gives none.
    fn default_noise_sd(&self) -> f64 {
        0.0
    }

    /// The rows that can be queried, if only these can.
    fn pool(&self) -> Option<&Pool> {
        None
    }
}

/// The problem of this name; takes the settings that concern it: `irrelevant`, `irrelevant-design`, `design`.
pub fn by_name(
    name: &str,
    settings: &mut Settings,
    data: Option<&Path>,
) -> Result<Box<dyn Problem>> {
    let mut count = |setting: &str, default: usize| -> Result<usize> {
        Ok(settings.take(setting)?.unwrap_or(default))
    };
    let synthetic = match name {
        "eggholder" => eggholder::problem(count("irrelevant", 4)?),
        "hartmann4" => hartmann::four(count("irrelevant", 3)?),
        "hartmann6" => hartmann::six(count("irrelevant", 6)?),
        "ackley5" => ackley::problem(count("design", 2)?, count("irrelevant", 8)?)?,
        other => return real_world(other, data),
    };
    Ok(Box::new(
        synthetic.with_irrelevant_designs(count("irrelevant-design", 0)?),
    ))
}

fn real_world(name: &str, data: Option<&Path>) -> Result<Box<dyn Problem>> {
    Ok(match name {
        "portfolio" => Box::new(portfolio::problem(data)?),
        "yacht" => Box::new(yacht::problem(data)?),
        "robot" => Box::new(robot::Robot::new()),
        "alanine" => Box::new(Alanine::new(Domain::Narrow)?),
        "alanine-wide" => Box::new(Alanine::new(Domain::Wide)?),
        other => bail!(
            "no problem is called {other:?}; there are {}",
            NAMES.join(", ")
        ),
    })
}
