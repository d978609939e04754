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

/// The best observations.
pub mod elite {
    pub use crate::step::elite::*;
}

/// Averaging of relevance.
pub mod relevance {
    pub use crate::step::relevance::*;
}

/// Dependence of being among the best on a context.
pub mod hsic {
    pub use crate::step::hsic::*;
}

/// Choice of contexts.
pub mod selection {
    pub use crate::step::dropout::*;
    pub use crate::step::selection::*;
}

/// Costs.
pub mod budget {
    pub use crate::step::budget::*;
}

/// The switching criterion.
pub mod switch {
    pub use crate::step::switch::*;
}
