//! The experiment with contexts, plant and journal that the test looks into.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use std::cell::RefCell;
use std::rc::Rc;

use sadcbo::{
    Action, Config, ContextVariable, Controller, Cost, Decision, DesignVariable, Outcome, Settings,
    StepRecord, VarSet, Work,
};
use sadcbo_firmware::experiment::{
    Abandon, ContextSource, Ended, Experiment, Journal, NotKept, Plant, Rules, Unready,
};
use sadcbo_firmware::operator::{Command, Panel};
use sadcbo_firmware::sense::median::Reading;
use support::block_on;

const UNIT: Cost = Cost::from_milli(1_000);

fn controller(budget: u32) -> Controller<32, 1, 2> {
    let config = Config::<1, 2, f32>::new(
        [DesignVariable::new("x", "", 0.0, 1.0)],
        [
            ContextVariable::actuated("a", "", 0.0, 1.0, UNIT),
            ContextVariable::actuated("b", "", 0.0, 1.0, UNIT),
        ],
        UNIT,
        Cost::from_milli(budget * 1_000),
    );
    let settings = Settings {
        initial_points: 3,
        initial_actuation: true,
        work: Work::FAST,
        ..Settings::default()
    };
    Controller::new(config, settings).expect("the configuration is sound")
}

/// What happens in the room and on the bench, step by step.
#[derive(Default)]
struct World {
    /// What `apply` answers, by step; all is well after the last.
    apply: Vec<Result<(), Abandon>>,
    /// What `measure` answers, by call; all is well after the last.
    measure: Vec<Result<f32, Abandon>>,
    /// What the journal answers, by call.
    append: Vec<Result<(), NotKept>>,
    /// How often the contexts are not ready before they are.
    unready: u32,
    decisions: Vec<(u32, VarSet)>,
    pinned: Vec<(usize, Option<f32>)>,
    rearmed: u32,
    released: u32,
    records: Vec<StepRecord<1, 2>>,
    point: [f32; 3],
}

#[derive(Clone, Default)]
struct Bench(Rc<RefCell<World>>);

fn next<T>(answers: &mut Vec<T>, usual: T) -> T {
    if answers.is_empty() {
        usual
    } else {
        answers.remove(0)
    }
}

impl ContextSource<2> for Bench {
    async fn read(&mut self) -> Result<[Reading; 2], Unready> {
        embassy_futures::yield_now().await;
        let mut world = self.0.borrow_mut();
        if world.unready > 0 {
            world.unready -= 1;
            return Err(Unready::Sensor(0, None));
        }
        Ok([0.4, 0.6].map(|value| Reading { value, spread: 0.0 }))
    }

    /// There are no slots here.
    fn step_over(&mut self) {}
}

impl Plant<1, 2> for Bench {
    async fn apply(&mut self, decision: &Decision<1, 2>) -> Result<[f32; 1], Abandon> {
        embassy_futures::yield_now().await;
        let mut world = self.0.borrow_mut();
        world.decisions.push((decision.step(), decision.actuated()));
        let value = |index: usize| match decision.action(index) {
            Action::Actuate(value) => value,
            Action::Record => decision.ambient()[index],
        };
        world.point = [decision.design()[0], value(0), value(1)];
        next(&mut world.apply, Ok(()))?;
        Ok(*decision.design())
    }

    async fn measure(&mut self) -> Result<(f32, [f32; 2]), Abandon> {
        embassy_futures::yield_now().await;
        let mut world = self.0.borrow_mut();
        let [x, a, b] = world.point;
        // What was reached is never quite what was asked for.
        let contexts = [a + 0.01, b - 0.01];
        let output = 1.0 - (x - 0.3) * (x - 0.3) - (a - 0.7) * (a - 0.7);
        let output = next(&mut world.measure, Ok(output))?;
        Ok((output, contexts))
    }

    fn release(&mut self) {
        self.0.borrow_mut().released += 1;
    }

    fn pin(&mut self, context: usize, value: Option<f32>) {
        self.0.borrow_mut().pinned.push((context, value));
    }

    fn rearm(&mut self) {
        self.0.borrow_mut().rearmed += 1;
    }
}

impl Journal<1, 2> for Bench {
    async fn append(&mut self, record: &StepRecord<1, 2>) -> Result<(), NotKept> {
        let mut world = self.0.borrow_mut();
        let answer = next(&mut world.append, Ok(()));
        if answer.is_ok() {
            world.records.push(*record);
        }
        answer
    }
}

fn run(bench: &Bench, panel: &Panel, budget: u32) -> Ended {
    let mut controller = controller(budget);
    let parts = (bench.clone(), bench.clone(), bench.clone());
    let mut experiment = Experiment::new(
        &mut controller,
        parts.0,
        parts.1,
        parts.2,
        panel,
        Rules::DEFAULT,
    );
    block_on(experiment.run())
}

#[test]
fn a_run_spends_its_budget_and_learns_what_was_really_reached() {
    let bench = Bench::default();
    assert_eq!(run(&bench, &Panel::new(), 20), Ended::BudgetSpent);
    let world = bench.0.borrow();
    let spent: u32 = world.records.iter().map(|record| record.cost.milli()).sum();
    assert_eq!(spent, 20_000);
    for record in &world.records {
        assert_eq!(record.outcome, Outcome::Observed);
        let off = record.applied.context[0] - record.asked.context[0];
        assert!((off - 0.01).abs() < 1e-6, "{off}");
    }
    assert_eq!(world.released as usize, world.records.len() + 1);
}

#[test]
fn contexts_that_are_not_there_are_waited_for() {
    let bench = Bench::default();
    bench.0.borrow_mut().unready = 1_000;
    assert_eq!(run(&bench, &Panel::new(), 6), Ended::BudgetSpent);
    assert!(
        bench
            .0
            .borrow()
            .records
            .iter()
            .all(|r| r.outcome == Outcome::Observed)
    );
}

#[test]
fn an_abandoned_step_costs_what_was_used_and_leaves_no_data() {
    let bench = Bench::default();
    bench.0.borrow_mut().apply = vec![Err(Abandon::Sensor(1))];
    bench.0.borrow_mut().measure = vec![
        Ok(0.5),
        Err(Abandon::Measurement),
        Ok(f32::NAN),
        Ok(f32::INFINITY),
    ];
    run(&bench, &Panel::new(), 30);
    let world = bench.0.borrow();
    let [first, second, third, fourth] = &world.records[..4] else {
        unreachable!()
    };
    // Both actuators had been on; the film itself was not made.
    assert_eq!(
        (first.outcome, first.cost.milli()),
        (Outcome::Failed, 2_000)
    );
    assert_eq!((second.outcome, second.output), (Outcome::Observed, 0.5));
    // Three attempts, none a number: the film is gone.
    assert_eq!(
        (third.outcome, third.cost.milli()),
        (Outcome::Failed, 3_000)
    );
    assert_eq!(fourth.outcome, Outcome::Observed);
}

#[test]
fn a_context_that_refuses_twice_is_left_alone() {
    let bench = Bench::default();
    bench.0.borrow_mut().apply = vec![Err(Abandon::NotReached(1)); 2];
    assert_eq!(run(&bench, &Panel::new(), 30), Ended::BudgetSpent);
    let world = bench.0.borrow();
    for (step, actuated) in &world.decisions {
        assert_eq!(actuated.contains(1), *step < 2, "step {step}");
    }
    assert!(
        world
            .decisions
            .iter()
            .any(|(_, actuated)| actuated.contains(0))
    );
}

#[test]
fn a_run_that_only_fails_ends() {
    let bench = Bench::default();
    bench.0.borrow_mut().apply = vec![Err(Abandon::Design); 100];
    assert_eq!(run(&bench, &Panel::new(), 1_000), Ended::TooManyFailures);
    let world = bench.0.borrow();
    assert_eq!(world.records.len(), 10);
    assert!(world.records.iter().all(|r| r.outcome == Outcome::Rejected));
}

#[test]
fn a_journal_that_fails_is_tried_again_and_then_ends_the_run() {
    let bench = Bench::default();
    bench.0.borrow_mut().append = vec![
        Err(NotKept),
        Err(NotKept),
        Ok(()),
        Err(NotKept),
        Err(NotKept),
        Err(NotKept),
    ];
    assert_eq!(run(&bench, &Panel::new(), 30), Ended::Journal);
    assert_eq!(bench.0.borrow().records.len(), 1);
}

#[test]
fn the_operator_pins_releases_and_stops() {
    let (bench, panel) = (Bench::default(), Panel::new());
    for command in [Command::Pin(0, 0.5), Command::LeaveAlone(1), Command::Rearm] {
        assert_eq!(panel.send(command), Ok(()));
    }
    assert_eq!(run(&bench, &panel, 5), Ended::BudgetSpent);
    let world = bench.0.borrow();
    assert_eq!(world.pinned, [(0, Some(0.5)), (1, None)]);
    assert_eq!(world.rearmed, 1);
    assert!(
        world
            .decisions
            .iter()
            .all(|(_, actuated)| actuated.is_empty())
    );
    drop(world);

    let (bench, panel) = (Bench::default(), Panel::new());
    for command in [
        Command::LeaveAlone(1),
        Command::Release(1),
        Command::Pause,
        Command::Resume,
    ] {
        assert_eq!(panel.send(command), Ok(()));
    }
    run(&bench, &panel, 5);
    let world = bench.0.borrow();
    assert!(
        world
            .decisions
            .iter()
            .any(|(_, actuated)| actuated.contains(1))
    );
    drop(world);

    let (bench, panel) = (Bench::default(), Panel::new());
    for command in [Command::Pause, Command::Stop] {
        assert_eq!(panel.send(command), Ok(()));
    }
    assert_eq!(run(&bench, &panel, 5), Ended::Stopped);
    assert!(bench.0.borrow().records.is_empty());
}

#[test]
fn a_full_panel_hands_the_command_back() {
    let panel = Panel::new();
    while panel.send(Command::Pause).is_ok() {}
    assert_eq!(panel.send(Command::Stop), Err(Command::Stop));
    // Skipping does not queue.
    assert_eq!(panel.send(Command::Skip), Ok(()));
}
