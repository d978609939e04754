//! `cargo xtask bench`: instruction counts of the emulated board, as a table and as `target/bench/mcu.json`.

mod table;

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context, Result, bail};
use sadcbo_workload::bench::{self, Meter};
use sadcbo_workload::output::Bits;

use crate::qemu::{self, Echo};
use crate::readme::{self, Tables};
use crate::{board, machine, sh, size};

/// The figures by name.
pub type Figures = BTreeMap<String, u64>;

pub fn run(tables: Tables) -> Result<()> {
    board::build()?;
    let mut guest = Guest::parse(&qemu::run(
        machine::DEFAULT,
        &board::image("bench"),
        Echo::Off,
    )?)?;
    compare(&host_checks(), &guest.checks)?;
    guest.figures.extend(footprint()?);
    write(&guest.figures)?;
    let text = table::render(&guest.figures)?;
    println!("{text}");
    if tables == Tables::Renew {
        readme::replace(readme::ROOT, "bench", &text)?;
    }
    Ok(())
}

/// Flash, RAM and stack of an image that does nothing but use the surrogate, and of one with a whole controller.
fn footprint() -> Result<Figures> {
    let mut figures = Figures::new();
    for (name, suffix) in [
        ("footprint", ""),
        ("footprint_controller", "/controller/64x2x5"),
    ] {
        let image = board::image(name);
        figures.extend(Guest::parse(&qemu::run(machine::DEFAULT, &image, Echo::Off)?)?.figures);
        let size = size::of(&image)?;
        figures.insert(format!("flash{suffix}"), size.flash);
        figures.insert(format!("ram{suffix}"), size.ram);
    }
    Ok(figures)
}

/// What the benchmark printed.
#[derive(Default)]
struct Guest {
    figures: Figures,
    checks: Vec<String>,
}

impl Guest {
    fn parse(lines: &[String]) -> Result<Self> {
        let mut guest = Self::default();
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            match *words {
                ["figure", key, value] => {
                    guest
                        .figures
                        .insert(key.to_owned(), value.parse().context(line.clone())?);
                }
                ["check", key, bits] => guest.checks.push(format!("{key} {bits}")),
                _ => bail!("the benchmark printed a line that is not known: {line}"),
            }
        }
        Ok(guest)
    }
}

/// The same work on the host, for its results.
fn host_checks() -> Vec<String> {
    struct Host(Vec<String>);

    impl Meter for Host {
        fn count<R>(&mut self, work: impl FnOnce() -> R) -> (R, u64) {
            (work(), 0)
        }

        fn now(&mut self) -> u64 {
            0
        }

        fn figure(&mut self, _: impl fmt::Display, _: u64) {}

        fn check(&mut self, key: impl fmt::Display, bits: Bits) {
            self.0.push(format!("{key} {bits}"));
        }
    }

    let mut host = Host(Vec::new());
    bench::run(&mut host);
    host.0
}

fn compare(host: &[String], guest: &[String]) -> Result<()> {
    for (host, guest) in host.iter().zip(guest) {
        if host != guest {
            bail!("a result of the benchmark differs\n  host  {host}\n  guest {guest}");
        }
    }
    if host.len() != guest.len() {
        bail!(
            "the benchmark has {} results on the host, {} on the board",
            host.len(),
            guest.len()
        );
    }
    Ok(())
}

/// Figures of other crates' functions that the tables show and the file leaves out.
const PEER: &str = "peer/";

fn write(figures: &Figures) -> Result<()> {
    let own: BTreeMap<_, _> = figures
        .iter()
        .filter(|(key, _)| !key.starts_with(PEER))
        .collect();
    let folder = sh::root().join("target/bench");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(
        folder.join("mcu.json"),
        serde_json::to_string_pretty(&own)? + "\n",
    )?;
    println!("written: target/bench/mcu.json");
    Ok(())
}
