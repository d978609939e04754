//! A sum that remembers what rounding took from it.

use crate::Scalar;

/// Neumaier's compensated sum: the error does not grow with the number of terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum<T> {
    sum: T,
    lost: T,
}

impl<T: Scalar> Sum<T> {
    pub(crate) fn new() -> Self {
        Self {
            sum: T::ZERO,
            lost: T::ZERO,
        }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, term: T) {
        let sum = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.sum = sum;
    }

    #[inline]
    pub(crate) fn value(self) -> T {
        self.sum + self.lost
    }
}
