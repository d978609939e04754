//! The firmware on an nRF52840: peripherals to pins, tasks to priorities. The wiring is in the README.
#![no_std]
#![no_main]

mod outputs;
mod serial;

use cortex_m as _;
use cortex_m_rt as _;
use defmt_rtt as _;
use embassy_executor::{InterruptExecutor, Spawner};
use embassy_nrf::bind_interrupts;
use embassy_nrf::buffered_uarte;
use embassy_nrf::config::{Config, HfclkSource, LfclkSource};
use embassy_nrf::interrupt::{self, InterruptExt, Priority};
use embassy_nrf::peripherals::{TWISPI0, UARTE0, UARTE1};
use embassy_nrf::twim::{self, Twim};
use embassy_nrf::wdt::{self, Watchdog, WatchdogHandle};
use outputs::Pwm;
use panic_probe as _;
use sadcbo_hardware::{Outputs, WATCHDOG_MILLISECONDS, buffer};

bind_interrupts!(struct Irqs {
    TWISPI0 => twim::InterruptHandler<TWISPI0>;
    UARTE0 => buffered_uarte::InterruptHandler<UARTE0>;
    UARTE1 => buffered_uarte::InterruptHandler<UARTE1>;
});

static EXECUTOR: InterruptExecutor = InterruptExecutor::new();

/// No peripheral uses this interrupt: it belongs to the safety loop.
#[embassy_nrf::interrupt]
unsafe fn EGU0_SWI0() {
    // SAFETY: called from here only, and not before the executor is started.
    unsafe { EXECUTOR.on_interrupt() }
}

#[embassy_executor::task]
async fn safety(i2c: Twim<'static>, outputs: Outputs<Pwm>, mut watchdog: WatchdogHandle) {
    sadcbo_hardware::safety(i2c, outputs, || watchdog.pet()).await
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let mut config = Config::default();
    config.hfclk_source = HfclkSource::ExternalXtal;
    config.lfclk_source = LfclkSource::ExternalXtal;
    let p = embassy_nrf::init(config);

    // 100 kHz and 115 200 baud by default.
    let bus = twim::Config::default();
    let i2c = Twim::new(p.TWISPI0, Irqs, p.P0_26, p.P0_27, bus, buffer!());
    let outputs = Outputs {
        heater: Pwm::new(p.PWM0, p.P1_10),
        cooler: Pwm::new(p.PWM1, p.P1_11),
        humidifier: Pwm::new(p.PWM2, p.P1_12),
        dryer: Pwm::new(p.PWM3, p.P1_13),
    };
    let mut patience = wdt::Config::default();
    patience.timeout_ticks = WATCHDOG_MILLISECONDS * 32_768 / 1_000;
    let watchdog = Watchdog::try_new(p.WDT, patience);
    let Ok((_, [watchdog])) = watchdog else {
        defmt::panic!("the watchdog runs already, with another period");
    };
    interrupt::EGU0_SWI0.set_priority(Priority::P6);
    let safety = safety(i2c, outputs, watchdog);
    EXECUTOR
        .start(interrupt::EGU0_SWI0)
        .spawn(safety.expect("it is started once"));

    let counter = (p.TIMER1, p.PPI_CH0, p.PPI_CH1, p.PPI_GROUP0);
    let (pins, buffers) = ((p.P0_08, p.P0_06), [buffer!(), buffer!()]);
    let console = serial::new(p.UARTE0, counter, pins, Irqs, buffers);
    let counter = (p.TIMER2, p.PPI_CH2, p.PPI_CH3, p.PPI_GROUP1);
    let (pins, buffers) = ((p.P1_01, p.P1_02), [buffer!(), buffer!()]);
    let coater = serial::new(p.UARTE1, counter, pins, Irqs, buffers);
    sadcbo_hardware::attend(console, coater).await
}
