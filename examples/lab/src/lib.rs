//! The paper's evaluation on a desktop: problems, methods, statistics, figures.
//!
//! `cargo lab list | run | compare | paper` are the commands; this library is what they are made of.

pub mod changes;
pub mod compare;
pub mod contexts;
pub mod cost;
pub mod data;
pub mod figure;
pub mod list;
pub mod method;
pub mod paper;
pub mod problems;
pub mod protocol;
pub mod random;
pub mod reference;
pub mod results;
pub mod run;
pub mod settings;
pub mod stats;
pub mod store;
pub mod summary;
pub mod table;
pub mod tariff;
pub mod trial;
