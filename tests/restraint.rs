//! Beyond the paper: recording ends at the latest when its share of the budget is spent, and no context is actuated where
//! recording promises more for its cost.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]
use sadcbo::{
    Config, ContextVariable, Controller, Cost, DesignVariable, Phase, Settings, SwitchRule, VarSet,
    Work,
};

const UNIT: Cost = Cost::from_milli(1_000);

/// One design, one context that costs `price` to actuate; each run costs 1.
fn config(price: Cost, budget: u32) -> Config<1, 1> {
    Config::<1, 1, f32>::new(
        [DesignVariable::new("speed", "rpm", 0.0, 1.0)],
        [ContextVariable::actuated("humidity", "%", 0.0, 1.0, price)],
        UNIT,
        Cost::from_milli(budget * 1_000),
    )
}

fn settings() -> Settings {
    Settings {
        initial_points: 4,
        minimum_observational_steps: 2,
        work: Work::FAST,
        ..Settings::default()
    }
}

/// Contexts that wander over their range.
fn weather(step: u32) -> [f32; 1] {
    [(0.37 + 0.618_034 * step as f32) % 1.0]
}

/// A hill whose top is at design 0.3 and context 0.7, with a little noise.
fn hill(design: f32, context: f32, step: u32) -> f32 {
    let noise = 0.02 * ((0.754_877_7 * step as f32) % 1.0 - 0.5);
    1.0 - (design - 0.3).powi(2) - (context - 0.7).powi(2) + noise
}

struct Taken {
    phase: Phase,
    actuated: VarSet,
    restrained: bool,
    words: String,
}

/// All steps of an experiment.
fn run_at(price: Cost, budget: u32, settings: Settings, forced: VarSet) -> Vec<Taken> {
    let config = config(price, budget);
    let mut controller = Controller::<64, 1, 1>::new(config, settings).unwrap();
    controller.force(forced, VarSet::EMPTY);
    let mut steps = Vec::new();
    for step in 0.. {
        let Ok(decision) = controller.decide(&weather(step)) else {
            break;
        };
        steps.push(Taken {
            phase: decision.phase(),
            actuated: decision.actuated(),
            restrained: decision.is_restrained(),
            words: decision.explain(&config).to_string(),
        });
        let applied = *decision.point();
        let y = hill(applied.design[0], applied.context[0], step);
        controller.observe(decision, &applied, y).unwrap();
    }
    steps
}

fn run(budget: u32, settings: Settings, forced: VarSet) -> Vec<Taken> {
    run_at(UNIT, budget, settings, forced)
}

fn first_optimization(steps: &[Taken]) -> Option<usize> {
    steps
        .iter()
        .position(|taken| taken.phase == Phase::Optimization)
}

#[test]
fn recording_ends_with_its_share_of_the_budget() {
    // A criterion that never fires: the bound is not below a threshold that δ makes 0.
    let stubborn = Settings {
        delta: 0.999,
        ..settings()
    };
    for (share, expected) in [(0.25, 10), (0.5, 20), (0.6, 24)] {
        let limited = Settings {
            observational_share: share,
            ..stubborn
        };
        let steps = run(40, limited, VarSet::EMPTY);
        assert_eq!(first_optimization(&steps), Some(expected), "share {share}");
    }
    // Nothing spent is no share: the minimum of steps still holds, after 4 initial points.
    let at_once = Settings {
        observational_share: 0.0,
        ..stubborn
    };
    assert_eq!(
        first_optimization(&run(40, at_once, VarSet::EMPTY)),
        Some(6)
    );
    // Rules that do not ask a criterion know no limit.
    for (rule, expected) in [(SwitchRule::Never, None), (SwitchRule::At(20), Some(24))] {
        let fixed = Settings {
            switch: rule,
            observational_share: 0.25,
            ..settings()
        };
        assert_eq!(first_optimization(&run(40, fixed, VarSet::EMPTY)), expected);
    }
}

/// Of the steps after an early switch: how many are restrained, and how many there are.
fn restrained(weight: f32, price: Cost, forced: VarSet) -> (usize, usize) {
    let weighed = Settings {
        switch: SwitchRule::At(2),
        actuation_weight: weight,
        ..settings()
    };
    let steps = run_at(price, 60, weighed, forced);
    let start = first_optimization(&steps).unwrap();
    let said = |taken: &Taken| taken.words.contains("recording promises more for its cost");
    assert!(steps.iter().all(|taken| said(taken) == taken.restrained));
    // The last steps may lack the budget for more.
    let counted = &steps[start..steps.len() - 2];
    let restrained = counted.iter().filter(|taken| taken.restrained);
    assert!(restrained.clone().all(|taken| taken.actuated == forced));
    (restrained.count(), counted.len())
}

#[test]
fn contexts_are_actuated_only_if_that_is_worth_its_cost() {
    let (none, all) = restrained(0.0, UNIT, VarSet::EMPTY);
    assert_eq!(none, 0, "the paper always actuates");
    assert!(all > 10);
    // The more the cost counts, the more often contexts are recorded; and so with the price.
    let (some, all) = restrained(2.0, UNIT, VarSet::EMPTY);
    assert!(0 < some && some < all, "{some} of {all}");
    let (more, of) = restrained(1e6, UNIT, VarSet::EMPTY);
    assert!(more * all > some * of, "{more} of {of}, {some} of {all}");
    let dear = Cost::from_milli(20_000);
    let (more, of) = restrained(2.0, dear, VarSet::EMPTY);
    assert!(more * all > some * of, "{more} of {of}, {some} of {all}");
}

#[test]
fn what_the_user_wants_in_is_always_actuated() {
    let (none, _) = restrained(2.0, UNIT, VarSet::first(1));
    assert_eq!(none, 0, "nothing is left to weigh");
}
