//! Brings one context to a value and holds it there.

use pid::Pid;

use crate::timetable::{PERIOD_SECONDS, periods};

/// How a context is driven.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Output per unit of error.
    pub proportional: f32,
    /// Output per unit of error and second.
    pub integral: f32,
    /// Fastest change of the set point, in units per second.
    pub slew: f32,
    /// Closer than this counts as reached.
    pub tolerance: f32,
    /// Seconds for which it has to be reached.
    pub settle: u16,
    /// Seconds after which the attempt is given up.
    pub timeout: u16,
}

/// How far a drive has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Progress {
    /// It has no target.
    Idle,
    /// On the way.
    Moving,
    /// The target is held.
    Settled,
    /// The target was not reached in time. It is still tried.
    GivenUp,
}

/// The loop of one context.
#[derive(Clone, Debug)]
pub struct Drive {
    tuning: Tuning,
    pid: Pid<f32>,
    target: Option<f32>,
    /// The set point on its way to the target; `None` before the first step.
    ramp: Option<f32>,
    inside: u16,
    elapsed: u16,
}

impl Drive {
    /// A drive without a target.
    pub fn new(tuning: Tuning) -> Self {
        let mut pid = Pid::new(0.0_f32, 1.0_f32);
        pid.p(tuning.proportional, 1.0_f32)
            .i(tuning.integral * PERIOD_SECONDS, 1.0_f32);
        Self {
            tuning,
            pid,
            target: None,
            ramp: None,
            inside: 0,
            elapsed: 0,
        }
    }

    /// Sets the target; the same one again changes nothing.
    pub fn aim(&mut self, target: Option<f32>) {
        if target != self.target {
            self.target = target;
            self.restart();
            self.elapsed = 0;
        }
    }

    /// Forgets what was built up, not the target: the output was off.
    pub fn restart(&mut self) {
        self.pid.reset_integral_term();
        self.ramp = None;
        self.inside = 0;
    }

    /// A period without output. The time for reaching the target goes on.
    pub fn pause(&mut self) {
        self.restart();
        if self.target.is_some() {
            self.elapsed = self.elapsed.saturating_add(1);
        }
    }

    /// One period: the level of the output, from -1 to 1; 0 without a target.
    pub fn step(&mut self, measured: f32) -> f32 {
        let Some(target) = self.target else {
            return 0.0;
        };
        let reach = self.tuning.slew * PERIOD_SECONDS;
        let from = self.ramp.unwrap_or(measured);
        let point = from + (target - from).clamp(-reach, reach);
        self.ramp = Some(point);
        self.elapsed = self.elapsed.saturating_add(1);
        self.inside = if (measured - target).abs() <= self.tuning.tolerance {
            self.inside.saturating_add(1)
        } else {
            0
        };
        let level = self
            .pid
            .setpoint(point)
            .next_control_output(measured)
            .output;
        if level.is_finite() { level } else { 0.0 }
    }

    /// How far it has come.
    pub const fn progress(&self) -> Progress {
        if self.target.is_none() {
            Progress::Idle
        } else if self.inside >= periods(self.tuning.settle) {
            Progress::Settled
        } else if self.elapsed >= periods(self.tuning.timeout) {
            Progress::GivenUp
        } else {
            Progress::Moving
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TUNING: Tuning = Tuning {
        proportional: 0.5,
        integral: 0.05,
        slew: 1.0,
        tolerance: 0.2,
        settle: 3,
        timeout: 60,
    };

    /// A room that loses what it is given: time constant 20 s, 25 units at full output.
    fn run(drive: &mut Drive, gain: f32, periods: u32) -> f32 {
        let mut value = 20.0;
        for _ in 0..periods {
            let level = drive.step(value);
            assert!((-1.0..=1.0).contains(&level));
            value += PERIOD_SECONDS / 20.0 * (20.0 + gain * level - value);
        }
        value
    }

    #[test]
    fn it_reaches_the_target_and_says_so() {
        let mut drive = Drive::new(TUNING);
        assert_eq!(drive.progress(), Progress::Idle);
        drive.aim(Some(30.0));
        assert_eq!(drive.progress(), Progress::Moving);
        let value = run(&mut drive, 25.0, 200);
        assert!((value - 30.0).abs() < 0.2, "{value}");
        assert_eq!(drive.progress(), Progress::Settled);
        drive.aim(None);
        assert_eq!((drive.step(30.0), drive.progress()), (0.0, Progress::Idle));
    }

    #[test]
    fn a_dead_actuator_is_given_up_in_time() {
        let mut drive = Drive::new(TUNING);
        drive.aim(Some(30.0));
        run(&mut drive, 0.0, 239);
        assert_eq!(drive.progress(), Progress::Moving);
        run(&mut drive, 0.0, 1);
        assert_eq!(drive.progress(), Progress::GivenUp);
        // Asking for the same again gives it no more time; another target does.
        drive.aim(Some(30.0));
        assert_eq!(drive.progress(), Progress::GivenUp);
        drive.aim(Some(31.0));
        assert_eq!(drive.progress(), Progress::Moving);
    }

    #[test]
    fn time_goes_on_while_the_output_is_off() {
        let mut drive = Drive::new(TUNING);
        drive.aim(Some(30.0));
        for _ in 0..240 {
            drive.pause();
        }
        assert_eq!(drive.progress(), Progress::GivenUp);
    }
}
