//! The firmware in QEMU: its log decoded, its records read.

pub mod tests;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{ChildStdout, Stdio};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use defmt_decoder::{DecodeError, Frame, StreamDecoder, Table};
use sadcbo_simulation::{Record, record};

use crate::machine::Machine;
use crate::qemu;

/// A whole run on an emulated machine.
#[derive(Default)]
pub struct Run {
    /// The log, without the lines that are for machines.
    pub log: Vec<Line>,
    /// Every step.
    pub records: Vec<Record>,
    /// What was measured, by name.
    pub figures: BTreeMap<String, u64>,
    /// The exit code.
    pub code: i32,
    /// What was said outside the log: a panic's message.
    pub last_words: String,
}

/// A line of the log.
#[derive(Clone, Debug)]
pub struct Line {
    pub time: String,
    pub level: &'static str,
    pub text: String,
}

/// Runs the firmware with these arguments and shows each line to `watch` as it comes.
pub fn run(
    machine: &Machine,
    arguments: &[&str],
    watch: impl Fn(&Line) + Send + 'static,
) -> Result<Run> {
    let image = machine.image("firmware");
    let all: Vec<&str> = ["firmware"].iter().chain(arguments).copied().collect();
    let mut guest = qemu::command(machine, &image, &all)?
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start QEMU")?;
    let output = guest.stdout.take().context("no output")?;
    let mut errors = guest.stderr.take().context("no error output")?;
    let reader = thread::spawn(move || follow(&image, output, &watch));
    let last_words = thread::spawn(move || {
        let mut text = String::new();
        errors.read_to_string(&mut text).map(|_| text)
    });
    let code = qemu::wait(&mut guest)?;
    let panicked = |_| anyhow!("a reader of QEMU's output panicked");
    let mut run = reader.join().map_err(panicked)??;
    run.last_words = last_words.join().map_err(panicked)??;
    run.code = code;
    Ok(run)
}

fn follow(image: &Path, mut output: ChildStdout, watch: &dyn Fn(&Line)) -> Result<Run> {
    let elf = std::fs::read(image).with_context(|| format!("cannot read {}", image.display()))?;
    let table = Table::parse(&elf)?.context("the image has no log lines")?;
    let mut decoder = table.new_stream_decoder();
    let mut run = Run::default();
    let mut buffer = [0; 4096];
    loop {
        let length = output.read(&mut buffer)?;
        if length == 0 {
            return Ok(run);
        }
        decoder.received(&buffer[..length]);
        while let Some(line) = next(decoder.as_mut())? {
            run.take(line, watch)?;
        }
    }
}

/// The next whole frame.
fn next(decoder: &mut (dyn StreamDecoder + Send + Sync)) -> Result<Option<Line>> {
    match decoder.decode() {
        Ok(frame) => Ok(Some(Line::of(&frame))),
        Err(DecodeError::UnexpectedEof) => Ok(None),
        Err(DecodeError::Malformed) => bail!("a log frame is broken"),
    }
}

impl Line {
    fn of(frame: &Frame<'_>) -> Self {
        Self {
            time: frame
                .display_timestamp()
                .map_or_else(String::new, |time| time.to_string()),
            level: frame.level().map_or("", |level| level.as_str()),
            text: frame.display_message().to_string(),
        }
    }
}

impl Run {
    fn take(&mut self, line: Line, watch: &dyn Fn(&Line)) -> Result<()> {
        if let Some(bytes) = line.text.strip_prefix("record ") {
            self.records.push(read_record(bytes)?);
        } else if let Some(figure) = line.text.strip_prefix("figure ") {
            let (name, value) = figure.split_once(' ').context("a figure without value")?;
            self.figures.insert(name.to_owned(), value.parse()?);
        } else {
            watch(&line);
            self.log.push(line);
        }
        Ok(())
    }

    /// Instructions of each step, the least first.
    pub fn step_instructions(&self) -> Vec<u64> {
        let steps = self.figures.iter();
        let steps = steps.filter(|(name, _)| name.starts_with("step_instructions_"));
        let mut instructions: Vec<u64> = steps.map(|(_, &count)| count).collect();
        instructions.sort_unstable();
        instructions
    }

    /// A figure by its name.
    pub fn figure(&self, name: &str) -> Result<u64> {
        let figure = self.figures.get(name).copied();
        figure.with_context(|| format!("the firmware has printed no figure {name}"))
    }
}

/// A record from its bytes in hexadecimal: `[01, ab, ...]`.
fn read_record(text: &str) -> Result<Record> {
    let digits = text.trim_start_matches('[').trim_end_matches(']');
    let bytes = digits
        .split(", ")
        .map(|byte| u8::from_str_radix(byte, 16))
        .collect::<Result<Vec<u8>, _>>()
        .context("a record is not in hexadecimal")?;
    record::decode(&bytes).map_err(|reason| anyhow!("a record is broken: {reason:?}"))
}
