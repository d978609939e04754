//! The normal distribution and the divergence of two normals, against values computed with 60 digits (mpmath 1.3).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::Scalar;
use sadcbo::parts::normal::{cdf, inverse_cdf, kl_divergence, kl_of_change, pdf};
use support::tolerance::{INVERSE_NORMAL, KL, NORMAL};

/// x, φ(x), Φ(x).
const DISTRIBUTION: [(f64, f64, f64); 8] = [
    (-8.0, 5.052271083536892e-15, 6.220960574271784e-16),
    (-4.5, 1.5983741106905475e-05, 3.3976731247300603e-06),
    (-1.25, 0.18264908538902191, 0.10564977366685525),
    (-0.0625, 0.3981638566868866, 0.47508233097075275),
    (0.0, 0.3989422804014327, 0.5),
    (0.5, 0.35206532676429947, 0.6914624612740131),
    (2.0, 0.05399096651318805, 0.9772498680518208),
    (5.0, 1.4867195147342977e-06, 0.9999997133484281),
];

/// p, the x with Φ(x) = p.
const QUANTILES: [(f64, f64); 12] = [
    (9.313225746154785e-10, -6.009353565530744),
    (9.5367431640625e-07, -4.7630010342678135),
    (0.0009765625, -3.0972690781987846),
    (0.015625, -2.1538746940614564),
    (0.125, -1.150349380376008),
    (0.4375, -0.1573106846101707),
    (0.5, 0.0),
    (0.53125, 0.0784124127331122),
    (0.75, 0.6744897501960817),
    (0.96875, 1.8627318674216515),
    (0.9990234375, 3.0972690781987846),
    (0.9999990463256836, 4.7630010342678135),
];

/// m1 - m2, v1 - v2, v2, KL.
const DIVERGENCES: [(f64, f64, f64, f64); 11] = [
    (0.0, 0.0, 1.0, 0.0),
    (0.0, 9.313225746154785e-10, 1.0, 2.1684043436246863e-19),
    (
        9.5367431640625e-07,
        -3.814697265625e-06,
        0.5,
        1.5461483945431607e-11,
    ),
    (0.0, 0.2421875, 1.0, 0.01265678084969282),
    (0.0, 0.2578125, 1.0, 0.014219199467577085),
    (0.0, -0.2421875, 1.0, 0.017565892708117172),
    (0.0, -0.2578125, 1.0, 0.020170436159538167),
    (0.5, -0.96875, 1.0, 1.3734929513998633),
    (0.0, 63.0, 1.0, 29.420558458320166),
    (1.5, 0.0, 0.0009765625, 1152.0),
    (
        9.094947017729282e-13,
        -4.547473508864641e-13,
        0.0009765625,
        5.46336251147314e-20,
    ),
];

fn distribution<T: Scalar>() {
    for (x, density, probability) in DISTRIBUTION {
        // Rounding x²/2 alone costs x²/2 ε.
        let scale = 1.0 + x * x / 2.0;
        NORMAL.check_scaled(
            &format!("pdf({x})"),
            pdf(T::from_f64(x)),
            density,
            density * scale,
        );
        NORMAL.check_scaled(
            &format!("cdf({x})"),
            cdf(T::from_f64(x)),
            probability,
            probability * scale,
        );
    }
}

fn quantiles<T: Scalar>() {
    for (p, x) in QUANTILES {
        INVERSE_NORMAL.check(
            &format!("quantile of {p}"),
            inverse_cdf(T::from_f64(p)),
            x,
            1.0,
        );
    }
    for hostile in [
        0.0,
        1.0,
        -1.0,
        2.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ] {
        let x = inverse_cdf(T::from_f64(hostile)).to_f64();
        assert!(
            (6.33..6.34).contains(&x.abs()),
            "quantile of {hostile}: {x}"
        );
    }
}

fn divergences<T: Scalar>() {
    for (mean, variance, v2, expected) in DIVERGENCES {
        let [mean, variance, v2] = [mean, variance, v2].map(T::from_f64);
        KL.check(
            &format!("KL {mean} {variance} {v2}"),
            kl_of_change(mean, variance, v2 + variance, v2),
            expected,
            0.0,
        );
    }
}

fn divergence_is_never_negative<T: Scalar>() {
    for exponent in -40..=40 {
        for digit in 0..8 {
            let u = f64::from(8 + digit) * 2.0_f64.powi(exponent);
            for v1 in [1.0 + u, 1.0 / (1.0 + u)] {
                let kl = kl_divergence(T::ONE, T::from_f64(v1), T::ONE, T::ONE);
                assert!(kl >= T::ZERO && kl.is_finite(), "v1 = {v1}: {kl}");
            }
        }
    }
    assert_eq!(kl_divergence(T::HALF, T::ONE, T::HALF, T::ONE), T::ZERO);
    assert!(!kl_divergence(T::ONE, T::ZERO, T::ONE, T::ONE).is_finite());
}

#[test]
fn single_precision() {
    distribution::<f32>();
    quantiles::<f32>();
    divergences::<f32>();
    divergence_is_never_negative::<f32>();
}

#[test]
fn double_precision() {
    distribution::<f64>();
    quantiles::<f64>();
    divergences::<f64>();
    divergence_is_never_negative::<f64>();
}

#[test]
fn single_precision_quantiles_over_the_whole_range() {
    for step in (1..65_536_u32).filter(|step| *step != 32_768) {
        let p = step as f32 / 65_536.0;
        let exact = inverse_cdf(f64::from(p));
        INVERSE_NORMAL.check(&format!("quantile of {p}"), inverse_cdf(p), exact, 1.0);
        assert_eq!(
            inverse_cdf(1.0 - p),
            -inverse_cdf(p),
            "not symmetric at {p}"
        );
    }
}
