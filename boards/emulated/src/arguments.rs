//! What the emulator was told.

use core::fmt::Write;

use heapless::String;
use sadcbo_chamber::scenario::Scenario;

/// Seed and scenario of the room, and what the image shall do to itself.
pub struct Arguments {
    pub seed: u32,
    pub scenario: Scenario,
    pub sabotage: Option<Sabotage>,
}

/// What the image does to itself, to show what becomes of it.
#[derive(Clone, Copy)]
pub enum Sabotage {
    Panic,
    Stall,
    Overflow,
}

impl Arguments {
    pub fn read() -> Self {
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
