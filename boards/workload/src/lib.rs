//! Work with known inputs, for two questions: does a board compute the same bits as the host, and how many instructions
//! does it take?
#![no_std]
#![forbid(unsafe_code)]

pub mod bench;
pub mod data;
pub mod output;
pub mod parity;
