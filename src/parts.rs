//! Internals, re-exported for tests and benchmarks only: no promise of stability.

/// The normal distribution.
pub mod normal {
    pub use crate::math::normal::*;
}
