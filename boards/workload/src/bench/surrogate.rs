//! The surrogate, full to its capacity.

use core::hint::black_box;

use sadcbo::gp::{FitConfig, Gp, Hyper};

use super::{Key, Meter};
use crate::data::Experiment;
use crate::output::Bits;

pub fn run(meter: &mut impl Meter) {
    capacity::<16>(meter);
    capacity::<32>(meter);
    capacity::<64>(meter);
    capacity::<128>(meter);
}

fn capacity<const N: usize>(meter: &mut impl Meter) {
    surrogate::<N, 2, 5>(meter);
    surrogate::<N, 3, 9>(meter);
}

fn surrogate<const N: usize, const D: usize, const C: usize>(meter: &mut impl Meter) {
    let key = |name| Key {
        name,
        observations: Some(N),
        inputs: Some(D + C),
    };
    let mut experiment = Experiment::<D, C>::new(3);
    let mut gp = Gp::<N, D, C>::new();
    meter.figure(key("size_of/gp"), size_of_val(&gp) as u64);
    for _ in 1..N {
        let (at, output) = experiment.observe();
        // An error leaves the process short of observations, which the checks below show.
        let _ = gp.push(&at, output);
    }

    let (at, output) = experiment.observe();
    let (pushed, count) = meter.count(|| black_box(&mut gp).push(black_box(&at), output));
    meter.figure(key("append"), count);
    let value = pushed.and_then(|()| gp.log_marginal_likelihood());
    meter.check(key("append"), Bits::of(value.unwrap_or(f32::NAN)));

    let at = experiment.observe().0;
    let (posterior, count) = meter.count(|| black_box(&gp).posterior(black_box(&at)));
    meter.figure(key("posterior"), count);
    let sum = posterior.map_or(f32::NAN, |posterior| posterior.mean + posterior.variance);
    meter.check(key("posterior"), Bits::of(sum));

    let (gradient, count) = meter.count(|| black_box(&gp).posterior_gradient(black_box(&at)));
    meter.figure(key("posterior_grad"), count);
    let sum = gradient.map_or(f32::NAN, |gradient| {
        gradient.mean.iter().sum::<f32>() + gradient.std_dev.iter().sum::<f32>()
    });
    meter.check(key("posterior_grad"), Bits::of(sum));

    // One evaluation of a fit: factor and gradient at new hyperparameters. The public call factorises once more at its
    // end, to leave a surrogate that can be used; what that costs is known from the call before.
    let mut hyper = Hyper::START;
    hyper.noise_variance = 0.02;
    let (_, factorisation) = meter.count(|| black_box(&mut gp).set_hyper(black_box(hyper)));
    let (likelihood, count) = meter.count(|| black_box(&mut gp).likelihood());
    meter.figure(key("lml_grad"), count.saturating_sub(factorisation));
    let sum = likelihood.map_or(f32::NAN, |likelihood| {
        likelihood.value + likelihood.length_scales.iter().sum::<f32>()
    });
    meter.check(key("lml_grad"), Bits::of(sum));

    let (report, count) = meter.count(|| black_box(&mut gp).fit(&FitConfig::default()));
    meter.figure(key("fit"), count);
    let objective = report.map_or(f32::NAN, |report| report.objective);
    meter.check(key("fit"), Bits::of(objective));
}
