//! The vector that is optimised: one number per variable, and three more.

use crate::Scalar;

/// Numbers that belong to no variable: signal variance, noise variance, global shrinkage.
pub(crate) const EXTRA: usize = 3;

/// D + C + 3 numbers, in three arrays because stable Rust cannot write that length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Params<const D: usize, const C: usize, T> {
    pub(crate) design: [T; D],
    pub(crate) context: [T; C],
    pub(crate) extra: [T; EXTRA],
}

impl<const D: usize, const C: usize, T: Scalar> Params<D, C, T> {
    pub(crate) const ZERO: Self = Self::splat(T::ZERO);

    pub(crate) const fn splat(value: T) -> Self {
        Self {
            design: [value; D],
            context: [value; C],
            extra: [value; EXTRA],
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.design.iter().chain(&self.context).chain(&self.extra)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let variables = self.design.iter_mut().chain(&mut self.context);
        variables.chain(&mut self.extra)
    }

    pub(crate) fn dot(&self, other: &Self) -> T {
        self.iter()
            .zip(other.iter())
            .fold(T::ZERO, |sum, (&a, &b)| sum + a * b)
    }

    /// self += factor * other.
    pub(crate) fn add_scaled(&mut self, factor: T, other: &Self) {
        for (a, &b) in self.iter_mut().zip(other.iter()) {
            *a += factor * b;
        }
    }

    pub(crate) fn largest(&self) -> T {
        self.iter()
            .fold(T::ZERO, |largest, value| largest.max(value.abs()))
    }
}
