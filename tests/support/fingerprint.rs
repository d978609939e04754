//! Every result of a surrogate as bits, to tell whether anything changed.

use sadcbo::gp::Gp;
use sadcbo::{Point, Scalar};

/// All that can be asked of a surrogate: settings, data, and the results at the corners and the centre of the cube.
pub fn fingerprint<const N: usize, const D: usize, const C: usize, T: Scalar>(
    gp: &Gp<N, D, C, T>,
) -> Vec<u64> {
    let mut bits = vec![gp.len() as u64];
    let (design, context) = gp.active();
    bits.extend([design, context].map(|set| u64::from(set.bits())));
    let hyper = gp.hyper();
    let scales = hyper.design_length_scales.iter();
    let scales = scales.chain(&hyper.context_length_scales).copied();
    let mut numbers: Vec<T> = scales.collect();
    numbers.extend([hyper.signal_variance, hyper.noise_variance, gp.jitter()]);
    numbers.extend(gp.outputs());
    for row in 0..gp.len() {
        numbers.extend(gp.point(row).unwrap().iter());
    }
    numbers.extend(results(gp));
    bits.extend(numbers.into_iter().map(Scalar::to_bits64));
    bits
}

/// What the surrogate concludes from its data; nothing if there are none.
pub fn results<const N: usize, const D: usize, const C: usize, T: Scalar>(
    gp: &Gp<N, D, C, T>,
) -> Vec<T> {
    if gp.is_empty() {
        return Vec::new();
    }
    let mut numbers = vec![gp.scale().mean(), gp.scale().deviation()];
    numbers.push(gp.log_marginal_likelihood().unwrap());
    let likelihood = gp.clone().likelihood().unwrap();
    numbers.extend(likelihood.length_scales.iter());
    numbers.extend([likelihood.signal_variance, likelihood.noise_variance]);
    let probes = [0.0, 0.375, 1.0].map(|share| {
        let mut point = Point::ORIGIN;
        for (index, value) in point.iter_mut().enumerate() {
            *value = T::from_f64(share * (1.0 - 0.1 * index as f64));
        }
        point
    });
    for probe in &probes {
        let at = gp.posterior_gradient(probe).unwrap();
        numbers.extend([at.posterior.mean, at.posterior.variance, at.posterior.noise]);
        numbers.push(at.posterior.std_dev());
        numbers.extend(at.mean.iter().chain(at.std_dev.iter()));
        numbers.push(gp.covariance(probe, &probes[0]).unwrap());
        let half = gp.first(gp.len().div_ceil(2)).unwrap();
        let before = half.posterior(probe).unwrap();
        numbers.extend([before.mean, before.variance]);
    }
    numbers
}
