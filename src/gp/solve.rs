//! Solves with the factor, two panels at a time: what both need of the vector is loaded once.
//!
//! The last panel goes alone if it has no partner or if the capacity ends inside it.

use super::cholesky::{diagonal_tile, panel_count};
use super::panels::{LANES, Lanes, Panels, Tile, lanes, store_lanes, transpose, whole_tile};
use crate::Scalar;

/// v := L⁻¹ v for the first `rows` elements, rounded up to a whole panel.
pub(crate) fn solve_lower<const N: usize, T: Scalar>(
    m: &Panels<N, T>,
    rows: usize,
    v: &mut [T; N],
) {
    let panels = panel_count(rows);
    let paired = panels.min(N / LANES) / 2 * 2;
    for p in (0..paired).step_by(2) {
        lower_pair(m.panel(p), m.panel(p + 1), p, v);
    }
    for p in paired..panels {
        let panel = m.panel(p);
        let mut sums = lanes(v, p);
        for (tile, known) in tiles_before(panel, p).iter().zip(v.as_chunks().0) {
            subtract_product(&mut sums, tile, known);
        }
        let solved = solve_tile(&diagonal_tile(panel, p, T::ONE), sums);
        store_lanes(v, p, solved);
    }
}

/// Panels `p` and `p + 1` of [`solve_lower`]; always `Some`.
///
/// Not inlined: the compiler would address both panels from one pointer, too far apart for a Cortex-M4F's loads.
#[inline(never)]
fn lower_pair<const N: usize, T: Scalar>(
    upper: &[Lanes<T>; N],
    lower: &[Lanes<T>; N],
    p: usize,
    v: &mut [T; N],
) -> Option<()> {
    let (known, unknown) = v.as_chunks_mut().0.split_at_mut_checked(p)?;
    let [a, b, ..] = unknown else { return None };
    let (mut above, mut below) = (*a, *b);
    let tiles = tiles_before(upper, p).iter().zip(tiles_before(lower, p));
    for ((upper, lower), known) in tiles.zip(known.iter()) {
        subtract_product(&mut above, upper, known);
        subtract_product(&mut below, lower, known);
    }
    *a = solve_tile(whole_tile(upper, p)?, above);
    subtract_product(&mut below, whole_tile(lower, p)?, a);
    *b = solve_tile(whole_tile(lower, p + 1)?, below);
    Some(())
}

/// v := L⁻ᵀ v for the first `rows` elements, rounded up to a whole panel.
pub(crate) fn solve_upper<const N: usize, T: Scalar>(
    m: &Panels<N, T>,
    rows: usize,
    v: &mut [T; N],
) {
    let panels = panel_count(rows);
    let paired = panels.min(N / LANES) / 2 * 2;
    for p in (paired..panels).rev() {
        let panel = m.panel(p);
        let known = solve_transposed_tile(&diagonal_tile(panel, p, T::ONE), lanes(v, p));
        store_lanes(v, p, known);
        for (tile, values) in tiles_before(panel, p).iter().zip(v.as_chunks_mut().0) {
            subtract_product(values, &transpose(tile), &known);
        }
    }
    for p in (0..paired).step_by(2).rev() {
        upper_pair(m.panel(p), m.panel(p + 1), p, v);
    }
}

/// Panels `p` and `p + 1` of [`solve_upper`]; always `Some`. Not inlined, as `lower_pair`.
#[inline(never)]
fn upper_pair<const N: usize, T: Scalar>(
    upper: &[Lanes<T>; N],
    lower: &[Lanes<T>; N],
    p: usize,
    v: &mut [T; N],
) -> Option<()> {
    let (unknown, known) = v.as_chunks_mut().0.split_at_mut_checked(p)?;
    let [a, b, ..] = known else { return None };
    let below = solve_transposed_tile(whole_tile(lower, p + 1)?, *b);
    let mut above = *a;
    subtract_product(&mut above, &transpose(whole_tile(lower, p)?), &below);
    let above = solve_transposed_tile(whole_tile(upper, p)?, above);
    (*a, *b) = (above, below);
    let tiles = tiles_before(upper, p).iter().zip(tiles_before(lower, p));
    for ((upper, lower), values) in tiles.zip(unknown) {
        subtract_product(values, &transpose(lower), &below);
        subtract_product(values, &transpose(upper), &above);
    }
    Some(())
}

/// The tiles left of column 4p of a panel.
#[inline(always)]
fn tiles_before<T>(panel: &[Lanes<T>], p: usize) -> &[Tile<T>] {
    panel.as_chunks().0.get(..p).unwrap_or(&[])
}

/// sums -= tile · known, each sum from left to right.
#[inline(always)]
fn subtract_product<T: Scalar>(sums: &mut Lanes<T>, tile: &Tile<T>, known: &Lanes<T>) {
    for (column, &known) in tile.iter().zip(known) {
        for (sum, &l) in sums.iter_mut().zip(column) {
            *sum -= l * known;
        }
    }
}

/// L⁻¹ s for the factorised tile L.
#[inline(always)]
fn solve_tile<T: Scalar>(l: &Tile<T>, [s0, s1, s2, s3]: Lanes<T>) -> Lanes<T> {
    let [
        [r0, l10, l20, l30],
        [_, r1, l21, l31],
        [_, _, r2, l32],
        [_, _, _, r3],
    ] = *l;
    let x0 = s0 * r0;
    let x1 = (s1 - l10 * x0) * r1;
    let x2 = (s2 - l20 * x0 - l21 * x1) * r2;
    let x3 = (s3 - l30 * x0 - l31 * x1 - l32 * x2) * r3;
    [x0, x1, x2, x3]
}

/// L⁻ᵀ s for the factorised tile L.
#[inline(always)]
fn solve_transposed_tile<T: Scalar>(l: &Tile<T>, [s0, s1, s2, s3]: Lanes<T>) -> Lanes<T> {
    let [
        [r0, l10, l20, l30],
        [_, r1, l21, l31],
        [_, _, r2, l32],
        [_, _, _, r3],
    ] = *l;
    let x3 = s3 * r3;
    let x2 = (s2 - l32 * x3) * r2;
    let x1 = (s1 - l21 * x2 - l31 * x3) * r1;
    let x0 = (s0 - l10 * x1 - l20 * x2 - l30 * x3) * r0;
    [x0, x1, x2, x3]
}
