//! One trial: initial data, then steps until the budget is spent.
//!
//! Trial k has the same initial data, contexts and noise whatever the method.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::contexts::{Ambient, Law};
use crate::cost::Cost;
use crate::method::{Measured, Optimiser, Phase, Proposal, Situation, Target};
use crate::problems::{Problem, Remaining};
use crate::protocol::Protocol;
use crate::random::{Purpose, Stream};

/// One line of a trial's record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// 0 for every initial point.
    pub step: usize,
    /// Spent so far, this step included.
    pub cost: f64,
    /// Highest noiseless value so far.
    pub best: f64,
    /// As measured, with noise.
    pub y: f64,
    pub phase: Phase,
    /// Indices of the selected contexts.
    pub selected: Vec<usize>,
    pub relevance: Vec<f64>,
}

/// A complete trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    pub seed: u64,
    /// Time that the method took for asking and telling, per step.
    pub ms_per_step: f64,
    /// Time of the whole trial, with what the problem took.
    #[serde(default)]
    pub seconds: f64,
    pub steps: Vec<Step>,
}

impl Trial {
    /// (cumulative cost, best) of each line.
    pub fn curve(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.steps.iter().map(|s| (s.cost, s.best))
    }

    /// The steps that a method chose.
    pub fn chosen(&self) -> impl Iterator<Item = &Step> + '_ {
        self.steps.iter().filter(|s| s.phase != Phase::Initial)
    }

    /// The first step of the optimisation phase, and what had been spent before it.
    pub fn switch(&self) -> Option<(usize, f64)> {
        let at = self
            .steps
            .iter()
            .position(|s| s.phase == Phase::Optimization)?;
        let before = at.checked_sub(1).map_or(0.0, |i| self.steps[i].cost);
        Some((self.steps[at].step, before))
    }
}

/// Where the lab is in a trial, before its method is made.
pub struct Opening<'a> {
    problem: &'a dyn Problem,
    protocol: &'a Protocol,
    seed: u64,
    rows: Option<Remaining<'a>>,
    /// The initial data as measured.
    pub initial: Vec<Measured>,
    steps: Vec<Step>,
    best: f64,
}

impl<'a> Opening<'a> {
    /// Measures the initial data: scrambled Sobol points, or random rows of a pool.
    pub fn new(problem: &'a dyn Problem, protocol: &'a Protocol, seed: u64) -> Self {
        let mut stream = Stream::new(seed, Purpose::Initial);
        let mut opening = Self {
            problem,
            protocol,
            seed,
            rows: problem.pool().map(Remaining::new),
            initial: Vec::with_capacity(protocol.initial),
            steps: Vec::new(),
            best: f64::NEG_INFINITY,
        };
        let scramble = stream.seed();
        for index in 0..protocol.initial {
            let (design, context) = match &mut opening.rows {
                None => sobol(problem, index, scramble),
                Some(rows) => {
                    let row = random_row(rows, &mut stream);
                    rows.close(row);
                    let row = &rows.pool().rows[row];
                    (row.design.clone(), row.context.clone())
                }
            };
            let value = problem.value(&design, &context);
            let y = value + protocol.noise_sd * stream.normal();
            opening.best = opening.best.max(value);
            opening.steps.push(Step {
                step: 0,
                cost: 0.0,
                best: opening.best,
                y,
                phase: Phase::Initial,
                selected: Vec::new(),
                relevance: Vec::new(),
            });
            opening.initial.push(Measured { design, context, y });
        }
        opening
    }

    /// Runs the method until what is left does not pay for a step that records only.
    ///
    /// The last step may overdraw; the statistics do not count what it found then.
    pub fn run(mut self, optimiser: &mut dyn Optimiser) -> Result<Trial> {
        let contexts = self.problem.context().len();
        let mut ambient = Ambient::new(self.protocol.law, contexts, self.seed);
        let mut noise = Stream::new(self.seed, Purpose::Noise);
        let mut spent = Cost::ZERO;
        let mut busy = Duration::ZERO;
        let mut step = 0;
        let begun = Instant::now();
        while spent + self.protocol.design_cost <= self.protocol.budget {
            if self.rows.as_ref().is_some_and(Remaining::is_empty) {
                break;
            }
            step += 1;
            let today = self.today(&mut ambient)?;
            let asked = Instant::now();
            let proposal = optimiser.ask(&Situation {
                ambient: &today,
                rows: self.rows.as_ref(),
            });
            busy += asked.elapsed();
            let proposal = proposal.with_context(|| format!("seed {}, step {step}", self.seed))?;
            let (design, context, actuated) = self.settle(&proposal, &today)?;
            let costs = self.protocol.context_costs_of(&actuated, &today, &context);
            spent = spent + self.protocol.design_cost + costs.iter().copied().sum();
            let value = self.problem.value(&design, &context);
            let y = value + self.protocol.noise_sd * noise.normal();
            self.best = self.best.max(value);
            let told = Instant::now();
            let outcome = optimiser.tell(&Measured { design, context, y }, &costs);
            busy += told.elapsed();
            outcome.with_context(|| format!("seed {}, step {step}", self.seed))?;
            let selected = proposal.selected.iter().enumerate().filter(|(_, on)| **on);
            self.steps.push(Step {
                step,
                cost: spent.as_f64(),
                best: self.best,
                y,
                phase: proposal.phase,
                selected: selected.map(|(index, _)| index).collect(),
                relevance: proposal.relevance,
            });
        }
        Ok(Trial {
            seed: self.seed,
            ms_per_step: busy.as_secs_f64() * 1e3 / step.max(1) as f64,
            seconds: begun.elapsed().as_secs_f64(),
            steps: self.steps,
        })
    }

    /// The context of the day. A pool has only the contexts of its open rows.
    fn today(&self, ambient: &mut Ambient) -> Result<Vec<f64>> {
        let Some(rows) = &self.rows else {
            return Ok(ambient.draw());
        };
        let row = match ambient.law() {
            Law::Uniform => random_row(rows, ambient.stream()),
            _ => rows.nearest(&ambient.draw()).context("the pool is empty")?,
        };
        Ok(rows.pool().rows[row].context.clone())
    }

    /// Where the step really goes, after checking that the proposal keeps the rules.
    fn settle(
        &mut self,
        proposal: &Proposal,
        today: &[f64],
    ) -> Result<(Vec<f64>, Vec<f64>, Vec<bool>)> {
        match &proposal.target {
            Target::Point { design, context } => {
                let inside = |units: &[f64]| units.iter().all(|u| (0.0..=1.0).contains(u));
                let settled: Vec<f64> = context
                    .iter()
                    .zip(today)
                    .map(|(z, a)| z.unwrap_or(*a))
                    .collect();
                ensure!(
                    self.rows.is_none()
                        && design.len() == self.problem.design().len()
                        && settled.len() == self.problem.context().len()
                        && inside(design)
                        && inside(&settled),
                    "the method left the cube: {:?}",
                    proposal.target
                );
                let actuated = context.iter().map(Option::is_some).collect();
                Ok((design.clone(), settled, actuated))
            }
            Target::Row { row, actuated } => {
                let rows = self.rows.as_mut().context("this problem has no rows")?;
                let allowed = rows.candidates(today, actuated).contains(row);
                ensure!(allowed, "row {row} is not among the candidates of the day");
                rows.close(*row);
                let row = &rows.pool().rows[*row];
                Ok((row.design.clone(), row.context.clone(), actuated.clone()))
            }
        }
    }
}

/// A scrambled Sobol point over designs and contexts.
fn sobol(problem: &dyn Problem, index: usize, scramble: u32) -> (Vec<f64>, Vec<f64>) {
    let designs = problem.design().len();
    let coordinate = |dimension: usize| {
        // The generator has 256 dimensions; beyond them another scramble starts again.
        let set = (dimension / 256) as u32;
        f64::from(sobol_burley::sample(
            index as u32,
            (dimension % 256) as u32,
            scramble ^ set,
        ))
    };
    let design = (0..designs).map(coordinate).collect();
    let context = (designs..designs + problem.context().len())
        .map(coordinate)
        .collect();
    (design, context)
}

/// One of the open rows, all equally likely. There is one: callers check.
fn random_row(rows: &Remaining, stream: &mut Stream) -> usize {
    loop {
        let row = stream.below(rows.pool().rows.len());
        if rows.is_open(row) {
            return row;
        }
    }
}
