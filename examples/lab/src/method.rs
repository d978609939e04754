//! What the lab compares: anything that can be asked for the next step and told its result.

mod library;
mod random;
mod tuning;

use std::fmt;

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::cost::Cost;
use crate::problems::{Problem, Remaining};
use crate::protocol::Protocol;
use crate::settings::Settings;

pub use tuning::HELP as SETTINGS_HELP;

use library::Kind;

/// A method's name and what it does.
pub struct Method {
    pub name: &'static str,
    /// The name in figures.
    pub title: &'static str,
    pub about: &'static str,
    rule: Rule,
}

/// What a method is made of.
#[derive(Clone, Copy)]
enum Rule {
    Random,
    /// A policy of the library, with settings of its own that the user's come after.
    Library(Kind, &'static [(&'static str, &'static str)]),
}

const fn of_library(
    name: &'static str,
    title: &'static str,
    about: &'static str,
    kind: Kind,
) -> Method {
    let rule = Rule::Library(kind, &[]);
    Method {
        name,
        title,
        about,
        rule,
    }
}

/// Every method, in the order of the report.
pub const METHODS: &[Method] = &[
    of_library(
        "sadcbo",
        "SADCBO",
        "records contexts, learns which matter, then actuates these",
        Kind::Sadcbo,
    ),
    of_library(
        "cbo",
        "CBO",
        "surrogate on all contexts, sets the design only",
        Kind::Cbo,
    ),
    of_library(
        "cubo",
        "CUBO",
        "surrogate on the design only, blind to contexts",
        Kind::Cubo,
    ),
    of_library("vbo", "VBO", "sets every variable in every step", Kind::Vbo),
    of_library(
        "cabo",
        "CaBO",
        "sets every variable, improvement per cost",
        Kind::CaBo,
    ),
    of_library(
        "dropout",
        "Dropout",
        "sets a random half of the contexts",
        Kind::Dropout,
    ),
    of_library(
        "mmdbo",
        "MMDBO",
        "sets the contexts that HSIC finds relevant",
        Kind::MmdBo,
    ),
    Method {
        name: "saasbo",
        title: "SAASBO",
        about: "VBO with the sparse SAAS prior (MAP)",
        rule: Rule::Library(Kind::Vbo, &[("prior", "saas")]),
    },
    Method {
        name: "saasbo-sadcbo",
        title: "SAASBO+SADCBO",
        about: "SADCBO with the sparse SAAS prior (MAP)",
        rule: Rule::Library(Kind::Sadcbo, &[("prior", "saas")]),
    },
    Method {
        name: "sadcbo-budget",
        title: "SADCBO, budget-aware",
        about: "extension: the switching criterion knows what is left",
        rule: Rule::Library(Kind::Sadcbo, &[("budget-aware", "true")]),
    },
    Method {
        name: "sadcbo-learned-costs",
        title: "SADCBO, learned costs",
        about: "extension: running means of what actuating each context really cost",
        rule: Rule::Library(Kind::Sadcbo, &[("learn-costs", "running")]),
    },
    Method {
        name: "sadcbo-cost-model",
        title: "SADCBO, cost model",
        about: "extension: a Gaussian process of each context's cost over where it is and goes",
        rule: Rule::Library(Kind::Sadcbo, &[("learn-costs", "model")]),
    },
    Method {
        name: "sadcbo-freeze",
        title: "SADCBO, frozen designs",
        about: "extension: designs that hardly matter stay at their best value",
        rule: Rule::Library(Kind::Sadcbo, &[("design-threshold", "0.95")]),
    },
    Method {
        name: "random",
        title: "Random",
        about: "uniform designs, contexts as they come: the floor",
        rule: Rule::Random,
    },
];

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
    /// A row of the pool.
    Row {
        row: usize,
        /// The contexts that are held and paid for: they decide which rows were on offer.
        actuated: Vec<bool>,
    },
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

    /// The result of the step that was asked for, and what each context really cost; 0 if it was not actuated.
    fn tell(&mut self, measured: &Measured, costs: &[Cost]) -> Result<()>;
}

/// What a method is made from. Two methods of one trial get the same.
pub struct Start<'a> {
    pub problem: &'a dyn Problem,
    pub protocol: &'a Protocol,
    pub initial: &'a [Measured],
    pub precision: Precision,
    pub seed: u64,
}

/// The method of this name.
pub fn by_name(name: &str) -> Result<&'static Method> {
    match METHODS.iter().find(|m| m.name == name) {
        Some(method) => Ok(method),
        None => bail!("no method is called {name:?}; `list` shows them"),
    }
}

impl Method {
    /// An error if a setting is unknown or wrong, or the problem has a shape that the method is not made for.
    pub fn check(
        &self,
        settings: &Settings,
        problem: &dyn Problem,
        precision: Precision,
    ) -> Result<()> {
        let mut left = settings.clone();
        if let Rule::Library(..) = self.rule {
            library::check(problem, precision, &mut left)?;
        }
        left.finish()
    }

    /// The method at the start of a trial.
    pub fn start(&self, settings: &Settings, start: &Start) -> Result<Box<dyn Optimiser>> {
        match self.rule {
            Rule::Random => Ok(Box::new(random::Random::new(start))),
            Rule::Library(kind, own) => {
                let mut all = Settings::default();
                own.iter().for_each(|(name, value)| all.set(name, value));
                all.extend(settings);
                library::start(kind, start, all)
            }
        }
    }
}

/// Whether two sets of a method's settings come to the same.
pub fn same_settings(a: &Settings, b: &Settings) -> Result<bool> {
    let tuned = |words: &Settings| tuning::tuned::<f64>(&mut words.clone());
    Ok(tuned(a)? == tuned(b)?)
}

/// The title of a method.
pub fn title(name: &str) -> &str {
    METHODS
        .iter()
        .find(|m| m.name == name)
        .map_or(name, |m| m.title)
}
