//! The paper's evaluation on a desktop: problems, methods, statistics, figures.
//!
//! `cargo lab list | run | compare | paper` are the commands; this library is what they are made of.

pub mod contexts;
pub mod data;
pub mod problems;
pub mod random;
pub mod settings;
pub mod stats;
