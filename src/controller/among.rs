//! A decision among given points, for an instrument that cannot be run anywhere else: a catalogue, a rack of samples.

use super::Controller;
use crate::policy::{Kind, Policy};
use crate::step::acquisition::Objective;
use crate::step::decision::{Decision, Forecast, Phase};
use crate::step::selection::descending;
use crate::task::{run, yield_now};
use crate::{Error, Point, Scalar, VarSet};

/// The best of the points that were offered: its number, and itself in physical units and on the cube.
struct Offered<const D: usize, const C: usize, T> {
    number: usize,
    physical: Point<D, C, T>,
    unit: Point<D, C, T>,
    /// How many there were.
    of: usize,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// [`decide`](Self::decide) among given points: the decision, and the number of the point it is for.
    ///
    /// `offer` is called with the contexts that the step may choose and with 0, 1, 2, ..., and returns a point in
    /// physical units, or `None` after the last one. It may be called again with fewer contexts, to see what recording
    /// promises, or what has to be held for a point; the number that is returned counts what was offered for
    /// [`Decision::free`].
    ///
    /// With contexts held, more points have to be on offer than without: a wider choice is what holding them buys, and a
    /// surrogate that promises much of a few far-off points is easily wrong. Otherwise the step records. This, too, is up
    /// to [`actuation_weight`](crate::Settings::actuation_weight): 0 always holds.
    ///
    /// A point counts as it is: contexts that the step may not choose are those of the point too, so `offer` has to leave out points whose contexts are too far from the ambient ones.
    /// Likewise all designs of a point count:
    /// [`design_threshold`](crate::Settings::design_threshold) freezes none, since there may be no point that has them.
    ///
    /// ```
    /// use sadcbo::{Config, ContextVariable, Controller, Cost, DesignVariable, Error, Point, Settings};
    ///
    /// let unit = Cost::from_milli(1_000);
    /// let config = Config::<1, 1, f32>::new(
    ///     [DesignVariable::new("dose", "mg", 0.0, 10.0)],
    ///     [ContextVariable::recorded("humidity", "%RH", 20.0, 60.0)],
    ///     unit,
    ///     Cost::from_milli(8_000),
    /// );
    /// let settings = Settings { initial_points: 3, ..Settings::default() };
    /// let mut controller = Controller::<8, 1, 1>::new(config, settings)?;
    /// let mut vials = vec![0.5, 1.0, 2.0, 4.0, 8.0];
    /// while !vials.is_empty() {
    ///     let humidity = [40.0];
    ///     let (decision, vial) = controller.decide_among(&humidity, |_, index| {
    ///         vials.get(index).map(|&dose| Point::new([dose], humidity))
    ///     })?;
    ///     let applied = *decision.point();
    ///     controller.observe(decision, &applied, -(vials.remove(vial) - 4.0_f32).powi(2))?;
    /// }
    /// assert_eq!(controller.best().unwrap().point.design, [4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decide_among(
        &mut self,
        ambient: &[T; C],
        offer: impl FnMut(VarSet, usize) -> Option<Point<D, C, T>>,
    ) -> Result<(Decision<D, C, T>, usize), Error> {
        run(self.decide_among_async(ambient, offer))
    }

    /// [`decide_among`](Self::decide_among) in slices: yields after every point, too.
    pub async fn decide_among_async(
        &mut self,
        ambient: &[T; C],
        mut offer: impl FnMut(VarSet, usize) -> Option<Point<D, C, T>>,
    ) -> Result<(Decision<D, C, T>, usize), Error> {
        let here = self.begin_decision(ambient)?;
        if self.phase == Phase::Initial {
            // The point nearest to the one that an instrument without limits would take.
            let sought = self.initial_decision(ambient, &here);
            let (actuated, sought) = (sought.actuated, self.plan.config().unit_of(&sought.point)?);
            let closeness = |unit: &Point<D, C, T>| Some(-distance(unit, &sought));
            let found = self.best_offer(actuated, &mut offer, closeness).await?;
            let decision = self.decision(found.physical, ambient, actuated, None);
            return Ok((decision, found.number));
        }
        let (selection, mut free) = self.weigh(&here, &mut |_| ()).await?;
        let mut found = self.best_among(&here, free, &mut offer).await?;
        let mut restrained = false;
        if let Some(fewer) = self.fewer(free) {
            match self.best_among(&here, fewer, &mut offer).await {
                // What is paid for is a wider choice.
                Ok(other)
                    if found.of <= other.of
                        || !self.is_worth((&found.unit, free), (&other.unit, fewer))? =>
                {
                    (found, free, restrained) = (other, fewer, true);
                }
                // If nothing can be had without actuating, there is nothing to weigh.
                Ok(_) | Err(Error::NoCandidate) => {}
                Err(error) => return Err(error),
            }
        }
        let actuated = self.held_for(&here, &found, free, &mut offer).await;
        let forecast = self.gp.posterior(&found.unit)?;
        let forecast = Forecast {
            mean: forecast.mean,
            std_dev: forecast.std_dev(),
        };
        let mut decision = self.decision(found.physical, ambient, actuated, Some(forecast));
        decision.free = free;
        decision.restrained = restrained;
        decision.selected = selection.modelled;
        decision.relevance = selection.relevance;
        Ok((decision, found.number))
    }

    /// The contexts that are held for a point, and paid for: those that move, and, while the point is not on offer to who
    /// holds only these, the one furthest from its ambient value. Only [`CaBo`](crate::CaBo) holds fewer than are free.
    async fn held_for(
        &self,
        here: &Point<D, C, T>,
        found: &Offered<D, C, T>,
        free: VarSet,
        offer: &mut impl FnMut(VarSet, usize) -> Option<Point<D, C, T>>,
    ) -> VarSet {
        let (_, moved) = self.settle(here, &found.unit, free);
        let mut distances = found.unit.context;
        for (distance, &ambient) in distances.iter_mut().zip(&here.context) {
            *distance = (*distance - ambient).abs();
        }
        let mut held = moved;
        for next in descending(&distances, free.difference(moved)) {
            let mut number = 0;
            while let Some(offered) = offer(held, number) {
                if offered == found.physical {
                    return held;
                }
                number += 1;
                yield_now().await;
            }
            held = held.with(next);
        }
        held
    }

    /// The offered point at which the policy's acquisition is largest.
    async fn best_among(
        &self,
        here: &Point<D, C, T>,
        free: VarSet,
        offer: &mut impl FnMut(VarSet, usize) -> Option<Point<D, C, T>>,
    ) -> Result<Offered<D, C, T>, Error> {
        if self.policy.kind() == Kind::CaBo {
            let objective = self.improvement_per_cost(here)?;
            self.best_offer(free, offer, |unit| objective.value(unit))
                .await
        } else {
            let objective = self.ucb()?;
            self.best_offer(free, offer, |unit| objective.value(unit))
                .await
        }
    }

    /// The offered point of the highest score, the first of them if several are equal.
    async fn best_offer(
        &self,
        free: VarSet,
        offer: &mut impl FnMut(VarSet, usize) -> Option<Point<D, C, T>>,
        score: impl Fn(&Point<D, C, T>) -> Option<T>,
    ) -> Result<Offered<D, C, T>, Error> {
        let mut best: Option<(T, Offered<D, C, T>)> = None;
        let mut number = 0;
        while let Some(physical) = offer(free, number) {
            let unit = self.plan.config().unit_of(&physical)?;
            if self.is_allowed(&unit)
                && let Some(value) = score(&unit).filter(|value| value.is_finite())
                && best.as_ref().is_none_or(|(highest, _)| value > *highest)
            {
                let of = 0;
                best = Some((
                    value,
                    Offered {
                        number,
                        physical,
                        unit,
                        of,
                    },
                ));
            }
            number += 1;
            yield_now().await;
        }
        let (_, found) = best.ok_or(Error::NoCandidate)?;
        Ok(Offered {
            of: number,
            ..found
        })
    }
}

/// Squared distance on the cube.
fn distance<const D: usize, const C: usize, T: Scalar>(
    a: &Point<D, C, T>,
    b: &Point<D, C, T>,
) -> T {
    let mut sum = T::ZERO;
    for (a, b) in a.iter().zip(b.iter()) {
        sum += (a - b) * (a - b);
    }
    sum
}
