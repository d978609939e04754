//! Whole experiments in which something goes wrong.

use sadcbo_firmware::experiment::Ended;
use sadcbo_firmware::instrument::TEMPERATURE;
use sadcbo_firmware::operator::Command;
use sadcbo_simulation::{HUMIDITY, Outcome, Phase, Run, Scenario, run, true_quality};

/// How far the best film may be from the best possible one, whose quality is 1.
const LARGEST_REGRET: f32 = 0.05;
/// The same where the humidity is up to the weather.
const REGRET_WITHOUT_HUMIDIFIER: f32 = 0.1;

fn scenario(name: &str, largest_regret: f32) -> Run {
    let run = run(
        1,
        Scenario::named(name).expect("it is one of the scenarios"),
    );
    assert_eq!(run.ended, Ended::BudgetSpent, "{name}");
    let best = run.best.expect("films were made");
    let quality = true_quality(best.point.design, best.point.context[HUMIDITY]);
    assert!(quality >= 1.0 - largest_regret, "{name}: {quality}");
    for record in &run.records {
        let context = record.applied.context;
        assert!(record.output.is_finite(), "{name}");
        // Nothing that a faulted sensor said is among the data.
        assert!((10.0..45.0).contains(&context[0]), "{name}: {context:?}");
        assert!((2.0..90.0).contains(&context[1]), "{name}: {context:?}");
        assert!(
            (900.0..1_100.0).contains(&context[2]),
            "{name}: {context:?}"
        );
    }
    run
}

fn abandoned(run: &Run) -> usize {
    let records = run.records.iter();
    records
        .filter(|record| record.outcome != Outcome::Observed)
        .count()
}

#[test]
fn calm_runs_find_the_best_film_in_any_weather() {
    for seed in 1..=4 {
        let run = run(seed, Scenario::CALM);
        assert_eq!((run.ended, abandoned(&run)), (Ended::BudgetSpent, 0));
        let best = run.best.expect("films were made");
        let quality = true_quality(best.point.design, best.point.context[HUMIDITY]);
        assert!(quality >= 1.0 - LARGEST_REGRET, "seed {seed}: {quality}");
        let late = || {
            let late = run.records.iter();
            late.filter(|r| r.phase == Phase::Optimization && !r.actuated.is_empty())
        };
        let held = late().filter(|r| r.actuated.contains(HUMIDITY)).count();
        assert!(
            held > 5 && held * 10 >= late().count() * 7,
            "seed {seed}: {held} of {}",
            late().count()
        );
        let idle = late().filter(|r| r.actuated.contains(TEMPERATURE)).count();
        assert!(
            idle * 10 <= late().count(),
            "seed {seed}: the temperature does not matter, but was held {idle} times"
        );
    }
}

#[test]
fn sensors_that_fail_again_and_again_are_survived() {
    for name in ["nack", "crc", "frozen", "hang"] {
        assert!(
            abandoned(&scenario(name, LARGEST_REGRET)) > 0,
            "{name}: no step was hit"
        );
    }
}

#[test]
fn a_sensor_that_comes_late_is_waited_for() {
    let run = scenario("no-barometer", LARGEST_REGRET);
    assert_eq!(abandoned(&run), 0);
    // Six minutes and 40 seconds without it.
    assert!(run.seconds > 400);
}

#[test]
fn results_that_are_no_numbers_are_not_learnt() {
    let run = scenario("nan", LARGEST_REGRET);
    assert!(abandoned(&run) > 0);
    for record in &run.records {
        assert_eq!(record.outcome == Outcome::Failed, record.output == 0.0);
    }
}

#[test]
fn a_humidifier_that_does_nothing_is_left_alone_in_the_end() {
    let run = scenario("dead-humidifier", REGRET_WITHOUT_HUMIDIFIER);
    let last = run
        .records
        .iter()
        .rposition(|r| r.outcome == Outcome::Failed);
    let last = last.expect("it was tried");
    assert!(last + 1 < run.records.len(), "the run went on");
    let after = &run.records[last + 1..];
    assert!(
        after
            .iter()
            .all(|record| !record.actuated.contains(HUMIDITY))
    );
}

#[test]
fn a_welded_heater_stops_the_run_until_the_operator_re_arms() {
    let run = scenario("welded-heater", LARGEST_REGRET);
    let warmest = run.records.iter().map(|r| r.applied.context[0]);
    assert!(warmest.fold(0.0, f32::max) < 45.0);
    assert!(run.seconds > 4_200, "nothing was done before the command");
}

/// What the operator says is done, while the run goes on: the commands of the scenario, one after the other.
#[test]
fn the_operator_is_obeyed() {
    let run = scenario("operator", LARGEST_REGRET);
    let commands = Scenario::named("operator").expect("it is there").commands;
    let when = |wanted: Command| {
        let found = commands.iter().find(|(_, command)| *command == wanted);
        u64::from(found.expect("the operator says it").0)
    };
    let said = commands.iter().find_map(|(second, command)| match command {
        Command::Pin(HUMIDITY, value) => Some((u64::from(*second), *value)),
        _ => None,
    });
    let (pinned, value) = said.expect("the operator pins the humidity");
    let records = || run.times.iter().copied().zip(&run.records);
    // A step that had begun is finished; the next begins after the pause, and takes longer than a minute.
    let (pause, resume) = (when(Command::Pause), when(Command::Resume));
    assert!(records().all(|(time, _)| time < pause + 120 || time > resume + 60));
    assert!(records().any(|(time, _)| time > resume && time < resume + 300));
    // One step was skipped, at once, and gave no data.
    let skip = when(Command::Skip);
    let failed: Vec<_> = records()
        .filter(|(_, r)| r.outcome != Outcome::Observed)
        .collect();
    assert_eq!(failed.len(), 1);
    assert!((skip..=skip + 1).contains(&failed[0].0), "{}", failed[0].0);
    // The temperature is left alone to the end; the humidity is held without being decided on, then decided on again.
    let alone = when(Command::LeaveAlone(TEMPERATURE)) + 120;
    let late = records().filter(|(time, _)| *time > alone);
    assert!(late.clone().count() > 10);
    assert!(late.clone().all(|(_, r)| !r.actuated.contains(TEMPERATURE)));
    let released = when(Command::Release(HUMIDITY));
    let held = records().filter(|(time, _)| (pinned + 400..released).contains(time));
    assert!(held.clone().count() > 5);
    for (time, record) in held {
        let humidity = record.applied.context[HUMIDITY];
        assert!((humidity - value).abs() < 2.0, "{time} s: {humidity}");
        assert!(!record.actuated.contains(HUMIDITY), "{time} s");
        assert!((record.ambient[HUMIDITY] - value).abs() < 2.0, "{time} s");
    }
    let after = records().filter(|(time, r)| *time > released + 120 && !r.actuated.is_empty());
    let chosen = after.clone().filter(|(_, r)| r.actuated.contains(HUMIDITY));
    assert!(chosen.count() * 2 > after.count());
    assert!(run.records.iter().any(|r| r.phase == Phase::Optimization));
}
