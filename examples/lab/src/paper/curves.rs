//! Best value against cost, one panel per problem, one line per method.

use super::tables;
use crate::figure::{Figure, Mark, Panel, of_method};
use crate::method;
use crate::run::Finished;
use crate::stats::{Estimate, best_at};

/// Points along the cost axis.
const POINTS: usize = 60;

/// Curves, ranking and speed.
pub fn benchmark(results: &[&Finished]) -> String {
    let grouped = by_problem(results);
    let figure = Figure {
        description: "Best value found against cumulative cost".to_string(),
        legend: methods(results)
            .iter()
            .map(|m| (method::title(m).to_string(), of_method(m)))
            .collect(),
        columns: 2,
        panels: grouped.iter().map(|group| panel(group)).collect(),
    };
    let tables = [
        tables::ranking(&grouped),
        tables::pairwise(&grouped),
        tables::speed(&grouped),
    ];
    figure.svg() + &tables.concat()
}

/// Results of the same problem together, in order of appearance.
pub fn by_problem<'a>(results: &[&'a Finished]) -> Vec<Vec<&'a Finished>> {
    let mut groups: Vec<Vec<&Finished>> = Vec::new();
    for result in results {
        let same = |group: &&mut Vec<&Finished>| group[0].summary.problem == result.summary.problem;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(result),
            None => groups.push(vec![result]),
        }
    }
    groups
}

/// The methods among the results, in order of appearance.
pub fn methods<'a>(results: &[&'a Finished]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for result in results {
        let name = result.summary.method.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn panel(group: &[&Finished]) -> Panel {
    let mut bands = Vec::new();
    let mut lines = Vec::new();
    for result in group {
        let style = of_method(&result.summary.method);
        let budget = result.summary.budget;
        let estimates: Vec<(f64, Estimate)> = (0..=POINTS)
            .map(|i| {
                let cost = budget * i as f64 / POINTS as f64;
                let best: Vec<f64> = result
                    .trials
                    .iter()
                    .map(|t| best_at(t.curve(), cost))
                    .collect();
                (cost, Estimate::of(&best))
            })
            .collect();
        bands.push(Mark::Band {
            points: estimates
                .iter()
                .map(|(c, e)| [*c, e.mean - 2.0 * e.se, e.mean + 2.0 * e.se])
                .collect(),
            style,
        });
        lines.push(Mark::Line {
            points: estimates.iter().map(|(c, e)| [*c, e.mean]).collect(),
            style,
            every: 10,
        });
    }
    // SADCBO is drawn last, on top.
    let last = group.iter().position(|r| r.summary.method == "sadcbo");
    if let Some(last) = last {
        let line = lines.remove(last);
        lines.push(line);
    }
    bands.extend(lines);
    Panel {
        title: group[0].prepared.problem.title(),
        x_label: "cumulative cost (variables set)".to_string(),
        y_label: "best value (optimum 1)".to_string(),
        x_range: Some([0.0, group[0].summary.budget]),
        marks: bands,
        ..Panel::default()
    }
}
