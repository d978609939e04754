//! Running an image in QEMU.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::machine::{self, Emulator, Machine};
use crate::setup;

/// The guest's panic handler leaves with this.
const PANICKED: i32 = 101;
/// The guest's hard fault handler leaves with this.
const FAULTED: i32 = 102;
/// A guest that has not ended by then hangs. The longest image here, the benchmark, needs about a tenth of it.
const PATIENCE: Duration = Duration::from_secs(600);

/// What becomes of the lines that the guest prints, besides being returned.
#[derive(Clone, Copy, PartialEq)]
pub enum Echo {
    On,
    Off,
}

/// Runs an image to its end and returns the lines that it printed; an exit code other than 0 is an error.
pub fn run(machine: &Machine, image: &Path, echo: Echo) -> Result<Vec<String>> {
    let (lines, code) = run_to_exit(machine, image, echo)?;
    if code != 0 {
        let reason = match code {
            PANICKED => "panicked",
            FAULTED => "ended in a hard fault",
            _ => "failed",
        };
        bail!(
            "{} {reason}, exit code {code}; its last words:\n{}",
            image.display(),
            tail(&lines)
        );
    }
    Ok(lines)
}

/// Runs an image with its output shown, and ends this program with the guest's exit code: cargo's runner.
pub fn run_and_exit(image: &Path) -> Result<()> {
    let (_, code) = run_to_exit(machine::DEFAULT, image, Echo::On)?;
    std::process::exit(code)
}

/// QEMU with an image and the arguments that it can ask for.
pub fn command(machine: &Machine, image: &Path, arguments: &[&str]) -> Result<Command> {
    let mut semihosting = String::from("enable=on,target=native");
    for argument in arguments {
        semihosting += &format!(",arg={argument}");
    }
    let mut qemu = match machine.emulator {
        Emulator::Arm => {
            setup::qemu_arm()?;
            Command::new("qemu-system-arm")
        }
        Emulator::Riscv => {
            setup::qemu_riscv()?;
            let mut qemu = Command::new("qemu-system-riscv32");
            qemu.args(["-bios", "none"]);
            qemu
        }
    };
    qemu.args(["-M", machine.model, "-nographic"])
        .args(["-monitor", "none", "-serial", "none"])
        .args(["-semihosting-config", &semihosting])
        // An instruction takes a fixed virtual time: timers count instructions and nothing depends on the host's load.
        .args(["-icount", &format!("shift={}", machine.shift)])
        .arg("-kernel")
        .arg(image)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    Ok(qemu)
}

fn run_to_exit(machine: &Machine, image: &Path, echo: Echo) -> Result<(Vec<String>, i32)> {
    let mut guest = command(machine, image, &[])?
        .spawn()
        .context("cannot start QEMU")?;
    let output = guest.stdout.take().context("no output of QEMU")?;
    let reader = thread::spawn(move || {
        let mut lines = Vec::new();
        for line in BufReader::new(output).lines() {
            let line = line?;
            if echo == Echo::On {
                println!("{line}");
            }
            lines.push(line);
        }
        Ok::<_, std::io::Error>(lines)
    });
    let code = wait(&mut guest)?;
    let lines = reader
        .join()
        .map_err(|_| anyhow::anyhow!("the reader of QEMU's output panicked"))??;
    Ok((lines, code))
}

/// The guest's exit code; a guest that hangs is ended.
pub fn wait(guest: &mut Child) -> Result<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = guest.try_wait()? {
            return status
                .code()
                .with_context(|| format!("QEMU was ended by a signal: {status}"));
        }
        if start.elapsed() > PATIENCE {
            guest.kill()?;
            guest.wait()?;
            bail!("the guest did not end within {} s", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn tail(lines: &[String]) -> String {
    lines[lines.len().saturating_sub(10)..].join("\n")
}
