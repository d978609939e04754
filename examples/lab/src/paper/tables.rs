//! The report's tables, as HTML.

use super::curves::methods;
use crate::changes::Change;
use crate::figure::escape;
use crate::method;
use crate::reference;
use crate::run::Finished;
use crate::stats::{Place, paired_t, ranking as rank, wilcoxon};
use crate::summary::Summary;

/// A table with one heading row; cells are HTML.
fn table(caption: &str, rows: &[Vec<String>]) -> String {
    let row = |cells: &Vec<String>, tag: &str| -> String {
        let cells: String = cells
            .iter()
            .map(|cell| format!("<{tag}>{cell}</{tag}>"))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    let Some((head, body)) = rows.split_first() else {
        return String::new();
    };
    let body: String = body.iter().map(|cells| row(cells, "td")).collect();
    format!(
        "<table>\n<caption>{}</caption>\n<thead>{}</thead>\n<tbody>\n{body}</tbody>\n</table>\n",
        escape(caption),
        row(head, "th")
    )
}

fn words(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|c| escape(c)).collect()
}

/// Final values on the same seeds, method by method.
fn finals(group: &[&Finished]) -> Vec<Vec<f64>> {
    let trials = group.iter().map(|r| r.summary.trials).min().unwrap_or(0);
    group
        .iter()
        .map(|r| r.summary.finals()[..trials].to_vec())
        .collect()
}

/// Mean ± standard error per problem and method, with places and whether the first is really first.
pub fn ranking(groups: &[Vec<&Finished>]) -> String {
    let all: Vec<&Finished> = groups.iter().flatten().copied().collect();
    let names = methods(&all);
    let places: Vec<Vec<Place>> = groups.iter().map(|group| rank(&finals(group))).collect();
    let mut rows = vec![words(&["method"])];
    rows[0].extend(groups.iter().map(|g| {
        let trials = g.iter().map(|r| r.summary.trials).min().unwrap_or(0);
        format!(
            "{}<br>{trials} trials",
            escape(&g[0].prepared.problem.title())
        )
    }));
    rows[0].push("mean rank".to_string());
    for name in names {
        let mut row = vec![escape(method::title(name))];
        let mut ranks = Vec::new();
        for (group, places) in groups.iter().zip(&places) {
            let place = places
                .iter()
                .find(|p| group[p.method].summary.method == name);
            row.push(place.map_or("–".to_string(), |place| {
                ranks.push(place.rank);
                let text = format!("{:.3} ± {:.3}", place.estimate.mean, place.estimate.se);
                let text = if place.is_beaten() {
                    text
                } else {
                    format!("<b>{text}</b>")
                };
                format!("{text} <small>({})</small>", place.rank)
            }));
        }
        let mean = ranks.iter().sum::<f64>() / ranks.len().max(1) as f64;
        row.push(format!("{mean:.2}"));
        rows.push(row);
    }
    table(
        "Best value at full budget: mean ± standard error (place). Bold: not distinguishable from the first \
         (paired t-test, Holm's correction, 5 %).",
        &rows,
    )
}

/// SADCBO against each other method: mean paired difference and two p-values.
pub fn pairwise(groups: &[Vec<&Finished>]) -> String {
    let mut rows = vec![words(&[
        "problem",
        "against",
        "difference",
        "95 % interval",
        "p (t)",
        "p (Wilcoxon)",
    ])];
    for group in groups {
        let values = finals(group);
        let Some(own) = group.iter().position(|r| r.summary.method == "sadcbo") else {
            continue;
        };
        for (other, result) in group.iter().enumerate().filter(|(i, _)| *i != own) {
            let test = paired_t(&values[own], &values[other]);
            rows.push(vec![
                escape(&result.prepared.problem.title()),
                escape(method::title(&result.summary.method)),
                format!("{:+.4}", test.difference),
                test.interval(),
                format!("{:.3}", test.p),
                format!("{:.3}", wilcoxon(&values[own], &values[other])),
            ]);
        }
    }
    if rows.len() == 1 {
        return String::new();
    }
    let table = table(
        "SADCBO minus each other method at full budget, paired by trial.",
        &rows,
    );
    format!("<details><summary>SADCBO against each method</summary>\n{table}</details>\n")
}

/// Milliseconds per step, and the published code's.
pub fn speed(groups: &[Vec<&Finished>]) -> String {
    let all: Vec<&Finished> = groups.iter().flatten().copied().collect();
    let mut rows = vec![words(&["method"])];
    rows[0].extend(
        groups
            .iter()
            .map(|g| escape(&g[0].prepared.problem.title())),
    );
    for name in methods(&all) {
        let mut row = vec![escape(method::title(name))];
        row.extend(groups.iter().map(|group| {
            let result = group.iter().find(|r| r.summary.method == name);
            result.map_or("–".to_string(), |r| {
                format!("{:.2}", r.summary.ms_per_step)
            })
        }));
        rows.push(row);
    }
    let mut published = vec!["SADCBO's published code".to_string()];
    published.extend(groups.iter().map(|group| {
        let known = reference::ms_per_step(&group[0].summary.problem);
        known.map_or("–".to_string(), |ms| format!("{ms:.0}"))
    }));
    rows.push(published);
    table(
        "Milliseconds per step (deciding and learning), all threads busy; the published code alone on a core.",
        &rows,
    )
}

/// Switching times in numbers.
pub fn switching(results: &[&Finished]) -> String {
    let mut rows = vec![words(&["problem"])];
    rows[0].extend(words(&Summary::SWITCH_HEAD));
    for result in results {
        let settings = result.summary.settings.to_string();
        let name = format!("{} {settings}", result.prepared.problem.title());
        let mut row = vec![escape(&name)];
        row.extend(result.summary.switch_row());
        rows.push(row);
    }
    table("First step of the optimisation phase.", &rows)
}

/// Inclusion per context in numbers.
pub fn inclusion(results: &[&Finished]) -> String {
    let mut rows = vec![words(&[
        "problem",
        "share of steps in which each context was selected",
    ])];
    for result in results {
        let names = result
            .summary
            .context_names
            .iter()
            .zip(&result.summary.inclusion);
        let shares: Vec<String> = names
            .map(|(name, share)| format!("{} {share:.2}", escape(name)))
            .collect();
        rows.push(vec![
            escape(&result.prepared.problem.title()),
            shares.join(", "),
        ]);
    }
    table("Inclusion probabilities.", &rows)
}

/// Final values against a setting.
pub fn ablation(groups: &[Vec<&Finished>], setting: &str, label: &str) -> String {
    let mut rows = vec![words(&["problem", "method", label, "best value", "trials"])];
    for result in groups.iter().flatten() {
        let Some(best) = result.summary.best.last() else {
            continue;
        };
        let title = result.prepared.problem.title();
        rows.push(vec![
            escape(&title),
            escape(method::title(&result.summary.method)),
            escape(
                result
                    .summary
                    .settings
                    .get(setting)
                    .map_or("–", String::as_str),
            ),
            format!("{:.3} ± {:.3}", best.mean, best.se),
            result.summary.trials.to_string(),
        ]);
    }
    let table = table("Best value at full budget: mean ± standard error.", &rows);
    format!(
        "<details><summary>The numbers: {}</summary>\n{table}</details>\n",
        escape(label)
    )
}

/// What each change brings, in numbers.
pub fn changes(changes: &[Change]) -> String {
    let head = [
        "problem",
        "change",
        "compared with",
        "changed",
        "difference",
        "95 % interval",
        "p (t)",
        "trials",
    ];
    let mut rows = vec![words(&head)];
    for change in changes {
        let test = change.test();
        let value = |summary: &Summary| {
            let best = summary.best.last();
            best.map_or(String::new(), |b| format!("{:.4} ± {:.4}", b.mean, b.se))
        };
        rows.push(vec![
            escape(&change.base.problem),
            escape(&format!("{}: {}", change.group, change.name)),
            value(change.base),
            value(change.other),
            format!("{:+.4}", test.difference),
            test.interval(),
            format!("{:.3}", test.p),
            change.other.trials.to_string(),
        ]);
    }
    table("Best value at full budget, paired by trial.", &rows)
}
