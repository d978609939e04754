//! Bosch BME280: a file of registers. Its calibration is that of an ideal chip, so that raw values are linear.

use super::Nack;

const CHIP_ID: u8 = 0xd0;
const CALIBRATION: u8 = 0x88;
const HUMIDITY_CALIBRATION: u8 = 0xe1;
const RESET: u8 = 0xe0;
const CONTROL: u8 = 0xf4;
const DATA: u8 = 0xf7;

/// Of the pressure; all others are 0. Then 256 Pa = (2^20 - raw) · 1.6e6 / P1.
const P1: u16 = 36_477;
/// Of the temperature. Raw 519 888 is 25.08 °C, near enough for a pressure that does not depend on it.
const T1: u16 = 27_504;
const T2: i16 = 26_435;
const RAW_TEMPERATURE: u32 = 519_888;
/// What is not measured reads as this.
const SKIPPED: u32 = 0x8_0000;

/// The chip.
#[derive(Clone, Copy, Debug)]
pub struct Bme280 {
    register: u8,
    control: u8,
}

impl Bme280 {
    pub const fn new() -> Self {
        Self {
            register: 0,
            control: 0,
        }
    }

    /// Sets the register to read from and, with a second byte, writes it.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Nack> {
        let &[register, ref values @ ..] = bytes else {
            return Err(Nack);
        };
        self.register = register;
        match (register, values) {
            (RESET, [0xb6]) => *self = Self::new(),
            (CONTROL, [control]) => self.control = *control,
            _ => {}
        }
        Ok(())
    }

    /// Reads from the register on; `pascal` gives the pressure.
    pub fn read(&mut self, buffer: &mut [u8], pascal: impl FnOnce() -> f32) {
        let measures = self.control & 0b11 == 0b11;
        let raw = |wanted: u8, raw: u32| {
            if measures && self.control >> wanted & 0b111 != 0 {
                raw
            } else {
                SKIPPED
            }
        };
        let pressure = raw(2, raw_pressure(pascal()));
        let temperature = raw(5, RAW_TEMPERATURE);
        for (offset, to) in (0_u8..).zip(buffer) {
            let register = self.register.wrapping_add(offset);
            *to = match register {
                CHIP_ID => 0x60,
                DATA..=0xf9 => twenty_bits(pressure, register - DATA),
                0xfa..=0xfc => twenty_bits(temperature, register - 0xfa),
                0xfd => 0x80,
                CALIBRATION..=0xa1 => calibration(register - CALIBRATION),
                HUMIDITY_CALIBRATION..=0xe7 => 0,
                CONTROL => self.control,
                _ => 0,
            };
        }
    }
}

fn raw_pressure(pascal: f32) -> u32 {
    (1_048_576.0 - pascal * 256.0 * f32::from(P1) / 1.6e6 + 0.5) as u32
}

/// The upper, middle and lower byte of a value that is left-aligned in three bytes.
fn twenty_bits(value: u32, byte: u8) -> u8 {
    ((value << 4) >> (8 * (2 - u32::from(byte)))) as u8
}

fn calibration(offset: u8) -> u8 {
    let [t1_low, t1_high] = T1.to_le_bytes();
    let [t2_low, t2_high] = T2.to_le_bytes();
    let [p1_low, p1_high] = P1.to_le_bytes();
    match offset {
        0 => t1_low,
        1 => t1_high,
        2 => t2_low,
        3 => t2_high,
        6 => p1_low,
        7 => p1_high,
        _ => 0,
    }
}
