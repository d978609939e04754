//! Costs that are not what the configuration says: reported, learnt, and used.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::{Cost, CostModel, Error, RunningCosts, Sadcbo, Settings, StepRecord, SwitchRule};
use support::bench::{Small, config, fingerprint, result, settings, weather};

const fn milli(milli: u32) -> Cost {
    Cost::from_milli(milli)
}

fn actuating() -> Settings<f32> {
    Settings {
        initial_actuation: true,
        switch: SwitchRule::At(1),
        minimum_observational_steps: 1,
        relevance_threshold: 0.99,
        ..settings()
    }
}

/// Driving the humidity costs 2 for every 10 %RH away from the weather; the temperature always 0.4.
fn really(record: &StepRecord<2, 3>) -> [Cost; 3] {
    let distance = (record.applied.context[0] - record.ambient[0]).abs();
    [milli((200.0 * distance) as u32), milli(0), milli(400)]
}

fn record_of(ambient: f32, applied: f32, actuated: &[usize]) -> StepRecord<2, 3> {
    let mut controller = Box::new(Small::<Sadcbo>::new(config(1, 9_000), settings()).unwrap());
    let decision = controller.decide(&[ambient, 1_010.0, 22.0]).unwrap();
    let mut at = *decision.point();
    at.context[0] = applied;
    let mut record = controller.observe(decision, &at, 1.0).unwrap();
    record.actuated = actuated.iter().copied().collect();
    record
}

#[test]
fn running_means_forget_slowly() {
    let mut costs = RunningCosts::new(&config(1, 9_000));
    assert_eq!(costs.costs(), [milli(700), milli(0), milli(1_300)]);
    // What was not actuated does not count.
    costs.learn(&record_of(40.0, 40.0, &[]), &[milli(9_999); 3]);
    assert_eq!(costs.costs(), [milli(700), milli(0), milli(1_300)]);
    let record = record_of(40.0, 40.0, &[0]);
    costs.learn(&record, &[milli(1_300); 3]);
    assert_eq!(costs.costs()[0], milli(1_000), "the mean of both");
    for _ in 0..200 {
        costs.learn(&record, &[milli(3_000); 3]);
    }
    assert_eq!(costs.costs(), [milli(3_000), milli(0), milli(1_300)]);
    for _ in 0..40 {
        costs.learn(&record, &[milli(u32::MAX); 3]);
    }
    assert!(costs.costs()[0] > milli(u32::MAX / 10 * 9));
}

/// The cost is a function of the distance to the weather: learnt from a dozen reports, told to a few percent.
#[test]
fn the_model_knows_the_weather() {
    let config = config(1, 9_000);
    let mut model = CostModel::<16, 3>::new();
    assert_eq!(
        model.costs(&config, &weather(0)),
        [milli(700), milli(0), milli(1_300)],
        "as configured while nothing was reported"
    );
    for index in 0..40_u16 {
        let ambient = 25.0 + f32::from(index * 7 % 30);
        let record = record_of(ambient, 35.0, &[0]);
        model.learn(&config, &record, &really(&record)).unwrap();
    }
    for ambient in [27.0_f32, 35.0, 44.0, 52.0] {
        let costs = model.costs(&config, &[ambient, 1_010.0, 22.0]);
        let expected = 200.0 * (ambient - 35.0).abs();
        let error = (costs[0].milli() as f32 - expected).abs();
        assert!(error < 250.0, "{ambient}: {} for {expected}", costs[0]);
        assert_eq!(costs[1..], [milli(0), milli(1_300)]);
    }
    // Readings that make no sense change nothing.
    let mut broken = record_of(40.0, 35.0, &[0]);
    broken.applied.context[0] = f32::NAN;
    assert!(model.learn(&config, &broken, &[milli(1); 3]).is_err());
    let costs = model.costs(&config, &[f32::NAN, 1_010.0, 22.0]);
    assert_eq!(costs[0], milli(700));
}

/// What was reported is charged; what was learnt is forecast, weighed and trimmed by.
#[test]
fn reported_costs_are_charged_and_used() {
    let mut controller = Box::new(Small::<Sadcbo>::new(config(2, 60_000), actuating()).unwrap());
    let mut costs = RunningCosts::new(controller.config());
    let (mut records, mut left) = (Vec::new(), 60_000);
    while controller.observations() < 11 {
        controller.set_context_costs(costs.costs());
        let decision = controller.decide(&weather(controller.step())).unwrap();
        let applied = *decision.point();
        let forecast = decision
            .actuated()
            .iter()
            .fold(milli(1_000), |sum, j| sum.saturating_add(costs.costs()[j]));
        assert_eq!(decision.cost(), forecast);
        let reported = [milli(5_000), milli(77), milli(400)];
        let record = controller
            .observe_at_cost(decision, &applied, result(&applied), &reported)
            .unwrap();
        let spent = record
            .actuated
            .iter()
            .fold(1_000, |sum, j| sum + i64::from(reported[j].milli()));
        left -= spent;
        assert_eq!(record.remaining_milli, left);
        costs.learn(&record, &reported);
        records.push(record);
    }
    let [humidity, pressure, temperature] = costs.costs();
    assert!(
        humidity > milli(3_000) && temperature < milli(800),
        "{costs:?}"
    );
    assert_eq!(pressure, milli(0), "it has no actuator");
    // The records know the costs that were set before the last step.
    let settings = actuating();
    let mut replayed =
        Box::new(Small::<Sadcbo>::replay(config(2, 60_000), settings, records).unwrap());
    assert_eq!(fingerprint(&controller), fingerprint(&replayed));
    for controller in [&mut controller, &mut replayed] {
        controller.set_context_costs(costs.costs());
    }
    assert_eq!(fingerprint(&controller), fingerprint(&replayed));
}

/// What was spent is spent, also beyond the budget: the balance says so, and there is no further decision.
#[test]
fn what_was_spent_can_overdraw() {
    let enough = 2_500;
    let start = || Box::new(Small::<Sadcbo>::new(config(3, enough), actuating()).unwrap());
    let ends: [fn(&mut Small<Sadcbo>) -> StepRecord<2, 3>; 3] = [
        |controller| {
            let decision = controller.decide(&weather(0)).unwrap();
            controller.fail(decision, milli(4_000)).unwrap()
        },
        |controller| {
            let decision = controller.decide(&weather(0)).unwrap();
            controller.reject(decision, milli(4_000)).unwrap()
        },
        |controller| {
            let decision = controller.decide(&weather(0)).unwrap();
            assert_eq!(decision.actuated().len(), 1, "no room for both");
            let applied = *decision.point();
            let costs = [milli(3_000); 3];
            let record = controller.observe_at_cost(decision, &applied, 1.0, &costs);
            record.unwrap()
        },
    ];
    for end in ends {
        let mut controller = start();
        let record = end(&mut controller);
        assert_eq!(record.remaining_milli, i64::from(enough) - 4_000);
        assert_eq!(controller.remaining(), Cost::ZERO);
        assert_eq!(controller.decide(&weather(1)), Err(Error::BudgetSpent));
        let replayed = Small::<Sadcbo>::replay(config(3, enough), actuating(), [record]);
        assert_eq!(fingerprint(&replayed.unwrap()), fingerprint(&controller));
    }
}

/// A context that turned out dear is left to the environment where its worth per cost is no longer among the best.
#[test]
fn dear_contexts_are_selected_less() {
    let chosen = |humidity: u32| {
        let settings = Settings {
            relevance_threshold: 0.5,
            actuation_weight: 0.0,
            ..actuating()
        };
        let mut controller = Box::new(Small::<Sadcbo>::new(config(3, 900_000), settings).unwrap());
        let mut count = 0;
        controller.set_context_costs([milli(humidity), milli(0), milli(1_000)]);
        loop {
            let decision = match controller.decide(&weather(controller.step())) {
                Ok(decision) => decision,
                Err(Error::Full) => return count,
                Err(error) => panic!("{error}"),
            };
            if controller.observations() > 5 && decision.actuated().contains(0) {
                count += 1;
            }
            let applied = *decision.point();
            controller
                .observe(decision, &applied, result(&applied))
                .unwrap();
        }
    };
    let (cheap, dear) = (chosen(1), chosen(1_000_000));
    assert!(cheap >= 5 && dear == 0, "{cheap} and {dear}");
}
