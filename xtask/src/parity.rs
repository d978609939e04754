//! `cargo xtask parity`: the workload on the host and in QEMU, compared bit by bit.

use anyhow::{Result, bail, ensure};
use sadcbo_workload::parity;

use crate::machine::Machine;
use crate::qemu::{self, Echo};

pub fn run(machine: &Machine) -> Result<()> {
    ensure!(machine.parity, "the workload does not fit {}", machine.name);
    machine.build(&["parity"])?;
    let guest = qemu::run(machine, &machine.image("parity"), Echo::Off)?;
    let mut host = Vec::new();
    parity::run(&mut |output| host.push(output.to_string()));
    compare(&host, &guest)?;
    println!(
        "{} outputs, the same bits on the host and on {} ({}, {})",
        host.len(),
        machine.name,
        machine.core,
        machine.target
    );
    Ok(())
}

/// Names the first output that differs.
fn compare(host: &[String], guest: &[String]) -> Result<()> {
    for (index, (host, guest)) in host.iter().zip(guest).enumerate() {
        if host != guest {
            bail!(
                "output {index} differs\n  host  {host} = {}\n  guest {guest} = {}",
                value(host),
                value(guest)
            );
        }
    }
    if host.len() != guest.len() {
        bail!(
            "the host has {} outputs, the guest {}",
            host.len(),
            guest.len()
        );
    }
    if host.is_empty() {
        bail!("no output to compare");
    }
    Ok(())
}

/// The number that a line's bits stand for.
fn value(line: &str) -> String {
    let number = line.rsplit_once(' ').and_then(|(_, bits)| {
        let (precision, digits) = bits.split_once(':')?;
        match precision {
            "f32" => Some(f32::from_bits(u32::from_str_radix(digits, 16).ok()?).to_string()),
            "f64" => Some(f64::from_bits(u64::from_str_radix(digits, 16).ok()?).to_string()),
            _ => None,
        }
    });
    number.unwrap_or_else(|| "no number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let lines = |last: &str| vec!["exp 0 f32:3f800000".to_owned(), format!("exp 1 f32:{last}")];
        let (one, two) = (lines("3f800000"), lines("40000000"));
        assert!(compare(&one, &one).is_ok());
        let error = compare(&one, &two).expect_err("they differ").to_string();
        assert!(error.contains("output 1 differs"), "{error}");
        assert!(error.contains("guest exp 1 f32:40000000 = 2"), "{error}");
        assert!(compare(&one[..1], &one).is_err());
        assert!(compare(&[], &[]).is_err());
    }
}
