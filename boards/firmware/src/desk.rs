//! Where the experiment leaves what it wants and the safety loop what there is.

use core::cell::Cell;

use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;

use crate::actuate::drive::Progress;
use crate::interlock::Trip;
use crate::sense::median::Reading;
use crate::sense::monitor::Health;

/// What the experiment wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orders<const C: usize> {
    /// The value at which to hold each context; `None` leaves it to the environment.
    pub targets: [Option<f32>; C],
    /// Whether to forget a latched fault.
    pub rearm: bool,
}

/// What there was in one control period.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Report<const C: usize> {
    /// The period.
    pub period: u32,
    /// The contexts; `None` for a sensor that is not fresh.
    pub readings: [Option<Reading>; C],
    /// Their sensors.
    pub health: [Health; C],
    /// Their drives.
    pub progress: [Progress; C],
    /// Why the outputs were off, if they had to be.
    pub trip: Option<Trip>,
    /// How punctual the safety loop is.
    pub timing: Timing,
}

impl<const C: usize> Report<C> {
    /// All contexts, if all sensors are fresh; else the first that is not.
    pub fn contexts(&self) -> Result<[Reading; C], usize> {
        let mut contexts = [Reading {
            value: 0.0,
            spread: 0.0,
        }; C];
        for (index, (to, reading)) in contexts.iter_mut().zip(self.readings).enumerate() {
            *to = reading.ok_or(index)?;
        }
        Ok(contexts)
    }
}

/// How punctual the safety loop is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Timing {
    /// The longest delay of a period's begin, in microseconds.
    pub latest: u32,
    /// Periods that were missed because the one before took too long.
    pub missed: u32,
}

/// The desk.
pub struct Desk<const C: usize> {
    orders: Mutex<CriticalSectionRawMutex, Cell<Orders<C>>>,
    report: Signal<CriticalSectionRawMutex, Report<C>>,
}

impl<const C: usize> Desk<C> {
    /// Nothing is wanted.
    pub const fn new() -> Self {
        Self {
            orders: Mutex::new(Cell::new(Orders {
                targets: [None; C],
                rearm: false,
            })),
            report: Signal::new(),
        }
    }

    /// From the next period on, each context is to be held at its target.
    pub fn order(&self, targets: [Option<f32>; C]) {
        self.orders.lock(|orders| {
            let rearm = orders.get().rearm;
            orders.set(Orders { targets, rearm });
        });
    }

    /// In the next period, a latched fault is forgotten.
    pub fn rearm(&self) {
        self.orders.lock(|orders| {
            orders.set(Orders {
                rearm: true,
                ..orders.get()
            });
        });
    }

    /// What is wanted; the wish to re-arm is told once.
    pub fn take_orders(&self) -> Orders<C> {
        self.orders.lock(|orders| {
            let taken = orders.get();
            orders.set(Orders {
                rearm: false,
                ..taken
            });
            taken
        })
    }

    /// The safety loop's word at the end of a period.
    pub fn report(&self, report: Report<C>) {
        self.report.signal(report);
    }

    /// The report of the period that is going on, when it is there.
    pub async fn next(&self) -> Report<C> {
        self.report.reset();
        self.report.wait().await
    }

    /// The report of the next period whose number is a multiple of `slot`.
    pub async fn next_slot(&self, slot: u32) -> Report<C> {
        loop {
            let report = self.next().await;
            if report.period.is_multiple_of(slot.max(1)) {
                return report;
            }
        }
    }
}

impl<const C: usize> Default for Desk<C> {
    fn default() -> Self {
        Self::new()
    }
}
