//! Figures about SADCBO itself and about the setting of the experiments.

use super::curves::{by_problem, methods};
use super::{sobol, tables};
use crate::figure::{Figure, Mark, Marker, Panel, Style, of_method, of_series};
use crate::method;
use crate::run::Finished;
use crate::stats::Estimate;

const BINS: usize = 20;

/// Fixed switching times are shown up to here, as in the paper.
const NEVER_UNTIL: f64 = 100.0;

/// Histograms of the share of the budget spent at the switch.
pub fn switching(results: &[&Finished]) -> String {
    let panels = results
        .iter()
        .map(|r| switch_panel(r, r.prepared.problem.title()));
    let figure = Figure {
        description: "Histograms of switching times".to_string(),
        legend: Vec::new(),
        columns: 2,
        panels: panels.collect(),
    };
    figure.svg() + &tables::switching(results)
}

/// The same for Ackley with more and more contexts.
pub fn relevant_share(results: &[&Finished]) -> String {
    let panels = results.iter().map(|r| {
        let design = r.prepared.problem.design().len();
        switch_panel(r, format!("{} of 5 coordinates are contexts", 5 - design))
    });
    let figure = Figure {
        description: "Switching times against the share of relevant contexts".to_string(),
        legend: Vec::new(),
        columns: 2,
        panels: panels.collect(),
    };
    figure.svg() + &tables::switching(results)
}

fn switch_panel(result: &Finished, title: String) -> Panel {
    let fractions: Vec<f64> = result
        .summary
        .switch_fractions
        .iter()
        .flatten()
        .copied()
        .collect();
    let never = result.summary.trials - fractions.len();
    let mut counts = [0usize; BINS];
    for fraction in &fractions {
        counts[((fraction * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let width = 100.0 / BINS as f64;
    let bars = counts.iter().enumerate().map(|(i, &count)| {
        let left = i as f64 * width;
        [left, left + width - 0.4, count as f64]
    });
    let mut marks = vec![Mark::Bars {
        bars: bars.collect(),
        colour: of_method("sadcbo").colour,
    }];
    if !fractions.is_empty() {
        marks.push(Mark::Upright {
            x: 100.0 * Estimate::of(&fractions).mean,
            label: "mean".to_string(),
            style: Style {
                dash: Some([5.0, 3.0]),
                width: 1.4,
                ..of_series(5)
            },
        });
    }
    let highest = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let note = if never == 0 {
        String::new()
    } else {
        format!(" (never in {never})")
    };
    Panel {
        title: title + &note,
        x_label: "budget spent at the switch (%)".to_string(),
        y_label: "trials".to_string(),
        x_range: Some([0.0, 100.0]),
        // High enough that the ticks are whole trials.
        y_range: Some([0.0, (highest * 1.15).max(5.0)]),
        marks,
        ..Panel::default()
    }
}

/// Inclusion probability per context, beside Sobol's total index.
pub fn inclusion(results: &[&Finished]) -> String {
    let selected = of_method("sadcbo");
    let index = Style {
        width: 0.0,
        ..of_series(0)
    };
    let panels = results.iter().map(|result| {
        let summary = &result.summary;
        let bars = summary.inclusion.iter().enumerate();
        let bars = bars
            .map(|(i, &p)| [i as f64 - 0.35, i as f64 + 0.35, p])
            .collect();
        let mut marks = vec![Mark::Bars {
            bars,
            colour: selected.colour,
        }];
        if let Some(total) = sobol::total(&summary.problem, &summary.context_names) {
            let points = total
                .iter()
                .enumerate()
                .map(|(i, &s)| [i as f64, s])
                .collect();
            marks.push(Mark::Points {
                points,
                style: index,
            });
        }
        let names = summary.context_names.iter().enumerate();
        Panel {
            title: result.prepared.problem.title(),
            x_label: "context variable".to_string(),
            y_label: "share of steps; index".to_string(),
            x_range: Some([-0.6, summary.context_names.len() as f64 - 0.4]),
            y_range: Some([0.0, 1.05]),
            x_names: names.map(|(i, name)| (i as f64, name.clone())).collect(),
            marks,
        }
    });
    let figure = Figure {
        description: "Inclusion probability of each context".to_string(),
        legend: vec![
            ("inclusion probability".to_string(), bar_sample(selected)),
            ("total Sobol index (exact)".to_string(), index),
        ],
        columns: 2,
        panels: panels.collect(),
    };
    figure.svg() + &tables::inclusion(results)
}

/// A legend entry for bars: a thick line.
fn bar_sample(style: Style) -> Style {
    Style {
        width: 10.0,
        marker: Marker::None,
        ..style
    }
}

/// Final value against the number of irrelevant contexts.
pub fn irrelevant(results: &[&Finished]) -> String {
    ablation(results, "irrelevant", "irrelevant contexts")
}

/// Final value against the cost of a context.
pub fn costs(results: &[&Finished]) -> String {
    ablation(results, "context-cost", "cost of one context")
}

/// Final value per method against one setting, a panel per problem; values evenly spaced.
fn ablation(results: &[&Finished], setting: &str, label: &str) -> String {
    let groups = by_problem(results);
    let panels = groups.iter().map(|group| {
        let values = values_of(group, setting);
        let mut marks = Vec::new();
        let names = methods(group);
        for (place, name) in names.iter().enumerate() {
            let own: Vec<&&Finished> = group.iter().filter(|r| r.summary.method == *name).collect();
            let at = |value: &String| {
                own.iter()
                    .find(|r| r.summary.settings.get(setting) == Some(value))
            };
            let found: Vec<Option<&Finished>> = values.iter().map(|v| at(v).map(|r| **r)).collect();
            let dodge = place as f64 - 0.5 * (names.len() as f64 - 1.0);
            marks.extend(series(&found, 0.04 * dodge, of_method(name)));
        }
        let title = group[0].prepared.problem.title();
        Panel {
            // The number of irrelevant contexts is what varies here.
            title: title.split(" + ").next().unwrap_or(&title).to_string(),
            ..against(&values, label, marks)
        }
    });
    let figure = Figure {
        description: format!("Best value at full budget against {label}"),
        legend: methods(results)
            .iter()
            .map(|m| (method::title(m).to_string(), of_method(m)))
            .collect(),
        columns: 2,
        panels: panels.collect(),
    };
    figure.svg() + &tables::ablation(&groups, setting, label)
}

/// Final value of SADCBO against eta, gamma and Q; a line per problem.
pub fn hyperparameters(results: &[&Finished]) -> String {
    let groups = by_problem(results);
    let symbols = [
        ("eta", "η, share of the sensitivity to cover"),
        ("gamma", "γ, ratio to the best value"),
        ("q", "Q, fresh candidates"),
    ];
    let with = |setting: &str| -> Vec<&Finished> {
        results
            .iter()
            .filter(|r| r.summary.settings.get(setting).is_some())
            .copied()
            .collect()
    };
    let panels = symbols.iter().map(|(setting, label)| {
        let values = values_of(&with(setting), setting);
        let mut marks = Vec::new();
        for (index, group) in groups.iter().enumerate() {
            let at = |value: &String| {
                group
                    .iter()
                    .find(|r| r.summary.settings.get(setting) == Some(value))
            };
            let found: Vec<Option<&Finished>> = values.iter().map(|v| at(v).copied()).collect();
            let dodge = index as f64 - 0.5 * (groups.len() as f64 - 1.0);
            marks.extend(series(&found, 0.04 * dodge, of_series(index)));
        }
        Panel {
            title: label.split(',').next().unwrap_or(label).to_string(),
            ..against(&values, label, marks)
        }
    });
    let titles = groups.iter().enumerate();
    let figure = Figure {
        description: "Best value at full budget against SADCBO's parameters".to_string(),
        legend: titles
            .map(|(i, g)| (g[0].prepared.problem.title(), of_series(i)))
            .collect(),
        columns: 2,
        panels: panels.collect(),
    };
    let tables = symbols.map(|(setting, label)| {
        let with = with(setting);
        tables::ablation(&by_problem(&with), setting, label)
    });
    figure.svg() + &tables.concat()
}

/// Final value with the switch at fixed steps, and where the criterion put it.
pub fn fixed_switch(results: &[&Finished]) -> String {
    let step = |r: &Finished| -> Option<f64> {
        r.summary
            .settings
            .get("switch")?
            .strip_prefix("at:")?
            .parse()
            .ok()
    };
    let mut fixed: Vec<(f64, Estimate)> = results
        .iter()
        .filter_map(|r| Some((step(r)?, Estimate::of(&r.summary.finals()))))
        .collect();
    let last = fixed.iter().map(|(step, _)| *step).fold(0.0, f64::max);
    let never = results.iter().find(|r| {
        r.summary
            .settings
            .get("switch")
            .is_some_and(|s| s == "never")
    });
    // A switch that is fixed for later than the last step never comes: the same run for every such time.
    if let Some(never) = never {
        let value = Estimate::of(&never.summary.finals());
        fixed.extend([(last + 1.0, value), (NEVER_UNTIL, value)]);
    }
    let style = of_series(0);
    let band = fixed
        .iter()
        .map(|(s, e)| [*s, e.mean - 2.0 * e.se, e.mean + 2.0 * e.se]);
    let mut marks = vec![
        Mark::Band {
            points: band.collect(),
            style,
        },
        Mark::Line {
            points: fixed.iter().map(|(s, e)| [*s, e.mean]).collect(),
            style,
            every: 1,
        },
    ];
    let criterion = results
        .iter()
        .find(|r| r.summary.settings.get("switch").is_none());
    let mut legend = vec![("switch at a fixed step".to_string(), style)];
    if let Some(criterion) = criterion {
        // Its colour, with another marker than the line that it stands on.
        let own = Style {
            marker: Marker::Diamond,
            ..of_method("sadcbo")
        };
        let steps = criterion
            .summary
            .switch_steps
            .iter()
            .flatten()
            // The first step of the second phase is the one after the switch.
            .map(|s| *s as f64 - 1.0);
        let mean = Estimate::of(&steps.collect::<Vec<_>>()).mean;
        let Estimate { mean: best, se } = Estimate::of(&criterion.summary.finals());
        marks.push(Mark::Errors {
            points: vec![[mean, best - 2.0 * se, best + 2.0 * se]],
            style: own,
        });
        marks.push(Mark::Points {
            points: vec![[mean, best]],
            style: own,
        });
        legend.push(("SADCBO's criterion, at its mean step".to_string(), own));
    }
    let panel = Panel {
        title: "Hartmann6D + 6".to_string(),
        x_label: "step after which the switch comes (81 to 100: never)".to_string(),
        y_label: "best value (optimum 1)".to_string(),
        marks,
        ..Panel::default()
    };
    let figure = Figure {
        description: "Best value at full budget against a fixed switching time".to_string(),
        legend,
        columns: 1,
        panels: vec![panel],
    };
    figure.svg()
}

/// The values that a setting takes among results, in order of appearance.
fn values_of(results: &[&Finished], setting: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for value in results
        .iter()
        .filter_map(|r| r.summary.settings.get(setting))
    {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    values
}

/// Mean ± 2 standard errors of the final value at each place, moved aside so that bars do not hide each other.
fn series(results: &[Option<&Finished>], aside: f64, style: Style) -> Vec<Mark> {
    let estimate = |r: &Finished| Estimate::of(&r.summary.finals());
    let found = results
        .iter()
        .enumerate()
        .filter_map(|(i, r)| r.map(|r| (i as f64 + aside, estimate(r))));
    let found: Vec<(f64, Estimate)> = found.collect();
    vec![
        Mark::Errors {
            points: found
                .iter()
                .map(|(x, e)| [*x, e.mean - 2.0 * e.se, e.mean + 2.0 * e.se])
                .collect(),
            style,
        },
        Mark::Line {
            points: found.iter().map(|(x, e)| [*x, e.mean]).collect(),
            style,
            every: 1,
        },
    ]
}

/// A panel whose x axis has these values, evenly spaced.
fn against(values: &[String], label: &str, marks: Vec<Mark>) -> Panel {
    Panel {
        x_label: label.to_string(),
        y_label: "best value (optimum 1)".to_string(),
        x_range: Some([-0.3, values.len() as f64 - 0.7]),
        x_names: values
            .iter()
            .enumerate()
            .map(|(i, v)| (i as f64, v.clone()))
            .collect(),
        marks,
        ..Panel::default()
    }
}
