//! The application: a controller beside its sensors, on any board.
//!
//! Two loops. The [safety loop](safety) runs every control period at a high priority: it reads the sensors, checks the
//! interlock, drives the actuators and feeds the watchdog. The [experiment](experiment) runs below it: it asks the
//! controller what to do next, has it done, measures, and tells the controller. They meet at the [`desk`](desk), where the
//! experiment leaves what it wants and finds what there is. Nothing that the experiment wants can override the interlock,
//! and however long it thinks, it does not delay the safety loop.
//!
//! Hardware comes in through the traits of `embedded-hal`, the drivers' own I²C traits, and three of this crate:
//! [`ContextSource`](experiment::ContextSource), [`Plant`](experiment::Plant) and [`Journal`](experiment::Journal).
//! [`rig`] implements the first two on top of the safety loop. Times are multiples of the control period, so that a run
//! does not depend on how fast the part computes, as long as a decision is made within one
//! [slot](experiment::Rules::slot).
#![no_std]
#![forbid(unsafe_code)]
// The traits are used with concrete types, inside this repository.
#![allow(async_fn_in_trait)]

mod log;

pub mod actuate;
pub mod assembly;
pub mod desk;
pub mod experiment;
pub mod explain;
pub mod instrument;
pub mod interlock;
pub mod operator;
pub mod record;
pub mod rig;
pub mod safety;
pub mod sense;
pub mod timetable;
pub mod watchdog;
