//! The chips' side of the bus, after their data sheets.

pub mod bme280;
pub mod hdc302x;

/// The chip does not acknowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nack;
