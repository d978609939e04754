//! Actuating: a closed loop per context, and its outputs.

pub mod drive;
pub mod output;
