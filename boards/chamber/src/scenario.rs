//! What goes wrong, and when.

use sadcbo_firmware::instrument::{HUMIDITY, TEMPERATURE};
use sadcbo_firmware::operator::Command;

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The hygrometer does not answer.
    Nack,
    /// A bit of the hygrometer's answer is flipped.
    BadChecksum,
    /// The hygrometer answers the same for ever.
    Frozen,
    /// The hygrometer holds the clock line low.
    Hang,
    /// The barometer does not answer.
    NoBarometer,
    /// The coater's result is not a number.
    NotANumber,
    /// The humidifier and the dry gas do nothing.
    DeadHumidifier,
    /// The heater's relay is welded: full power, whatever the output says.
    WeldedHeater,
}

/// A fault, when it begins and ends, and what the operator does about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    /// How it is called on a command line.
    pub name: &'static str,
    /// What goes wrong.
    pub fault: Option<Fault>,
    /// The first second in which it does.
    pub from: u32,
    /// For how many seconds it lasts.
    pub lasting: u32,
    /// After how many seconds it comes again.
    pub every: u32,
    /// What the operator says, and in which second. In the middle of a slot: nobody's speed decides in which it is heard.
    pub commands: &'static [(u32, Command)],
}

impl Scenario {
    /// Nothing goes wrong.
    pub const CALM: Self = Self {
        name: "calm",
        fault: None,
        from: 0,
        lasting: 0,
        every: u32::MAX,
        commands: &[],
    };

    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::CALM,
        // Long enough for a drive to give up, often enough to hit every phase.
        Self::of("nack", Fault::Nack, 900),
        Self::of("crc", Fault::BadChecksum, 900),
        Self::of("frozen", Fault::Frozen, 900),
        Self::of("hang", Fault::Hang, 900),
        Self::of("nan", Fault::NotANumber, 900),
        Self {
            from: 0,
            ..Self::of("no-barometer", Fault::NoBarometer, u32::MAX)
        },
        Self {
            lasting: u32::MAX,
            ..Self::of("dead-humidifier", Fault::DeadHumidifier, u32::MAX)
        },
        Self {
            lasting: 2_400,
            commands: &[(4_230, Command::Rearm)],
            ..Self::of("welded-heater", Fault::WeldedHeater, u32::MAX)
        },
        Self {
            name: "operator",
            commands: &[
                (630, Command::Pause),
                (2_430, Command::Resume),
                (2_730, Command::Skip),
                (3_030, Command::LeaveAlone(TEMPERATURE)),
                (3_630, Command::Pin(HUMIDITY, 50.0)),
                (5_430, Command::Release(HUMIDITY)),
            ],
            ..Self::CALM
        },
    ];

    const fn of(name: &'static str, fault: Fault, every: u32) -> Self {
        Self {
            name,
            fault: Some(fault),
            from: 300,
            lasting: 400,
            every,
            commands: &[],
        }
    }

    /// The scenario of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scenario| scenario.name == name)
    }

    /// Whether this goes wrong in this second.
    pub fn has(&self, fault: Fault, second: u32) -> bool {
        self.fault == Some(fault)
            && second
                .checked_sub(self.from)
                .is_some_and(|since| since % self.every < self.lasting)
    }
}
