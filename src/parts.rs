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

/// Priors of the hyperparameters.
pub mod prior {
    use crate::gp::{Hyper, Prior};
    use crate::{Point, Scalar, VarSet};

    /// A log density, and its derivatives by the logarithms of its arguments.
    pub struct Density<const D: usize, const C: usize, T> {
        /// The log density.
        pub value: T,
        /// By ln ℓ.
        pub length_scales: Point<D, C, T>,
        /// By ln σ².
        pub noise_variance: T,
        /// By ln τ.
        pub tau: T,
    }

    /// The log density of a prior in (ℓ, σ²), or in (1/ℓ², τ) for the SAAS prior, over the variables in use.
    pub fn log_density<const D: usize, const C: usize, T: Scalar>(
        prior: &Prior<T>,
        hyper: &Hyper<D, C, T>,
        tau: T,
        (design, context): (VarSet, VarSet),
    ) -> Density<D, C, T> {
        let (value, gradient) = prior.log_density(hyper, tau, design, context);
        let [_, noise_variance, tau] = gradient.extra;
        Density {
            value,
            length_scales: Point::new(gradient.design, gradient.context),
            noise_variance,
            tau,
        }
    }
}

/// The best observations.
pub mod elite {
    pub use crate::step::elite::*;
}

/// Shifts of the prediction, and their averaging to relevance.
pub mod relevance {
    pub use crate::step::collapse::*;
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

/// What a point promises.
pub mod acquisition {
    pub use crate::step::acquisition::{Objective, Ucb};
}

/// The switching criterion.
pub mod switch {
    pub use crate::step::criterion::*;
    pub use crate::step::switch::*;
}

/// The batch acquisition.
pub mod batch {
    pub use crate::step::batch::Batch;

    use crate::Scalar;
    use crate::gp::Prefix;
    use crate::math::sobol::Sobol;
    use crate::step::batch::base_sample;
    use crate::step::search::Region;

    /// D^Q with every variable free: `count` points, each the best of so many quasi-random ones.
    pub fn choose_anywhere<const N: usize, const D: usize, const C: usize, T: Scalar>(
        batch: &mut Batch<N, D, C, T>,
        surrogate: &Prefix<'_, N, D, C, T>,
        beta: T,
        (count, samples): (usize, u16),
        seed: u32,
    ) {
        let normals = Sobol::new(seed);
        batch.restart(beta, crate::MAX_BASE_SAMPLES, |s, q| {
            base_sample(&normals, s, q)
        });
        let candidates = Sobol::new(!seed);
        crate::task::run(batch.choose(surrogate, &Region::cube(), count, samples, candidates));
    }
}

/// Policies chosen at run time.
pub mod policy {
    pub use crate::policy::{AnyPolicy, Kind};
}

/// The controller's stages, and running its futures.
pub mod stages {
    pub use crate::controller::Stage;
    pub use crate::task::run;
}
