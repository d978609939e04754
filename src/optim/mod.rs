//! Bounded maximisation with gradients, one evaluation at a time.
//!
//! The same maximiser serves the hyperparameters ([`crate::gp`]) and the acquisition: it never calls the objective, it
//! asks for a value at [`QuasiNewton::trial`] and is told it with [`QuasiNewton::report`]. So the caller decides when
//! to compute, when to yield and when to stop.

mod params;
mod quasi_newton;

pub(crate) use params::{EXTRA, Params};
pub(crate) use quasi_newton::{QuasiNewton, Tolerances};
