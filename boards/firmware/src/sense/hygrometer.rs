//! Temperature and relative humidity: HDC302x.

use embassy_time::{Duration, with_timeout};
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::i2c::I2c;
use hdc302x::{Error, Hdc302x, I2cAddr, LowPowerMode, RawDatum};

use super::Fault;

/// A conversion takes 12.6 ms and the transfers less than 2 ms.
const TIMEOUT: Duration = Duration::from_millis(40);

/// An HDC302x at address 0x44.
pub struct Hygrometer<I2C, D> {
    driver: Hdc302x<I2C, D>,
    seen: bool,
}

impl<I2C: I2c, D: DelayNs> Hygrometer<I2C, D> {
    /// The sensor on this bus. Nothing is sent yet.
    pub fn new(i2c: I2C, delay: D) -> Self {
        Self {
            driver: Hdc302x::new(i2c, delay, I2cAddr::Addr00),
            seen: false,
        }
    }

    /// Temperature in °C and relative humidity in %.
    pub async fn read(&mut self) -> Result<[f32; 2], Fault> {
        let conversion = self.driver.one_shot_async(LowPowerMode::lowest_noise());
        match with_timeout(TIMEOUT, conversion).await {
            Err(_) => Err(Fault::Timeout),
            Ok(Err(Error::CrcMismatch)) => Err(Fault::Checksum),
            Ok(Err(_)) if !self.seen => Err(Fault::Absent),
            Ok(Err(_)) => Err(Fault::Bus),
            Ok(Ok(RawDatum::TempAndRelHumid(raw))) => {
                self.seen = true;
                Ok([raw.centigrade(), raw.humidity_percent()])
            }
            // The driver answers a one-shot conversion with both values.
            Ok(Ok(_)) => Err(Fault::Bus),
        }
    }
}
