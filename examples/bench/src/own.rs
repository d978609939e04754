//! The library.

use sadcbo::Scalar;
use sadcbo::gp::{FitConfig, Gp, Hyper, Outputs, Prior};

use crate::number::{Number, number};
use crate::problem::{CONTEXT, DESIGN, INPUTS, LENGTH_SCALE, NOISE, Problem, point};

/// A process with room for `N` observations, on the heap: the largest here would fill a thread's stack.
pub type Process<const N: usize, T> = Box<Gp<N, DESIGN, CONTEXT, T>>;

/// All observations, at the hyperparameters of the comparison.
pub fn process<const N: usize, T: Number>(problem: &Problem<T>) -> Process<N, T> {
    let mut gp: Process<N, T> = Box::new(Gp::new().with_outputs(Outputs::Raw));
    gp.set_hyper(hyper())
        .expect("the hyperparameters are valid");
    for (row, &output) in problem.inputs.iter().zip(&problem.outputs) {
        gp.push(&point(row), output).expect("the data are valid");
    }
    gp
}

pub fn hyper<T: Number>() -> Hyper<DESIGN, CONTEXT, T> {
    Hyper {
        design_length_scales: [number(LENGTH_SCALE); DESIGN],
        context_length_scales: [number(LENGTH_SCALE); CONTEXT],
        signal_variance: T::ONE,
        noise_variance: number(NOISE),
    }
}

/// Log marginal likelihood and its slopes by the logarithms of the length scales.
pub fn likelihood<const N: usize, T: Number>(gp: &mut Process<N, T>) -> (T, [T; INPUTS]) {
    let likelihood = gp.likelihood().expect("the matrix is positive definite");
    let mut slopes = [T::ZERO; INPUTS];
    for (to, from) in slopes.iter_mut().zip(likelihood.length_scales.iter()) {
        *to = from;
    }
    (likelihood.value, slopes)
}

/// Maximum likelihood, from 4 starting points.
pub fn fit<const N: usize, T: Number>(gp: &mut Process<N, T>) {
    let config = FitConfig {
        prior: Prior::Flat,
        ..FitConfig::default()
    };
    gp.fit(&config).expect("the fit succeeds");
}

/// The length scales of a fit.
pub fn length_scales<const N: usize, T: Number>(gp: &Process<N, T>) -> [f64; INPUTS] {
    let hyper = gp.hyper();
    let scales = hyper
        .design_length_scales
        .iter()
        .chain(&hyper.context_length_scales);
    let mut all = [0.0; INPUTS];
    for (to, &from) in all.iter_mut().zip(scales) {
        *to = Scalar::to_f64(from);
    }
    all
}

/// The noise of a fit as a part of the signal variance.
pub fn noise_ratio<const N: usize, T: Number>(gp: &Process<N, T>) -> f64 {
    Scalar::to_f64(gp.hyper().noise_variance / gp.hyper().signal_variance)
}

/// The log marginal likelihood of these hyperparameters, in double precision and at the best signal variance.
pub fn judge<const N: usize>(
    problem: &Problem<f64>,
    length_scales: [f64; INPUTS],
    noise_ratio: f64,
) -> f64 {
    let mut gp: Process<N, f64> = process(problem);
    let mut at = |signal_variance: f64| {
        let (design, context) = length_scales.split_at(DESIGN);
        let hyper = Hyper {
            design_length_scales: design.try_into().expect("3 of the design"),
            context_length_scales: context.try_into().expect("9 of the context"),
            signal_variance,
            noise_variance: signal_variance * noise_ratio,
        };
        gp.set_hyper(hyper).expect("the hyperparameters are valid");
        gp.log_marginal_likelihood()
            .expect("the matrix is positive definite")
    };
    // ln p(s) = ln p(1) - n/2 ln s - q/2 (1/s - 1): two values give q, and s = q/n is the best.
    let count = N as f64;
    let (one, two) = (at(1.0), at(2.0));
    let quadratic = 4.0 * (two - one + 0.5 * count * Scalar::ln(2.0_f64));
    let best = quadratic / count;
    one - 0.5 * count * Scalar::ln(best) - 0.5 * quadratic * (1.0 / best - 1.0)
}
