//! The project's commands: `cargo xtask <verb>`.

mod bench;
mod bench_host;
mod board;
mod demo;
mod figures;
mod firmware;
mod hardware;
mod machine;
mod nopanic;
mod parity;
mod qemu;
mod readme;
mod setup;
mod sh;
mod size;
mod steps;
mod test;

use std::process::ExitCode;

use anyhow::{Result, bail};
use machine::Machine;
use readme::Tables;

const USAGE: &str = "\
cargo xtask <verb>

  demo [seed]      runs a whole experiment on the emulated board, in a simulated room
  firmware [--overwrite] [--machine NAME|all]
                   the firmware's tests in QEMU; --overwrite records its log anew; on another machine than the default
                   mps2-an386 one whole experiment: mps2-an500, mps2-an505, lm3s6965evb, riscv32-virt
  test [--quick]   every check of the project; --quick leaves out the toolchain of the MSRV and the README's commands
  bench [--readme] counts instructions in QEMU, writes target/bench/mcu.json; --readme also renews the README's tables
  bench-host [--readme]
                   times the surrogate on this machine beside other crates, and a step of the controller, whose
                   instructions callgrind counts; --readme as above
  bench-step [--readme]
                   the step of the controller alone, which builds in seconds
  size [ELF...]    flash and static RAM of images (of the emulated board if none is named)
  nopanic          links images that can only be linked if the library has no path to a panic
  figures [--readme]
                   flash, RAM, stack, instructions and delays of the firmware on every machine and board;
                   --readme also renews the table of boards/README.md
  parity [--machine NAME|all]
                   compares every output bit of the workload on the host and in QEMU
  setup            installs what the others need, which they also do themselves
  qemu ELF         runs an image of the emulated board";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        ["demo"] => demo::run(demo::SEED),
        ["demo", seed] => demo::run(seed),
        ["firmware"] => firmware::tests::run(firmware::tests::Log::Compare),
        ["firmware", "--machine", "all"] => {
            firmware::tests::run_on(machine::DEFAULT)?;
            firmware::tests::run_others()
        }
        ["firmware", "--machine", name] => firmware::tests::run_on(Machine::named(name)?),
        ["firmware", "--overwrite"] => firmware::tests::run(firmware::tests::Log::Overwrite),
        ["test"] => test::run(test::Extent::Full),
        ["test", "--quick"] => test::run(test::Extent::Quick),
        ["bench"] => bench::run(Tables::Leave),
        ["bench", "--readme"] => bench::run(Tables::Renew),
        ["bench-host"] => bench_host::run(Tables::Leave),
        ["bench-host", "--readme"] => bench_host::run(Tables::Renew),
        ["bench-step"] => bench_host::steps(Tables::Leave),
        ["bench-step", "--readme"] => bench_host::steps(Tables::Renew),
        ["size", ref images @ ..] => size::run(images),
        ["nopanic"] => nopanic::run(),
        ["figures"] => figures::run(Tables::Leave),
        ["figures", "--readme"] => figures::run(Tables::Renew),
        ["parity"] => parity::run(machine::DEFAULT),
        ["parity", "--machine", "all"] => machine::ALL
            .iter()
            .filter(|machine| machine.parity)
            .try_for_each(parity::run),
        ["parity", "--machine", name] => parity::run(Machine::named(name)?),
        ["setup"] => setup::everything(),
        ["qemu", image] => qemu::run_and_exit(image.as_ref()),
        _ => bail!("no such command\n\n{USAGE}"),
    }
}
