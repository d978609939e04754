//! The controller as it was after a list of records.

use super::Controller;
use crate::policy::Policy;
use crate::step::record::{Outcome, StepRecord};
use crate::task::run;
use crate::{Config, ConfigError, Error, Scalar, Settings};

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// The controller as it was after these records: after a reset, or on another machine.
    ///
    /// The next decisions are the same, bit for bit, given the same configuration and settings. Forced contexts and costs
    /// set by hand are those of the last record: what was said after it has to be said again.
    pub fn replay(
        config: Config<D, C, T>,
        settings: Settings<T>,
        records: impl IntoIterator<Item = StepRecord<D, C, T>>,
    ) -> Result<Self, ReplayError> {
        let mut controller = Self::new(config, settings).map_err(ReplayError::Config)?;
        controller.restore_all(records)?;
        Ok(controller)
    }

    /// Takes records in, one after the other.
    pub(super) fn restore_all(
        &mut self,
        records: impl IntoIterator<Item = StepRecord<D, C, T>>,
    ) -> Result<(), ReplayError> {
        for record in records {
            let step = record.step;
            self.restore(&record)
                .map_err(|error| ReplayError::Record { step, error })?;
        }
        Ok(())
    }

    /// Takes one record in, without computing anything that it already says.
    pub(super) fn restore(&mut self, record: &StepRecord<D, C, T>) -> Result<(), Error> {
        record.hyper.validate()?;
        self.restore_step(record)?;
        (self.forced_in, self.forced_out) = (record.forced_in, record.forced_out);
        self.context_costs = record.context_costs;
        Ok(())
    }

    fn restore_step(&mut self, record: &StepRecord<D, C, T>) -> Result<(), Error> {
        if record.outcome == Outcome::Given {
            return self.take_given(record);
        }
        self.check_current(record.step, record.phase)?;
        if self.refit_is_due() {
            // The decision of this step fitted, before anything came of it.
            run(self.restore_full())?;
        }
        if record.outcome == Outcome::Observed {
            self.begin_observation(record)?.keep();
            if self.refit_is_due() {
                self.unfitted = 0;
            }
            self.full = record.hyper;
            self.end_observation(record);
        } else {
            self.end_without_result(record);
        }
        Ok(())
    }

    /// Completes a record with the state after the step.
    pub(super) fn seal(&self, mut record: StepRecord<D, C, T>) -> StepRecord<D, C, T> {
        record.next_phase = self.phase;
        record.remaining_milli = self.ledger.remaining_milli();
        record.hyper = self.full;
        (record.forced_in, record.forced_out) = (self.forced_in, self.forced_out);
        record.context_costs = self.context_costs;
        record
    }
}

/// Why records could not be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ReplayError {
    /// The configuration or the settings are not valid.
    Config(ConfigError),
    /// A record does not follow from those before it.
    Record {
        /// Its step.
        step: u32,
        /// What is wrong with it.
        error: Error,
    },
}

impl core::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::Record { step, error } => write!(f, "record of step {step}: {error}"),
        }
    }
}

impl core::error::Error for ReplayError {}
