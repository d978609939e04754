//! Runs experiments: trials in parallel, each on disk as soon as it is complete.

use std::path::Path;
use std::sync::Mutex;

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::contexts::Law;
use crate::method::{self, Method, Precision, Start};
use crate::problems::{self, Problem};
use crate::protocol::Protocol;
use crate::settings::Settings;
use crate::stats::Estimate;
use crate::store::Store;
use crate::summary::{Physical, Summary};
use crate::trial::{Opening, Trial};

/// Everything that determines the result of a trial, except its seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    pub problem: String,
    pub method: String,
    /// The problem's own if none is given.
    pub noise_sd: Option<f64>,
    pub precision: Precision,
    pub contexts: Law,
    pub settings: Settings,
}

/// An experiment whose names and settings have been checked.
pub struct Prepared {
    pub experiment: Experiment,
    pub problem: Box<dyn Problem>,
    pub protocol: Protocol,
    method: &'static Method,
    method_settings: Settings,
}

impl Prepared {
    pub fn new(experiment: Experiment, data: Option<&Path>) -> Result<Self> {
        let mut settings = experiment.settings.clone();
        let problem = problems::by_name(&experiment.problem, &mut settings, data)?;
        let noise_sd = experiment.noise_sd.unwrap_or(problem.default_noise_sd());
        let protocol = Protocol::new(
            problem.as_ref(),
            noise_sd,
            experiment.contexts,
            &mut settings,
        )?;
        let method = method::by_name(&experiment.method)?;
        method.check(&settings, problem.as_ref(), experiment.precision)?;
        Ok(Self {
            experiment,
            problem,
            protocol,
            method,
            method_settings: settings,
        })
    }

    pub fn trial(&self, seed: u64) -> Result<Trial> {
        let opening = Opening::new(self.problem.as_ref(), &self.protocol, seed);
        let start = self.start(&opening, seed);
        let mut optimiser = self.method.start(&self.method_settings, &start)?;
        opening.run(optimiser.as_mut())
    }

    fn start<'a>(&'a self, opening: &'a Opening, seed: u64) -> Start<'a> {
        Start {
            problem: self.problem.as_ref(),
            protocol: &self.protocol,
            initial: &opening.initial,
            precision: self.experiment.precision,
            seed,
        }
    }

    pub fn context_names(&self) -> Vec<String> {
        self.problem
            .context()
            .iter()
            .map(|v| v.name.clone())
            .collect()
    }

    /// Final values in the problem's own unit, if it has one.
    fn physical(&self, finals: &[f64]) -> Option<Physical> {
        let values: Vec<(f64, &str)> = finals.iter().map(|v| self.problem.physical(*v)).collect();
        let unit = values.first().map(|(_, unit)| unit.to_string())?;
        let Estimate { mean, se } = Estimate::of(&values.iter().map(|v| v.0).collect::<Vec<_>>());
        (!unit.is_empty()).then_some(Physical { mean, se, unit })
    }

    pub fn summary(&self, trials: &[Trial]) -> Summary {
        let empty = Summary {
            problem: self.experiment.problem.clone(),
            method: self.experiment.method.clone(),
            settings: self.experiment.settings.clone(),
            trials: 0,
            noise_sd: self.protocol.noise_sd,
            precision: self.experiment.precision,
            context_law: self.protocol.law,
            initial: self.protocol.initial,
            budget: self.protocol.budget.as_f64(),
            best: Vec::new(),
            physical: None,
            switch_steps: Vec::new(),
            switch_fractions: Vec::new(),
            context_names: self.context_names(),
            inclusion: Vec::new(),
            ms_per_step: 0.0,
            seconds: 0.0,
            seeds: Vec::new(),
            trial_best: Vec::new(),
        };
        let mut summary = empty.with_trials(trials);
        summary.physical = self.physical(&summary.finals());
        summary
    }
}

/// An experiment, the trials that were asked for, and what they come to.
pub struct Finished {
    pub prepared: Prepared,
    pub trials: Vec<Trial>,
    pub summary: Summary,
    /// How many trials its directory holds: more than were asked for if an earlier run wanted more.
    pub stored: usize,
}

/// Seeds `first..first + trials` of one experiment, kept in one directory.
pub struct Job {
    pub prepared: Prepared,
    pub store: Store,
    pub first: u64,
    pub trials: usize,
}

impl Job {
    /// The seeds that have not been run.
    pub fn missing(&self) -> Vec<u64> {
        let wanted = self.first..self.first + self.trials as u64;
        wanted.filter(|seed| !self.store.has(*seed)).collect()
    }
}

/// Controllers of the largest problems are megabytes, and pass over the stack when they are made.
pub const STACK: usize = 64 << 20;

/// Runs what is missing of all jobs, in their order, on so many threads (0: one per core).
///
/// Results depend on seeds only: not on the number of threads nor on where an earlier run stopped.
pub fn run_all(jobs: Vec<Job>, threads: usize) -> Result<Vec<Finished>> {
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build()?;
    let pending: Vec<(usize, u64)> = jobs
        .iter()
        .enumerate()
        .flat_map(|(job, j)| j.missing().into_iter().map(move |seed| (job, seed)))
        .collect();
    let bar = progress(pending.len() as u64);
    let jobs: Vec<(Job, Mutex<()>)> = jobs.into_iter().map(|job| (job, Mutex::new(()))).collect();
    let run = |(job, seed): (usize, u64)| -> Result<()> {
        let (job, writing) = &jobs[job];
        let Experiment {
            problem, method, ..
        } = &job.prepared.experiment;
        bar.set_message(format!("{problem} {method}"));
        let trial = job.prepared.trial(seed)?;
        let guard = writing.lock();
        ensure!(guard.is_ok(), "another thread failed while writing");
        job.store.append(&trial)?;
        bar.inc(1);
        Ok(())
    };
    // A bridge hands out the trials in order, so that an interrupted run has whole experiments.
    threads.install(|| pending.into_iter().par_bridge().try_for_each(run))?;
    bar.finish_and_clear();
    jobs.into_iter().map(|(job, _)| finish(job)).collect()
}

/// What is kept is made from every stored trial, what comes back from those that were asked for.
fn finish(job: Job) -> Result<Finished> {
    let mut trials = job.store.trials()?;
    let stored = trials.len();
    job.store
        .write_results(&trials, &job.prepared.summary(&trials))?;
    let wanted = job.first..job.first + job.trials as u64;
    trials.retain(|trial| wanted.contains(&trial.seed));
    ensure!(trials.len() == job.trials, "a trial is missing");
    let summary = job.prepared.summary(&trials);
    Ok(Finished {
        prepared: job.prepared,
        trials,
        summary,
        stored,
    })
}

fn progress(trials: u64) -> ProgressBar {
    let template = "{msg:24} [{bar:30}] {pos}/{len} trials, {elapsed} gone, {eta} to go";
    let bar = ProgressBar::new(trials);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(250));
    bar
}
