//! Stage: when recording contexts has given what it can give, and actuating them should begin (eq. earlystopping, ineg).

use crate::Scalar;
use crate::math::normal::{cdf, kl_of_change, pdf};

/// When the observational phase ends.
///
/// Every rule also waits for a minimum number of observational steps, which is a setting of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SwitchRule {
    /// When the bound ΔR̃ on the change of regret is not above its threshold s_t: the paper's rule.
    Adaptive,
    /// When ΔR̃ is below a tenth of the median of its first 20 values: the rule of the paper's reference code.
    MedianFraction,
    /// After this many observational steps.
    At(u32),
    /// Not at all: contexts are only recorded.
    Never,
}

/// What the criterion needs to know about observation t, made at v_t, on standardised outputs.
///
/// Both posteriors have the hyperparameters fitted after the observation; v*_t and v*_{t-1} are the best observed points
/// after and before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwitchInputs<T> {
    /// Δμ = μ_t(v*_t) - μ_{t-1}(v*_{t-1}).
    pub mean_change: T,
    /// μ_t(v*_t) - μ_t(v*_{t-1}), both means after the observation; 0 if the points coincide.
    pub lead: T,
    /// v, the standard deviation of f(v*_t) - f(v*_{t-1}) after the observation; 0 if the points coincide.
    pub lead_sd: T,
    /// s = σ²_{t-1}(v_t), the variance of f where the observation was made, before it.
    pub variance: T,
    /// y_t - μ_{t-1}(v_t), the surprise.
    pub residual: T,
    /// σ_{t-1}(v*_t).
    pub best_sd: T,
    /// κ = max over the cube of UCB_{t-1} - max over the data of LCB_{t-1}.
    pub kappa: T,
    /// σ², the noise variance.
    pub noise: T,
    /// δ: the criterion holds with probability 1 - δ.
    pub delta: T,
}

/// The criterion's figures for one observation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SwitchFigures<T = f32> {
    /// v (φ(g) + g Φ(g)): the improvement still expected of the former best point over the new one.
    pub improvement: T,
    /// KL( p(f|D_t) ‖ p(f|D_{t-1}) ): what the observation taught.
    pub information: T,
    /// ΔR̃, an upper bound on the change of regret (eq. earlystopping).
    pub bound: T,
    /// s_t, below which the bound cannot be told from noise (eq. ineg).
    pub threshold: T,
}

impl<T: Scalar> SwitchInputs<T> {
    /// The figures.
    pub fn figures(&self) -> SwitchFigures<T> {
        let improvement = self.improvement();
        let information = self.information();
        let bound =
            improvement + self.mean_change.abs() + self.kappa * (T::HALF * information).sqrt();
        // s_t = (σ_{t-1}(v*_t) + κ/2) σ_{t-1}(v_t) σ √(-2 ln δ) / (σ²_{t-1}(v_t) + σ²)
        let width =
            (self.best_sd + T::HALF * self.kappa) * (-(self.delta.ln() + self.delta.ln())).sqrt();
        let threshold =
            width * self.variance.sqrt() * self.noise.sqrt() / (self.variance + self.noise);
        SwitchFigures {
            improvement,
            information,
            bound,
            threshold,
        }
    }

    /// v (φ(g) + g Φ(g)) with g = -(μ_t(v*_t) - μ_t(v*_{t-1}))/v: E[max(0, f(v*_{t-1}) - f(v*_t))] after the observation.
    ///
    /// The paper prints g = Δμ/v, carried over from minimisation; v² is the variance of the difference used here.
    fn improvement(&self) -> T {
        if self.lead_sd > T::ZERO {
            let g = -self.lead / self.lead_sd;
            // Far to the left the two terms cancel, and rounding could leave a negative rest.
            T::ZERO.max(self.lead_sd * (pdf(g) + g * cdf(g)))
        } else {
            T::ZERO
        }
    }

    /// ½ ( ln(1 + s/σ²) - s/(s+σ²) + s r²/(s+σ²)² ): the posterior of f(v_t) has variance s σ²/(s+σ²) and its mean
    /// moved by s r/(s+σ²), and the divergence of the whole process is that of this one value.
    fn information(&self) -> T {
        if self.variance > T::ZERO {
            let gain = self.variance / (self.variance + self.noise);
            let after = gain * self.noise;
            kl_of_change(
                gain * self.residual,
                -gain * self.variance,
                after,
                self.variance,
            )
        } else {
            T::ZERO
        }
    }
}

/// How many first values of ΔR̃ [`SwitchRule::MedianFraction`] compares with.
const FIRST: usize = 20;

/// What the rule remembers of the observational phase.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SwitchState<T = f32> {
    steps: u32,
    /// The first values of ΔR̃, in ascending order; the unused ones at the end.
    first: [T; FIRST],
    filled: u8,
}

impl<T: Scalar> SwitchState<T> {
    /// No step yet.
    pub const fn new() -> Self {
        Self {
            steps: 0,
            first: [T::ZERO; FIRST],
            filled: 0,
        }
    }

    /// Observational steps seen.
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// Takes the figures of one more observational step, and says whether the phase ends after it.
    ///
    /// A criterion that has not decided by the time it is `late` is no longer asked. `figures` may be missing, for a step
    /// whose criterion could not be computed: it counts as a step and decides nothing.
    pub fn observe(
        &mut self,
        rule: SwitchRule,
        minimum_steps: u32,
        late: bool,
        figures: Option<&SwitchFigures<T>>,
    ) -> bool {
        self.steps = self.steps.saturating_add(1);
        let figures = figures.filter(|figures| figures.bound.is_finite());
        if let Some(figures) = figures {
            self.remember(figures.bound);
        }
        let due = match rule {
            SwitchRule::Adaptive => {
                late || figures.is_some_and(|figures| figures.bound <= figures.threshold)
            }
            SwitchRule::MedianFraction => {
                late || figures
                    .zip(self.median())
                    .is_some_and(|(figures, median)| figures.bound < T::from_f64(0.1) * median)
            }
            SwitchRule::At(step) => self.steps >= step,
            SwitchRule::Never => false,
        };
        due && self.steps >= minimum_steps
    }

    /// Inserts a value in its place, while there is room.
    fn remember(&mut self, value: T) {
        let filled = usize::from(self.filled);
        if filled == FIRST {
            return;
        }
        let mut carried = value;
        for slot in self.first.iter_mut().take(filled) {
            if carried < *slot {
                core::mem::swap(&mut carried, slot);
            }
        }
        if let Some(slot) = self.first.get_mut(filled) {
            *slot = carried;
            self.filled += 1;
        }
    }

    /// The median of the first values, once they are complete.
    fn median(&self) -> Option<T> {
        let complete = usize::from(self.filled) == FIRST;
        let [.., lower, upper] = self.first.first_chunk::<{ FIRST / 2 + 1 }>()?;
        complete.then(|| T::HALF * (*lower + *upper))
    }
}

impl<T: Scalar> Default for SwitchState<T> {
    fn default() -> Self {
        Self::new()
    }
}
