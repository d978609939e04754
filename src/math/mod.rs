//! Every floating-point function of the library, the same bits on every platform.
//!
//! Nothing here calls `std`, a hardware intrinsic whose rounding is not fixed by IEEE 754, or a fused multiply-add.

mod exp;
pub(crate) mod normal;
pub(crate) mod rng;
pub(crate) mod scalar;
pub(crate) mod sobol;
pub(crate) mod sum;
