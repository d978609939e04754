//! Records to the host, as bytes; and what the image does to itself after one of them.

use sadcbo::StepRecord;
use sadcbo_firmware::experiment::{self, NotKept};
use sadcbo_firmware::instrument::{CONTEXTS, DESIGN};
use sadcbo_firmware::record;

use crate::arguments::Sabotage;
use crate::thread;

pub struct Journal {
    pub sabotage: Option<Sabotage>,
}

impl experiment::Journal<DESIGN, CONTEXTS> for Journal {
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
                core::hint::spin_loop();
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
