//! Several samples into one value.

/// How many samples make one value. Odd, so that the median is one of them; two wild ones cannot move it.
pub const WINDOW: usize = 5;

/// A value made of several samples.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Reading {
    /// Their median.
    pub value: f32,
    /// Largest less smallest: how far the value can be trusted.
    pub spread: f32,
}

/// The median of the last [`WINDOW`] samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Median {
    samples: [f32; WINDOW],
    next: usize,
    len: usize,
}

impl Median {
    /// Takes a sample in; the oldest one goes.
    pub fn push(&mut self, sample: f32) {
        if let Some(place) = self.samples.get_mut(self.next) {
            *place = sample;
        }
        self.next = (self.next + 1) % WINDOW;
        self.len = (self.len + 1).min(WINDOW);
    }

    /// Forgets all samples.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The value, once there are enough samples.
    pub fn reading(&self) -> Option<Reading> {
        if self.len < WINDOW {
            return None;
        }
        let mut sorted = self.samples;
        sorted.sort_unstable_by(f32::total_cmp);
        let [smallest, _, value, _, largest] = sorted;
        Some(Reading {
            value,
            spread: largest - smallest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_wild_samples_do_not_move_it() {
        let mut median = Median::default();
        for sample in [20.1, 20.2, 90.0, 20.0] {
            median.push(sample);
            assert_eq!(median.reading(), None);
        }
        median.push(-40.0);
        assert_eq!(
            median.reading(),
            Some(Reading {
                value: 20.1,
                spread: 130.0
            })
        );
    }

    #[test]
    fn the_oldest_sample_goes() {
        let mut median = Median::default();
        for sample in [9.0, 9.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
            median.push(sample);
        }
        assert_eq!(median.reading().map(|reading| reading.value), Some(3.0));
        median.clear();
        assert_eq!(median.reading(), None);
    }
}
