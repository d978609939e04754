//! Stage: how much each context matters, from how far its collapse shifts the prediction (eq. FC_relevance).

use crate::Scalar;

/// How the shift r_ij of a prediction is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Divergence {
    /// Kullback-Leibler divergence, as the paper prints it.
    #[default]
    Kl,
    /// Its square root, as the paper's reference code has it: flatter shares, so more contexts are selected.
    SqrtKl,
}

/// Averages the rows of r_ij to FC(j) = mean over i of r_ij / Σ_j' r_ij', one row after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relevance<const C: usize, T> {
    divergence: Divergence,
    sums: [T; C],
    rows: usize,
}

impl<const C: usize, T: Scalar> Relevance<C, T> {
    /// No row yet.
    pub const fn new(divergence: Divergence) -> Self {
        Self {
            divergence,
            sums: [T::ZERO; C],
            rows: 0,
        }
    }

    /// Adds the divergences of one point, one for each context.
    ///
    /// A row whose sum is 0 or not finite says nothing about shares and does not count.
    pub fn add_row(&mut self, divergences: &[T; C]) {
        let row = match self.divergence {
            Divergence::Kl => *divergences,
            Divergence::SqrtKl => divergences.map(T::sqrt),
        };
        let sum = row.iter().fold(T::ZERO, |sum, &r| sum + r);
        if sum > T::ZERO && sum.is_finite() {
            for (total, r) in self.sums.iter_mut().zip(row) {
                *total += r / sum;
            }
            self.rows += 1;
        }
    }

    /// The share of each context; they sum to 1, or are all 0 if no row counted.
    pub fn shares(&self) -> [T; C] {
        let rows = T::from_count(self.rows.max(1));
        self.sums.map(|sum| sum / rows)
    }
}
