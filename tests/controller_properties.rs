//! What holds for the controller whatever happens: properties over random experiments.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use proptest::prelude::*;
use sadcbo::{
    Action, CaBo, CapacityPolicy, Cbo, Cost, Cubo, Dropout, Error, MmdBo, Overspend, Phase, Place,
    Point, Policy, Sadcbo, Settings, SwitchRule, VarSet, Vbo,
};
use support::bench::{
    End, Outcome, PLENTY, Small, config, fingerprint, fingerprint_of, new, result, settings, step,
    text, weather,
};

fn ends(most: usize) -> impl Strategy<Value = Vec<End>> {
    let end = prop_oneof![
        6 => Just(End::Observed),
        1 => Just(End::Failed),
        1 => Just(End::Rejected),
    ];
    prop::collection::vec(end, 1..most)
}

fn given(index: usize) -> Point<2, 3, f32> {
    let share = (index as f32 * 0.37).fract();
    let other = (index as f32 * 0.61).fract();
    Point::new(
        [500.0 + 3_500.0 * share, 10.0 + 80.0 * other],
        [
            20.0 + 40.0 * other,
            980.0 + 60.0 * share,
            15.0 + 15.0 * share,
        ],
    )
}

/// A controller that is rebuilt after every record decides exactly as the one that went on.
fn replays<P: Policy + Clone>(seed: u64, data: usize, settings: Settings<f32>, ends: &[End]) {
    let mut controller = new::<P>(seed, PLENTY, settings);
    let mut records: Vec<Outcome> = Vec::new();
    let check = |controller: &Small<P>, records: &[Outcome]| {
        let replayed = Box::new(
            Small::<P>::replay(config(seed, PLENTY), settings, records.iter().copied()).unwrap(),
        );
        assert_eq!(
            fingerprint(&replayed),
            fingerprint(controller),
            "after {} records",
            records.len()
        );
    };
    for index in 0..data {
        let at = given(index);
        records.push(controller.seed_with(&at, result(&at)).unwrap());
        // Asking in between changes nothing.
        if index % 3 == 2 {
            let _ = controller.decide(&weather(0));
        }
        check(&controller, &records);
    }
    for (index, &end) in ends.iter().enumerate() {
        // What the user says by the way is part of the records.
        let (bits, milli) = (index as u32, 500 + 100 * index as u32);
        if index % 3 == 1 {
            controller.force(VarSet::from_bits(bits), VarSet::from_bits(bits >> 1));
            controller.set_context_costs([Cost::from_milli(milli); 3]);
        }
        let Some(record) = step(&mut controller, end) else {
            break;
        };
        records.push(record);
        check(&controller, &records);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn replay_is_exact_for_every_policy(seed: u64, data in 0..8_usize, ends in ends(18), forget: bool, rarely: bool) {
        let mut settings = settings();
        if forget {
            settings.capacity = CapacityPolicy::ForgetLeastInformative;
        }
        if rarely {
            (settings.refit_always_below, settings.refit_every) = (6, 3);
        }
        replays::<Sadcbo>(seed, data, settings, &ends);
        replays::<Cbo>(seed, data, settings, &ends);
        replays::<Cubo>(seed, data, settings, &ends);
        replays::<Vbo>(seed, data, settings, &ends);
        replays::<CaBo>(seed, data, settings, &ends);
        replays::<Dropout>(seed, data, settings, &ends);
        replays::<MmdBo>(seed, data, settings, &ends);
    }
}

/// Every record of an experiment until its budget is spent.
fn spend<P: Policy>(seed: u64, budget: u32, settings: Settings<f32>) -> Vec<Outcome> {
    let settings = Settings {
        capacity: CapacityPolicy::ForgetLeastInformative,
        ..settings
    };
    let mut controller = new::<P>(seed, budget, settings);
    std::iter::from_fn(|| step(&mut controller, End::Observed)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn budget_and_bounds(seed: u64, budget in 900..30_000_u32, initial_actuation: bool) {
        let settings = Settings { initial_actuation, switch: SwitchRule::At(3), ..settings() };
        let overdraw = Settings { overspend: Overspend::Overdraw, ..settings };
        for (trimmed, drawn) in [
            (spend::<Sadcbo>(seed, budget, settings), spend::<Sadcbo>(seed, budget, overdraw)),
            (spend::<Vbo>(seed, budget, settings), spend::<Vbo>(seed, budget, overdraw)),
        ] {
            let mut left = i64::from(budget);
            for record in &trimmed {
                left -= i64::from(record.cost.milli());
                prop_assert_eq!(record.remaining_milli, left);
                prop_assert!(left >= 0, "trimmed steps never overdraw");
            }
            prop_assert!(left < 1_000, "the run goes on while a step can be paid");
            let overdrawn = drawn.iter().filter(|record| record.remaining_milli < 0).count();
            prop_assert!(overdrawn <= 1, "only the last step can overdraw");
            if let Some((last, others)) = drawn.split_last() {
                prop_assert!(others.iter().all(|record| record.remaining_milli >= 1_000));
                prop_assert!(last.remaining_milli < 1_000);
            }
            for record in trimmed.iter().chain(&drawn) {
                inside(record)?;
            }
        }
    }
}

/// What was asked for is within the bounds, and what is not actuated is what was passed in.
fn inside(record: &Outcome) -> Result<(), TestCaseError> {
    let config = config(0, PLENTY);
    for (value, variable) in record.asked.design.iter().zip(config.design()) {
        prop_assert!(
            (variable.low..=variable.high).contains(value),
            "{} {value}",
            variable.name
        );
    }
    let ambient = weather(record.step);
    prop_assert_eq!(record.ambient.map(f32::to_bits), ambient.map(f32::to_bits));
    for (index, variable) in config.context().iter().enumerate() {
        let value = record.asked.context[index];
        if record.actuated.contains(index) {
            prop_assert!(
                variable.actuator.is_some(),
                "{} has no actuator",
                variable.name
            );
            prop_assert!((variable.low..=variable.high).contains(&value));
        } else {
            prop_assert_eq!(value.to_bits(), ambient[index].to_bits());
        }
    }
    let read_back = record.asked.context[0] + 0.2;
    prop_assert_eq!(record.applied.context[0].to_bits(), read_back.to_bits());
    Ok(())
}

/// Numbers that sensors and callers should never send.
fn hostile() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => 15.0..1_000.0_f32,
        1 => any::<f32>(),
        1 => prop_oneof![
            Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY), Just(f32::MAX), Just(f32::MIN),
            Just(f32::MIN_POSITIVE), Just(-0.0), Just(1e-40), Just(1e30),
        ],
    ]
}

#[derive(Clone, Debug)]
enum Call {
    Seed([f32; 5], f32),
    Decide([f32; 3]),
    Force(u32, u32),
    Observe([f32; 5], f32),
    ObserveAsAsked(f32),
    Fail(u32),
    Reject(u32),
    Twice,
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let call = prop_oneof![
        1 => (prop::array::uniform5(hostile()), hostile()).prop_map(|(at, y)| Call::Seed(at, y)),
        1 => prop::array::uniform3(hostile()).prop_map(Call::Decide),
        1 => any::<(u32, u32)>().prop_map(|(a, b)| Call::Force(a, b)),
        1 => (prop::array::uniform5(hostile()), hostile()).prop_map(|(at, y)| Call::Observe(at, y)),
        5 => hostile().prop_map(Call::ObserveAsAsked),
        1 => any::<u32>().prop_map(Call::Fail),
        1 => any::<u32>().prop_map(Call::Reject),
        1 => Just(Call::Twice),
    ];
    prop::collection::vec(call, 1..30)
}

fn point(v: &[f32; 5]) -> Point<2, 3, f32> {
    Point::new([v[0], v[1]], [v[2], v[3], v[4]])
}

/// Carries a call out; whether it was refused.
fn call<P: Policy>(controller: &mut Small<P>, call: &Call) -> bool {
    let ambient = weather(controller.step());
    match call {
        Call::Seed(at, y) => controller.seed_with(&point(at), *y).is_err(),
        Call::Decide(ambient) => controller.decide(ambient).is_err(),
        Call::Force(relevant, left_alone) => {
            controller.force(VarSet::from_bits(*relevant), VarSet::from_bits(*left_alone));
            false
        }
        Call::Observe(at, y) => match controller.decide(&ambient) {
            Ok(decision) => controller.observe(decision, &point(at), *y).is_err(),
            Err(_) => true,
        },
        Call::ObserveAsAsked(y) => match controller.decide(&ambient) {
            Ok(decision) => {
                let applied = *decision.point();
                controller.observe(decision, &applied, *y).is_err()
            }
            Err(_) => true,
        },
        Call::Fail(spent) => match controller.decide(&ambient) {
            Ok(decision) => controller.fail(decision, Cost::from_milli(*spent)).is_err(),
            Err(_) => true,
        },
        Call::Reject(spent) => match controller.decide(&ambient) {
            Ok(decision) => controller
                .reject(decision, Cost::from_milli(*spent % 2_000))
                .is_err(),
            Err(_) => true,
        },
        Call::Twice => {
            let (Ok(first), Ok(second)) =
                (controller.decide(&ambient), controller.decide(&ambient))
            else {
                return true;
            };
            assert_eq!(text(&first), text(&second));
            let applied = *first.point();
            if let Err(refused) = controller.observe(first, &applied, 1.0) {
                assert_eq!(text(&refused.decision), text(&second), "handed back");
                return true;
            }
            let before = fingerprint_of(controller);
            let refused = controller.observe(second, &applied, 1.0).unwrap_err();
            assert_eq!(refused.error, Error::Outdated);
            let refused = controller.fail(refused.decision, Cost::ZERO).unwrap_err();
            let refused = controller.reject(refused.decision, Cost::ZERO).unwrap_err();
            assert_eq!(refused.error, Error::Outdated);
            assert_eq!(before, fingerprint_of(controller));
            false
        }
    }
}

fn survives<P: Policy + Clone>(seed: u64, settings: Settings<f32>, calls: &[Call]) {
    let mut controller = new::<P>(seed, PLENTY, settings);
    for hostile in calls {
        let before = fingerprint(&controller);
        if call(&mut controller, hostile) {
            assert_eq!(before, fingerprint(&controller), "refused: {hostile:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn hostile_calls_neither_panic_nor_corrupt(seed: u64, calls in calls(), forget: bool) {
        let mut settings = settings();
        if forget {
            settings.capacity = CapacityPolicy::ForgetLeastInformative;
        }
        survives::<Sadcbo>(seed, settings, &calls);
        survives::<CaBo>(seed, settings, &calls);
        survives::<MmdBo>(seed, settings, &calls);
    }

    /// The relevance does not depend on η, so a larger η can only add contexts.
    #[test]
    fn selection_grows_with_the_threshold(seed: u64, low in 0.0..1.0_f32, high in 0.0..1.0_f32) {
        let selected = |threshold: f32| {
            let mut controller = new::<Sadcbo>(seed, PLENTY, Settings { relevance_threshold: threshold, ..settings() });
            for index in 0..7 {
                let at = given(index);
                controller.seed_with(&at, result(&at)).unwrap();
            }
            let decision = controller.decide(&weather(0)).unwrap();
            (decision.selected(), *decision.relevance())
        };
        let ((few, shares), (many, same)) = (selected(low.min(high)), selected(low.max(high)));
        prop_assert_eq!(shares, same);
        prop_assert!(few.difference(many).is_empty(), "{few:?} is not within {many:?}");
        let sum: f32 = shares.iter().sum();
        prop_assert!((sum - 1.0).abs() < 1e-5, "{shares:?}");
    }

    /// A reset between asking and telling, or a copy made before, changes nothing.
    #[test]
    fn asking_is_free(seed: u64, steps in 0..8_usize) {
        let mut controller = new::<Sadcbo>(seed, PLENTY, settings());
        for _ in 0..steps {
            step(&mut controller, End::Observed);
        }
        let ambient = weather(99);
        let mut before = controller.clone();
        let first = controller.decide(&ambient).unwrap();
        // Other questions in between.
        let _ = controller.decide(&weather(3)).unwrap();
        let _ = controller.decide(&weather(4)).unwrap();
        let mut after = controller.clone();
        let again = text(&controller.decide(&ambient).unwrap());
        prop_assert_eq!(&again, &text(&first));
        prop_assert_eq!(&again, &text(&before.decide(&ambient).unwrap()));
        prop_assert_eq!(&again, &text(&after.decide(&ambient).unwrap()));
        let applied = *first.point();
        let record = controller.observe(first, &applied, 1.5).unwrap();
        let asked_anew = before.decide(&ambient).unwrap();
        prop_assert_eq!(record, before.observe(asked_anew, &applied, 1.5).unwrap());
    }

    /// A rejected design is not tried again, nor its neighbourhood; also where the acquisition wants to go there.
    #[test]
    fn rejected_designs_stay_away(seed: u64, start in 0..7_usize) {
        let mut controller = new::<Sadcbo>(seed, PLENTY, settings());
        for _ in 0..start {
            step(&mut controller, End::Observed);
        }
        let mut rejected: Vec<[f32; 2]> = Vec::new();
        for _ in 0..12 {
            let record = step(&mut controller, End::Rejected).unwrap();
            let unit = [(record.asked.design[0] - 500.0) / 3_500.0, (record.asked.design[1] - 10.0) / 80.0];
            // The latest eight are remembered.
            for old in rejected.iter().rev().take(8) {
                let apart = (unit[0] - old[0]).abs().max((unit[1] - old[1]).abs());
                prop_assert!(apart > 0.0199, "{unit:?} is too near to {old:?}");
            }
            rejected.push(unit);
        }
    }
}

/// A place that was used is as good as new, and a replay in it gives the same as elsewhere.
#[test]
fn a_place_can_be_used_again() {
    let mut place = Box::new(Place::<12, 2, 3, f32, Sadcbo>::new());
    let used = place.start(config(3, PLENTY), settings()).unwrap();
    used.force(VarSet::first(1), VarSet::first(2));
    used.set_context_costs([Cost::from_milli(7); 3]);
    let ends = [End::Observed, End::Rejected, End::Failed, End::Observed];
    for end in ends.into_iter().cycle().take(14) {
        step(used, end).unwrap();
    }
    let mut other = new::<Sadcbo>(5, PLENTY, settings());
    let again = place.start(config(5, PLENTY), settings()).unwrap();
    let mut records = Vec::new();
    for end in ends.into_iter().cycle().take(14) {
        assert_eq!(fingerprint(again), fingerprint(&other));
        records.push(step(&mut other, end).unwrap());
        step(again, end).unwrap();
    }
    let refused = Settings {
        initial_points: 0,
        ..settings()
    };
    assert!(place.start(config(6, PLENTY), refused).is_err());
    let replayed = place.replay(config(5, PLENTY), settings(), records);
    assert_eq!(fingerprint(replayed.unwrap()), fingerprint(&other));
}

#[test]
fn a_failed_initial_point_comes_again() {
    let mut controller = new::<Sadcbo>(5, PLENTY, settings());
    step(&mut controller, End::Observed);
    let failed = step(&mut controller, End::Failed).unwrap();
    let again = controller.decide(&weather(7)).unwrap();
    assert_eq!(again.phase(), Phase::Initial);
    assert_eq!(again.design(), &failed.asked.design);
    assert_eq!(controller.observations(), 1, "the data stay clean");
}

/// A failure that is not the plan's fault does not keep the surrogate's best point from being tried again.
#[test]
fn a_failed_step_may_be_tried_again() {
    let mut controller = new::<Cbo>(
        5,
        PLENTY,
        Settings {
            work: sadcbo::Work::THOROUGH,
            ..settings()
        },
    );
    for _ in 0..7 {
        step(&mut controller, End::Observed);
    }
    let ambient = weather(7);
    let first = controller.decide(&ambient).unwrap();
    let design = *first.design();
    controller.fail(first, Cost::ZERO).unwrap();
    let again = controller.decide(&ambient).unwrap();
    for (a, b) in design.iter().zip(again.design()) {
        assert!(
            (a - b).abs() < 0.02 * a.abs(),
            "{design:?} and {:?}",
            again.design()
        );
    }
}

/// Above the stated number of observations hyperparameters change only with every third of them.
#[test]
fn fits_are_as_rare_as_wished() {
    let rarely = Settings {
        refit_always_below: 5,
        refit_every: 3,
        ..settings()
    };
    let mut controller = new::<Cbo>(2, PLENTY, rarely);
    let mut changes = Vec::new();
    for _ in 0..11 {
        let before = *controller.hyper();
        let record = step(&mut controller, End::Observed).unwrap();
        changes.push(record.hyper != before);
    }
    // Four initial points, the fit of the first decision and of the fifth observation, then 8 and 11.
    let expected = [4, 7, 10].map(|step| changes[step]);
    assert_eq!(expected, [true; 3]);
    assert_eq!(
        changes.iter().filter(|&&change| change).count(),
        3,
        "{changes:?}"
    );
}

#[test]
fn a_full_controller_refuses_or_forgets() {
    let mut refusing = new::<Sadcbo>(8, PLENTY, settings());
    while step(&mut refusing, End::Observed).is_some() {}
    assert_eq!(refusing.observations(), 12);
    assert_eq!(refusing.decide(&weather(0)).unwrap_err(), Error::Full);

    let forgetting = Settings {
        capacity: CapacityPolicy::ForgetLeastInformative,
        ..settings()
    };
    let mut controller = new::<Sadcbo>(8, PLENTY, forgetting);
    let mut best = f32::MIN;
    for count in 1..40 {
        let record = step(&mut controller, End::Observed).unwrap();
        best = best.max(record.output);
        assert_eq!(controller.observations(), count.min(12));
        assert_eq!(
            controller.best().unwrap().output,
            best,
            "it is never forgotten"
        );
    }
}

#[test]
fn repeats_are_legal() {
    for y in [2.0, 2.0 + 1e-6] {
        let mut controller = new::<Sadcbo>(1, PLENTY, settings());
        for _ in 0..11 {
            let decision = controller.decide(&weather(0)).unwrap();
            controller.observe(decision, &given(1), y).unwrap();
        }
        let decision = controller.decide(&weather(0)).unwrap();
        assert!(decision.design().iter().all(|value| value.is_finite()));
        assert!(decision.forecast().unwrap().mean.is_finite());
    }
}

#[test]
fn forced_contexts_are_obeyed() {
    let settings = Settings {
        switch: SwitchRule::At(1),
        minimum_observational_steps: 1,
        ..settings()
    };
    let mut controller = new::<Sadcbo>(3, PLENTY, settings);
    let word = (VarSet::EMPTY.with(2), VarSet::EMPTY.with(0));
    controller.force(word.0, word.1);
    assert_eq!(controller.forced(), word);
    for _ in 0..6 {
        step(&mut controller, End::Observed);
    }
    let decision = controller.decide(&weather(6)).unwrap();
    assert_eq!(decision.phase(), Phase::Optimization);
    assert!(matches!(decision.action(2), Action::Actuate(_)));
    assert_eq!(decision.action(0), Action::Record);
    assert_eq!(decision.action(1), Action::Record, "it has no actuator");
    assert!(
        decision.selected().contains(0),
        "left alone, but it matters: the surrogate knows it"
    );
}
