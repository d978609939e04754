//! What a method believes that actuating a context costs.

use anyhow::{Result, bail};
use sadcbo::{Config, Cost, CostModel, RunningCosts, Scalar, StepRecord};

use crate::settings::Settings;

/// How many reports of each context the input-dependent model keeps.
const REPORTS: usize = 24;

pub enum Beliefs<const C: usize, T: Scalar> {
    /// What the configuration says, for ever.
    Configured,
    Running(RunningCosts<C>),
    Model(Box<CostModel<REPORTS, C, T>>),
}

impl<const C: usize, T: Scalar> Beliefs<C, T> {
    /// As the setting `learn-costs` says.
    pub fn new<const D: usize>(words: &mut Settings, config: &Config<D, C, T>) -> Result<Self> {
        Ok(match taken(words)? {
            Learning::No => Self::Configured,
            Learning::Running => Self::Running(RunningCosts::new(config)),
            Learning::Model => Self::Model(Box::new(CostModel::new())),
        })
    }

    /// The costs to decide by today, if they are not those of the configuration.
    pub fn costs<const D: usize>(
        &self,
        config: &Config<D, C, T>,
        ambient: &[T; C],
    ) -> Option<[Cost; C]> {
        match self {
            Self::Configured => None,
            Self::Running(costs) => Some(costs.costs()),
            Self::Model(model) => Some(model.costs(config, ambient)),
        }
    }

    /// What a step really cost.
    pub fn learn<const D: usize>(
        &mut self,
        config: &Config<D, C, T>,
        record: &StepRecord<D, C, T>,
        costs: &[Cost; C],
    ) -> Result<()> {
        match self {
            Self::Configured => {}
            Self::Running(running) => running.learn(record, costs),
            Self::Model(model) => model.learn(config, record, costs)?,
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Learning {
    No,
    Running,
    Model,
}

/// Takes the setting `learn-costs` out.
pub fn taken(words: &mut Settings) -> Result<Learning> {
    Ok(match words.take::<String>("learn-costs")?.as_deref() {
        None | Some("no") => Learning::No,
        Some("running") => Learning::Running,
        Some("model") => Learning::Model,
        Some(other) => bail!("learn-costs: {other:?} is not no, running or model"),
    })
}
