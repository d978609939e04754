//! The kernel's exponential.

use core::hint::black_box;

use sadcbo::Scalar;

use super::{Key, Meter};
use crate::data::Data;
use crate::output::Bits;

const CALLS: usize = 256;
const KEY: Key = Key {
    name: "exp",
    observations: None,
    inputs: None,
};

/// A loop with it less the same loop without it, divided by the number of calls.
pub fn run(meter: &mut impl Meter) {
    let mut data = Data::new(2);
    let inputs: [f32; CALLS] = core::array::from_fn(|_| data.between(-20.0, 0.0));
    let (_, without) = meter.count(|| sum(&inputs, |x| x));
    let (total, with) = meter.count(|| sum(&inputs, f32::exp_neg));
    let calls = CALLS as u64;
    meter.figure(KEY, (with.saturating_sub(without) + calls / 2) / calls);
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
