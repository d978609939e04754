//! Whole experiments in QEMU, compared with the same experiments on the host.

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSymbol};
use sadcbo_simulation::{HUMIDITY, Outcome, Phase, Record, Scenario, record, true_quality};

use super::Run;
use crate::machine::{self, Machine};
use crate::{board, sh};

/// What becomes of the recorded log.
#[derive(Clone, Copy, PartialEq)]
pub enum Log {
    Compare,
    Overwrite,
}

/// The room in which everything is tested.
const SEED: u32 = 1;
/// How far the best film may be from the best possible one, whose quality is 1.
const LARGEST_REGRET: f32 = 0.03;
/// The log of the first steps, beside the image that writes it.
const RECORDED: &str = "boards/qemu-mps2-an386/src/bin/firmware.out";
/// Initial steps only: they do not change with the numerics.
const RECORDED_LINES: usize = 8;
const PANICKED: i32 = 101;
const BITTEN: i32 = 103;

pub fn run(log: Log) -> Result<()> {
    machine::DEFAULT.build(&["firmware"])?;
    for scenario in Scenario::ALL {
        let run = experiment(machine::DEFAULT, scenario)?;
        match scenario.name {
            "calm" => judge(&run.records)?,
            "nack" => compare_log(&run, log)?,
            _ => {}
        }
    }
    let panicked = super::run(machine::DEFAULT, &["panic"], |_| {})?;
    ensure!(panicked.code == PANICKED, "exit code {}", panicked.code);
    ensure!(
        panicked.last_words.contains("asked to panic in step 2"),
        "a panic's message is lost: {}",
        panicked.last_words
    );
    println!("a panic ends with code {PANICKED} and its message");
    let stalled = super::run(machine::DEFAULT, &["stall"], |_| {})?;
    ensure!(stalled.code == BITTEN, "exit code {}", stalled.code);
    println!("a stalled experiment ends with code {BITTEN}, by the watchdog");
    // The core locks up, since there is no stack left for the fault's handler either; QEMU then aborts.
    let overflown = super::run(machine::DEFAULT, &["overflow"], |_| {}).map(|run| run.code);
    ensure!(
        overflown
            .as_ref()
            .is_err_and(|error| error.to_string().contains("ended by a signal")),
        "a stack that overflows goes unnoticed: {overflown:?}"
    );
    println!("a stack that overflows locks the core up; no variable is below it");
    without_allocator()
}

/// The image has no heap: nothing in it could allocate.
fn without_allocator() -> Result<()> {
    let bytes = std::fs::read(board::image("firmware"))?;
    let image = object::File::parse(&*bytes)?;
    let mut symbols = 0;
    for symbol in image.symbols() {
        let name = symbol.name().unwrap_or_default();
        symbols += 1;
        ensure!(
            ![
                "__rust_alloc",
                "__rdl_alloc",
                "__rg_alloc",
                "malloc",
                "sbrk"
            ]
            .iter()
            .any(|allocator| name.contains(allocator)),
            "the firmware has the symbol {name}"
        );
    }
    ensure!(symbols > 100, "the firmware's symbols cannot be read");
    println!("no allocator among the {symbols} symbols of the firmware");
    Ok(())
}

/// One machine: the default one in all scenarios, another in the calm one.
pub fn run_on(machine: &Machine) -> Result<()> {
    if machine.name == machine::DEFAULT.name {
        return run(Log::Compare);
    }
    calm(machine).map(drop)
}

/// All machines but the default one.
pub fn run_others() -> Result<()> {
    machine::ALL
        .iter()
        .filter(|machine| machine.firmware && machine.name != machine::DEFAULT.name)
        .try_for_each(run_on)
}

/// The calm scenario on a machine: a good film, with the same bytes as on the host.
pub fn calm(machine: &Machine) -> Result<Run> {
    ensure!(machine.firmware, "the firmware is not for {}", machine.name);
    machine.build(&["firmware"])?;
    let run = experiment(machine, Scenario::CALM)?;
    judge(&run.records)?;
    Ok(run)
}

/// Runs a scenario in QEMU and on the host: the records have to be the same, byte for byte.
fn experiment(machine: &Machine, scenario: Scenario) -> Result<Run> {
    let run = compared(machine, scenario)
        .with_context(|| format!("{}, scenario {}", machine.name, scenario.name))?;
    let count = |outcome| run.records.iter().filter(|r| r.outcome == outcome).count();
    println!(
        "{:12} {:16} {:3} films, {:2} steps abandoned, safety loop at most {} us late: the same bytes as on the host",
        machine.name,
        scenario.name,
        count(Outcome::Observed),
        count(Outcome::Failed),
        run.figure("safety_latest_us")?,
    );
    Ok(run)
}

fn compared(machine: &Machine, scenario: Scenario) -> Result<Run> {
    let run = super::run(machine, &[&SEED.to_string(), scenario.name], |_| {})?;
    ensure!(
        run.code == 0,
        "exit code {}: {}",
        run.code,
        run.last_words.trim()
    );
    ensure!(
        run.figure("safety_missed")? == 0,
        "the safety loop missed a period"
    );
    let host = sadcbo_simulation::run(SEED, scenario);
    for (guest, host) in run.records.iter().zip(&host.records) {
        if bytes(guest) != bytes(host) {
            bail!(
                "step {} differs\n  host  {host:?}\n  guest {guest:?}",
                host.step
            );
        }
    }
    ensure!(
        run.records.len() == host.records.len(),
        "{} steps on the host, {} in QEMU",
        host.records.len(),
        run.records.len()
    );
    Ok(run)
}

fn bytes(record: &Record) -> Vec<u8> {
    let mut buffer = [0; 512];
    record::encode(record, &mut buffer).map_or_else(Vec::new, <[u8]>::to_vec)
}

/// The film is good, and for the right reason.
fn judge(records: &[Record]) -> Result<()> {
    let films = records.iter().filter(|r| r.outcome == Outcome::Observed);
    let best = films
        .max_by(|a, b| a.output.total_cmp(&b.output))
        .context("no film")?;
    let quality = true_quality(best.applied.design, best.applied.context[HUMIDITY]);
    ensure!(
        quality >= 1.0 - LARGEST_REGRET,
        "the best film has {quality}"
    );
    let late: Vec<&Record> = records
        .iter()
        .filter(|record| record.phase == Phase::Optimization && !record.actuated.is_empty())
        .collect();
    let chosen = late
        .iter()
        .filter(|r| r.actuated.contains(HUMIDITY))
        .count();
    ensure!(
        chosen * 10 >= late.len() * 8 && !late.is_empty(),
        "the humidity was held in {chosen} of the {} steps with actuation",
        late.len()
    );
    println!(
        "best film {quality:.3} of 1, humidity held in {chosen} of the {} steps with actuation",
        late.len()
    );
    Ok(())
}

fn compare_log(run: &Run, log: Log) -> Result<()> {
    let lines = run.log.iter().take(RECORDED_LINES);
    let text: String = lines
        .map(|line| format!("{} {}\n", line.level, line.text))
        .collect();
    let path = sh::root().join(RECORDED);
    if log == Log::Overwrite {
        std::fs::write(&path, &text)?;
        println!("written: {RECORDED}");
    }
    let recorded = std::fs::read_to_string(&path).with_context(|| format!("no {RECORDED}"))?;
    for (line, expected) in text.lines().zip(recorded.lines()) {
        ensure!(
            line == expected,
            "the log differs\n  recorded {expected}\n  now      {line}"
        );
    }
    ensure!(
        text == recorded,
        "the log has another length than {RECORDED}"
    );
    Ok(())
}
