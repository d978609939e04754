//! The exponential of a number that is not positive: the kernel's, and what others offer.

use core::hint::black_box;

use sadcbo::Scalar;

use super::{Key, Meter};
use crate::data::Data;
use crate::output::Bits;

const CALLS: usize = 256;

/// The smallest input of the comparison; a kernel of less than e^-20 does not matter.
pub const SMALLEST: f32 = -20.0;

/// The library's.
pub fn own(x: f32) -> f32 {
    x.exp_neg()
}

/// That of `libm`, which the library uses elsewhere.
pub fn libm(x: f32) -> f32 {
    libm::expf(x)
}

/// The approximate one of feature `micromath`.
pub fn micromath(x: f32) -> f32 {
    micromath::F32(x).exp().0
}

pub fn run(meter: &mut impl Meter) {
    let mut data = Data::new(2);
    let inputs = core::array::from_fn(|_| data.between(SMALLEST, 0.0));
    case(meter, "exp", &inputs, own);
    case(meter, "peer/libm_exp", &inputs, libm);
    case(meter, "peer/micromath_exp", &inputs, micromath);
}

/// A loop with the function less the same loop without it, divided by the number of calls.
fn case(
    meter: &mut impl Meter,
    name: &'static str,
    inputs: &[f32; CALLS],
    function: impl Fn(f32) -> f32,
) {
    let key = Key {
        name,
        observations: None,
        inputs: None,
    };
    let (_, without) = meter.count(|| sum(inputs, |x| x));
    let (total, with) = meter.count(|| sum(inputs, function));
    let calls = CALLS as u64;
    meter.figure(key, (with.saturating_sub(without) + calls / 2) / calls);
    meter.check(key, Bits::of(total));
}

/// The sum of a function over all inputs. Each input passes through memory, so that both loops have the same shape.
fn sum(inputs: &[f32], function: impl Fn(f32) -> f32) -> f32 {
    let mut total = 0.0;
    for &input in inputs {
        total += function(black_box(input));
    }
    total
}
