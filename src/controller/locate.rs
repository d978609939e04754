//! Where to run: the reduced surrogate, and the best point on it (lines 8 and 9 of the algorithm).

use super::Controller;
use crate::gp::{Fit, FitConfig};
use crate::math::rng::Purpose;
use crate::policy::{Kind, Policy};
use crate::step::acquisition::{ImprovementPerCost, UNMOVED, Ucb};
use crate::step::search::maximise;
use crate::task::yield_now;
use crate::{Error, Point, Scalar, VarSet};

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// Line 8: the surrogate on the design and these contexts only, fitted from the full one's hyperparameters.
    pub(super) async fn reduce(&mut self, modelled: VarSet) -> Result<(), Error> {
        if modelled == self.known_contexts() {
            return Ok(());
        }
        self.gp.prepare(self.full, VarSet::first(D), modelled);
        let config = FitConfig {
            starts: 1,
            evaluations: self.plan.settings().work.reduced_evaluations,
            ..self.plan.settings().fit
        };
        let mut fit = Fit::begin(&self.gp, &config)?;
        // A fit that finds nothing better leaves the hyperparameters of the full surrogate.
        while let Ok(None) = fit.step(&mut self.gp) {
            yield_now().await;
        }
        self.gp.ready()
    }

    /// Line 9: where the acquisition is largest, over the free designs and contexts.
    pub(super) async fn best_point(
        &self,
        here: &Point<D, C, T>,
        designs: VarSet,
        free: VarSet,
    ) -> Result<Point<D, C, T>, Error> {
        let region = self.region(here, designs, free);
        let effort = self.effort();
        let sobol = self.sobol(Purpose::Search, self.step);
        let known = self
            .gp
            .best()
            .and_then(|row| self.gp.point(row))
            .into_iter();
        let allowed = |point: &Point<D, C, T>| self.is_allowed(point);
        let found = if self.policy.kind() == Kind::CaBo {
            let objective = self.improvement_per_cost(here)?;
            maximise(&objective, &region, effort, sobol, known, allowed).await
        } else {
            maximise(&self.ucb()?, &region, effort, sobol, known, allowed).await
        };
        found.map(|(_, point)| point).ok_or(Error::NoCandidate)
    }

    /// The acquisition of all policies but [`CaBo`](crate::CaBo), on the surrogate in force.
    pub(super) fn ucb(&self) -> Result<Ucb<'_, N, D, C, T>, Error> {
        Ok(Ucb {
            surrogate: self.gp.all()?,
            sqrt_beta: self.beta().sqrt(),
        })
    }

    /// The acquisition of [`CaBo`](crate::CaBo).
    pub(super) fn improvement_per_cost(
        &self,
        here: &Point<D, C, T>,
    ) -> Result<ImprovementPerCost<'_, N, D, C, T>, Error> {
        Ok(ImprovementPerCost {
            surrogate: self.gp.all()?,
            best: self.standardised_best(),
            ambient: here.context,
            run_cost: self.plan.config().run_cost.units(),
            context_costs: self.context_costs.map(|cost| cost.units()),
        })
    }

    /// Which of the free contexts are actuated: all, except that [`CaBo`](crate::CaBo) leaves alone what hardly moves.
    pub(super) fn settle(
        &self,
        here: &Point<D, C, T>,
        found: &Point<D, C, T>,
        free: VarSet,
    ) -> (Point<D, C, T>, VarSet) {
        let mut point = *found;
        let mut actuated = free;
        if self.policy.kind() == Kind::CaBo {
            let moved = |index: &usize| {
                let pair = found.context.get(*index).zip(here.context.get(*index));
                pair.is_some_and(|(&a, &b)| (a - b).abs() > T::from_f64(UNMOVED))
            };
            actuated = free.iter().filter(moved).collect();
            point.copy_contexts(&here.context, free.difference(actuated));
        }
        (point, actuated)
    }
}
