//! Costs and what is left: golden family `ledger`, exact decimals, and the step that no longer fits.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use sadcbo::parts::budget::{Ledger, Prices};
use sadcbo::{Cost, CostError, Overspend, VarSet};
use support::golden::{Case, cases};
use support::tolerance::DECIMAL;

/// λ_x and the λ_j.
fn tariff(case: &Case) -> (Cost, Vec<Cost>) {
    let read = |text: &str| text.parse().unwrap();
    let contexts = case.texts("input/lambda").into_iter().map(read).collect();
    (read(case.text("input/lambda_x")), contexts)
}

/// The steps of one policy as the golden family replays them: all contexts each step chooses to actuate.
fn replay(case: &Case, policy: &str) {
    let name = format!("{} {policy}", case.name());
    let (run, costs) = tariff(case);
    let prices = Prices {
        run,
        contexts: &costs,
    };
    let wanted: Vec<VarSet> = case
        .index_rows("input/J")
        .into_iter()
        .zip(case.texts("input/phase"))
        .map(|(chosen, phase)| match (policy, phase) {
            ("SADCBO", "optimization") => chosen.into_iter().collect(),
            ("VBO", _) => VarSet::first(costs.len()),
            _ => VarSet::EMPTY,
        })
        .collect();

    let start = Ledger::new(case.text("input/budget").parse().unwrap());
    let (mut ledger, mut steps) = (start, 0);
    let expected = |field: &str| format!("expected/{policy}/{field}");
    let (step_costs, balances) = (
        case.numbers(&expected("costs")),
        case.numbers(&expected("remaining")),
    );
    for &set in &wanted {
        if !ledger.covers(prices.run) {
            break;
        }
        let actuated = ledger.affordable(Overspend::Overdraw, &prices, set, &[1.0_f32; 32]);
        let cost = prices.of_step(actuated);
        ledger.charge(cost);
        DECIMAL.check(&name, cost.units::<f64>(), step_costs[steps], 0.0);
        DECIMAL.check(
            &name,
            ledger.remaining_milli() as f64 / 1000.0,
            balances[steps],
            0.0,
        );
        steps += 1;
    }
    assert_eq!(steps, case.count(&expected("iterations")), "{name}");
    assert_eq!(
        ledger.is_overdrawn(),
        case.flag(&expected("overdrawn")),
        "{name}"
    );
    let spent = (start.remaining_milli() - ledger.remaining_milli()) as f64 / 1000.0;
    DECIMAL.check(&name, spent, case.number(&expected("total_cost")), 0.0);

    let (mut careful, mut steps) = (start, 0);
    for cost in wanted.iter().map(|&set| prices.of_step(set)) {
        if !careful.covers(prices.run) || !careful.covers(cost) {
            break;
        }
        careful.charge(cost);
        steps += 1;
    }
    assert_eq!(
        steps,
        case.count(&expected("iterations_affordable_only")),
        "{name}"
    );
    let left = case.number(&expected("remaining_affordable_only"));
    DECIMAL.check(&name, careful.remaining().units::<f64>(), left, 0.0);
}

#[test]
fn golden() {
    for case in cases("ledger") {
        for policy in ["SADCBO", "CBO", "VBO", "CUBO"] {
            replay(&case, policy);
        }
    }
}

/// The same runs with trimming: never below 0, never fewer runs than a careful stop, and the run itself always happens.
#[test]
fn trimming_never_overdraws() {
    for case in cases("ledger") {
        let (run, costs) = tariff(&case);
        let prices = Prices {
            run,
            contexts: &costs,
        };
        let mut ledger = Ledger::new(case.text("input/budget").parse().unwrap());
        let relevance: Vec<f32> = (0..costs.len()).map(|j| 1.0 / (1.0 + j as f32)).collect();
        let wanted = VarSet::first(costs.len());
        while ledger.covers(prices.run) {
            let kept = ledger.affordable(Overspend::Trim, &prices, wanted, &relevance);
            // The most relevant ones are kept, here those of lowest index.
            assert_eq!(kept, VarSet::first(kept.len()), "{}", case.name());
            let one_more = VarSet::first(kept.len() + 1);
            assert!(
                kept == wanted || !ledger.covers(prices.of_step(one_more)),
                "{}",
                case.name()
            );
            ledger.charge(prices.of_step(kept));
            assert!(!ledger.is_overdrawn(), "{}", case.name());
        }
    }
}

#[test]
fn the_least_relevant_context_goes_first() {
    let costs = [Cost::from_milli(1000); 4];
    let prices = Prices {
        run: Cost::from_milli(2000),
        contexts: &costs,
    };
    let trim = |budget, relevance: &[f32]| {
        Ledger::new(Cost::from_milli(budget)).affordable(
            Overspend::Trim,
            &prices,
            VarSet::first(4),
            relevance,
        )
    };
    let indices = |set: VarSet| set.iter().collect::<Vec<_>>();
    assert_eq!(indices(trim(6000, &[0.1, 0.4, 0.2, 0.3])), [0, 1, 2, 3]);
    assert_eq!(indices(trim(5999, &[0.1, 0.4, 0.2, 0.3])), [1, 2, 3]);
    assert_eq!(indices(trim(4000, &[0.1, 0.4, 0.2, 0.3])), [1, 3]);
    assert_eq!(indices(trim(4000, &[0.25; 4])), [0, 1]);
    assert!(trim(2000, &[0.1, 0.4, 0.2, 0.3]).is_empty());
    // Not even the run fits: nothing to trim any more, and covers() says that the run is over.
    assert!(trim(1999, &[0.1, 0.4, 0.2, 0.3]).is_empty());
}

#[test]
fn ten_tenths_are_one() {
    let tenth: Cost = "0.1".parse().unwrap();
    let mut ledger = Ledger::new("1".parse().unwrap());
    let steps = (0..20)
        .take_while(|_| {
            let covered = ledger.covers(tenth);
            ledger.charge(tenth);
            covered
        })
        .count();
    assert_eq!(steps, 10);
}

#[test]
fn decimals_are_read_exactly_or_refused() {
    for (text, expected) in [
        ("0", Ok(0)),
        ("2", Ok(2000)),
        ("0.25", Ok(250)),
        ("1.500", Ok(1500)),
        ("1.5000000", Ok(1500)),
        ("007.007", Ok(7007)),
        ("4294967.295", Ok(u32::MAX)),
        ("4294967.296", Err(CostError::TooLarge)),
        ("99999999999999999999", Err(CostError::TooLarge)),
        ("0.0001", Err(CostError::TooFine)),
        ("-1", Err(CostError::Negative)),
        ("", Err(CostError::NotANumber)),
        (".5", Err(CostError::NotANumber)),
        ("5.", Err(CostError::NotANumber)),
        ("1e3", Err(CostError::NotANumber)),
        ("1.000x", Err(CostError::NotANumber)),
        ("1.2.3", Err(CostError::NotANumber)),
        ("+1", Err(CostError::NotANumber)),
        ("inf", Err(CostError::NotANumber)),
    ] {
        assert_eq!(text.parse::<Cost>().map(Cost::milli), expected, "{text}");
    }
}

#[test]
fn numbers_are_rounded_to_the_nearest_thousandth_or_refused() {
    for milli in (0..=100_000).chain([4_000_000_001, u32::MAX]) {
        assert_eq!(
            Cost::try_from_units(f64::from(milli) / 1000.0),
            Ok(Cost::from_milli(milli))
        );
    }
    for milli in 0..=100_000 {
        assert_eq!(
            Cost::try_from_units(milli as f32 / 1000.0),
            Ok(Cost::from_milli(milli))
        );
    }
    assert_eq!(Cost::try_from_units(f32::NAN), Err(CostError::NotANumber));
    assert_eq!(
        Cost::try_from_units(f32::INFINITY),
        Err(CostError::NotANumber)
    );
    assert_eq!(Cost::try_from_units(-0.1), Err(CostError::Negative));
    assert_eq!(
        Cost::try_from_units(4_294_967.3_f64),
        Err(CostError::TooLarge)
    );
    assert_eq!(Cost::try_from_units(f32::MAX), Err(CostError::TooLarge));
    assert_eq!(Cost::try_from_units(4e-4), Err(CostError::TooFine));
    assert_eq!(Cost::try_from_units(-0.0), Ok(Cost::ZERO));
}

#[test]
fn a_cost_prints_what_it_was_read_from() {
    for text in ["0", "2", "0.25", "1.5", "0.001", "4294967.295", "10.01"] {
        assert_eq!(text.parse::<Cost>().unwrap().to_string(), text);
    }
}

#[test]
fn more_than_can_be_counted_is_the_most() {
    let costs = [Cost::from_milli(u32::MAX); 3];
    let prices = Prices {
        run: Cost::from_milli(1),
        contexts: &costs,
    };
    assert_eq!(prices.of_step(VarSet::first(3)), Cost::from_milli(u32::MAX));
    assert_eq!(prices.of_step(VarSet::EMPTY), Cost::from_milli(1));
    let mut ledger = Ledger::new(Cost::from_milli(u32::MAX));
    assert!(ledger.covers(prices.of_step(VarSet::first(3))));
    ledger.charge(prices.of_step(VarSet::first(3)));
    assert_eq!(ledger.remaining(), Cost::ZERO);
}
