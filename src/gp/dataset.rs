//! The observations: fixed capacity, one column per variable, and the scale of the outputs.

use crate::{Point, Scalar};

/// Inputs of all observations, column by column: a tile of the kernel reads four rows of a column at once, and a
/// variable that is left out costs nothing.
#[derive(Clone, Debug)]
pub(crate) struct Inputs<const N: usize, const D: usize, const C: usize, T> {
    pub(crate) design: [[T; N]; D],
    pub(crate) context: [[T; N]; C],
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Inputs<N, D, C, T> {
    pub(crate) const fn new() -> Self {
        Self {
            design: [[T::ZERO; N]; D],
            context: [[T::ZERO; N]; C],
        }
    }

    /// Calls `visit` with every column whose weight is not 0, and that weight; design first.
    #[inline(always)]
    pub(crate) fn each_column(&self, weights: &Point<D, C, T>, mut visit: impl FnMut(&[T; N], &T)) {
        let columns = self.design.iter().chain(&self.context);
        let weights = weights.design.iter().chain(&weights.context);
        for (column, weight) in columns.zip(weights) {
            if *weight != T::ZERO {
                visit(column, weight);
            }
        }
    }

    /// The point of observation `row`; `None` beyond the capacity.
    pub(crate) fn row(&self, row: usize) -> Option<Point<D, C, T>> {
        let mut point = Point::ORIGIN;
        for (value, column) in point
            .iter_mut()
            .zip(self.design.iter().chain(&self.context))
        {
            *value = *column.get(row)?;
        }
        Some(point)
    }

    /// Writes observation `row`; beyond the capacity nothing happens.
    pub(crate) fn set_row(&mut self, row: usize, point: &Point<D, C, T>) {
        let columns = self.design.iter_mut().chain(&mut self.context);
        for (column, value) in columns.zip(point.iter()) {
            if let Some(element) = column.get_mut(row) {
                *element = value;
            }
        }
    }

    /// Moves every observation behind `row` one place forward, over it.
    pub(crate) fn remove_row(&mut self, row: usize) {
        for column in self.design.iter_mut().chain(&mut self.context) {
            if row < N {
                column.copy_within(row + 1.., row);
            }
        }
    }
}

/// How the surrogate sees the outputs: (y - mean)/deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OutputScale<T = f32> {
    /// One of the outputs. The mean is kept as a distance to it: a large common offset then costs no digits.
    origin: T,
    shift: T,
    deviation: T,
}

impl<T: Scalar> OutputScale<T> {
    /// Outputs as they are.
    pub const IDENTITY: Self = Self {
        origin: T::ZERO,
        shift: T::ZERO,
        deviation: T::ONE,
    };

    /// Mean and sample standard deviation of `outputs`, whatever their scale (1e-30 and 1e+30 included).
    ///
    /// The deviation is 1 for a single output, and for outputs whose deviation is below 1e-8 of their largest
    /// magnitude: they count as constant. (BoTorch's rule is an absolute 1e-8, which would call every signal in
    /// picoamperes constant.)
    pub fn of(outputs: &[T]) -> Self {
        let Some(&origin) = outputs.first() else {
            return Self::IDENTITY;
        };
        let count = T::from_count(outputs.len());
        let shift = outputs
            .iter()
            .fold(T::ZERO, |sum, &y| sum + (y - origin) / count);
        let largest = outputs
            .iter()
            .fold(T::ZERO, |largest, &y| largest.max(y.abs()));
        let spread = outputs
            .iter()
            .fold(T::ZERO, |spread, &y| spread.max((y - origin - shift).abs()));
        let mut scale = Self {
            origin,
            shift,
            deviation: T::ONE,
        };
        if outputs.len() < 2 || spread == T::ZERO {
            return scale;
        }
        // Relative to the largest deviation: squares neither overflow nor vanish.
        let squares = outputs.iter().fold(T::ZERO, |sum, &y| {
            let relative = (y - origin - shift) / spread;
            sum + relative * relative
        });
        let deviation = spread * (squares / (count - T::ONE)).sqrt();
        if deviation >= largest * T::from_f64(1e-8) {
            scale.deviation = deviation;
        }
        scale
    }

    /// Mean of the outputs.
    pub fn mean(&self) -> T {
        self.origin + self.shift
    }

    /// Sample standard deviation of the outputs (n - 1).
    pub fn deviation(&self) -> T {
        self.deviation
    }

    /// An output as the surrogate sees it.
    #[inline]
    pub fn standardise(&self, output: T) -> T {
        (output - self.origin - self.shift) / self.deviation
    }

    /// A value of the surrogate in the units of the outputs.
    #[inline]
    pub fn restore(&self, value: T) -> T {
        self.origin + (self.shift + self.deviation * value)
    }
}
