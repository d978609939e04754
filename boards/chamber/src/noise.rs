//! Random numbers from a seed, the same everywhere.

/// A xorshift generator of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct Noise(u32);

impl Noise {
    /// A stream of its own for every seed, purpose and time: how often others were asked before does not matter.
    pub const fn new(seed: u32, purpose: u32, time: u32) -> Self {
        let mut mixed = seed;
        mixed = mix(mixed ^ purpose);
        mixed = mix(mixed ^ time);
        // A state of 0 would stay 0.
        Self(if mixed == 0 { 1 } else { mixed })
    }

    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// Uniform in [-1/2, 1/2): 24 bits, so exact in single precision.
    fn uniform(&mut self) -> f32 {
        (self.next() >> 8) as f32 / 16_777_216.0 - 0.5
    }

    /// About normal, with mean 0 and variance 1: three uniform numbers, each of variance 1/12.
    pub fn normal(&mut self) -> f32 {
        2.0 * (self.uniform() + self.uniform() + self.uniform())
    }
}

/// Spreads every bit over all others: the last steps of MurmurHash3.
const fn mix(value: u32) -> u32 {
    let mut mixed = value.wrapping_add(0x9e37_79b9);
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    mixed ^ (mixed >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_normal_and_differ() {
        let numbers = (0..20_000).map(|time| Noise::new(1, 2, time).normal());
        let (sum, squares) =
            numbers.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        assert!((sum / 20_000.0).abs() < 0.03, "mean {}", sum / 20_000.0);
        assert!(
            (squares / 20_000.0 - 1.0).abs() < 0.04,
            "variance {}",
            squares / 20_000.0
        );
        assert_ne!(Noise::new(1, 2, 3).normal(), Noise::new(1, 3, 3).normal());
        assert_ne!(Noise::new(1, 2, 3).normal(), Noise::new(2, 2, 3).normal());
    }
}
