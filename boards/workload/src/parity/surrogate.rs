//! The surrogate from the first observation to the last, in capacities that no panel of four rows divides.

use sadcbo::gp::{FitConfig, Gp, Hyper, Kernel, Prior};
use sadcbo::{Error, Point, Scalar, VarSet};

use super::Log;
use crate::data::Experiment;
use crate::output::Output;

/// Everything that a surrogate can say, as it grows, with other hyperparameters, and reduced.
pub fn run<const N: usize, const D: usize, const C: usize, T: Scalar>(
    log: &mut Log<'_, impl FnMut(&Output)>,
    kernel: Kernel,
) {
    let mut experiment = Experiment::<D, C>::new(4);
    let mut gp = Gp::<N, D, C, T>::new().with_kernel(kernel);
    let mut probes = [Point::ORIGIN; 3];
    for probe in &mut probes {
        *probe = widen(&experiment.observe().0);
    }
    for row in 0..N {
        let (at, output) = experiment.observe();
        note(
            log,
            "push",
            gp.push(&widen(&at), T::from_f64(f64::from(output))),
        );
        // Growing, the odd sizes say enough.
        if row % 5 == 0 || row + 1 == N {
            probe(log, &gp, &probes);
        }
    }
    likelihood(log, &mut gp);

    let mut hyper = Hyper::START;
    for (index, scale) in hyper.context_length_scales.iter_mut().enumerate() {
        *scale += T::from_count(index) * T::HALF;
    }
    note(log, "set_hyper", gp.set_hyper(hyper));
    probe(log, &gp, &probes);
    likelihood(log, &mut gp);

    let reduced = VarSet::EMPTY.with(0).with(2);
    note(log, "set_active", gp.set_active(VarSet::first(D), reduced));
    probe(log, &gp, &probes);
    likelihood(log, &mut gp);

    for prior in [
        Prior::Flat,
        Prior::LengthScales,
        Prior::Botorch,
        Prior::saas(),
    ] {
        fit(log, &mut gp, prior);
        probe(log, &gp, &probes);
    }
}

fn probe<const N: usize, const D: usize, const C: usize, T: Scalar>(
    log: &mut Log<'_, impl FnMut(&Output)>,
    gp: &Gp<N, D, C, T>,
    probes: &[Point<D, C, T>; 3],
) {
    let value = gp.log_marginal_likelihood();
    log.put(
        "log_marginal_likelihood",
        gp.len(),
        value.unwrap_or(T::ZERO),
    );
    for at in probes {
        match gp.posterior_gradient(at) {
            Ok(gradient) => {
                log.put("posterior/mean", gp.len(), gradient.posterior.mean);
                log.put("posterior/variance", gp.len(), gradient.posterior.variance);
                log.all("posterior_gradient/mean", gradient.mean.iter());
                log.all("posterior_gradient/std_dev", gradient.std_dev.iter());
            }
            Err(error) => note(log, "posterior_gradient", Err(error)),
        }
    }
    let [a, b, _] = probes;
    let covariance = gp.covariance(a, b);
    log.put("covariance", gp.len(), covariance.unwrap_or(T::ZERO));
    let before = gp
        .first(gp.len() / 2 + 1)
        .and_then(|first| first.posterior(a));
    log.put(
        "first/posterior",
        gp.len(),
        before.map_or(T::ZERO, |before| before.mean),
    );
}

fn likelihood<const N: usize, const D: usize, const C: usize, T: Scalar>(
    log: &mut Log<'_, impl FnMut(&Output)>,
    gp: &mut Gp<N, D, C, T>,
) {
    match gp.likelihood() {
        Ok(likelihood) => {
            log.put("likelihood/value", gp.len(), likelihood.value);
            log.put(
                "likelihood/signal_variance",
                gp.len(),
                likelihood.signal_variance,
            );
            log.put(
                "likelihood/noise_variance",
                gp.len(),
                likelihood.noise_variance,
            );
            log.all("likelihood/length_scales", likelihood.length_scales.iter());
        }
        Err(error) => note(log, "likelihood", Err(error)),
    }
}

fn fit<const N: usize, const D: usize, const C: usize, T: Scalar>(
    log: &mut Log<'_, impl FnMut(&Output)>,
    gp: &mut Gp<N, D, C, T>,
    prior: Prior<T>,
) {
    let config = FitConfig {
        prior,
        starts: 2,
        evaluations: 12,
        ..FitConfig::default()
    };
    match gp.fit(&config) {
        Ok(report) => {
            log.put("fit/objective", gp.len(), report.objective);
            log.put("fit/signal_variance", gp.len(), gp.hyper().signal_variance);
            log.put("fit/noise_variance", gp.len(), gp.hyper().noise_variance);
            let (design, context) = (
                gp.hyper().design_length_scales,
                gp.hyper().context_length_scales,
            );
            log.all("fit/design_length_scales", design.into_iter());
            log.all("fit/context_length_scales", context.into_iter());
        }
        Err(error) => note(log, "fit", Err(error)),
    }
}

/// Whether a call succeeded is an output, too.
fn note(log: &mut Log<'_, impl FnMut(&Output)>, name: &'static str, outcome: Result<(), Error>) {
    log.put(name, 0, if outcome.is_ok() { 1.0_f32 } else { 0.0 });
}

/// The same point in the precision of the surrogate.
fn widen<const D: usize, const C: usize, T: Scalar>(at: &Point<D, C>) -> Point<D, C, T> {
    let mut wide = Point::ORIGIN;
    for (to, from) in wide.iter_mut().zip(at.iter()) {
        *to = T::from_f64(f64::from(from));
    }
    wide
}
