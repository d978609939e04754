//! Design variables that do not matter are left where the best observation had them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use sadcbo::{Config, ContextVariable, Controller, Cost, DesignVariable, Phase, Settings};

/// Four designs, of which only the first two matter, and a context that does too.
fn config(seed: u64) -> Config<4, 1> {
    let unit = Cost::from_milli(1_000);
    Config::<4, 1, f32>::new(
        ["a", "b", "idle", "asleep"].map(|name| DesignVariable::new(name, "", 0.0, 1.0)),
        [ContextVariable::actuated("z", "", 0.0, 1.0, unit)],
        unit,
        Cost::from_milli(40_000),
    )
    .with_seed(seed)
}

fn value(x: &[f32; 4], z: f32) -> f32 {
    1.0 - 3.0 * (x[0] - 0.7).powi(2) - 2.0 * (x[1] - 0.4).powi(2) - (z - 0.6).powi(2)
}

/// How often each design stayed exactly where the best one was, and the best value.
fn run(seed: u64, settings: Settings<f32>) -> ([f32; 4], f32) {
    let mut controller = Box::new(Controller::<40, 4, 1>::new(config(seed), settings).unwrap());
    let (mut stayed, mut steps) = ([0.0; 4], 0.0);
    while let Ok(decision) = controller.decide(&[(controller.step() as f32 * 0.37).fract()]) {
        let applied = *decision.point();
        if decision.phase() != Phase::Initial {
            let best = controller.best().unwrap().point.design;
            for (count, (now, then)) in stayed.iter_mut().zip(applied.design.iter().zip(best)) {
                *count += f32::from(u8::from(*now == then));
            }
            steps += 1.0;
        }
        let y = value(&applied.design, applied.context[0]);
        controller.observe(decision, &applied, y).unwrap();
    }
    (
        stayed.map(|count| count / steps),
        controller.best().unwrap().output,
    )
}

/// The same over six experiments.
fn mean(settings: Settings<f32>) -> [f32; 4] {
    let mut mean = [0.0; 4];
    for seed in 0..6 {
        let (stayed, best) = run(seed, settings);
        assert!(best > 0.999, "seed {seed}: {best}");
        for (sum, stayed) in mean.iter_mut().zip(stayed) {
            *sum += stayed / 6.0;
        }
    }
    mean
}

#[test]
fn idle_designs_are_frozen() {
    let stayed = mean(Settings {
        design_threshold: 0.9,
        ..Settings::default()
    });
    assert!(stayed[0] < 0.15 && stayed[1] < 0.15, "{stayed:?}");
    assert!(stayed[2] > 0.6 && stayed[3] > 0.6, "{stayed:?}");
    // By default all of them move, though without a reason to.
    let free = mean(Settings::default());
    assert!(free.iter().all(|&share| share < 0.45), "{free:?}");
}

#[test]
fn one_design_is_never_frozen() {
    let unit = Cost::from_milli(1_000);
    let config = Config::<1, 0, f32>::new(
        [DesignVariable::new("x", "", 0.0, 1.0)],
        [],
        unit,
        Cost::from_milli(20_000),
    );
    let settings = Settings {
        design_threshold: 0.0,
        ..Settings::default()
    };
    let mut controller = Box::new(Controller::<20, 1, 0>::new(config, settings).unwrap());
    while let Ok(decision) = controller.decide(&[]) {
        let applied = *decision.point();
        let y = -(applied.design[0] - 0.31).powi(2);
        controller.observe(decision, &applied, y).unwrap();
    }
    assert!(controller.best().unwrap().output > -1e-4);
}
