//! Figures of what a change brings: differences with their intervals.

use super::tables;
use crate::changes::{Change, of_defaults, of_extensions, of_precision};
use crate::figure::{Figure, Mark, Panel, Style, of_series};
use crate::run::Finished;
use crate::summary::Summary;

/// Each alternative to each open choice, a panel per problem.
pub fn defaults(results: &[&Finished]) -> String {
    let changes = of_defaults(&summaries(results));
    let titles = super::curves::by_problem(results);
    let panels = titles.iter().map(|group| {
        let own: Vec<&Change> = changes
            .iter()
            .filter(|c| c.base.problem == group[0].summary.problem)
            .collect();
        panel(
            group[0].prepared.problem.title(),
            "alternative",
            &own,
            &groups(&changes),
        )
    });
    let groups = groups(&changes);
    let legend = groups.iter().map(|group| {
        let style = Style {
            width: 0.0,
            ..style_of(group, &groups)
        };
        (group.clone(), style)
    });
    draw(
        "What each alternative changes",
        legend.collect(),
        panels.collect(),
        &changes,
    )
}

/// Each extension, a panel each.
pub fn extensions(results: &[&Finished]) -> String {
    let changes = of_extensions(&summaries(results));
    let names = groups(&changes);
    let panels = names.iter().map(|name| {
        let own: Vec<&Change> = changes.iter().filter(|c| c.group == *name).collect();
        panel(name.clone(), "problem", &own, &names)
    });
    draw(
        "What each extension changes",
        Vec::new(),
        panels.collect(),
        &changes,
    )
}

/// Single against double precision.
pub fn precision(results: &[&Finished]) -> String {
    let changes = of_precision(&summaries(results));
    let own: Vec<&Change> = changes.iter().collect();
    let panel = panel(
        "f32 minus f64".to_string(),
        "problem",
        &own,
        &groups(&changes),
    );
    draw(
        "What single precision changes",
        Vec::new(),
        vec![panel],
        &changes,
    )
}

fn summaries<'a>(results: &[&'a Finished]) -> Vec<&'a Summary> {
    results.iter().map(|r| &r.summary).collect()
}

/// The kinds of change, in order of appearance.
fn groups(changes: &[Change]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for change in changes {
        if !names.contains(&change.group) {
            names.push(change.group.clone());
        }
    }
    names
}

fn style_of(group: &str, groups: &[String]) -> Style {
    of_series(groups.iter().position(|g| g == group).unwrap_or(0))
}

/// Differences with their 95 % intervals around a line at 0.
fn panel(title: String, label: &str, changes: &[&Change], groups: &[String]) -> Panel {
    let last = changes.len() as f64 - 0.4;
    let zero = Style {
        width: 1.2,
        marker: crate::figure::Marker::None,
        ..of_series(6)
    };
    let mut marks = vec![Mark::Line {
        points: vec![[-0.6, 0.0], [last, 0.0]],
        style: zero,
        every: 2,
    }];
    for (place, change) in changes.iter().enumerate() {
        let test = change.test();
        let style = style_of(&change.group, groups);
        let x = place as f64;
        // An interval from a single trial has no end.
        let margin = if test.margin.is_finite() {
            test.margin
        } else {
            0.0
        };
        marks.push(Mark::Errors {
            points: vec![[x, test.difference - margin, test.difference + margin]],
            style,
        });
        marks.push(Mark::Points {
            points: vec![[x, test.difference]],
            style,
        });
    }
    let names = changes.iter().enumerate();
    Panel {
        title,
        x_label: label.to_string(),
        y_label: "difference of best value".to_string(),
        x_range: Some([-0.6, last]),
        x_names: names.map(|(i, c)| (i as f64, c.name.clone())).collect(),
        marks,
        ..Panel::default()
    }
}

fn draw(
    description: &str,
    legend: Vec<(String, Style)>,
    panels: Vec<Panel>,
    changes: &[Change],
) -> String {
    let figure = Figure {
        description: description.to_string(),
        legend,
        columns: panels.len().clamp(1, 2),
        panels,
    };
    figure.svg() + &tables::changes(changes)
}
