//! TI HDC302x: a command of two bytes, then words with a checksum each.

use embassy_time::{Duration, Instant};

use super::Nack;

/// A conversion in the mode of the lowest noise.
const CONVERSION: Duration = Duration::from_micros(12_500);

/// What the chip will answer to the next read.
#[derive(Clone, Copy, Debug)]
enum Pending {
    Nothing,
    Conversion { ready: Instant },
    Word(u16),
}

/// The chip.
#[derive(Clone, Copy, Debug)]
pub struct Hdc302x {
    pending: Pending,
    /// The last conversion: temperature, humidity.
    words: [u16; 2],
}

impl Hdc302x {
    pub const fn new() -> Self {
        Self {
            pending: Pending::Nothing,
            words: [0; 2],
        }
    }

    /// A command; `climate` gives °C and %RH if it starts a conversion.
    pub fn write(
        &mut self,
        bytes: &[u8],
        climate: impl FnOnce() -> Option<(f32, f32)>,
    ) -> Result<(), Nack> {
        let &[high, low] = bytes else {
            return Err(Nack);
        };
        self.pending = match u16::from_be_bytes([high, low]) {
            0x2400 | 0x240b | 0x2416 | 0x24ff => {
                if let Some((celsius, percent)) = climate() {
                    self.words = [word((celsius + 45.0) / 175.0), word(percent / 100.0)];
                }
                Pending::Conversion {
                    ready: Instant::now() + CONVERSION,
                }
            }
            0x3781 => Pending::Word(0x3000), // manufacturer: Texas Instruments
            0xf32d => Pending::Word(0),      // status
            0x30a2 => Pending::Nothing,      // soft reset
            _ => return Err(Nack),
        };
        Ok(())
    }

    /// The answer; a conversion that is not finished is not acknowledged.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<(), Nack> {
        let words: &[u16] = match &self.pending {
            Pending::Nothing => return Err(Nack),
            Pending::Conversion { ready } if Instant::now() < *ready => return Err(Nack),
            Pending::Conversion { .. } => &self.words,
            Pending::Word(word) => core::slice::from_ref(word),
        };
        for (place, word) in buffer.chunks_mut(3).zip(words) {
            let [high, low] = word.to_be_bytes();
            for (to, from) in place.iter_mut().zip([high, low, checksum([high, low])]) {
                *to = from;
            }
        }
        self.pending = Pending::Nothing;
        Ok(())
    }
}

fn word(share: f32) -> u16 {
    // A cast from float to integer saturates, as the chip does.
    (share * 65_535.0 + 0.5) as u16
}

/// CRC-8 with polynomial 0x31 and initial value 0xff.
fn checksum(bytes: [u8; 2]) -> u8 {
    let mut crc = 0xff;
    for byte in bytes {
        crc ^= byte;
        for _ in 0..8 {
            crc = if crc & 0x80 == 0 {
                crc << 1
            } else {
                crc << 1 ^ 0x31
            };
        }
    }
    crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_is_that_of_the_data_sheet() {
        assert_eq!(checksum([0xab, 0xcd]), 0x6f);
        assert_eq!(checksum([0xbe, 0xef]), 0x92);
    }
}
