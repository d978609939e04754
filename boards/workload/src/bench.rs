//! What the instruction counts are about.
//!
//! Each case takes its inputs through `black_box` inside the measured section and hands its result to the meter, which
//! does the same: otherwise the compiler would move arithmetic out of the section, or drop it.

use core::fmt;
use core::hint::black_box;

use nalgebra::{Cholesky, SMatrix};
use sadcbo::Scalar;

use crate::data::Data;
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
    /// Takes note of a count.
    fn instructions(&mut self, key: Key, count: u64);
    /// Takes note of a number that must be the same on the host: it proves that the work was done, and rightly.
    fn check(&mut self, key: Key, bits: Bits);

    /// Counts `work`, whose result is the number to be checked.
    fn measure<T: Scalar>(&mut self, key: Key, work: impl FnOnce() -> T) {
        let (result, count) = self.count(work);
        self.instructions(key, count);
        self.check(key, Bits::of(result));
    }
}

/// Runs all cases.
pub fn run(meter: &mut impl Meter) {
    exponential(meter);
    nalgebra_cholesky::<16>(meter);
    nalgebra_cholesky::<32>(meter);
    nalgebra_cholesky::<64>(meter);
    nalgebra_cholesky::<128>(meter);
}

/// The kernel's exponential: a loop with it less the same loop without it, divided by the number of calls.
fn exponential(meter: &mut impl Meter) {
    const CALLS: usize = 256;
    const KEY: Key = Key {
        name: "exp",
        observations: None,
        inputs: None,
    };
    let mut data = Data::new(2);
    let inputs: [f32; CALLS] = core::array::from_fn(|_| data.between(-20.0, 0.0));
    let (_, without) = meter.count(|| sum(&inputs, |x| x));
    let (total, with) = meter.count(|| sum(&inputs, f32::exp_neg));
    let calls = CALLS as u64;
    meter.instructions(KEY, (with.saturating_sub(without) + calls / 2) / calls);
    meter.check(KEY, Bits::of(total));
}

/// The sum of a function over all inputs. Each input passes through memory, so that both loops have the same shape.
fn sum(inputs: &[f32], function: impl Fn(f32) -> f32) -> f32 {
    let mut total = 0.0;
    for &input in inputs {
        total += function(black_box(input));
    }
    total
}

/// Nalgebra's factorisation of a kernel matrix. It takes the matrix by value, which is part of the count.
fn nalgebra_cholesky<const N: usize>(meter: &mut impl Meter) {
    let key = Key {
        name: "nalgebra_cholesky",
        observations: Some(N),
        inputs: None,
    };
    let matrix = SMatrix::<f32, N, N>::from_fn(kernel_entry);
    // The sum is taken inside, because handing out the factor would copy it once more.
    meter.measure(key, || {
        Cholesky::new(*black_box(&matrix)).map_or(0.0, |factor| factor.l_dirty().diagonal().sum())
    });
}

/// A squared exponential kernel matrix on a line, with a noise variance of 0.1.
fn kernel_entry(row: usize, column: usize) -> f32 {
    let distance = (row as f32 - column as f32) / 8.0;
    (-0.5 * distance * distance).exp_neg() + if row == column { 0.1 } else { 0.0 }
}
