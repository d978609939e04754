//! How the controller decides: the paper's parameters, its open choices, and how much work a step may be.

use crate::config::ConfigError;
use crate::gp::{FitConfig, Kernel};
use crate::step::elite::EliteRule;
use crate::step::relevance::Divergence;
use crate::step::switch::SwitchRule;
use crate::{Error, Overspend, Scalar};

/// The most points that D^Q can have (Q).
pub const MAX_BATCH: usize = 10;
/// The most base samples of the batch acquisition.
pub const MAX_BASE_SAMPLES: usize = 32;
/// The most local searches for the maximum of an acquisition.
pub const MAX_RESTARTS: usize = 8;

/// The weight of uncertainty in UCB = μ + √β·σ.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Beta<T = f32> {
    /// β itself; 0.2 in the paper's experiments.
    Constant(T),
    /// β_t = scale · 2 ln(d t² π²/(6δ)) for d variables and t observations, the bound of Srinivas et al. (2010).
    Scheduled {
        /// A factor, since the bound is far too cautious in practice.
        scale: T,
    },
}

impl<T: Scalar> Beta<T> {
    /// β for `variables` variables after `observations` observations, at confidence 1 - `delta`.
    pub fn at(self, variables: usize, observations: usize, delta: T) -> T {
        match self {
            Self::Constant(beta) => beta,
            Self::Scheduled { scale } => {
                let (d, t) = (
                    T::from_count(variables.max(1)),
                    T::from_count(observations.max(1)),
                );
                let argument = d * t * t * T::from_f64(1.644_934_066_848_226_4) / delta;
                let logarithm = argument.ln();
                scale * (logarithm + logarithm)
            }
        }
    }
}

/// Where a context is put to see what the prediction loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Collapse {
    /// To 0 on the unit cube, the lower bound: the paper's choice.
    #[default]
    Zero,
    /// To the mean of its observed values.
    Mean,
    /// To each of up to eight of its observed values, and the divergences averaged.
    Observed,
}

/// What happens when there is no room for another observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CapacityPolicy {
    /// The controller refuses to decide: [`Error::Full`](crate::Error::Full).
    #[default]
    Refuse,
    /// The observation that the others predict best is forgotten; never the best one.
    ///
    /// What that costs: on Hartmann4D, room for 32 observations instead of all 104 lowers the mean best value from 0.997
    /// to 0.975, and blurs which contexts matter (`cargo test --release --test algorithm`, `tests/algorithm.txt`).
    ForgetLeastInformative,
}

/// How much work a step may be.
///
/// Instructions of a step at 63 observations of 2 + 5 variables on a Cortex-M4F (`cargo xtask bench`; `THOROUGH` on a
/// desktop, `cargo xtask bench-step`), and mean best value with its standard error on Hartmann4D, where 1 is the optimum
/// (`cargo test --release --test algorithm`, in `tests/algorithm.txt`):
///
/// | preset | million instructions | mean best value |
/// |---|---:|---:|
/// | [`FAST`](Self::FAST) | 18.4 | 0.9950 ± 0.0017 |
/// | [`STANDARD`](Self::STANDARD) | 41.2 | 0.9966 ± 0.0010 |
/// | [`THOROUGH`](Self::THOROUGH) | 99 | 0.9962 ± 0.0013 |
///
/// More work than `STANDARD` finds higher maxima of the acquisition, which on this problem makes no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Work {
    /// Local searches of the full surrogate's fit; the first starts from the last result.
    pub fit_starts: u16,
    /// Evaluations of each of them.
    pub fit_evaluations: u16,
    /// Evaluations of the reduced surrogate's fit, which starts from the full one's result.
    pub reduced_evaluations: u16,
    /// Quasi-random points at which an acquisition is tried first.
    pub raw_samples: u16,
    /// How many of the best of them a local search starts from; at most [`MAX_RESTARTS`].
    pub restarts: u8,
    /// Evaluations of each local search.
    pub refinements: u16,
    /// Quasi-random points tried for each point of D^Q.
    pub batch_samples: u16,
    /// Base samples of the batch acquisition; at most [`MAX_BASE_SAMPLES`].
    pub base_samples: u8,
}

impl Work {
    /// For small or slow parts: a third of the work.
    pub const FAST: Self = Self {
        fit_starts: 1,
        fit_evaluations: 12,
        reduced_evaluations: 8,
        raw_samples: 48,
        restarts: 2,
        refinements: 12,
        batch_samples: 12,
        base_samples: 16,
    };

    /// The default.
    pub const STANDARD: Self = Self {
        fit_starts: 2,
        fit_evaluations: 20,
        reduced_evaluations: 16,
        raw_samples: 128,
        restarts: 4,
        refinements: 20,
        batch_samples: 24,
        base_samples: 32,
    };

    /// For a desktop.
    pub const THOROUGH: Self = Self {
        fit_starts: 4,
        fit_evaluations: 60,
        reduced_evaluations: 60,
        raw_samples: 256,
        restarts: 8,
        refinements: 40,
        batch_samples: 64,
        base_samples: 32,
    };
}

/// How the controller decides.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings<T = f32> {
    /// Points measured before the surrogate decides anything (n0), given data included. At least 2.
    pub initial_points: u16,
    /// Whether those points also actuate every context that can be, to have seen more than the weather shows.
    pub initial_actuation: bool,
    /// Share of the sensitivity that the selected contexts have to explain (η).
    pub relevance_threshold: T,
    /// The same for design variables: those that are not needed to explain this share of the sensitivity stay at their
    /// best observed value. At 1, the default, all are chosen in every step: beyond the paper.
    pub design_threshold: T,
    /// Which observations count as promising (γ).
    pub elite: EliteRule<T>,
    /// Fresh points at the ambient context that count as promising (Q); at most [`MAX_BATCH`].
    pub batch: u8,
    /// How a shift of the prediction is measured.
    pub divergence: Divergence,
    /// Where a context is put to see what the prediction loses.
    pub collapse: Collapse,
    /// Weight of uncertainty (β).
    pub beta: Beta<T>,
    /// When recording ends and actuating begins.
    pub switch: SwitchRule,
    /// Observational steps before any rule can switch.
    pub minimum_observational_steps: u32,
    /// Recording ends at the latest when this share of the budget is spent, whatever the criterion says; 1 leaves it to the
    /// criterion, as the paper does. [`SwitchRule::At`] and [`SwitchRule::Never`] know no such limit.
    pub observational_share: T,
    /// How many times the cost of actuating counts when a step weighs it against recording: it actuates if the expected
    /// improvement per cost is larger then, and otherwise records, for less and wherever the weather leads. More than 1,
    /// since what recording promises today leaves out the weather of tomorrow. 0 always actuates, as the paper does.
    pub actuation_weight: T,
    /// The switching criterion holds with probability 1 - δ (δ).
    pub delta: T,
    /// Whether the criterion's threshold grows as the budget shrinks, by budget/remaining: beyond the paper.
    pub budget_aware_switch: bool,
    /// What becomes of a step that costs more than what is left.
    pub overspend: Overspend,
    /// What happens when there is no room for another observation.
    pub capacity: CapacityPolicy,
    /// Covariance function.
    pub kernel: Kernel,
    /// Prior and bounds of the hyperparameters; its numbers of starts and evaluations give way to those of `work`.
    pub fit: FitConfig<T>,
    /// Above this many observations the full surrogate is fitted only every `refit_every` steps.
    pub refit_always_below: u16,
    /// See `refit_always_below`; at least 1.
    pub refit_every: u16,
    /// How much work a step may be.
    pub work: Work,
}

impl<T: Scalar> Default for Settings<T> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<T: Scalar> Settings<T> {
    /// What [`default`](Self::default) gives, for a `const`.
    pub const DEFAULT: Self = Self {
        initial_points: 10,
        initial_actuation: false,
        relevance_threshold: T::FOUR_FIFTHS,
        design_threshold: T::ONE,
        elite: EliteRule::MinMax(T::FOUR_FIFTHS),
        batch: 10,
        divergence: Divergence::Kl,
        collapse: Collapse::Zero,
        beta: Beta::Constant(T::FIFTH),
        switch: SwitchRule::Adaptive,
        minimum_observational_steps: 10,
        observational_share: T::FIFTH,
        actuation_weight: T::TEN,
        delta: T::TWENTIETH,
        budget_aware_switch: false,
        overspend: Overspend::Trim,
        capacity: CapacityPolicy::Refuse,
        kernel: Kernel::SquaredExponential,
        fit: FitConfig::DEFAULT,
        refit_always_below: 128,
        refit_every: 1,
        work: Work::STANDARD,
    };

    /// As the paper's text and experiments have it: KL, the plain ratio, maximum likelihood, the last step may overdraw.
    pub fn paper() -> Self {
        Self {
            elite: EliteRule::Ratio(T::from_f64(0.8)),
            divergence: Divergence::Kl,
            minimum_observational_steps: 1,
            observational_share: T::ONE,
            actuation_weight: T::ZERO,
            overspend: Overspend::Overdraw,
            fit: FitConfig {
                prior: crate::gp::Prior::Flat,
                ..FitConfig::default()
            },
            work: Work::THOROUGH,
            ..Self::default()
        }
    }

    /// [`validate`](Self::validate) for a controller that was made in a `static`.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.validate() {
            Err(ConfigError::Setting(name)) => Err(Error::Setting(name)),
            _ => Ok(()),
        }
    }

    /// Refuses numbers that make no sense, by name.
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        let within =
            |value: T, low: f64, high: f64| value >= T::from_f64(low) && value <= T::from_f64(high);
        let (EliteRule::MinMax(gamma) | EliteRule::Ratio(gamma) | EliteRule::TopFraction(gamma)) =
            self.elite;
        let (Beta::Constant(beta) | Beta::Scheduled { scale: beta }) = self.beta;
        let range = |(low, high): (T, T), least: f64, most: f64| {
            within(low, least, most) && within(high, least, most) && low <= high
        };
        let checks = [
            ("initial_points", self.initial_points >= 2),
            (
                "relevance_threshold",
                within(self.relevance_threshold, 0.0, 1.0),
            ),
            ("design_threshold", within(self.design_threshold, 0.0, 1.0)),
            ("elite", within(gamma, 0.0, 1.0)),
            ("batch", usize::from(self.batch) <= MAX_BATCH),
            ("beta", within(beta, 0.0, 1e6)),
            (
                "observational_share",
                within(self.observational_share, 0.0, 1.0),
            ),
            ("actuation_weight", within(self.actuation_weight, 0.0, 1e6)),
            ("delta", within(self.delta, 1e-6, 0.999)),
            ("refit_every", self.refit_every >= 1),
            (
                "fit.length_scales",
                range(self.fit.length_scales, 1e-3, 1e4),
            ),
            (
                "fit.signal_variance",
                range(self.fit.signal_variance, 1e-6, 1e6),
            ),
            (
                "fit.noise_variance",
                range(self.fit.noise_variance, 1e-9, 1e6),
            ),
            ("work.fit_starts", self.work.fit_starts >= 1),
            ("work.fit_evaluations", self.work.fit_evaluations >= 1),
            (
                "work.reduced_evaluations",
                self.work.reduced_evaluations >= 1,
            ),
            ("work.raw_samples", self.work.raw_samples >= 1),
            (
                "work.restarts",
                usize::from(self.work.restarts) <= MAX_RESTARTS,
            ),
            ("work.batch_samples", self.work.batch_samples >= 1),
            (
                "work.base_samples",
                (1..=MAX_BASE_SAMPLES).contains(&usize::from(self.work.base_samples)),
            ),
        ];
        match checks.iter().find(|(_, sound)| !sound) {
            Some((name, _)) => Err(ConfigError::Setting(name)),
            None => Ok(()),
        }
    }
}
