//! Problems that can be asked only at the rows of a table.
//!
//! The rule of a round, the same for every method: no row is asked twice. The day's context is that of
//! one open row. The candidates are the [`NEAREST`] open rows nearest to it in the contexts that are not
//! actuated; all open rows if every context is actuated.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use super::{Problem, Variable};
use crate::data;

/// How many rows count as having the day's context.
pub const NEAREST: usize = 20;

/// One row on the unit cube, with its scaled value.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub design: Vec<f64>,
    pub context: Vec<f64>,
    pub value: f64,
}

/// The rows that a problem consists of; never empty.
pub struct Pool {
    pub rows: Vec<Row>,
}

/// The rows that have not been asked yet.
pub struct Remaining<'a> {
    pool: &'a Pool,
    open: Vec<bool>,
}

impl<'a> Remaining<'a> {
    pub fn new(pool: &'a Pool) -> Self {
        let open = vec![true; pool.rows.len()];
        Self { pool, open }
    }

    pub fn pool(&self) -> &'a Pool {
        self.pool
    }

    pub fn is_open(&self, row: usize) -> bool {
        self.open.get(row).is_some_and(|open| *open)
    }

    pub fn is_empty(&self) -> bool {
        !self.open.contains(&true)
    }

    pub fn close(&mut self, row: usize) {
        self.open[row] = false;
    }

    /// The open row whose context is nearest to `context`.
    pub fn nearest(&self, context: &[f64]) -> Option<usize> {
        let nobody = vec![false; context.len()];
        self.by_distance(context, &nobody).first().copied()
    }

    /// The rows that may be asked on a day of context `ambient` with these contexts actuated.
    pub fn candidates(&self, ambient: &[f64], actuated: &[bool]) -> Vec<usize> {
        let mut rows = self.by_distance(ambient, actuated);
        if actuated.contains(&false) {
            rows.truncate(NEAREST);
        }
        rows.sort_unstable();
        rows
    }

    /// Open rows, nearest first in the contexts not actuated; equal distances in the table's order.
    fn by_distance(&self, ambient: &[f64], actuated: &[bool]) -> Vec<usize> {
        let distance = |row: usize| -> f64 {
            let coordinates = self.pool.rows[row]
                .context
                .iter()
                .zip(ambient)
                .zip(actuated);
            let fixed = coordinates.filter(|(_, actuated)| !**actuated);
            fixed.map(|((a, b), _)| (a - b).powi(2)).sum()
        };
        let mut rows: Vec<(f64, usize)> = (0..self.open.len())
            .filter(|&row| self.open[row])
            .map(|row| (distance(row), row))
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

/// What one table brings.
pub struct Table {
    pub name: &'static str,
    pub title: &'static str,
    pub file: &'static str,
    /// Where the file comes from, said when it is missing.
    pub source: &'static str,
    /// How many rows the file must have.
    pub rows: usize,
    pub design: Vec<Variable>,
    pub context: Vec<Variable>,
    /// Whether the file's inputs are already on the unit cube.
    pub unit_inputs: bool,
    pub output_unit: &'static str,
}

/// A [`Table`] with its rows.
pub struct Tabulated {
    table: Table,
    pool: Pool,
    lowest: f64,
    highest: f64,
}

impl Tabulated {
    /// Reads the table: design columns, context columns, output, under one header line.
    pub fn read(table: Table, data: Option<&Path>) -> Result<Self> {
        let path = data::find(table.file, data, table.source)?;
        let mut reader =
            csv::Reader::from_path(&path).with_context(|| path.display().to_string())?;
        let variables: Vec<&Variable> = table.design.iter().chain(&table.context).collect();
        let mut raw: Vec<(Vec<f64>, f64)> = Vec::with_capacity(table.rows);
        for record in reader.deserialize::<Vec<f64>>() {
            let mut record = record.with_context(|| path.display().to_string())?;
            ensure!(
                record.len() == variables.len() + 1 && record.iter().all(|v| v.is_finite()),
                "{}, data row {}: {} finite numbers expected",
                path.display(),
                raw.len() + 1,
                variables.len() + 1
            );
            let output = record.pop().unwrap_or(f64::NAN);
            if !table.unit_inputs {
                for (value, variable) in record.iter_mut().zip(&variables) {
                    *value = (*value - variable.lo) / (variable.hi - variable.lo);
                }
            }
            raw.push((record, output));
        }
        ensure!(
            raw.len() == table.rows,
            "{} has {} rows, not {}",
            path.display(),
            raw.len(),
            table.rows
        );
        let lowest = raw.iter().map(|(_, y)| *y).fold(f64::INFINITY, f64::min);
        let highest = raw
            .iter()
            .map(|(_, y)| *y)
            .fold(f64::NEG_INFINITY, f64::max);
        let rows = raw.into_iter().map(|(mut design, y)| {
            let context = design.split_off(table.design.len());
            let value = (y - lowest) / (highest - lowest);
            Row {
                design,
                context,
                value,
            }
        });
        let pool = Pool {
            rows: rows.collect(),
        };
        Ok(Self {
            table,
            pool,
            lowest,
            highest,
        })
    }
}

impl Problem for Tabulated {
    fn name(&self) -> &'static str {
        self.table.name
    }

    fn title(&self) -> String {
        self.table.title.to_string()
    }

    fn design(&self) -> &[Variable] {
        &self.table.design
    }

    fn context(&self) -> &[Variable] {
        &self.table.context
    }

    /// The value of the nearest row; the trial loop asks only at rows, where this is exact.
    fn value(&self, design: &[f64], context: &[f64]) -> f64 {
        let distance = |row: &Row| -> f64 {
            let own = row.design.iter().chain(&row.context);
            own.zip(design.iter().chain(context))
                .map(|(a, b)| (a - b).powi(2))
                .sum()
        };
        let nearest = self
            .pool
            .rows
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(0.0, |row| row.value)
    }

    fn physical(&self, value: f64) -> (f64, &'static str) {
        (
            self.lowest + value * (self.highest - self.lowest),
            self.table.output_unit,
        )
    }

    fn optimum(&self) -> (Vec<f64>, Vec<f64>) {
        let best = self
            .pool
            .rows
            .iter()
            .max_by(|a, b| a.value.total_cmp(&b.value));
        best.map(|row| (row.design.clone(), row.context.clone()))
            .unwrap_or_default()
    }

    fn pool(&self) -> Option<&Pool> {
        Some(&self.pool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Pool {
        let row = |x: f64, z: [f64; 2]| Row {
            design: vec![x],
            context: z.to_vec(),
            value: x,
        };
        let mut rows: Vec<Row> = (0..30).map(|i| row(i as f64 / 30.0, [0.9, 0.9])).collect();
        rows[7].context = vec![0.1, 0.9];
        rows[8].context = vec![0.1, 0.1];
        Pool { rows }
    }

    #[test]
    fn an_observed_day_offers_the_nearest_rows_only() {
        let pool = pool();
        let mut remaining = Remaining::new(&pool);
        let offered = remaining.candidates(&[0.1, 0.1], &[false, false]);
        assert_eq!(offered.len(), NEAREST);
        assert!(offered.contains(&7) && offered.contains(&8));
        assert_eq!(remaining.nearest(&[0.1, 0.1]), Some(8));
        remaining.close(8);
        assert_eq!(remaining.nearest(&[0.1, 0.1]), Some(7));
        assert!(
            !remaining
                .candidates(&[0.1, 0.1], &[false, false])
                .contains(&8)
        );
    }

    #[test]
    fn actuated_contexts_do_not_restrict_the_rows() {
        let pool = pool();
        let remaining = Remaining::new(&pool);
        assert_eq!(remaining.candidates(&[0.1, 0.1], &[true, true]).len(), 30);
        // Only the second context counts: row 8 alone is at 0.1, the others tie in the table's order.
        let offered = remaining.candidates(&[0.9, 0.1], &[true, false]);
        assert_eq!(offered, (0..20).collect::<Vec<_>>());
        assert!(offered.contains(&8));
    }
}
