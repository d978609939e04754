//! The studies in numbers.

use super::benchmark::by_problem;
use super::markdown::{mean_and_error, p_value, table, words};
use crate::changes::{Change, of_defaults, of_extensions, of_precision};
use crate::method;
use crate::stats::{Estimate, holm};
use crate::summary::Summary;

fn last(cell: &Summary) -> String {
    mean_and_error(Estimate::of(&cell.finals()))
}

/// What changes bring, with Holm's correction among all of them. `names` are the heads of the first two columns, which
/// `name` fills.
fn changes(changes: &[Change], names: [&str; 2], name: impl Fn(&Change) -> [String; 2]) -> String {
    let head = [
        "problem",
        "compared with",
        "changed",
        "difference",
        "95 % interval",
        "p (t, Holm)",
        "trials",
    ];
    let mut rows = vec![words(&names)];
    rows[0].extend(words(&head));
    let tests: Vec<_> = changes.iter().map(Change::test).collect();
    let p = holm(&tests.iter().map(|t| t.p).collect::<Vec<_>>());
    for ((change, test), p) in changes.iter().zip(&tests).zip(p) {
        let mut row = name(change).to_vec();
        row.extend([
            change.base.problem.clone(),
            last(change.base),
            last(change.other),
            format!("{:+.4}", test.difference),
            test.interval(),
            p_value(p),
            change.other.trials.to_string(),
        ]);
        rows.push(row);
    }
    table(&rows)
}

/// Each alternative: its mean difference over the problems, then problem by problem.
pub fn defaults(cells: &[&Summary]) -> String {
    let all = of_defaults(cells);
    let problems: Vec<&str> = by_problem(cells)
        .iter()
        .map(|g| g[0].problem.as_str())
        .collect();
    let mut rows = vec![words(&["choice", "changed to"])];
    rows[0].extend(problems.iter().map(ToString::to_string));
    rows[0].push("mean".to_string());
    let mut names: Vec<(&str, &str)> = Vec::new();
    for change in &all {
        let name = (change.group.as_str(), change.name.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for (group, name) in names {
        let mut row = words(&[group, name]);
        let mut sum = 0.0;
        for problem in &problems {
            let change = all
                .iter()
                .find(|c| c.group == group && c.name == name && c.base.problem == *problem);
            row.push(change.map_or("–".to_string(), |change| {
                let test = change.test();
                sum += test.difference / problems.len() as f64;
                let text = format!("{:+.4} ± {:.4}", test.difference, test.margin);
                if test.p < 0.05 {
                    format!("**{text}**")
                } else {
                    text
                }
            }));
        }
        row.push(format!("{sum:+.4}"));
        rows.push(row);
    }
    let base = cells
        .first()
        .map_or(String::new(), |cell| cell.settings.to_string());
    let base = if base.is_empty() {
        "the library's defaults".to_string()
    } else {
        format!("`{base}`")
    };
    format!(
        "Difference to SADCBO with {base} at full budget, paired by trial; here ± is half the 95 % interval, and bold says \
         that the interval leaves 0 out (no correction for the number of tests). A choice that is the default itself is not \
         listed.\n\n{}<details><summary>In full</summary>\n\n{}</details>\n\n",
        table(&rows),
        changes(&all, ["choice", "changed to"], |change| {
            [change.group.clone(), change.name.clone()]
        })
    )
}

pub fn extensions(cells: &[&Summary]) -> String {
    let name = |change: &Change| {
        let setting = change.other.settings.to_string();
        let setting = if setting.is_empty() {
            "as it is".to_string()
        } else {
            format!("`{setting}`")
        };
        [change.group.clone(), setting]
    };
    "Paired by trial, at full budget. `true-costs`: contexts take the prices in turn and really cost price × (0.5 + distance \
     moved), the configuration says 1 for each. `irrelevant-design`: so many designs do nothing.\n\n"
        .to_string()
        + &changes(&of_extensions(cells), ["extension", "setting"], name)
}

/// Single against double precision at every share of the budget.
pub fn precision(cells: &[&Summary]) -> String {
    let mut rows = vec![words(&[
        "problem",
        "budget",
        "f64",
        "f32",
        "f32 - f64",
        "95 % interval",
        "p (t)",
        "trials",
    ])];
    let mut finals = Vec::new();
    for change in of_precision(cells) {
        finals.push(change.test().p);
        for (index, at) in change.base.best.iter().enumerate().skip(1) {
            let test = change.test_at(index);
            let value = |cell: &Summary| {
                cell.best.get(index).map_or(String::new(), |b| {
                    mean_and_error(Estimate {
                        mean: b.mean,
                        se: b.se,
                    })
                })
            };
            rows.push(vec![
                change.name.clone(),
                format!("{:.0} %", 100.0 * at.fraction),
                value(change.base),
                value(change.other),
                format!("{:+.4}", test.difference),
                test.interval(),
                p_value(test.p),
                change.other.trials.to_string(),
            ]);
        }
    }
    let distinct = holm(&finals).iter().filter(|p| **p < 0.05).count();
    format!(
        "Paired by trial. At full budget the two differ significantly (paired t-test, 5 %, Holm) on {distinct} of {} \
         problems.\n\n{}",
        finals.len(),
        table(&rows)
    )
}

/// First step of the optimisation phase.
pub fn switching(cells: &[&Summary]) -> String {
    let mut rows = vec![words(&["problem"])];
    rows[0].extend(words(&Summary::SWITCH_HEAD));
    rows[0].push("budget spent, mean".to_string());
    for cell in cells {
        let spent: Vec<f64> = cell.switch_fractions.iter().flatten().copied().collect();
        let spent = if spent.is_empty() {
            "–".to_string()
        } else {
            format!("{:.0} %", 100.0 * Estimate::of(&spent).mean)
        };
        let name = format!("{} {}", cell.problem, cell.settings);
        let mut row = vec![name.trim_end().to_string()];
        row.extend(cell.switch_row());
        row.push(spent);
        rows.push(row);
    }
    table(&rows)
}

/// Share of the steps in which each context was selected.
pub fn inclusion(cells: &[&Summary]) -> String {
    let mut rows = vec![words(&[
        "problem",
        "share of the steps in which each context was selected",
    ])];
    for cell in cells {
        let shares = cell.context_names.iter().zip(&cell.inclusion);
        let shares: Vec<String> = shares
            .map(|(name, share)| format!("{name} {share:.2}"))
            .collect();
        rows.push(vec![cell.problem.clone(), shares.join(", ")]);
    }
    table(&rows)
}

/// Final values of each method against one setting.
pub fn ablation(cells: &[&Summary], setting: &str) -> String {
    let mut text = String::new();
    for group in by_problem(cells) {
        let mut values: Vec<&String> = Vec::new();
        let mut methods: Vec<&str> = Vec::new();
        for cell in &group {
            let value = cell.settings.get(setting);
            values.extend(value.filter(|v| !values.contains(v)));
            if !methods.contains(&cell.method.as_str()) {
                methods.push(&cell.method);
            }
        }
        let mut rows = vec![words(&[&format!("{}, {setting} =", group[0].problem)])];
        rows[0].extend(values.iter().map(ToString::to_string));
        for name in methods {
            let mut row = vec![method::title(name).to_string()];
            row.extend(values.iter().map(|value| {
                let cell = group
                    .iter()
                    .find(|c| c.method == name && c.settings.get(setting) == Some(value));
                cell.map_or("–".to_string(), |cell| last(cell))
            }));
            rows.push(row);
        }
        text += &table(&rows);
    }
    format!(
        "Best value at full budget; {} trials each.\n\n{text}",
        least_trials(cells)
    )
}

fn least_trials(cells: &[&Summary]) -> usize {
    cells.iter().map(|cell| cell.trials).min().unwrap_or(0)
}

pub fn hyperparameters(cells: &[&Summary]) -> String {
    let tables = ["eta", "gamma", "q"].map(|setting| {
        let with: Vec<&Summary> = cells
            .iter()
            .filter(|cell| cell.settings.get(setting).is_some())
            .copied()
            .collect();
        ablation(&with, setting)
    });
    tables.concat()
}

/// The criterion beside the best fixed switching times.
pub fn fixed_switch(cells: &[&Summary]) -> String {
    let step = |cell: &Summary| -> Option<usize> {
        cell.settings
            .get("switch")?
            .strip_prefix("at:")?
            .parse()
            .ok()
    };
    let mut fixed: Vec<(usize, &Summary)> = cells
        .iter()
        .filter_map(|cell| Some((step(cell)?, *cell)))
        .collect();
    fixed.sort_by_key(|(step, _)| *step);
    let mut rows = vec![words(&[
        "switch after step",
        "best value at full budget",
        "trials",
    ])];
    let few = |(step, _): &&(usize, &Summary)| *step == 1 || *step % 5 == 0;
    for (step, cell) in fixed.iter().filter(few) {
        rows.push(vec![step.to_string(), last(cell), cell.trials.to_string()]);
    }
    for cell in cells.iter().filter(|cell| step(cell).is_none()) {
        let name = cell
            .settings
            .get("switch")
            .map_or("the criterion", |_| "never");
        rows.push(vec![name.to_string(), last(cell), cell.trials.to_string()]);
    }
    let mean = |cell: &Summary| Estimate::of(&cell.finals()).mean;
    let best = fixed.iter().max_by(|a, b| mean(a.1).total_cmp(&mean(b.1)));
    let best = best.map_or(String::new(), |(step, cell)| {
        format!(
            "The best of {} fixed times is after step {step}: {}.\n\n",
            fixed.len(),
            last(cell)
        )
    });
    format!(
        "Hartmann6D, every fifth of the fixed times.\n\n{}{best}",
        table(&rows)
    )
}
