//! What was run, and how long it took.

use super::Found;
use super::markdown::{table, words};
use crate::paper::log::Session;
use crate::paper::{EIGHT, SYNTHETIC};
use crate::summary::Summary;

/// Machine, date and the commands with their times.
pub fn sessions(sessions: &[Session], date: Option<&str>) -> String {
    let mut machines: Vec<&str> = sessions.iter().map(|s| s.machine.as_str()).collect();
    machines.dedup();
    let logged = sessions.last().map(Session::date);
    let date = date
        .map(str::to_string)
        .or(logged)
        .unwrap_or("unknown".to_string());
    let machine = if machines.is_empty() {
        "unknown".to_string()
    } else {
        machines.join("; ")
    };
    let mut rows = vec![words(&["command", "trials run", "minutes"])];
    for session in sessions {
        rows.push(vec![
            format!("`{}`", session.command),
            session.trials.to_string(),
            format!("{:.1}", session.seconds / 60.0),
        ]);
    }
    let commands = if sessions.is_empty() {
        String::new()
    } else {
        table(&rows)
    };
    format!("Machine: {machine}. Date: {date}.\n\n{commands}")
}

/// Time of each section, and of what there are targets for.
pub fn page(found: &[Found]) -> String {
    let minutes = |cells: &[&Summary]| cells.iter().map(|cell| cell.seconds).sum::<f64>() / 60.0;
    let trials = |cells: &[&Summary]| cells.iter().map(|cell| cell.trials).sum::<usize>();
    let mut rows = vec![words(&[
        "section",
        "experiments",
        "trials",
        "minutes of one core",
        "on two cores",
    ])];
    for section in found.iter().filter(|section| !section.cells.is_empty()) {
        let cells = section.cells();
        rows.push(vec![
            section.id.to_string(),
            cells.len().to_string(),
            trials(&cells).to_string(),
            format!("{:.1}", minutes(&cells)),
            format!("{:.1}", minutes(&cells) / 2.0),
        ]);
    }
    let mut compared: Vec<&Summary> = Vec::new();
    let all = found
        .iter()
        .filter(|section| ["benchmark", "saas"].contains(&section.id));
    for cell in all.flat_map(Found::cells) {
        let same = |other: &&Summary| other.problem == cell.problem && other.method == cell.method;
        if !compared.iter().any(same) {
            compared.push(cell);
        }
    }
    // What so many trials of every method take, from the mean time of a trial.
    let scaled = |problems: &[&str], count: f64| -> f64 {
        let cells = compared
            .iter()
            .filter(|cell| problems.contains(&cell.problem.as_str()));
        cells
            .map(|cell| cell.seconds / cell.trials.max(1) as f64 * count / 60.0)
            .sum::<f64>()
            / 2.0
    };
    let targets = format!(
        "On two cores, from the mean time of a trial: the four synthetic problems with all methods (the SAAS surrogates \
         included) and 100 trials take {:.1} minutes (target 40); all eight with 10 trials take {:.1} minutes (target \
         60).\n\n",
        scaled(&SYNTHETIC, 100.0),
        scaled(&EIGHT, 10.0)
    );
    let note = "Sections share experiments: a time may be counted in more than one row.\n\n";
    table(&rows) + note + &targets
}
