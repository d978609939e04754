//! The library's controller as a method of the lab.
//!
//! Its capacity and dimensions are part of its type, so that the shapes of the lab's problems are listed here.

use anyhow::{Context as _, Result, bail, ensure};
use sadcbo::{
    Action, CaBo, Cbo, Config, ContextVariable, Controller, Cubo, Decision, DesignVariable,
    Dropout, MmdBo, Point, Policy, Sadcbo, Scalar, VarSet, Vbo,
};

use super::{Measured, Optimiser, Phase, Precision, Proposal, Situation, Start, Target, tuning};
use crate::problems::{Problem, Remaining};
use crate::settings::Settings;

/// Which of the library's policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Sadcbo,
    Cbo,
    Cubo,
    Vbo,
    CaBo,
    Dropout,
    MmdBo,
}

/// A controller in the middle of a trial, on the unit cube.
struct Adapter<const N: usize, const D: usize, const C: usize, T, P> {
    controller: Box<Controller<N, D, C, T, P>>,
    pending: Option<Decision<D, C, T>>,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy> Adapter<N, D, C, T, P> {
    /// Not inlined: the controllers of all shapes would share one frame.
    #[inline(never)]
    fn new(start: &Start, mut settings: Settings) -> Result<Self> {
        let protocol = start.protocol;
        let most = protocol.initial + protocol.most_steps();
        ensure!(
            most <= N,
            "{most} observations are possible, the lab has room for {N}"
        );
        let cost = |cost: crate::cost::Cost| u32::try_from(cost.0).map(sadcbo::Cost::from_milli);
        let mut contexts = [ContextVariable::recorded("context", "", T::ZERO, T::ONE); C];
        for (variable, own) in contexts.iter_mut().zip(&protocol.context_costs) {
            *variable = ContextVariable::actuated("context", "", T::ZERO, T::ONE, cost(*own)?);
        }
        let design = [DesignVariable::new("design", "", T::ZERO, T::ONE); D];
        let config = Config::try_new(
            design,
            contexts,
            cost(protocol.design_cost)?,
            cost(protocol.budget)?,
        )?;
        let tuned = sadcbo::Settings {
            initial_points: u16::try_from(protocol.initial)?,
            ..tuning::tuned(&mut settings)?
        };
        let mut controller = Box::new(Controller::new(config.with_seed(start.seed), tuned)?);
        for measured in start.initial {
            controller.seed_with(&point(measured)?, T::from_f64(measured.y))?;
        }
        Ok(Self {
            controller,
            pending: None,
        })
    }

    /// The decision among the rows that the day offers.
    fn among_rows(
        &mut self,
        today: &[f64],
        ambient: &[T; C],
        rows: &Remaining,
    ) -> Result<(Decision<D, C, T>, Target)> {
        let mut offered: Option<(Vec<bool>, Vec<usize>)> = None;
        let offer = |free: VarSet, number: usize| {
            let (_, candidates) = offered.get_or_insert_with(|| {
                let free = flags::<C>(free);
                let candidates = rows.candidates(today, &free);
                (free, candidates)
            });
            let row = &rows.pool().rows[*candidates.get(number)?];
            let coordinates = (array(&row.design), array(&row.context));
            coordinates
                .0
                .ok()
                .zip(coordinates.1.ok())
                .map(|(x, z)| Point::new(x, z))
        };
        let (decision, number) = self.controller.decide_among(ambient, offer)?;
        let (free, candidates) = offered.context("no row was offered")?;
        let target = Target::Row {
            row: candidates[number],
            free,
            actuated: flags::<C>(decision.actuated()),
        };
        Ok((decision, target))
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy> Optimiser
    for Adapter<N, D, C, T, P>
{
    fn ask(&mut self, now: &Situation) -> Result<Proposal> {
        let ambient = array(now.ambient)?;
        let (decision, target) = match now.rows {
            None => {
                let decision = self.controller.decide(&ambient)?;
                let target = anywhere(&decision);
                (decision, target)
            }
            Some(rows) => self.among_rows(now.ambient, &ambient, rows)?,
        };
        let proposal = Proposal {
            target,
            phase: match decision.phase() {
                sadcbo::Phase::Initial => Phase::Initial,
                sadcbo::Phase::Observational => Phase::Observational,
                sadcbo::Phase::Optimization => Phase::Optimization,
            },
            selected: flags::<C>(decision.selected()),
            relevance: decision
                .relevance()
                .iter()
                .map(|share| share.to_f64())
                .collect(),
        };
        self.pending = Some(decision);
        Ok(proposal)
    }

    fn tell(&mut self, measured: &Measured) -> Result<()> {
        let decision = self
            .pending
            .take()
            .context("told without having been asked")?;
        let outcome = self
            .controller
            .observe(decision, &point(measured)?, T::from_f64(measured.y));
        match outcome {
            Ok(_) => Ok(()),
            Err(not_taken) => bail!("{}", not_taken.error),
        }
    }
}

/// A decision for an instrument that can be run at any point.
fn anywhere<const D: usize, const C: usize, T: Scalar>(decision: &Decision<D, C, T>) -> Target {
    let context = (0..C).map(|index| match decision.action(index) {
        Action::Record => None,
        Action::Actuate(value) => Some(value.to_f64()),
    });
    Target::Point {
        design: decision.design().iter().map(|x| x.to_f64()).collect(),
        context: context.collect(),
    }
}

fn array<const L: usize, T: Scalar>(values: &[f64]) -> Result<[T; L]> {
    let array: [f64; L] = values.try_into()?;
    Ok(array.map(T::from_f64))
}

fn point<const D: usize, const C: usize, T: Scalar>(measured: &Measured) -> Result<Point<D, C, T>> {
    Ok(Point::new(
        array(&measured.design)?,
        array(&measured.context)?,
    ))
}

fn flags<const C: usize>(set: VarSet) -> Vec<bool> {
    (0..C).map(|index| set.contains(index)).collect()
}

/// A function that makes controllers of some shapes: capacity, designs, contexts.
///
/// Each shape costs a second of compilation per policy and precision, so there are no more than the report needs.
macro_rules! shapes {
    ($(#[$doc:meta])* $table:ident, $make:ident: $($n:literal $d:literal $c:literal,)*) => {
        $(#[$doc])*
        const $table: &[(usize, usize)] = &[$(($d, $c)),*];

        fn $make<T: Scalar, P: Policy + 'static>(start: &Start, settings: Settings) -> Result<Box<dyn Optimiser>> {
            Ok(match shape(start.problem) {
                $(($d, $c) => Box::new(Adapter::<$n, $d, $c, T, P>::new(start, settings)?),)*
                (d, c) => bail!("no controller for {d} designs and {c} contexts"),
            })
        }
    };
}

#[cfg(not(test))]
shapes! {
    /// The paper's problems, in both precisions.
    PROBLEMS, of_problem:
    92 1 5, // EggHolder
    100 2 5, // Hartmann4D
    112 3 9, // Hartmann6D
    128 2 11, // Ackley5D
    92 3 2, // Portfolio
    92 4 2, // Yacht
    164 6 8, // robot
    388 3 18, // alanine
}

#[cfg(not(test))]
shapes! {
    /// More irrelevant contexts, in single precision.
    CROWDED, of_crowded:
    92 1 11, // EggHolder
    92 1 21,
    100 2 12, // Hartmann4D
    100 2 22,
    112 3 15, // Hartmann6D
    112 3 23,
    128 2 17, // Ackley5D
    128 2 23,
}

#[cfg(not(test))]
shapes! {
    /// Ackley5D with 4, 3 and 1 designs, for SADCBO in single precision.
    SPLITS, of_split:
    76 4 9,
    92 3 10,
    228 1 12,
}

// Unit tests make no controller; compiling all of them again would double the time of a test run.
#[cfg(test)]
shapes! {
    PROBLEMS, of_problem:
    4 1 1,
}

#[cfg(test)]
shapes! {
    CROWDED, of_crowded:
    4 1 1,
}

#[cfg(test)]
shapes! {
    SPLITS, of_split:
    4 1 1,
}

fn shape(problem: &dyn Problem) -> (usize, usize) {
    (problem.design().len(), problem.context().len())
}

/// An error if there is no controller for such a problem.
pub fn check(kind: Kind, problem: &dyn Problem, precision: Precision) -> Result<()> {
    let shape = shape(problem);
    let single = precision == Precision::F32;
    let made = PROBLEMS.contains(&shape)
        || single && CROWDED.contains(&shape)
        || single && kind == Kind::Sadcbo && SPLITS.contains(&shape);
    ensure!(
        made,
        "{kind:?} in {precision} is not made for {} designs and {} contexts; in (designs, contexts), both precisions \
         have {PROBLEMS:?}, f32 also {CROWDED:?}, and Sadcbo {SPLITS:?}",
        shape.0,
        shape.1
    );
    Ok(())
}

fn with_precision<P: Policy + 'static>(
    start: &Start,
    settings: Settings,
) -> Result<Box<dyn Optimiser>> {
    match start.precision {
        Precision::F32 if CROWDED.contains(&shape(start.problem)) => {
            of_crowded::<f32, P>(start, settings)
        }
        Precision::F32 => of_problem::<f32, P>(start, settings),
        Precision::F64 => of_problem::<f64, P>(start, settings),
    }
}

/// A policy of the library at the start of a trial.
pub fn start(kind: Kind, start: &Start, settings: Settings) -> Result<Box<dyn Optimiser>> {
    match kind {
        Kind::Sadcbo if SPLITS.contains(&shape(start.problem)) => {
            of_split::<f32, Sadcbo>(start, settings)
        }
        Kind::Sadcbo => with_precision::<Sadcbo>(start, settings),
        Kind::Cbo => with_precision::<Cbo>(start, settings),
        Kind::Cubo => with_precision::<Cubo>(start, settings),
        Kind::Vbo => with_precision::<Vbo>(start, settings),
        Kind::CaBo => with_precision::<CaBo>(start, settings),
        Kind::Dropout => with_precision::<Dropout>(start, settings),
        Kind::MmdBo => with_precision::<MmdBo>(start, settings),
    }
}
