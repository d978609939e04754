//! Inputs that are the same everywhere.

use sadcbo::Point;

/// A linear congruential generator: a few integer instructions, no floating point that could differ.
pub struct Data(u64);

impl Data {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number of [0, 1), a multiple of 2^-24 and so exact in either precision.
    pub fn unit(&mut self) -> f32 {
        // Multiplier and increment of Knuth's MMIX; the high bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / 16_777_216.0
    }

    /// The next number of [low, high).
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }
}

/// Observations of a smooth function of some of its inputs, with a little noise.
pub struct Experiment<const D: usize, const C: usize> {
    data: Data,
}

impl<const D: usize, const C: usize> Experiment<D, C> {
    pub const fn new(seed: u64) -> Self {
        Self {
            data: Data::new(seed),
        }
    }

    /// The next point and what is measured there.
    pub fn observe(&mut self) -> (Point<D, C>, f32) {
        let mut at = Point::ORIGIN;
        for coordinate in at.iter_mut() {
            *coordinate = self.data.unit();
        }
        // A bump over every other input; the inputs between them do not matter.
        let mut output = 0.1 * self.data.unit();
        for coordinate in at.iter().step_by(2) {
            let distance = coordinate - 0.4;
            output -= distance * distance;
        }
        (at, output)
    }
}
