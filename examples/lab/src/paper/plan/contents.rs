//! What each section compares, and how it is drawn.

use anyhow::Result;

use super::{Collector, EIGHT, SYNTHETIC};
use crate::method::Precision;
use crate::paper::{Section, changes, curves, studies, toy};
use crate::run::Finished;

/// Methods of the main comparison; the SAAS surrogates have a section of their own.
const COMPARED: [&str; 8] = [
    "sadcbo", "cbo", "cubo", "vbo", "cabo", "dropout", "mmdbo", "random",
];

/// Irrelevant contexts of the ablation, with the protocol's own number among them.
const IRRELEVANT: [(&str, [&str; 3]); 4] = [
    ("eggholder", ["4", "10", "20"]),
    ("hartmann4", ["3", "10", "20"]),
    ("hartmann6", ["6", "12", "20"]),
    ("ackley5", ["8", "14", "20"]),
];

/// Hartmann6D has at most 80 steps; a later switch never comes.
const LAST_SWITCH: usize = 80;
/// Trials of each fixed switching time, as in the paper.
const SWITCH_TRIALS: usize = 10;

/// What actuating a context really costs where costs are to be learnt: dear and cheap contexts in turn.
const TRUE_COSTS: (&str, &str) = ("true-costs", "3,0.5");
const IDLE_DESIGNS: (&str, &str) = ("irrelevant-design", "3");

/// A choice, a short name of one answer, and its settings.
pub type Alternative = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// The open choices: what is chosen, a short name, the settings. Those that the default has are not run twice.
pub const ALTERNATIVES: [Alternative; 26] = [
    ("switch", "adaptive", &[("switch", "adaptive")]),
    (
        "switch",
        "adaptive, min 1",
        &[("switch", "adaptive"), ("min-steps", "1")],
    ),
    ("switch", "criterion alone", &[("observe-share", "1")]),
    ("switch", "latest at 10 %", &[("observe-share", "0.1")]),
    ("switch", "latest at 40 %", &[("observe-share", "0.4")]),
    ("switch", "median", &[("switch", "median")]),
    ("switch", "budget-aware", &[("budget-aware", "true")]),
    ("switch", "at 10", &[("switch", "at:10")]),
    ("switch", "at 20", &[("switch", "at:20")]),
    ("switch", "never", &[("switch", "never")]),
    ("actuation", "always", &[("actuation-weight", "0")]),
    ("actuation", "weight 1", &[("actuation-weight", "1")]),
    ("actuation", "weight 4", &[("actuation-weight", "4")]),
    ("actuation", "weight 10", &[("actuation-weight", "10")]),
    ("prior", "flat", &[("prior", "flat")]),
    ("prior", "lengths", &[("prior", "length-scales")]),
    ("prior", "BoTorch", &[("prior", "botorch")]),
    ("divergence", "KL", &[("divergence", "kl")]),
    ("divergence", "√KL", &[("divergence", "sqrt-kl")]),
    ("elite", "min-max", &[("elite", "minmax")]),
    ("elite", "ratio", &[("elite", "ratio")]),
    ("elite", "top 20 %", &[("elite", "top")]),
    ("collapse", "zero", &[("collapse", "zero")]),
    ("collapse", "mean", &[("collapse", "mean")]),
    ("collapse", "observed", &[("collapse", "observed")]),
    ("preset", "paper", &[("preset", "paper")]),
];

type Draw = fn(&[&Finished]) -> String;

pub fn section(id: &'static str, collector: &mut Collector) -> Result<Section> {
    let (title, about, draw): (&str, &str, Draw) = match id {
        "benchmark" => {
            collector.pairs(&EIGHT, &COMPARED);
            (
                "The eight problems",
                "Best noiseless value found against cumulative cost: mean over trials, band of two standard \
                 errors. Values are scaled, the optimum is 1.",
                curves::benchmark,
            )
        }
        "switching" => {
            collector.pairs(&EIGHT, &["sadcbo"]);
            (
                "When SADCBO switches",
                "Share of the budget spent when the optimisation phase begins, over trials.",
                studies::switching,
            )
        }
        "inclusion" => {
            collector.pairs(&EIGHT, &["sadcbo"]);
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
                    collector.add(problem, method, &[("irrelevant", count)]);
                }
            }
            (
                "More irrelevant contexts",
                "Best value at full budget against the number of irrelevant contexts.",
                studies::irrelevant,
            )
        }
        "costs" => {
            let cells = SYNTHETIC
                .iter()
                .flat_map(|p| ["0.1", "1", "3", "10"].map(|c| (p, c)));
            for (problem, cost) in cells {
                for method in COMPARED {
                    collector.add(problem, method, &[("context-cost", cost)]);
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
            fixed_switch(collector);
            (
                "Fixed switching times against the criterion",
                "Hartmann6D: best value at full budget when the switch comes after a fixed step, in up to 10 trials \
                 each, and where the criterion puts it. The budget pays for 80 recording steps: a switch that is \
                 fixed for later never comes.",
                studies::fixed_switch,
            )
        }
        "relevant-share" => {
            for design in ["4", "3", "2", "1"] {
                collector.add("ackley5", "sadcbo", &[("design", design)]);
            }
            (
                "Switching time against the share of relevant contexts",
                "Ackley5D with 8 irrelevant contexts; more and more of its five coordinates are contexts.",
                studies::relevant_share,
            )
        }
        "toy" => (
            "Relevance where it counts",
            "The paper's first figure: two contexts, of which z2 matters in most of the square and z1 near the optimum. \
             Relevance over the promising points, D^BO, says sooner than over all data, D, what matters there. Mean of 20 \
             runs and two standard errors; made anew with every report. Beside the best observations, D^BO has ten points \
             of highest batch UCB, both contexts free.",
            toy::figure,
        ),
        "defaults" => {
            defaults(collector)?;
            (
                "The open choices",
                "SADCBO with one choice changed, minus SADCBO as it is by default, at full budget: paired mean difference \
                 and its 95 % interval. Above 0 the alternative is better.",
                changes::defaults,
            )
        }
        "extensions" => {
            extensions(collector);
            (
                "Beyond the paper",
                "Each extension minus plain SADCBO in the same setting, at full budget: paired mean difference and its \
                 95 % interval. Costs are learnt where contexts really cost 3 and 0.5 in turn, times 0.5 + distance \
                 moved, while the configuration says 1; designs are frozen where three designs do nothing.",
                changes::extensions,
            )
        }
        "precision" => {
            for problem in SYNTHETIC {
                for precision in [Precision::F32, Precision::F64] {
                    collector.add_in(precision, problem, "sadcbo", &[]);
                }
            }
            (
                "Single and double precision",
                "SADCBO in single precision minus in double, paired by trial.",
                changes::precision,
            )
        }
        _ => {
            collector.pairs(&SYNTHETIC, &["sadcbo", "saasbo", "saasbo-sadcbo", "vbo"]);
            (
                "A sparse surrogate",
                "SADCBO and plain optimisation, each with the SAAS prior and without.",
                curves::benchmark,
            )
        }
    };
    Ok(Section {
        id,
        title,
        about,
        experiments: std::mem::take(&mut collector.experiments),
        draw,
    })
}

fn hyperparameters(collector: &mut Collector) {
    const VALUES: [(&str, [&str; 5]); 3] = [
        ("eta", ["0.2", "0.4", "0.6", "0.8", "0.95"]),
        ("gamma", ["0.5", "0.7", "0.8", "0.9", "0.95"]),
        ("q", ["0", "1", "3", "5", "10"]),
    ];
    for (name, values) in VALUES {
        for (problem, value) in SYNTHETIC.iter().flat_map(|p| values.map(|v| (p, v))) {
            collector.add(problem, "sadcbo", &[(name, value)]);
        }
    }
}

fn fixed_switch(collector: &mut Collector) {
    let all = collector.trials;
    collector.trials = all.min(SWITCH_TRIALS);
    for step in 1..=LAST_SWITCH {
        let settings = [
            ("switch", format!("at:{step}")),
            ("min-steps", "1".to_string()),
        ];
        let settings = settings
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        collector.add("hartmann6", "sadcbo", &settings);
    }
    collector.add("hartmann6", "sadcbo", &[("switch", "never")]);
    collector.trials = all;
    collector.add("hartmann6", "sadcbo", &[]);
}

fn defaults(collector: &mut Collector) -> Result<()> {
    for problem in SYNTHETIC {
        collector.add(problem, "sadcbo", &[]);
        for (_, _, settings) in ALTERNATIVES {
            if !collector.is_default(settings)? {
                collector.add(problem, "sadcbo", settings);
            }
        }
    }
    Ok(())
}

fn extensions(collector: &mut Collector) {
    collector.pairs(&SYNTHETIC, &["sadcbo", "sadcbo-budget"]);
    for problem in SYNTHETIC {
        for method in ["sadcbo", "sadcbo-learned-costs", "sadcbo-cost-model"] {
            collector.add(problem, method, &[TRUE_COSTS]);
        }
    }
    for problem in ["hartmann4", "hartmann6"] {
        for method in ["sadcbo", "sadcbo-freeze"] {
            collector.add(problem, method, &[IDLE_DESIGNS]);
        }
    }
}
