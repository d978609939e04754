//! What the environment does: laws of the ambient context on the unit cube.
//!
//! The paper draws it independent and uniform. A real room drifts, remembers and has days.

use std::f64::consts::{SQRT_2, TAU};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::random::{Purpose, Stream};

/// How the ambient context moves from step to step, each variable on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Law {
    /// Independent and uniform: the paper's.
    #[default]
    Uniform,
    /// A random walk with this step, reflected at the faces of the cube; uniform in the long run.
    Drift(f64),
    /// Uniform at each step, with this correlation of the underlying normal with the step before.
    Correlated(f64),
    /// A sinusoid with this many steps to a period, its phase drawn per variable, and noise on it.
    Seasonal(f64),
}

/// The seasons' swing about the middle of the range, and the noise on it.
const SWING: f64 = 0.4;
const WEATHER: f64 = 0.05;

impl FromStr for Law {
    type Err = String;

    /// `uniform`, `drift[:step]`, `correlated[:rho]` or `seasonal[:period]`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let read =
            |default: f64, valid: fn(f64) -> bool| match number.map_or(Ok(default), str::parse) {
                Ok(value) if valid(value) => Ok(value),
                _ => Err(format!(
                    "{text:?}: the number after {name}: is out of range"
                )),
            };
        match name {
            "uniform" if number.is_none() => Ok(Self::Uniform),
            "drift" => read(0.05, |step| step > 0.0 && step <= 1.0).map(Self::Drift),
            "correlated" => read(0.9, |rho| (0.0..1.0).contains(&rho)).map(Self::Correlated),
            "seasonal" => read(24.0, |period| (2.0..=1e6).contains(&period)).map(Self::Seasonal),
            _ => Err(format!(
                "{text:?} is not uniform, drift[:step], correlated[:rho] or seasonal[:period]"
            )),
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.write_str("uniform"),
            Self::Drift(step) => write!(f, "drift:{step}"),
            Self::Correlated(rho) => write!(f, "correlated:{rho}"),
            Self::Seasonal(period) => write!(f, "seasonal:{period}"),
        }
    }
}

impl From<Law> for String {
    fn from(law: Law) -> Self {
        law.to_string()
    }
}

impl TryFrom<String> for Law {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// The ambient contexts of one trial, step after step.
pub struct Ambient {
    law: Law,
    stream: Stream,
    step: f64,
    /// Per variable: position (drift), underlying normal (correlated) or phase (seasonal).
    state: Vec<f64>,
}

impl Ambient {
    pub fn new(law: Law, contexts: usize, seed: u64) -> Self {
        let mut stream = Stream::new(seed, Purpose::Context);
        let state = (0..contexts).map(|_| match law {
            Law::Correlated(_) => stream.normal(),
            _ => stream.uniform(),
        });
        let state = state.collect();
        Self {
            law,
            stream,
            step: 0.0,
            state,
        }
    }

    /// The next step's context.
    pub fn draw(&mut self) -> Vec<f64> {
        self.step += 1.0;
        let (law, step, stream) = (self.law, self.step, &mut self.stream);
        let variable = |state: &mut f64| match law {
            Law::Uniform => stream.uniform(),
            Law::Drift(size) => {
                *state = reflect(*state + size * stream.normal());
                *state
            }
            Law::Correlated(rho) => {
                *state = rho * *state + (1.0 - rho * rho).sqrt() * stream.normal();
                0.5 * libm::erfc(-*state / SQRT_2)
            }
            Law::Seasonal(period) => {
                let season = (TAU * (step / period + *state)).sin();
                reflect(0.5 + SWING * season + WEATHER * stream.normal())
            }
        };
        self.state.iter_mut().map(variable).collect()
    }

    /// The stream behind the draws, for problems whose days come from a table.
    pub fn stream(&mut self) -> &mut Stream {
        &mut self.stream
    }

    pub fn law(&self) -> Law {
        self.law
    }
}

/// Folds the real line onto [0, 1] like a mirror at each end.
fn reflect(x: f64) -> f64 {
    let folded = x.rem_euclid(2.0);
    if folded > 1.0 { 2.0 - folded } else { folded }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: [Law; 4] = [
        Law::Uniform,
        Law::Drift(0.05),
        Law::Correlated(0.9),
        Law::Seasonal(24.0),
    ];

    fn path(law: Law, steps: usize) -> Vec<f64> {
        let mut ambient = Ambient::new(law, 1, 7);
        (0..steps).flat_map(|_| ambient.draw()).collect()
    }

    /// Correlation between a path and itself some steps later.
    fn autocorrelation(path: &[f64], lag: usize) -> f64 {
        let mean = path.iter().sum::<f64>() / path.len() as f64;
        let product = |lag: usize| -> f64 {
            path.iter()
                .zip(&path[lag..])
                .map(|(a, b)| (a - mean) * (b - mean))
                .sum()
        };
        product(lag) / product(0)
    }

    #[test]
    fn every_law_stays_in_the_cube_and_repeats() {
        for law in LAWS {
            let drawn = path(law, 2000);
            assert!(drawn.iter().all(|z| (0.0..=1.0).contains(z)), "{law}");
            assert_eq!(drawn, path(law, 2000), "{law}");
            assert_eq!(law.to_string().parse(), Ok(law));
        }
    }

    #[test]
    fn memory_is_that_of_the_law() {
        assert!(autocorrelation(&path(Law::Uniform, 20_000), 1).abs() < 0.03);
        assert!(autocorrelation(&path(Law::Drift(0.05), 20_000), 1) > 0.95);
        // The correlation of two uniforms from normals of correlation 0.9 is (6/pi) asin(0.45) = 0.891.
        let correlated = autocorrelation(&path(Law::Correlated(0.9), 20_000), 1);
        assert!((correlated - 0.891).abs() < 0.02, "{correlated}");
        let seasonal = path(Law::Seasonal(24.0), 20_000);
        assert!(autocorrelation(&seasonal, 24) > 0.9);
        assert!(autocorrelation(&seasonal, 12) < -0.9);
    }

    #[test]
    fn correlated_is_uniform_at_each_step() {
        let drawn = path(Law::Correlated(0.5), 40_000);
        for decile in 0..10 {
            let (lo, hi) = (f64::from(decile) / 10.0, f64::from(decile + 1) / 10.0);
            let share = drawn.iter().filter(|z| (lo..hi).contains(*z)).count() as f64 / 40_000.0;
            assert!((share - 0.1).abs() < 0.01, "{decile}: {share}");
        }
    }

    #[test]
    fn bad_laws_are_refused() {
        for text in [
            "",
            "drift:-1",
            "correlated:1",
            "seasonal:x",
            "uniform:3",
            "gusty",
        ] {
            assert!(text.parse::<Law>().is_err(), "{text}");
        }
    }

    #[test]
    fn reflection_folds() {
        for (x, folded) in [(0.3, 0.3), (1.2, 0.8), (-0.2, 0.2), (2.5, 0.5), (-1.4, 0.6)] {
            assert!((reflect(x) - folded).abs() < 1e-12);
        }
    }
}
