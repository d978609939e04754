//! The inverse of the factor, in place, and tiles of the inverse of the matrix from it.

use super::cholesky::{diagonal_tile, panel_count};
use super::panels::{LANES, Panels, Tile, store_tile, tile};
use crate::Scalar;

/// Replaces the factor L of the first `rows` rows by M = L⁻¹.
///
/// M_pp = L_pp⁻¹ and M_pq = -M_pp Σ_r L_pr M_rq over q <= r < p: panel by panel from the top, each from the left, so
/// that everything still needed is still there.
pub(crate) fn invert<const N: usize, T: Scalar>(m: &mut Panels<N, T>, rows: usize) {
    for p in 0..panel_count(rows) {
        let (before, panel) = m.split_panel(p);
        let diagonal = invert_tile(&diagonal_tile(panel, p, T::ONE));
        for q in 0..p {
            let mut sums = [[T::ZERO; LANES]; LANES];
            let factors = panel
                .get(LANES * q..LANES * p)
                .unwrap_or(&[])
                .as_chunks::<LANES>()
                .0;
            for (factor, other) in factors.iter().zip(before.chunks_exact(N).skip(q)) {
                add_product(&mut sums, factor, &tile(other, q));
            }
            store_tile(panel, q, &negative_lower_product(&diagonal, &sums));
        }
        store_tile(panel, p, &diagonal);
    }
}

/// Tile of K⁻¹ = Mᵀ M between the rows of panel `q` (lanes) and of panel `p` >= q (columns).
#[inline(always)]
pub(crate) fn inverse_tile<const N: usize, T: Scalar>(
    m: &Panels<N, T>,
    panels: usize,
    q: usize,
    p: usize,
) -> Tile<T> {
    let mut sums = [[T::ZERO; LANES]; LANES];
    for r in p..panels {
        let panel = m.panel(r);
        let (a, b) = (tile(panel, q), tile(panel, p));
        for (sums, b) in sums.iter_mut().zip(&b) {
            for (sum, a) in sums.iter_mut().zip(&a) {
                *sum = *sum + a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
            }
        }
    }
    sums
}

/// Element (i, i) of K⁻¹ = Mᵀ M.
pub(crate) fn inverse_diagonal<const N: usize, T: Scalar>(
    m: &Panels<N, T>,
    rows: usize,
    i: usize,
) -> T {
    let columns = (i / LANES..panel_count(rows)).filter_map(|p| m.panel(p).get(i));
    columns
        .flatten()
        .fold(T::ZERO, |sum, &value| sum + value * value)
}

/// sums += A B.
#[inline(always)]
fn add_product<T: Scalar>(sums: &mut Tile<T>, a: &Tile<T>, b: &Tile<T>) {
    for (sums, b) in sums.iter_mut().zip(b) {
        for (a, &b) in a.iter().zip(b) {
            for (sum, &a) in sums.iter_mut().zip(a) {
                *sum += a * b;
            }
        }
    }
}

/// -L S for a lower triangular tile L.
#[inline(always)]
fn negative_lower_product<T: Scalar>(l: &Tile<T>, s: &Tile<T>) -> Tile<T> {
    let [
        [l00, l10, l20, l30],
        [_, l11, l21, l31],
        [_, _, l22, l32],
        [_, _, _, l33],
    ] = *l;
    s.map(|[s0, s1, s2, s3]| {
        [
            -(l00 * s0),
            -(l10 * s0 + l11 * s1),
            -(l20 * s0 + l21 * s1 + l22 * s2),
            -(l30 * s0 + l31 * s1 + l32 * s2 + l33 * s3),
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
