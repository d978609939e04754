//! The controller: ask with [`decide`](Controller::decide), tell with [`observe`](Controller::observe).
//!
//! Algorithm 1 of the paper, one call per stage; start reading at `Controller::decide_async`.

mod among;
mod freeze;
mod initial;
mod learn;
mod locate;
mod outcome;
mod plan;
mod replay;
mod select;
mod small;
mod stage;
mod start;
mod switching;
mod worth;

pub use outcome::{Best, NotTaken};
pub use plan::Blank;
pub use replay::ReplayError;
#[doc(hidden)]
pub use stage::Stage;
pub use start::Place;

use heapless::Vec;

use crate::config::Config;
use crate::gp::{Gp, Hyper};
use crate::policy::{Kind, Policy, Sadcbo};
use crate::settings::{CapacityPolicy, Settings};
use crate::step::batch::Batch;
use crate::step::budget::{Ledger, Prices};
use crate::step::decision::{Decision, Forecast, Phase};
use crate::step::record::{Outcome, StepRecord};
use crate::step::switch::SwitchState;
use crate::task::run;
use crate::{Cost, Error, Point, Scalar, VarSet};
use plan::Plan;
use select::Selection;

const REJECTED: usize = 8;
/// A design closer than this to a rejected one, in every coordinate of the cube, is not tried.
const REJECTED_RADIUS: f64 = 0.02;

/// Decides, step by step, where to run an instrument and which contexts to actuate.
///
/// Room for `N` observations of `D` design and `C` context variables; nothing is allocated, and neither a clock nor the
/// platform has a say: the same configuration, settings and observations give the same decisions, bit for bit.
///
/// ```
/// use sadcbo::{Config, ContextVariable, Controller, Cost, DesignVariable, Error, Settings};
///
/// let unit = Cost::from_milli(1_000);
/// let config = Config::<1, 2, f32>::new(
///     [DesignVariable::new("spin speed", "rpm", 500.0, 4_000.0)],
///     [
///         ContextVariable::actuated("humidity", "%RH", 20.0, 60.0, unit),
///         ContextVariable::recorded("pressure", "hPa", 980.0, 1_040.0),
///     ],
///     unit,
///     Cost::from_milli(30_000),
/// );
/// let mut controller = Controller::<40, 1, 2>::new(config, Settings::default())?;
/// loop {
///     let ambient = [35.0, 1_013.0]; // read the sensors
///     let decision = match controller.decide(&ambient) {
///         Ok(decision) => decision,
///         Err(Error::BudgetSpent) => break,
///         Err(error) => return Err(error.into()),
///     };
///     let applied = *decision.point(); // drive the actuators, then read back what was reached
///     let result = 1.0 - (applied.design[0] / 2_000.0 - 1.0).powi(2) - (applied.context[0] / 40.0 - 1.0).powi(2);
///     controller.observe(decision, &applied, result)?;
/// }
/// assert!(controller.best().unwrap().output > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Controller<const N: usize, const D: usize, const C: usize, T = f32, P = Sadcbo> {
    plan: Plan<D, C, T>,
    /// Data, and the factor of whichever surrogate was used last.
    gp: Gp<N, D, C, T>,
    /// Hyperparameters of the full surrogate, and how many observations came since they were fitted, or `NEVER_FITTED`.
    full: Hyper<D, C, T>,
    unfitted: u16,
    /// Room for choosing D^Q.
    batch: Batch<N, D, C, T>,
    ledger: Ledger,
    phase: Phase,
    switch: SwitchState<T>,
    step: u32,
    /// Contexts that the user wants in, or out, whatever their relevance.
    forced_in: VarSet,
    forced_out: VarSet,
    /// What actuating each context costs (λ_j).
    context_costs: [Cost; C],
    /// Designs that were rejected, on the cube.
    rejected: Vec<[T; D], REJECTED>,
    /// How many there were, forgotten ones included.
    rejections: u16,
    policy: P,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// The same controller under another policy of its type: before its first step, for [`AnyPolicy`](crate::policy::AnyPolicy).
    #[doc(hidden)]
    pub fn under(self, policy: P) -> Self {
        Self { policy, ..self }
    }

    /// The instrument.
    pub fn config(&self) -> &Config<D, C, T> {
        self.plan.config()
    }

    /// How decisions are made.
    pub fn settings(&self) -> &Settings<T> {
        self.plan.settings()
    }

    /// The phase of the next step.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The number of the next step.
    pub const fn step(&self) -> u32 {
        self.step
    }

    /// How many observations there are.
    pub const fn observations(&self) -> usize {
        self.gp.len()
    }

    /// What is left of the budget.
    pub fn remaining(&self) -> Cost {
        self.ledger.remaining()
    }

    /// Hyperparameters of the full surrogate.
    pub const fn hyper(&self) -> &Hyper<D, C, T> {
        &self.full
    }

    /// The best observation so far.
    pub fn best(&self) -> Option<Best<D, C, T>> {
        let row = self.gp.best()?;
        Some(Best {
            point: self.plan.config().physical_of(&self.gp.point(row)?),
            output: *self.gp.outputs().get(row)?,
        })
    }

    /// The user's word: contexts that are taken as relevant, and contexts that are left alone, whatever the data say. What is
    /// left alone is never actuated, but recorded, and if it matters the surrogate knows it.
    ///
    /// Takes effect with the next decision, and holds until it is said otherwise. A context in both sets is left alone.
    /// The record of the next step says it, so [`replay`](Self::replay) knows.
    pub const fn force(&mut self, relevant: VarSet, left_alone: VarSet) {
        self.forced_in = relevant;
        self.forced_out = left_alone;
    }

    /// What [`force`](Self::force) was told last: contexts taken as relevant, and contexts left alone.
    pub const fn forced(&self) -> (VarSet, VarSet) {
        (self.forced_in, self.forced_out)
    }

    /// What actuating each context costs from now on (λ_j), instead of the costs of the configuration.
    ///
    /// For costs that are learnt ([`RunningCosts`](crate::RunningCosts), [`CostModel`](crate::CostModel)) or known for
    /// each step, such as a tariff. Takes effect with the next decision. The record of the next step says it, so
    /// [`replay`](Self::replay) knows.
    pub const fn set_context_costs(&mut self, costs: [Cost; C]) {
        self.context_costs = costs;
    }

    /// Data that the user already has, before the first step. They cost nothing and count as initial points.
    pub fn seed_with(
        &mut self,
        applied: &Point<D, C, T>,
        output: T,
    ) -> Result<StepRecord<D, C, T>, Error> {
        if self.step > 0 {
            return Err(Error::TooLate);
        }
        self.plan.settings().check()?;
        let decision = self.decision(*applied, &applied.context, VarSet::EMPTY, None);
        let mut record = StepRecord::of(&decision, Outcome::Given);
        record.output = output;
        record.cost = Cost::ZERO;
        self.take_given(&record)?;
        Ok(self.seal(record))
    }

    /// What to do next, given the contexts as they are now, in physical units.
    ///
    /// A pure function of the observations so far and of `ambient`: asking again gives the same answer.
    // Not inlined: its future need not lie on the stack beside that of `observe`.
    #[inline(never)]
    pub fn decide(&mut self, ambient: &[T; C]) -> Result<Decision<D, C, T>, Error> {
        run(self.decide_async(ambient))
    }

    /// [`decide`](Self::decide) in slices: yields after every evaluation of a likelihood or an acquisition.
    ///
    /// Dropping the future half-way is harmless.
    pub async fn decide_async(&mut self, ambient: &[T; C]) -> Result<Decision<D, C, T>, Error> {
        self.decide_watched(ambient, |_| ()).await
    }

    /// [`decide_async`](Self::decide_async), saying when a stage begins: for benchmarks.
    #[doc(hidden)]
    pub async fn decide_watched(
        &mut self,
        ambient: &[T; C],
        mut watch: impl FnMut(Stage),
    ) -> Result<Decision<D, C, T>, Error> {
        let here = self.begin_decision(ambient)?;
        if self.phase == Phase::Initial {
            return Ok(self.initial_decision(ambient, &here));
        }
        let (selection, mut free) = self.weigh(&here, &mut watch).await?;
        watch(Stage::Search);
        let designs = selection.designs;
        let mut found = self.best_point(&here, designs, free).await?;
        let mut restrained = false;
        if let Some(fewer) = self.fewer(free) {
            let other = self.best_point(&here, designs, fewer).await?;
            if !self.is_worth((&found, free), (&other, fewer))? {
                (found, free, restrained) = (other, fewer, true);
            }
        }
        let (point, actuated) = self.settle(&here, &found, free);
        let forecast = self.gp.posterior(&point)?;
        let physical = self.asked_of(&point, ambient, actuated);
        let forecast = Forecast {
            mean: forecast.mean,
            std_dev: forecast.std_dev(),
        };
        let mut decision = self.decision(physical, ambient, actuated, Some(forecast));
        decision.free = free;
        decision.restrained = restrained;
        decision.selected = selection.modelled;
        decision.relevance = selection.relevance;
        Ok(decision)
    }

    /// The ambient contexts on the cube, if there can be a decision at all.
    fn begin_decision(&self, ambient: &[T; C]) -> Result<Point<D, C, T>, Error> {
        let here = self.plan.config().unit_of(&Point::new(
            self.plan.config().design.map(|variable| variable.low),
            *ambient,
        ))?;
        self.plan.settings().check()?;
        if !self.ledger.covers(self.plan.config().run_cost) {
            return Err(Error::BudgetSpent);
        }
        if self.gp.len() >= N && self.plan.settings().capacity == CapacityPolicy::Refuse {
            return Err(Error::Full);
        }
        Ok(here)
    }

    /// Lines 5 to 8: which contexts matter and which of them to actuate. Leaves the reduced surrogate in force.
    async fn weigh(
        &mut self,
        here: &Point<D, C, T>,
        watch: &mut impl FnMut(Stage),
    ) -> Result<(Selection<C, T>, VarSet), Error> {
        // The full surrogate, fitted if that is due: after the initial phase, and after data were given.
        watch(Stage::Fit);
        self.restore_full().await?;
        watch(Stage::Select);
        let mut selection = self.select_contexts(here).await?;
        selection.designs = self.free_designs().await?;
        let free = self.ledger.affordable(
            self.plan.settings().overspend,
            &self.prices(),
            selection.wanted,
            &selection.relevance,
        );
        watch(Stage::Reduce);
        self.reduce(selection.modelled).await?;
        Ok((selection, free))
    }

    /// Learns from a result: the decision, design and contexts as they really were, and what was measured.
    ///
    /// An error leaves everything as it was and hands the decision back.
    #[inline(never)]
    pub fn observe(
        &mut self,
        decision: Decision<D, C, T>,
        applied: &Point<D, C, T>,
        output: T,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        run(self.observe_async(decision, applied, output))
    }

    /// [`observe`](Self::observe) in slices: yields after every evaluation of a likelihood or an acquisition.
    ///
    /// All or nothing: dropping the future half-way leaves the controller as it was before, so that it never knows more
    /// than the records that it has handed out. The decision is gone then, but asking again with the same ambient
    /// contexts gives it back.
    pub async fn observe_async(
        &mut self,
        decision: Decision<D, C, T>,
        applied: &Point<D, C, T>,
        output: T,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        self.observe_watched(decision, applied, output, |_| ())
            .await
    }

    /// [`observe_async`](Self::observe_async), saying when a stage begins: for benchmarks.
    #[doc(hidden)]
    pub async fn observe_watched(
        &mut self,
        decision: Decision<D, C, T>,
        applied: &Point<D, C, T>,
        output: T,
        mut watch: impl FnMut(Stage),
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        let mut record = StepRecord::of(&decision, Outcome::Observed);
        record.applied = *applied;
        record.output = output;
        self.take_result(decision, record, &mut watch).await
    }

    /// [`observe`](Self::observe), with what actuating each context really cost. Those that were not actuated do not
    /// count. What was spent is charged even if it is more than was left: see [`Overspend`](crate::Overspend).
    pub fn observe_at_cost(
        &mut self,
        decision: Decision<D, C, T>,
        applied: &Point<D, C, T>,
        output: T,
        costs: &[Cost; C],
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        run(self.observe_at_cost_async(decision, applied, output, costs))
    }

    /// [`observe_at_cost`](Self::observe_at_cost) in slices, as [`observe_async`](Self::observe_async).
    pub async fn observe_at_cost_async(
        &mut self,
        decision: Decision<D, C, T>,
        applied: &Point<D, C, T>,
        output: T,
        costs: &[Cost; C],
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        let mut record = StepRecord::of(&decision, Outcome::Observed);
        record.applied = *applied;
        record.output = output;
        let prices = Prices {
            run: self.plan.config().run_cost,
            contexts: costs,
        };
        record.cost = prices.of_step(record.actuated);
        self.take_result(decision, record, &mut |_| ()).await
    }

    /// Lines 11 to 16: everything that follows from a result.
    async fn take_result(
        &mut self,
        decision: Decision<D, C, T>,
        mut record: StepRecord<D, C, T>,
        watch: &mut impl FnMut(Stage),
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        watch(Stage::Fit);
        let mut begun = match self.begin_observation(&record) {
            Ok(begun) => begun,
            Err(error) => return Err(NotTaken { error, decision }),
        };
        if begun.controller.refit_is_due() {
            begun.controller.fit_full().await;
        }
        watch(Stage::Switch);
        if record.phase == Phase::Observational && begun.controller.policy.kind() == Kind::Sadcbo {
            record.switch = begun.controller.switch_figures().await;
        }
        begun.keep();
        begun.controller.end_observation(&record);
        Ok(begun.controller.seal(record))
    }

    /// Ends a step that gave no result but may be tried again. `spent` is what it cost all the same, and is charged even if
    /// it is more than was left: see [`Overspend`](crate::Overspend).
    pub fn fail(
        &mut self,
        decision: Decision<D, C, T>,
        spent: Cost,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        self.give_up(decision, spent, Outcome::Failed)
    }

    /// Ends a step that gave no result and whose design is not to be tried again. `spent` as for [`fail`](Self::fail).
    pub fn reject(
        &mut self,
        decision: Decision<D, C, T>,
        spent: Cost,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        self.give_up(decision, spent, Outcome::Rejected)
    }
}
