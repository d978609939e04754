//! The safety loop with sensors, outputs and a watchdog that the test looks into.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicI32, Ordering};

use sadcbo_firmware::actuate::drive::Tuning;
use sadcbo_firmware::actuate::output::{NotSet, Output};
use sadcbo_firmware::desk::{Desk, Report};
use sadcbo_firmware::interlock::{Limits, Trip};
use sadcbo_firmware::safety::{Channel, Safety};
use sadcbo_firmware::sense::monitor::{Health, Plausible};
use sadcbo_firmware::sense::{Fault, Sample, Sensors};
use sadcbo_firmware::watchdog::{Attention, Pulse, Watchdog};
use support::block_on;

/// Answers with what the test says; every sample differs a little from the one before, as a real one does.
struct Script {
    next: Rc<RefCell<[Sample; 2]>>,
    count: u32,
}

impl Sensors<2> for Script {
    async fn sample(&mut self) -> [Sample; 2] {
        self.count += 1;
        let noise = 0.01 * (self.count % 3) as f32;
        self.next
            .borrow()
            .map(|sample| sample.map(|value| value + noise))
    }
}

/// The level in thousandths; `i32::MIN` makes the output refuse.
struct Meter(AtomicI32);

impl Output for &Meter {
    fn set(&mut self, level: f32) -> Result<(), NotSet> {
        if self.0.load(Ordering::Relaxed) == i32::MIN {
            return Err(NotSet);
        }
        self.0.store((level * 1000.0) as i32, Ordering::Relaxed);
        Ok(())
    }
}

struct Feeder(Rc<RefCell<u32>>);

impl Watchdog for Feeder {
    fn feed(&mut self) {
        *self.0.borrow_mut() += 1;
    }
}

const CHANNEL: Channel = Channel {
    plausible: Plausible {
        low: 0.0,
        high: 100.0,
        jump: 30.0,
        stuck: 40,
    },
    limits: Some(Limits {
        low: 5.0,
        high: 60.0,
        rate: 100.0,
    }),
    tuning: Some(Tuning {
        proportional: 0.1,
        integral: 0.01,
        slew: 10.0,
        tolerance: 0.5,
        settle: 2,
        timeout: 60,
    }),
};

/// A room of two channels and all its hidden parts.
struct Room {
    samples: Rc<RefCell<[Sample; 2]>>,
    meters: [&'static Meter; 2],
    fed: Rc<RefCell<u32>>,
    pulse: &'static Pulse,
    desk: &'static Desk<2>,
    safety: Safety<'static, 2, Script, Feeder>,
    period: u32,
}

impl Room {
    fn new() -> Self {
        let samples = Rc::new(RefCell::new([Ok(20.0), Ok(40.0)]));
        let meters: [&'static Meter; 2] =
            std::array::from_fn(|_| &*Box::leak(Box::new(Meter(AtomicI32::new(0)))));
        let fed = Rc::new(RefCell::new(0));
        let pulse: &'static Pulse = Box::leak(Box::default());
        let desk: &'static Desk<2> = Box::leak(Box::default());
        let outputs: [&'static mut (dyn Output + Send); 2] =
            meters.map(|meter| &mut *Box::leak(Box::new(meter)) as _);
        let script = Script {
            next: samples.clone(),
            count: 0,
        };
        let safety = Safety::new(
            [CHANNEL; 2],
            script,
            outputs,
            Feeder(fed.clone()),
            Attention::new(pulse, 3),
            desk,
        );
        Self {
            samples,
            meters,
            fed,
            pulse,
            desk,
            safety,
            period: 0,
        }
    }

    /// One period and its report.
    fn period(&mut self) -> Report<2> {
        self.period += 1;
        let (desk, safety, period) = (self.desk, &mut self.safety, self.period);
        block_on(async {
            let (report, ()) =
                embassy_futures::join::join(desk.next(), safety.period(period)).await;
            report
        })
    }

    fn levels(&self) -> [i32; 2] {
        self.meters.map(|meter| meter.0.load(Ordering::Relaxed))
    }
}

#[test]
fn outputs_are_off_until_something_is_wanted() {
    let mut room = Room::new();
    for _ in 0..10 {
        assert_eq!(room.period().trip, None);
        assert_eq!(room.levels(), [0, 0]);
    }
    room.desk.order([Some(30.0), Some(30.0)]);
    room.period();
    room.period();
    let [up, down] = room.levels();
    assert!(up > 0 && down < 0, "{up} {down}");
}

#[test]
fn a_lost_sensor_switches_all_outputs_off_in_the_same_period() {
    for fault in [Fault::Bus, Fault::Checksum, Fault::Timeout, Fault::Absent] {
        let mut room = Room::new();
        room.desk.order([Some(30.0), Some(30.0)]);
        for _ in 0..6 {
            room.period();
        }
        assert_ne!(room.levels(), [0, 0]);
        room.samples.borrow_mut()[1] = Err(fault);
        let report = room.period();
        assert_eq!(report.trip, Some(Trip::Blind(1, fault)));
        assert_eq!(report.health[1], Health::Coasting(fault));
        assert_eq!(report.contexts(), Err(1));
        assert_eq!(room.levels(), [0, 0]);
        // It is back: nobody has to re-arm.
        room.samples.borrow_mut()[1] = Ok(40.0);
        assert_eq!(room.period().trip, None);
        assert_ne!(room.levels(), [0, 0]);
    }
}

#[test]
fn a_latched_fault_cannot_be_revived_while_its_cause_persists() {
    let mut room = Room::new();
    room.desk.order([Some(30.0), Some(30.0)]);
    for _ in 0..6 {
        room.period();
    }
    for value in [45.0, 61.0] {
        room.samples.borrow_mut()[0] = Ok(value);
        room.period();
    }
    assert_eq!(room.levels(), [0, 0]);
    for _ in 0..5 {
        room.desk.rearm();
        room.desk.order([Some(31.0), Some(31.0)]);
        assert_eq!(room.period().trip, Some(Trip::Above(0)));
        assert_eq!(room.levels(), [0, 0]);
    }
    room.samples.borrow_mut()[0] = Ok(45.0);
    assert_eq!(room.period().trip, Some(Trip::Above(0)), "latched");
    room.desk.rearm();
    assert_eq!(room.period().trip, None);
    assert_ne!(room.levels(), [0, 0]);
}

#[test]
fn an_output_that_refuses_takes_the_others_with_it() {
    let mut room = Room::new();
    room.desk.order([Some(30.0), Some(30.0)]);
    room.period();
    room.meters[1].0.store(i32::MIN, Ordering::Relaxed);
    assert_eq!(room.period().trip, Some(Trip::Output(1)));
    assert_eq!(room.levels()[0], 0);
}

#[test]
fn the_watchdog_is_fed_only_while_the_experiment_is_alive() {
    let mut room = Room::new();
    for _ in 0..10 {
        room.pulse.beat();
        room.period();
    }
    assert_eq!(*room.fed.borrow(), 10);
    for _ in 0..10 {
        room.period();
    }
    assert_eq!(*room.fed.borrow(), 13, "three silent periods are allowed");
}
