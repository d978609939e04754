//! Stage: the Q promising points at the ambient context, D^Q (eq. dalpha), by greedy Q-UCB.
//!
//! Q-UCB in reparameterised form (Wilson et al. 2017): the mean over base samples s of max over q of
//! μ_q + √(βπ/2)·|(L ε_s)_q|, L the Cholesky factor of the joint posterior covariance of the points. Points are added
//! one by one; a new one only adds a row to L, and each sample only has to remember its maximum so far.

use heapless::Vec;

use super::search::Region;
use crate::gp::Prefix;
use crate::math::normal::inverse_cdf;
use crate::math::sobol::Sobol;
use crate::settings::{MAX_BASE_SAMPLES, MAX_BATCH};
use crate::task::yield_now;
use crate::{Point, Scalar};

/// The points of a batch, with what a further point needs to know of them.
#[derive(Clone, Debug)]
pub struct Batch<const N: usize, const D: usize, const C: usize, T> {
    points: Vec<Point<D, C, T>, MAX_BATCH>,
    /// L⁻¹k(X, x_q) of each point, L the surrogate's factor.
    whitened: [[T; N]; MAX_BATCH],
    /// Rows of the factor of the joint posterior covariance.
    rows: [[T; MAX_BATCH]; MAX_BATCH],
    /// Standard normal base samples, one row per sample, and how many there are.
    normals: [[T; MAX_BATCH]; MAX_BASE_SAMPLES],
    samples: usize,
    /// Each sample's maximum so far.
    highest: [Option<T>; MAX_BASE_SAMPLES],
    /// √(βπ/2).
    width: T,
}

/// What a candidate would add.
#[derive(Clone, Copy)]
struct Candidate<T> {
    mean: T,
    row: [T; MAX_BATCH],
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Default for Batch<N, D, C, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Batch<N, D, C, T> {
    /// No point.
    pub const fn new() -> Self {
        Self {
            points: Vec::new(),
            whitened: [[T::ZERO; N]; MAX_BATCH],
            rows: [[T::ZERO; MAX_BATCH]; MAX_BATCH],
            normals: [[T::ZERO; MAX_BATCH]; MAX_BASE_SAMPLES],
            samples: 0,
            highest: [None; MAX_BASE_SAMPLES],
            width: T::ZERO,
        }
    }

    /// Forgets all points, and takes `samples` base samples: `normal(s, q)` for sample s and point q.
    pub fn restart(&mut self, beta: T, samples: usize, normal: impl Fn(usize, usize) -> T) {
        self.points.clear();
        self.samples = samples.clamp(1, MAX_BASE_SAMPLES);
        self.highest = [None; MAX_BASE_SAMPLES];
        self.width = (beta * T::from_f64(core::f64::consts::FRAC_PI_2)).sqrt();
        for (s, row) in self.normals.iter_mut().enumerate() {
            for (q, value) in row.iter_mut().enumerate() {
                *value = normal(s, q);
            }
        }
    }

    /// The points so far.
    pub fn points(&self) -> &[Point<D, C, T>] {
        &self.points
    }

    /// Q-UCB of the points so far; `None` if there is none.
    pub fn value(&self) -> Option<T> {
        let mut sum = T::ZERO;
        for highest in self.highest.iter().take(self.samples) {
            sum += (*highest)?;
        }
        Some(sum / T::from_count(self.samples))
    }

    /// Adds a point; `false` if there is no room or the posterior cannot be computed.
    pub fn push(&mut self, surrogate: &Prefix<'_, N, D, C, T>, point: &Point<D, C, T>) -> bool {
        let mut v = [T::ZERO; N];
        let Some(candidate) = self.candidate(surrogate, point, &mut v) else {
            return false;
        };
        let q = self.points.len();
        for (highest, normals) in self
            .highest
            .iter_mut()
            .zip(&self.normals)
            .take(self.samples)
        {
            let value = candidate.sample(normals, q, self.width);
            *highest = Some(highest.map_or(value, |highest| highest.max(value)));
        }
        if let (Some(row), Some(whitened)) = (self.rows.get_mut(q), self.whitened.get_mut(q)) {
            *row = candidate.row;
            *whitened = v;
        }
        self.points.push(*point).is_ok()
    }

    /// Q-UCB of the points so far and one more.
    pub fn value_with(
        &self,
        surrogate: &Prefix<'_, N, D, C, T>,
        point: &Point<D, C, T>,
    ) -> Option<T> {
        let mut v = [T::ZERO; N];
        let candidate = self.candidate(surrogate, point, &mut v)?;
        let q = self.points.len();
        let mut sum = T::ZERO;
        for (highest, normals) in self.highest.iter().zip(&self.normals).take(self.samples) {
            let value = candidate.sample(normals, q, self.width);
            sum += highest.map_or(value, |highest| highest.max(value));
        }
        Some(sum / T::from_count(self.samples))
    }

    /// The row that a point would add to the factor: its covariances with the points so far, whitened.
    fn candidate(
        &self,
        surrogate: &Prefix<'_, N, D, C, T>,
        point: &Point<D, C, T>,
        v: &mut [T; N],
    ) -> Option<Candidate<T>> {
        if self.points.is_full() {
            return None;
        }
        surrogate.whiten(point, v);
        let posterior = surrogate.posterior_of(v);
        let mut row = [T::ZERO; MAX_BATCH];
        let mut variance = posterior.variance;
        let known = self.points.iter().zip(&self.whitened).zip(&self.rows);
        for (i, ((other, whitened), other_row)) in known.enumerate() {
            let explained = v
                .iter()
                .zip(whitened)
                .fold(T::ZERO, |sum, (&a, &b)| sum + a * b);
            let mut value = surrogate.prior_covariance(point, other) - explained;
            for (&a, &b) in row.iter().zip(other_row).take(i) {
                value -= a * b;
            }
            let diagonal = other_row.get(i).copied().unwrap_or(T::ZERO);
            // A point that repeats an earlier one adds nothing of its own.
            value = if diagonal > T::ZERO {
                value / diagonal
            } else {
                T::ZERO
            };
            variance -= value * value;
            if let Some(place) = row.get_mut(i) {
                *place = value;
            }
        }
        if let Some(place) = row.get_mut(self.points.len()) {
            *place = variance.max(T::ZERO).sqrt();
        }
        Some(Candidate {
            mean: posterior.mean,
            row,
        })
    }

    /// Chooses `count` points of a region greedily among quasi-random ones.
    pub(crate) async fn choose(
        &mut self,
        surrogate: &Prefix<'_, N, D, C, T>,
        region: &Region<D, C, T>,
        count: usize,
        samples: u16,
        sobol: Sobol,
    ) {
        for _ in 0..count.min(MAX_BATCH) {
            let mut best: Option<(T, Point<D, C, T>)> = None;
            for index in 0..samples {
                let point = region.sample(&sobol, index);
                if let Some(value) = self.value_with(surrogate, &point)
                    && best.is_none_or(|(highest, _)| value > highest)
                {
                    best = Some((value, point));
                }
                yield_now().await;
            }
            if let Some((_, point)) = best {
                self.push(surrogate, &point);
            }
        }
    }
}

impl<T: Scalar> Candidate<T> {
    /// μ + √(βπ/2)·|(L ε)_q| for one base sample.
    #[inline]
    fn sample(&self, normals: &[T; MAX_BATCH], q: usize, width: T) -> T {
        let terms = self.row.iter().zip(normals).take(q + 1);
        let deviation = terms.fold(T::ZERO, |sum, (&l, &e)| sum + l * e);
        self.mean + width * deviation.abs()
    }
}

/// Base sample s of point q: a quasi-random normal.
pub(crate) fn base_sample<T: Scalar>(sobol: &Sobol, s: usize, q: usize) -> T {
    // Never 0: the index starts at 1 and the sequence is scrambled; a cell's middle is enough for 16 bits.
    let index = u16::try_from(s).unwrap_or(u16::MAX);
    let uniform: T = sobol.point(index, q);
    inverse_cdf(uniform.max(T::from_f64(1e-6)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::VarSet;
    use crate::gp::Gp;
    use crate::task::run;

    /// Each point is the best of the candidates given those before it, at the ambient context, and the value grows.
    #[test]
    fn points_are_chosen_greedily() {
        let mut gp = Gp::<8, 1, 1>::new();
        for (x, z, y) in [(0.1, 0.2, 0.3), (0.9, 0.4, 1.0), (0.5, 0.9, 0.7)] {
            gp.push(&Point::new([x], [z]), y).unwrap();
        }
        let surrogate = gp.all().unwrap();
        let region = Region {
            base: Point::new([0.0], [0.35]),
            design: VarSet::first(1),
            context: VarSet::EMPTY,
        };
        let (samples, normals) = (Sobol::new(7), Sobol::new(9));
        let mut chosen = Batch::new();
        chosen.restart(0.2, 16, |s, q| base_sample(&normals, s, q));
        run(chosen.choose(&surrogate, &region, 5, 20, samples));
        assert_eq!(chosen.points().len(), 5);

        let candidates = || (0..20).map(|index| region.sample(&Sobol::new(7), index));
        let mut batch = Batch::new();
        batch.restart(0.2, 16, |s, q| base_sample(&normals, s, q));
        for point in chosen.points() {
            assert_eq!(point.context, [0.35]);
            let value = batch.value_with(&surrogate, point).unwrap();
            let best = candidates().filter_map(|other| batch.value_with(&surrogate, &other));
            assert_eq!(value, best.fold(f32::MIN, f32::max));
            assert!(batch.push(&surrogate, point));
        }
        assert_eq!(batch.value(), chosen.value());
    }
}
