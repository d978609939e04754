//! Beyond the paper: design variables that hardly matter stay at their best observed value.

use super::Controller;
use crate::policy::Policy;
use crate::step::collapse::design_divergences;
use crate::step::elite::elite;
use crate::step::relevance::Relevance;
use crate::step::search::Region;
use crate::step::selection::select;
use crate::task::yield_now;
use crate::{Error, Point, Scalar, VarSet};

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// The design variables that a step may choose: feature collapsing on D^γ, as for contexts, with the full surrogate.
    pub(super) async fn free_designs(&self) -> Result<VarSet, Error> {
        let settings = self.plan.settings();
        if settings.design_threshold >= T::ONE {
            return Ok(VarSet::first(D));
        }
        let surrogate = self.gp.all()?;
        let best = elite(settings.elite, self.gp.outputs());
        let mut relevance = Relevance::new(settings.divergence);
        for (row, &output) in self.gp.outputs().iter().enumerate() {
            if let Some(point) = self.gp.point(row)
                && best.contains(row, output)
            {
                if let Some(divergences) = design_divergences(&surrogate, &point) {
                    relevance.add_row(&divergences);
                }
                yield_now().await;
            }
        }
        let shares: [T; D] = relevance.shares();
        let free = select(
            &shares,
            settings.design_threshold,
            VarSet::first(D),
            VarSet::EMPTY,
        );
        // Nothing known: nothing frozen.
        Ok(if free.is_empty() {
            VarSet::first(D)
        } else {
            free
        })
    }

    /// The region in which these designs and contexts are free; other designs are where the best observation was.
    pub(super) fn region(
        &self,
        here: &Point<D, C, T>,
        designs: VarSet,
        contexts: VarSet,
    ) -> Region<D, C, T> {
        let best = self.gp.best().and_then(|row| self.gp.point(row));
        let mut base = best.map_or(*here, |best| Point::new(best.design, here.context));
        for value in &mut base.design {
            *value = value.max(T::ZERO).min(T::ONE);
        }
        Region {
            base,
            design: designs,
            context: contexts,
        }
    }
}
