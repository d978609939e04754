//! The one random generator: xoshiro128++, pinned, with its own stream for every purpose and step.
//!
//! A step draws from streams that depend on the seed, the purpose and the step number only. So a step repeated after a
//! reset draws the same numbers, and a change in how many numbers one stage draws does not disturb another stage.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

use crate::Scalar;

/// What a stream of random numbers is for. The numbers behind the names are part of every recorded run: never change one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The points measured before the surrogate decides anything.
    InitialDesign = 1,
    /// Where the acquisition's maximiser looks first.
    Search = 2,
    /// Base samples of the batch acquisition (eq. dalpha).
    BaseSamples = 3,
    /// Starting points of the hyperparameter fit.
    Fit = 4,
    /// The contexts that the `Dropout` policy leaves out.
    Dropout = 5,
    /// Where the switching criterion looks for its largest upper bound (kappa).
    Switch = 6,
}

/// The generator of one purpose in one step.
///
/// For one seed, different purposes and steps give different generators: the mixing is one-to-one.
pub fn stream(seed: u64, purpose: Purpose, step: u32) -> Xoshiro128PlusPlus {
    let number = (purpose as u64) << 32 | u64::from(step);
    Xoshiro128PlusPlus::seed_from_u64(seed ^ scatter(number))
}

/// A number in [0, 1): one 32-bit draw, of which `f64` keeps all bits and `f32` the upper 24.
///
/// So the two precisions see the same stream, the single value being the double value rounded down.
pub fn uniform<T: Scalar>(generator: &mut impl Rng) -> T {
    T::from_unit_bits(generator.next_u32())
}

/// A number in 0..`count`, from one 32-bit draw; 0 if `count` is 0.
///
/// The probabilities differ by at most `count` 2^-32 of themselves, which nobody can notice for the counts in use here.
pub fn below(generator: &mut impl Rng, count: u32) -> u32 {
    ((u64::from(generator.next_u32()) * u64::from(count)) >> 32) as u32
}

/// One-to-one mixing of 64 bits, so that neighbouring stream numbers give unrelated seeds.
fn scatter(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^= mixed >> 29;
    mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}
