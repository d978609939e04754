//! The firmware, in a simulated room. Arguments: seed, scenario.
//!
//! The safety loop runs on an interrupt, the experiment in thread mode. Everything is logged with defmt: a line per
//! decision, `record` with the bytes of each step, `figure` with what was measured.
#![no_std]
#![no_main]

use core::fmt::Write;

use cortex_m_rt::entry;
use defmt_semihosting as _;
use embassy_time::{Delay, Instant, Timer};
use heapless::String;
use sadcbo::StepRecord;
use sadcbo_chamber::bus::Bus;
use sadcbo_chamber::coater::Coater;
use sadcbo_chamber::pwm::pair;
use sadcbo_chamber::scenario::Scenario;
use sadcbo_chamber::world::{Shared, World};
use sadcbo_firmware::actuate::output::NoOutput;
use sadcbo_firmware::desk::Desk;
use sadcbo_firmware::experiment::{Ended, Experiment, Journal, NotKept};
use sadcbo_firmware::instrument::{
    ACCEPTABLE, BoxSensors, CHANNELS, CONFIG, CONTEXTS, DESIGN, LoopPlace, RULES, SETTINGS, SILENCE,
};
use sadcbo_firmware::operator::{Command, Panel};
use sadcbo_firmware::record;
use sadcbo_firmware::rig::{Rig, Surroundings};
use sadcbo_firmware::safety::Safety;
use sadcbo_firmware::sense::barometer::Barometer;
use sadcbo_firmware::sense::hygrometer::Hygrometer;
use sadcbo_firmware::watchdog::{Attention, Pulse, pulsed};
use sadcbo_qemu_mps2_an386::counter::Counter;
use sadcbo_qemu_mps2_an386::watchdog::Watchdog;
use sadcbo_qemu_mps2_an386::{exit, stack, start_executor, thread};
use static_cell::{ConstStaticCell, StaticCell};

static DESK: Desk<CONTEXTS> = Desk::new();
static PANEL: Panel = Panel::new();
static EXPERIMENT: Pulse = Pulse::new();

defmt::timestamp!("{=u64:ms}", Instant::now().as_millis());

#[embassy_executor::task]
async fn safety(world: &'static Shared) {
    let mut outputs = (pair(world, 0), pair(world, 1), NoOutput);
    let sensors = BoxSensors {
        hygrometer: Hygrometer::new(Bus(world), Delay),
        barometer: Barometer::new(Bus(world), Delay),
    };
    let mut safety = Safety::new(
        CHANNELS,
        sensors,
        [&mut outputs.0, &mut outputs.1, &mut outputs.2],
        Watchdog,
        Attention::new(&EXPERIMENT, SILENCE),
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

#[entry]
fn main() -> ! {
    static WORLD: StaticCell<Shared> = StaticCell::new();
    // Kilobytes that must not pass through the stack.
    static PLACE: ConstStaticCell<LoopPlace> = ConstStaticCell::new(LoopPlace::new());
    let counter = Counter::start();
    let Some(peripherals) = cortex_m::Peripherals::take() else {
        exit(1)
    };
    let arguments = Arguments::read();
    let scenario = arguments.scenario;
    let spawner = start_executor(peripherals.NVIC);
    let world = WORLD.init_with(|| World::new(arguments.seed, scenario).shared());
    spawner.spawn(safety(world).expect("it is started once"));
    spawner.spawn(operator(scenario.commands).expect("it is started once"));
    let controller = PLACE.take().start(CONFIG, SETTINGS);
    let mut experiment = Experiment::new(
        controller.expect("the settings are sound"),
        Surroundings {
            desk: &DESK,
            slot: RULES.slot,
        },
        Rig {
            desk: &DESK,
            process: Coater::new(world),
            slot: RULES.slot,
            acceptable: ACCEPTABLE,
            pinned: [None; CONTEXTS],
        },
        Log {
            sabotage: arguments.sabotage,
        },
        &PANEL,
        RULES,
    );
    let ended = thread::run(&counter, async {
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

/// What the emulator was told.
struct Arguments {
    seed: u32,
    scenario: Scenario,
    sabotage: Option<Sabotage>,
}

/// What the image does to itself, to show what becomes of it.
#[derive(Clone, Copy)]
enum Sabotage {
    Panic,
    Stall,
    Overflow,
}

impl Arguments {
    fn read() -> Self {
        let mut read = Self {
            seed: 1,
            scenario: Scenario::CALM,
            sabotage: None,
        };
        let Ok(arguments) = semihosting::experimental::env::args::<64>() else {
            return read;
        };
        for argument in &arguments {
            let mut word: String<32> = String::new();
            let _ = write!(word, "{}", argument.unwrap_or(""));
            match word.as_str() {
                "panic" => read.sabotage = Some(Sabotage::Panic),
                "stall" => read.sabotage = Some(Sabotage::Stall),
                "overflow" => read.sabotage = Some(Sabotage::Overflow),
                name => {
                    read.seed = name.parse().unwrap_or(read.seed);
                    read.scenario = Scenario::named(name).unwrap_or(read.scenario);
                }
            }
        }
        read
    }
}

/// Records to the host, as bytes.
struct Log {
    sabotage: Option<Sabotage>,
}

impl Journal<DESIGN, CONTEXTS> for Log {
    async fn append(&mut self, record: &StepRecord<DESIGN, CONTEXTS>) -> Result<(), NotKept> {
        let mut buffer = [0; record::length(DESIGN, CONTEXTS)];
        let bytes = record::encode(record, &mut buffer).ok_or(NotKept)?;
        defmt::println!("record {=[u8]:02x}", bytes);
        defmt::println!(
            "figure step_instructions_{=u32} {=u32}",
            record.step,
            thread::instructions_taken()
        );
        match self.sabotage {
            Some(Sabotage::Panic) if record.step == 2 => panic!("asked to panic in step 2"),
            Some(Sabotage::Stall) if record.step == 2 => loop {
                cortex_m::asm::nop();
            },
            Some(Sabotage::Overflow) if record.step == 2 => {
                defmt::println!("figure overflowed {=u32}", overflow(1));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Needs more stack than there is.
#[inline(never)]
fn overflow(depth: u32) -> u32 {
    let frame = core::hint::black_box([depth; 64]);
    if depth == 1_000 {
        return depth;
    }
    overflow(core::hint::black_box(depth + 1)) + frame[0]
}
