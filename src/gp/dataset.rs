//! The observations: fixed capacity, four rows side by side, and the scale of the outputs.

use super::panels::{LANES, Lanes};
use crate::{Point, Scalar};

/// Inputs of all observations, in panels of four rows as the factor has them: a tile of the kernel reads the four rows of
/// a variable at once, and the variables of a panel one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Inputs<const N: usize, const D: usize, const C: usize, T> {
    design: Block<N, D, T>,
    context: Block<N, C, T>,
}

/// Four observations: for each variable its four values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a, const D: usize, const C: usize, T> {
    pub(crate) design: &'a [Lanes<T>; D],
    pub(crate) context: &'a [Lanes<T>; C],
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Inputs<N, D, C, T> {
    pub(crate) const fn new() -> Self {
        Self {
            design: Block::new(),
            context: Block::new(),
        }
    }

    /// The rows of panel `p`.
    #[inline(always)]
    pub(crate) fn panel(&self, p: usize) -> Rows<'_, D, C, T> {
        Rows {
            design: self.design.panel(p),
            context: self.context.panel(p),
        }
    }

    /// The point of observation `row`; `None` beyond the capacity.
    pub(crate) fn row(&self, row: usize) -> Option<Point<D, C, T>> {
        Some(Point {
            design: self.design.row(row)?,
            context: self.context.row(row)?,
        })
    }

    /// Writes observation `row`; beyond the capacity nothing happens.
    pub(crate) fn set_row(&mut self, row: usize, point: &Point<D, C, T>) {
        self.design.set_row(row, &point.design);
        self.context.set_row(row, &point.context);
    }

    /// Moves every observation behind `row` one place forward, over it.
    pub(crate) fn remove_row(&mut self, row: usize) {
        for to in row..N {
            if let Some(point) = self.row(to + 1) {
                self.set_row(to, &point);
            }
        }
    }

    /// Writes an observation at `row`, and moves those from there on one place back; the last place is lost.
    pub(crate) fn insert_row(&mut self, row: usize, point: &Point<D, C, T>) {
        for to in (row + 1..N).rev() {
            if let Some(moved) = self.row(to - 1) {
                self.set_row(to, &moved);
            }
        }
        self.set_row(row, point);
    }
}

/// The values of `V` variables, V × 4 for each panel.
#[derive(Clone, Debug)]
struct Block<const N: usize, const V: usize, T> {
    whole: [[T; V]; N],
    /// The last panel if N is not a multiple of 4: what is left in `whole` is too little for four lanes.
    ragged: [Lanes<T>; V],
}

impl<const N: usize, const V: usize, T: Scalar> Block<N, V, T> {
    const fn new() -> Self {
        Self {
            whole: [[T::ZERO; V]; N],
            ragged: [[T::ZERO; LANES]; V],
        }
    }

    #[inline(always)]
    fn panel(&self, p: usize) -> &[Lanes<T>; V] {
        let lanes = self.whole.as_flattened().as_chunks().0;
        lanes
            .get(p * V..)
            .and_then(<[_]>::first_chunk)
            .unwrap_or(&self.ragged)
    }

    fn panel_mut(&mut self, p: usize) -> &mut [Lanes<T>; V] {
        let lanes = self.whole.as_flattened_mut().as_chunks_mut().0;
        lanes
            .get_mut(p * V..)
            .and_then(<[_]>::first_chunk_mut)
            .unwrap_or(&mut self.ragged)
    }

    fn row(&self, row: usize) -> Option<[T; V]> {
        let mut values = [T::ZERO; V];
        for (value, lanes) in values.iter_mut().zip(self.panel(row / LANES)) {
            *value = *lanes.get(row % LANES).filter(|_| row < N)?;
        }
        Some(values)
    }

    fn set_row(&mut self, row: usize, values: &[T; V]) {
        if row >= N {
            return;
        }
        for (lanes, &value) in self.panel_mut(row / LANES).iter_mut().zip(values) {
            if let Some(lane) = lanes.get_mut(row % LANES) {
                *lane = value;
            }
        }
    }
}

/// How the surrogate sees the outputs: (y - mean)/deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

    /// All 0: for a place without a surrogate.
    pub(crate) const VACANT: Self = Self {
        origin: T::ZERO,
        shift: T::ZERO,
        deviation: T::ZERO,
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

/// The index of the largest number; the first of several.
pub(crate) fn best_of<T: Scalar>(values: &[T]) -> Option<usize> {
    let mut best: Option<(usize, T)> = None;
    for (index, &value) in values.iter().enumerate() {
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((index, value));
        }
    }
    best.map(|(index, _)| index)
}
