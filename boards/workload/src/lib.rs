//! Work with known inputs, for three questions: does a board compute the same bits as the host, how many
//! instructions does it take, how much memory?
#![no_std]
#![forbid(unsafe_code)]

pub mod bench;
pub mod data;
pub mod footprint;
pub mod output;
pub mod parity;
