//! A record as a line for a spreadsheet, and the header above the lines.
//!
//! Numbers are printed with as many digits as it takes to read the same number back. What there was not is left empty.

use core::fmt;

use super::record::{Outcome, StepRecord};
use crate::config::Config;
use crate::{Scalar, VarSet};

/// The header above the lines of [`StepRecord::csv`]: see [`Config::csv_header`].
#[derive(Clone, Copy, Debug)]
pub struct CsvHeader<'a, const D: usize, const C: usize, T> {
    config: &'a Config<D, C, T>,
}

/// A record as one line: see [`StepRecord::csv`].
#[derive(Clone, Copy, Debug)]
pub struct CsvLine<'a, const D: usize, const C: usize, T> {
    record: &'a StepRecord<D, C, T>,
}

impl<const D: usize, const C: usize, T: Scalar> Config<D, C, T> {
    /// The names of the columns of [`StepRecord::csv`], without a line break.
    pub const fn csv_header(&self) -> CsvHeader<'_, D, C, T> {
        CsvHeader { config: self }
    }
}

impl<const D: usize, const C: usize, T: Scalar> StepRecord<D, C, T> {
    /// The record as a line of comma-separated values, without a line break, for a spreadsheet or a plot.
    ///
    /// It has no hyperparameters, so it is not enough for [`replay`](crate::Controller::replay): that is what serde is
    /// for.
    pub const fn csv(&self) -> CsvLine<'_, D, C, T> {
        CsvLine { record: self }
    }
}

impl<const D: usize, const C: usize, T: Scalar> fmt::Display for CsvHeader<'_, D, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("step,outcome,phase,next phase,cost,remaining,result,expected,uncertainty")?;
        for design in &self.config.design {
            f.write_str(",")?;
            column(f, design.name, "", design.unit)?;
        }
        for context in &self.config.context {
            for part in [" ambient", " asked", " applied"] {
                f.write_str(",")?;
                column(f, context.name, part, context.unit)?;
            }
            for part in [" relevance", " selected", " actuated"] {
                f.write_str(",")?;
                column(f, context.name, part, "")?;
            }
        }
        f.write_str(",regret bound,switch threshold")
    }
}

impl<const D: usize, const C: usize, T: Scalar> fmt::Display for CsvLine<'_, D, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = self.record;
        let outcome = match record.outcome {
            Outcome::Observed => "observed",
            Outcome::Failed => "failed",
            Outcome::Rejected => "rejected",
            Outcome::Given => "given",
        };
        write!(
            f,
            "{},{outcome},{},{},{},",
            record.step, record.phase, record.next_phase, record.cost
        )?;
        let left = record.remaining_milli;
        let sign = if left < 0 { "-" } else { "" };
        let (units, milli) = (left.unsigned_abs() / 1000, left.unsigned_abs() % 1000);
        write!(f, "{sign}{units}.{milli:03}")?;
        let measured = matches!(record.outcome, Outcome::Observed | Outcome::Given);
        number(f, measured.then_some(record.output))?;
        number(f, record.forecast.map(|forecast| forecast.mean))?;
        number(f, record.forecast.map(|forecast| forecast.std_dev))?;
        for value in record.applied.design {
            number(f, Some(value))?;
        }
        let contexts = record.ambient.iter().zip(record.asked.context);
        let contexts = contexts.zip(record.applied.context).zip(record.relevance);
        for (index, (((&ambient, asked), applied), relevance)) in contexts.enumerate() {
            for value in [ambient, asked, applied, relevance] {
                number(f, Some(value))?;
            }
            let flag = |set: VarSet| u8::from(set.contains(index));
            write!(f, ",{},{}", flag(record.selected), flag(record.actuated))?;
        }
        number(f, record.switch.map(|figures| figures.bound))?;
        number(f, record.switch.map(|figures| figures.threshold))
    }
}

fn number<T: Scalar>(f: &mut fmt::Formatter<'_>, value: Option<T>) -> fmt::Result {
    match value {
        Some(value) => write!(f, ",{value}"),
        None => f.write_str(","),
    }
}

/// A name in quotes, with its unit; quotes within are doubled.
fn column(f: &mut fmt::Formatter<'_>, name: &str, part: &str, unit: &str) -> fmt::Result {
    f.write_str("\"")?;
    quoted(f, name)?;
    f.write_str(part)?;
    if !unit.is_empty() {
        f.write_str(" [")?;
        quoted(f, unit)?;
        f.write_str("]")?;
    }
    f.write_str("\"")
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for (index, piece) in text.split('"').enumerate() {
        if index > 0 {
            f.write_str("\"\"")?;
        }
        f.write_str(piece)?;
    }
    Ok(())
}
