//! Everything one step did: for logs, telemetry and replay.

use super::decision::{Decision, Forecast, Phase};
use super::switch::SwitchFigures;
use crate::gp::Hyper;
use crate::{Cost, Point, Scalar, VarSet};

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// With a result.
    Observed,
    /// Without a result, but it may be tried again: a sensor dropped out, a valve was closed.
    Failed,
    /// Without a result, and this design is not to be tried again: the sample broke, the film peeled off.
    Rejected,
    /// It was no step: data that the user already had.
    Given,
}

/// Everything one step did, in physical units.
///
/// A list of them and the configuration are the whole experiment: see [`Controller::replay`](crate::Controller::replay).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "T: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de> + Copy + Default"
    ))
)]
pub struct StepRecord<const D: usize, const C: usize, T = f32> {
    /// The number of the step, from 0; data given beforehand have that of the first step.
    pub step: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// The phase in which it was decided.
    pub phase: Phase,
    /// The phase after it.
    pub next_phase: Phase,
    /// The contexts as they were when it was decided.
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    pub ambient: [T; C],
    /// Design and contexts as they were asked for.
    pub asked: Point<D, C, T>,
    /// Design and contexts as they really were.
    pub applied: Point<D, C, T>,
    /// The result; 0 if there was none.
    pub output: T,
    /// The contexts that the decision took into account (J).
    pub selected: VarSet,
    /// The contexts that were actuated.
    pub actuated: VarSet,
    /// The share of the sensitivity that each context had.
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    pub relevance: [T; C],
    /// What was expected.
    pub forecast: Option<Forecast<T>>,
    /// What it cost.
    pub cost: Cost,
    /// What is left of the budget after it, in thousandths of a unit; negative if overdrawn.
    pub remaining_milli: i64,
    /// The switching criterion after it, if it was computed.
    pub switch: Option<SwitchFigures<T>>,
    /// The hyperparameters of the full surrogate after it.
    pub hyper: Hyper<D, C, T>,
    /// The contexts that the user wants in after it ([`Controller::force`](crate::Controller::force)).
    pub forced_in: VarSet,
    /// The contexts that the user wants left alone after it.
    pub forced_out: VarSet,
    /// What actuating each context costs after it
    /// ([`Controller::set_context_costs`](crate::Controller::set_context_costs)).
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    pub context_costs: [Cost; C],
}

impl<const D: usize, const C: usize, T: Scalar> StepRecord<D, C, T> {
    /// The record of a decision before anything came of it.
    pub(crate) fn of(decision: &Decision<D, C, T>, outcome: Outcome) -> Self {
        Self {
            step: decision.step,
            outcome,
            phase: decision.phase,
            next_phase: decision.phase,
            ambient: decision.ambient,
            asked: decision.point,
            applied: decision.point,
            output: T::ZERO,
            selected: decision.selected,
            actuated: decision.actuated,
            relevance: decision.relevance,
            forecast: decision.forecast,
            cost: decision.cost,
            remaining_milli: 0,
            switch: None,
            hyper: Hyper::START,
            forced_in: VarSet::EMPTY,
            forced_out: VarSet::EMPTY,
            context_costs: decision.context_costs,
        }
    }
}
