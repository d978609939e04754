//! Internals, re-exported for tests and benchmarks only: no promise of stability.

/// The normal distribution.
pub mod normal {
    pub use crate::math::normal::*;
}

/// The random generator.
pub mod rng {
    pub use crate::math::rng::*;
}

/// Quasi-random points.
pub mod sobol {
    pub use crate::math::sobol::*;
}

/// The bare factorisation, on a matrix of one's own.
pub mod factor {
    pub use crate::gp::{Panels, factorise};
}
