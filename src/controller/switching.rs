//! Whether to go on recording contexts only (line 13 of the algorithm).

use super::Controller;
use crate::Scalar;
use crate::math::rng::Purpose;
use crate::policy::Policy;
use crate::step::acquisition::Ucb;
use crate::step::criterion::{Spread, best_rows, inputs_of_last};
use crate::step::search::{Region, maximise};
use crate::step::switch::{SwitchFigures, SwitchRule};
use crate::task::yield_now;

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// Line 13: the switching criterion for the observation just taken in; `None` where it has no meaning.
    pub(super) async fn switch_figures(&self) -> Option<SwitchFigures<T>> {
        if matches!(
            self.plan.settings().switch,
            SwitchRule::At(_) | SwitchRule::Never
        ) {
            return None;
        }
        let kappa = self.kappa(self.gp.len().checked_sub(1)?).await?;
        let best = best_rows(self.gp.outputs())?;
        let inputs = inputs_of_last(&self.gp, best, kappa, self.plan.settings().delta)?;
        let mut figures = inputs.figures();
        if self.plan.settings().budget_aware_switch {
            let remaining: T = self.ledger.remaining().units();
            let budget: T = self.plan.config().budget.units();
            figures.threshold *= budget / remaining.max(self.plan.config().run_cost.units());
        }
        Some(figures)
    }

    /// κ given the first `len` observations, by maximising UCB over the whole cube.
    async fn kappa(&self, len: usize) -> Option<T> {
        let objective = Ucb {
            surrogate: self.gp.first(len).ok()?,
            sqrt_beta: self.beta().sqrt(),
        };
        let mut spread = Spread::new();
        for point in (0..len).filter_map(|row| self.gp.point(row)) {
            spread.observed(&objective, &point)?;
            yield_now().await;
        }
        let known = self.gp.best().and_then(|row| self.gp.point(row));
        let found = maximise(
            &objective,
            &Region::cube(),
            self.effort(),
            self.sobol(Purpose::Switch, self.step),
            known.into_iter(),
            |_| true,
        )
        .await;
        if let Some((upper, _)) = found {
            spread.elsewhere(upper);
        }
        spread.kappa()
    }
}
