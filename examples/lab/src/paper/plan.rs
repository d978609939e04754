//! Which experiments the report needs.

mod contents;

use anyhow::{Result, ensure};

use super::{Request, Section};
use crate::contexts::Law;
use crate::method::{self, METHODS, Precision};
use crate::problems;
use crate::run::Experiment;
use crate::settings::Settings;

pub use contents::ALTERNATIVES;

/// The paper's eight problems.
pub const EIGHT: [&str; 8] = [
    "eggholder",
    "hartmann4",
    "hartmann6",
    "ackley5",
    "portfolio",
    "yacht",
    "robot",
    "alanine",
];
pub const SYNTHETIC: [&str; 4] = ["eggholder", "hartmann4", "hartmann6", "ackley5"];

/// The sections' names, in order.
pub const SECTIONS: [&str; 13] = [
    "benchmark",
    "switching",
    "inclusion",
    "irrelevant",
    "costs",
    "hyperparameters",
    "fixed-switch",
    "relevant-share",
    "saas",
    "toy",
    "defaults",
    "extensions",
    "precision",
];

/// The sections that have as many trials as `--trials` says; the others are studies.
const MAIN: [&str; 6] = [
    "benchmark",
    "switching",
    "inclusion",
    "saas",
    "defaults",
    "precision",
];

/// A section whose figure needs no experiment.
const WITHOUT_EXPERIMENTS: &str = "toy";

/// Collects the experiments of a section that the request does not exclude.
struct Collector<'a> {
    request: &'a Request,
    /// Problems that cannot be run here.
    missing: &'a [&'a str],
    /// Trials of each synthetic experiment of this section.
    trials: usize,
    experiments: Vec<(Experiment, usize)>,
}

impl Collector<'_> {
    fn add(&mut self, problem: &str, method: &str, settings: &[(&str, &str)]) {
        // Controllers for other numbers of variables than the paper's are made in single precision only.
        let reshaped = settings
            .iter()
            .any(|(name, _)| ["irrelevant", "irrelevant-design", "design"].contains(name));
        let precision = if reshaped {
            Precision::F32
        } else {
            self.request.precision
        };
        self.add_in(precision, problem, method, settings);
    }

    fn add_in(
        &mut self,
        precision: Precision,
        problem: &str,
        method: &str,
        settings: &[(&str, &str)],
    ) {
        let wanted =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|n| n == name);
        if !wanted(&self.request.problems, problem)
            || !wanted(&self.request.methods, method)
            || self.missing.contains(&problem)
        {
            return;
        }
        let synthetic = SYNTHETIC.contains(&problem);
        let mut words = Settings::default();
        if method != "random" {
            words.extend(&self.request.settings);
        }
        settings
            .iter()
            .for_each(|(name, value)| words.set(name, value));
        let experiment = Experiment {
            problem: problem.to_string(),
            method: method.to_string(),
            // Noise is part of the synthetic problems only.
            noise_sd: self.request.noise_sd.filter(|_| synthetic),
            precision,
            contexts: Law::Uniform,
            settings: words,
        };
        let most = if synthetic {
            usize::MAX
        } else {
            self.request.real_trials
        };
        self.experiments.push((experiment, self.trials.min(most)));
    }

    /// Every pair of a problem and a method, as the protocol has them.
    fn pairs(&mut self, problems: &[&str], methods: &[&str]) {
        for problem in problems {
            for method in methods {
                self.add(problem, method, &[]);
            }
        }
    }

    /// Whether these settings change nothing.
    fn is_default(&self, settings: &[(&str, &str)]) -> Result<bool> {
        let mut words = self.request.settings.clone();
        settings
            .iter()
            .for_each(|(name, value)| words.set(name, value));
        method::same_settings(&words, &self.request.settings)
    }
}

/// The problems that cannot be run here, and why.
pub fn missing(request: &Request) -> Vec<(&'static str, String)> {
    let reason = |name: &'static str| {
        let problem = problems::by_name(name, &mut Settings::default(), request.data.as_deref());
        Some((name, problem.err()?.to_string()))
    };
    EIGHT.into_iter().filter_map(reason).collect()
}

/// The sections that have something to show without the problems that are missing.
pub fn sections(request: &Request, missing: &[&str]) -> Result<Vec<Section>> {
    check_names(request)?;
    let asked = |id: &str| request.sections.iter().any(|s| s == id);
    let mut sections = Vec::new();
    for id in SECTIONS {
        if !request.sections.is_empty() && !asked(id) {
            continue;
        }
        let trials = if MAIN.contains(&id) {
            request.trials
        } else {
            request.study_trials.min(request.trials)
        };
        let mut collector = Collector {
            request,
            missing,
            trials,
            experiments: Vec::new(),
        };
        let section = contents::section(id, &mut collector)?;
        let everything = request.problems.is_empty() && request.methods.is_empty();
        if !section.experiments.is_empty() || id == WITHOUT_EXPERIMENTS && (everything || asked(id))
        {
            sections.push(section);
        }
    }
    Ok(sections)
}

fn check_names(request: &Request) -> Result<()> {
    for name in &request.problems {
        ensure!(
            problems::NAMES.contains(&name.as_str()),
            "no problem is called {name:?}"
        );
    }
    for name in &request.methods {
        ensure!(
            METHODS.iter().any(|m| m.name == name),
            "no method is called {name:?}"
        );
    }
    for name in &request.sections {
        let known = SECTIONS.join(", ");
        ensure!(
            SECTIONS.contains(&name.as_str()),
            "no section is called {name:?}; there are {known}"
        );
    }
    Ok(())
}
