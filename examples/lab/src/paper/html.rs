//! The page around the figures: one file that needs nothing else.

use super::{Request, Section};
use crate::figure::escape;

const STYLE: &str = "
body { font-family: Helvetica, Arial, 'DejaVu Sans', sans-serif; line-height: 1.45; color: #222;
  max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
svg { width: 100%; height: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.75rem; margin: 1rem 0; display: block; overflow-x: auto; }
caption { text-align: left; padding-bottom: 0.4rem; color: #444; }
th, td { padding: 0.25rem 0.4rem; text-align: left; border-bottom: 1px solid #ddd; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; } td:last-child { white-space: normal; }
small { color: #666; } summary { cursor: pointer; } nav a { margin-right: 1rem; }
@media print { body { max-width: none; } section { break-inside: auto; } svg { break-inside: avoid; max-height: 21cm; }
  h2, section > p { break-after: avoid; } section > p { break-inside: avoid; }
  table { font-size: 0.5rem; } th, td { padding: 0.15rem 0.2rem; } }
";

pub fn section(section: &Section, content: &str) -> String {
    format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n<p>{}</p>\n{content}</section>\n",
        section.id,
        escape(section.title),
        escape(section.about)
    )
}

/// The whole page; notes come first.
pub fn page(request: &Request, sections: &str, notes: &[String]) -> String {
    let noise = request
        .noise_sd
        .map_or("the default of each problem".to_string(), |sd| {
            format!("sd {sd}")
        });
    let settings = request.settings.to_string();
    let settings = if settings.is_empty() {
        "the library's defaults".to_string()
    } else {
        settings
    };
    let notes: String = notes
        .iter()
        .map(|n| format!("<p><em>{}</em></p>\n", escape(n)))
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>SADCBO: the paper's evaluation</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>SADCBO: the paper's evaluation</h1>\n\
         <p>{} trials of each synthetic experiment, at most {} of each real-world one; {}; noise: {}; settings: {}. \
         Trial k has the same initial data, contexts and noise for every method. Costs are counted in variables \
         set; a step that overdraws the budget does not count. Pool problems (Portfolio, Yacht): no row twice; the \
         day's context is that of a random open row; candidates are the 20 open rows nearest to it in the contexts \
         that are not actuated.</p>\n{notes}{sections}</body>\n</html>\n",
        request.trials,
        request.real_trials,
        request.precision,
        escape(&noise),
        escape(&settings)
    )
}
