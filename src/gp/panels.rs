//! One N×N square that holds two triangles, in panels of four rows.
//!
//! Element (i, j) of the square is lane `i % 4` of column `j` of panel `i / 4`: the four rows of a panel lie side by
//! side, so that a 4×4 tile of a matrix product reads two contiguous streams. A Cortex-M4F then needs 20 instructions
//! for 16 multiply-adds, where row-by-row dot products need about 5 for one.
//!
//! The blocks on and below the diagonal hold the factor, the blocks above it the matrix that was factorised (both
//! symmetric or triangular, so one half says it all). Rows beyond the data, up to the end of their panel, are those of
//! the identity: no loop has a ragged end.

use crate::Scalar;

/// Rows of a panel, and the side of a tile.
pub(crate) const LANES: usize = 4;

/// The same column of the four rows of a panel.
pub(crate) type Lanes<T> = [T; LANES];

/// A 4×4 tile: column by column, `tile[j][i]` is row i, column j.
pub(crate) type Tile<T> = [Lanes<T>; LANES];

/// The storage: see the module's description.
#[derive(Clone, Debug)]
pub struct Panels<const N: usize, T> {
    square: [[T; N]; N],
    /// The last panel if N is not a multiple of 4: the rows left in `square` are too few for four lanes.
    ragged: [Lanes<T>; N],
}

impl<const N: usize, T: Scalar> Default for Panels<N, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, T: Scalar> Panels<N, T> {
    /// All zero.
    pub const fn new() -> Self {
        const { assert!(N > 0, "a capacity of 0 observations makes no sense") };
        Self {
            square: [[T::ZERO; N]; N],
            ragged: [[T::ZERO; LANES]; N],
        }
    }

    /// Takes in a symmetric matrix of `rows` rows, ready to be factorised.
    pub fn set_matrix(&mut self, rows: usize, element: impl Fn(usize, usize) -> T) {
        let padded = rows.div_ceil(LANES) * LANES;
        for i in 0..padded {
            for (j, column) in self
                .panel_mut(i / LANES)
                .iter_mut()
                .enumerate()
                .take(padded)
            {
                if let Some(place) = column.get_mut(i % LANES) {
                    *place = if i < rows && j < rows {
                        element(i, j)
                    } else if i == j {
                        T::ONE
                    } else {
                        T::ZERO
                    };
                }
            }
        }
    }

    /// Element (i, j) of the square: `None` beyond the capacity.
    pub fn element(&self, i: usize, j: usize) -> Option<T> {
        self.panel(i / LANES).get(j)?.get(i % LANES).copied()
    }

    fn columns(&self) -> &[Lanes<T>] {
        self.square.as_flattened().as_chunks().0
    }

    /// The N columns of panel `p`.
    #[inline(always)]
    pub(crate) fn panel(&self, p: usize) -> &[Lanes<T>; N] {
        self.columns()
            .get(p * N..)
            .and_then(<[_]>::first_chunk)
            .unwrap_or(&self.ragged)
    }

    /// The columns of the panels before panel `p`, N for each, and the N columns of panel `p`; all to be changed.
    #[inline]
    pub(crate) fn split_panel(&mut self, p: usize) -> (&mut [Lanes<T>], &mut [Lanes<T>]) {
        let columns = self.square.as_flattened_mut().as_chunks_mut().0;
        if p < N / LANES {
            match columns.split_at_mut_checked(p * N) {
                Some((before, rest)) => (before, rest.get_mut(..N).unwrap_or(&mut [])),
                None => (&mut [], &mut []),
            }
        } else {
            (
                columns.get_mut(..N / LANES * N).unwrap_or(&mut []),
                &mut self.ragged,
            )
        }
    }

    /// The N columns of panel `p`, to be changed.
    #[inline]
    pub(crate) fn panel_mut(&mut self, p: usize) -> &mut [Lanes<T>] {
        self.split_panel(p).1
    }
}

/// Columns `4q..4r` of a panel, fewer where it ends before.
#[inline(always)]
pub(crate) fn panel_range<T>(panel: &[Lanes<T>], q: usize, r: usize) -> &[Lanes<T>] {
    let end = (LANES * r).min(panel.len());
    panel.get(LANES * q..end).unwrap_or(&[])
}

/// Columns `4q..4q + 4` of a panel; `None` where the panel ends before.
#[inline(always)]
pub(crate) fn whole_tile<T>(panel: &[Lanes<T>], q: usize) -> Option<&Tile<T>> {
    panel.as_chunks().0.get(q)
}

/// The same, to be changed.
#[inline(always)]
pub(crate) fn whole_tile_mut<T>(panel: &mut [Lanes<T>], q: usize) -> Option<&mut Tile<T>> {
    panel.as_chunks_mut().0.get_mut(q)
}

/// Columns `4q..4q + 4` of a panel; zero where the panel ends before.
#[inline(always)]
pub(crate) fn tile<T: Scalar>(panel: &[Lanes<T>], q: usize) -> Tile<T> {
    if let Some(&whole) = panel.get(LANES * q..).and_then(<[_]>::first_chunk) {
        return whole;
    }
    let mut partial = [[T::ZERO; LANES]; LANES];
    for (to, from) in partial.iter_mut().zip(panel.iter().skip(LANES * q)) {
        *to = *from;
    }
    partial
}

/// Writes columns `4q..4q + 4` of a panel; what lies beyond its end is dropped.
#[inline(always)]
pub(crate) fn store_tile<T: Scalar>(panel: &mut [Lanes<T>], q: usize, tile: &Tile<T>) {
    if let Some(whole) = panel.get_mut(LANES * q..).and_then(<[_]>::first_chunk_mut) {
        *whole = *tile;
        return;
    }
    for (to, from) in panel.iter_mut().skip(LANES * q).zip(tile) {
        *to = *from;
    }
}

/// Elements `4p..4p + 4` of a vector; zero beyond its end.
#[inline(always)]
pub(crate) fn lanes<T: Scalar>(vector: &[T], p: usize) -> Lanes<T> {
    if let Some(&whole) = vector.get(LANES * p..).and_then(<[_]>::first_chunk) {
        return whole;
    }
    let mut partial = [T::ZERO; LANES];
    for (to, from) in partial.iter_mut().zip(vector.iter().skip(LANES * p)) {
        *to = *from;
    }
    partial
}

/// Writes elements `4p..4p + 4` of a vector; what lies beyond its end is dropped.
#[inline(always)]
pub(crate) fn store_lanes<T: Scalar>(vector: &mut [T], p: usize, lanes: Lanes<T>) {
    if let Some(whole) = vector.get_mut(LANES * p..).and_then(<[_]>::first_chunk_mut) {
        *whole = lanes;
        return;
    }
    for (to, from) in vector.iter_mut().skip(LANES * p).zip(lanes) {
        *to = from;
    }
}

/// Rows become columns.
#[inline(always)]
pub(crate) fn transpose<T: Scalar>(t: &Tile<T>) -> Tile<T> {
    let [a, b, c, d] = *t;
    [
        [a[0], b[0], c[0], d[0]],
        [a[1], b[1], c[1], d[1]],
        [a[2], b[2], c[2], d[2]],
        [a[3], b[3], c[3], d[3]],
    ]
}
