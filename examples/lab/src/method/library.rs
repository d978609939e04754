//! The library's controller as a method of the lab.

mod beliefs;
mod shapes;

use anyhow::{Context as _, Result, bail, ensure};
use sadcbo::parts::policy::AnyPolicy;
use sadcbo::{
    Action, Config, ContextVariable, Controller, Decision, DesignVariable, Point, Scalar, VarSet,
};

use super::{Measured, Optimiser, Phase, Precision, Proposal, Situation, Start, Target, tuning};
use crate::cost::Cost;
use crate::problems::{Problem, Remaining};
use crate::settings::Settings;

use beliefs::Beliefs;

pub use sadcbo::parts::policy::Kind;
pub use shapes::start;

/// An error if a setting is wrong, or if there is no controller for such a problem. Takes the settings that it knows.
pub fn check(problem: &dyn Problem, precision: Precision, words: &mut Settings) -> Result<()> {
    shapes::check(problem, precision)?;
    beliefs::taken(words)?;
    tuning::tuned::<f64>(words).map(|_| ())
}

/// A controller in the middle of a trial, on the unit cube.
///
/// Its policy is chosen at run time: a type for each would take minutes to compile.
struct Adapter<const N: usize, const D: usize, const C: usize, T: Scalar> {
    controller: Box<Controller<N, D, C, T, AnyPolicy>>,
    beliefs: Beliefs<C, T>,
    pending: Option<Decision<D, C, T>>,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Adapter<N, D, C, T> {
    /// Not inlined: the controllers of all shapes would share one frame.
    #[inline(never)]
    fn new(kind: Kind, start: &Start, mut settings: Settings) -> Result<Self> {
        let protocol = start.protocol;
        let most = protocol.initial + protocol.most_steps();
        ensure!(
            most <= N,
            "{most} observations are possible, the lab has room for {N}"
        );
        let mut contexts = [ContextVariable::recorded("context", "", T::ZERO, T::ONE); C];
        for (variable, own) in contexts.iter_mut().zip(&protocol.context_costs) {
            *variable =
                ContextVariable::actuated("context", "", T::ZERO, T::ONE, of_library(*own)?);
        }
        let design = [DesignVariable::new("design", "", T::ZERO, T::ONE); D];
        let config = Config::try_new(
            design,
            contexts,
            of_library(protocol.design_cost)?,
            of_library(protocol.budget)?,
        )?;
        let tuned = sadcbo::Settings {
            initial_points: u16::try_from(protocol.initial)?,
            ..tuning::tuned(&mut settings)?
        };
        let beliefs = Beliefs::new(&mut settings, &config)?;
        let controller = Controller::new(config.with_seed(start.seed), tuned)?;
        let mut controller = Box::new(controller.under(AnyPolicy(kind)));
        for measured in start.initial {
            controller.seed_with(&point(measured)?, T::from_f64(measured.y))?;
        }
        Ok(Self {
            controller,
            beliefs,
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
        // What was offered for each set of contexts that the controller asked about.
        let mut offered: Vec<(VarSet, Vec<usize>)> = Vec::new();
        let offer = |free: VarSet, number: usize| {
            if offered.last().is_none_or(|(last, _)| *last != free) {
                offered.push((free, rows.candidates(today, &flags::<C>(free))));
            }
            let (_, candidates) = offered.last()?;
            let row = &rows.pool().rows[*candidates.get(number)?];
            let coordinates = (array(&row.design), array(&row.context));
            coordinates
                .0
                .ok()
                .zip(coordinates.1.ok())
                .map(|(x, z)| Point::new(x, z))
        };
        let (decision, number) = self.controller.decide_among(ambient, offer)?;
        let taken = offered.iter().find(|(free, _)| *free == decision.free());
        let (_, candidates) = taken.context("no row was offered for the decision")?;
        let target = Target::Row {
            row: candidates[number],
            actuated: flags::<C>(decision.actuated()),
        };
        Ok((decision, target))
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Optimiser for Adapter<N, D, C, T> {
    fn ask(&mut self, now: &Situation) -> Result<Proposal> {
        let ambient = array(now.ambient)?;
        if let Some(costs) = self.beliefs.costs(self.controller.config(), &ambient) {
            self.controller.set_context_costs(costs);
        }
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

    fn tell(&mut self, measured: &Measured, costs: &[Cost]) -> Result<()> {
        let decision = self
            .pending
            .take()
            .context("told without having been asked")?;
        let mut really = [sadcbo::Cost::ZERO; C];
        for (to, &from) in really.iter_mut().zip(costs) {
            *to = of_library(from)?;
        }
        let (applied, y) = (point(measured)?, T::from_f64(measured.y));
        match self
            .controller
            .observe_at_cost(decision, &applied, y, &really)
        {
            Ok(record) => self
                .beliefs
                .learn(self.controller.config(), &record, &really),
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

fn of_library(cost: Cost) -> Result<sadcbo::Cost> {
    Ok(sadcbo::Cost::from_milli(u32::try_from(cost.0)?))
}
