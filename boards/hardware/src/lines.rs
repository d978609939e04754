//! Lines of text from a serial line.

use embassy_time::{Duration, Timer};
use embedded_io_async::Read;
use heapless::Vec;

/// The longest line that is understood. A longer one is passed over as a whole.
const LONGEST: usize = 96;
/// A line that reports errors all the time must not keep everybody else from working.
const AFTER_ERROR: Duration = Duration::from_millis(20);

/// Reads line by line. Dropping [`next`](Self::next) half-way loses nothing but the byte on its way.
pub struct Lines<R> {
    reader: R,
    line: Vec<u8, LONGEST>,
    /// The line is too long, or a byte of it was lost.
    spoilt: bool,
    /// The line has been handed out.
    taken: bool,
}

impl<R: Read> Lines<R> {
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            line: Vec::new(),
            spoilt: false,
            taken: false,
        }
    }

    /// The next line that has arrived whole, without its end and surrounding blanks. Empty ones are passed over.
    pub async fn next(&mut self) -> &str {
        while !self.is_complete().await {}
        self.taken = true;
        core::str::from_utf8(&self.line).unwrap_or_default().trim()
    }

    /// Takes one byte in; whether a line is complete with it.
    async fn is_complete(&mut self) -> bool {
        if self.taken {
            self.clear();
        }
        let mut byte = [0];
        match self.reader.read(&mut byte).await {
            Ok(1) if byte == *b"\n" || byte == *b"\r" => {
                let whole = !self.spoilt && core::str::from_utf8(&self.line).is_ok_and(has_text);
                if !whole {
                    self.clear();
                }
                return whole;
            }
            Ok(1) => {
                if self.line.extend_from_slice(&byte).is_err() {
                    self.spoilt = true;
                }
            }
            _ => {
                self.spoilt = true;
                Timer::after(AFTER_ERROR).await;
            }
        }
        false
    }

    fn clear(&mut self) {
        self.line.clear();
        self.spoilt = false;
        self.taken = false;
    }
}

fn has_text(line: &str) -> bool {
    !line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use embassy_futures::block_on;

    #[test]
    fn only_whole_lines_come_through() {
        let long = [b'x'; LONGEST + 1];
        let text = [&b"pause\r\n\n  skip \n"[..], &long, b"\n\xff\xfe\nstop\n"].concat();
        let mut lines = Lines::new(&text[..]);
        block_on(async {
            assert_eq!(lines.next().await, "pause");
            assert_eq!(lines.next().await, "skip");
            assert_eq!(lines.next().await, "stop");
        });
    }
}
