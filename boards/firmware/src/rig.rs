//! Contexts and plant on top of the safety loop.

use core::future::Future;

use embassy_futures::select::{Either, select};
use sadcbo::{Action, Decision};

use crate::actuate::drive::Progress;
use crate::desk::{Desk, Report};
use crate::experiment::{Abandon, ContextSource, Plant, Unready};
use crate::interlock::Trip;
use crate::sense::median::Reading;
use crate::timetable;

/// The instrument itself: what the design variables set and what is measured.
pub trait Process<const D: usize> {
    /// Sets the design; the values that were really set.
    async fn set(&mut self, design: &[f32; D]) -> Result<[f32; D], Failed>;

    /// Runs and measures once.
    async fn measure(&mut self) -> Result<f32, Failed>;
}

/// The instrument did not do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// The contexts as the safety loop reports them.
pub struct Surroundings<'a, const C: usize> {
    /// Where the reports are.
    pub desk: &'a Desk<C>,
    /// Readings are taken in periods whose number is a multiple of this.
    pub slot: u32,
    /// And not before this one.
    pub not_before: u32,
}

impl<const C: usize> ContextSource<C> for Surroundings<'_, C> {
    async fn read(&mut self) -> Result<[Reading; C], Unready> {
        let report = loop {
            let report = self.desk.next_slot(self.slot).await;
            if report.period >= self.not_before {
                break report;
            }
        };
        match report.trip {
            Some(trip) if trip.is_latched() => Err(Unready::Tripped(trip)),
            _ => report
                .contexts()
                .map_err(|index| Unready::Sensor(index, report.health.get(index).copied())),
        }
    }

    fn step_over(&mut self) {
        self.not_before = timetable::this_period().saturating_add(self.slot);
    }
}

/// The plant: the instrument, in a room whose contexts are driven by the safety loop.
pub struct Rig<'a, const C: usize, P> {
    /// Where orders are left.
    pub desk: &'a Desk<C>,
    /// The instrument.
    pub process: P,
    /// Actuating begins in a period whose number is a multiple of this.
    pub slot: u32,
    /// A context that was not reached in time is still good for a measurement if it is at most so far away.
    pub acceptable: [f32; C],
    /// Where the operator wants contexts to be held.
    pub pinned: [Option<f32>; C],
}

impl<const D: usize, const C: usize, P: Process<D>> Plant<D, C> for Rig<'_, C, P> {
    async fn apply(&mut self, decision: &Decision<D, C>) -> Result<[f32; D], Abandon> {
        self.desk.next_slot(self.slot).await;
        let targets = core::array::from_fn(|index| match decision.action(index) {
            Action::Actuate(value) => Some(value),
            Action::Record => self.pinned.get(index).copied().flatten(),
        });
        self.desk.order(targets);
        let design = wakefully(self.desk, self.process.set(decision.design())).await;
        let design = design.map_err(|Failed| Abandon::Design)?;
        loop {
            let report = self.desk.next().await;
            if self.is_ready(&report, &targets)? {
                return Ok(design);
            }
        }
    }

    async fn measure(&mut self) -> Result<(f32, [f32; C]), Abandon> {
        let output = wakefully(self.desk, self.process.measure()).await;
        let output = output.map_err(|Failed| Abandon::Measurement)?;
        let report = self.desk.next().await;
        let contexts = report.contexts().map_err(Abandon::Sensor)?;
        Ok((output, contexts.map(|reading| reading.value)))
    }

    fn release(&mut self) {
        self.desk.order(self.pinned);
    }

    fn pin(&mut self, context: usize, value: Option<f32>) {
        if let Some(pinned) = self.pinned.get_mut(context) {
            *pinned = value;
        }
        self.release();
    }

    fn rearm(&mut self) {
        self.desk.rearm();
    }
}

/// Waits for the instrument, and wakes up in every period meanwhile: long work is no sign of death.
async fn wakefully<const C: usize, F: Future>(desk: &Desk<C>, work: F) -> F::Output {
    let reports = async {
        loop {
            desk.next().await;
        }
    };
    match select(work, reports).await {
        Either::First(output) => output,
        Either::Second(never) => never,
    }
}

impl<const C: usize, P> Rig<'_, C, P> {
    /// Whether every target is held, or was not reached in time but nearly.
    fn is_ready(&self, report: &Report<C>, targets: &[Option<f32>; C]) -> Result<bool, Abandon> {
        match report.trip {
            // A disturbance may pass. If it does not, the drives give up.
            Some(Trip::Blind(..) | Trip::Output(_)) | None => {}
            Some(trip) => return Err(Abandon::Tripped(trip)),
        }
        let contexts = report.progress.iter().zip(targets).zip(report.readings);
        let mut ready = true;
        for (index, ((progress, target), reading)) in contexts.enumerate() {
            let Some(target) = *target else { continue };
            match (progress, reading) {
                (Progress::Settled, Some(_)) => {}
                (Progress::GivenUp, Some(reading)) => {
                    let acceptable = self.acceptable.get(index).copied().unwrap_or(0.0);
                    if (reading.value - target).abs() > acceptable {
                        return Err(Abandon::NotReached(index));
                    }
                }
                (Progress::GivenUp, None) => return Err(Abandon::Sensor(index)),
                _ => ready = false,
            }
        }
        // The environment's contexts are recorded, so their sensors have to be there too.
        Ok(ready && report.contexts().is_ok())
    }
}
