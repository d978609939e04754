//! Stage: which observations are among the best so far, the paper's D^γ (eq. dgamma).

use crate::Scalar;

/// What makes an observation one of the best so far.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EliteRule<T = f32> {
    /// y - y_min >= γ (y_best - y_min): the share γ of the range seen so far, whatever sign and offset the outputs have.
    /// All observations if they are equal.
    MinMax(T),
    /// y >= γ y_best, as the paper prints it; [`MinMax`](Self::MinMax) while y_best is not positive, where a ratio has no
    /// meaning.
    Ratio(T),
    /// The best ⌊fraction · n⌋ of n observations by rank, as the paper's reference code does with 0.2. Of equal outputs
    /// the older counts as the better.
    TopFraction(T),
}

impl<T: Scalar> Default for EliteRule<T> {
    /// `MinMax` with γ = 0.8.
    fn default() -> Self {
        Self::MinMax(T::from_f64(0.8))
    }
}

/// The best of these outputs, older ones first.
pub fn elite<T: Scalar>(rule: EliteRule<T>, outputs: &[T]) -> Elite<T> {
    let lowest = outputs.iter().copied().reduce(T::min).unwrap_or(T::ZERO);
    let best = outputs.iter().copied().reduce(T::max).unwrap_or(T::ZERO);
    match rule {
        EliteRule::Ratio(gamma) if best > T::ZERO => Elite::above(T::ZERO, gamma * best),
        EliteRule::MinMax(gamma) | EliteRule::Ratio(gamma) => {
            Elite::above(lowest, gamma * (best - lowest))
        }
        EliteRule::TopFraction(fraction) => {
            Elite::top(outputs, whole_part(fraction, outputs.len()))
        }
    }
}

/// ⌊fraction · count⌋, forgiving the rounding of a fraction such as 0.2 that has no exact binary form.
fn whole_part<T: Scalar>(fraction: T, count: usize) -> usize {
    let exact = fraction * T::from_count(count);
    let forgiving = exact + exact * (T::EPSILON + T::EPSILON);
    (1..=count)
        .take_while(|&whole| T::from_count(whole) <= forgiving)
        .count()
}

/// The best observations as a condition on a row: three numbers, not a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elite<T> {
    origin: T,
    threshold: T,
    /// Of the rows that just reach the threshold, the rows before this one belong to the set.
    ties_before: usize,
}

impl<T: Scalar> Elite<T> {
    /// Rows with y - origin >= threshold. Kept as a difference, so that the best row always passes for γ <= 1.
    fn above(origin: T, threshold: T) -> Self {
        Self {
            origin,
            threshold,
            ties_before: usize::MAX,
        }
    }

    /// The `wanted` largest; of equal ones the first. O(n²) comparisons, no memory.
    fn top(outputs: &[T], wanted: usize) -> Self {
        let better = |row: usize, y: T| {
            let ahead = |&(other, &value): &(usize, &T)| value > y || (value == y && other < row);
            outputs.iter().enumerate().filter(ahead).count()
        };
        let mut rows = outputs.iter().copied().enumerate();
        let last = rows.find(|&(row, y)| better(row, y) + 1 == wanted);
        let (threshold, ties_before) = match last {
            Some((row, y)) => (y, row + 1),
            None => (outputs.iter().copied().reduce(T::max).unwrap_or(T::ZERO), 0),
        };
        Self {
            origin: T::ZERO,
            threshold,
            ties_before,
        }
    }

    /// Whether the observation in this row, with output `y`, is in the set.
    pub fn contains(&self, row: usize, y: T) -> bool {
        let height = y - self.origin;
        height > self.threshold || (height == self.threshold && row < self.ties_before)
    }
}
