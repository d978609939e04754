//! Seeded random numbers: every trial has one stream per purpose, so that methods can be paired.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a stream is for. Streams of one seed are unrelated to each other.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// The initial data, and their noise.
    Initial = 1,
    /// What the environment does.
    Context = 2,
    /// The noise of each step.
    Noise = 3,
    /// A method's own choices.
    Method = 4,
}

/// One stream of random numbers.
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        // An odd multiplier is one-to-one: no two pairs of a small seed and a purpose collide.
        let mixed = (seed << 3 | purpose as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// Uniform in [0, 1), 53 bits.
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in 0..count.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.0.next_u64()) * count as u128) >> 64) as usize
    }

    /// Standard normal (Box-Muller; the second value is thrown away so that one call is one value).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// A 32-bit seed for something else.
    pub fn seed(&mut self) -> u32 {
        self.0.next_u32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_uniform_and_normal() {
        let mut stream = Stream::new(1, Purpose::Noise);
        let n = 20_000;
        let uniform: f64 = (0..n).map(|_| stream.uniform()).sum::<f64>() / f64::from(n);
        let normal: Vec<f64> = (0..n).map(|_| stream.normal()).collect();
        let mean = normal.iter().sum::<f64>() / f64::from(n);
        let square = normal.iter().map(|x| x * x).sum::<f64>() / f64::from(n);
        // Five standard errors each.
        assert!((uniform - 0.5).abs() < 5.0 * 0.2887 / 141.4, "{uniform}");
        assert!(mean.abs() < 5.0 / 141.4, "{mean}");
        assert!((square - 1.0).abs() < 5.0 * 1.414 / 141.4, "{square}");
    }

    #[test]
    fn purposes_and_seeds_differ_and_repeat() {
        let first = |seed, purpose| Stream::new(seed, purpose).uniform();
        assert_eq!(first(1, Purpose::Noise), first(1, Purpose::Noise));
        assert_ne!(first(1, Purpose::Noise), first(2, Purpose::Noise));
        assert_ne!(first(1, Purpose::Noise), first(1, Purpose::Context));
    }
}
