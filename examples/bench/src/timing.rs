//! Medians of interleaved runs.

use std::time::{Duration, Instant};

/// Samples of each candidate; the median of so many is steady to a few per cent on a quiet machine.
const ROUNDS: usize = 15;
/// A sample lasts at least this long, so that the clock's own cost does not show.
const SAMPLE: Duration = Duration::from_millis(3);

/// A candidate: one call is one operation.
pub type Candidate<'a> = Box<dyn FnMut() + 'a>;

/// Median seconds per call of each candidate, all timed in turn.
pub fn medians(candidates: &mut [Candidate<'_>]) -> Vec<f64> {
    let calls: Vec<u32> = candidates.iter_mut().map(|work| calls(work)).collect();
    let mut samples = vec![Vec::new(); candidates.len()];
    for _ in 0..ROUNDS {
        for ((work, &calls), samples) in candidates.iter_mut().zip(&calls).zip(&mut samples) {
            samples.push(time(work, calls).as_secs_f64() / f64::from(calls));
        }
    }
    samples.into_iter().map(median).collect()
}

/// Seconds of one call, for what takes too long to repeat.
pub fn once<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// How many calls make a sample.
fn calls(work: &mut Candidate<'_>) -> u32 {
    let mut calls = 1;
    while time(work, calls) < SAMPLE {
        calls *= 2;
    }
    calls
}

fn time(work: &mut Candidate<'_>, calls: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed()
}

pub fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
