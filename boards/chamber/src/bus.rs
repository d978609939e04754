//! The I²C bus as the microcontroller sees it.

use embassy_time::{Duration, Timer};
use embedded_hal_async::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};

use crate::chips::Nack;
use crate::scenario::Fault;
use crate::world::{Shared, World};

const HYGROMETER: u8 = 0x44;
const BAROMETER: u8 = 0x76;
/// Nine bits at 100 kHz.
const BYTE: Duration = Duration::from_micros(90);
/// Longer than anybody waits.
const FOR_EVER: Duration = Duration::from_secs(3_600);

/// One end of the bus; each driver has its own.
pub struct Bus<'a>(pub &'a Shared);

impl ErrorType for Bus<'_> {
    type Error = ErrorKind;
}

impl I2c for Bus<'_> {
    async fn transaction(
        &mut self,
        address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), ErrorKind> {
        for operation in operations {
            let length = match operation {
                Operation::Write(bytes) => bytes.len(),
                Operation::Read(buffer) => buffer.len(),
            };
            Timer::after(BYTE * (1 + length as u32)).await;
            let hangs = self
                .0
                .lock(|world| address == HYGROMETER && world.borrow_mut().now().fails(Fault::Hang));
            if hangs {
                Timer::after(FOR_EVER).await;
            }
            self.0
                .lock(|world| transfer(world.borrow_mut().now(), address, operation))
                .map_err(|Nack| ErrorKind::NoAcknowledge(NoAcknowledgeSource::Unknown))?;
        }
        Ok(())
    }
}

fn transfer(world: &mut World, address: u8, operation: &mut Operation<'_>) -> Result<(), Nack> {
    let absent = match address {
        HYGROMETER => world.fails(Fault::Nack),
        BAROMETER => world.fails(Fault::NoBarometer),
        _ => true,
    };
    if absent {
        return Err(Nack);
    }
    match (address, operation) {
        (HYGROMETER, Operation::Write(bytes)) => {
            // A frozen chip converts, but its sensing element no longer does.
            let frozen = world.fails(Fault::Frozen);
            let seen = world.climate_seen();
            world.hygrometer.write(bytes, || (!frozen).then_some(seen))
        }
        (HYGROMETER, Operation::Read(buffer)) => {
            world.hygrometer.read(buffer)?;
            if world.fails(Fault::BadChecksum)
                && let Some(byte) = buffer.get_mut(3)
            {
                *byte ^= 1;
            }
            Ok(())
        }
        (_, Operation::Write(bytes)) => world.barometer.write(bytes),
        (_, Operation::Read(buffer)) => {
            let pascal = world.pressure_seen();
            world.barometer.read(buffer, || pascal);
            Ok(())
        }
    }
}
