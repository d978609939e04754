//! The initial phase: spread-out points, to have something to learn from.

use super::Controller;
use crate::math::rng::Purpose;
use crate::policy::Policy;
use crate::step::decision::Decision;
use crate::step::search::Region;
use crate::{Point, Scalar, VarSet};

/// How many points are tried in search of one that is not too near to a rejected one.
const ATTEMPTS: usize = 64;

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// The next spread-out point: design, and contexts too if they are to be actuated.
    pub(super) fn initial_decision(
        &self,
        ambient: &[T; C],
        here: &Point<D, C, T>,
    ) -> Decision<D, C, T> {
        let wanted = if self.plan.settings().initial_actuation {
            self.plan.config().actuatable().difference(self.forced_out)
        } else {
            VarSet::EMPTY
        };
        let overspend = self.plan.settings().overspend;
        let actuated = self
            .ledger
            .affordable(overspend, &self.prices(), wanted, &[T::ONE; C]);
        let region = Region {
            base: *here,
            design: VarSet::first(D),
            context: actuated,
        };
        // A failed point comes again; a rejected one makes way for the next that is not too near to it.
        let sobol = self.sobol(Purpose::InitialDesign, 0);
        let first = self.gp.len() + usize::from(self.rejections);
        let mut points = (first..first + ATTEMPTS)
            .map(|index| region.sample(&sobol, u16::try_from(index).unwrap_or(u16::MAX)));
        let point = points.find(|point| self.is_allowed(point)).unwrap_or(*here);
        let physical = self.asked_of(&point, ambient, actuated);
        self.decision(physical, ambient, actuated, None)
    }
}
