//! The library's controller as a method of the lab.
//!
//! Its capacity and dimensions are part of its type, so that the shapes of the lab's problems are listed here.

use anyhow::{Context as _, Result, bail, ensure};
use sadcbo::{
    CaBo, Cbo, Config, ContextVariable, Controller, Cubo, Decision, DesignVariable, Dropout, MmdBo,
    Point, Policy, Sadcbo, Scalar, VarSet, Vbo,
};

use super::{Measured, Optimiser, Phase, Precision, Proposal, Situation, Start, Target, tuning};
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
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy> Optimiser
    for Adapter<N, D, C, T, P>
{
    fn ask(&mut self, now: &Situation) -> Result<Proposal> {
        ensure!(
            now.rows.is_none(),
            "the library has no choice among given rows yet"
        );
        let decision = self.controller.decide(&array(now.ambient)?)?;
        let chosen = decision.point();
        let context = (0..C).map(|i| {
            decision
                .actuated()
                .contains(i)
                .then(|| chosen.context[i].to_f64())
        });
        let proposal = Proposal {
            target: Target::Point {
                design: decision.design().iter().map(|x| x.to_f64()).collect(),
                context: context.collect(),
            },
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

/// Capacity, designs and contexts of everything that the report runs.
macro_rules! shapes {
    ($($n:literal $d:literal $c:literal,)*) => {
        /// Designs and contexts that a controller can be made for.
        pub const SHAPES: &[(usize, usize)] = &[$(($d, $c)),*];

        fn shaped<T: Scalar, P: Policy + 'static>(start: &Start, settings: Settings) -> Result<Box<dyn Optimiser>> {
            let shape = (start.problem.design().len(), start.problem.context().len());
            Ok(match shape {
                $(($d, $c) => Box::new(Adapter::<$n, $d, $c, T, P>::new(start, settings)?),)*
                (d, c) => bail!("no controller for {d} designs and {c} contexts"),
            })
        }
    };
}

shapes! {
    92 1 5, // EggHolder
    100 2 5, // Hartmann4D
    112 3 9, // Hartmann6D
    128 2 11, // Ackley5D
    92 3 2, // Portfolio
    92 4 2, // Yacht
    164 6 8, // robot
    388 3 18, // alanine
}

fn with_precision<P: Policy + 'static>(
    start: &Start,
    settings: Settings,
) -> Result<Box<dyn Optimiser>> {
    match start.precision {
        Precision::F32 => shaped::<f32, P>(start, settings),
        Precision::F64 => shaped::<f64, P>(start, settings),
    }
}

/// A policy of the library at the start of a trial.
pub fn start(kind: Kind, start: &Start, settings: Settings) -> Result<Box<dyn Optimiser>> {
    match kind {
        Kind::Sadcbo => with_precision::<Sadcbo>(start, settings),
        Kind::Cbo => with_precision::<Cbo>(start, settings),
        Kind::Cubo => with_precision::<Cubo>(start, settings),
        Kind::Vbo => with_precision::<Vbo>(start, settings),
        Kind::CaBo => with_precision::<CaBo>(start, settings),
        Kind::Dropout => with_precision::<Dropout>(start, settings),
        Kind::MmdBo => with_precision::<MmdBo>(start, settings),
    }
}
