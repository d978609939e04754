//! Beyond the paper: what actuating a context costs, depending on where it is and where it is to be.

use super::record::StepRecord;
use crate::config::Config;
use crate::gp::{FitConfig, Gp};
use crate::{Cost, Error, Point, Scalar};

/// A small Gaussian process for the cost of each context, over the ambient value and the value that was reached.
///
/// Room for the last `M` reports of each context: about 4·M² + 60·M bytes for each in single precision. Hand its costs to
/// [`Controller::set_context_costs`](crate::Controller::set_context_costs) before a decision. Where the cost does not
/// depend on the weather, [`RunningCosts`](crate::RunningCosts) are enough.
#[derive(Clone, Debug)]
pub struct CostModel<const M: usize, const C: usize, T = f32> {
    contexts: [Gp<M, 1, 1, T>; C],
}

impl<const M: usize, const C: usize, T: Scalar> Default for CostModel<M, C, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const M: usize, const C: usize, T: Scalar> CostModel<M, C, T> {
    /// Nothing known yet.
    pub const fn new() -> Self {
        const { assert!(M > 0, "room for no report") };
        Self {
            contexts: [const { Gp::new() }; C],
        }
    }

    /// Takes in what the contexts that a step actuated really cost, and fits; the others do not count.
    ///
    /// An error leaves the context that it is about as it was, and those behind it too.
    pub fn learn<const D: usize>(
        &mut self,
        config: &Config<D, C, T>,
        record: &StepRecord<D, C, T>,
        costs: &[Cost; C],
    ) -> Result<(), Error> {
        let reached = config.unit_of(&record.applied)?;
        let ambient = config.unit_of(&Point::new(record.applied.design, record.ambient))?;
        let pairs = reached.context.iter().zip(ambient.context);
        for (index, ((gp, cost), (&to, from))) in
            self.contexts.iter_mut().zip(costs).zip(pairs).enumerate()
        {
            if !record.actuated.contains(index) {
                continue;
            }
            if gp.len() >= M {
                gp.remove(0)?;
            }
            gp.push(&Point::new([to], [from]), cost.units())?;
            // One report has no scale; a fit that finds nothing leaves the last one in force.
            if gp.len() > 1 {
                let _ = gp.fit(&FitConfig::warm());
            }
        }
        Ok(())
    }

    /// What each context is expected to cost from this ambient value to where it was driven last, which is where it
    /// tends to be driven next; the configured cost while nothing was reported.
    pub fn costs<const D: usize>(&self, config: &Config<D, C, T>, ambient: &[T; C]) -> [Cost; C] {
        let mut costs = config.context_costs();
        let here = Point::new(config.design.map(|variable| variable.low), *ambient);
        if let Ok(here) = config.unit_of(&here) {
            for ((cost, gp), from) in costs.iter_mut().zip(&self.contexts).zip(here.context) {
                *cost = expected(gp, from).unwrap_or(*cost);
            }
        }
        costs
    }
}

/// The expected cost from an ambient value to the last value; `None` if nothing is known.
fn expected<const M: usize, T: Scalar>(gp: &Gp<M, 1, 1, T>, from: T) -> Option<Cost> {
    let last = gp.point(gp.len().checked_sub(1)?)?;
    let posterior = gp.posterior(&Point::new(last.design, [from])).ok()?;
    // Rounded to what can be counted, and never less than nothing.
    let units = posterior.mean.max(T::ZERO);
    Some(Cost::try_from_units(units).unwrap_or(Cost::ZERO))
}
