//! Tables and kept prose of a Markdown page.

use std::collections::HashMap;

use crate::stats::Estimate;

/// A table; the first row is its head.
pub fn table(rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let Some((head, body)) = rows.split_first() else {
        return String::new();
    };
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    let body: String = body.iter().map(|row| line(row)).collect();
    line(head) + &rule + &body + "\n"
}

/// A row of words.
pub fn words(cells: &[&str]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

pub fn mean_and_error(estimate: Estimate) -> String {
    format!("{:.4} ± {:.4}", estimate.mean, estimate.se)
}

/// A p-value that does not pretend to be 0.
pub fn p_value(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_string()
    } else {
        format!("{p:.3}")
    }
}

/// Text by hand, kept from one writing of the page to the next, by the name of its place.
pub struct Prose(HashMap<String, String>);

const BEGIN: &str = "<!-- prose: ";
const END: &str = "<!-- end of prose -->";

impl Prose {
    /// What an earlier page has between its marks.
    pub fn of(page: &str) -> Self {
        let mut kept = HashMap::new();
        for part in page.split(BEGIN).skip(1) {
            if let Some((name, rest)) = part.split_once(" -->\n")
                && let Some((text, _)) = rest.split_once(END)
            {
                kept.insert(name.to_string(), text.to_string());
            }
        }
        Self(kept)
    }

    /// The marks of a place with what was kept between them.
    pub fn slot(&self, name: &str) -> String {
        let text = self.0.get(name).map_or("", String::as_str);
        format!("{BEGIN}{name} -->\n{text}{END}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_survives() {
        let page = Prose::of("").slot("time");
        assert_eq!(Prose::of(&page).slot("time"), page);
        let written = page.replace(END, &format!("It was late.\n\nVery late.\n{END}"));
        assert_eq!(Prose::of(&written).slot("time"), written);
        assert_eq!(
            Prose::of(&written).slot("other"),
            Prose::of("").slot("other")
        );
    }

    #[test]
    fn tables_have_a_head() {
        let rows = [words(&["a", "b"]), words(&["1", "2"])];
        assert_eq!(table(&rows), "| a | b |\n|---|---|\n| 1 | 2 |\n\n");
    }
}
