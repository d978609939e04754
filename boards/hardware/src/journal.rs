//! Records to the console, where a computer keeps them.

use core::fmt::{self, Display};

use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::mutex::Mutex;
use embedded_io_async::Write;
use sadcbo::StepRecord;
use sadcbo_firmware::experiment::{self, NotKept};
use sadcbo_firmware::instrument::{CONTEXTS, DESIGN};
use sadcbo_firmware::record;

use crate::console;

/// One line per record: `record` and its bytes in hexadecimal, with the record's own checksum at the end.
pub struct Journal<'a, W>(&'a Mutex<NoopRawMutex, W>);

impl<'a, W: Write> Journal<'a, W> {
    pub fn new(transmitter: &'a Mutex<NoopRawMutex, W>) -> Self {
        Self(transmitter)
    }
}

impl<W: Write> experiment::Journal<DESIGN, CONTEXTS> for Journal<'_, W> {
    async fn append(&mut self, record: &StepRecord<DESIGN, CONTEXTS>) -> Result<(), NotKept> {
        let mut buffer = [0; record::length(DESIGN, CONTEXTS)];
        let bytes = record::encode(record, &mut buffer).ok_or(NotKept)?;
        if console::say(self.0, format_args!("record {}", Hex(bytes))).await {
            Ok(())
        } else {
            Err(NotKept)
        }
    }
}

struct Hex<'a>(&'a [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            write!(formatter, "{byte:02x}")?;
        }
        Ok(())
    }
}
