//! The controller: ask with [`decide`](Controller::decide), tell with [`observe`](Controller::observe).
//!
//! Algorithm 1 of the paper, one call per stage; start reading at `Controller::decide_async`.

use core::marker::PhantomData;

use heapless::Vec;
use rand_core::Rng;

use crate::config::{Config, ConfigError};
use crate::gp::{Fit, FitConfig, Gp, Hyper, best_of};
use crate::math::rng::{Purpose, stream};
use crate::math::sobol::Sobol;
use crate::policy::{Kind, Policy, Sadcbo};
use crate::settings::{CapacityPolicy, Settings};
use crate::step::acquisition::{ImprovementPerCost, UNMOVED, Ucb};
use crate::step::batch::{Batch, base_sample};
use crate::step::budget::{Ledger, Prices};
use crate::step::collapse::{Collapsed, divergences};
use crate::step::decision::{Decision, Forecast, Phase};
use crate::step::dropout::random_half;
use crate::step::elite::elite;
use crate::step::hsic::hsic;
use crate::step::record::{Outcome, StepRecord};
use crate::step::relevance::Relevance;
use crate::step::search::{Effort, Region, maximise};
use crate::step::selection::{normalise, select, weigh_by_cost};
use crate::step::switch::{SwitchFigures, SwitchInputs, SwitchRule, SwitchState};
use crate::task::{run, yield_now};
use crate::{Cost, Error, Input, Point, Scalar, VarSet};

/// How many rejected designs are remembered; the oldest is forgotten first.
const REJECTED: usize = 8;
/// A design closer than this to a rejected one, in every coordinate of the cube, is not tried.
const REJECTED_RADIUS: f64 = 0.02;

/// Decides, step by step, where to run an instrument and which contexts to actuate.
///
/// Room for `N` observations of `D` design and `C` context variables; nothing is allocated, and neither a clock nor the
/// platform has a say: the same configuration, settings and observations give the same decisions, bit for bit.
///
/// ```
/// use sadcbo::{Config, ContextVariable, Controller, Cost, DesignVariable, Error, Settings};
///
/// let unit = Cost::from_milli(1_000);
/// let config = Config::<1, 2, f32>::new(
///     [DesignVariable::new("spin speed", "rpm", 500.0, 4_000.0)],
///     [
///         ContextVariable::actuated("humidity", "%RH", 20.0, 60.0, unit),
///         ContextVariable::recorded("pressure", "hPa", 980.0, 1_040.0),
///     ],
///     unit,
///     Cost::from_milli(30_000),
/// );
/// let mut controller = Controller::<40, 1, 2>::new(config, Settings::default())?;
/// loop {
///     let ambient = [35.0, 1_013.0]; // read the sensors
///     let decision = match controller.decide(&ambient) {
///         Ok(decision) => decision,
///         Err(Error::BudgetSpent) => break,
///         Err(error) => return Err(error.into()),
///     };
///     let applied = *decision.point(); // drive the actuators, then read back what was reached
///     let result = 1.0 - (applied.design[0] / 2_000.0 - 1.0).powi(2) - (applied.context[0] / 40.0 - 1.0).powi(2);
///     controller.observe(decision, &applied, result)?;
/// }
/// assert!(controller.best().unwrap().output > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Controller<const N: usize, const D: usize, const C: usize, T = f32, P = Sadcbo> {
    config: Config<D, C, T>,
    settings: Settings<T>,
    /// Data, and the factor of whichever surrogate was used last.
    gp: Gp<N, D, C, T>,
    /// Hyperparameters of the full surrogate, and how many observations came since they were fitted.
    full: Hyper<D, C, T>,
    unfitted: u16,
    /// Room for choosing D^Q.
    batch: Batch<N, D, C, T>,
    ledger: Ledger,
    phase: Phase,
    switch: SwitchState<T>,
    step: u32,
    /// Contexts that the user wants in, or out, whatever their relevance.
    forced_in: VarSet,
    forced_out: VarSet,
    /// Designs that were rejected, on the cube.
    rejected: Vec<[T; D], REJECTED>,
    policy: PhantomData<P>,
}

/// The best observation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Best<const D: usize, const C: usize, T = f32> {
    /// Where it was made, in physical units.
    pub point: Point<D, C, T>,
    /// Its result.
    pub output: T,
}

/// A result that was not taken, with its decision, so that it can be reported again.
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NotTaken<const D: usize, const C: usize, T = f32> {
    /// Why.
    pub error: Error,
    /// The decision that still waits for its result.
    pub decision: Decision<D, C, T>,
}

impl<const D: usize, const C: usize, T> From<NotTaken<D, C, T>> for Error {
    fn from(not_taken: NotTaken<D, C, T>) -> Self {
        not_taken.error
    }
}

impl<const D: usize, const C: usize, T> core::fmt::Display for NotTaken<D, C, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.error.fmt(f)
    }
}

impl<const D: usize, const C: usize, T: core::fmt::Debug> core::error::Error for NotTaken<D, C, T> {}

/// What the selection stages came to.
struct Selection<const C: usize, T> {
    /// The contexts that the surrogate knows.
    modelled: VarSet,
    /// The contexts that the step may choose.
    wanted: VarSet,
    relevance: [T; C],
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// A new experiment.
    pub fn new(config: Config<D, C, T>, settings: Settings<T>) -> Result<Self, ConfigError> {
        settings.validate()?;
        Ok(Self {
            config,
            settings,
            gp: Gp::new().with_kernel(settings.kernel),
            full: Hyper::START,
            unfitted: 0,
            batch: Batch::new(),
            ledger: Ledger::new(config.budget),
            phase: Phase::Initial,
            switch: SwitchState::new(),
            step: 0,
            forced_in: VarSet::EMPTY,
            forced_out: VarSet::EMPTY,
            rejected: Vec::new(),
            policy: PhantomData,
        })
    }

    /// The instrument.
    pub const fn config(&self) -> &Config<D, C, T> {
        &self.config
    }

    /// How decisions are made.
    pub const fn settings(&self) -> &Settings<T> {
        &self.settings
    }

    /// The phase of the next step.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The number of the next step.
    pub const fn step(&self) -> u32 {
        self.step
    }

    /// How many observations there are.
    pub const fn observations(&self) -> usize {
        self.gp.len()
    }

    /// What is left of the budget.
    pub fn remaining(&self) -> Cost {
        self.ledger.remaining()
    }

    /// Hyperparameters of the full surrogate.
    pub const fn hyper(&self) -> &Hyper<D, C, T> {
        &self.full
    }

    /// The best observation so far.
    pub fn best(&self) -> Option<Best<D, C, T>> {
        let row = self.gp.best()?;
        Some(Best {
            point: self.config.physical_of(&self.gp.point(row)?),
            output: *self.gp.outputs().get(row)?,
        })
    }

    /// The user's word: contexts that are taken as relevant, and contexts that are left alone, whatever the data say.
    ///
    /// Takes effect with the next decision. A context in both sets is left alone.
    pub const fn force(&mut self, relevant: VarSet, left_alone: VarSet) {
        self.forced_in = relevant;
        self.forced_out = left_alone;
    }

    /// Data that the user already has, before the first step. They cost nothing and count as initial points.
    pub fn seed_with(
        &mut self,
        applied: &Point<D, C, T>,
        output: T,
    ) -> Result<StepRecord<D, C, T>, Error> {
        if self.step > 0 {
            return Err(Error::TooLate);
        }
        let unit = self.config.unit_of(applied)?;
        check_output(output)?;
        self.take_in(&unit, output)?;
        self.leave_initial_phase();
        let decision = self.decision(*applied, &applied.context, VarSet::EMPTY, None);
        let mut record = StepRecord::of(&decision, Outcome::Given);
        record.output = output;
        record.cost = Cost::ZERO;
        Ok(self.seal(record))
    }

    /// What to do next, given the contexts as they are now, in physical units.
    ///
    /// A pure function of the observations so far and of `ambient`: asking again gives the same answer.
    pub fn decide(&mut self, ambient: &[T; C]) -> Result<Decision<D, C, T>, Error> {
        run(self.decide_async(ambient))
    }

    /// [`decide`](Self::decide) in slices: yields after every evaluation of a likelihood or an acquisition.
    ///
    /// Dropping the future half-way is harmless.
    pub async fn decide_async(&mut self, ambient: &[T; C]) -> Result<Decision<D, C, T>, Error> {
        let here = self.config.unit_of(&Point::new(
            self.config.design.map(|variable| variable.low),
            *ambient,
        ))?;
        if !self.ledger.covers(self.config.run_cost) {
            return Err(Error::BudgetSpent);
        }
        if self.gp.len() >= N && self.settings.capacity == CapacityPolicy::Refuse {
            return Err(Error::Full);
        }
        if self.phase == Phase::Initial {
            return Ok(self.initial_decision(ambient, &here));
        }
        // The full surrogate, fitted if data were given since.
        self.gp
            .prepare(self.full, VarSet::first(D), self.known_contexts());
        self.gp.factorise()?;
        if self.unfitted > 0 {
            self.fit_full().await?;
        }
        // Which contexts matter, and which of them to actuate.
        let selection = self.select_contexts(&here).await?;
        let costs = self.config.context_costs();
        let prices = self.prices(&costs);
        let settings = &self.settings;
        let free = self.ledger.affordable(
            settings.overspend,
            &prices,
            selection.wanted,
            &selection.relevance,
        );
        // The reduced surrogate, and the best point on it.
        self.reduce(selection.modelled).await?;
        let found = self.best_point(&here, free).await?;
        let (point, actuated) = self.settle(&here, &found, free);
        let forecast = self.gp.posterior(&point)?;
        let mut physical = self.config.physical_within(&point);
        for index in VarSet::first(C).difference(actuated).iter() {
            if let (Some(to), Some(&from)) = (physical.context.get_mut(index), ambient.get(index)) {
                *to = from;
            }
        }
        let forecast = Forecast {
            mean: forecast.mean,
            std_dev: forecast.std_dev(),
        };
        let mut decision = self.decision(physical, ambient, actuated, Some(forecast));
        decision.selected = selection.modelled;
        decision.relevance = selection.relevance;
        Ok(decision)
    }

    /// Learns from a result: the decision, design and contexts as they really were, and what was measured.
    ///
    /// An error leaves everything as it was and hands the decision back.
    pub fn observe(
        &mut self,
        decision: Decision<D, C, T>,
        applied: &Point<D, C, T>,
        output: T,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        run(self.observe_async(decision, applied, output))
    }

    /// [`observe`](Self::observe) in slices: yields after every evaluation of a likelihood or an acquisition.
    ///
    /// The observation is in as soon as the future was polled once; dropping it half-way only leaves the refit to the
    /// next decision and skips this step's switching criterion.
    pub async fn observe_async(
        &mut self,
        decision: Decision<D, C, T>,
        applied: &Point<D, C, T>,
        output: T,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        let mut record = StepRecord::of(&decision, Outcome::Observed);
        record.applied = *applied;
        record.output = output;
        if let Err(error) = self.begin_observation(&record) {
            return Err(NotTaken { error, decision });
        }
        if self.refit_is_due() {
            // A fit that finds nothing leaves the hyperparameters as they were; the observation is in.
            let _ = self.fit_full().await;
        }
        if record.phase == Phase::Observational && P::KIND == Kind::Sadcbo {
            record.switch = self.switch_figures().await;
        }
        self.end_observation(&record);
        Ok(self.seal(record))
    }

    /// Ends a step that gave no result but may be tried again. `spent` is what it cost all the same.
    pub fn fail(
        &mut self,
        decision: Decision<D, C, T>,
        spent: Cost,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        self.give_up(decision, spent, Outcome::Failed)
    }

    /// Ends a step that gave no result and whose design is not to be tried again. `spent` is what it cost all the same.
    pub fn reject(
        &mut self,
        decision: Decision<D, C, T>,
        spent: Cost,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        self.give_up(decision, spent, Outcome::Rejected)
    }

    /// The controller as it was after these records: after a reset, or on another machine.
    pub fn replay(
        config: Config<D, C, T>,
        settings: Settings<T>,
        records: impl IntoIterator<Item = StepRecord<D, C, T>>,
    ) -> Result<Self, ReplayError> {
        let mut controller = Self::new(config, settings).map_err(ReplayError::Config)?;
        for record in records {
            controller
                .restore(&record)
                .map_err(|error| ReplayError::Record {
                    step: record.step,
                    error,
                })?;
        }
        Ok(controller)
    }

    // Stages of a decision, in their order.

    /// The next spread-out point: design, and contexts too if they are to be actuated.
    fn initial_decision(&self, ambient: &[T; C], here: &Point<D, C, T>) -> Decision<D, C, T> {
        let actuated = if self.settings.initial_actuation {
            self.config.actuatable().difference(self.forced_out)
        } else {
            VarSet::EMPTY
        };
        let region = Region {
            base: *here,
            design: VarSet::first(D),
            context: actuated,
        };
        let index = self.gp.len() + self.rejected.len();
        let sobol = self.sobol(Purpose::InitialDesign, 0);
        let point = region.sample(&sobol, u16::try_from(index).unwrap_or(u16::MAX));
        let mut physical = self.config.physical_within(&point);
        for index in VarSet::first(C).difference(actuated).iter() {
            if let (Some(to), Some(&from)) = (physical.context.get_mut(index), ambient.get(index)) {
                *to = from;
            }
        }
        self.decision(physical, ambient, actuated, None)
    }

    /// The contexts that the full surrogate knows.
    fn known_contexts(&self) -> VarSet {
        match P::KIND {
            Kind::Cubo => VarSet::EMPTY,
            _ => VarSet::first(C),
        }
    }

    /// Lines 5 to 7: which contexts the surrogate is built on, and which the step may choose.
    async fn select_contexts(&mut self, here: &Point<D, C, T>) -> Result<Selection<C, T>, Error> {
        let all = VarSet::first(C);
        let actuatable = self.config.actuatable().difference(self.forced_out);
        let none = [T::ZERO; C];
        let (modelled, wanted, relevance) = match P::KIND {
            Kind::Sadcbo => return self.select_relevant(here, actuatable).await,
            Kind::MmdBo => {
                let scores = self.dependence();
                let allowed = all.difference(self.forced_out);
                let chosen = select(
                    &scores,
                    self.settings.relevance_threshold,
                    allowed,
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
                    &mut stream(self.config.seed, Purpose::Dropout, self.step),
                    count,
                );
                (half, half.intersection(actuatable), none)
            }
        };
        Ok(Selection {
            modelled,
            wanted,
            relevance,
        })
    }

    /// Feature collapsing on D^BO = D^γ ∪ D^Q, then J_η.
    async fn select_relevant(
        &mut self,
        here: &Point<D, C, T>,
        actuatable: VarSet,
    ) -> Result<Selection<C, T>, Error> {
        let relevance = self.relevance(here).await?;
        let settings = &self.settings;
        let threshold = settings.relevance_threshold;
        let allowed = VarSet::first(C).difference(self.forced_out);
        if self.phase == Phase::Observational {
            let modelled = select(&relevance, threshold, allowed, self.forced_in);
            return Ok(Selection {
                modelled,
                wanted: VarSet::EMPTY,
                relevance,
            });
        }
        // Worth per cost among what can be actuated; what cannot may still help to predict.
        let mut worth = relevance;
        weigh_by_cost(
            &mut worth,
            &self.config.context_costs().map(|cost| cost.units()),
        );
        let wanted = select(
            &worth,
            threshold,
            actuatable.intersection(allowed),
            self.forced_in,
        );
        let recorded =
            select(&relevance, threshold, allowed, self.forced_in).difference(actuatable);
        Ok(Selection {
            modelled: wanted.union(recorded),
            wanted,
            relevance,
        })
    }

    /// FC of each context (eq. FC_relevance).
    async fn relevance(&mut self, here: &Point<D, C, T>) -> Result<[T; C], Error> {
        let settings = self.settings;
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
    fn dependence(&self) -> [T; C] {
        let best = elite(self.settings.elite, self.gp.outputs());
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
        }
        normalise(&mut scores);
        scores
    }

    /// Line 8: the surrogate on the design and these contexts only, fitted from the full one's hyperparameters.
    async fn reduce(&mut self, modelled: VarSet) -> Result<(), Error> {
        if modelled == self.known_contexts() {
            return Ok(());
        }
        self.gp.prepare(self.full, VarSet::first(D), modelled);
        let config = FitConfig {
            starts: 1,
            evaluations: self.settings.work.reduced_evaluations,
            ..self.settings.fit
        };
        let mut fit = Fit::begin(&self.gp, &config)?;
        while fit.step(&mut self.gp)?.is_none() {
            yield_now().await;
        }
        Ok(())
    }

    /// Line 9: where the acquisition is largest, over the design and the free contexts.
    async fn best_point(
        &self,
        here: &Point<D, C, T>,
        free: VarSet,
    ) -> Result<Point<D, C, T>, Error> {
        let region = Region {
            context: free,
            ..self.design_region(here)
        };
        let effort = self.effort();
        let sobol = self.sobol(Purpose::Search, self.step);
        let known = self
            .gp
            .best()
            .and_then(|row| self.gp.point(row))
            .into_iter();
        let radius = T::from_f64(REJECTED_RADIUS);
        let allowed = |point: &Point<D, C, T>| {
            let near = |rejected: &[T; D]| {
                rejected
                    .iter()
                    .zip(&point.design)
                    .all(|(&a, &b)| (a - b).abs() < radius)
            };
            !self.rejected.iter().any(near)
        };
        let surrogate = self.gp.all()?;
        let found = if P::KIND == Kind::CaBo {
            let objective = ImprovementPerCost {
                surrogate,
                best: self.standardised_best(),
                ambient: here.context,
                run_cost: self.config.run_cost.units(),
                context_costs: self.config.context_costs().map(|cost| cost.units()),
            };
            maximise(&objective, &region, effort, sobol, known, allowed).await
        } else {
            let objective = Ucb {
                surrogate,
                sqrt_beta: self.beta().sqrt(),
            };
            maximise(&objective, &region, effort, sobol, known, allowed).await
        };
        found.map(|(_, point)| point).ok_or(Error::NoCandidate)
    }

    /// Which of the free contexts are actuated: all, except that [`CaBo`](crate::CaBo) leaves alone what hardly moves.
    fn settle(
        &self,
        here: &Point<D, C, T>,
        found: &Point<D, C, T>,
        free: VarSet,
    ) -> (Point<D, C, T>, VarSet) {
        let mut point = *found;
        let mut actuated = free;
        if P::KIND == Kind::CaBo {
            let moved = |index: &usize| {
                let pair = found.context.get(*index).zip(here.context.get(*index));
                pair.is_some_and(|(&a, &b)| (a - b).abs() > T::from_f64(UNMOVED))
            };
            actuated = free.iter().filter(moved).collect();
            for index in free.difference(actuated).iter() {
                if let (Some(to), Some(&from)) =
                    (point.context.get_mut(index), here.context.get(index))
                {
                    *to = from;
                }
            }
        }
        (point, actuated)
    }

    // Stages of an observation, in their order.

    /// Everything that can go wrong, and the observation itself (line 11).
    fn begin_observation(&mut self, record: &StepRecord<D, C, T>) -> Result<(), Error> {
        if record.step != self.step || record.phase != self.phase {
            return Err(Error::Outdated);
        }
        let unit = self.config.unit_of(&record.applied)?;
        check_output(record.output)?;
        self.take_in(&unit, record.output)
    }

    /// Adds an observation to the data of the full surrogate, forgetting another if there is no room.
    fn take_in(&mut self, unit: &Point<D, C, T>, output: T) -> Result<(), Error> {
        self.gp
            .prepare(self.full, VarSet::first(D), self.known_contexts());
        if self.gp.len() >= N && self.settings.capacity == CapacityPolicy::ForgetLeastInformative {
            self.gp.factorise()?;
            let row = self.gp.least_informative()?;
            self.gp.remove(row)?;
        }
        self.gp.push(unit, output)?;
        self.unfitted = self.unfitted.saturating_add(1);
        Ok(())
    }

    fn refit_is_due(&self) -> bool {
        let settings = &self.settings;
        self.phase != Phase::Initial
            && (self.gp.len() <= usize::from(settings.refit_always_below)
                || self.unfitted >= settings.refit_every)
    }

    /// Line 12: hyperparameters of the full surrogate.
    async fn fit_full(&mut self) -> Result<(), Error> {
        let config = FitConfig {
            starts: self.settings.work.fit_starts,
            evaluations: self.settings.work.fit_evaluations,
            seed: stream(self.config.seed, Purpose::Fit, self.step).next_u32(),
            ..self.settings.fit
        };
        let mut fit = Fit::begin(&self.gp, &config)?;
        while fit.step(&mut self.gp)?.is_none() {
            yield_now().await;
        }
        self.full = *self.gp.hyper();
        self.unfitted = 0;
        Ok(())
    }

    /// Line 13: the switching criterion for the observation just taken in; `None` where it has no meaning.
    async fn switch_figures(&self) -> Option<SwitchFigures<T>> {
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
    async fn kappa(&self, len: usize) -> Option<T> {
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

    /// Lines 13 to 16: phase, budget and step counter.
    fn end_observation(&mut self, record: &StepRecord<D, C, T>) {
        match record.phase {
            Phase::Initial => self.leave_initial_phase(),
            Phase::Observational if P::KIND == Kind::Sadcbo => {
                let settings = &self.settings;
                let due = self.switch.observe(
                    settings.switch,
                    settings.minimum_observational_steps,
                    record.switch.as_ref(),
                );
                if due {
                    self.phase = Phase::Optimization;
                }
            }
            _ => {}
        }
        self.ledger.charge(record.cost);
        self.step = self.step.saturating_add(1);
    }

    /// The initial phase ends with enough data.
    fn leave_initial_phase(&mut self) {
        if self.phase == Phase::Initial
            && self.gp.len() >= usize::from(self.settings.initial_points).min(N)
        {
            self.phase = match P::KIND {
                Kind::Sadcbo | Kind::Cbo | Kind::Cubo => Phase::Observational,
                Kind::Vbo | Kind::CaBo | Kind::Dropout | Kind::MmdBo => Phase::Optimization,
            };
        }
    }

    fn give_up(
        &mut self,
        decision: Decision<D, C, T>,
        spent: Cost,
        outcome: Outcome,
    ) -> Result<StepRecord<D, C, T>, NotTaken<D, C, T>> {
        if decision.step != self.step {
            return Err(NotTaken {
                error: Error::Outdated,
                decision,
            });
        }
        let mut record = StepRecord::of(&decision, outcome);
        record.cost = spent;
        self.end_without_result(&record);
        Ok(self.seal(record))
    }

    fn end_without_result(&mut self, record: &StepRecord<D, C, T>) {
        if record.outcome == Outcome::Rejected
            && let Ok(unit) = self.config.unit_of(&record.asked)
        {
            if self.rejected.is_full() {
                self.rejected.remove(0);
            }
            // There is room now.
            let _ = self.rejected.push(unit.design);
        }
        self.ledger.charge(record.cost);
        self.step = self.step.saturating_add(1);
    }

    /// Takes one record in, without computing anything that it already says.
    fn restore(&mut self, record: &StepRecord<D, C, T>) -> Result<(), Error> {
        record.hyper.validate()?;
        match record.outcome {
            Outcome::Given => {
                let unit = self.config.unit_of(&record.applied)?;
                self.take_in(&unit, record.output)?;
                self.leave_initial_phase();
                return Ok(());
            }
            Outcome::Observed => {
                self.begin_observation(record)?;
                if self.refit_is_due() {
                    self.unfitted = 0;
                }
                self.full = record.hyper;
                self.end_observation(record);
            }
            Outcome::Failed | Outcome::Rejected => {
                if record.step != self.step {
                    return Err(Error::Outdated);
                }
                self.end_without_result(record);
            }
        }
        self.full = record.hyper;
        Ok(())
    }

    /// Completes a record with the state after the step.
    fn seal(&self, mut record: StepRecord<D, C, T>) -> StepRecord<D, C, T> {
        record.next_phase = self.phase;
        record.remaining_milli = self.ledger.remaining_milli();
        record.hyper = self.full;
        record
    }

    // Small things.

    fn decision(
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
            actuated,
            relevance: [T::ZERO; C],
            forecast,
            cost: self.prices(&self.config.context_costs()).of_step(actuated),
            remaining: self.ledger.remaining(),
        }
    }

    fn prices<'a>(&self, contexts: &'a [Cost; C]) -> Prices<'a> {
        Prices {
            run: self.config.run_cost,
            contexts,
        }
    }

    fn beta(&self) -> T {
        self.settings
            .beta
            .at(D + C, self.gp.len(), self.settings.delta)
    }

    fn effort(&self) -> Effort {
        let work = &self.settings.work;
        Effort {
            samples: work.raw_samples,
            restarts: work.restarts,
            refinements: work.refinements,
        }
    }

    /// The design is free, the contexts are as they are.
    fn design_region(&self, here: &Point<D, C, T>) -> Region<D, C, T> {
        Region {
            base: *here,
            design: VarSet::first(D),
            context: VarSet::EMPTY,
        }
    }

    fn sobol(&self, purpose: Purpose, step: u32) -> Sobol {
        Sobol::new(stream(self.config.seed, purpose, step).next_u32())
    }

    fn standardised_best(&self) -> T {
        let best = self.gp.best().and_then(|row| self.gp.outputs().get(row));
        best.map_or(T::ZERO, |&output| self.gp.scale().standardise(output))
    }
}

/// Why records could not be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ReplayError {
    /// The configuration or the settings are not valid.
    Config(ConfigError),
    /// A record does not follow from those before it.
    Record {
        /// Its step.
        step: u32,
        /// What is wrong with it.
        error: Error,
    },
}

impl core::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::Record { step, error } => write!(f, "record of step {step}: {error}"),
        }
    }
}

impl core::error::Error for ReplayError {}

fn check_output<T: Scalar>(output: T) -> Result<(), Error> {
    if !output.is_finite() {
        Err(Error::NonFinite(Input::Output))
    } else if output.abs() > T::LARGEST_OUTPUT {
        Err(Error::OutOfRange(Input::Output))
    } else {
        Ok(())
    }
}
