//! Every method runs, keeps to the budget and repeats itself.

use sadcbo_lab::contexts::Law;
use sadcbo_lab::method::{METHODS, Precision};
use sadcbo_lab::run::{Experiment, Prepared, STACK};
use sadcbo_lab::settings::Settings;
use sadcbo_lab::trial::Trial;

fn trial(problem: &str, method: &str, precision: Precision, settings: &[&str]) -> Trial {
    let words: Vec<String> = settings.iter().map(ToString::to_string).collect();
    let experiment = Experiment {
        problem: problem.to_string(),
        method: method.to_string(),
        noise_sd: None,
        precision,
        contexts: Law::Uniform,
        settings: Settings::parse(&words).unwrap(),
    };
    let prepared = Prepared::new(experiment, None).unwrap();
    // As in a run: making a controller takes more stack than a test's thread has.
    let thread = std::thread::Builder::new().stack_size(STACK);
    let running = thread.spawn(move || prepared.trial(3).unwrap()).unwrap();
    let mut trial = running.join().unwrap();
    (trial.ms_per_step, trial.seconds) = (0.0, 0.0);
    trial
}

#[test]
fn every_method_spends_its_budget_and_repeats() {
    for method in METHODS {
        let run = || trial("hartmann4", method.name, Precision::F32, &["budget=30"]);
        let first = run();
        let spent = first.steps.last().unwrap().cost;
        // A step that only records costs 2: less than that may be left over.
        assert!((28.1..=30.0).contains(&spent), "{}: {spent}", method.name);
        assert!(
            first.steps.windows(2).all(|w| w[0].best <= w[1].best),
            "{}",
            method.name
        );
        assert_eq!(first, run(), "{}", method.name);
    }
}

#[test]
fn a_step_costs_what_the_policy_sets() {
    let cost_of_first = |method: &str| {
        let trial = trial("hartmann4", method, Precision::F32, &["budget=30"]);
        trial.chosen().next().unwrap().cost
    };
    // Two designs, five contexts; Dropout sets three of them.
    for (method, cost) in [
        ("cbo", 2.0),
        ("cubo", 2.0),
        ("vbo", 7.0),
        ("dropout", 5.0),
        ("random", 2.0),
    ] {
        assert_eq!(cost_of_first(method), cost, "{method}");
    }
}

#[test]
fn both_precisions_start_from_the_same_data() {
    let [single, double] = [Precision::F32, Precision::F64]
        .map(|precision| trial("eggholder", "sadcbo", precision, &["budget=10"]));
    assert_eq!(single.steps[..10], double.steps[..10]);
    assert_eq!(single.steps.len(), double.steps.len());
}

#[test]
fn the_switch_comes_where_it_is_fixed() {
    let trial = trial(
        "hartmann4",
        "sadcbo",
        Precision::F32,
        &["budget=60", "switch=at:12", "min-steps=1"],
    );
    assert_eq!(trial.switch().map(|(step, _)| step), Some(13));
    let never = self::trial(
        "hartmann4",
        "sadcbo",
        Precision::F32,
        &["budget=60", "switch=never"],
    );
    assert_eq!(never.switch(), None);
}

#[test]
fn sadcbo_beats_chance() {
    let best = |method| {
        trial("hartmann4", method, Precision::F32, &[])
            .steps
            .last()
            .unwrap()
            .best
    };
    assert!(best("sadcbo") > best("random"));
}

#[test]
fn real_costs_are_paid_and_can_be_learnt() {
    let settings = [
        "budget=80",
        "switch=at:3",
        "min-steps=1",
        "true-costs=3,0.5",
    ];
    let run = |method: &str| trial("hartmann4", method, Precision::F32, &settings);
    let [told, running, model] = ["sadcbo", "sadcbo-learned-costs", "sadcbo-cost-model"].map(run);
    for trial in [&told, &running, &model] {
        let mut spent = 0.0;
        for step in trial.chosen() {
            // Recording costs 2; a context at least half of its price, and at most one and a half times that.
            let contexts = step.cost - spent - 2.0;
            let price = |context: &usize| [3.0, 0.5][context % 2];
            let most: f64 = 1.5 * step.selected.iter().map(price).sum::<f64>();
            assert!((-1e-9..=most + 1e-9).contains(&contexts), "{step:?}");
            spent = step.cost;
        }
    }
    // Nothing is known before the first context is actuated: up to there all do the same.
    let alike = told.switch().unwrap().0;
    assert_eq!(told.steps[..20 + alike], running.steps[..20 + alike]);
    assert_eq!(told.steps[..20 + alike], model.steps[..20 + alike]);
    assert_ne!(told, running);
    assert_ne!(running, model);
}

#[test]
fn idle_designs_are_free_and_can_be_frozen() {
    let settings = ["budget=60", "irrelevant-design=3"];
    let run = |method: &str| trial("hartmann4", method, Precision::F32, &settings);
    let (free, frozen) = (run("sadcbo"), run("sadcbo-freeze"));
    assert_eq!(free.chosen().next().unwrap().cost, 2.0);
    assert_ne!(free, frozen);
}
