//! `cargo xtask parity`: the workload on the host and in QEMU, compared bit by bit.

use anyhow::{Result, bail};
use sadcbo_workload::parity;

use crate::board;
use crate::qemu::{self, Echo};

pub fn run() -> Result<()> {
    board::build()?;
    let guest = qemu::run(&board::image("parity"), Echo::Off)?;
    let mut host = Vec::new();
    parity::run(&mut |output| host.push(output.to_string()));
    compare(&host, &guest)?;
    println!(
        "{} outputs, the same bits on the host and on {}",
        host.len(),
        board::TARGET
    );
    Ok(())
}

/// Names the first output that differs.
fn compare(host: &[String], guest: &[String]) -> Result<()> {
    for (index, (host, guest)) in host.iter().zip(guest).enumerate() {
        if host != guest {
            bail!("output {index} differs\n  host  {host}\n  guest {guest}");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let lines = |last: &str| vec!["exp 0 3f800000".to_owned(), format!("exp 1 {last}")];
        assert!(compare(&lines("0"), &lines("0")).is_ok());
        let error = compare(&lines("0"), &lines("1"))
            .expect_err("they differ")
            .to_string();
        assert!(
            error.contains("output 1") && error.contains("guest exp 1 1"),
            "{error}"
        );
        assert!(compare(&lines("0")[..1], &lines("0")).is_err());
        assert!(compare(&[], &[]).is_err());
    }
}
