//! Air pressure: BME280.

use bme280_rs::{AsyncBme280, Configuration, Oversampling, SensorMode};
use embassy_time::{Duration, with_timeout};
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::i2c::I2c;

use super::{Fault, Sample};

const CHIP: u8 = 0x60;
/// Setting up waits 110 ms inside the driver.
const SETUP_TIMEOUT: Duration = Duration::from_millis(150);
const READ_TIMEOUT: Duration = Duration::from_millis(20);

/// A BME280 at address 0x76. It is set up when it is first read, and again after every error: it may have been unplugged.
pub struct Barometer<I2C, D> {
    driver: AsyncBme280<I2C, D>,
    seen: bool,
    ready: bool,
}

impl<I2C: I2c, D: DelayNs> Barometer<I2C, D> {
    /// The sensor on this bus. Nothing is sent yet.
    pub fn new(i2c: I2C, delay: D) -> Self {
        Self {
            driver: AsyncBme280::new(i2c, delay),
            seen: false,
            ready: false,
        }
    }

    /// Air pressure in hPa.
    pub async fn read(&mut self) -> Sample {
        let sample = self.attempt().await;
        self.ready = sample.is_ok();
        sample
    }

    async fn attempt(&mut self) -> Sample {
        let lost = if self.seen { Fault::Bus } else { Fault::Absent };
        if !self.ready {
            match with_timeout(SETUP_TIMEOUT, self.set_up()).await {
                Err(_) => return Err(Fault::Timeout),
                Ok(Err(_)) | Ok(Ok(false)) => return Err(lost),
                Ok(Ok(true)) => self.seen = true,
            }
        }
        match with_timeout(READ_TIMEOUT, self.driver.read_pressure()).await {
            Err(_) => Err(Fault::Timeout),
            // Nothing measured: it was reset behind our back.
            Ok(Err(_)) | Ok(Ok(None)) => Err(lost),
            Ok(Ok(Some(pascal))) => Ok(pascal / 100.0),
        }
    }

    /// Whether there is such a chip; it then measures by itself.
    async fn set_up(&mut self) -> Result<bool, I2C::Error> {
        if self.driver.chip_id().await? != CHIP {
            return Ok(false);
        }
        self.driver.init().await?;
        self.driver
            .set_sampling_configuration(
                Configuration::default()
                    .with_temperature_oversampling(Oversampling::Oversample1)
                    .with_pressure_oversampling(Oversampling::Oversample4)
                    .with_sensor_mode(SensorMode::Normal),
            )
            .await?;
        Ok(true)
    }
}
