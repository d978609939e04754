//! What the instruction counts are about.
//!
//! Each case takes its inputs through `black_box` inside the measured section, and the meter does the same with the
//! result: otherwise the compiler would move arithmetic out of the section, or drop it.

pub mod exponential;
mod factorisation;
mod step;
mod surrogate;

use core::fmt;

use crate::output::Bits;

/// The name of a figure, such as `append/64x7`.
#[derive(Clone, Copy)]
pub struct Key {
    pub name: &'static str,
    /// Number of observations; none for a figure that does not depend on it.
    pub observations: Option<usize>,
    /// Number of inputs, design and context together; none for a figure that does not depend on it.
    pub inputs: Option<usize>,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if let Some(observations) = self.observations {
            write!(f, "/{observations}")?;
        }
        if let Some(inputs) = self.inputs {
            write!(f, "x{inputs}")?;
        }
        Ok(())
    }
}

/// Who counts: the board its instructions, the host nothing.
pub trait Meter {
    /// Runs `work` and returns its result with the number of instructions that it took.
    fn count<R>(&mut self, work: impl FnOnce() -> R) -> (R, u64);
    /// Instructions since the start; only differences mean something.
    fn now(&mut self) -> u64;
    /// Takes note of a number of instructions or bytes.
    fn figure(&mut self, key: impl fmt::Display, value: u64);
    /// Takes note of a number that must be the same on the host: it proves that the work was done, and rightly.
    fn check(&mut self, key: impl fmt::Display, bits: Bits);
}

/// Runs all cases.
pub fn run(meter: &mut impl Meter) {
    exponential::run(meter);
    factorisation::run(meter);
    surrogate::run(meter);
    step::run(meter);
}
