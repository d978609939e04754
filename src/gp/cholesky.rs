//! Cholesky factorisation K = L Lᵀ in panels of four rows.
//!
//! The diagonal of L is kept as its reciprocal: solves multiply instead of dividing (14 cycles on a Cortex-M4F).

use super::panels::{
    LANES, Lanes, Panels, Tile, panel_range, store_tile, tile, transpose, whole_tile,
    whole_tile_mut,
};
use crate::Scalar;

/// How many panels `rows` rows fill.
#[inline(always)]
pub(crate) fn panel_count(rows: usize) -> usize {
    rows.div_ceil(LANES)
}

/// Factorises the first `rows` rows, padded with those of the identity to the end of their panel.
///
/// Reads K's tiles left of the diagonal from their mirror image above it, and its diagonal tiles from their place.
/// `noise` is added to each pivot after everything else: next to K's diagonal it would lose its last digits.
/// `false` if a pivot is not above `least_pivot`: the lower half is then of no use, the upper half is untouched.
pub fn factorise<const N: usize, T: Scalar>(
    m: &mut Panels<N, T>,
    rows: usize,
    noise: T,
    least_pivot: T,
) -> bool {
    (0..panel_count(rows)).all(|p| {
        let (before, panel) = m.split_panel(p);
        // Where the capacity ends inside a tile, it has to be completed; elsewhere that would cost registers.
        let solved = if p < N / LANES {
            solve_panel::<N, T>(before, panel, |other| whole_tile(other, p).copied())
        } else {
            solve_panel::<N, T>(before, panel, |other| Some(tile(other, p)))
        };
        let mut t = diagonal_tile(panel, p, T::ONE.max(least_pivot + least_pivot));
        let left = panel_range(panel, 0, p);
        subtract_products(&mut t, left, left);
        let sound = factorise_tile(&mut t, noise, least_pivot);
        store_tile(panel, p, &t);
        solved.is_some() && sound
    })
}

/// L_pq = (K_pq - Σ_r L_pr L_qrᵀ) L_qq⁻ᵀ for all q < p; `mirrored` reads K_pqᵀ from panel q. Always `Some`.
#[inline(always)]
fn solve_panel<const N: usize, T: Scalar>(
    before: &[Lanes<T>],
    panel: &mut [Lanes<T>],
    mirrored: impl Fn(&[Lanes<T>]) -> Option<Tile<T>>,
) -> Option<()> {
    for (q, other) in before.chunks_exact(N).enumerate() {
        let mut t = transpose(&mirrored(other)?);
        subtract_products(&mut t, panel.get(..LANES * q)?, other.get(..LANES * q)?);
        solve_tile(&mut t, whole_tile(other, q)?);
        *whole_tile_mut(panel, q)? = t;
    }
    Some(())
}

/// Tile `p` of panel `p`, completed with `filler` on the diagonal where the capacity ends inside it.
#[inline(always)]
pub(crate) fn diagonal_tile<T: Scalar>(panel: &[Lanes<T>], p: usize, filler: T) -> Tile<T> {
    let mut t = tile(panel, p);
    for (j, column) in t.iter_mut().enumerate() {
        if LANES * p + j >= panel.len()
            && let Some(diagonal) = column.get_mut(j)
        {
            *diagonal = filler;
        }
    }
    t
}

/// t -= A Bᵀ over the columns of `a`; `b` has at least as many. Sixteen sums, each from left to right.
#[inline(always)]
pub(crate) fn subtract_products<T: Scalar>(t: &mut Tile<T>, a: &[Lanes<T>], b: &[Lanes<T>]) {
    let mut sums = *t;
    for (a, b) in a.iter().zip(b) {
        for (sum, &b) in sums.iter_mut().zip(b) {
            for (sum, &a) in sum.iter_mut().zip(a) {
                *sum -= a * b;
            }
        }
    }
    *t = sums;
}

/// t := t L⁻ᵀ for the factorised diagonal tile L.
#[inline(always)]
fn solve_tile<T: Scalar>(t: &mut Tile<T>, l: &Tile<T>) {
    let [mut t0, mut t1, mut t2, mut t3] = *t;
    let [
        [r0, l10, l20, l30],
        [_, r1, l21, l31],
        [_, _, r2, l32],
        [_, _, _, r3],
    ] = *l;
    for i in 0..LANES {
        if let (Some(t0), Some(t1), Some(t2), Some(t3)) =
            (t0.get_mut(i), t1.get_mut(i), t2.get_mut(i), t3.get_mut(i))
        {
            *t0 *= r0;
            *t1 = (*t1 - *t0 * l10) * r1;
            *t2 = (*t2 - *t0 * l20 - *t1 * l21) * r2;
            *t3 = (*t3 - *t0 * l30 - *t1 * l31 - *t2 * l32) * r3;
        }
    }
    *t = [t0, t1, t2, t3];
}

/// Factorises one tile, `noise` being added to its pivots: L below the diagonal, reciprocals on it, zero above it.
#[inline(always)]
fn factorise_tile<T: Scalar>(t: &mut Tile<T>, noise: T, least_pivot: T) -> bool {
    let [
        [a00, a10, a20, a30],
        [_, a11, a21, a31],
        [_, _, a22, a32],
        [_, _, _, a33],
    ] = *t;
    let z = T::ZERO;
    let a00 = a00 + noise;
    let mut sound = a00 > least_pivot;
    let r0 = T::ONE / a00.sqrt();
    let (l10, l20, l30) = (a10 * r0, a20 * r0, a30 * r0);
    let a11 = a11 - l10 * l10 + noise;
    sound &= a11 > least_pivot;
    let r1 = T::ONE / a11.sqrt();
    let (l21, l31) = ((a21 - l20 * l10) * r1, (a31 - l30 * l10) * r1);
    let a22 = a22 - l20 * l20 - l21 * l21 + noise;
    sound &= a22 > least_pivot;
    let r2 = T::ONE / a22.sqrt();
    let l32 = (a32 - l30 * l20 - l31 * l21) * r2;
    let a33 = a33 - l30 * l30 - l31 * l31 - l32 * l32 + noise;
    sound &= a33 > least_pivot;
    let r3 = T::ONE / a33.sqrt();
    *t = [
        [r0, l10, l20, l30],
        [z, r1, l21, l31],
        [z, z, r2, l32],
        [z, z, z, r3],
    ];
    sound
}

/// Appends row `row` of the factor: `l` left of the diagonal, and the reciprocal of the diagonal element.
///
/// Together with the rows that its panel still lacks, which become those of the identity.
pub(crate) fn append_row<const N: usize, T: Scalar>(
    m: &mut Panels<N, T>,
    row: usize,
    l: &[T; N],
    reciprocal: T,
) {
    let (p, lane) = (row / LANES, row % LANES);
    let panel = m.panel_mut(p);
    if lane == 0 {
        for column in panel.iter_mut().take(LANES * (p + 1)) {
            *column = [T::ZERO; LANES];
        }
        for (j, column) in panel.iter_mut().skip(LANES * p).take(LANES).enumerate() {
            if let Some(diagonal) = column.get_mut(j) {
                *diagonal = T::ONE;
            }
        }
    }
    for (j, (column, &value)) in panel.iter_mut().zip(l).take(row + 1).enumerate() {
        if let Some(element) = column.get_mut(lane) {
            *element = if j == row { reciprocal } else { value };
        }
    }
}

/// The reciprocals on the diagonal, row by row.
pub(crate) fn reciprocals<const N: usize, T: Scalar>(
    m: &Panels<N, T>,
    rows: usize,
) -> impl Iterator<Item = T> + '_ {
    (0..rows).map(|row| {
        let column = m.panel(row / LANES).get(row);
        column
            .and_then(|column| column.get(row % LANES))
            .copied()
            .unwrap_or(T::ONE)
    })
}
