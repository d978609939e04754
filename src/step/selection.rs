//! Stage: which contexts to work with, the paper's J_η (lines 6 and 7 of its algorithm).

use crate::{Scalar, VarSet};

/// A context cheaper than this counts as costing this: the smallest cost that the budget can count.
const SMALLEST_COST: f64 = 1e-3;

/// Relevance per unit cost, FC(j) / λ_j (eq. fccost), as shares that sum to 1 again.
pub fn weigh_by_cost<T: Scalar>(scores: &mut [T], costs: &[T]) {
    for (score, &cost) in scores.iter_mut().zip(costs) {
        *score /= T::from_f64(SMALLEST_COST).max(cost);
    }
    normalise(scores);
}

/// Scales scores so that they sum to 1; all 0 stays all 0. A score that is negative or not finite becomes 0.
pub fn normalise<T: Scalar>(scores: &mut [T]) {
    for score in scores.iter_mut().filter(|score| !is_usable(**score)) {
        *score = T::ZERO;
    }
    let sum = scores.iter().fold(T::ZERO, |sum, &score| sum + score);
    if sum > T::ZERO {
        for score in scores {
            *score /= sum;
        }
    }
}

fn is_usable<T: Scalar>(score: T) -> bool {
    score.is_finite() && score > T::ZERO
}

/// The contexts of highest score until their share of all `eligible` scores exceeds `threshold` (η).
///
/// `eligible` leaves out what the user forbids, and what has no actuator when the set is to be actuated; `forced` is what
/// the user wants in any case, if eligible. Forced contexts come first, and their share counts: they explain their part
/// of the sensitivity. Otherwise ties go to the lower index. If no eligible score is positive only the forced contexts
/// are selected; a threshold of 1 selects everything eligible.
pub fn select<T: Scalar>(scores: &[T], threshold: T, eligible: VarSet, forced: VarSet) -> VarSet {
    let eligible = eligible.intersection(VarSet::first(scores.len()));
    let forced = forced.intersection(eligible);
    let sum_over = |set: VarSet| {
        set.iter()
            .fold(T::ZERO, |sum, index| sum + score(scores, index))
    };
    let total = sum_over(eligible);
    if !is_usable(total) {
        return forced;
    }
    if threshold >= T::ONE {
        return eligible;
    }
    // Compared as sums, not shares: one rounding fewer, so that equality is seen as equality.
    let enough = threshold * total;
    let mut selected = forced;
    let mut sum = sum_over(forced);
    for index in descending(scores, eligible.difference(forced)) {
        if sum > enough {
            break;
        }
        sum += score(scores, index);
        selected = selected.with(index);
    }
    selected
}

/// The indices of a set in descending order of score, the lower index first where scores are equal.
pub fn descending<T: Scalar>(scores: &[T], set: VarSet) -> impl Iterator<Item = usize> {
    let mut left = set;
    core::iter::from_fn(move || {
        let next = left.iter().reduce(|best, index| {
            if score(scores, index) > score(scores, best) {
                index
            } else {
                best
            }
        })?;
        left = left.without(next);
        Some(next)
    })
}

/// A score, or 0 if it is unusable or there is none.
fn score<T: Scalar>(scores: &[T], index: usize) -> T {
    scores
        .get(index)
        .copied()
        .filter(|&score| is_usable(score))
        .unwrap_or(T::ZERO)
}
