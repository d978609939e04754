//! The experiment: decide, apply, measure, observe, write down; and what to do when one of these fails.

use embassy_futures::select::{Either, select};
use sadcbo::{Controller, Cost, Decision, Error, Outcome, Point, StepRecord, VarSet};

use crate::interlock::Trip;
use crate::log::line;
use crate::operator::{Command, Panel};
use crate::sense::median::Reading;
use crate::sense::monitor::Health;

/// Where the contexts come from.
pub trait ContextSource<const C: usize> {
    /// All contexts, at the beginning of the next slot.
    async fn read(&mut self) -> Result<[Reading; C], Unready>;

    /// A step is over: the next contexts are those of a slot that begins at least a slot from now. However long learning
    /// takes meanwhile, up to a slot, they are the same.
    fn step_over(&mut self);
}

/// Why there are no contexts to decide on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unready {
    /// The sensor of this context is not fresh.
    Sensor(usize, Option<Health>),
    /// The outputs are off until an operator re-arms.
    Tripped(Trip),
}

/// What carries a decision out.
pub trait Plant<const D: usize, const C: usize> {
    /// Sets the design, and holds the actuated contexts until the step is over. The design as it was really set.
    async fn apply(&mut self, decision: &Decision<D, C>) -> Result<[f32; D], Abandon>;

    /// Runs and measures once: the result, and the contexts as they really were.
    async fn measure(&mut self) -> Result<(f32, [f32; C]), Abandon>;

    /// Leaves the contexts to the environment again, except those that the operator has pinned.
    fn release(&mut self);

    /// Holds a context at the operator's value, or no longer.
    fn pin(&mut self, context: usize, value: Option<f32>);

    /// Forgets a latched fault, if its cause is gone.
    fn rearm(&mut self);
}

/// Why a step was abandoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Abandon {
    /// The instrument did not take the design.
    Design,
    /// This context could not be brought near enough to its value in time.
    NotReached(usize),
    /// The sensor of this context was lost.
    Sensor(usize),
    /// The interlock switched the outputs off.
    Tripped(Trip),
    /// The instrument gave no result, or none that is a number.
    Measurement,
    /// The operator skipped it.
    Skipped,
}

/// Where records go. What is not in the journal has not happened: the run ends if it cannot be written.
pub trait Journal<const D: usize, const C: usize> {
    /// Keeps a record.
    async fn append(&mut self, record: &StepRecord<D, C>) -> Result<(), NotKept>;
}

/// The record could not be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotKept;

/// When to try again and when to give up.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Control periods in a slot. Decisions are made and carried out at the beginning of a slot, so that a run does not
    /// depend on how long deciding and learning take, as long as each takes less than a slot.
    pub slot: u32,
    /// How often one step's measurement is tried.
    pub measurements: u8,
    /// After this many steps in a row in which it was not reached, a context is left alone.
    pub refusals: u8,
    /// After this many abandoned steps in a row the run ends.
    pub failures: u8,
    /// How often a record is tried to be kept.
    pub writes: u8,
}

impl Rules {
    /// A slot is a minute; what fails is tried two or three times.
    pub const DEFAULT: Self = Self {
        slot: 240,
        measurements: 3,
        refusals: 2,
        failures: 10,
        writes: 3,
    };
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Ended {
    /// The budget does not pay for another step.
    BudgetSpent,
    /// There is no room for another observation.
    Full,
    /// The operator stopped it.
    Stopped,
    /// Too many steps in a row gave nothing.
    TooManyFailures,
    /// A record could not be kept.
    Journal,
    /// The controller cannot go on.
    Controller(Error),
}

/// One run of the controller.
pub struct Experiment<'a, const N: usize, const D: usize, const C: usize, S, P, J> {
    controller: &'a mut Controller<N, D, C>,
    source: S,
    plant: P,
    journal: J,
    panel: &'a Panel,
    rules: Rules,
    paused: bool,
    stopped: bool,
    /// Contexts that decisions leave alone: the operator's, and those that were refused too often.
    left_alone: VarSet,
    refusals: [u8; C],
    failures: u8,
}

impl<'a, const N: usize, const D: usize, const C: usize, S, P, J> Experiment<'a, N, D, C, S, P, J>
where
    S: ContextSource<C>,
    P: Plant<D, C>,
    J: Journal<D, C>,
{
    /// A run that has not begun, or one that goes on with a controller from a journal.
    pub fn new(
        controller: &'a mut Controller<N, D, C>,
        source: S,
        plant: P,
        journal: J,
        panel: &'a Panel,
        rules: Rules,
    ) -> Self {
        // A controller from a journal knows; what was pinned has to be pinned again, and is left alone until then.
        let (_, left_alone) = controller.forced();
        Self {
            controller,
            source,
            plant,
            journal,
            panel,
            rules,
            paused: false,
            stopped: false,
            left_alone,
            refusals: [0; C],
            failures: 0,
        }
    }

    /// Step after step, until the run ends.
    pub async fn run(&mut self) -> Ended {
        loop {
            if let Err(ended) = self.step().await {
                self.plant.release();
                line!(info, "run ended: {}", ended);
                return ended;
            }
        }
    }

    /// One step.
    async fn step(&mut self) -> Result<(), Ended> {
        let ambient = self.contexts().await?;
        let values = ambient.map(|reading| reading.value);
        let decision = match self.controller.decide_async(&values).await {
            Ok(decision) => decision,
            Err(Error::BudgetSpent) => return Err(Ended::BudgetSpent),
            Err(Error::Full) => return Err(Ended::Full),
            // The environment is beyond what the configuration knows: it will come back, or somebody will see to it.
            Err(Error::OutOfRange(_input)) => {
                line!(warn, "waiting: {} is out of range", _input);
                return Ok(());
            }
            Err(error) => return Err(Ended::Controller(error)),
        };
        line!(
            info,
            "{}",
            crate::explain::Line::new(&decision, self.controller.config())
        );
        self.panel.forget_skip();
        let result = self.carry_out(&decision).await;
        // Before learning, which takes as long as it takes.
        self.plant.release();
        self.source.step_over();
        let record = match result {
            Ok((applied, output)) => self.learn(decision, &applied, output).await,
            Err((abandon, spent)) => self.give_up(decision, abandon, spent),
        }?;
        self.keep(&record).await?;
        match record.outcome {
            Outcome::Observed => {
                self.failures = 0;
                Ok(())
            }
            _ => self.count_failure(),
        }
    }

    /// The contexts, once the operator lets the run go on and all sensors are fresh.
    async fn contexts(&mut self) -> Result<[Reading; C], Ended> {
        let mut told = None;
        loop {
            self.attend();
            if self.stopped {
                return Err(Ended::Stopped);
            }
            match self.source.read().await {
                Ok(contexts) if !self.paused => return Ok(contexts),
                Ok(_) => told = None,
                Err(unready) => {
                    if told != Some(unready) {
                        line!(warn, "waiting: {}", unready);
                    }
                    told = Some(unready);
                }
            }
        }
    }

    /// Applies and measures; or why not, and what it cost all the same.
    async fn carry_out(
        &mut self,
        decision: &Decision<D, C>,
    ) -> Result<(Point<D, C>, f32), (Abandon, Cost)> {
        let actuation = self.cost_of_actuation(decision);
        let applying = select(self.plant.apply(decision), self.panel.skipped());
        let design = match applying.await {
            Either::First(applied) => applied.map_err(|abandon| (abandon, actuation))?,
            Either::Second(()) => return Err((Abandon::Skipped, actuation)),
        };
        let spent = decision.cost();
        for _ in 0..self.rules.measurements.max(1) {
            let measuring = select(self.plant.measure(), self.panel.skipped());
            match measuring.await {
                Either::First(Ok((output, contexts))) if output.is_finite() => {
                    return Ok((Point::new(design, contexts), output));
                }
                // Once more: it may have been a disturbance.
                Either::First(_outcome) => {
                    line!(warn, "measurement failed, trying again");
                }
                Either::Second(()) => return Err((Abandon::Skipped, spent)),
            }
        }
        Err((Abandon::Measurement, spent))
    }

    /// What has been used once the actuators were on, without the run itself.
    fn cost_of_actuation(&self, decision: &Decision<D, C>) -> Cost {
        let run = self.controller.config().run_cost();
        Cost::from_milli(decision.cost().milli().saturating_sub(run.milli()))
    }

    async fn learn(
        &mut self,
        decision: Decision<D, C>,
        applied: &Point<D, C>,
        output: f32,
    ) -> Result<StepRecord<D, C>, Ended> {
        for index in decision.actuated().iter() {
            if let Some(refusals) = self.refusals.get_mut(index) {
                *refusals = 0;
            }
        }
        let spent = decision.cost();
        match self
            .controller
            .observe_async(decision, applied, output)
            .await
        {
            Ok(record) => {
                line!(
                    info,
                    "step {=u32}: result {=f32}, {=i64} thousandths left",
                    record.step,
                    record.output,
                    record.remaining_milli
                );
                if record.next_phase != record.phase {
                    line!(info, "phase: {} -> {}", record.phase, record.next_phase);
                }
                Ok(record)
            }
            // The result or the contexts were beyond what the configuration knows.
            Err(not_taken) => match not_taken.error {
                Error::NonFinite(_) | Error::OutOfRange(_) => {
                    self.give_up(not_taken.decision, Abandon::Measurement, spent)
                }
                error => Err(Ended::Controller(error)),
            },
        }
    }

    fn give_up(
        &mut self,
        decision: Decision<D, C>,
        abandon: Abandon,
        spent: Cost,
    ) -> Result<StepRecord<D, C>, Ended> {
        line!(warn, "step {=u32} abandoned: {}", decision.step(), abandon);
        if let Abandon::NotReached(index) = abandon
            && let Some(refusals) = self.refusals.get_mut(index)
        {
            *refusals = refusals.saturating_add(1);
            if *refusals >= self.rules.refusals {
                line!(warn, "context {=usize} is left alone from now on", index);
                self.leave_alone(self.left_alone.with(index));
            }
        }
        let record = match abandon {
            // Another design may work.
            Abandon::Design => self.controller.reject(decision, spent),
            _ => self.controller.fail(decision, spent),
        };
        record.map_err(|not_taken| Ended::Controller(not_taken.error))
    }

    async fn keep(&mut self, record: &StepRecord<D, C>) -> Result<(), Ended> {
        for _ in 0..self.rules.writes.max(1) {
            if self.journal.append(record).await.is_ok() {
                return Ok(());
            }
        }
        Err(Ended::Journal)
    }

    fn count_failure(&mut self) -> Result<(), Ended> {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= self.rules.failures {
            Err(Ended::TooManyFailures)
        } else {
            Ok(())
        }
    }

    /// Carries out what the operator said since the last step.
    fn attend(&mut self) {
        while let Some(command) = self.panel.next() {
            line!(info, "operator: {}", command);
            match command {
                Command::Pin(index, value) => {
                    self.leave_alone(self.left_alone.with(index));
                    self.plant.pin(index, Some(value));
                }
                Command::LeaveAlone(index) => {
                    self.leave_alone(self.left_alone.with(index));
                    self.plant.pin(index, None);
                }
                Command::Release(index) => {
                    self.leave_alone(self.left_alone.without(index));
                    self.plant.pin(index, None);
                }
                Command::Pause => self.paused = true,
                Command::Resume => self.paused = false,
                Command::Rearm => self.plant.rearm(),
                Command::Stop => self.stopped = true,
                // Void while no step is going on.
                Command::Skip => {}
            }
        }
    }

    fn leave_alone(&mut self, contexts: VarSet) {
        self.left_alone = contexts;
        self.controller.force(VarSet::EMPTY, contexts);
    }
}
