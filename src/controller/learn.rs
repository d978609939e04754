//! What an observation changes: data, hyperparameters, phase and budget (lines 11 to 16 of the algorithm).

use rand_core::Rng;

use super::{Controller, NotTaken};
use crate::gp::{Fit, FitConfig};
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
    pub(super) fn begin_observation(&mut self, record: &StepRecord<D, C, T>) -> Result<(), Error> {
        if record.step != self.step || record.phase != self.phase {
            return Err(Error::Outdated);
        }
        let unit = self.config.unit_of(&record.applied)?;
        check_output(record.output)?;
        self.take_in(&unit, record.output)
    }

    /// Adds an observation to the data of the full surrogate, forgetting another if there is no room.
    pub(super) fn take_in(&mut self, unit: &Point<D, C, T>, output: T) -> Result<(), Error> {
        self.gp
            .prepare(self.full, VarSet::first(D), self.known_contexts());
        if self.gp.len() >= N && self.settings.capacity == CapacityPolicy::ForgetLeastInformative {
            self.gp.factorise()?;
            let row = self.gp.least_informative()?;
            self.gp.remove(row)?;
        }
        self.gp.push(unit, output)?;
        self.unfitted = self.unfitted.saturating_add(1);
        Ok(())
    }

    pub(super) fn refit_is_due(&self) -> bool {
        let settings = &self.settings;
        self.phase != Phase::Initial
            && (self.gp.len() <= usize::from(settings.refit_always_below)
                || self.unfitted >= settings.refit_every)
    }

    /// Line 12: hyperparameters of the full surrogate.
    pub(super) async fn fit_full(&mut self) -> Result<(), Error> {
        let config = FitConfig {
            starts: self.settings.work.fit_starts,
            evaluations: self.settings.work.fit_evaluations,
            seed: stream(self.config.seed, Purpose::Fit, self.step).next_u32(),
            ..self.settings.fit
        };
        let mut fit = Fit::begin(&self.gp, &config)?;
        while fit.step(&mut self.gp)?.is_none() {
            yield_now().await;
        }
        self.full = *self.gp.hyper();
        self.unfitted = 0;
        Ok(())
    }

    /// Lines 13 to 16: phase, budget and step counter.
    pub(super) fn end_observation(&mut self, record: &StepRecord<D, C, T>) {
        match record.phase {
            Phase::Initial => self.leave_initial_phase(),
            Phase::Observational if P::KIND == Kind::Sadcbo => {
                let settings = &self.settings;
                let due = self.switch.observe(
                    settings.switch,
                    settings.minimum_observational_steps,
                    record.switch.as_ref(),
                );
                if due {
                    self.phase = Phase::Optimization;
                }
            }
            _ => {}
        }
        self.ledger.charge(record.cost);
        self.step = self.step.saturating_add(1);
    }

    /// The initial phase ends with enough data.
    pub(super) fn leave_initial_phase(&mut self) {
        if self.phase == Phase::Initial
            && self.gp.len() >= usize::from(self.settings.initial_points).min(N)
        {
            self.phase = match P::KIND {
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
        if decision.step != self.step {
            return Err(NotTaken {
                error: Error::Outdated,
                decision,
            });
        }
        let mut record = StepRecord::of(&decision, outcome);
        record.cost = spent;
        self.end_without_result(&record);
        Ok(self.seal(record))
    }

    pub(super) fn end_without_result(&mut self, record: &StepRecord<D, C, T>) {
        if record.outcome == Outcome::Rejected
            && let Ok(unit) = self.config.unit_of(&record.asked)
        {
            if self.rejected.is_full() {
                self.rejected.remove(0);
            }
            // There is room now.
            let _ = self.rejected.push(unit.design);
        }
        self.ledger.charge(record.cost);
        self.step = self.step.saturating_add(1);
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
