//! Hartmann4D with irrelevant contexts, by the protocol of SPEC §8.

use sadcbo::{
    Config, ContextVariable, Controller, Cost, DesignVariable, Error, Phase, Point, Policy, Scalar,
    Settings,
};

const ALPHA: [f64; 4] = [1.0, 1.2, 3.0, 3.2];
const A: [[f64; 4]; 4] = [
    [10.0, 3.0, 17.0, 3.5],
    [0.05, 10.0, 17.0, 0.1],
    [3.0, 3.5, 1.7, 10.0],
    [17.0, 8.0, 0.05, 10.0],
];
const P: [[f64; 4]; 4] = [
    [0.1312, 0.1696, 0.5569, 0.0124],
    [0.2329, 0.4135, 0.8307, 0.3736],
    [0.2348, 0.1451, 0.3522, 0.2883],
    [0.4047, 0.8828, 0.8732, 0.5743],
];
/// Extrema of the function as published (golden `function_extrema`): scaled values are 1 at the best point.
const RAW_MIN: f64 = -3.134_494_141_222_398_8;
const RAW_MAX: f64 = 1.309_540_621_455_970_8;

/// The function scaled to [0, 1], to be maximised, at (x1, z1, z2, x2): design {1, 4}, contexts {2, 3}.
pub fn hartmann4(design: [f64; 2], relevant: [f64; 2]) -> f64 {
    let v = [design[0], relevant[0], relevant[1], design[1]];
    let mut sum = 0.0;
    for i in 0..4 {
        let exponent: f64 = (0..4).map(|j| A[i][j] * (v[j] - P[i][j]).powi(2)).sum();
        sum += ALPHA[i] * (-exponent).exp();
    }
    let raw = (1.1 - sum) / 0.839;
    (RAW_MAX - raw) / (RAW_MAX - RAW_MIN)
}

/// What one trial came to.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Best noiseless value at 0, 25, 50, 75 and 100 % of the budget.
    pub best: [f64; 5],
    /// Share of decided steps in which each context was selected.
    pub inclusion: [f64; 5],
    /// Step after which contexts were actuated, if ever.
    pub switched: Option<u32>,
}

/// A small generator for data, contexts and noise: the same for every policy and precision.
struct Stream(u64);

impl Stream {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (core::f64::consts::TAU * v).cos()
    }
}

const NOISE: f64 = 0.01;
const INITIAL: u16 = 20;
const BUDGET: u32 = 160;

/// One trial of a policy, with room for every observation.
pub fn trial<T: Scalar, P: Policy>(seed: u64, settings: Settings<T>) -> Trial {
    trial_in::<104, T, P>(seed, settings)
}

/// One trial of a policy in a controller with room for `N` observations.
pub fn trial_in<const N: usize, T: Scalar, P: Policy>(seed: u64, settings: Settings<T>) -> Trial {
    let unit = Cost::from_milli(1_000);
    let (zero, one) = (T::ZERO, T::ONE);
    let config = Config::<2, 5, T>::try_new(
        ["x1", "x4"].map(|name| DesignVariable::new(name, "", zero, one)),
        ["z2", "z3", "n1", "n2", "n3"]
            .map(|name| ContextVariable::actuated(name, "", zero, one, unit)),
        Cost::from_milli(2_000),
        Cost::from_milli(1_000 * BUDGET),
    )
    .unwrap()
    .with_seed(seed);
    let settings = Settings {
        initial_points: INITIAL,
        ..settings
    };
    let mut controller = Box::new(Controller::<N, 2, 5, T, P>::new(config, settings).unwrap());
    let mut data = Stream(seed.wrapping_mul(0x1234_5678_9abc_def1) ^ 1);
    let mut contexts = Stream(seed.wrapping_mul(0x1234_5678_9abc_def1) ^ 2);
    let mut noise = Stream(seed.wrapping_mul(0x1234_5678_9abc_def1) ^ 3);
    let value = |point: &Point<2, 5, T>| {
        hartmann4(
            point.design.map(|x| x.to_f64()),
            [point.context[0].to_f64(), point.context[1].to_f64()],
        )
    };
    let mut best = f64::NEG_INFINITY;
    let sobol = sadcbo::parts::sobol::Sobol::new((data.uniform() * 4e9) as u32);
    for index in 0..INITIAL {
        let mut point = Point::ORIGIN;
        for (dimension, v) in point.iter_mut().enumerate() {
            *v = sobol.point(index, dimension);
        }
        best = best.max(value(&point));
        controller
            .seed_with(&point, T::from_f64(value(&point) + NOISE * noise.normal()))
            .unwrap();
    }
    let (mut spent, mut steps) = (0, 0_u32);
    let mut result = Trial {
        best: [best; 5],
        inclusion: [0.0; 5],
        switched: None,
    };
    loop {
        let ambient = [(); 5].map(|()| T::from_f64(contexts.uniform()));
        let decision = match controller.decide(&ambient) {
            Ok(decision) => decision,
            Err(Error::BudgetSpent) => break,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        if decision.phase() == Phase::Optimization && result.switched.is_none() {
            result.switched = Some(decision.step());
        }
        for index in decision.selected().iter() {
            result.inclusion[index] += 1.0;
        }
        steps += 1;
        let applied = *decision.point();
        spent += decision.cost().milli() / 1_000;
        best = best.max(value(&applied));
        for (quarter, place) in result.best.iter_mut().enumerate().skip(1) {
            if spent <= BUDGET * quarter as u32 / 4 {
                *place = best;
            }
        }
        let y = value(&applied) + NOISE * noise.normal();
        controller
            .observe(decision, &applied, T::from_f64(y))
            .unwrap();
    }
    // What was best at a quarter was also best later.
    for quarter in 1..5 {
        result.best[quarter] = result.best[quarter].max(result.best[quarter - 1]);
    }
    result.inclusion = result
        .inclusion
        .map(|count| count / f64::from(steps.max(1)));
    result
}
