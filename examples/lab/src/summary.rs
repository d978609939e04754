//! What a run comes to: `summary.json`.

use serde::{Deserialize, Serialize};

use crate::contexts::Law;
use crate::method::Precision;
use crate::settings::Settings;
use crate::stats::{Estimate, best_at};
use crate::trial::Trial;

/// The fractions of the budget at which results are reported.
pub const FRACTIONS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Best value at a fraction of the budget, over trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtFraction {
    pub fraction: f64,
    pub mean: f64,
    pub se: f64,
}

/// Best values at full budget in the problem's own unit, over trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Physical {
    pub mean: f64,
    pub se: f64,
    pub unit: String,
}

/// Everything that one problem, method and settings gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub problem: String,
    pub method: String,
    pub settings: Settings,
    pub trials: usize,
    pub noise_sd: f64,
    pub precision: Precision,
    pub context_law: Law,
    pub initial: usize,
    pub budget: f64,
    pub best: Vec<AtFraction>,
    /// None if the problem has no unit.
    #[serde(default)]
    pub physical: Option<Physical>,
    /// First step of the optimisation phase per trial; null if it never came.
    pub switch_steps: Vec<Option<usize>>,
    /// The same as a share of the budget.
    pub switch_fractions: Vec<Option<f64>>,
    pub context_names: Vec<String>,
    /// Share of the steps in which each context was selected.
    pub inclusion: Vec<f64>,
    pub ms_per_step: f64,
    /// Time of all trials together, on one thread each.
    #[serde(default)]
    pub seconds: f64,
    pub seeds: Vec<u64>,
    /// Best value at each fraction, trial by trial, for paired tests.
    pub trial_best: Vec<Vec<f64>>,
}

impl Summary {
    /// Fills in what follows from the trials.
    pub fn with_trials(mut self, trials: &[Trial]) -> Self {
        let at = |trial: &Trial, fraction: f64| best_at(trial.curve(), fraction * self.budget);
        self.trials = trials.len();
        self.seeds = trials.iter().map(|t| t.seed).collect();
        self.trial_best = trials
            .iter()
            .map(|trial| FRACTIONS.iter().map(|f| at(trial, *f)).collect())
            .collect();
        let column = |i: usize| -> Vec<f64> { self.trial_best.iter().map(|row| row[i]).collect() };
        self.best = FRACTIONS
            .iter()
            .enumerate()
            .map(|(i, &fraction)| {
                let Estimate { mean, se } = Estimate::of(&column(i));
                AtFraction { fraction, mean, se }
            })
            .collect();
        let switches: Vec<Option<(usize, f64)>> = trials.iter().map(Trial::switch).collect();
        self.switch_steps = switches.iter().map(|s| s.map(|(step, _)| step)).collect();
        self.switch_fractions = switches
            .iter()
            .map(|s| s.map(|(_, spent)| spent / self.budget))
            .collect();
        self.inclusion = inclusion(trials, self.context_names.len());
        self.seconds = trials.iter().map(|t| t.seconds).sum();
        self.ms_per_step =
            trials.iter().map(|t| t.ms_per_step).sum::<f64>() / trials.len().max(1) as f64;
        self
    }

    /// The heads of [`switch_row`](Self::switch_row).
    pub const SWITCH_HEAD: [&str; 5] = [
        "trials",
        "switched",
        "first step: lower quartile",
        "median",
        "upper quartile",
    ];

    /// When the optimisation phase began, over the trials in which it did.
    pub fn switch_row(&self) -> [String; 5] {
        let mut steps: Vec<usize> = self.switch_steps.iter().flatten().copied().collect();
        steps.sort_unstable();
        let [lower, median, upper] = [0.25, 0.5, 0.75].map(|share| {
            let at = ((steps.len() as f64 - 1.0) * share).round().max(0.0) as usize;
            steps.get(at).map_or("–".to_string(), ToString::to_string)
        });
        let (trials, switched) = (self.trials.to_string(), steps.len().to_string());
        [trials, switched, lower, median, upper]
    }

    /// Best values at the full budget, trial by trial.
    pub fn finals(&self) -> Vec<f64> {
        self.trial_best
            .iter()
            .filter_map(|row| row.last().copied())
            .collect()
    }
}

/// Share of all chosen steps in which each context was selected.
fn inclusion(trials: &[Trial], contexts: usize) -> Vec<f64> {
    let mut counts = vec![0usize; contexts];
    let mut steps = 0usize;
    for step in trials.iter().flat_map(Trial::chosen) {
        steps += 1;
        step.selected
            .iter()
            .for_each(|&context| counts[context] += 1);
    }
    counts
        .into_iter()
        .map(|count| count as f64 / steps.max(1) as f64)
        .collect()
}
