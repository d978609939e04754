//! A simulated room: what the real firmware meets when there is no hardware.
//!
//! The firmware sees two I²C chips that answer its drivers' bytes, PWM outputs, and a spin coater. Behind them is a box
//! with thermal mass and moisture, actuators with lag, and weather that drifts. Everything that is random comes from one
//! seed, and the room moves in steps of one control period, so that the same firmware meets the same room on the host and
//! in an emulator.
#![no_std]
#![forbid(unsafe_code)]

mod chips;
mod climate;
mod film;
mod noise;
mod weather;

pub mod bus;
pub mod coater;
pub mod pwm;
pub mod scenario;
pub mod world;
