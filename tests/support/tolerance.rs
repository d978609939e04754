//! Every tolerance of the golden tests, in one table, with its reason.

use sadcbo::Scalar;

/// How far a result may be from the exact one.
pub struct Tolerance {
    name: &'static str,
    single: f64,
    double: f64,
    reason: &'static str,
}

macro_rules! table {
    ($($name:ident: f32 $single:literal, f64 $double:literal, $reason:literal;)*) => {
        $(
            #[doc = $reason]
            pub const $name: Tolerance = Tolerance {
                name: stringify!($name),
                single: $single,
                double: $double,
                reason: $reason,
            };
        )*
    };
}

table! {
    NORMAL: f32 2.4e-7, f64 4.5e-16, "pdf and cdf: 2 epsilon, times the conditioning 1 + x²/2 of the tail";
    INVERSE_NORMAL: f32 3.6e-7, f64 6.7e-16, "3 epsilon max(1, |x|): what cdf's own rounding leaves after a Halley step";
    KL: f32 1.2e-6, f64 2.3e-15, "10 epsilon: u - ln(1+u) loses at most that where the series ends";
    SHARES: f32 1e-6, f64 2e-15, "scores as shares of 1: at most 24 terms and 40 rows, half an epsilon each";
    SELECTION: f32 1e-6, f64 1e-15, "how near a cumulative share may be to eta before rounding decides, as SHARES";
    MEDIAN: f32 1e-7, f64 1e-15, "the median of exact differences is exact; the mean of the two middle ones rounds once";
    HSIC: f32 1e-7, f64 2e-16, "a mean of n² terms below 1/4, absolute: about one epsilon";
    HSIC_SHARES: f32 1e-5, f64 2e-14, "HSIC over a sum of scores that may be as small as 0.02";
    DECIMAL: f32 1e-7, f64 4.5e-16, "thousandths are exact; their conversion to units rounds once or twice";
    SWITCH: f32 2e-6, f64 4e-15, "about 15 epsilon, of KL's subtraction and the roundings around it";
    DIVERGENCE: f32 1e-2, f64 5e-11, "KL from posteriors over the row's sum: their rounding over a noise variance of 1e-4";
    TINY_DIVERGENCE: f32 0.0, f64 1e-4, "KL of 1e-17, relative: a difference of means of 1e-9 has 6 digits left; f64 only";
    RELEVANCE: f32 3e-4, f64 1e-12, "shares of 1 from posteriors: DIVERGENCE, averaged over the rows";
    GP_MEAN: f32 4.0, f64 4.0, "times sensitivity.rs: each covariance is known to epsilon s2; worst seen 1.0";
    GP_COVARIANCE: f32 4.0, f64 4.0, "times sensitivity.rs, a variance being a covariance; worst seen 1.0";
    GP_MEAN_SLOPE: f32 4.5, f64 4.5, "times sensitivity.rs; worst seen 1.1";
    GP_STD_DEV_SLOPE: f32 3.0, f64 3.0, "times sensitivity.rs; worst seen 0.7";
    GP_LIKELIHOOD: f32 3.0, f64 3.0, "times sensitivity.rs, and an epsilon for each term and of the result; worst seen 0.7";
    GP_LIKELIHOOD_SLOPE: f32 9.0, f64 9.0, "as GP_LIKELIHOOD, but with two inverses in a row; worst seen 2.3";
    DOUBLE_GATE: f32 0.0, f64 1e-9, "f64 only: relative, or 1e-15 times the condition number where that is more";
    OUTPUT_MEAN: f32 4.8e-7, f64 9e-16, "four epsilon of the largest output: a sum of distances to the first output; worst seen 0.9";
    OUTPUT_DEVIATION: f32 7.2e-7, f64 1.4e-15, "six epsilon of the largest: differences round, then their squares; worst seen 1.9";
    FIT_LARGE: f32 0.5, f64 0.1, "nats below the best known optimum, n >= 50: the issue's bound";
    FIT_SMALL: f32 1.5, f64 1.0, "nats, n < 50, where there are many optima: the issue's bound";
    UCB: f32 2.0, f64 2.0, "times sensitivity.rs, of the mean and of the deviation; worst seen 0.5";
    UCB_SLOPE: f32 2.4, f64 2.4, "times sensitivity.rs, as UCB; worst seen 0.6";
    QUCB: f32 1.0, f64 1.0, "times sensitivity.rs, of the worst point of the batch; worst seen 0.24";
    KAPPA: f32 1.3, f64 1.3, "times sensitivity.rs, of an upper and a lower bound; worst seen 0.33";
    SWITCH_INPUTS: f32 1.8, f64 1.8, "times sensitivity.rs, of every posterior that enters; worst seen 0.45";
    SWITCH_BOUND: f32 1e-3, f64 5e-12, "relative, from the data: a small variance is a difference of covariances; worst seen 2.2e-4, 1.1e-12";
    PRIOR: f32 2.4e-6, f64 4.5e-15, "20 epsilon of the number of terms and of their sum";
}

impl Tolerance {
    /// The figure for a precision.
    pub fn of<T: Scalar>(&self) -> f64 {
        if T::EPSILON.to_f64() > 1e-10 {
            self.single
        } else {
            self.double
        }
    }

    /// Fails unless |`got` - `expected`| is within the tolerance times `scale`.
    pub fn check_scaled<T: Scalar>(&self, what: &str, got: T, expected: f64, scale: f64) {
        let error = (got.to_f64() - expected).abs();
        let allowed = self.of::<T>() * scale;
        assert!(
            error <= allowed,
            "{what}: {got} instead of {expected}: error {error:e}, {} allows {allowed:e} ({})",
            self.name,
            self.reason
        );
    }

    /// Fails unless the relative error is within the tolerance; for numbers below `floor`, the error over `floor`.
    pub fn check<T: Scalar>(&self, what: &str, got: T, expected: f64, floor: f64) {
        self.check_scaled(what, got, expected, expected.abs().max(floor));
    }
}
