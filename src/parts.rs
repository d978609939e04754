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
    pub use crate::gp::Panels;

    /// The factorisation without noise; `false` if a pivot is not above `least_pivot`.
    pub fn factorise<const N: usize, T: crate::Scalar>(
        matrix: &mut Panels<N, T>,
        rows: usize,
        least_pivot: T,
    ) -> bool {
        crate::gp::factorise(matrix, rows, T::ZERO, least_pivot)
    }
}
