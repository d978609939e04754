//! Hyperparameters that maximise the marginal likelihood, or its product with a prior.
//!
//! Several local searches in the logarithms, the first from the hyperparameters in force (a warm start), the others
//! from quasi-random points; the best result is kept. One call of [`Fit::step`] is one evaluation of the likelihood
//! and its gradient, so that a caller can yield in between and cap the work.

use super::Gp;
use super::hyper::{Hyper, LENGTH_SCALES, VARIANCES};
use super::prior::{NOISE, Prior, SIGNAL, TAU};
use crate::math::sobol::Sobol;
use crate::optim::{Params, QuasiNewton, Tolerances};
use crate::{Error, Input, Scalar, VarSet};

/// How hyperparameters are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FitConfig<T = f32> {
    /// Maximum likelihood or MAP.
    pub prior: Prior<T>,
    /// Smallest and largest length scale.
    pub length_scales: (T, T),
    /// Smallest and largest signal variance.
    pub signal_variance: (T, T),
    /// Smallest and largest noise variance.
    pub noise_variance: (T, T),
    /// Local searches; at least 1, the first from the hyperparameters in force.
    pub starts: u16,
    /// Evaluations of the likelihood for each local search; at least 1.
    pub evaluations: u16,
    /// Which quasi-random starting points.
    pub seed: u32,
}

impl<T: Scalar> FitConfig<T> {
    /// Four starts, a prior on the length scales, wide bounds.
    pub const DEFAULT: Self = Self {
        prior: Prior::LengthScales,
        length_scales: (T::HUNDREDTH, T::HUNDRED),
        signal_variance: (T::HUNDREDTH, T::HUNDRED),
        noise_variance: (T::MILLIONTH, T::ONE),
        starts: 4,
        evaluations: 60,
        seed: 0,
    };

    /// One warm start: for a process that was fitted one observation ago.
    pub fn warm() -> Self {
        Self {
            starts: 1,
            ..Self::default()
        }
    }

    /// Many starts: for data never fitted before, on a desktop.
    pub fn thorough() -> Self {
        Self {
            starts: 80,
            evaluations: 120,
            ..Self::default()
        }
    }
}

impl<T: Scalar> FitConfig<T> {
    /// Ok, or the error that names what is wrong: bounds that are not finite, cross, or leave what
    /// [`Hyper::validate`] allows.
    pub fn validate(&self) -> Result<(), Error> {
        let check = |(low, high): (T, T), (least, most): (f64, f64), input: Input| {
            if !low.is_finite() || !high.is_finite() {
                Err(Error::NonFinite(input))
            } else if low < T::from_f64(least) || high > T::from_f64(most) || low > high {
                Err(Error::OutOfRange(input))
            } else {
                Ok(())
            }
        };
        check(self.length_scales, LENGTH_SCALES, Input::LengthScaleBounds)?;
        check(self.signal_variance, VARIANCES, Input::SignalVarianceBounds)?;
        check(self.noise_variance, VARIANCES, Input::NoiseVarianceBounds)?;
        match self.prior {
            Prior::Saas { alpha } => check((alpha, alpha), VARIANCES, Input::Shrinkage),
            Prior::Flat | Prior::LengthScales | Prior::Botorch => Ok(()),
        }
    }
}

impl<T: Scalar> Default for FitConfig<T> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What a fit came to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FitReport<T = f32> {
    /// Log marginal likelihood plus log prior at the hyperparameters chosen.
    pub objective: T,
    /// Evaluations of the likelihood.
    pub evaluations: u32,
    /// The local search that won; 0 is the warm start.
    pub winner: u16,
}

/// A fit under way. While it is, the process answers [`Error::Unfinished`].
#[derive(Clone, Debug)]
pub struct Fit<const D: usize, const C: usize, T = f32> {
    config: FitConfig<T>,
    before: Hyper<D, C, T>,
    search: QuasiNewton<D, C, T>,
    best: Option<(T, Params<D, C, T>)>,
    winner: u16,
    start: u16,
    /// Evaluations of this local search, and of all.
    used: u16,
    total: u32,
}

/// Where quasi-random starts are drawn from, as a part of the bounds: length scales that say something on the cube,
/// variances as standardised outputs have them.
const START_LENGTH_SCALES: (f64, f64) = (0.02, 10.0);
const START_SIGNAL: (f64, f64) = (0.3, 3.0);
const START_NOISE: (f64, f64) = (1e-4, 0.1);
/// Bounds of the global shrinkage τ.
const TAUS: (f64, f64) = (1e-3, 10.0);

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Gp<N, D, C, T> {
    /// Fits the hyperparameters of the variables in use; those of the others stay.
    pub fn fit(&mut self, config: &FitConfig<T>) -> Result<FitReport<T>, Error> {
        let mut fit = Fit::begin(self, config)?;
        loop {
            if let Some(report) = fit.step(self)? {
                return Ok(report);
            }
        }
    }
}

impl<const D: usize, const C: usize, T: Scalar> Fit<D, C, T> {
    /// Prepares a fit; nothing is computed yet.
    pub fn begin<const N: usize>(
        gp: &Gp<N, D, C, T>,
        config: &FitConfig<T>,
    ) -> Result<Self, Error> {
        config.validate()?;
        if gp.is_empty() {
            return Err(Error::Empty);
        }
        let before = *gp.hyper();
        let warm = to_params(&before);
        let (low, high) = bounds(gp, config, &warm);
        Ok(Self {
            config: *config,
            before,
            search: QuasiNewton::new(&warm, &low, &high, tolerances()),
            best: None,
            winner: 0,
            start: 0,
            used: 0,
            total: 0,
        })
    }

    /// One evaluation. `Some` when the fit is finished and the process has its new hyperparameters.
    pub fn step<const N: usize>(
        &mut self,
        gp: &mut Gp<N, D, C, T>,
    ) -> Result<Option<FitReport<T>>, Error> {
        let result = self.evaluate(gp);
        self.used += 1;
        self.total += 1;
        let more = self.search.report(result);
        if more && self.used < self.config.evaluations {
            return Ok(None);
        }
        if let (&point, Some(value)) = self.search.best()
            && self.best.is_none_or(|(best, _)| value > best)
        {
            self.best = Some((value, point));
            self.winner = self.start;
        }
        self.start += 1;
        if self.start < self.config.starts {
            self.used = 0;
            let start = self.quasi_random_start();
            self.search.restart(&start);
            return Ok(None);
        }
        self.finish(gp).map(Some)
    }

    fn finish<const N: usize>(&self, gp: &mut Gp<N, D, C, T>) -> Result<FitReport<T>, Error> {
        let Some((objective, point)) = self.best else {
            gp.hyper = self.before;
            gp.factorise()?;
            return Err(Error::NotPositiveDefinite);
        };
        gp.hyper = self.before;
        let (design, context) = gp.active();
        let fitted = to_hyper(&point);
        copy_active(
            &mut gp.hyper.design_length_scales,
            &fitted.design_length_scales,
            design,
        );
        copy_active(
            &mut gp.hyper.context_length_scales,
            &fitted.context_length_scales,
            context,
        );
        gp.hyper.signal_variance = fitted.signal_variance;
        gp.hyper.noise_variance = fitted.noise_variance;
        gp.factorise()?;
        Ok(FitReport {
            objective,
            evaluations: self.total,
            winner: self.winner,
        })
    }

    /// The objective and its gradient at the trial point.
    fn evaluate<const N: usize>(&self, gp: &mut Gp<N, D, C, T>) -> Option<(T, Params<D, C, T>)> {
        let trial = self.search.trial();
        gp.hyper = to_hyper(trial);
        gp.factorise().ok()?;
        let likelihood = gp.likelihood_consuming_factor().ok()?;
        let tau = trial.extra[TAU].exp();
        let (design, context) = gp.active();
        let (mut density, mut gradient) = self
            .config
            .prior
            .log_density(&gp.hyper, tau, design, context);
        if let Prior::Saas { .. } = self.config.prior {
            // A mode depends on the coordinates. In (τ, 1/ℓ²) the density grows without bound as τ goes to 0 and takes
            // every variable with it; in (τ, w = 1/(τℓ²)), where BoTorch takes its mode, it does not. Jacobian: τ^d.
            let count = T::from_count(design.len() + context.len());
            density += count * trial.extra[TAU];
            gradient.extra[TAU] += count;
        }
        let variables = gradient.design.iter_mut().chain(&mut gradient.context);
        for (sum, slope) in variables.zip(likelihood.length_scales.iter()) {
            *sum += slope;
        }
        gradient.extra[SIGNAL] += likelihood.signal_variance;
        gradient.extra[NOISE] += likelihood.noise_variance;
        Some((likelihood.value + density, gradient))
    }

    /// The starting point of local search `start`: quasi-random in the logarithms.
    fn quasi_random_start(&self) -> Params<D, C, T> {
        let sobol = Sobol::new(self.config.seed);
        let mut point = Params::ZERO;
        let scales = core::iter::repeat_n(START_LENGTH_SCALES, D + C);
        let ranges = scales.chain([START_SIGNAL, START_NOISE, TAUS]);
        for (dimension, (value, (low, high))) in point.iter_mut().zip(ranges).enumerate() {
            let (low, high) = (T::from_f64(low).ln(), T::from_f64(high).ln());
            *value = low + (high - low) * sobol.point(self.start, dimension);
        }
        point
    }
}

/// Copies the length scales of the variables in use.
fn copy_active<T: Scalar>(to: &mut [T], from: &[T], variables: VarSet) {
    for (index, (to, &from)) in to.iter_mut().zip(from).enumerate() {
        if variables.contains(index) {
            *to = from;
        }
    }
}

fn tolerances<T: Scalar>() -> Tolerances<T> {
    Tolerances {
        gradient: T::from_f64(3e-4),
        // In single precision a likelihood is known to some 20 ε of its magnitude; in either, 1e-7 nats change nothing.
        rise: (T::from_f64(20.0) * T::EPSILON).max(T::from_f64(1e-7)),
        reach: T::from_f64(2.0),
    }
}

fn to_params<const D: usize, const C: usize, T: Scalar>(hyper: &Hyper<D, C, T>) -> Params<D, C, T> {
    Params {
        design: hyper.design_length_scales.map(T::ln),
        context: hyper.context_length_scales.map(T::ln),
        extra: [
            hyper.signal_variance.ln(),
            // The bounds lift it if it is 0.
            hyper.noise_variance.max(T::from_f64(1e-12)).ln(),
            T::from_f64(0.1).ln(),
        ],
    }
}

fn to_hyper<const D: usize, const C: usize, T: Scalar>(point: &Params<D, C, T>) -> Hyper<D, C, T> {
    Hyper {
        design_length_scales: point.design.map(T::exp),
        context_length_scales: point.context.map(T::exp),
        signal_variance: point.extra[SIGNAL].exp(),
        noise_variance: point.extra[NOISE].exp(),
    }
}

/// Bounds of the logarithms; what is not fitted is held at its warm value.
fn bounds<const N: usize, const D: usize, const C: usize, T: Scalar>(
    gp: &Gp<N, D, C, T>,
    config: &FitConfig<T>,
    warm: &Params<D, C, T>,
) -> (Params<D, C, T>, Params<D, C, T>) {
    let (mut low, mut high) = (*warm, *warm);
    let (design, context) = gp.active();
    let logarithms = |(low, high): (T, T)| (low.ln(), high.ln());
    let (mut shortest, longest) = logarithms(config.length_scales);
    let (mut least_noise, most_noise) = logarithms(config.noise_variance);
    let (mut least_signal, mut most_signal) = logarithms(config.signal_variance);
    let (mut least_tau, mut most_tau) = (T::ZERO, T::ZERO);
    match config.prior {
        Prior::Botorch => {
            shortest = shortest.max(T::from_f64(0.025).ln());
            least_noise = least_noise.max(T::from_f64(1e-4).ln());
            (least_signal, most_signal) = (T::ZERO, T::ZERO);
        }
        Prior::Saas { .. } => {
            (least_tau, most_tau) = logarithms((T::from_f64(TAUS.0), T::from_f64(TAUS.1)))
        }
        Prior::Flat | Prior::LengthScales => {}
    }
    for index in design.iter() {
        if let (Some(low), Some(high)) = (low.design.get_mut(index), high.design.get_mut(index)) {
            (*low, *high) = (shortest, longest);
        }
    }
    for index in context.iter() {
        if let (Some(low), Some(high)) = (low.context.get_mut(index), high.context.get_mut(index)) {
            (*low, *high) = (shortest, longest);
        }
    }
    low.extra = [least_signal, least_noise, least_tau];
    high.extra = [most_signal, most_noise, most_tau];
    (low, high)
}
