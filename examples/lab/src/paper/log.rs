//! What was run when, on what and for how long: `log.jsonl` beside the report.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

const LOG: &str = "log.jsonl";

/// One call of `paper` that ran something to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    pub command: String,
    /// Seconds since 1970.
    pub begun: u64,
    pub seconds: f64,
    /// How many were not there yet.
    pub trials: usize,
    pub machine: String,
}

impl Session {
    /// A session that begins now.
    pub fn begin(trials: usize) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let words: Vec<String> = std::env::args().skip(1).map(without_place).collect();
        Self {
            command: format!("cargo lab {}", words.join(" ")),
            begun: now.map_or(0, |since| since.as_secs()),
            seconds: 0.0,
            trials,
            machine: machine(),
        }
    }

    /// Adds it to the log.
    pub fn store(&self, directory: &Path) -> Result<()> {
        let path = directory.join(LOG);
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        writeln!(file, "{}", serde_json::to_string(self)?)
            .with_context(|| path.display().to_string())
    }

    /// The day on which it began, in UTC.
    pub fn date(&self) -> String {
        let [year, month, day] = civil((self.begun / 86_400) as i64);
        format!("{year:04}-{month:02}-{day:02}")
    }
}

/// The sessions of a directory, oldest first; none if there is no log.
pub fn read(directory: &Path) -> Result<Vec<Session>> {
    let path = directory.join(LOG);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path)?;
    let sessions = text.lines().map(serde_json::from_str);
    let sessions: Result<Vec<Session>, _> = sessions.collect();
    sessions.with_context(|| path.display().to_string())
}

/// A command's word, but not where things are on this machine.
fn without_place(word: String) -> String {
    match word.split_once('=') {
        Some((option, place)) if place.starts_with('/') => format!("{option}=DIR"),
        None if word.starts_with('/') => "DIR".to_string(),
        _ => word,
    }
}

/// Processor and number of cores.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or(std::env::consts::ARCH, |m| {
        m.trim_start_matches([' ', '\t', ':'])
    });
    let system = std::env::consts::OS;
    format!("{model}, {cores} cores, {system}")
}

/// Year, month and day of a number of days since 1970, by the Gregorian calendar.
fn civil(days: i64) -> [i64; 3] {
    // Years begin in March here, so that the leap day is the last: 146 097 days in 400 years.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    [era * 400 + year_of_era + i64::from(month <= 2), month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        assert_eq!(civil(0), [1970, 1, 1]);
        assert_eq!(civil(11_016), [2000, 2, 29]);
        assert_eq!(civil(20_775), [2026, 11, 18]);
    }

    #[test]
    fn places_stay_out_of_the_log() {
        let clean = |word: &str| without_place(word.to_string());
        assert_eq!(clean("/some/where"), "DIR");
        assert_eq!(clean("--data=/some/where"), "--data=DIR");
        assert_eq!(clean("eta=0.8"), "eta=0.8");
        assert_eq!(clean("target/lab"), "target/lab");
    }
}
