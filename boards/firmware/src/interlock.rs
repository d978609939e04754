//! What no decision can override: when the outputs have to be off.

use crate::sense::{Fault, Sample};
use crate::timetable::PERIOD_SECONDS;

/// How many periods back the rate is taken; a single period would show little but noise.
const LOOKBACK: usize = 8;

/// Limits of one context, beyond which something is broken. Wider than what a decision may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Lowest value.
    pub low: f32,
    /// Highest value.
    pub high: f32,
    /// Fastest change, in units per second.
    pub rate: f32,
}

/// Why the outputs are off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Trip {
    /// This context was below its limit. Latched.
    Below(usize),
    /// This context was above its limit. Latched.
    Above(usize),
    /// This context changed too fast. Latched.
    TooFast(usize),
    /// This context has no reading. Over as soon as there is one again.
    Blind(usize, Fault),
    /// This context's output could not be set. Tried again in every period.
    Output(usize),
}

impl Trip {
    /// Whether it stays until an operator re-arms.
    pub const fn is_latched(self) -> bool {
        matches!(self, Self::Below(_) | Self::Above(_) | Self::TooFast(_))
    }
}

/// The interlock of all contexts; those without limits cannot do harm.
#[derive(Clone, Debug)]
pub struct Interlock<const C: usize> {
    limits: [Option<Limits>; C],
    latched: Option<Trip>,
    past: [History; C],
}

impl<const C: usize> Interlock<C> {
    /// Nothing has happened yet.
    pub const fn new(limits: [Option<Limits>; C]) -> Self {
        Self {
            limits,
            latched: None,
            past: [History::NEW; C],
        }
    }

    /// Once per period, before the outputs are set: `None` if they may be on.
    pub fn check(&mut self, samples: &[Sample; C]) -> Option<Trip> {
        let mut blind = None;
        let contexts = self.limits.iter().zip(&mut self.past).zip(samples);
        for (index, ((limits, past), sample)) in contexts.enumerate() {
            let (Some(limits), rate) = (limits, past.rate(*sample)) else {
                continue;
            };
            let hard = match *sample {
                Err(fault) => {
                    blind = blind.or(Some(Trip::Blind(index, fault)));
                    None
                }
                Ok(value) if value < limits.low => Some(Trip::Below(index)),
                Ok(value) if value > limits.high => Some(Trip::Above(index)),
                Ok(_) if rate > limits.rate => Some(Trip::TooFast(index)),
                Ok(_) => None,
            };
            self.latched = self.latched.or(hard);
        }
        self.latched.or(blind)
    }

    /// Forgets a latched fault. If its cause persists, the next check finds it again before any output is set.
    pub fn rearm(&mut self) {
        self.latched = None;
        self.past = [History::NEW; C];
    }
}

/// The last samples of one context.
#[derive(Clone, Copy, Debug)]
struct History {
    samples: [f32; LOOKBACK],
    len: usize,
}

impl History {
    const NEW: Self = Self {
        samples: [0.0; LOOKBACK],
        len: 0,
    };

    /// Takes a sample in; the change per second over the whole history, 0 as long as that is too short.
    fn rate(&mut self, sample: Sample) -> f32 {
        let Ok(value) = sample else {
            *self = Self::NEW;
            return 0.0;
        };
        let oldest = self.samples.first().copied().unwrap_or(value);
        let full = self.len >= LOOKBACK;
        self.samples.rotate_left(1);
        if let Some(last) = self.samples.last_mut() {
            *last = value;
        }
        self.len = (self.len + 1).min(LOOKBACK);
        if full {
            (value - oldest).abs() / (LOOKBACK as f32 * PERIOD_SECONDS)
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        low: 5.0,
        high: 50.0,
        rate: 1.0,
    };

    #[test]
    fn a_limit_latches_and_rearming_does_not_revive_while_the_cause_persists() {
        let mut interlock = Interlock::new([Some(LIMITS), None]);
        assert_eq!(interlock.check(&[Ok(20.0), Ok(1e6)]), None);
        assert_eq!(interlock.check(&[Ok(50.1), Ok(0.0)]), Some(Trip::Above(0)));
        assert_eq!(
            interlock.check(&[Ok(20.0), Ok(0.0)]),
            Some(Trip::Above(0)),
            "latched"
        );
        interlock.rearm();
        assert_eq!(
            interlock.check(&[Ok(51.0), Ok(0.0)]),
            Some(Trip::Above(0)),
            "the cause persists"
        );
        interlock.rearm();
        assert_eq!(interlock.check(&[Ok(20.0), Ok(0.0)]), None);
        assert_eq!(interlock.check(&[Ok(4.0), Ok(0.0)]), Some(Trip::Below(0)));
    }

    #[test]
    fn a_lost_sensor_trips_at_once_and_only_as_long_as_it_is_lost() {
        let mut interlock = Interlock::new([Some(LIMITS), None]);
        assert_eq!(interlock.check(&[Ok(20.0), Err(Fault::Bus)]), None);
        let blind = Some(Trip::Blind(0, Fault::Checksum));
        assert_eq!(interlock.check(&[Err(Fault::Checksum), Ok(0.0)]), blind);
        assert_eq!(interlock.check(&[Ok(20.0), Ok(0.0)]), None);
    }

    #[test]
    fn a_runaway_latches() {
        let mut interlock = Interlock::new([Some(LIMITS)]);
        // 0.2 a period is 0.8 a second: allowed.
        for step in 0..40 {
            assert_eq!(interlock.check(&[Ok(20.0 + 0.2 * step as f32)]), None);
        }
        let mut value = 28.0;
        let tripped = (0..LOOKBACK).any(|_| {
            value += 0.5;
            interlock.check(&[Ok(value)]).is_some()
        });
        assert!(tripped);
        assert_eq!(interlock.check(&[Ok(value)]), Some(Trip::TooFast(0)));
    }
}
