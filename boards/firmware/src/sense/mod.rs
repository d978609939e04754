//! Sensing: drivers, plausibility and filtering.

pub mod barometer;
pub mod hygrometer;
pub mod median;
pub mod monitor;

/// Why there is no reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Fault {
    /// The sensor has never answered.
    Absent,
    /// The bus reported an error, or the sensor no longer answers.
    Bus,
    /// The checksum does not fit the data.
    Checksum,
    /// No answer in time.
    Timeout,
    /// The value is not a finite number.
    NotFinite,
    /// The value is outside what the sensor can measure.
    OutOfRange,
    /// The value changed faster than anything physical.
    Jump,
    /// The value has not changed for so long that the sensor must be frozen.
    Stuck,
}

/// One reading of one context, or why there is none.
pub type Sample = Result<f32, Fault>;

/// The sensors of all contexts.
pub trait Sensors<const C: usize> {
    /// Reads each once. It takes less than a control period, whatever happens on the bus.
    async fn sample(&mut self) -> [Sample; C];
}
