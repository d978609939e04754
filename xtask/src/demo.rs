//! `cargo xtask demo`: a whole experiment on the emulated board.

mod plot;

use std::fmt::Write;
use std::fs;

use anyhow::{Result, ensure};
use sadcbo_simulation::{CONFIG, CONTEXTS, Outcome, Phase, Record};

use crate::firmware::{self, Run};
use crate::{machine, sh};

/// The room that is shown unless another is asked for.
pub const SEED: &str = "1";
const FOLDER: &str = "target/demo";

pub fn run(seed: &str) -> Result<()> {
    seed.parse::<u32>()?;
    machine::DEFAULT.build(&["firmware"])?;
    println!(
        "A spin coater in a box, simulated; the firmware in QEMU (Cortex-M4F). Seed {seed}.\n"
    );
    let run = firmware::run(machine::DEFAULT, &[seed], |line| {
        println!("{:>10} {:5} {}", line.time, line.level, line.text);
    })?;
    ensure!(run.code == 0, "exit code {}: {}", run.code, run.last_words);
    let folder = sh::root().join(FOLDER);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("records.csv"), csv(&run.records)?)?;
    fs::write(folder.join("run.svg"), plot::render(&run.records)?)?;
    println!("\n{}", summary(&run)?);
    println!("written: {FOLDER}/records.csv, {FOLDER}/run.svg");
    Ok(())
}

fn summary(run: &Run) -> Result<String> {
    let mut text = String::new();
    let films: Vec<&Record> = run
        .records
        .iter()
        .filter(|record| record.outcome == Outcome::Observed)
        .collect();
    let abandoned = run.records.len() - films.len();
    writeln!(text, "{} films, {abandoned} steps abandoned", films.len())?;
    if let Some(best) = films.iter().max_by(|a, b| a.output.total_cmp(&b.output)) {
        write!(
            text,
            "best result {:.3} in step {}:",
            best.output, best.step
        )?;
        for (variable, value) in CONFIG.design().iter().zip(best.applied.design) {
            write!(text, " {} {value} {},", variable.name, variable.unit)?;
        }
        for (variable, value) in CONFIG.context().iter().zip(best.applied.context) {
            write!(text, " {} {value:.1} {},", variable.name, variable.unit)?;
        }
        text.pop();
        text.push('\n');
    }
    let late = |record: &&&Record| record.phase == Phase::Optimization;
    let steps = films.iter().filter(late).count();
    writeln!(text, "after the switch, {steps} steps:")?;
    for (index, variable) in CONFIG.context().iter().enumerate() {
        let share: f32 = films.iter().filter(late).map(|r| r.relevance[index]).sum();
        let held = films
            .iter()
            .filter(late)
            .filter(|record| record.actuated.contains(index))
            .count();
        let percent = 100.0 * share / steps.max(1) as f32;
        writeln!(
            text,
            "  {:12} {percent:3.0} % of the sensitivity, held in {held} steps",
            variable.name
        )?;
    }
    let actuations: usize = run.records.iter().map(|r| r.actuated.len()).sum();
    let always = run.records.len() * CONFIG.actuatable().len();
    writeln!(
        text,
        "{actuations} actuations; holding everything in every step would have been {always}"
    )?;
    let instructions = run.step_instructions();
    if let (Some(median), Some(most)) = (
        instructions.get(instructions.len() / 2),
        instructions.last(),
    ) {
        let million = |count: &u64| *count as f64 / 1e6;
        writeln!(
            text,
            "instructions per step: {:.1} million (median), {:.1} million (most)",
            million(median),
            million(most)
        )?;
    }
    writeln!(
        text,
        "safety loop: at most {} us late in {} s, {} periods missed; deepest stack {} bytes",
        run.figure("safety_latest_us")?,
        run.figure("seconds")?,
        run.figure("safety_missed")?,
        run.figure("stack_peak")?
    )?;
    Ok(text)
}

fn csv(records: &[Record]) -> Result<String> {
    let mut text = String::from("step,phase,outcome,cost,remaining,output");
    for variable in CONFIG.design() {
        write!(text, ",{}", variable.name)?;
    }
    for variable in CONFIG.context() {
        let name = variable.name;
        write!(
            text,
            ",{name},{name}_ambient,{name}_relevance,{name}_actuated"
        )?;
    }
    text.push('\n');
    for record in records {
        write!(
            text,
            "{},{},{:?},{},{},{}",
            record.step,
            record.phase,
            record.outcome,
            record.cost,
            record.remaining_milli as f64 / 1000.0,
            record.output
        )?;
        for value in record.applied.design {
            write!(text, ",{value}")?;
        }
        for index in 0..CONTEXTS {
            write!(
                text,
                ",{},{},{},{}",
                record.applied.context[index],
                record.ambient[index],
                record.relevance[index],
                u8::from(record.actuated.contains(index))
            )?;
        }
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sadcbo_simulation::Scenario;

    #[test]
    fn the_table_and_the_plot_show_every_step() {
        let run = sadcbo_simulation::run(1, Scenario::CALM);
        let table = csv(&run.records).expect("text");
        assert_eq!(table.lines().count(), run.records.len() + 1);
        let columns = table.lines().next().expect("a header").split(',').count();
        assert!(table.lines().all(|line| line.split(',').count() == columns));
        let plot = plot::render(&run.records).expect("text");
        let marks = plot.matches("<circle").count();
        // A mark for the result and for each context in every step, and two in the legend.
        assert_eq!(marks, run.records.len() * (1 + CONTEXTS) + 2);
        assert!(plot.trim_end().ends_with("</svg>"));
    }
}
