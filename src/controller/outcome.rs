//! What a controller hands back beside decisions and records.

use crate::step::decision::Decision;
use crate::{Error, Point};

/// The best observation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "T: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de> + Copy + Default"
    ))
)]
pub struct Best<const D: usize, const C: usize, T = f32> {
    /// Where it was made, in physical units.
    pub point: Point<D, C, T>,
    /// Its result.
    pub output: T,
}

/// A result that was not taken, with its decision, so that it can be reported again.
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NotTaken<const D: usize, const C: usize, T = f32> {
    /// Why.
    pub error: Error,
    /// The decision that still waits for its result.
    pub decision: Decision<D, C, T>,
}

impl<const D: usize, const C: usize, T> From<NotTaken<D, C, T>> for Error {
    fn from(not_taken: NotTaken<D, C, T>) -> Self {
        not_taken.error
    }
}

impl<const D: usize, const C: usize, T> core::fmt::Display for NotTaken<D, C, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.error.fmt(f)
    }
}

impl<const D: usize, const C: usize, T: core::fmt::Debug> core::error::Error for NotTaken<D, C, T> {}
