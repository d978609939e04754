//! The operator's console: commands in, answers and records out.

use core::fmt::{self, Write as _};

use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::mutex::Mutex;
use embedded_io_async::{Read, Write};
use heapless::String;
use sadcbo_firmware::instrument::CONFIG;
use sadcbo_firmware::operator::{Command, Panel};

use crate::SERIAL_BUFFER;
use crate::lines::Lines;

const HELP: &str =
    "pause, resume, skip, rearm, stop, pin CONTEXT VALUE, leave CONTEXT, release CONTEXT";

/// Reads commands and answers each with `ok` or `error` and why.
pub struct Console<'a, R, W> {
    lines: Lines<R>,
    transmitter: &'a Mutex<NoopRawMutex, W>,
    panel: &'a Panel,
}

impl<'a, R: Read, W: Write> Console<'a, R, W> {
    pub fn new(receiver: R, transmitter: &'a Mutex<NoopRawMutex, W>, panel: &'a Panel) -> Self {
        Self {
            lines: Lines::new(receiver),
            transmitter,
            panel,
        }
    }

    /// For ever.
    pub async fn run(&mut self) -> ! {
        say(
            self.transmitter,
            format_args!("ready, paused; commands: {HELP}"),
        )
        .await;
        loop {
            self.attend().await;
        }
    }

    async fn attend(&mut self) {
        match parse(self.lines.next().await) {
            Ok(command) => match self.panel.send(command) {
                Ok(()) => say(self.transmitter, format_args!("ok")).await,
                Err(_) => say(self.transmitter, format_args!("error: too many wait")).await,
            },
            Err(mistake) => say(self.transmitter, format_args!("error: {mistake}")).await,
        };
    }
}

/// Writes one line; whether it has gone out.
pub async fn say<W: Write>(transmitter: &Mutex<NoopRawMutex, W>, line: fmt::Arguments<'_>) -> bool {
    let mut text: String<SERIAL_BUFFER> = String::new();
    if write!(text, "{line}\r\n").is_err() {
        return false;
    }
    let mut transmitter = transmitter.lock().await;
    transmitter.write_all(text.as_bytes()).await.is_ok() && transmitter.flush().await.is_ok()
}

/// What is wrong with a command.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    Unknown,
    NoSuchContext,
    NotANumber,
    CannotBeHeld,
    OutOfRange(f32, f32),
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => write!(formatter, "not one of {HELP}"),
            Self::NoSuchContext => formatter.write_str("no such context"),
            Self::NotANumber => formatter.write_str("not a number"),
            Self::CannotBeHeld => formatter.write_str("this context can only be recorded"),
            Self::OutOfRange(low, high) => write!(formatter, "not from {low} to {high}"),
        }
    }
}

fn parse(line: &str) -> Result<Command, Mistake> {
    let mut words = line.split_ascii_whitespace();
    let words = [words.next(), words.next(), words.next(), words.next()];
    match words {
        [Some("pause"), None, ..] => Ok(Command::Pause),
        [Some("resume"), None, ..] => Ok(Command::Resume),
        [Some("skip"), None, ..] => Ok(Command::Skip),
        [Some("rearm"), None, ..] => Ok(Command::Rearm),
        [Some("stop"), None, ..] => Ok(Command::Stop),
        [Some("leave"), Some(name), None, _] => Ok(Command::LeaveAlone(context(name)?)),
        [Some("release"), Some(name), None, _] => Ok(Command::Release(context(name)?)),
        [Some("pin"), Some(name), Some(value), None] => pin(context(name)?, value),
        _ => Err(Mistake::Unknown),
    }
}

fn context(name: &str) -> Result<usize, Mistake> {
    let mut contexts = CONFIG.context().iter();
    contexts
        .position(|variable| variable.name == name)
        .ok_or(Mistake::NoSuchContext)
}

fn pin(index: usize, value: &str) -> Result<Command, Mistake> {
    let variable = CONFIG.context().get(index).ok_or(Mistake::NoSuchContext)?;
    let value: f32 = value.parse().map_err(|_| Mistake::NotANumber)?;
    if variable.actuator.is_none() {
        Err(Mistake::CannotBeHeld)
    } else if !(variable.low..=variable.high).contains(&value) {
        Err(Mistake::OutOfRange(variable.low, variable.high))
    } else {
        Ok(Command::Pin(index, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embassy_futures::block_on;
    use sadcbo_firmware::instrument::{HUMIDITY, PRESSURE};

    #[test]
    fn commands_are_understood() {
        assert_eq!(parse("pause"), Ok(Command::Pause));
        assert_eq!(parse("pin humidity 42.5"), Ok(Command::Pin(HUMIDITY, 42.5)));
        assert_eq!(parse("leave pressure"), Ok(Command::LeaveAlone(PRESSURE)));
        assert_eq!(parse("release humidity"), Ok(Command::Release(HUMIDITY)));
    }

    #[test]
    fn mistakes_are_named() {
        for line in [
            "",
            "PAUSE",
            "pause now",
            "pin humidity",
            "pin humidity 42 %",
        ] {
            assert_eq!(parse(line), Err(Mistake::Unknown), "{line}");
        }
        assert_eq!(parse("leave mood"), Err(Mistake::NoSuchContext));
        assert_eq!(parse("pin pressure 1000"), Err(Mistake::CannotBeHeld));
        assert_eq!(parse("pin humidity wet"), Err(Mistake::NotANumber));
        for value in ["19.9", "65.1", "NaN", "inf", "-inf"] {
            let outcome = parse(&format!("pin humidity {value}"));
            assert_eq!(outcome, Err(Mistake::OutOfRange(20.0, 65.0)), "{value}");
        }
    }

    #[test]
    fn every_command_is_answered() {
        let panel = Panel::new();
        let mut answers = [0; 256];
        let mut rest = &mut answers[..];
        let transmitter = Mutex::<NoopRawMutex, _>::new(&mut rest);
        let mut console = Console::new(&b"resume\nfly\n"[..], &transmitter, &panel);
        block_on(async {
            console.attend().await;
            console.attend().await;
        });
        let text = core::str::from_utf8(&answers).unwrap_or_default();
        assert!(text.starts_with("ok\r\nerror: not one of pause,"), "{text}");
    }
}
