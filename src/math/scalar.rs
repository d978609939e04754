//! The number types that the library computes with.

use core::fmt::{Debug, Display};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// `f32` (the default everywhere) or `f64`.
///
/// A sealed trait and not a cargo feature: features add up across a dependency tree, precision does not.
pub trait Scalar:
    sealed::Sealed
    + crate::controller::Blank
    + Copy
    + Debug
    + Default
    + Display
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + SubAssign
    + Mul<Output = Self>
    + MulAssign
    + Div<Output = Self>
    + DivAssign
    + Neg<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// 1/2.
    const HALF: Self;
    /// 10.
    const TEN: Self;
    /// 1/100.
    const HUNDREDTH: Self;
    /// 1/20.
    const TWENTIETH: Self;
    /// 1/5.
    const FIFTH: Self;
    /// 4/5.
    const FOUR_FIFTHS: Self;
    /// 100.
    const HUNDRED: Self;
    /// 1/1 000 000.
    const MILLIONTH: Self;
    /// The distance from 1 to the next larger number.
    const EPSILON: Self;
    /// The largest finite number.
    const MAX: Self;
    /// The largest magnitude that an output may have: sums of capacity-many of them and their mean stay finite.
    const LARGEST_OUTPUT: Self;

    /// The nearest number to `value`.
    fn from_f64(value: f64) -> Self;
    /// The same number in double precision.
    fn to_f64(self) -> f64;
    /// The nearest number to a count.
    fn from_count(value: usize) -> Self;
    /// `bits` / 2^32, rounded down where the type has fewer digits: always below 1.
    fn from_unit_bits(bits: u32) -> Self;
    /// Whether the number is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// The magnitude.
    fn abs(self) -> Self;
    /// The larger of two numbers; `self` if they cannot be compared.
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
    /// The smaller of two numbers; `self` if they cannot be compared.
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
    /// The number itself, or the largest finite one of its sign if it is infinite.
    fn saturate(self) -> Self {
        self.min(Self::MAX).max(-Self::MAX)
    }
    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Exponential, whole range.
    fn exp(self) -> Self;
    /// Exponential of a number that is not positive: the kernel's inner loop.
    fn exp_neg(self) -> Self;
    /// The same by micromath, in single precision whatever the type.
    #[cfg(feature = "micromath")]
    fn exp_approximate(self) -> Self;
    /// Complementary error function.
    fn erfc(self) -> Self;
    /// The bits, widened, for digests and exact comparison.
    fn to_bits64(self) -> u64;
}

macro_rules! scalar {
    ($float:ident, $bits:ident, libm: [$sqrt:ident, $ln:ident, $exp:ident, $erfc:ident], exp: $exp_neg:path, largest: $largest:expr) => {
        impl Scalar for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const HALF: Self = 0.5;
            const TEN: Self = 10.0;
            const HUNDREDTH: Self = 0.01;
            const TWENTIETH: Self = 0.05;
            const FIFTH: Self = 0.2;
            const FOUR_FIFTHS: Self = 0.8;
            const HUNDRED: Self = 100.0;
            const MILLIONTH: Self = 1e-6;
            const EPSILON: Self = $float::EPSILON;
            const MAX: Self = $float::MAX;
            const LARGEST_OUTPUT: Self = $largest;

            #[inline]
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline]
            fn from_count(value: usize) -> Self {
                value as Self
            }
            #[inline]
            fn from_unit_bits(bits: u32) -> Self {
                const SPARE: u32 = 32_u32.saturating_sub($float::MANTISSA_DIGITS);
                const SCALE: $float = 1.0 / ((1_u64 << (32 - SPARE)) as $float);
                (bits >> SPARE) as Self * SCALE
            }
            #[inline]
            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }
            #[inline]
            fn abs(self) -> Self {
                $float::from_bits(self.to_bits() & ($bits::MAX >> 1))
            }
            #[inline]
            fn sqrt(self) -> Self {
                libm::$sqrt(self)
            }
            #[inline]
            fn ln(self) -> Self {
                libm::$ln(self)
            }
            #[inline]
            fn exp(self) -> Self {
                libm::$exp(self)
            }
            #[inline]
            fn exp_neg(self) -> Self {
                $exp_neg(self)
            }
            #[cfg(feature = "micromath")]
            #[inline]
            fn exp_approximate(self) -> Self {
                super::exp::exp_approximate(self as f32) as Self
            }
            #[inline]
            fn erfc(self) -> Self {
                libm::$erfc(self)
            }
            #[inline]
            fn to_bits64(self) -> u64 {
                self.to_bits().into()
            }
        }
    };
}

scalar!(f32, u32, libm: [sqrtf, logf, expf, erfcf], exp: super::exp::exp_neg_f32, largest: 1e36);
scalar!(f64, u64, libm: [sqrt, log, exp, erfc], exp: super::exp::exp_neg_f64, largest: 1e300);

#[cfg(all(test, feature = "micromath"))]
mod tests {
    use super::*;

    #[test]
    fn error_of_the_approximate_exponential() {
        let mut worst = 0.0_f64;
        for step in 0..=20_000 {
            let x = f64::from(step) * -1e-3;
            worst = worst.max(Scalar::abs(x.exp_approximate() / libm::exp(x) - 1.0));
        }
        assert!(worst > 1e-4 && worst < 2.5e-3, "{worst:e}");
    }
}
