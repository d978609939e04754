//! Beyond the paper: whether actuating contexts is worth its cost in this step, or recording them promises more for less.

use super::Controller;
use crate::policy::{Kind, Policy};
use crate::step::acquisition::improvement;
use crate::{Error, Point, Scalar, VarSet};

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// The contexts that the step would still choose if it recorded the others: those that the user wants in. `None` if
    /// there is nothing to weigh.
    pub(super) fn fewer(&self, free: VarSet) -> Option<VarSet> {
        let weighed =
            self.policy.kind() == Kind::Sadcbo && self.plan.settings().actuation_weight > T::ZERO;
        let fewer = free.intersection(self.forced_in);
        (weighed && fewer != free).then_some(fewer)
    }

    /// Whether a run at `found`, which chooses the contexts `free`, promises more per cost than one at `other`, which
    /// chooses `fewer`: EI(found)/(c + w·extra) > EI(other)/c, where actuating costs `extra` and counts w times.
    ///
    /// Expected improvement and not UCB, since only an improvement can be shared out over a cost.
    pub(super) fn is_worth(
        &self,
        (found, free): (&Point<D, C, T>, VarSet),
        (other, fewer): (&Point<D, C, T>, VarSet),
    ) -> Result<bool, Error> {
        let best = self.standardised_best();
        let surrogate = self.gp.all()?;
        let (gain, _, _) = improvement(&surrogate.posterior(found)?, best);
        let (other_gain, _, _) = improvement(&surrogate.posterior(other)?, best);
        let cost: T = self.prices().of_step(fewer).units();
        let extra = self.prices().of_step(free).units::<T>() - cost;
        let weighed = cost + self.plan.settings().actuation_weight * extra;
        Ok(gain * cost > other_gain * weighed)
    }
}
