//! The sensors' bytes, through the real drivers, on a scripted bus.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use embedded_hal_async::i2c::{ErrorKind, NoAcknowledgeSource};
use embedded_hal_mock::eh1::delay::NoopDelay;
use embedded_hal_mock::eh1::i2c::{Mock, Transaction};
use sadcbo_firmware::sense::Fault;
use sadcbo_firmware::sense::barometer::Barometer;
use sadcbo_firmware::sense::hygrometer::Hygrometer;
use support::block_on;

const NACK: ErrorKind = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);

/// 25 °C and 50 %RH: 0x6666 is 0.4 of the range of 175 K above -45 °C, 0x8000 half of 100 %. The checksums are those of
/// the data sheet's polynomial 0x31 with the initial value 0xff.
const CLIMATE: [u8; 6] = [0x66, 0x66, 0x93, 0x80, 0x00, 0xa2];

fn trigger() -> Transaction {
    Transaction::write(0x44, vec![0x24, 0x00])
}

fn answer(bytes: [u8; 6]) -> Transaction {
    Transaction::read(0x44, bytes.to_vec())
}

#[test]
fn hygrometer_reads_checks_and_names_what_is_wrong() {
    let mut broken = CLIMATE;
    broken[4] ^= 0x10;
    let script = [
        trigger().with_error(NACK),
        trigger(),
        answer(CLIMATE),
        trigger(),
        answer(broken),
        trigger(),
        answer(CLIMATE).with_error(NACK),
        trigger(),
        answer(CLIMATE),
    ];
    let mut bus = Mock::new(&script);
    let mut hygrometer = Hygrometer::new(bus.clone(), NoopDelay::new());
    let readings: Vec<_> = (0..5).map(|_| block_on(hygrometer.read())).collect();
    bus.done();
    assert_eq!(readings[0], Err(Fault::Absent), "never seen");
    let [temperature, humidity] = readings[1].expect("a good answer");
    assert!((temperature - 25.0).abs() < 0.01 && (humidity - 50.0).abs() < 0.01);
    assert_eq!(readings[2], Err(Fault::Checksum));
    assert_eq!(readings[3], Err(Fault::Bus), "seen before");
    assert_eq!(readings[4], readings[1]);
}

#[test]
fn hygrometer_that_never_converts_times_out() {
    let mut bus = Mock::new(&[trigger()]);
    let mut hygrometer = Hygrometer::new(bus.clone(), support::Never);
    assert_eq!(block_on(hygrometer.read()), Err(Fault::Timeout));
    bus.done();
}

#[test]
fn barometer_that_is_another_chip_is_absent() {
    // 0x58 is a BMP280, which has no humidity and another register map.
    let script = [Transaction::write_read(0x76, vec![0xd0], vec![0x58])];
    let mut bus = Mock::new(&script);
    let mut barometer = Barometer::new(bus.clone(), NoopDelay::new());
    assert_eq!(block_on(barometer.read()), Err(Fault::Absent));
    bus.done();
}
