//! Statistics of the report: means with errors, curves against cost, paired tests.

use libm::{erfc, lgamma};
use serde::{Deserialize, Serialize};

/// Mean and its standard error; the error of fewer than two values is 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub mean: f64,
    pub se: f64,
}

impl Estimate {
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let se = if n < 2.0 {
            0.0
        } else {
            (squares / (n - 1.0) / n).sqrt()
        };
        Self { mean, se }
    }
}

/// Best value at a cumulative cost: that of the last step which cost no more.
///
/// `steps` are (cumulative cost, best so far) in order, the first at cost 0. A step that overdraws the
/// budget does not count at the full budget.
pub fn best_at(steps: impl IntoIterator<Item = (f64, f64)>, cost: f64) -> f64 {
    // Costs are sums of thousandths: a millionth is rounding.
    let within = steps
        .into_iter()
        .take_while(|(spent, _)| *spent <= cost + 1e-6);
    within.last().map_or(f64::NAN, |(_, best)| best)
}

/// Outcome of a test of two sets of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// Mean difference.
    pub difference: f64,
    /// Half the width of its 95 % confidence interval.
    pub margin: f64,
    /// Two-sided.
    pub p: f64,
}

impl Test {
    /// The 95 % interval of the difference, as text.
    pub fn interval(&self) -> String {
        let (low, high) = (self.difference - self.margin, self.difference + self.margin);
        format!("[{low:+.4}, {high:+.4}]")
    }
}

/// Student's t-test of paired differences against 0.
///
/// With fewer than two pairs nothing can be told (p = 1); equal differences are certain.
pub fn paired_t(a: &[f64], b: &[f64]) -> Test {
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let Estimate { mean, se } = Estimate::of(&differences);
    student(mean, se, differences.len() as f64 - 1.0)
}

/// Welch's t-test of two independent sets.
pub fn welch_t(a: &[f64], b: &[f64]) -> Test {
    let (ea, eb) = (Estimate::of(a), Estimate::of(b));
    let (va, vb) = (ea.se.powi(2), eb.se.powi(2));
    let freedom = (va + vb).powi(2)
        / (va.powi(2) / (a.len() as f64 - 1.0) + vb.powi(2) / (b.len() as f64 - 1.0));
    // Without any spread the formula is 0/0; the smaller sample then speaks.
    let smaller = a.len().min(b.len()) as f64 - 1.0;
    let freedom = if freedom.is_finite() {
        freedom
    } else {
        smaller
    };
    student(ea.mean - eb.mean, (va + vb).sqrt(), freedom)
}

fn student(difference: f64, se: f64, freedom: f64) -> Test {
    if freedom < 1.0 {
        return Test {
            difference,
            margin: f64::INFINITY,
            p: 1.0,
        };
    }
    let p = match (se > 0.0, difference == 0.0) {
        (true, _) => t_two_sided(difference / se, freedom),
        (false, true) => 1.0,
        (false, false) => 0.0,
    };
    Test {
        difference,
        margin: t_quantile(0.05, freedom) * se,
        p,
    }
}

/// Wilcoxon's signed-rank test, two-sided p; zero differences are dropped, ties share their rank.
///
/// Exact up to 25 pairs without ties, else the normal approximation with continuity correction.
pub fn wilcoxon(a: &[f64], b: &[f64]) -> f64 {
    let mut differences: Vec<f64> = a
        .iter()
        .zip(b)
        .map(|(a, b)| a - b)
        .filter(|d| *d != 0.0)
        .collect();
    differences.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = differences.len();
    if n == 0 {
        return 1.0;
    }
    let (mut positive, mut ties) = (0.0, 0.0);
    let mut first = 0;
    while first < n {
        let same = |d: &&f64| d.abs() == differences[first].abs();
        let count = differences[first..].iter().take_while(same).count();
        let rank = first as f64 + (count as f64 + 1.0) / 2.0;
        let plus = differences[first..first + count]
            .iter()
            .filter(|d| **d > 0.0)
            .count();
        positive += rank * plus as f64;
        ties += (count * (count * count - 1)) as f64;
        first += count;
    }
    let n_f = n as f64;
    let mean = n_f * (n_f + 1.0) / 4.0;
    if n <= 25 && ties == 0.0 {
        let lower = positive.min(2.0 * mean - positive);
        return (2.0 * rank_sum_at_most(n, lower as usize)).min(1.0);
    }
    let variance = n_f * (n_f + 1.0) * (2.0 * n_f + 1.0) / 24.0 - ties / 48.0;
    let z = ((positive - mean).abs() - 0.5).max(0.0) / variance.sqrt();
    erfc(z / std::f64::consts::SQRT_2)
}

/// Probability that the positive ranks of `n` fair signs sum to at most `limit`.
fn rank_sum_at_most(n: usize, limit: usize) -> f64 {
    let mut ways = vec![0.0; n * (n + 1) / 2 + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    ways.iter().take(limit + 1).sum::<f64>() / 2f64.powi(n as i32)
}

/// Probability that a Student variable is further from 0 than `t`.
fn t_two_sided(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The t that is exceeded in absolute value with probability `p`.
fn t_quantile(p: f64, freedom: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 1e4);
    for _ in 0..100 {
        let middle = 0.5 * (lo + hi);
        if t_two_sided(middle, freedom) > p {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    0.5 * (lo + hi)
}

/// Regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz's method).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast on this side of the mean; the other side by symmetry.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = (lgamma(a + b) - lgamma(a) - lgamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let away_from_zero = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let (mut c, mut d) = (1.0, 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            fraction *= d * c;
        }
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction
}

/// Holm's correction: p-values as if each had been the only test.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![0.0; p.len()];
    let mut highest: f64 = 0.0;
    for (done, &i) in order.iter().enumerate() {
        highest = highest.max((p[i] * (p.len() - done) as f64).min(1.0));
        corrected[i] = highest;
    }
    corrected
}

/// One method's place among others on the same trials.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Index of the method in the input.
    pub method: usize,
    /// 1 for the highest mean; methods of equal mean share the average of their places.
    pub rank: f64,
    pub estimate: Estimate,
    /// The first method minus this one, paired; Holm-corrected p.
    pub behind: Test,
}

impl Place {
    /// Whether the first method is better beyond chance (5 %).
    pub fn is_beaten(&self) -> bool {
        self.behind.p < 0.05
    }
}

/// Methods by mean, best first; `values[method][trial]`, trials in the same order for all.
pub fn ranking(values: &[Vec<f64>]) -> Vec<Place> {
    let estimates: Vec<Estimate> = values.iter().map(|v| Estimate::of(v)).collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| estimates[b].mean.total_cmp(&estimates[a].mean));
    let Some(&first) = order.first() else {
        return Vec::new();
    };
    let others: Vec<Test> = order[1..]
        .iter()
        .map(|&m| paired_t(&values[first], &values[m]))
        .collect();
    let p = holm(&others.iter().map(|t| t.p).collect::<Vec<_>>());
    let itself = Test {
        difference: 0.0,
        margin: 0.0,
        p: 1.0,
    };
    let tests = others
        .into_iter()
        .zip(p)
        .map(|(test, p)| Test { p, ..test });
    let rank = |method: usize| {
        let mean = estimates[method].mean;
        let above = estimates.iter().filter(|e| e.mean > mean).count() as f64;
        let equal = estimates.iter().filter(|e| e.mean == mean).count() as f64;
        above + (equal + 1.0) / 2.0
    };
    let placed = order.iter().zip([itself].into_iter().chain(tests));
    placed
        .map(|(&method, behind)| Place {
            method,
            rank: rank(method),
            estimate: estimates[method],
            behind,
        })
        .collect()
}

#[cfg(test)]
mod tests;
