//! SADCBO: contextual Bayesian optimisation that learns which contexts are worth actuating.
#![no_std]
#![forbid(unsafe_code)]

mod error;
pub mod gp;
mod math;
mod optim;
#[doc(hidden)]
pub mod parts;
mod point;
mod step;

pub use error::{Error, Input};
pub use math::scalar::Scalar;
pub use point::{Point, VarSet};
pub use step::budget::{Cost, CostError, Overspend};
pub use step::elite::EliteRule;
pub use step::relevance::Divergence;
pub use step::switch::{SwitchFigures, SwitchRule};
