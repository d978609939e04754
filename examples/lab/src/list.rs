//! `list`: what there is.

use std::path::Path;

use crate::contexts::Law;
use crate::cost::Cost;
use crate::method::{METHODS, SETTINGS_HELP};
use crate::problems;
use crate::protocol::Protocol;
use crate::settings::Settings;
use crate::table;

/// Problems and methods as a text.
pub fn text(data: Option<&Path>) -> String {
    let head = [
        "problem",
        "title",
        "design",
        "context",
        "relevant",
        "rows",
        "initial",
        "budget",
        "step cost",
        "noise sd",
    ];
    let mut problems = vec![head.map(str::to_string).to_vec()];
    let mut missing = Vec::new();
    for name in problems::NAMES {
        match problem(name, data) {
            Ok(row) => problems.push(row),
            Err(reason) => {
                problems.push(vec![name.to_string(), "(no data)".to_string()]);
                missing.push(format!("{name}: {reason}\n"));
            }
        }
    }
    let mut methods = vec![vec!["method".to_string(), "what it does".to_string()]];
    methods.extend(
        METHODS
            .iter()
            .map(|m| vec![m.name.to_string(), m.about.to_string()]),
    );
    format!(
        "{}\nStep cost: recording only - actuating every context. Settings of problems (--set): irrelevant, \
         irrelevant-design, design (ackley5),\ninitial, budget, context-cost, true-costs=PRICE[,PRICE...]: contexts take \
         the prices in turn and really cost\nprice * (0.5 + distance moved), whatever methods are told.\n{}\n{}\nSettings of methods (--set), random has none:\n{SETTINGS_HELP}\n",
        table::text(&problems),
        missing.concat(),
        table::text(&methods)
    )
}

fn problem(name: &str, data: Option<&Path>) -> anyhow::Result<Vec<String>> {
    let problem = problems::by_name(name, &mut Settings::default(), data)?;
    let noise_sd = problem.default_noise_sd();
    let protocol = Protocol::new(
        problem.as_ref(),
        noise_sd,
        Law::Uniform,
        &mut Settings::default(),
    )?;
    let every: Cost = protocol.context_costs.iter().copied().sum();
    Ok(vec![
        name.to_string(),
        problem.title(),
        problem.design().len().to_string(),
        problem.context().len().to_string(),
        problem.relevant().to_string(),
        problem
            .pool()
            .map_or("any".to_string(), |pool| pool.rows.len().to_string()),
        protocol.initial.to_string(),
        protocol.budget.to_string(),
        format!(
            "{} - {}",
            protocol.design_cost,
            protocol.design_cost + every
        ),
        noise_sd.to_string(),
    ])
}
