//! A run's directory: `trials.jsonl` (every complete trial, appended), `runs.csv`, `summary.json`.
//!
//! The journal decides what is done. The other two are made from it: `runs.csv` grows with every trial
//! and is put in the order of seeds at the end.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::run::{Experiment, Prepared};
use crate::summary::Summary;
use crate::trial::Trial;

const JOURNAL: &str = "trials.jsonl";
const RUNS: &str = "runs.csv";
const SUMMARY: &str = "summary.json";

/// First line of the journal: what its trials are of.
#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    experiment: Experiment,
    /// Which program made them.
    build: String,
}

/// One run's directory, open for appending.
pub struct Store {
    directory: PathBuf,
    columns: Columns,
    seeds: Vec<u64>,
}

/// What is the same in every row of `runs.csv`.
struct Columns {
    problem: String,
    method: String,
    contexts: Vec<String>,
}

impl Store {
    /// Opens a directory, new or of the same experiment; `any_build` lets trials of another build stand.
    pub fn open(directory: &Path, prepared: &Prepared, any_build: bool) -> Result<Self> {
        fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
        let store = Self {
            directory: directory.to_path_buf(),
            columns: Columns {
                problem: prepared.experiment.problem.clone(),
                method: prepared.experiment.method.clone(),
                contexts: prepared.context_names(),
            },
            seeds: Vec::new(),
        };
        let header = Header {
            experiment: prepared.experiment.clone(),
            build: build()?,
        };
        store.resume(header, any_build)
    }

    fn resume(mut self, header: Header, any_build: bool) -> Result<Self> {
        let path = self.directory.join(JOURNAL);
        let text = if path.exists() {
            fs::read_to_string(&path)?
        } else {
            String::new()
        };
        let whole = whole_lines(&text);
        let mut lines = whole.lines();
        let Some(first) = lines.next() else {
            fs::write(&path, serde_json::to_string(&header)? + "\n")?;
            self.write_runs(&[])?;
            return Ok(self);
        };
        let found: Header =
            serde_json::from_str(first).with_context(|| path.display().to_string())?;
        let place = self.directory.display();
        ensure!(
            found.experiment == header.experiment,
            "{place} holds another experiment ({}): choose another --out",
            serde_json::to_string(&found.experiment)?
        );
        ensure!(
            any_build || found.build == header.build,
            "{place} holds trials of another build of the lab: choose another --out, or say --any-build"
        );
        fs::write(&path, whole)?;
        let trials = read_trials(whole)?;
        self.seeds = trials.keys().copied().collect();
        self.write_runs(&trials.into_values().collect::<Vec<_>>())?;
        Ok(self)
    }

    /// Every complete trial, in the order of seeds.
    pub fn trials(&self) -> Result<Vec<Trial>> {
        stored_trials(&self.directory)
    }

    /// Whether this seed's trial is complete.
    pub fn has(&self, seed: u64) -> bool {
        self.seeds.binary_search(&seed).is_ok()
    }

    /// Adds a complete trial. One caller at a time.
    pub fn append(&self, trial: &Trial) -> Result<()> {
        let mut rows = csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(Vec::new());
        self.columns.write(&mut rows, trial)?;
        let rows = rows.into_inner().map_err(|e| e.into_error())?;
        append(
            &self.directory.join(JOURNAL),
            (serde_json::to_string(trial)? + "\n").as_bytes(),
        )?;
        append(&self.directory.join(RUNS), &rows)
    }

    /// Writes `runs.csv` in the order of the trials, and `summary.json`.
    ///
    /// They are of all trials that are stored: what is kept never shrinks to what was last asked for.
    pub fn write_results(&self, trials: &[Trial], summary: &Summary) -> Result<()> {
        self.write_runs(trials)?;
        replace(
            &self.directory.join(SUMMARY),
            serde_json::to_string_pretty(summary)?.as_bytes(),
        )
    }

    fn write_runs(&self, trials: &[Trial]) -> Result<()> {
        let mut rows = csv::Writer::from_writer(Vec::new());
        rows.write_record(self.columns.names())?;
        for trial in trials {
            self.columns.write(&mut rows, trial)?;
        }
        let rows = rows.into_inner().map_err(|e| e.into_error())?;
        replace(&self.directory.join(RUNS), &rows)
    }
}

impl Columns {
    fn names(&self) -> Vec<String> {
        let fixed = [
            "problem", "method", "seed", "step", "cost", "best", "y", "phase", "selected",
        ];
        let relevance = self.contexts.iter().map(|name| format!("relevance_{name}"));
        fixed
            .iter()
            .map(ToString::to_string)
            .chain(relevance)
            .collect()
    }

    /// One row per step; selected contexts by name, joined by `|`; relevance empty where there is none.
    fn write(&self, rows: &mut csv::Writer<Vec<u8>>, trial: &Trial) -> Result<()> {
        for step in &trial.steps {
            let selected: Vec<&str> = step
                .selected
                .iter()
                .map(|&i| self.contexts[i].as_str())
                .collect();
            let mut row = vec![
                self.problem.clone(),
                self.method.clone(),
                trial.seed.to_string(),
                step.step.to_string(),
                step.cost.to_string(),
                step.best.to_string(),
                step.y.to_string(),
                step.phase.to_string(),
                selected.join("|"),
            ];
            row.extend(step.relevance.iter().map(ToString::to_string));
            row.resize(9 + self.contexts.len(), String::new());
            rows.write_record(row)?;
        }
        Ok(())
    }
}

/// Every complete trial in a directory, in the order of seeds.
pub fn stored_trials(directory: &Path) -> Result<Vec<Trial>> {
    let journal = fs::read_to_string(directory.join(JOURNAL))?;
    Ok(read_trials(whole_lines(&journal))?.into_values().collect())
}

/// How many trials [`stored_trials`] finds, without reading them in.
pub fn stored_count(directory: &Path) -> Result<usize> {
    let journal = fs::read_to_string(directory.join(JOURNAL))?;
    Ok(whole_lines(&journal).lines().skip(1).count())
}

/// A line without its end was being written when the run was stopped.
fn whole_lines(journal: &str) -> &str {
    journal.rfind('\n').map_or("", |end| &journal[..=end])
}

/// The trials of a journal by seed, its header skipped.
fn read_trials(journal: &str) -> Result<BTreeMap<u64, Trial>> {
    let mut trials = BTreeMap::new();
    for (number, line) in journal.lines().enumerate().skip(1) {
        let trial: Trial =
            serde_json::from_str(line).with_context(|| format!("journal line {}", number + 1))?;
        trials.insert(trial.seed, trial);
    }
    Ok(trials)
}

fn append(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(bytes)
        .with_context(|| path.display().to_string())
}

/// Writes a file whole or not at all.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let fresh = path.with_extension("new");
    let mut file = File::create(&fresh).with_context(|| fresh.display().to_string())?;
    file.write_all(bytes)?;
    fs::rename(&fresh, path).with_context(|| path.display().to_string())
}

/// A fingerprint (FNV-1a) of the running program: results of another build are not mixed in unnoticed.
fn build() -> Result<String> {
    static BUILD: OnceLock<u64> = OnceLock::new();
    let program = if BUILD.get().is_none() {
        fs::read(std::env::current_exe()?)?
    } else {
        Vec::new()
    };
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = BUILD.get_or_init(|| program.iter().fold(0xcbf2_9ce4_8422_2325, mix));
    Ok(format!("{hash:016x}"))
}
