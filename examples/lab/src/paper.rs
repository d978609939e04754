//! `paper`: the whole evaluation into one report.

mod changes;
mod curves;
mod html;
pub mod log;
mod plan;
mod sobol;
mod studies;
mod tables;
mod toy;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::compare::{Collection, read};
use crate::method::Precision;
use crate::run::{Experiment, Finished, Job, Prepared, run_all};
use crate::settings::Settings;
use crate::store::{Store, replace, stored_count, stored_trials};
use crate::summary::Summary;

use log::Session;

pub use plan::{ALTERNATIVES, EIGHT, SECTIONS, SYNTHETIC};

/// What the report is asked for.
#[derive(Default)]
pub struct Request {
    pub out: PathBuf,
    /// Trials of each synthetic experiment.
    pub trials: usize,
    /// Trials at most of each experiment of a study.
    pub study_trials: usize,
    /// Trials at most where an evaluation or a fit is expensive.
    pub real_trials: usize,
    pub noise_sd: Option<f64>,
    pub precision: Precision,
    /// Only these, if any are given.
    pub problems: Vec<String>,
    pub methods: Vec<String>,
    pub sections: Vec<String>,
    /// Settings of every method but `random`.
    pub settings: Settings,
    pub data: Option<PathBuf>,
    pub any_build: bool,
    pub threads: usize,
}

/// A part of the report: experiments and what is drawn from them.
pub struct Section {
    /// The name for `--sections`, and the anchor in the page.
    pub id: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub experiments: Vec<(Experiment, usize)>,
    /// HTML from the results, which are in the order of the experiments.
    pub draw: fn(&[&Finished]) -> String,
}

/// Runs what is missing and writes `report.html` and `summary.json`; says where.
pub fn execute(request: &Request) -> Result<String> {
    let missing = plan::missing(request);
    let notes: Vec<String> = missing
        .iter()
        .map(|(name, reason)| format!("{name} is left out: {reason}"))
        .collect();
    let missing: Vec<&str> = missing.iter().map(|(name, _)| *name).collect();
    let sections = plan::sections(request, &missing)?;
    ensure!(!sections.is_empty(), "nothing is left to run");
    fs::create_dir_all(&request.out)?;
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut jobs: Vec<Job> = Vec::new();
    let mut uses: Vec<Vec<usize>> = Vec::new();
    for section in &sections {
        let mut used = Vec::new();
        for (experiment, trials) in &section.experiments {
            let name = directory_name(experiment);
            let place = match places.get(&name) {
                Some(place) => *place,
                None => {
                    jobs.push(job(request, experiment, &name)?);
                    places.insert(name, jobs.len() - 1);
                    jobs.len() - 1
                }
            };
            // An experiment that several sections use has as many trials as the one that wants most.
            jobs[place].trials = jobs[place].trials.max(*trials);
            used.push(place);
        }
        uses.push(used);
    }
    let pending = jobs.iter().map(|job| job.missing().len()).sum();
    let mut session = Session::begin(pending);
    let clock = Instant::now();
    let finished = run_all(jobs, request.threads)?;
    session.seconds = clock.elapsed().as_secs_f64();
    if pending > 0 {
        session.store(&request.out)?;
    }
    let parts = sections.iter().zip(&uses).map(|(section, used)| {
        let results: Vec<&Finished> = used.iter().map(|&place| &finished[place]).collect();
        html::section(section, &(section.draw)(&results))
    });
    let page = html::page(request, &parts.collect::<String>(), &notes);
    let report = request.out.join("report.html");
    replace(&report, page.as_bytes())?;
    let cells = finished.into_iter().map(|f| f.summary).collect();
    let summary = request.out.join("summary.json");
    replace(
        &summary,
        serde_json::to_string_pretty(&Collection { cells })?.as_bytes(),
    )?;
    Ok(format!("{}\n{}\n", report.display(), summary.display()))
}

fn job(request: &Request, experiment: &Experiment, name: &str) -> Result<Job> {
    let prepared = Prepared::new(experiment.clone(), request.data.as_deref())?;
    let directory = cell(&request.out, name);
    fs::create_dir_all(&directory)?;
    Ok(Job {
        store: Store::open(&directory, &prepared, request.any_build)?,
        prepared,
        first: 0,
        trials: 0,
    })
}

fn cell(out: &Path, name: &str) -> PathBuf {
    out.join("cells").join(name)
}

/// The results of each section that are on disk, and how many experiments have none.
pub fn stored(request: &Request) -> Result<Vec<(&'static str, Vec<Summary>, usize)>> {
    let mut found = Vec::new();
    for section in plan::sections(request, &[])? {
        let mut summaries = Vec::new();
        for (experiment, _) in &section.experiments {
            let directory = cell(&request.out, &directory_name(experiment));
            if directory.join("summary.json").exists() {
                summaries.extend(kept(request, experiment, &directory)?);
            }
        }
        let absent = section.experiments.len() - summaries.len();
        found.push((section.id, summaries, absent));
    }
    Ok(found)
}

/// What all stored trials of an experiment come to: also those that a stopped run left without a summary.
fn kept(request: &Request, experiment: &Experiment, directory: &Path) -> Result<Vec<Summary>> {
    let summaries = read(directory)?;
    let known: usize = summaries.iter().map(|summary| summary.trials).sum();
    if stored_count(directory)? == known {
        return Ok(summaries);
    }
    let prepared = Prepared::new(experiment.clone(), request.data.as_deref())?;
    Ok(vec![prepared.summary(&stored_trials(directory)?)])
}

/// A directory name that no other experiment of the report has.
fn directory_name(experiment: &Experiment) -> String {
    let settings = experiment.settings.to_string().replace(' ', "_");
    let noise = experiment
        .noise_sd
        .map_or(String::new(), |sd| format!("noise={sd}"));
    let parts = [
        &experiment.problem,
        &experiment.method,
        &settings,
        &noise,
        &experiment.precision.to_string(),
    ];
    let given: Vec<&str> = parts
        .iter()
        .map(|p| p.as_str())
        .filter(|p| !p.is_empty())
        .collect();
    given.join("-")
}
