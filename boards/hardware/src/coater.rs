//! The spin coater on a serial line.
//!
//! One line per question and answer, numbered, so that an answer that comes late is not taken for the next one, and with
//! a checksum: `*` and the exclusive or of all bytes before it, in two hexadecimal digits, as in NMEA 0183.
//!
//! | question | answer |
//! |---|---|
//! | `7 set 2490 74*hh` | `7 ok 2490 74*hh`, the values that were really set |
//! | `8 run*hh` | `8 ok 0.8342*hh`, the measured quality of the film |
//! | either | `8 failed*hh` |

use core::fmt::{self, Write as _};

use embassy_time::{Duration, with_timeout};
use embedded_io_async::{Read, Write};
use heapless::String;
use sadcbo_firmware::instrument::DESIGN;
use sadcbo_firmware::rig::{Failed, Process};

use crate::lines::Lines;

/// Setting the motor and the oven.
const SETTING: Duration = Duration::from_secs(5);
/// Coating, annealing for up to two minutes, and inspecting.
const RUNNING: Duration = Duration::from_secs(600);

/// The coater's line.
pub struct Coater<R, W> {
    lines: Lines<R>,
    transmitter: W,
    number: u16,
}

impl<R: Read, W: Write> Coater<R, W> {
    pub fn new(receiver: R, transmitter: W) -> Self {
        Self {
            lines: Lines::new(receiver),
            transmitter,
            number: 0,
        }
    }

    /// Asks, and waits for the numbers in the answer.
    async fn ask<const N: usize>(
        &mut self,
        question: fmt::Arguments<'_>,
        patience: Duration,
    ) -> Result<[f32; N], Failed> {
        self.number = self.number.wrapping_add(1);
        let mut text: String<64> = String::new();
        write!(text, "{} {question}", self.number).map_err(|_| Failed)?;
        let sum = checksum(&text);
        write!(text, "*{sum:02X}\r\n").map_err(|_| Failed)?;
        let conversation = async {
            let sent = self.transmitter.write_all(text.as_bytes()).await;
            sent.map_err(|_| Failed)?;
            loop {
                if let Some(answer) = read(self.lines.next().await, self.number) {
                    return numbers(answer).ok_or(Failed);
                }
            }
        };
        with_timeout(patience, conversation)
            .await
            .unwrap_or(Err(Failed))
    }
}

impl<R: Read, W: Write> Process<DESIGN> for Coater<R, W> {
    async fn set(&mut self, design: &[f32; DESIGN]) -> Result<[f32; DESIGN], Failed> {
        let [speed, annealing] = design;
        self.ask(format_args!("set {speed} {annealing}"), SETTING)
            .await
    }

    async fn measure(&mut self) -> Result<f32, Failed> {
        let [quality] = self.ask(format_args!("run"), RUNNING).await?;
        Ok(quality)
    }
}

fn checksum(text: &str) -> u8 {
    text.bytes().fold(0, |sum, byte| sum ^ byte)
}

/// What follows the number, if the line is whole and answers this question.
fn read(line: &str, number: u16) -> Option<&str> {
    let (text, sum) = line.rsplit_once('*')?;
    if sum.len() != 2 || u8::from_str_radix(sum, 16).ok()? != checksum(text) {
        return None;
    }
    let (asked, answer) = text.split_once(' ')?;
    (asked.parse() == Ok(number)).then_some(answer)
}

/// As many finite numbers after `ok` as are wanted, and nothing else.
fn numbers<const N: usize>(answer: &str) -> Option<[f32; N]> {
    let mut words = answer.strip_prefix("ok ")?.split_ascii_whitespace();
    let mut numbers = [0.0_f32; N];
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    (words.next().is_none() && numbers.iter().all(|number| number.is_finite())).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::future::Future;
    use core::task::{Context, Poll, Waker};
    use embassy_futures::block_on;
    use embassy_time::MockDriver;

    fn line(text: &str) -> std::string::String {
        format!("{text}*{:02X}\n", checksum(text))
    }

    /// What the coater makes of these bytes, and what it asked.
    fn converse(answers: &str) -> (Result<[f32; DESIGN], Failed>, Result<f32, Failed>) {
        let mut asked = [0; 128];
        let mut rest = &mut asked[..];
        let mut coater = Coater::new(answers.as_bytes(), &mut rest);
        let outcome = block_on(async {
            let set = coater.set(&[2_490.0, 74.5]).await;
            (set, coater.measure().await)
        });
        let questions = format!("{}{}", line("1 set 2490 74.5"), line("2 run"));
        let questions = questions.replace('\n', "\r\n");
        assert!(asked.starts_with(questions.as_bytes()));
        outcome
    }

    #[test]
    fn the_checksum_is_that_of_the_readme() {
        assert_eq!(line("7 set 2490 74.5"), "7 set 2490 74.5*62\n");
        assert_eq!(read("8 ok 0.8342*2F", 8), Some("ok 0.8342"));
    }

    #[test]
    fn a_film_is_made_and_measured() {
        let answers = line("1 ok 2490 74") + &line("2 ok 0.8342");
        assert_eq!(converse(&answers), (Ok([2_490.0, 74.0]), Ok(0.8342)));
    }

    #[test]
    fn late_and_broken_answers_are_passed_over() {
        let broken = line("1 ok 2490 74").replace("74", "94");
        let late = line("0 ok 500 10");
        let answers = broken + &late + "noise\n" + &line("1 ok 2490 74") + &line("2 ok 0.5");
        assert_eq!(converse(&answers), (Ok([2_490.0, 74.0]), Ok(0.5)));
    }

    #[test]
    fn what_is_not_a_result_is_a_failure() {
        for answer in ["failed", "ok", "ok NaN", "ok 1 2", "ok x"] {
            let answers = line("1 ok 1 1") + &line(&format!("2 {answer}"));
            assert_eq!(converse(&answers).1, Err(Failed), "{answer}");
        }
    }

    #[test]
    fn silence_is_a_failure_in_time() {
        let mut sink = [0; 64];
        let mut rest = &mut sink[..];
        let mut coater = Coater::new(Silent, &mut rest);
        let mut asking = core::pin::pin!(coater.set(&[500.0, 10.0]));
        let mut context = Context::from_waker(Waker::noop());
        assert_eq!(asking.as_mut().poll(&mut context), Poll::Pending);
        MockDriver::get().advance(SETTING);
        assert_eq!(asking.as_mut().poll(&mut context), Poll::Ready(Err(Failed)));
    }

    struct Silent;

    impl embedded_io_async::ErrorType for Silent {
        type Error = core::convert::Infallible;
    }

    impl Read for Silent {
        async fn read(&mut self, _: &mut [u8]) -> Result<usize, Self::Error> {
            core::future::pending().await
        }
    }
}
