//! Who is first on each problem, by how much, and how surely.

use super::markdown::{mean_and_error, p_value, table, words};
use crate::compare::difference;
use crate::method;
use crate::reference;
use crate::stats::{Estimate, holm, ranking as rank, wilcoxon};
use crate::summary::Summary;

/// The published curve on Hartmann4D, ten repetitions: share of the budget of 160, cost and value.
const PUBLISHED: [(f64, f64, f64); 3] =
    [(0.25, 40.0, 0.905), (0.5, 80.0, 0.974), (1.0, 160.0, 0.988)];

pub fn page(cells: &[&Summary]) -> String {
    let groups = by_problem(cells);
    verdict(&groups)
        + "### Best value by share of the budget\n\n"
        + &ranking(cells)
        + "### In physical units\n\n"
        + &physical(&groups)
        + "### SADCBO against each method\n\n"
        + &pairwise(&groups)
        + "### Hartmann4D beside the published curve\n\n"
        + &published(cells)
        + "### Milliseconds per step\n\n"
        + &speed(&groups)
}

/// Results of the same problem together, in order of appearance.
pub fn by_problem<'a>(cells: &[&'a Summary]) -> Vec<Vec<&'a Summary>> {
    let mut groups: Vec<Vec<&Summary>> = Vec::new();
    for cell in cells {
        match groups.iter_mut().find(|g| g[0].problem == cell.problem) {
            Some(group) => group.push(cell),
            None => groups.push(vec![cell]),
        }
    }
    groups
}

/// Final values on the trials that all methods have.
fn finals(group: &[&Summary]) -> Vec<Vec<f64>> {
    let trials = group.iter().map(|cell| cell.trials).min().unwrap_or(0);
    group
        .iter()
        .map(|cell| cell.finals()[..trials].to_vec())
        .collect()
}

/// SADCBO's place on each problem, and on how many it is first or as good as first.
fn verdict(groups: &[Vec<&Summary>]) -> String {
    let mut rows = vec![words(&[
        "problem",
        "trials",
        "SADCBO",
        "place",
        "first",
        "its value",
        "behind by",
        "verdict",
    ])];
    let mut good = 0;
    for group in groups {
        let values = finals(group);
        let places = rank(&values);
        let own = places.iter().find(|p| group[p.method].method == "sadcbo");
        let (Some(own), Some(first)) = (own, places.first()) else {
            continue;
        };
        let behind = first.estimate.mean - own.estimate.mean;
        let pairs = values[first.method].iter().zip(&values[own.method]);
        let paired = Estimate::of(&pairs.map(|(a, b)| a - b).collect::<Vec<_>>());
        let verdict = if behind <= 0.0 {
            "first"
        } else if behind <= first.estimate.se {
            "within one standard error"
        } else if own.is_beaten() {
            "beaten"
        } else {
            "behind, not significantly"
        };
        good += usize::from(behind <= first.estimate.se);
        rows.push(vec![
            group[0].problem.clone(),
            values[0].len().to_string(),
            mean_and_error(own.estimate),
            format!("{} of {}", own.rank, group.len()),
            method::title(&group[first.method].method).to_string(),
            mean_and_error(first.estimate),
            format!("{behind:.4} ± {:.4}", paired.se),
            verdict.to_string(),
        ]);
    }
    let count = rows.len() - 1;
    format!(
        "SADCBO is first, or within one standard error of the first (the first's own), on **{good} of {count}** problems at \
         full budget. \"Behind by\" has the standard error of the paired difference. \"Beaten\" is a paired t-test against the first at 5 % with Holm's correction.\n\n{}",
        table(&rows)
    )
}

/// Every method of every problem at each share of the budget, best first.
pub fn ranking(cells: &[&Summary]) -> String {
    let mut rows = vec![words(&[
        "problem", "method", "start", "25 %", "50 %", "75 %", "100 %", "trials",
    ])];
    for group in by_problem(cells) {
        let mut order = group.clone();
        let last = |cell: &Summary| cell.best.last().map_or(f64::NAN, |best| best.mean);
        order.sort_by(|a, b| last(b).total_cmp(&last(a)));
        for cell in order {
            let mut row = vec![cell.problem.clone(), bold_if_own(cell)];
            row.extend(cell.best.iter().map(|at| {
                mean_and_error(Estimate {
                    mean: at.mean,
                    se: at.se,
                })
            }));
            row.push(cell.trials.to_string());
            rows.push(row);
        }
    }
    table(&rows)
}

/// Best values at full budget of the problems that have a unit, each trial turned into it before the mean.
fn physical(groups: &[Vec<&Summary>]) -> String {
    let mut rows = vec![words(&[
        "problem",
        "unit",
        "methods, best scaled value first",
    ])];
    for group in groups {
        let mut order = group.clone();
        let last = |cell: &Summary| cell.best.last().map_or(f64::NAN, |best| best.mean);
        order.sort_by(|a, b| last(b).total_cmp(&last(a)));
        let values: Vec<String> = order
            .iter()
            .filter_map(|cell| {
                let physical = cell.physical.as_ref()?;
                let value = format!("{:.2} ± {:.2}", physical.mean, physical.se);
                Some(format!("{} {value}", method::title(&cell.method)))
            })
            .collect();
        let unit = order
            .iter()
            .find_map(|cell| Some(cell.physical.as_ref()?.unit.clone()));
        if let Some(unit) = unit {
            rows.push(vec![group[0].problem.clone(), unit, values.join(", ")]);
        }
    }
    "At full budget. Alanine is an energy, to be made small; the others are to be made large.\n\n"
        .to_string()
        + &table(&rows)
}

fn bold_if_own(cell: &Summary) -> String {
    let title = method::title(&cell.method);
    if cell.method == "sadcbo" {
        format!("**{title}**")
    } else {
        title.to_string()
    }
}

/// Paired differences at full budget; p-values corrected by Holm among the methods of a problem.
fn pairwise(groups: &[Vec<&Summary>]) -> String {
    let mut rows = vec![words(&[
        "problem",
        "against",
        "difference",
        "95 % interval",
        "p (t)",
        "p (Wilcoxon)",
    ])];
    for group in groups {
        let Some(own) = group.iter().position(|cell| cell.method == "sadcbo") else {
            continue;
        };
        let values = finals(group);
        let others: Vec<usize> = (0..group.len()).filter(|i| *i != own).collect();
        let last = group[own].best.len() - 1;
        let tests: Vec<_> = others
            .iter()
            .map(|&i| difference(group[i], group[own], last))
            .collect();
        let by_t = holm(&tests.iter().map(|t| t.p).collect::<Vec<_>>());
        let by_rank: Vec<f64> = others
            .iter()
            .map(|&i| wilcoxon(&values[own], &values[i]))
            .collect();
        let by_rank = holm(&by_rank);
        for (place, (&i, test)) in others.iter().zip(&tests).enumerate() {
            rows.push(vec![
                group[i].problem.clone(),
                method::title(&group[i].method).to_string(),
                format!("{:+.4}", test.difference),
                test.interval(),
                p_value(by_t[place]),
                p_value(by_rank[place]),
            ]);
        }
    }
    format!(
        "SADCBO minus the other at full budget, paired by trial; p-values with Holm's correction among the methods of a \
         problem.\n\n{}",
        table(&rows)
    )
}

/// SADCBO on Hartmann4D at the costs of the published curve.
fn published(cells: &[&Summary]) -> String {
    let own = cells
        .iter()
        .find(|cell| cell.problem == "hartmann4" && cell.method == "sadcbo");
    let Some(own) = own.filter(|cell| cell.noise_sd == 0.01) else {
        return "Not run at the noise of the published curve, standard deviation 0.01.\n\n"
            .to_string();
    };
    let mut rows = vec![words(&[
        "cost",
        "published",
        "SADCBO here",
        "difference",
        "reached",
    ])];
    for (fraction, cost, published) in PUBLISHED {
        let Some(at) = own.best.iter().find(|at| at.fraction == fraction) else {
            continue;
        };
        rows.push(vec![
            cost.to_string(),
            format!("{published:.3}"),
            mean_and_error(Estimate {
                mean: at.mean,
                se: at.se,
            }),
            format!("{:+.4}", at.mean - published),
            if at.mean >= published { "yes" } else { "no" }.to_string(),
        ]);
    }
    format!(
        "{} trials here, 10 repetitions there; noise of standard deviation 0.01 in both.\n\n{}",
        own.trials,
        table(&rows)
    )
}

/// Time per step of each method, and of the published code.
fn speed(groups: &[Vec<&Summary>]) -> String {
    let mut methods: Vec<&str> = Vec::new();
    for cell in groups.iter().flatten() {
        if !methods.contains(&cell.method.as_str()) {
            methods.push(&cell.method);
        }
    }
    let mut rows = vec![words(&["method"])];
    rows[0].extend(groups.iter().map(|group| group[0].problem.clone()));
    for name in methods {
        let mut row = vec![method::title(name).to_string()];
        row.extend(groups.iter().map(|group| {
            let cell = group.iter().find(|cell| cell.method == name);
            cell.map_or("–".to_string(), |cell| format!("{:.2}", cell.ms_per_step))
        }));
        rows.push(row);
    }
    let mut published = words(&["SADCBO's published code"]);
    let mut ratio = words(&["SADCBO here is faster by"]);
    for group in groups {
        let theirs = reference::ms_per_step(&group[0].problem);
        let own = group
            .iter()
            .find(|cell| cell.method == "sadcbo")
            .map(|cell| cell.ms_per_step);
        published.push(theirs.map_or("–".to_string(), |ms| format!("{ms:.0}")));
        let times = theirs
            .zip(own)
            .map(|(theirs, own)| format!("{:.0} times", theirs / own));
        ratio.push(times.unwrap_or("–".to_string()));
    }
    rows.extend([published, ratio]);
    format!(
        "Deciding and learning, wall clock, all cores busy, mean over runs; the published code in CPU milliseconds, mean of \
         start, middle and end of a run on an idle core.\n\n{}",
        table(&rows)
    )
}
