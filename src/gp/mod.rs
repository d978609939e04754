//! The surrogate: a Gaussian process of fixed capacity that lives in one `static`.
//!
//! Zero mean, one length scale per variable, Gaussian noise (SPEC §2). A variable can be left out ([`Gp::set_active`]):
//! its 1/ℓ² is then exactly 0, so the *reduced* surrogate of the paper is the same type on the same data.
//!
//! | file | what |
//! |---|---|
//! | `dataset` | inputs in panels, scale of the outputs |
//! | `hyper` | length scales and variances |
//! | `kernel` | covariances and their slopes, sixteen pairs at a time |
//! | `panels` | one square for two triangles |
//! | `cholesky`, `solve` | factorisation, append, solves |
//! | `posterior` | mean, variance, covariance, gradients; also given only the first observations |
//! | `inverse`, `likelihood` | log marginal likelihood and its gradient |
//! | `forget` | observations taken out, and which one to |
//! | `prior`, `fit` | hyperparameters by maximum likelihood or MAP, one evaluation at a time |

mod cholesky;
mod dataset;
mod fit;
mod forget;
mod hyper;
#[cfg(feature = "nalgebra")]
mod interop;
mod inverse;
mod kernel;
mod likelihood;
mod panels;
mod posterior;
mod prior;
mod solve;

pub use dataset::OutputScale;
pub use fit::{Fit, FitConfig, FitReport};
pub use hyper::Hyper;
pub use kernel::Kernel;
pub use likelihood::Likelihood;
pub use posterior::{Posterior, PosteriorGradient, Prefix};
pub use prior::Prior;

pub(crate) use dataset::best_of;
pub(crate) use forget::Observation;

#[doc(hidden)]
pub use cholesky::factorise;
#[doc(hidden)]
pub use panels::Panels;

use crate::{Error, Input, Point, Scalar, VarSet};
use cholesky::{append_row, panel_count};
use dataset::Inputs;
use kernel::{Metric, exponent_lanes, exponent_tile};
use panels::{LANES, Tile, store_lanes, store_tile};
use solve::{solve_lower, solve_upper};

/// What the surrogate sees of the outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outputs {
    /// (y - mean)/deviation, over the data so far.
    #[default]
    Standardised,
    /// The outputs as they are, at most 10⁶: for outputs that have zero mean and unit variance already.
    Raw,
}

/// The largest magnitude of a coordinate. The cube is [0, 1]; this only keeps squares finite.
const LARGEST_COORDINATE: f64 = 1e4;

/// The largest magnitude of an output that is not standardised: its weight α stays finite whatever the variances.
const LARGEST_RAW_OUTPUT: f64 = 1e6;

/// A Gaussian process with room for `N` observations of `D` design and `C` context variables.
///
/// ```
/// use sadcbo::{Point, gp::{FitConfig, Gp}};
///
/// let mut gp = Gp::<16, 1, 1>::new();
/// for i in 0..12_u8 {
///     let (x, z) = (f32::from(i) / 11.0, f32::from(i * 5 % 12) / 11.0);
///     gp.push(&Point::new([x], [z]), (3.0 * x).sin())?; // the context z does not matter
/// }
/// gp.fit(&FitConfig::default())?;
/// let hyper = gp.hyper();
/// assert!(hyper.context_length_scales[0] > 3.0 * hyper.design_length_scales[0]);
/// let at = gp.posterior(&Point::new([0.5], [0.9]))?;
/// assert!((at.mean - 1.5_f32.sin()).abs() < 0.01 && at.std_dev() < 0.05);
/// # Ok::<(), sadcbo::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gp<const N: usize, const D: usize, const C: usize, T = f32> {
    inputs: Inputs<N, D, C, T>,
    outputs: [T; N],
    len: usize,
    scaling: Outputs,
    scale: OutputScale<T>,
    kernel: Kernel,
    hyper: Hyper<D, C, T>,
    /// Follows from the hyperparameters and the variables in use, at every factorisation.
    metric: Metric<D, C, T>,
    design: VarSet,
    context: VarSet,
    /// What the jitter ladder added to the diagonal.
    jitter: T,
    panels: Panels<N, T>,
    /// L⁻¹y: leading elements belong to the first observations alone.
    whitened: [T; N],
    /// α = K⁻¹y.
    weights: [T; N],
    /// Whether the factor belongs to data and hyperparameters.
    factored: bool,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Default for Gp<N, D, C, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Gp<N, D, C, T> {
    /// No observations, squared exponential kernel, standardised outputs, all variables in use.
    ///
    /// Room for no observation, or more than 32 variables of a kind, is refused by the compiler:
    ///
    /// ```
    /// let smallest = sadcbo::gp::Gp::<1, 32, 32>::new();
    /// ```
    /// ```compile_fail
    /// let none = sadcbo::gp::Gp::<0, 32, 32>::new();
    /// ```
    /// ```compile_fail
    /// let too_many = sadcbo::gp::Gp::<1, 33, 32>::new();
    /// ```
    /// ```compile_fail
    /// let too_many = sadcbo::gp::Gp::<1, 32, 33>::new();
    /// ```
    pub const fn new() -> Self {
        const {
            assert!(
                D <= VarSet::MAX && C <= VarSet::MAX,
                "at most 32 design and 32 context variables"
            )
        };
        let mut gp = Self::vacant();
        gp.begin(Kernel::SquaredExponential);
        gp
    }

    /// Every byte is 0: not yet a surrogate.
    pub(crate) const fn vacant() -> Self {
        Self {
            inputs: Inputs::new(),
            outputs: [T::ZERO; N],
            len: 0,
            scaling: Outputs::Standardised,
            scale: OutputScale::VACANT,
            kernel: Kernel::SquaredExponential,
            hyper: Hyper::VACANT,
            metric: Metric::NONE,
            design: VarSet::EMPTY,
            context: VarSet::EMPTY,
            jitter: T::ZERO,
            panels: Panels::new(),
            whitened: [T::ZERO; N],
            weights: [T::ZERO; N],
            factored: false,
        }
    }

    /// What a surrogate begins with that is not 0: forgets what there was.
    pub(crate) const fn begin(&mut self, kernel: Kernel) {
        self.kernel = kernel;
        self.hyper = Hyper::START;
        self.design = VarSet::first(D);
        self.context = VarSet::first(C);
        self.clear();
    }

    /// The same process with another kernel, to be chosen first: observations are forgotten.
    #[must_use]
    pub const fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self.clear();
        self
    }

    /// The same process with another view of the outputs, to be chosen first: observations are forgotten.
    #[must_use]
    pub const fn with_outputs(mut self, outputs: Outputs) -> Self {
        self.scaling = outputs;
        self.clear();
        self
    }

    /// How many observations there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no observation.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many observations there is room for.
    pub const fn capacity(&self) -> usize {
        N
    }

    /// The hyperparameters in force.
    pub const fn hyper(&self) -> &Hyper<D, C, T> {
        &self.hyper
    }

    /// Mean and deviation of the outputs.
    pub const fn scale(&self) -> &OutputScale<T> {
        &self.scale
    }

    /// What had to be added to the diagonal of the kernel matrix to factorise it; usually 0.
    pub const fn jitter(&self) -> T {
        self.jitter
    }

    /// The design and the context variables in use.
    pub const fn active(&self) -> (VarSet, VarSet) {
        (self.design, self.context)
    }

    /// The inputs of observation `row`.
    pub fn point(&self, row: usize) -> Option<Point<D, C, T>> {
        if row < self.len {
            self.inputs.row(row)
        } else {
            None
        }
    }

    /// The outputs so far, in their own units.
    pub fn outputs(&self) -> &[T] {
        self.outputs.get(..self.len).unwrap_or(&[])
    }

    /// The observation with the largest output; the first of several.
    pub fn best(&self) -> Option<usize> {
        best_of(self.outputs())
    }

    /// Adds an observation, in O(n²): the factor gets one more row.
    ///
    /// Coordinates beyond the unit cube are accepted up to a magnitude of 10⁴. Repeats of a point are legal.
    pub fn push(&mut self, at: &Point<D, C, T>, output: T) -> Result<(), Error> {
        check_point(at)?;
        if !output.is_finite() {
            return Err(Error::NonFinite(Input::Output));
        }
        let largest = match self.scaling {
            Outputs::Standardised => T::LARGEST_OUTPUT,
            Outputs::Raw => T::from_f64(LARGEST_RAW_OUTPUT),
        };
        if output.abs() > largest {
            return Err(Error::OutOfRange(Input::Output));
        }
        if self.len >= N {
            return Err(Error::Full);
        }
        let row = self.len;
        // The first observation is factorised, which also prepares the metric.
        let appended = row > 0 && self.factored && self.append(at);
        self.inputs.set_row(row, at);
        if let Some(place) = self.outputs.get_mut(row) {
            *place = output;
        }
        self.len += 1;
        if appended {
            self.condition();
            return Ok(());
        }
        self.factorise().inspect_err(|_| {
            self.len = row;
            // It was factorised before, with this very jitter or a smaller one.
            let _ = self.factorise();
        })
    }

    /// Forgets all observations; hyperparameters stay.
    pub const fn clear(&mut self) {
        self.len = 0;
        self.jitter = T::ZERO;
        self.scale = OutputScale::IDENTITY;
        self.factored = true;
    }

    /// Takes other hyperparameters and refactorises.
    pub fn set_hyper(&mut self, hyper: Hyper<D, C, T>) -> Result<(), Error> {
        hyper.validate()?;
        let before = core::mem::replace(&mut self.hyper, hyper);
        self.factorise().inspect_err(|_| {
            self.hyper = before;
            let _ = self.factorise();
        })
    }

    /// Uses only these variables and refactorises: the reduced surrogate. Indices beyond `D` and `C` are ignored.
    pub fn set_active(&mut self, design: VarSet, context: VarSet) -> Result<(), Error> {
        let before = (self.design, self.context);
        self.design = design.intersection(VarSet::first(D));
        self.context = context.intersection(VarSet::first(C));
        self.factorise().inspect_err(|_| {
            (self.design, self.context) = before;
            let _ = self.factorise();
        })
    }

    /// Takes hyperparameters and variables without computing anything yet.
    pub(crate) fn prepare(&mut self, hyper: Hyper<D, C, T>, design: VarSet, context: VarSet) {
        self.hyper = hyper;
        self.design = design;
        self.context = context;
        self.factored = false;
    }

    /// Whether the factor can be used.
    pub(crate) fn ready(&self) -> Result<(), Error> {
        if !self.factored {
            Err(Error::Unfinished)
        } else if self.len == 0 {
            Err(Error::Empty)
        } else {
            Ok(())
        }
    }

    /// Kernel matrix and factor anew, with the least jitter of the ladder that makes it positive definite.
    pub(crate) fn factorise(&mut self) -> Result<(), Error> {
        self.metric = Metric::new(&self.hyper, self.design, self.context);
        self.fill();
        self.factored = false;
        self.jitter = T::ZERO;
        // 0, then 2ε, 8ε, ... of the signal variance: at most about 4e-3 in single precision.
        let mut next = self.hyper.signal_variance * T::EPSILON * T::from_f64(2.0);
        let least_pivot = self.least_pivot();
        for _ in 0..JITTER_STEPS {
            self.fill_diagonal();
            let noise = self.hyper.noise_variance + self.jitter;
            if factorise(&mut self.panels, self.len, noise, least_pivot) {
                self.factored = true;
                self.condition();
                return Ok(());
            }
            self.jitter = next;
            next *= T::from_f64(4.0);
        }
        Err(Error::NotPositiveDefinite)
    }

    /// A pivot at or below this is rounding and nothing else.
    fn least_pivot(&self) -> T {
        (self.hyper.signal_variance + self.hyper.noise_variance) * T::EPSILON
    }

    /// The factor's next row, for a point that is about to be observed; `false` if it needs more jitter.
    ///
    /// Every operation is that of [`factorise`] in the same order: the same bits come out.
    fn append(&mut self, at: &Point<D, C, T>) -> bool {
        let mut row = [T::ZERO; N];
        self.covariances_with(at, self.len, &mut row);
        solve_lower(&self.panels, self.len, &mut row);
        let unexplained = row
            .iter()
            .take(self.len)
            .fold(self.hyper.signal_variance, |rest, &l| rest - l * l);
        let pivot = unexplained + (self.hyper.noise_variance + self.jitter);
        let sound = pivot > self.least_pivot();
        if sound {
            append_row(&mut self.panels, self.len, &row, T::ONE / pivot.sqrt());
        }
        sound
    }

    /// Output scale, L⁻¹y and K⁻¹y anew.
    fn condition(&mut self) {
        self.scale = match self.scaling {
            Outputs::Standardised => OutputScale::of(self.outputs.get(..self.len).unwrap_or(&[])),
            Outputs::Raw => OutputScale::IDENTITY,
        };
        self.whitened = [T::ZERO; N];
        for (to, &output) in self.whitened.iter_mut().zip(&self.outputs).take(self.len) {
            *to = self.scale.standardise(output);
        }
        solve_lower(&self.panels, self.len, &mut self.whitened);
        self.weights = self.whitened;
        solve_upper(&self.panels, self.len, &mut self.weights);
    }

    /// The kernel matrix into the upper tiles.
    fn fill(&mut self) {
        let panels = panel_count(self.len);
        for q in 0..panels {
            for p in q + 1..panels {
                let t = self.covariance_tile(q, p);
                store_tile(self.panels.panel_mut(q), p, &t);
            }
        }
    }

    /// The kernel matrix into the diagonal tiles, without noise.
    fn fill_diagonal(&mut self) {
        for p in 0..panel_count(self.len) {
            let mut t = self.covariance_tile(p, p);
            for (j, column) in t.iter_mut().enumerate() {
                if LANES * p + j >= self.len
                    && let Some(diagonal) = column.get_mut(j)
                {
                    *diagonal = self.hyper.signal_variance;
                }
            }
            store_tile(self.panels.panel_mut(p), p, &t);
        }
    }

    /// Covariances between the rows of panel `q` (lanes) and of panel `p` (columns); 0 for rows beyond the data.
    #[inline(always)]
    fn covariance_tile(&self, q: usize, p: usize) -> Tile<T> {
        let mut t = self.exponent_tile(q, p);
        self.kernel
            .covariances(self.hyper.signal_variance, t.as_flattened_mut());
        self.clear_padding(&mut t, q, p);
        t
    }

    #[inline(always)]
    fn exponent_tile(&self, q: usize, p: usize) -> Tile<T> {
        exponent_tile(&self.metric, self.inputs.panel(q), self.inputs.panel(p))
    }

    /// Zeroes what belongs to rows beyond the data.
    #[inline(always)]
    fn clear_padding(&self, t: &mut Tile<T>, q: usize, p: usize) {
        if LANES * (p + 1) <= self.len {
            return;
        }
        for (i, column) in t.iter_mut().enumerate() {
            for (j, value) in column.iter_mut().enumerate() {
                if LANES * p + i >= self.len || LANES * q + j >= self.len {
                    *value = T::ZERO;
                }
            }
        }
    }

    /// Covariances between a point and the first `rows` observations; 0 behind them.
    #[inline(always)]
    fn covariances_with(&self, at: &Point<D, C, T>, rows: usize, to: &mut [T; N]) {
        for p in 0..panel_count(rows) {
            let exponents = exponent_lanes(&self.metric, self.inputs.panel(p), at);
            store_lanes(to, p, exponents);
        }
        // All at once: the constants of the exponential then stay in registers.
        if let Some((exponents, behind)) = to.split_at_mut_checked(rows) {
            let variance = self.hyper.signal_variance;
            self.kernel.covariances(variance, exponents);
            behind.fill(T::ZERO);
        }
    }
}

/// Rungs of the jitter ladder.
const JITTER_STEPS: usize = 9;

/// Refuses coordinates that are not finite or so large that their squares are not.
fn check_point<const D: usize, const C: usize, T: Scalar>(
    at: &Point<D, C, T>,
) -> Result<(), Error> {
    let largest = T::from_f64(LARGEST_COORDINATE);
    let check = |value: T, input: Input| {
        if !value.is_finite() {
            Err(Error::NonFinite(input))
        } else if value.abs() > largest {
            Err(Error::OutOfRange(input))
        } else {
            Ok(())
        }
    };
    for (index, &value) in at.design.iter().enumerate() {
        check(value, Input::Design(index))?;
    }
    for (index, &value) in at.context.iter().enumerate() {
        check(value, Input::Context(index))?;
    }
    Ok(())
}
