#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "serde")]
mod arrays;
mod config;
mod controller;
mod error;
#[cfg(feature = "defmt")]
mod format;
pub mod gp;
mod math;
mod optim;
#[doc(hidden)]
pub mod parts;
mod point;
mod policy;
mod settings;
mod step;
mod task;

pub use config::{Actuator, Config, ConfigError, ContextVariable, DesignVariable};
pub use controller::{Best, Controller, NotTaken, Place, ReplayError};
pub use error::{Error, Input};
pub use math::scalar::Scalar;
pub use point::{Point, VarSet};
pub use policy::{CaBo, Cbo, Cubo, Dropout, MmdBo, Policy, Sadcbo, Vbo};
pub use settings::{
    Beta, CapacityPolicy, Collapse, MAX_BASE_SAMPLES, MAX_BATCH, MAX_RESTARTS, Settings, Work,
};
pub use step::budget::{Cost, CostError, Overspend};
pub use step::cost_model::CostModel;
pub use step::csv::{CsvHeader, CsvLine};
pub use step::decision::{Action, Decision, Explanation, Forecast, Phase};
pub use step::elite::EliteRule;
pub use step::record::{Outcome, StepRecord};
pub use step::relevance::Divergence;
pub use step::running_costs::RunningCosts;
pub use step::switch::{SwitchFigures, SwitchRule};
