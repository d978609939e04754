//! The firmware, in a simulated room. Arguments: seed, scenario.
//!
//! The safety loop runs on an interrupt, the experiment in thread mode. Everything is logged with defmt: a line per
//! decision, `record` with the bytes of each step, `figure` with what was measured.

use defmt_semihosting as _;
use embassy_time::{Instant, Timer};
use sadcbo_chamber::bus::Bus;
use sadcbo_chamber::coater::Coater;
use sadcbo_chamber::pwm::pair;
use sadcbo_chamber::world::{Shared, World};
use sadcbo_firmware::actuate::output::NoOutput;
use sadcbo_firmware::assembly;
use sadcbo_firmware::desk::Desk;
use sadcbo_firmware::experiment::Ended;
use sadcbo_firmware::instrument::{CONFIG, CONTEXTS, LoopPlace, SETTINGS};
use sadcbo_firmware::operator::{Command, Panel};
use sadcbo_firmware::watchdog::{Pulse, pulsed};
use static_cell::{ConstStaticCell, StaticCell};

use crate::arguments::Arguments;
use crate::journal::Journal;
use crate::watchdog::Watchdog;
use crate::{Machine, arch, exit, stack, thread, time};

static DESK: Desk<CONTEXTS> = Desk::new();
static PANEL: Panel = Panel::new();
static EXPERIMENT: Pulse = Pulse::new();

defmt::timestamp!("{=u64:ms}", Instant::now().as_millis());

#[embassy_executor::task]
async fn safety(world: &'static Shared) {
    let mut outputs = (pair(world, 0), pair(world, 1), NoOutput);
    let mut safety = assembly::safety(
        [Bus(world), Bus(world)],
        [&mut outputs.0, &mut outputs.1, &mut outputs.2],
        Watchdog,
        &EXPERIMENT,
        &DESK,
    );
    safety.run().await
}

#[embassy_executor::task]
async fn operator(commands: &'static [(u32, Command)]) {
    for &(second, command) in commands {
        Timer::at(Instant::from_secs(u64::from(second))).await;
        // There is room: nobody else gives commands.
        let _ = PANEL.send(command);
    }
}

/// Runs a whole experiment and ends the emulation.
pub fn run(machine: Machine) -> ! {
    static WORLD: StaticCell<Shared> = StaticCell::new();
    // Kilobytes that must not pass through the stack.
    static PLACE: ConstStaticCell<LoopPlace> = ConstStaticCell::new(LoopPlace::new());
    arch::paint_stack();
    time::set_up(machine);
    let arguments = Arguments::read();
    let scenario = arguments.scenario;
    let spawner = arch::start_executor();
    thread::set_up(machine);
    let world = WORLD.init_with(|| World::new(arguments.seed, scenario).shared());
    spawner.spawn(safety(world).expect("it is started once"));
    spawner.spawn(operator(scenario.commands).expect("it is started once"));
    let controller = PLACE.take().start(CONFIG, SETTINGS);
    let mut experiment = assembly::experiment(
        controller.expect("the settings are sound"),
        &DESK,
        Coater::new(world),
        Journal {
            sabotage: arguments.sabotage,
        },
        &PANEL,
    );
    let ended = thread::run(async {
        let ended = pulsed(&EXPERIMENT, experiment.run()).await;
        let timing = DESK.next().await.timing;
        defmt::println!("figure safety_latest_us {=u32}", timing.latest);
        defmt::println!("figure safety_missed {=u32}", timing.missed);
        defmt::println!("figure stack_peak {=usize}", stack::peak());
        defmt::println!("figure seconds {=u64}", Instant::now().as_secs());
        ended
    });
    exit(match ended {
        Ended::BudgetSpent | Ended::Full | Ended::Stopped => 0,
        _ => 1,
    })
}
