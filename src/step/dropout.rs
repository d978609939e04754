//! Stage of the `Dropout` policy: a random half of the contexts, new each step.

use rand_core::Rng;

use crate::VarSet;
use crate::math::rng::below;

/// ⌈`count`/2⌉ of the contexts `0..count`, each such set with the same probability; `count` is at most 32.
///
/// One draw per context, in order: it is taken with probability (still wanted) / (still left).
pub fn random_half(generator: &mut impl Rng, count: u32) -> VarSet {
    let mut wanted = count.div_ceil(2);
    let mut set = VarSet::EMPTY;
    for (index, left) in (1..=count).rev().enumerate() {
        if below(generator, left) < wanted {
            set = set.with(index);
            wanted -= 1;
        }
    }
    set
}
