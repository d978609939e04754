//! The smallest experiment: find the best spin speed, and learn whether humidity matters. Run with
//! `cargo run --example quickstart`.

#![allow(clippy::indexing_slicing)]
use sadcbo::{Config, ContextVariable, Controller, Cost, DesignVariable, Error, Point, Settings};

// Problem: what the instrument is. Film quality, best at 2200 rpm and 35 %RH; the pressure does not matter.

const CONFIG: Config<1, 2> = Config::<1, 2, f32>::new(
    [DesignVariable::new("spin speed", "rpm", 500.0, 4_000.0)],
    [
        ContextVariable::actuated("humidity", "%RH", 20.0, 60.0, Cost::from_milli(1_000)),
        ContextVariable::recorded("pressure", "hPa", 980.0, 1_040.0),
    ],
    Cost::from_milli(1_000),
    Cost::from_milli(40_000),
);

fn film_quality(at: &Point<1, 2>) -> f32 {
    let (speed, humidity) = (
        (at.design[0] - 2_200.0) / 1_500.0,
        (at.context[0] - 35.0) / 15.0,
    );
    (-speed * speed - humidity * humidity).exp()
}

/// What the sensors say: the weather goes its own way.
fn ambient(step: u32) -> [f32; 2] {
    let day = step as f32 * 0.4;
    [48.0 + 6.0 * day.sin(), 1_010.0 + 9.0 * (0.7 * day).cos()]
}

// Controller: ask, carry out, tell.

fn experiment() -> Result<f32, Box<dyn std::error::Error>> {
    let mut controller = Controller::<48, 1, 2>::new(CONFIG, Settings::default())?;
    loop {
        let decision = match controller.decide(&ambient(controller.step())) {
            Ok(decision) => decision,
            Err(Error::BudgetSpent) => break,
            Err(error) => return Err(error.into()),
        };
        println!("{}", decision.explain(&CONFIG));
        let applied = *decision.point(); // set the speed, drive the humidifier, read back what was reached
        controller.observe(decision, &applied, film_quality(&applied))?;
    }
    Ok(controller.best().ok_or("no observation")?.output)
}

// Checks.

#[test]
fn finds_the_best_film() {
    assert!(experiment().is_ok_and(|quality| quality > 0.99));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("best film: {:.3}", experiment()?);
    Ok(())
}
