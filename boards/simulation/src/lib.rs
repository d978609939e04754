//! The firmware and its room on the host: a rehearsal, and the yardstick for an emulated board.
//!
//! Time passes only when everything waits, so hours take seconds. The code is that of the boards, from the driver's bytes
//! to the record; only the clock, the priorities and the watchdog are missing.
#![forbid(unsafe_code)]

use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use embassy_futures::select::{Either3, select3};
use embassy_time::{Duration, Instant, MockDriver, Timer};
use sadcbo::{Best, StepRecord};
use sadcbo_chamber::bus::Bus;
use sadcbo_chamber::coater::Coater;
use sadcbo_chamber::pwm::pair;
use sadcbo_chamber::world::World;
use sadcbo_firmware::actuate::output::NoOutput;
use sadcbo_firmware::assembly;
use sadcbo_firmware::desk::Desk;
use sadcbo_firmware::experiment::{Ended, Journal, NotKept};
use sadcbo_firmware::instrument::{CONTROLLER, DESIGN};
use sadcbo_firmware::operator::Panel;
use sadcbo_firmware::watchdog::{Pulse, Watchdog, pulsed};

// What is needed to judge a run.
pub use sadcbo::{Outcome, Phase};
pub use sadcbo_chamber::scenario::Scenario;
pub use sadcbo_chamber::world::true_quality;
pub use sadcbo_firmware::instrument::{CONFIG, CONTEXTS, HUMIDITY};
pub use sadcbo_firmware::record;

/// A record of this instrument.
pub type Record = StepRecord<DESIGN, CONTEXTS>;

/// A whole run.
pub struct Run {
    /// Why it ended.
    pub ended: Ended,
    /// Every step.
    pub records: Vec<Record>,
    /// In which second each of them was written down.
    pub times: Vec<u64>,
    /// The best film.
    pub best: Option<Best<DESIGN, CONTEXTS>>,
    /// Seconds in the room.
    pub seconds: u64,
}

/// There is one clock: runs take turns.
static CLOCK: Mutex<()> = Mutex::new(());

/// Runs a whole experiment in the room of this seed.
pub fn run(seed: u32, scenario: Scenario) -> Run {
    let _turn = CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    MockDriver::get().reset();
    let world = World::new(seed, scenario).shared();
    let (desk, panel, pulse) = (Desk::new(), Panel::new(), Pulse::new());
    let mut outputs = (pair(&world, 0), pair(&world, 1), NoOutput);
    let mut safety = assembly::safety(
        [Bus(&world), Bus(&world)],
        [&mut outputs.0, &mut outputs.1, &mut outputs.2],
        Strict,
        &pulse,
        &desk,
    );
    let mut controller = CONTROLLER;
    let (mut records, mut times) = (Vec::new(), Vec::new());
    let mut experiment = assembly::experiment(
        &mut controller,
        &desk,
        Coater::new(&world),
        Notebook(&mut records, &mut times),
        &panel,
    );
    let operator = async {
        for &(second, command) in scenario.commands {
            Timer::at(Instant::from_secs(u64::from(second))).await;
            // There is room: nobody else gives commands.
            let _ = panel.send(command);
        }
        std::future::pending::<()>().await
    };
    let whole = select3(safety.run(), pulsed(&pulse, experiment.run()), operator);
    let ended = match block_on(whole) {
        Either3::Second(ended) => ended,
        Either3::First(never) => never,
        Either3::Third(()) => unreachable!("the operator never leaves"),
    };
    Run {
        ended,
        records,
        best: controller.best(),
        times,
        seconds: Instant::now().as_secs(),
    }
}

/// Records in memory.
struct Notebook<'a>(&'a mut Vec<Record>, &'a mut Vec<u64>);

impl Journal<DESIGN, CONTEXTS> for Notebook<'_> {
    async fn append(&mut self, record: &Record) -> Result<(), NotKept> {
        self.0.push(*record);
        self.1.push(Instant::now().as_secs());
        Ok(())
    }
}

/// The host has nothing to reset.
struct Strict;

impl Watchdog for Strict {
    fn feed(&mut self) {}
}

/// Runs a future; whenever it waits, a millisecond passes.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        MockDriver::get().advance(Duration::from_millis(1));
    }
}
