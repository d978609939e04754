//! Whether a sensor can be believed.

use super::median::{Median, Reading};
use super::{Fault, Sample};

/// After this many bad samples in a row a sensor counts as lost, not as coasting.
pub const COASTING: u16 = 20;

/// What a believable sample looks like.
#[derive(Clone, Copy, Debug)]
pub struct Plausible {
    /// Smallest value that the sensor can measure.
    pub low: f32,
    /// Largest value that the sensor can measure.
    pub high: f32,
    /// Largest change from one sample to the next.
    pub jump: f32,
    /// This many equal samples in a row mean that the sensor is frozen: a real one shows its noise.
    pub stuck: u16,
}

/// The state of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Health {
    /// Good samples, but not yet enough for a value.
    WarmingUp,
    /// A value from good samples only.
    Fresh,
    /// The last sample was bad; it may have been a disturbance.
    Coasting(Fault),
    /// Bad samples for so long that the sensor is lost.
    Lost(Fault),
}

/// Watches one sensor.
#[derive(Clone, Copy, Debug)]
pub struct Monitor {
    plausible: Plausible,
    median: Median,
    last: Option<f32>,
    equal: u16,
    missed: u16,
    health: Health,
}

impl Monitor {
    /// A sensor that has given nothing yet.
    pub fn new(plausible: Plausible) -> Self {
        Self {
            plausible,
            median: Median::default(),
            last: None,
            equal: 0,
            missed: 0,
            health: Health::WarmingUp,
        }
    }

    /// Judges a sample. After a bad one the value starts anew: no faulted reading is ever part of it.
    pub fn take(&mut self, sample: Sample) -> Sample {
        let judged = sample.and_then(|value| self.judge(value));
        match judged {
            Ok(value) => {
                self.last = Some(value);
                self.missed = 0;
                self.median.push(value);
                self.health = match self.median.reading() {
                    Some(_) => Health::Fresh,
                    None => Health::WarmingUp,
                };
            }
            Err(fault) => {
                self.median.clear();
                self.missed = self.missed.saturating_add(1);
                self.health = Health::Coasting(fault);
                if self.missed >= COASTING {
                    self.health = Health::Lost(fault);
                    // The world may have changed meanwhile: the next sample is not a jump.
                    self.last = None;
                }
            }
        }
        judged
    }

    fn judge(&mut self, value: f32) -> Sample {
        let Plausible {
            low,
            high,
            jump,
            stuck,
        } = self.plausible;
        if !value.is_finite() {
            return Err(Fault::NotFinite);
        }
        if value < low || value > high {
            return Err(Fault::OutOfRange);
        }
        if let Some(last) = self.last {
            if (value - last).abs() > jump {
                return Err(Fault::Jump);
            }
            self.equal = if value == last {
                self.equal.saturating_add(1)
            } else {
                0
            };
            if self.equal >= stuck {
                return Err(Fault::Stuck);
            }
        }
        Ok(value)
    }

    /// The state.
    pub const fn health(&self) -> Health {
        self.health
    }

    /// The value, if the sensor is fresh.
    pub fn reading(&self) -> Option<Reading> {
        self.median.reading()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Plausible = Plausible {
        low: 0.0,
        high: 100.0,
        jump: 5.0,
        stuck: 8,
    };

    fn warm() -> Monitor {
        let mut monitor = Monitor::new(RULES);
        for step in 0..5 {
            assert_eq!(monitor.health(), Health::WarmingUp);
            assert!(monitor.take(Ok(40.0 + 0.1 * step as f32)).is_ok());
        }
        assert_eq!(monitor.health(), Health::Fresh);
        monitor
    }

    #[test]
    fn every_fault_has_its_name_and_leaves_no_value() {
        for (sample, fault) in [
            (Ok(f32::NAN), Fault::NotFinite),
            (Ok(f32::INFINITY), Fault::NotFinite),
            (Ok(100.5), Fault::OutOfRange),
            (Ok(-0.1), Fault::OutOfRange),
            (Ok(50.0), Fault::Jump),
            (Err(Fault::Checksum), Fault::Checksum),
            (Err(Fault::Bus), Fault::Bus),
            (Err(Fault::Timeout), Fault::Timeout),
            (Err(Fault::Absent), Fault::Absent),
        ] {
            let mut monitor = warm();
            assert_eq!(monitor.take(sample), Err(fault));
            assert_eq!(monitor.health(), Health::Coasting(fault));
            assert_eq!(monitor.reading(), None);
        }
    }

    #[test]
    fn a_frozen_sensor_is_found() {
        let mut monitor = warm();
        for _ in 0..8 {
            let _ = monitor.take(Ok(41.0));
        }
        assert_eq!(monitor.take(Ok(41.0)), Err(Fault::Stuck));
        assert_eq!(monitor.take(Ok(41.0)), Err(Fault::Stuck));
        assert!(monitor.take(Ok(41.1)).is_ok());
    }

    #[test]
    fn it_is_lost_after_a_while_and_comes_back() {
        let mut monitor = warm();
        for _ in 0..COASTING {
            assert!(!matches!(monitor.health(), Health::Lost(_)));
            let _ = monitor.take(Err(Fault::Bus));
        }
        assert_eq!(monitor.health(), Health::Lost(Fault::Bus));
        // Far from the last good sample, but that was long ago.
        for sample in [70.0, 70.1, 70.2, 70.1, 70.3] {
            assert!(monitor.take(Ok(sample)).is_ok());
        }
        assert_eq!(monitor.reading().map(|reading| reading.value), Some(70.1));
    }
}
