//! What every real board does alike, on the traits of `embedded-hal` and `embedded-io`.
//!
//! A board brings its peripherals: an I²C bus, four PWM outputs, a watchdog, two serial lines. This crate makes an
//! instrument of them: [`safety`] belongs on an interrupt executor, [`attend`] in thread mode.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

mod coater;
mod console;
mod journal;
mod lines;

use embassy_embedded_hal::shared_bus::asynch::i2c::I2cDevice;
use embassy_futures::join::join;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::mutex::Mutex;
use embedded_hal::pwm::SetDutyCycle;
use embedded_hal_async::i2c::I2c;
use embedded_io_async::{Read, Write};
use sadcbo_firmware::actuate::output::{NoOutput, Pair};
use sadcbo_firmware::assembly;
use sadcbo_firmware::desk::Desk;
use sadcbo_firmware::instrument::{CONFIG, CONTEXTS, LoopPlace, SETTINGS};
use sadcbo_firmware::operator::{Command, Panel};
use sadcbo_firmware::watchdog::{Pulse, Watchdog, pulsed};
use static_cell::ConstStaticCell;

use crate::coater::Coater;
use crate::console::Console;
use crate::journal::Journal;

/// Resets the part if it is not fed for so long. The safety loop feeds it every 250 ms.
pub const WATCHDOG_MILLISECONDS: u32 = 1_000;
/// Switching frequency of the outputs: for MOSFETs, too fast for relays.
pub const PWM_HERTZ: u32 = 1_000;
/// Bytes that a serial line can buffer in each direction: the longest line of the console, a record.
pub const SERIAL_BUFFER: usize = 512;

/// A buffer of a serial line, taken once. Every use of the macro is another buffer.
#[macro_export]
macro_rules! buffer {
    () => {{
        static BUFFER: $crate::Buffer = $crate::Buffer::new([0; $crate::SERIAL_BUFFER]);
        BUFFER.take()
    }};
}

/// See [`buffer!`].
pub type Buffer = ConstStaticCell<[u8; SERIAL_BUFFER]>;

// Log lines carry the time since the start.
#[cfg(feature = "defmt")]
defmt::timestamp!("{=u64:ms}", embassy_time::Instant::now().as_millis());

static DESK: Desk<CONTEXTS> = Desk::new();
static PANEL: Panel = Panel::new();
static EXPERIMENT: Pulse = Pulse::new();

/// The outputs of the box, all off until they are set.
pub struct Outputs<P> {
    /// Warms the box.
    pub heater: P,
    /// Cools it.
    pub cooler: P,
    /// Adds moisture.
    pub humidifier: P,
    /// Takes it away, with dry gas.
    pub dryer: P,
}

/// In the order of the fields.
impl<P> From<[P; 4]> for Outputs<P> {
    fn from([heater, cooler, humidifier, dryer]: [P; 4]) -> Self {
        Self {
            heater,
            cooler,
            humidifier,
            dryer,
        }
    }
}

/// A watchdog that a function feeds.
struct Fed<F>(F);

impl<F: FnMut()> Watchdog for Fed<F> {
    fn feed(&mut self) {
        (self.0)();
    }
}

/// The safety loop, for ever. Both sensors are on one bus; `feed` feeds the watchdog.
pub async fn safety<I: I2c, P: SetDutyCycle + Send>(
    i2c: I,
    outputs: Outputs<P>,
    feed: impl FnMut(),
) -> ! {
    let bus = Mutex::<NoopRawMutex, I>::new(i2c);
    let mut temperature = Pair::new(outputs.heater, outputs.cooler);
    let mut humidity = Pair::new(outputs.humidifier, outputs.dryer);
    let mut pressure = NoOutput;
    let mut safety = assembly::safety(
        [I2cDevice::new(&bus), I2cDevice::new(&bus)],
        [&mut temperature, &mut humidity, &mut pressure],
        Fed(feed),
        &EXPERIMENT,
        &DESK,
    );
    safety.run().await
}

/// The experiment and the operator, for ever: the console's receiver and transmitter, then the coater's.
///
/// A run begins when the operator says `resume`: after a reset nothing moves by itself.
pub async fn attend(console: (impl Read, impl Write), coater: (impl Read, impl Write)) -> ! {
    // Kilobytes that must not pass through the stack.
    static PLACE: ConstStaticCell<LoopPlace> = ConstStaticCell::new(LoopPlace::new());
    let (receiver, transmitter) = console;
    let transmitter = Mutex::<NoopRawMutex, _>::new(transmitter);
    // There is room: nobody has said anything yet.
    let _ = PANEL.send(Command::Pause);
    let run = async {
        match PLACE.take().start(CONFIG, SETTINGS) {
            Ok(controller) => {
                let process = Coater::new(coater.0, coater.1);
                let journal = Journal::new(&transmitter);
                let mut experiment =
                    assembly::experiment(controller, &DESK, process, journal, &PANEL);
                let ended = experiment.run().await;
                console::say(&transmitter, format_args!("ended {ended:?}")).await;
            }
            Err(error) => {
                console::say(&transmitter, format_args!("error: {error:?}")).await;
            }
        }
        // The outputs stay under control, and the watchdog sees that somebody is there.
        loop {
            DESK.next().await;
        }
    };
    let mut console = Console::new(receiver, &transmitter, &PANEL);
    let (never, _) = join(pulsed(&EXPERIMENT, run), console.run()).await;
    never
}
