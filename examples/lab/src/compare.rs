//! `compare A B`: two summaries side by side, for judging a change.

use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::stats::{Test, paired_t, welch_t, wilcoxon};
use crate::summary::Summary;
use crate::table;

/// The `summary.json` of `paper`: one summary per experiment.
#[derive(Serialize, Deserialize)]
pub struct Collection {
    pub cells: Vec<Summary>,
}

/// Reads a `summary.json`, or the one in a directory; of one run or of a whole report.
pub fn read(path: &Path) -> Result<Vec<Summary>> {
    let path = if path.is_dir() {
        path.join("summary.json")
    } else {
        path.to_path_buf()
    };
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    if let Ok(collection) = serde_json::from_str::<Collection>(&text) {
        return Ok(collection.cells);
    }
    let summary = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    Ok(vec![summary])
}

/// The comparison as a text: B minus A with 95 % confidence intervals.
pub fn text(a: &[Summary], b: &[Summary]) -> Result<String> {
    if let ([a], [b]) = (a, b) {
        ensure!(
            a.problem == b.problem,
            "A is {} and B is {}: only runs of one problem can be compared",
            a.problem,
            b.problem
        );
        return Ok(pair(a, b));
    }
    let same = |a: &Summary, b: &Summary| {
        (
            &a.problem,
            &a.method,
            &a.settings,
            &a.context_law,
            a.precision,
        ) == (
            &b.problem,
            &b.method,
            &b.settings,
            &b.context_law,
            b.precision,
        )
    };
    let pairs = a
        .iter()
        .filter_map(|a| b.iter().find(|b| same(a, b)).map(|b| pair(a, b)));
    let text = pairs.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        bail!("A and B have no experiment in common");
    }
    Ok(text)
}

/// Values of both at one fraction, and whether they are of the same trials.
struct Values {
    a: Vec<f64>,
    b: Vec<f64>,
    paired: bool,
}

impl Values {
    fn at(a: &Summary, b: &Summary, index: usize) -> Self {
        let alike = |s: &Summary| {
            (
                s.noise_sd,
                s.context_law,
                s.initial,
                s.context_names.clone(),
            )
        };
        let mut values = Self {
            a: Vec::new(),
            b: Vec::new(),
            paired: false,
        };
        if alike(a) == alike(b) {
            for (seed, row) in a.seeds.iter().zip(&a.trial_best) {
                if let Some(other) = b.seeds.iter().position(|s| s == seed) {
                    values.a.push(row[index]);
                    values.b.push(b.trial_best[other][index]);
                }
            }
            values.paired = values.a.len() >= 2;
        }
        if !values.paired {
            let column = |s: &Summary| s.trial_best.iter().map(|row| row[index]).collect();
            values.a = column(a);
            values.b = column(b);
        }
        values
    }

    fn test(&self) -> Test {
        if self.paired {
            paired_t(&self.b, &self.a)
        } else {
            welch_t(&self.b, &self.a)
        }
    }
}

/// B minus A at one of the fractions of the budget, paired by seed where the trials are the same.
pub fn difference(a: &Summary, b: &Summary, index: usize) -> Test {
    Values::at(a, b, index).test()
}

fn pair(a: &Summary, b: &Summary) -> String {
    let words = [
        "budget",
        "A",
        "B",
        "B - A",
        "95 % interval",
        "p (t)",
        "p (Wilcoxon)",
        "",
    ];
    let mut rows = vec![words.map(str::to_string).to_vec()];
    for (index, (at_a, at_b)) in a.best.iter().zip(&b.best).enumerate() {
        let values = Values::at(a, b, index);
        let Test {
            difference,
            margin,
            p,
        } = values.test();
        let rank = if values.paired {
            format!("{:.3}", wilcoxon(&values.b, &values.a))
        } else {
            "-".to_string()
        };
        let verdict = match (p < 0.05, difference > 0.0) {
            (false, _) => "",
            (true, true) => "B is better",
            (true, false) => "A is better",
        };
        rows.push(vec![
            format!("{:.0} %", at_a.fraction * 100.0),
            format!("{:.4} ± {:.4}", at_a.mean, at_a.se),
            format!("{:.4} ± {:.4}", at_b.mean, at_b.se),
            format!("{difference:+.4}"),
            format!("[{:+.4}, {:+.4}]", difference - margin, difference + margin),
            format!("{p:.3}"),
            rank,
            verdict.to_string(),
        ]);
    }
    let paired = Values::at(a, b, 0).paired;
    let how = if paired {
        "paired by seed"
    } else {
        "not paired: other seeds or another setting of the trials"
    };
    format!(
        "{}: A = {}, B = {}; {how}; mean ± standard error\n{}ms per step: {:.3} (A), {:.3} (B)\n",
        a.problem,
        name(a),
        name(b),
        table::text(&rows),
        a.ms_per_step,
        b.ms_per_step
    )
}

fn name(summary: &Summary) -> String {
    let Summary {
        method,
        precision,
        trials,
        ..
    } = summary;
    let settings = summary.settings.to_string();
    let gap = if settings.is_empty() { "" } else { " " };
    format!("{method}{gap}{settings} ({precision}, {trials} trials)")
}
