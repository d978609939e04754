//! `results`: what the stored runs of `paper` came to, as a page for the repository.

mod benchmark;
mod markdown;
mod studies;
mod time;

use std::path::Path;

use anyhow::{Result, ensure};

use crate::paper::{self, Request, log};
use crate::store::replace;
use crate::summary::Summary;
use markdown::Prose;

/// Results of one section.
struct Found {
    id: &'static str,
    cells: Vec<Summary>,
    /// Experiments of the section that have no result yet.
    absent: usize,
}

impl Found {
    fn cells(&self) -> Vec<&Summary> {
        self.cells.iter().collect()
    }
}

/// Writes the page from what is on disk. What stands between a page's prose marks is kept.
pub fn execute(request: &Request, page: &Path, date: Option<&str>) -> Result<String> {
    let found: Vec<Found> = paper::stored(request)?
        .into_iter()
        .map(|(id, cells, absent)| Found { id, cells, absent })
        .collect();
    ensure!(
        found.iter().any(|section| !section.cells.is_empty()),
        "{} has no result of these settings",
        request.out.display()
    );
    let before = if page.exists() {
        std::fs::read_to_string(page)?
    } else {
        String::new()
    };
    let sessions = log::read(&request.out)?;
    let text = text(request, &found, &sessions, date, &Prose::of(&before));
    replace(page, text.as_bytes())?;
    Ok(format!("{}\n", page.display()))
}

fn text(
    request: &Request,
    found: &[Found],
    sessions: &[log::Session],
    date: Option<&str>,
    prose: &Prose,
) -> String {
    let mut page = String::from("# What the lab found\n\n");
    page += &format!(
        "Written by `cargo lab results`; only the text between prose marks is by hand, and stays. Precision {} unless \
         said otherwise. Values are noiseless and scaled, the optimum is 1; ± is one standard error.\n\n",
        request.precision
    );
    page += &prose.slot("summary");
    page += "\n## How it was made\n\n";
    page += &time::sessions(sessions, date);
    for section in found.iter().filter(|section| !section.cells.is_empty()) {
        let cells = section.cells();
        let (title, body) = match section.id {
            "benchmark" => ("The eight problems", benchmark::page(&cells)),
            "switching" => ("When SADCBO switches", studies::switching(&cells)),
            "inclusion" => ("Which contexts SADCBO selects", studies::inclusion(&cells)),
            "irrelevant" => (
                "More irrelevant contexts",
                studies::ablation(&cells, "irrelevant"),
            ),
            "costs" => (
                "Dearer and cheaper contexts",
                studies::ablation(&cells, "context-cost"),
            ),
            "hyperparameters" => ("SADCBO's own parameters", studies::hyperparameters(&cells)),
            "fixed-switch" => ("Fixed switching times", studies::fixed_switch(&cells)),
            "relevant-share" => (
                "Switching time against the share of relevant contexts",
                studies::switching(&cells),
            ),
            "saas" => ("A sparse surrogate", benchmark::ranking(&cells)),
            "defaults" => ("The defaults", studies::defaults(&cells)),
            "extensions" => ("Beyond the paper", studies::extensions(&cells)),
            _ => ("Single and double precision", studies::precision(&cells)),
        };
        page += &format!(
            "\n## {title}\n\n`cargo lab paper --sections {}`\n\n",
            section.id
        );
        if section.absent > 0 {
            page += &format!(
                "{} experiments of this section were not run.\n\n",
                section.absent
            );
        }
        page += &body;
        page += &prose.slot(section.id);
    }
    page += "\n## Time\n\n";
    page += &time::page(found);
    page += &prose.slot("time");
    page
}
