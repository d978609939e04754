//! The firmware on an STM32F411: peripherals to pins, tasks to priorities. The wiring is in the README.
#![no_std]
#![no_main]

mod clock;
mod outputs;

use cortex_m_rt as _;
use defmt_rtt as _;
use embassy_executor::{InterruptExecutor, Spawner};
use embassy_stm32::i2c::{self, I2c, Master};
use embassy_stm32::interrupt::{self, InterruptExt, Priority};
use embassy_stm32::mode::Async;
use embassy_stm32::peripherals::{DMA1_CH0, DMA1_CH6, I2C1, IWDG, USART1, USART2};
use embassy_stm32::usart::{self, BufferedUart};
use embassy_stm32::wdg::IndependentWatchdog;
use embassy_stm32::{bind_interrupts, dma};
use panic_probe as _;
use sadcbo_hardware::{Outputs, WATCHDOG_MILLISECONDS, buffer};

bind_interrupts!(struct Irqs {
    I2C1_EV => i2c::EventInterruptHandler<I2C1>;
    I2C1_ER => i2c::ErrorInterruptHandler<I2C1>;
    DMA1_STREAM0 => dma::InterruptHandler<DMA1_CH0>;
    DMA1_STREAM6 => dma::InterruptHandler<DMA1_CH6>;
    USART1 => usart::BufferedInterruptHandler<USART1>;
    USART2 => usart::BufferedInterruptHandler<USART2>;
});

static EXECUTOR: InterruptExecutor = InterruptExecutor::new();

/// No pin uses this line: it belongs to the safety loop.
#[embassy_stm32::interrupt]
unsafe fn EXTI0() {
    // SAFETY: called from here only, and not before the executor is started.
    unsafe { EXECUTOR.on_interrupt() }
}

#[embassy_executor::task]
async fn safety(
    i2c: I2c<'static, Async, Master>,
    outputs: Outputs<outputs::Pwm>,
    mut watchdog: IndependentWatchdog<'static, IWDG>,
) {
    watchdog.unleash();
    sadcbo_hardware::safety(i2c, outputs, || watchdog.pet()).await
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let p = embassy_stm32::init(clock::config());

    // 100 kHz and 115 200 baud by default.
    let bus = i2c::Config::default();
    let i2c = I2c::new(p.I2C1, p.PB8, p.PB9, p.DMA1_CH6, p.DMA1_CH0, Irqs, bus);
    let outputs = outputs::new(p.TIM3, p.PA6, p.PA7, p.PB0, p.PB1);
    let watchdog = IndependentWatchdog::new(p.IWDG, 1_000 * WATCHDOG_MILLISECONDS);
    interrupt::EXTI0.set_priority(Priority::P6);
    let safety = safety(i2c, outputs, watchdog);
    EXECUTOR
        .start(interrupt::EXTI0)
        .spawn(safety.expect("it is started once"));

    let serial = usart::Config::default();
    let console = BufferedUart::new(p.USART2, p.PA3, p.PA2, buffer!(), buffer!(), Irqs, serial);
    let coater = BufferedUart::new(p.USART1, p.PA10, p.PA9, buffer!(), buffer!(), Irqs, serial);
    let (console_out, console_in) = console.expect("the rate can be set").split();
    let (coater_out, coater_in) = coater.expect("the rate can be set").split();
    sadcbo_hardware::attend((console_in, console_out), (coater_in, coater_out)).await
}
