//! Which experiments the report needs.

use anyhow::{Result, ensure};

use super::{Request, Section, curves, studies};
use crate::contexts::Law;
use crate::method::{METHODS, Precision};
use crate::problems;
use crate::run::Experiment;
use crate::settings::Settings;

/// The paper's eight problems.
const EIGHT: [&str; 8] = [
    "eggholder",
    "hartmann4",
    "hartmann6",
    "ackley5",
    "portfolio",
    "yacht",
    "robot",
    "alanine",
];
const SYNTHETIC: [&str; 4] = ["eggholder", "hartmann4", "hartmann6", "ackley5"];

/// Methods of the main comparison; the SAAS surrogates have a section of their own.
const COMPARED: [&str; 8] = [
    "sadcbo", "cbo", "cubo", "vbo", "cabo", "dropout", "mmdbo", "random",
];

/// Irrelevant contexts of the ablation, with the protocol's own number among them.
const IRRELEVANT: [(&str, [usize; 3]); 4] = [
    ("eggholder", [4, 10, 20]),
    ("hartmann4", [3, 10, 20]),
    ("hartmann6", [6, 12, 20]),
    ("ackley5", [8, 14, 20]),
];

/// Fixed switching times compared with the criterion: every third from 1 to 100.
const SWITCH_EVERY: usize = 3;

/// The sections' names, in order.
pub const SECTIONS: [&str; 9] = [
    "benchmark",
    "switching",
    "inclusion",
    "irrelevant",
    "costs",
    "hyperparameters",
    "fixed-switch",
    "relevant-share",
    "saas",
];

/// Collects the experiments of a section that the request does not exclude.
struct Collector<'a> {
    request: &'a Request,
    /// Problems that cannot be run here.
    missing: Vec<&'static str>,
    experiments: Vec<(Experiment, usize)>,
}

impl Collector<'_> {
    fn add(
        &mut self,
        problem: &str,
        method: &str,
        settings: &[(&str, String)],
        most_trials: usize,
    ) {
        let wanted =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|n| n == name);
        let exists = METHODS.iter().any(|m| m.name == method);
        if !wanted(&self.request.problems, problem)
            || !wanted(&self.request.methods, method)
            || !exists
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
        // Controllers for other numbers of variables than the paper's are made in single precision only.
        let reshaped = settings
            .iter()
            .any(|(name, _)| ["irrelevant", "design"].contains(name));
        let precision = if reshaped {
            Precision::F32
        } else {
            self.request.precision
        };
        let experiment = Experiment {
            problem: problem.to_string(),
            method: method.to_string(),
            // Noise is part of the synthetic problems only.
            noise_sd: self.request.noise_sd.filter(|_| synthetic),
            precision,
            contexts: Law::Uniform,
            settings: words,
        };
        let trials = if synthetic {
            self.request.trials
        } else {
            self.request.trials.min(self.request.real_trials)
        };
        self.experiments.push((experiment, trials.min(most_trials)));
    }

    fn take(&mut self) -> Vec<(Experiment, usize)> {
        std::mem::take(&mut self.experiments)
    }
}

/// The sections that have something to run; notes say what is left out and why.
pub fn sections(request: &Request, notes: &mut Vec<String>) -> Result<Vec<Section>> {
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
    let mut missing = Vec::new();
    for name in EIGHT {
        if let Err(reason) =
            problems::by_name(name, &mut Settings::default(), request.data.as_deref())
        {
            notes.push(format!("{name} is left out: {reason}"));
            missing.push(name);
        }
    }
    let mut collector = Collector {
        request,
        missing,
        experiments: Vec::new(),
    };
    let wanted = |id: &str| request.sections.is_empty() || request.sections.iter().any(|s| s == id);
    let all = SECTIONS
        .iter()
        .filter(|id| wanted(id))
        .map(|id| section(id, &mut collector));
    Ok(all
        .filter(|section| !section.experiments.is_empty())
        .collect())
}

fn section(id: &'static str, collector: &mut Collector) -> Section {
    let all = usize::MAX;
    type Draw = fn(&[&crate::run::Finished]) -> String;
    let (title, about, draw): (&str, &str, Draw) = match id {
        "benchmark" => {
            pairs(collector, &EIGHT, &COMPARED);
            (
                "The eight problems",
                "Best noiseless value found against cumulative cost: mean over trials, band of two standard \
                 errors. Values are scaled, the optimum is 1.",
                curves::benchmark,
            )
        }
        "switching" => {
            pairs(collector, &EIGHT, &["sadcbo"]);
            (
                "When SADCBO switches",
                "Share of the budget spent when the optimisation phase begins, over trials.",
                studies::switching,
            )
        }
        "inclusion" => {
            pairs(collector, &EIGHT, &["sadcbo"]);
            (
                "Which contexts SADCBO selects",
                "Share of the steps in which each context was selected, beside the total Sobol index where \
                 it is known. Sobol indices speak of the whole cube, selection of the neighbourhood of the optimum.",
                studies::inclusion,
            )
        }
        "irrelevant" => {
            for (problem, counts) in IRRELEVANT {
                for (count, method) in counts.iter().flat_map(|c| COMPARED.map(|m| (c, m))) {
                    collector.add(problem, method, &[("irrelevant", count.to_string())], all);
                }
            }
            (
                "More irrelevant contexts",
                "Best value at full budget against the number of irrelevant contexts.",
                studies::irrelevant,
            )
        }
        "costs" => {
            for (problem, cost) in SYNTHETIC
                .iter()
                .flat_map(|p| ["0.1", "1", "3", "10"].map(|c| (p, c)))
            {
                for method in COMPARED {
                    collector.add(problem, method, &[("context-cost", cost.to_string())], all);
                }
            }
            (
                "Dearer and cheaper contexts",
                "Best value at full budget against the cost of actuating one context. A design variable costs 1.",
                studies::costs,
            )
        }
        "hyperparameters" => {
            hyperparameters(collector);
            (
                "SADCBO's own parameters",
                "Best value at full budget against the threshold eta, the elite ratio gamma and the batch size Q, \
                 the other two at their defaults.",
                studies::hyperparameters,
            )
        }
        "fixed-switch" => {
            for step in (1..=100).step_by(SWITCH_EVERY) {
                collector.add(
                    "hartmann6",
                    "sadcbo",
                    &[("switch", format!("at:{step}"))],
                    10,
                );
            }
            collector.add("hartmann6", "sadcbo", &[], all);
            (
                "Fixed switching times against the criterion",
                "Hartmann6D: best value at full budget when the switch comes at a fixed step, and where the \
                 criterion puts it.",
                studies::fixed_switch,
            )
        }
        "relevant-share" => {
            for design in [4, 3, 2, 1] {
                collector.add("ackley5", "sadcbo", &[("design", design.to_string())], all);
            }
            (
                "Switching time against the share of relevant contexts",
                "Ackley5D with 8 irrelevant contexts; more and more of its five coordinates are contexts.",
                studies::relevant_share,
            )
        }
        _ => {
            pairs(
                collector,
                &SYNTHETIC,
                &["sadcbo", "saasbo", "saasbo-sadcbo", "vbo"],
            );
            (
                "A sparse surrogate",
                "SADCBO and plain optimisation, each with the SAAS prior and without.",
                curves::benchmark,
            )
        }
    };
    Section {
        id,
        title,
        about,
        experiments: collector.take(),
        draw,
    }
}

fn pairs(collector: &mut Collector, problems: &[&str], methods: &[&str]) {
    for (problem, method) in problems
        .iter()
        .flat_map(|p| methods.iter().map(move |m| (p, m)))
    {
        collector.add(problem, method, &[], usize::MAX);
    }
}

fn hyperparameters(collector: &mut Collector) {
    const VALUES: [(&str, [&str; 5]); 3] = [
        ("eta", ["0.2", "0.4", "0.6", "0.8", "0.95"]),
        ("gamma", ["0.5", "0.7", "0.8", "0.9", "0.95"]),
        ("q", ["0", "1", "3", "5", "10"]),
    ];
    for (name, values) in VALUES {
        for (problem, value) in SYNTHETIC.iter().flat_map(|p| values.map(|v| (p, v))) {
            collector.add(problem, "sadcbo", &[(name, value.to_string())], usize::MAX);
        }
    }
}
