//! The firmware on an RP2350: peripherals to pins, tasks to priorities. The wiring is in the README.
#![no_std]
#![no_main]

mod outputs;

use cortex_m as _;
use cortex_m_rt as _;
use defmt_rtt as _;
use embassy_executor::{InterruptExecutor, Spawner};
use embassy_rp::bind_interrupts;
use embassy_rp::i2c::{self, Async, I2c};
use embassy_rp::interrupt::{self, InterruptExt, Priority};
use embassy_rp::peripherals::{I2C0, UART0, UART1};
use embassy_rp::pwm::PwmOutput;
use embassy_rp::uart::{self, BufferedUart};
use embassy_rp::watchdog::Watchdog;
use embassy_time::Duration;
use panic_probe as _;
use sadcbo_hardware::{Outputs, WATCHDOG_MILLISECONDS, buffer};

bind_interrupts!(struct Irqs {
    I2C0_IRQ => i2c::InterruptHandler<I2C0>;
    UART0_IRQ => uart::BufferedInterruptHandler<UART0>;
    UART1_IRQ => uart::BufferedInterruptHandler<UART1>;
});

const PATIENCE: Duration = Duration::from_millis(WATCHDOG_MILLISECONDS as u64);

static EXECUTOR: InterruptExecutor = InterruptExecutor::new();

/// No peripheral has this interrupt: it belongs to the safety loop.
#[embassy_rp::interrupt]
unsafe fn SWI_IRQ_0() {
    // SAFETY: called from here only, and not before the executor is started.
    unsafe { EXECUTOR.on_interrupt() }
}

#[embassy_executor::task]
async fn safety(
    i2c: I2c<'static, I2C0, Async>,
    outputs: Outputs<PwmOutput<'static>>,
    mut watchdog: Watchdog,
) {
    watchdog.start(PATIENCE);
    sadcbo_hardware::safety(i2c, outputs, || watchdog.feed(PATIENCE)).await
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let p = embassy_rp::init(Default::default());

    // 100 kHz by default, and 115 200 baud below.
    let i2c = I2c::new_async(p.I2C0, p.PIN_5, p.PIN_4, Irqs, i2c::Config::default());
    let (thermal, moist) = ((p.PIN_16, p.PIN_17), (p.PIN_18, p.PIN_19));
    let outputs = outputs::new(p.PWM_SLICE0, thermal, p.PWM_SLICE1, moist);
    interrupt::SWI_IRQ_0.set_priority(Priority::P2);
    let safety = safety(i2c, outputs, Watchdog::new(p.WATCHDOG));
    EXECUTOR
        .start(interrupt::SWI_IRQ_0)
        .spawn(safety.expect("it is started once"));

    let (pins, serial) = ((p.PIN_0, p.PIN_1), uart::Config::default());
    let console = BufferedUart::new(p.UART0, pins.0, pins.1, Irqs, buffer!(), buffer!(), serial);
    let (pins, serial) = ((p.PIN_8, p.PIN_9), uart::Config::default());
    let coater = BufferedUart::new(p.UART1, pins.0, pins.1, Irqs, buffer!(), buffer!(), serial);
    let (console_out, console_in) = console.split();
    let (coater_out, coater_in) = coater.split();
    sadcbo_hardware::attend((console_in, console_out), (coater_in, coater_out)).await
}
