//! Stage of the `MmdBo` policy: how much a context has to do with being among the best (appendix, sec. mmd).
//!
//! S = HSIC(z, I) with I_i = 1 if row i is among the best, an RBF kernel on z and a linear one on I. With c_i = I_i - mean(I)
//! it is S = Σ_ij k(z_i, z_j) c_i c_j / n²: this form has no difference of large sums, and needs no matrix.

use crate::Scalar;

/// One row: the value of the context, and whether the row is among the best.
pub type Row<T> = (T, bool);

/// The score S of one context with the median of the distances |z_i - z_j| as the kernel's bandwidth.
///
/// Sorts the rows, in place: the only memory it needs. O(n²) time.
pub fn hsic<T: Scalar>(rows: &mut [Row<T>]) -> T {
    sort(rows);
    let median = median_distance(rows);
    let bandwidth = if median > T::ZERO { median } else { T::ONE };
    score(rows, bandwidth)
}

/// The score S with a given bandwidth b, k(z, z') = exp(-(z - z')²/(2 b²)). 0 if there is no row.
pub fn score<T: Scalar>(rows: &[Row<T>], bandwidth: T) -> T {
    let best = rows.iter().filter(|row| row.1).count();
    if best == 0 || best == rows.len() {
        return T::ZERO;
    }
    let n = T::from_count(rows.len());
    let mean = T::from_count(best) / n;
    let centred = |is_best: bool| if is_best { T::ONE - mean } else { -mean };
    let scale = -T::HALF / (bandwidth * bandwidth);
    let mut sum = T::ZERO;
    let mut rest = rows;
    while let Some((&(z, is_best), later)) = rest.split_first() {
        let mut row = T::ZERO;
        for &(other, other_is_best) in later {
            let distance = other - z;
            row += (distance * distance * scale).exp_neg() * centred(other_is_best);
        }
        let c = centred(is_best);
        sum += c * (c + row + row);
        rest = later;
    }
    T::ZERO.max(sum / (n * n))
}

/// Insertion sort by value: nothing in it can panic, and it is cheap beside the kernel sum.
fn sort<T: Scalar>(rows: &mut [Row<T>]) {
    for length in 0..rows.len() {
        if let Some((new, sorted)) = rows.get_mut(..=length).and_then(<[_]>::split_last_mut) {
            for row in sorted {
                if new.0 < row.0 {
                    core::mem::swap(row, new);
                }
            }
        }
    }
}

/// The median of all n(n-1)/2 distances of sorted rows, exact, without storing them; 0 if there is none.
pub fn median_distance<T: Scalar>(sorted: &[Row<T>]) -> T {
    let pairs = sorted.len() * sorted.len().saturating_sub(1) / 2;
    let upper = distance_of_rank(sorted, pairs / 2);
    if pairs % 2 == 1 {
        upper
    } else {
        let lower = distance_of_rank(sorted, (pairs / 2).saturating_sub(1));
        T::HALF * (lower + upper)
    }
}

/// The distance with `rank` smaller or equal ones before it, by bisection over the numbers: it is the smallest number
/// that more than `rank` distances do not exceed. Ends when no number lies between the bounds, so the answer is exact.
fn distance_of_rank<T: Scalar>(sorted: &[Row<T>], rank: usize) -> T {
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
        return T::ZERO;
    };
    let mut high = last.0 - first.0;
    if pairs_within(sorted, T::ZERO) > rank {
        return T::ZERO;
    }
    let mut low = T::ZERO;
    loop {
        let middle = T::HALF * (low + high);
        if !(low < middle && middle < high) {
            return high;
        }
        if pairs_within(sorted, middle) > rank {
            high = middle;
        } else {
            low = middle;
        }
    }
}

/// How many pairs of sorted rows are not farther apart than `distance`. O(n): both ends of the window only move up.
fn pairs_within<T: Scalar>(sorted: &[Row<T>], distance: T) -> usize {
    let mut start = sorted.iter();
    let mut inside = 0;
    let mut pairs = 0;
    for row in sorted {
        while start
            .as_slice()
            .first()
            .is_some_and(|first| row.0 - first.0 > distance)
        {
            start.next();
            inside -= 1;
        }
        pairs += inside;
        inside += 1;
    }
    pairs
}
