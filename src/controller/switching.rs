//! Whether to go on recording contexts only (line 13 of the algorithm).

use super::Controller;
use crate::Scalar;
use crate::gp::best_of;
use crate::math::rng::Purpose;
use crate::policy::Policy;
use crate::step::acquisition::Ucb;
use crate::step::search::{Region, maximise};
use crate::step::switch::{SwitchFigures, SwitchInputs, SwitchRule};
use crate::task::yield_now;

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// Line 13: the switching criterion for the observation just taken in; `None` where it has no meaning.
    pub(super) async fn switch_figures(&self) -> Option<SwitchFigures<T>> {
        if matches!(self.settings.switch, SwitchRule::At(_) | SwitchRule::Never) {
            return None;
        }
        let outputs = self.gp.outputs();
        let last = outputs.len().checked_sub(1)?;
        let after = self.gp.all().ok()?;
        let before = self.gp.first(last).ok()?;
        let (star, former) = (best_of(outputs)?, best_of(outputs.get(..last)?)?);
        let (at_star, at_former, at_last) = (
            self.gp.point(star)?,
            self.gp.point(former)?,
            self.gp.point(last)?,
        );
        let (star_after, former_after) = (
            after.posterior(&at_star).ok()?,
            after.posterior(&at_former).ok()?,
        );
        let (lead, lead_sd) = if star == former {
            (T::ZERO, T::ZERO)
        } else {
            let shared = after.covariance(&at_star, &at_former).ok()?;
            let variance = star_after.variance - shared - shared + former_after.variance;
            (
                star_after.mean - former_after.mean,
                variance.max(T::ZERO).sqrt(),
            )
        };
        let surprise = before.posterior(&at_last).ok()?;
        let inputs = SwitchInputs {
            mean_change: star_after.mean - before.posterior(&at_former).ok()?.mean,
            lead,
            lead_sd,
            variance: surprise.variance,
            residual: self.gp.scale().standardise(*outputs.get(last)?) - surprise.mean,
            best_sd: before.posterior(&at_star).ok()?.std_dev(),
            kappa: self.kappa(last).await?,
            noise: self.gp.hyper().noise_variance,
            delta: self.settings.delta,
        };
        let mut figures = inputs.figures();
        if self.settings.budget_aware_switch {
            let remaining: T = self.ledger.remaining().units();
            let budget: T = self.config.budget.units();
            figures.threshold *= budget / remaining.max(self.config.run_cost.units());
        }
        Some(figures)
    }

    /// κ = max over the cube of UCB_{t-1} - max over the data of LCB_{t-1}; the data are among the candidates.
    pub(super) async fn kappa(&self, len: usize) -> Option<T> {
        let objective = Ucb {
            surrogate: self.gp.first(len).ok()?,
            sqrt_beta: self.beta().sqrt(),
        };
        let rows = (0..len).filter_map(|row| self.gp.point(row));
        let mut lowest: Option<T> = None;
        let mut highest: Option<T> = None;
        for point in rows {
            let (lower, upper) = objective.bounds(&point)?;
            lowest = Some(lowest.map_or(lower, |best| best.max(lower)));
            highest = Some(highest.map_or(upper, |best| best.max(upper)));
            yield_now().await;
        }
        let sobol = self.sobol(Purpose::Switch, self.step);
        let known = self
            .gp
            .best()
            .and_then(|row| self.gp.point(row))
            .into_iter();
        let found = maximise(
            &objective,
            &Region::cube(),
            self.effort(),
            sobol,
            known,
            |_| true,
        )
        .await;
        let highest = found
            .map(|(value, _)| value)
            .into_iter()
            .chain(highest)
            .reduce(T::max)?;
        Some(highest - lowest?)
    }
}
