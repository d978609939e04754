//! A buffered serial line: a UARTE, a timer that counts its bytes, and what connects the two.

use embassy_nrf::Peri;
use embassy_nrf::buffered_uarte::{
    BufferedUarte, BufferedUarteRx, BufferedUarteTx, InterruptHandler,
};
use embassy_nrf::gpio::Pin;
use embassy_nrf::interrupt::typelevel::Binding;
use embassy_nrf::ppi::{ConfigurableChannel, Group};
use embassy_nrf::timer;
use embassy_nrf::uarte::{Config, Instance};
use sadcbo_hardware::SERIAL_BUFFER;

/// A timer, two channels and a group of them: what counts the received bytes.
type Counter<T, A, B, G> = (
    Peri<'static, T>,
    Peri<'static, A>,
    Peri<'static, B>,
    Peri<'static, G>,
);

/// Receiver and transmitter at 115 200 baud, the driver's default. The pins and the buffers are in this order too.
pub fn new<U: Instance>(
    uarte: Peri<'static, U>,
    counter: Counter<
        impl timer::Instance,
        impl ConfigurableChannel,
        impl ConfigurableChannel,
        impl Group,
    >,
    pins: (Peri<'static, impl Pin>, Peri<'static, impl Pin>),
    irqs: impl Binding<U::Interrupt, InterruptHandler<U>> + 'static,
    buffers: [&'static mut [u8; SERIAL_BUFFER]; 2],
) -> (BufferedUarteRx<'static>, BufferedUarteTx<'static>) {
    let (timer, first, second, group) = counter;
    let (receive, transmit) = pins;
    let [input, output] = buffers;
    let config = Config::default();
    let line = BufferedUarte::new(
        uarte, timer, first, second, group, receive, transmit, irqs, config, input, output,
    );
    line.split()
}
