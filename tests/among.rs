//! Decisions among given points.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use sadcbo::{
    CaBo, Cbo, Config, ContextVariable, Controller, Cost, DesignVariable, Error, Point, Policy,
    Sadcbo, Settings, SwitchRule, VarSet, Vbo,
};

const ROWS: usize = 60;

/// Row `index` of a table with two designs and two contexts.
fn row(index: usize) -> Point<2, 2, f64> {
    let part = |step: f64| (index as f64 * step).fract();
    Point::new([part(0.618), part(0.755)], [part(0.569), part(0.324)])
}

fn value(point: &Point<2, 2, f64>) -> f64 {
    let [a, b] = point.design;
    1.0 - (a - 0.3).powi(2) - (b - 0.7).powi(2) - (point.context[0] - 0.5).powi(2)
}

fn controller<P: Policy>(initial_points: u16) -> Controller<64, 2, 2, f64, P> {
    with_settings(Settings {
        initial_points,
        ..Settings::default()
    })
}

fn with_settings<P: Policy>(settings: Settings<f64>) -> Controller<64, 2, 2, f64, P> {
    let unit = Cost::from_milli(1_000);
    let config = Config::<2, 2, f64>::new(
        ["a", "b"].map(|name| DesignVariable::new(name, "", 0.0, 1.0)),
        ["p", "q"].map(|name| ContextVariable::actuated(name, "", 0.0, 1.0, unit)),
        Cost::from_milli(2_000),
        Cost::from_milli(100_000),
    );
    Controller::new(config, settings).unwrap()
}

/// Runs through the table without asking a row twice; the rows in the order they were asked.
fn run<P: Policy>(steps: usize) -> Vec<usize> {
    let mut controller = controller::<P>(6);
    let mut open: Vec<usize> = (0..ROWS).collect();
    let mut asked = Vec::new();
    for step in 0..steps {
        let ambient = row(step).context;
        let offer = |_: VarSet, number: usize| open.get(number).map(|&index| row(index));
        let (decision, number) = controller.decide_among(&ambient, offer).unwrap();
        let (again, same) = controller.decide_among(&ambient, offer).unwrap();
        assert_eq!((&decision, number), (&again, same));
        let applied = row(open[number]);
        assert_eq!(*decision.point(), applied);
        controller
            .observe(decision, &applied, value(&applied))
            .unwrap();
        asked.push(open.remove(number));
    }
    asked
}

#[test]
fn the_best_row_is_found_early() {
    let best = (0..ROWS).max_by(|&a, &b| value(&row(a)).total_cmp(&value(&row(b))));
    for asked in [
        run::<Sadcbo>(25),
        run::<Cbo>(25),
        run::<Vbo>(25),
        run::<CaBo>(25),
    ] {
        assert!(asked.contains(&best.unwrap()), "{asked:?}");
    }
}

#[test]
fn the_step_says_which_contexts_it_may_choose() {
    for (free, expected) in [
        (free_contexts(&mut controller::<Cbo>(2)), VarSet::EMPTY),
        (free_contexts(&mut controller::<Vbo>(2)), VarSet::first(2)),
    ] {
        assert_eq!(free, expected);
    }
}

fn free_contexts<P: Policy>(controller: &mut Controller<64, 2, 2, f64, P>) -> VarSet {
    for index in 0..4 {
        controller
            .seed_with(&row(index), value(&row(index)))
            .unwrap();
    }
    let mut seen = None;
    let offer = |free: VarSet, number: usize| {
        seen = Some(free);
        (number < 3).then(|| row(10 + number))
    };
    let (decision, _) = controller.decide_among(&[0.5, 0.5], offer).unwrap();
    assert_eq!(Some(decision.actuated()), seen);
    seen.unwrap()
}

/// A decision after an early switch, where the cost of actuating counts `weight` times: its number, the row that it
/// asks for, and whether it is restrained.
fn weighed(
    weight: f64,
    offer: impl Fn(VarSet, usize) -> Option<Point<2, 2, f64>>,
) -> (usize, Point<2, 2, f64>, bool) {
    let mut controller = with_settings::<Sadcbo>(Settings {
        initial_points: 6,
        switch: SwitchRule::At(1),
        minimum_observational_steps: 1,
        actuation_weight: weight,
        ..Settings::default()
    });
    for index in 0..6 {
        let at = row(index);
        controller.seed_with(&at, value(&at)).unwrap();
    }
    let recording = controller.decide(&[0.5, 0.5]).unwrap();
    let at = *recording.point();
    controller.observe(recording, &at, value(&at)).unwrap();
    let (decision, number) = controller.decide_among(&[0.5, 0.5], &offer).unwrap();
    assert_eq!(decision.free(), decision.actuated());
    assert_eq!(Some(*decision.point()), offer(decision.free(), number));
    (number, *decision.point(), decision.is_restrained())
}

#[test]
fn the_number_counts_what_was_offered_for_the_contexts_that_are_free() {
    let weighed = |weight: f64, recorded: usize| {
        weighed(weight, |free, number| match free.is_empty() {
            true => (number < recorded).then(|| row(ROWS - 1 - number)),
            false => (number < ROWS).then(|| row(number)),
        })
    };
    let (_, actuated, restrained) = weighed(0.0, ROWS);
    assert!(!restrained);
    // The same rows for less.
    let (number, recorded, restrained) = weighed(1e6, ROWS);
    assert!(restrained);
    assert_eq!(recorded, row(ROWS - 1 - number));
    // Without a row to record at, actuating is not restrained.
    let (_, alone, restrained) = weighed(1e6, 0);
    assert!(!restrained);
    assert_eq!(alone, actuated);
}

/// However much the surrogate promises of the rows that are on offer only to who holds contexts.
#[test]
fn no_wider_choice_is_not_paid_for() {
    // The three best rows to who holds contexts, poor ones to who records.
    let restrained = |weight: f64, recorded: usize| {
        let offer = |free: VarSet, number: usize| {
            let rows: &[usize] = match free.is_empty() {
                true => &[8, 24, 40, 56],
                false => &[38, 59, 54],
            };
            let count = if free.is_empty() { recorded } else { 3 };
            rows[..count].get(number).map(|&index| row(index))
        };
        weighed(weight, offer).2
    };
    let almost_free = 1e-6;
    assert!(!restrained(almost_free, 2), "a wider choice");
    assert!(restrained(almost_free, 3));
    assert!(restrained(almost_free, 4));
    assert!(!restrained(0.0, 4), "nothing is weighed");
}

/// Points are taken as they are: freezing designs, which changes a free decision, changes none of these.
#[test]
fn given_points_are_never_frozen() {
    let [mut free, mut frozen] = [1.0, 0.3].map(|design_threshold| {
        with_settings::<Sadcbo>(Settings {
            initial_points: 2,
            design_threshold,
            ..Settings::default()
        })
    });
    let mut differed = false;
    for index in 0..12 {
        for controller in [&mut free, &mut frozen] {
            let at = row(index);
            controller.seed_with(&at, value(&at)).unwrap();
        }
        let offer = |_: VarSet, number: usize| (number < ROWS).then(|| row(number));
        let ambient = row(index + 20).context;
        let (decision, number) = frozen.decide_among(&ambient, offer).unwrap();
        assert_eq!(
            (decision, number),
            free.decide_among(&ambient, offer).unwrap()
        );
        differed |= free.decide(&ambient).unwrap() != frozen.decide(&ambient).unwrap();
    }
    assert!(differed);
}

/// Where contexts have to be held for a point to be on offer, they are paid for, even if they hardly move.
#[test]
fn what_is_offered_only_to_those_who_hold_is_paid_for() {
    let ambient = [0.5, 0.5];
    let near = |index: usize| {
        let mut near = row(index);
        near.context = [0.5 + 0.03, 0.5 - 0.02];
        near
    };
    // To whom the rows near the ambient contexts are offered, and what that makes of the step.
    for (needed, expected) in [
        (VarSet::EMPTY, VarSet::EMPTY),
        (VarSet::EMPTY.with(0), VarSet::EMPTY.with(0)),
        // The context that is further from the ambient one is held first.
        (VarSet::EMPTY.with(1), VarSet::first(2)),
        (VarSet::first(2), VarSet::first(2)),
    ] {
        let mut controller = controller::<CaBo>(2);
        for index in 0..4 {
            let at = row(index);
            controller.seed_with(&at, value(&at)).unwrap();
        }
        let offer = |free: VarSet, number: usize| {
            let held = needed.difference(free).is_empty();
            (held && number < 20).then(|| near(number))
        };
        let (decision, number) = controller.decide_among(&ambient, offer).unwrap();
        assert_eq!(decision.actuated(), expected, "{needed:?}");
        assert_eq!(decision.free(), VarSet::first(2));
        assert_eq!(*decision.point(), near(number));
        let cost = 2_000 + 1_000 * u32::try_from(expected.len()).unwrap();
        assert_eq!(decision.cost(), Cost::from_milli(cost));
    }
}

#[test]
fn nothing_offered_or_nonsense_offered_is_an_error() {
    let mut controller = controller::<Sadcbo>(2);
    for index in 0..4 {
        controller
            .seed_with(&row(index), value(&row(index)))
            .unwrap();
    }
    let nothing = controller.decide_among(&[0.5, 0.5], |_, _| None);
    assert_eq!(nothing, Err(Error::NoCandidate));
    let nonsense =
        |_: VarSet, number: usize| (number == 0).then(|| Point::new([f64::NAN, 0.0], [0.5, 0.5]));
    assert!(matches!(
        controller.decide_among(&[0.5, 0.5], nonsense),
        Err(Error::NonFinite(_))
    ));
    assert!(controller.decide(&[0.5, 0.5]).is_ok());
}
