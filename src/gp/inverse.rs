//! The inverse of the factor, in place, and tiles of the inverse of the matrix from it.

use super::cholesky::{diagonal_tile, panel_count, subtract_products};
use super::panels::{LANES, Panels, Tile, panel_range, store_tile, tile, transpose};
use crate::Scalar;

/// Replaces the factor L of the first `rows` rows by M = L⁻¹, and moves the matrix out of its way.
///
/// M_pp = L_pp⁻¹ and M_pq = -M_pp Σ_r L_pr M_rq over q <= r < p: panel by panel from the top, each from the left, so
/// that everything still needed is still there.
///
/// M goes transposed into the *upper* half: panel q then holds four columns of M side by side, and both products, this
/// one and that of [`negative_inverse_tile`], read two contiguous streams. A tile of K that lay there goes to the place of the
/// tile of L that is no longer needed: see [`moved_tile`].
pub(crate) fn invert<const N: usize, T: Scalar>(m: &mut Panels<N, T>, rows: usize) {
    for p in 0..panel_count(rows) {
        let (before, panel) = m.split_panel(p);
        let diagonal = invert_tile(&diagonal_tile(panel, p, T::ONE));
        for (q, other) in before.chunks_exact_mut(N).enumerate().take(p) {
            // -Σ L_pr M_rq
            let mut t = [[T::ZERO; LANES]; LANES];
            subtract_products(&mut t, panel_range(panel, q, p), panel_range(other, q, p));
            let t = lower_product(&diagonal, &t);
            store_tile(panel, q, &tile(other, p));
            store_tile(other, p, &transpose(&t));
        }
        store_tile(panel, p, &transpose(&diagonal));
    }
}

/// Tile of -K⁻¹ = -Mᵀ M between the rows of panel `q` (lanes) and of panel `p` >= q (columns).
///
/// Not inlined: among the caller's variables its sums would not stay in registers.
#[inline(never)]
pub(crate) fn negative_inverse_tile<const N: usize, T: Scalar>(
    m: &Panels<N, T>,
    panels: usize,
    q: usize,
    p: usize,
) -> Tile<T> {
    let mut t = [[T::ZERO; LANES]; LANES];
    let (a, b) = (m.panel(q), m.panel(p));
    subtract_products(&mut t, panel_range(a, p, panels), panel_range(b, p, panels));
    t
}

/// Element (i, i) of K⁻¹ = Mᵀ M.
pub(crate) fn inverse_diagonal<const N: usize, T: Scalar>(
    m: &Panels<N, T>,
    rows: usize,
    i: usize,
) -> T {
    let p = i / LANES;
    panel_range(m.panel(p), p, panel_count(rows))
        .iter()
        .filter_map(|column| column.get(i % LANES))
        .fold(T::ZERO, |sum, &value| sum + value * value)
}

/// Tile of K between the rows of panel `q` (lanes) and of panel `p` > q (columns), after [`invert`].
#[inline(always)]
pub(crate) fn moved_tile<const N: usize, T: Scalar>(
    m: &Panels<N, T>,
    q: usize,
    p: usize,
) -> Tile<T> {
    tile(m.panel(p), q)
}

/// L S for a lower triangular tile L.
#[inline(always)]
fn lower_product<T: Scalar>(l: &Tile<T>, s: &Tile<T>) -> Tile<T> {
    let [
        [l00, l10, l20, l30],
        [_, l11, l21, l31],
        [_, _, l22, l32],
        [_, _, _, l33],
    ] = *l;
    s.map(|[s0, s1, s2, s3]| {
        [
            l00 * s0,
            l10 * s0 + l11 * s1,
            l20 * s0 + l21 * s1 + l22 * s2,
            l30 * s0 + l31 * s1 + l32 * s2 + l33 * s3,
        ]
    })
}

/// The inverse of a factorised tile (reciprocals on its diagonal), zero above the diagonal.
#[inline(always)]
fn invert_tile<T: Scalar>(t: &Tile<T>) -> Tile<T> {
    let [
        [r0, l10, l20, l30],
        [_, r1, l21, l31],
        [_, _, r2, l32],
        [_, _, _, r3],
    ] = *t;
    let z = T::ZERO;
    let m10 = -(l10 * r0) * r1;
    let m20 = -(l20 * r0 + l21 * m10) * r2;
    let m30 = -(l30 * r0 + l31 * m10 + l32 * m20) * r3;
    let m21 = -(l21 * r1) * r2;
    let m31 = -(l31 * r1 + l32 * m21) * r3;
    let m32 = -(l32 * r2) * r3;
    [
        [r0, m10, m20, m30],
        [z, r1, m21, m31],
        [z, z, r2, m32],
        [z, z, z, r3],
    ]
}
