//! What several stages of the controller need.

use rand_core::Rng;

use super::{Controller, REJECTED_RADIUS};
use crate::math::rng::{Purpose, stream};
use crate::math::sobol::Sobol;
use crate::policy::Policy;
use crate::step::budget::Prices;
use crate::step::decision::{Decision, Forecast};
use crate::step::search::{Effort, Region};
use crate::{Point, Scalar, VarSet};

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    pub(super) fn decision(
        &self,
        point: Point<D, C, T>,
        ambient: &[T; C],
        actuated: VarSet,
        forecast: Option<Forecast<T>>,
    ) -> Decision<D, C, T> {
        Decision {
            step: self.step,
            phase: self.phase,
            point,
            ambient: *ambient,
            selected: VarSet::EMPTY,
            free: actuated,
            actuated,
            relevance: [T::ZERO; C],
            forecast,
            restrained: false,
            cost: self.prices().of_step(actuated),
            context_costs: self.context_costs,
            remaining: self.ledger.remaining(),
        }
    }

    /// What a step asks for, in physical units: contexts that are not actuated exactly as they were passed in.
    pub(super) fn asked_of(
        &self,
        unit: &Point<D, C, T>,
        ambient: &[T; C],
        actuated: VarSet,
    ) -> Point<D, C, T> {
        let mut physical = self.plan.config().physical_within(unit);
        physical.copy_contexts(ambient, VarSet::first(C).difference(actuated));
        physical
    }

    pub(super) fn prices(&self) -> Prices<'_> {
        Prices {
            run: self.plan.config().run_cost,
            contexts: &self.context_costs,
        }
    }

    pub(super) fn beta(&self) -> T {
        self.plan
            .settings()
            .beta
            .at(D + C, self.gp.len(), self.plan.settings().delta)
    }

    pub(super) fn effort(&self) -> Effort {
        let work = self.plan.settings().work;
        Effort {
            samples: work.raw_samples,
            restarts: work.restarts,
            refinements: work.refinements,
        }
    }

    /// The design is free, the contexts are as they are.
    pub(super) fn design_region(&self, here: &Point<D, C, T>) -> Region<D, C, T> {
        Region {
            base: *here,
            design: VarSet::first(D),
            context: VarSet::EMPTY,
        }
    }

    /// Whether a point is far enough from every rejected design.
    pub(super) fn is_allowed(&self, point: &Point<D, C, T>) -> bool {
        let radius = T::from_f64(REJECTED_RADIUS);
        let near = |rejected: &[T; D]| {
            let mut pairs = rejected.iter().zip(&point.design);
            pairs.all(|(&a, &b)| (a - b).abs() < radius)
        };
        !self.rejected.iter().any(near)
    }

    pub(super) fn sobol(&self, purpose: Purpose, step: u32) -> Sobol {
        Sobol::new(stream(self.plan.config().seed, purpose, step).next_u32())
    }

    pub(super) fn standardised_best(&self) -> T {
        let best = self.gp.best().and_then(|row| self.gp.outputs().get(row));
        best.map_or(T::ZERO, |&output| self.gp.scale().standardise(output))
    }
}
