//! What an operator can say while an experiment runs.

use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;

/// How many commands can wait.
const WAITING: usize = 8;

/// A command. It takes effect before the next decision; only [`Skip`](Self::Skip) ends a step that is going on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Command {
    /// Hold this context at this value; decisions take it as the environment's.
    Pin(usize, f32),
    /// Leave this context to the environment, whatever it is worth.
    LeaveAlone(usize),
    /// Let decisions actuate this context again.
    Release(usize),
    /// Begin no further step.
    Pause,
    /// Go on.
    Resume,
    /// Give up the step that is going on.
    Skip,
    /// Forget a latched fault, if its cause is gone.
    Rearm,
    /// End the experiment.
    Stop,
}

/// Between the operator's console and the experiment.
pub struct Panel {
    commands: Channel<CriticalSectionRawMutex, Command, WAITING>,
    skip: Signal<CriticalSectionRawMutex, ()>,
}

impl Panel {
    /// No command yet.
    pub const fn new() -> Self {
        Self {
            commands: Channel::new(),
            skip: Signal::new(),
        }
    }

    /// Gives a command; hands it back if too many are waiting.
    pub fn send(&self, command: Command) -> Result<(), Command> {
        if command == Command::Skip {
            self.skip.signal(());
            return Ok(());
        }
        self.commands
            .try_send(command)
            .map_err(|embassy_sync::channel::TrySendError::Full(command)| command)
    }

    pub(crate) fn next(&self) -> Option<Command> {
        self.commands.try_receive().ok()
    }

    /// A skip that was asked for while no step was going on is void.
    pub(crate) fn forget_skip(&self) {
        self.skip.reset();
    }

    pub(crate) async fn skipped(&self) {
        self.skip.wait().await;
    }
}

impl Default for Panel {
    fn default() -> Self {
        Self::new()
    }
}
