//! `cargo run --release -p sadcbo-simulation [seed] [scenario]`: a rehearsal, one line per step.

use sadcbo_simulation::{HUMIDITY, Scenario, true_quality};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let seed = words.next().map_or(Ok(1), |word| word.parse())?;
    let name = words.next().unwrap_or_else(|| "calm".to_owned());
    let scenario = Scenario::named(&name).ok_or("no such scenario")?;
    let run = sadcbo_simulation::run(seed, scenario);
    for record in &run.records {
        println!(
            "{:2} {} {:?} design {:?} contexts {:?} relevance {:?} actuated {:02b} result {:.3}",
            record.step,
            record.phase,
            record.outcome,
            record.applied.design,
            record.applied.context,
            record.relevance,
            record.actuated.bits(),
            record.output,
        );
    }
    println!("{:?} after {} s", run.ended, run.seconds);
    if let Some(best) = run.best {
        let truth = true_quality(best.point.design, best.point.context[HUMIDITY]);
        println!("best {:.3}, really {truth:.3}", best.output);
    }
    Ok(())
}
