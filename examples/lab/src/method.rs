//! What the lab compares: anything that can be asked for the next step and told its result.

mod random;

use std::fmt;

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::problems::{Problem, Remaining};
use crate::protocol::Protocol;
use crate::settings::Settings;

/// A method's name and what it does.
pub struct Method {
    pub name: &'static str,
    /// The name in figures.
    pub title: &'static str,
    pub about: &'static str,
}

/// Every method, in the order of the report.
pub const METHODS: &[Method] = &[Method {
    name: "random",
    title: "Random",
    about: "uniform designs, contexts as they come: the floor",
}];

/// The number type that a method computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    #[default]
    F32,
    F64,
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        })
    }
}

/// Which half of the run a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A point measured before the first step.
    Initial,
    /// Contexts are recorded.
    Observational,
    /// Contexts may be actuated.
    Optimization,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Initial => "initial",
            Self::Observational => "observational",
            Self::Optimization => "optimization",
        })
    }
}

/// A point that was measured, on the unit cube.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    pub design: Vec<f64>,
    pub context: Vec<f64>,
    pub y: f64,
}

/// What a method sees before a step.
pub struct Situation<'a> {
    /// The context as the environment has it.
    pub ambient: &'a [f64],
    /// The rows that are left, if only rows can be asked.
    pub rows: Option<&'a Remaining<'a>>,
}

/// Where a step goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A point of the cube. Contexts that are `None` stay as the environment has them.
    Point {
        design: Vec<f64>,
        context: Vec<Option<f64>>,
    },
    /// A row of the pool, with the contexts that had to be actuated to choose it.
    Row { row: usize, actuated: Vec<bool> },
}

/// A method's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    pub target: Target,
    pub phase: Phase,
    /// Contexts that were found to matter (J in the paper).
    pub selected: Vec<bool>,
    /// Relevance of each context; empty if the method has no such thing.
    pub relevance: Vec<f64>,
}

/// A method in the middle of a trial.
pub trait Optimiser {
    /// The next step.
    fn ask(&mut self, now: &Situation) -> Result<Proposal>;

    /// The result of the step that was asked for.
    fn tell(&mut self, measured: &Measured) -> Result<()>;
}

/// What a method is made from. Two methods of one trial get the same.
pub struct Start<'a> {
    pub problem: &'a dyn Problem,
    pub protocol: &'a Protocol,
    pub initial: &'a [Measured],
    pub precision: Precision,
    pub seed: u64,
}

/// The method of this name at the start of a trial; takes the settings that concern it.
pub fn by_name(name: &str, _settings: &mut Settings, start: &Start) -> Result<Box<dyn Optimiser>> {
    Ok(match name {
        "random" => Box::new(random::Random::new(start)),
        other => bail!("no method is called {other:?}; `list` shows them"),
    })
}

/// The title of a method.
pub fn title(name: &str) -> &str {
    METHODS
        .iter()
        .find(|m| m.name == name)
        .map_or(name, |m| m.title)
}
