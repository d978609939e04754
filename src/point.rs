//! A point of the unit cube, and sets of variables.

use crate::Scalar;

/// The paper's `v = [x, z]`: design and context coordinates, on the unit cube.
///
/// Two arrays, because `D + C` is not an array length that stable Rust can write.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "T: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de> + Copy + Default"
    ))
)]
pub struct Point<const D: usize, const C: usize, T = f32> {
    /// The variables that every step sets (x).
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    pub design: [T; D],
    /// The variables that the environment sets unless they are actuated (z).
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    pub context: [T; C],
}

impl<const D: usize, const C: usize, T: Scalar> Point<D, C, T> {
    /// The corner of the cube where every coordinate is 0.
    pub const ORIGIN: Self = Self {
        design: [T::ZERO; D],
        context: [T::ZERO; C],
    };

    /// A point with these coordinates.
    pub const fn new(design: [T; D], context: [T; C]) -> Self {
        Self { design, context }
    }

    /// All coordinates, design first.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.design.iter().chain(&self.context).copied()
    }

    /// All coordinates, design first, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.design.iter_mut().chain(&mut self.context)
    }

    /// Takes these contexts over.
    pub(crate) fn copy_contexts(&mut self, from: &[T; C], set: VarSet) {
        for (index, (to, &from)) in self.context.iter_mut().zip(from).enumerate() {
            if set.contains(index) {
                *to = from;
            }
        }
    }
}

/// A set of up to 32 variables of one kind (design or context), by index.
///
/// The paper's J is such a set over the contexts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VarSet(u32);

impl VarSet {
    /// How many variables a set can tell apart.
    pub const MAX: usize = 32;

    /// No variable.
    pub const EMPTY: Self = Self(0);

    /// The variables `0..count`; all 32 if `count` is larger.
    pub const fn first(count: usize) -> Self {
        if count >= Self::MAX {
            Self(u32::MAX)
        } else {
            Self((1 << count) - 1)
        }
    }

    /// This set and variable `index`; an index of 32 or more changes nothing.
    #[must_use]
    pub const fn with(self, index: usize) -> Self {
        if index < Self::MAX {
            Self(self.0 | 1 << index)
        } else {
            self
        }
    }

    /// This set without variable `index`.
    #[must_use]
    pub const fn without(self, index: usize) -> Self {
        if index < Self::MAX {
            Self(self.0 & !(1 << index))
        } else {
            self
        }
    }

    /// Whether variable `index` is in the set.
    pub const fn contains(self, index: usize) -> bool {
        index < Self::MAX && self.0 >> index & 1 == 1
    }

    /// How many variables are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The variables of both sets together.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The variables that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The variables of this set that are not in `other`.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set as a bit mask, variable 0 in the lowest bit.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set that a bit mask stands for.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The indices in the set, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..Self::MAX).filter(move |&index| self.contains(index))
    }
}

impl FromIterator<usize> for VarSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        indices.into_iter().fold(Self::EMPTY, Self::with)
    }
}
