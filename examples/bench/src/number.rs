//! The two precisions, as all crates here see them.

/// `f32` or `f64`.
pub trait Number: sadcbo::Scalar + nalgebra::RealField + faer::traits::RealField {}

impl Number for f32 {}
impl Number for f64 {}

/// The nearest number of this precision.
pub fn number<T: Number>(value: f64) -> T {
    <T as sadcbo::Scalar>::from_f64(value)
}
