//! Stage: what to do next, and why.

use core::fmt;

use crate::config::Config;
use crate::{Cost, Point, Scalar, VarSet};

/// The part of an experiment that a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Phase {
    /// Spread-out points, to have something to learn from.
    Initial,
    /// Contexts are only recorded.
    Observational,
    /// Contexts that are worth their cost are actuated.
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

/// What to do with one context.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Action<T = f32> {
    /// Leave it to the environment and record it.
    Record,
    /// Hold it at this value, in its unit.
    Actuate(T),
}

/// What the surrogate expects of a step, in the units of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Forecast<T = f32> {
    /// Expected result.
    pub mean: T,
    /// Uncertainty of the function there, without noise.
    pub std_dev: T,
}

/// What to do next. Hand it back to the controller with what came of it.
///
/// It cannot be copied and is consumed by [`observe`](crate::Controller::observe): no result without a decision, no
/// result twice. Dropping it changes nothing; asking again gives the same decision.
#[must_use = "a decision has to be carried out and observed, or given up"]
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Decision<const D: usize, const C: usize, T = f32> {
    pub(crate) step: u32,
    pub(crate) phase: Phase,
    /// In physical units; contexts that are not actuated have their ambient value.
    pub(crate) point: Point<D, C, T>,
    pub(crate) ambient: [T; C],
    pub(crate) selected: VarSet,
    /// The contexts that the step could choose.
    pub(crate) free: VarSet,
    pub(crate) actuated: VarSet,
    pub(crate) relevance: [T; C],
    pub(crate) forecast: Option<Forecast<T>>,
    /// Whether contexts are left alone because recording them promises more for its cost.
    pub(crate) restrained: bool,
    pub(crate) cost: Cost,
    pub(crate) context_costs: [Cost; C],
    pub(crate) remaining: Cost,
}

impl<const D: usize, const C: usize, T: Scalar> Decision<D, C, T> {
    /// The number of the step, from 0.
    pub const fn step(&self) -> u32 {
        self.step
    }

    /// The phase of the experiment.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// What to set the design variables to, in their units.
    pub const fn design(&self) -> &[T; D] {
        &self.point.design
    }

    /// Design and contexts in their units: actuated contexts at their target, the others as they were passed in.
    pub const fn point(&self) -> &Point<D, C, T> {
        &self.point
    }

    /// The ambient contexts that were passed in.
    pub const fn ambient(&self) -> &[T; C] {
        &self.ambient
    }

    /// What to do with context `index`; [`Action::Record`] for one that does not exist.
    pub fn action(&self, index: usize) -> Action<T> {
        match self.point.context.get(index) {
            Some(&value) if self.actuated.contains(index) => Action::Actuate(value),
            _ => Action::Record,
        }
    }

    /// The contexts to be actuated.
    pub const fn actuated(&self) -> VarSet {
        self.actuated
    }

    /// The contexts that the step was free to choose. All of them are actuated, except that [`CaBo`](crate::CaBo) leaves
    /// alone what would hardly move.
    pub const fn free(&self) -> VarSet {
        self.free
    }

    /// The contexts that the decision took into account (J).
    pub const fn selected(&self) -> VarSet {
        self.selected
    }

    /// The share of the sensitivity that each context has; they sum to 1, or are all 0 where nothing is known.
    pub const fn relevance(&self) -> &[T; C] {
        &self.relevance
    }

    /// What is expected of the step; `None` while there is too little data.
    pub const fn forecast(&self) -> Option<Forecast<T>> {
        self.forecast
    }

    /// Whether contexts are left alone because recording them promises more for its cost
    /// ([`actuation_weight`](crate::Settings::actuation_weight)).
    pub const fn is_restrained(&self) -> bool {
        self.restrained
    }

    /// What the step costs.
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// What actuating each context costs in this step, whether it is actuated or not.
    pub const fn context_costs(&self) -> &[Cost; C] {
        &self.context_costs
    }

    /// What is left of the budget before the step.
    pub const fn remaining(&self) -> Cost {
        self.remaining
    }

    /// The decision in words, one line, with the names and units of the variables.
    pub const fn explain<'a>(&'a self, config: &'a Config<D, C, T>) -> Explanation<'a, D, C, T> {
        Explanation {
            decision: self,
            config,
        }
    }
}

/// A decision in words: see [`Decision::explain`].
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'a, const D: usize, const C: usize, T> {
    decision: &'a Decision<D, C, T>,
    config: &'a Config<D, C, T>,
}

impl<const D: usize, const C: usize, T: Scalar> fmt::Display for Explanation<'_, D, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { decision, config } = self;
        write!(f, "step {} ({}): ", decision.step, decision.phase)?;
        for (index, (variable, value)) in config.design.iter().zip(decision.design()).enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{} {value:.4} {}", variable.name, variable.unit)?;
        }
        for (index, (variable, share)) in config.context.iter().zip(decision.relevance).enumerate()
        {
            write!(f, "; {}: ", variable.name)?;
            if share > T::ZERO {
                write!(
                    f,
                    "{:.0} % of the sensitivity, ",
                    share * T::from_f64(100.0)
                )?;
            }
            let (unit, cost) = (variable.unit, decision.context_costs.get(index));
            match (decision.action(index), cost) {
                (Action::Actuate(value), Some(cost)) => {
                    write!(f, "actuate to {value:.2} {unit}, cost {cost}")?
                }
                _ => {
                    let ambient = decision.ambient.get(index).copied().unwrap_or(T::ZERO);
                    write!(f, "record at {ambient:.2} {unit}")?;
                }
            }
        }
        if decision.restrained {
            write!(f, "; recording promises more for its cost")?;
        }
        if let Some(Forecast { mean, std_dev }) = decision.forecast {
            write!(f, "; expect {mean:.4} ± {std_dev:.4}")?;
        }
        write!(f, "; cost {} of {} left", decision.cost, decision.remaining)
    }
}
