//! Which contexts matter, and which of them to actuate (lines 5 to 7 of the algorithm).

use super::Controller;
use crate::math::rng::{Purpose, stream};
use crate::policy::{Kind, Policy};
use crate::step::batch::base_sample;
use crate::step::collapse::{Collapsed, divergences};
use crate::step::decision::Phase;
use crate::step::dropout::random_half;
use crate::step::elite::elite;
use crate::step::hsic::hsic;
use crate::step::relevance::Relevance;
use crate::step::selection::{normalise, select, weigh_by_cost};
use crate::task::yield_now;
use crate::{Error, Point, Scalar, VarSet};

/// What the selection stages came to.
pub(super) struct Selection<const C: usize, T> {
    /// The contexts that the surrogate knows.
    pub(super) modelled: VarSet,
    /// The designs that the step may choose.
    pub(super) designs: VarSet,
    /// The contexts that the step may choose.
    pub(super) wanted: VarSet,
    pub(super) relevance: [T; C],
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// The contexts that the full surrogate knows.
    pub(super) fn known_contexts(&self) -> VarSet {
        match self.policy.kind() {
            Kind::Cubo => VarSet::EMPTY,
            _ => VarSet::first(C),
        }
    }

    /// Lines 5 to 7: which contexts the surrogate is built on, and which the step may choose.
    pub(super) async fn select_contexts(
        &mut self,
        here: &Point<D, C, T>,
    ) -> Result<Selection<C, T>, Error> {
        let all = VarSet::first(C);
        let actuatable = self.plan.config().actuatable().difference(self.forced_out);
        let none = [T::ZERO; C];
        let (modelled, wanted, relevance) = match self.policy.kind() {
            Kind::Sadcbo => return self.select_relevant(here, actuatable).await,
            Kind::MmdBo => {
                let scores = self.dependence().await;
                let chosen = select(
                    &scores,
                    self.plan.settings().relevance_threshold,
                    all,
                    self.forced_in,
                );
                (chosen, chosen.intersection(actuatable), scores)
            }
            Kind::Cubo => (VarSet::EMPTY, VarSet::EMPTY, none),
            Kind::Cbo => (all, VarSet::EMPTY, none),
            Kind::Vbo | Kind::CaBo => (all, actuatable, none),
            Kind::Dropout => {
                let count = u32::try_from(C).unwrap_or(0);
                let half = random_half(
                    &mut stream(self.plan.config().seed, Purpose::Dropout, self.step),
                    count,
                );
                (half, half.intersection(actuatable), none)
            }
        };
        Ok(Selection {
            modelled,
            designs: VarSet::first(D),
            wanted,
            relevance,
        })
    }

    /// Feature collapsing on D^BO = D^γ ∪ D^Q, then J_η.
    pub(super) async fn select_relevant(
        &mut self,
        here: &Point<D, C, T>,
        actuatable: VarSet,
    ) -> Result<Selection<C, T>, Error> {
        let relevance = self.relevance(here).await?;
        let settings = self.plan.settings();
        let threshold = settings.relevance_threshold;
        // What cannot be actuated, or is left alone, may still help to predict.
        let relevant = select(&relevance, threshold, VarSet::first(C), self.forced_in);
        if self.phase == Phase::Observational {
            return Ok(Selection {
                modelled: relevant,
                designs: VarSet::first(D),
                wanted: VarSet::EMPTY,
                relevance,
            });
        }
        // Worth per cost among what can be actuated.
        let mut worth = relevance;
        weigh_by_cost(&mut worth, &self.context_costs.map(|cost| cost.units()));
        let wanted = select(&worth, threshold, actuatable, self.forced_in);
        Ok(Selection {
            designs: VarSet::first(D),
            modelled: wanted.union(relevant.difference(actuatable)),
            wanted,
            relevance,
        })
    }

    /// FC of each context (eq. FC_relevance).
    pub(super) async fn relevance(&mut self, here: &Point<D, C, T>) -> Result<[T; C], Error> {
        let settings = self.plan.settings();
        let beta = self.beta();
        let designs = self.design_region(here);
        let normals = self.sobol(Purpose::BaseSamples, self.step);
        let samples = self.sobol(Purpose::Search, self.step.wrapping_add(1 << 31));
        let surrogate = self.gp.all()?;
        self.batch
            .restart(beta, usize::from(settings.work.base_samples), |s, q| {
                base_sample(&normals, s, q)
            });
        let count = usize::from(settings.batch);
        self.batch
            .choose(
                &surrogate,
                &designs,
                count,
                settings.work.batch_samples,
                samples,
            )
            .await;
        let collapsed = Collapsed::new(settings.collapse, &self.gp);
        let mut relevance = Relevance::new(settings.divergence);
        let best = elite(settings.elite, self.gp.outputs());
        for (row, &output) in self.gp.outputs().iter().enumerate() {
            if let Some(point) = self.gp.point(row)
                && best.contains(row, output)
            {
                if let Some(divergences) = divergences(&surrogate, &point, &collapsed) {
                    relevance.add_row(&divergences);
                }
                yield_now().await;
            }
        }
        for point in self.batch.points() {
            if let Some(divergences) = divergences(&surrogate, point, &collapsed) {
                relevance.add_row(&divergences);
            }
            yield_now().await;
        }
        Ok(relevance.shares())
    }

    /// HSIC score of each context, as shares.
    pub(super) async fn dependence(&self) -> [T; C] {
        let best = elite(self.plan.settings().elite, self.gp.outputs());
        let mut scores = [T::ZERO; C];
        for (context, score) in scores.iter_mut().enumerate() {
            let mut rows = [(T::ZERO, false); N];
            for (row, (place, &output)) in rows.iter_mut().zip(self.gp.outputs()).enumerate() {
                let value = self
                    .gp
                    .point(row)
                    .and_then(|point| point.context.get(context).copied());
                *place = (value.unwrap_or(T::ZERO), best.contains(row, output));
            }
            *score = rows.get_mut(..self.gp.len()).map_or(T::ZERO, hsic);
            yield_now().await;
        }
        normalise(&mut scores);
        scores
    }
}
