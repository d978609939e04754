//! The normal distribution: density, distribution function, its inverse, and how far two normals are apart.

use crate::Scalar;

const ONE_OVER_SQRT_2PI: f64 = 0.398_942_280_401_432_7;

/// Density of the standard normal, φ(x).
pub fn pdf<T: Scalar>(x: T) -> T {
    T::from_f64(ONE_OVER_SQRT_2PI) * (-T::HALF * x * x).exp_neg()
}

/// Distribution function of the standard normal, Φ(x) = erfc(-x/√2)/2: accurate in the left tail too.
pub fn cdf<T: Scalar>(x: T) -> T {
    T::HALF * (-x * T::from_f64(core::f64::consts::FRAC_1_SQRT_2)).erfc()
}

/// Probabilities nearer to 0 or 1 than this count as this: half a cell of the 32-bit generators.
const SMALLEST_TAIL: f64 = 1.0 / 8_589_934_592.0; // 2^-33

/// The x with Φ(x) = `p`.
///
/// Always finite: at most 6.34 in magnitude, also for p = 0 and p = 1. The error is below 3 ε max(1, |x|), ε = 1.2e-7 or
/// 2.2e-16 (measured in `tests/normal.rs`).
///
/// With q the smaller tail and t = √(-2 ln q), |x| is t minus a rational function of t, to 2.8e-6 (our own minimax fit
/// for q from 2^-33 to 1/2). One Halley step on Φ(x) = q then cubes that error.
pub fn inverse_cdf<T: Scalar>(p: T) -> T {
    let left = p < T::HALF;
    // 1 - p is exact in floating point for p >= 1/2.
    let tail = if left { p } else { T::ONE - p };
    let q = T::from_f64(SMALLEST_TAIL).max(tail);
    let t = (-(q.ln() + q.ln())).sqrt();
    let [a0, a1, a2] = [2.924_002_3, 4.026_436_1, 0.387_810_5].map(T::from_f64);
    let [b1, b2, b3] = [3.223_777_8, 1.482_649, 0.070_692_5].map(T::from_f64);
    let start = (a0 + t * (a1 + t * a2)) / (T::ONE + t * (b1 + t * (b2 + t * b3))) - t;
    // Halley: x - u / (1 + x u / 2), u = (Φ(x) - q) / φ(x), since φ'(x) = -x φ(x).
    let u = (cdf(start) - q) / pdf(start);
    let x = start - u / (T::ONE + T::HALF * start * u);
    if left { x } else { -x }
}

/// Kullback-Leibler divergence KL( N(m1, v1) ‖ N(m2, v2) ), v being variances (the paper's r, eq. fcmeasure).
///
/// Never negative for positive variances. See [`kl_of_change`].
pub fn kl_divergence<T: Scalar>(m1: T, v1: T, m2: T, v2: T) -> T {
    kl_of_change(m1 - m2, v1 - v2, v1, v2)
}

/// The same for a caller who knows the differences m1 - m2 and v1 - v2 better than by subtraction.
///
/// KL = ½ ( ln(v2/v1) + v1/v2 - 1 + (m1-m2)²/v2 ) = ½ ( u - ln(1+u) + (m1-m2)²/v2 ) with u = (v1-v2)/v2. The first form
/// loses everything when the two normals are nearly the same; the second keeps the relative precision of its inputs.
/// If v1 = 0 the result is infinite; if v2 is not positive it is infinite or NaN.
pub fn kl_of_change<T: Scalar>(mean_change: T, variance_change: T, v1: T, v2: T) -> T {
    let u = variance_change / v2;
    let spread = if u.abs() <= T::from_f64(SERIES_LIMIT) {
        minus_ln_1p(u)
    } else {
        let ratio = v1 / v2;
        ratio - T::ONE - ratio.ln()
    };
    T::HALF * (spread + mean_change * mean_change / v2)
}

/// Up to this |u| the series is used; beyond it the subtraction costs at most 10 ε.
const SERIES_LIMIT: f64 = 0.25;

/// u - ln(1 + u) for |u| <= 1/4, never negative.
///
/// With w = u/(2+u), ln(1+u) = 2 artanh w = 2w + 2w³ (1/3 + w²/5 + w⁴/7 + ...) and u - 2w = u w, both without
/// cancellation. |w| <= 1/7, so the first neglected term is below 2e-17 of the whole.
fn minus_ln_1p<T: Scalar>(u: T) -> T {
    let w = u / (T::ONE + T::ONE + u);
    let squared = w * w;
    let series = (1..=9).rev().fold(T::ZERO, |sum, term| {
        sum * squared + T::ONE / T::from_count(2 * term + 1)
    });
    w * (u - (squared + squared) * series)
}
