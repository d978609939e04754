//! The spin coater as the microcontroller sees it.

use embassy_time::{Duration, Timer};
use sadcbo_firmware::rig::{Failed, Process};

use crate::world::Shared;

/// Coating, annealing and inspecting a film. Not a multiple of the control period: begun with a report of the safety loop,
/// it does not end with one, so that nobody's speed decides which comes first.
const FILM: Duration = Duration::from_millis(39_940);
/// The motor's speed comes in steps of 10 rpm, the oven's timer in seconds.
const STEPS: [f32; 2] = [10.0, 1.0];

/// The coater.
pub struct Coater<'a> {
    world: &'a Shared,
    design: [f32; 2],
}

impl<'a> Coater<'a> {
    /// A coater in this room.
    pub const fn new(world: &'a Shared) -> Self {
        Self {
            world,
            design: [0.0; 2],
        }
    }
}

impl Process<2> for Coater<'_> {
    async fn set(&mut self, design: &[f32; 2]) -> Result<[f32; 2], Failed> {
        for ((to, from), step) in self.design.iter_mut().zip(design).zip(STEPS) {
            *to = (from / step + 0.5) as u16 as f32 * step;
        }
        Ok(self.design)
    }

    async fn measure(&mut self) -> Result<f32, Failed> {
        Timer::after(FILM).await;
        let [speed, annealing] = self.design;
        Ok(self
            .world
            .lock(|world| world.borrow_mut().now().film(speed, annealing)))
    }
}
