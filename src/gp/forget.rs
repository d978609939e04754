//! Observations taken out again, and which of them says least.

use super::{Gp, inverse};
use crate::{Error, Point, Scalar};

/// An observation that was taken out, and where it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observation<const D: usize, const C: usize, T> {
    row: usize,
    at: Point<D, C, T>,
    output: T,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Gp<N, D, C, T> {
    /// Forgets observation `row` and refactorises; those behind it move one place forward.
    pub fn remove(&mut self, row: usize) -> Result<(), Error> {
        self.take_out(row).ok_or(Error::Empty)?;
        self.factorise()
    }

    /// Takes observation `row` out without computing anything yet; `None` if there is none.
    pub(crate) fn take_out(&mut self, row: usize) -> Option<Observation<D, C, T>> {
        let taken = Observation {
            row,
            at: self.point(row)?,
            output: *self.outputs().get(row)?,
        };
        self.inputs.remove_row(row);
        self.outputs.copy_within(row + 1.., row);
        self.len -= 1;
        self.factored = false;
        Some(taken)
    }

    /// Puts an observation that was taken out back in its place, without computing anything yet.
    pub(crate) fn put_back(&mut self, taken: &Observation<D, C, T>) {
        if self.len >= N {
            return;
        }
        self.inputs.insert_row(taken.row, &taken.at);
        let mut carried = taken.output;
        for place in self.outputs.iter_mut().skip(taken.row) {
            core::mem::swap(place, &mut carried);
        }
        self.len += 1;
        self.factored = false;
    }

    /// The observation, other than the best, that the others predict with the least variance: σ²_i = 1/(K⁻¹)_ii.
    ///
    /// Leaves the inverse where the factor was.
    pub(crate) fn least_informative(&mut self) -> Result<usize, Error> {
        self.ready()?;
        self.factored = false;
        inverse::invert(&mut self.panels, self.len);
        let best = self.best();
        let mut least: Option<(usize, T)> = None;
        for row in (0..self.len).filter(|&row| Some(row) != best) {
            let precision = inverse::inverse_diagonal(&self.panels, self.len, row);
            if least.is_none_or(|(_, highest)| precision > highest) {
                least = Some((row, precision));
            }
        }
        // A capacity of one leaves nothing else to forget.
        Ok(least.map_or(0, |(row, _)| row))
    }
}
