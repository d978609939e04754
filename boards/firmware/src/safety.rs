//! The safety loop: sense, check, drive, report, once per control period.

use embassy_time::Instant;

use crate::actuate::drive::{Drive, Progress, Tuning};
use crate::actuate::output::Output;
use crate::desk::{Desk, Report, Timing};
use crate::interlock::{Interlock, Limits, Trip};
use crate::log::line;
use crate::sense::Sensors;
use crate::sense::monitor::{Health, Monitor, Plausible};
use crate::timetable::next_period;
use crate::watchdog::{Attention, Watchdog};

/// What the safety loop knows about one context.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    /// What a believable sample looks like.
    pub plausible: Plausible,
    /// Where the interlock trips; `None` for a context that cannot do harm.
    pub limits: Option<Limits>,
    /// How it is driven; `None` for a context that is only recorded.
    pub tuning: Option<Tuning>,
}

/// The safety loop of one room.
pub struct Safety<'a, const C: usize, S, W> {
    sensors: S,
    outputs: [&'a mut (dyn Output + Send); C],
    watchdog: W,
    experiment: Attention<'a>,
    desk: &'a Desk<C>,
    monitors: [Monitor; C],
    drives: [Option<Drive>; C],
    interlock: Interlock<C>,
    trip: Option<Trip>,
    timing: Timing,
    last: Option<u32>,
}

impl<'a, const C: usize, S: Sensors<C>, W: Watchdog> Safety<'a, C, S, W> {
    /// The loop for these channels, in the order of the contexts.
    pub fn new(
        channels: [Channel; C],
        sensors: S,
        outputs: [&'a mut (dyn Output + Send); C],
        watchdog: W,
        experiment: Attention<'a>,
        desk: &'a Desk<C>,
    ) -> Self {
        Self {
            sensors,
            outputs,
            watchdog,
            experiment,
            desk,
            monitors: channels.map(|channel| Monitor::new(channel.plausible)),
            drives: channels.map(|channel| channel.tuning.map(Drive::new)),
            interlock: Interlock::new(channels.map(|channel| channel.limits)),
            trip: None,
            timing: Timing::default(),
            last: None,
        }
    }

    /// Runs for ever.
    pub async fn run(&mut self) -> ! {
        loop {
            let (period, due) = next_period().await;
            self.keep_time(period, due);
            self.period(period).await;
        }
    }

    /// One period: sense, check, drive, report.
    pub async fn period(&mut self, period: u32) {
        let mut samples = self.sensors.sample().await;
        for (monitor, sample) in self.monitors.iter_mut().zip(&mut samples) {
            *sample = monitor.take(*sample);
        }
        let orders = self.desk.take_orders();
        if orders.rearm {
            self.interlock.rearm();
        }
        for (drive, target) in self.drives.iter_mut().zip(orders.targets) {
            if let Some(drive) = drive {
                drive.aim(target);
            }
        }
        let mut trip = self.interlock.check(&samples);
        let mut levels = [0.0; C];
        for ((drive, level), sample) in self.drives.iter_mut().zip(&mut levels).zip(samples) {
            match (drive, sample) {
                (Some(drive), Ok(measured)) if trip.is_none() => *level = drive.step(measured),
                (Some(drive), _) => drive.pause(),
                (None, _) => {}
            }
        }
        trip = trip.or(self.set_outputs(&levels));
        self.tell(trip);
        if self.experiment.is_alive() {
            self.watchdog.feed();
        }
        let monitors = &self.monitors;
        self.desk.report(Report {
            period,
            readings: core::array::from_fn(|index| monitors.get(index).and_then(Monitor::reading)),
            health: core::array::from_fn(|index| {
                monitors
                    .get(index)
                    .map_or(Health::WarmingUp, Monitor::health)
            }),
            progress: core::array::from_fn(|index| {
                let drive = self.drives.get(index).and_then(Option::as_ref);
                drive.map_or(Progress::Idle, Drive::progress)
            }),
            trip,
            timing: self.timing,
        });
    }

    /// Sets all outputs; if one cannot be set, all are switched off.
    fn set_outputs(&mut self, levels: &[f32; C]) -> Option<Trip> {
        let mut trip = None;
        for (index, (output, &level)) in self.outputs.iter_mut().zip(levels).enumerate() {
            if output.set(level).is_err() {
                trip = trip.or(Some(Trip::Output(index)));
            }
        }
        if trip.is_some() {
            for output in &mut self.outputs {
                // Whatever can still be switched off, is.
                let _ = output.set(0.0);
            }
        }
        trip
    }

    /// Says when the outputs go off, and when they may be on again.
    fn tell(&mut self, trip: Option<Trip>) {
        if trip == self.trip {
            return;
        }
        self.trip = trip;
        match trip {
            Some(trip) if trip.is_latched() => {
                line!(error, "outputs off until re-armed: {}", trip);
            }
            Some(_trip) => {
                line!(warn, "outputs off: {}", _trip);
            }
            None => {
                line!(info, "outputs may be on again");
            }
        }
    }

    fn keep_time(&mut self, period: u32, due: Instant) {
        let late = Instant::now().saturating_duration_since(due).as_micros();
        let late = u32::try_from(late).unwrap_or(u32::MAX);
        self.timing.latest = self.timing.latest.max(late);
        let missed = self.last.map_or(0, |last| period.saturating_sub(last + 1));
        self.timing.missed = self.timing.missed.saturating_add(missed);
        self.last = Some(period);
    }
}
