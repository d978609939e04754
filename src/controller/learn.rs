//! What an observation changes: data, hyperparameters, phase and budget (lines 11 to 16 of the algorithm).

use rand_core::Rng;

use super::{Controller, NotTaken};
use crate::gp::{Fit, FitConfig, Hyper, Observation};
use crate::math::rng::{Purpose, stream};
use crate::policy::{Kind, Policy};
use crate::settings::CapacityPolicy;
use crate::step::decision::{Decision, Phase};
use crate::step::record::{Outcome, StepRecord};
use crate::task::yield_now;
use crate::{Cost, Error, Input, Point, Scalar, VarSet};

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// Everything that can go wrong, and the observation itself (line 11).
    ///
    /// Until it is [kept](Unfinished::keep), dropping what is handed out undoes it.
    pub(super) fn begin_observation(
        &mut self,
        record: &StepRecord<D, C, T>,
    ) -> Result<Unfinished<'_, N, D, C, T, P>, Error> {
        self.check_current(record.step, record.phase)?;
        let unit = self.plan.config().unit_of(&record.applied)?;
        check_output(record.output)?;
        let (full, unfitted) = (self.full, self.unfitted);
        let forgotten = self.take_in(&unit, record.output)?;
        Ok(Unfinished {
            controller: self,
            full,
            unfitted,
            forgotten,
            kept: false,
        })
    }

    /// Data that the user already had. They say more than a fit without them, which is not to be a start.
    pub(super) fn take_given(&mut self, record: &StepRecord<D, C, T>) -> Result<(), Error> {
        let unit = self.plan.config().unit_of(&record.applied)?;
        check_output(record.output)?;
        let before = core::mem::replace(&mut self.full, Hyper::START);
        self.take_in(&unit, record.output)
            .inspect_err(|_| self.full = before)?;
        self.unfitted = NEVER_FITTED;
        self.leave_initial_phase();
        Ok(())
    }

    /// The full surrogate, ready for use.
    pub(super) async fn restore_full(&mut self) -> Result<(), Error> {
        self.gp
            .prepare(self.full, VarSet::first(D), self.known_contexts());
        if self.refit_is_due() {
            self.fit_full().await;
            self.gp.ready()
        } else {
            self.gp.factorise()
        }
    }

    /// Whether a decision or a record is about the step that the controller is at.
    pub(super) fn check_current(&self, step: u32, phase: Phase) -> Result<(), Error> {
        if step == self.step && phase == self.phase {
            Ok(())
        } else {
            Err(Error::Outdated)
        }
    }

    /// Adds an observation to the data of the full surrogate, and hands out the one that was forgotten to make room.
    pub(super) fn take_in(
        &mut self,
        unit: &Point<D, C, T>,
        output: T,
    ) -> Result<Option<Observation<D, C, T>>, Error> {
        self.gp
            .prepare(self.full, VarSet::first(D), self.known_contexts());
        let mut forgotten = None;
        if self.gp.len() >= N
            && self.plan.settings().capacity == CapacityPolicy::ForgetLeastInformative
        {
            self.gp.factorise()?;
            let row = self.gp.least_informative()?;
            forgotten = self.gp.take_out(row);
        }
        if let Err(error) = self.gp.push(unit, output) {
            if let Some(forgotten) = forgotten {
                self.gp.put_back(&forgotten);
            }
            return Err(error);
        }
        self.unfitted = match self.phase {
            Phase::Initial => NEVER_FITTED,
            _ => self.unfitted.saturating_add(1),
        };
        Ok(forgotten)
    }

    pub(super) fn refit_is_due(&self) -> bool {
        let settings = self.plan.settings();
        let rare = self.gp.len() > usize::from(settings.refit_always_below);
        let often_enough = if rare { settings.refit_every } else { 1 };
        self.phase != Phase::Initial && self.unfitted >= often_enough
    }

    /// Line 12: hyperparameters of the full surrogate. A fit that finds nothing better leaves them as they were.
    pub(super) async fn fit_full(&mut self) {
        let config = FitConfig {
            starts: self.plan.settings().work.fit_starts,
            evaluations: self.plan.settings().work.fit_evaluations,
            seed: stream(self.plan.config().seed, Purpose::Fit, self.step).next_u32(),
            ..self.plan.settings().fit
        };
        if let Ok(mut fit) = Fit::begin(&self.gp, &config) {
            while let Ok(None) = fit.step(&mut self.gp) {
                yield_now().await;
            }
            self.full = *self.gp.hyper();
        }
        self.unfitted = 0;
    }

    /// Lines 13 to 16: phase, budget and step counter.
    pub(super) fn end_observation(&mut self, record: &StepRecord<D, C, T>) {
        self.ledger.charge(record.cost);
        match record.phase {
            Phase::Initial => self.leave_initial_phase(),
            Phase::Observational if self.policy.kind() == Kind::Sadcbo => {
                let settings = self.plan.settings();
                let due = self.switch.observe(
                    settings.switch,
                    settings.minimum_observational_steps,
                    self.share_is_spent(),
                    record.switch.as_ref(),
                );
                if due {
                    self.phase = Phase::Optimization;
                }
            }
            _ => {}
        }
        self.step = self.step.saturating_add(1);
    }

    /// Whether recording has had its share of the budget.
    fn share_is_spent(&self) -> bool {
        let budget: T = self.plan.config().budget.units();
        let remaining: T = self.ledger.remaining().units();
        budget - remaining >= self.plan.settings().observational_share * budget
    }

    /// The initial phase ends with enough data.
    pub(super) fn leave_initial_phase(&mut self) {
        if self.phase == Phase::Initial
            && self.gp.len() >= usize::from(self.plan.settings().initial_points).min(N)
        {
            self.phase = match self.policy.kind() {
                Kind::Sadcbo | Kind::Cbo | Kind::Cubo => Phase::Observational,
                Kind::Vbo | Kind::CaBo | Kind::Dropout | Kind::MmdBo => Phase::Optimization,
            };
        }
    }

    pub(super) fn give_up(
        &mut self,
        decision: Decision<D, C, T>,
        spent: Cost,
        outcome: Outcome,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        if let Err(error) = self.check_current(decision.step, decision.phase) {
            return Err(NotTaken { error, decision });
        }
        let mut record = StepRecord::of(&decision, outcome);
        record.cost = spent;
        self.end_without_result(&record);
        Ok(self.seal(record))
    }

    pub(super) fn end_without_result(&mut self, record: &StepRecord<D, C, T>) {
        if record.outcome == Outcome::Rejected
            && let Ok(unit) = self.plan.config().unit_of(&record.asked)
        {
            if self.rejected.is_full() {
                self.rejected.remove(0);
            }
            // There is room now.
            let _ = self.rejected.push(unit.design);
            self.rejections = self.rejections.saturating_add(1);
        }
        self.ledger.charge(record.cost);
        self.step = self.step.saturating_add(1);
    }
}

/// The number of unfitted observations that makes a fit due whatever the settings: there was none yet.
pub(super) const NEVER_FITTED: u16 = u16::MAX;

/// An observation that is in the data while its step is not over. Dropped before it is kept, everything is as it was:
/// a controller never knows more than the records that it has handed out.
pub(super) struct Unfinished<
    'a,
    const N: usize,
    const D: usize,
    const C: usize,
    T: Scalar,
    P: Policy,
> {
    pub(super) controller: &'a mut Controller<N, D, C, T, P>,
    /// What was in force before.
    full: Hyper<D, C, T>,
    unfitted: u16,
    forgotten: Option<Observation<D, C, T>>,
    kept: bool,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Unfinished<'_, N, D, C, T, P>
{
    /// The step is over.
    pub(super) fn keep(&mut self) {
        self.kept = true;
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy> Drop
    for Unfinished<'_, N, D, C, T, P>
{
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        let controller = &mut *self.controller;
        if let Some(last) = controller.gp.len().checked_sub(1) {
            controller.gp.take_out(last);
        }
        if let Some(forgotten) = &self.forgotten {
            controller.gp.put_back(forgotten);
        }
        controller.full = self.full;
        controller.unfitted = self.unfitted;
    }
}

pub(super) fn check_output<T: Scalar>(output: T) -> Result<(), Error> {
    if !output.is_finite() {
        Err(Error::NonFinite(Input::Output))
    } else if output.abs() > T::LARGEST_OUTPUT {
        Err(Error::OutOfRange(Input::Output))
    } else {
        Ok(())
    }
}
