//! To and from nalgebra's vectors and matrices, at the boundary: the library computes with its own tiles.

use nalgebra::{SMatrix, SVector};

use super::Gp;
use crate::{Error, Point, Scalar};

impl<const D: usize, const C: usize, T: Scalar> From<Point<D, C, T>>
    for (SVector<T, D>, SVector<T, C>)
{
    fn from(point: Point<D, C, T>) -> Self {
        (point.design.into(), point.context.into())
    }
}

impl<const D: usize, const C: usize, T: Scalar> From<(SVector<T, D>, SVector<T, C>)>
    for Point<D, C, T>
{
    fn from((design, context): (SVector<T, D>, SVector<T, C>)) -> Self {
        Self::new(design.into(), context.into())
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Gp<N, D, C, T> {
    /// Adds the observations of a table, one per row; all of them, or none if one is refused.
    ///
    /// ```
    /// use nalgebra::{Matrix3x2, Vector3};
    ///
    /// let mut gp = sadcbo::gp::Gp::<8, 2, 1>::new();
    /// let design = Matrix3x2::new(0.1, 0.9, 0.5, 0.2, 0.8, 0.4);
    /// let context = Vector3::new(0.0, 0.5, 1.0);
    /// gp.push_rows(&design, &context, &Vector3::new(1.2, 0.7, 0.9))?;
    /// assert_eq!(gp.outputs(), [1.2, 0.7, 0.9]);
    /// # Ok::<(), sadcbo::Error>(())
    /// ```
    pub fn push_rows<const R: usize>(
        &mut self,
        design: &SMatrix<T, R, D>,
        context: &SMatrix<T, R, C>,
        outputs: &SVector<T, R>,
    ) -> Result<(), Error> {
        let before = self.len();
        let rows = design.row_iter().zip(context.row_iter());
        for ((design, context), &output) in rows.zip(outputs.iter()) {
            let point = Point::from((design.transpose(), context.transpose()));
            if let Err(error) = self.push(&point, output) {
                while self.len() > before {
                    self.remove(self.len() - 1)?;
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Mean and covariance of the function at several points together, in the units of the outputs: what a sampler
    /// needs.
    pub fn joint<const Q: usize>(
        &self,
        at: &[Point<D, C, T>; Q],
    ) -> Result<(SVector<T, Q>, SMatrix<T, Q, Q>), Error> {
        let mut mean = SVector::<T, Q>::repeat(T::ZERO);
        let mut covariance = SMatrix::<T, Q, Q>::repeat(T::ZERO);
        for (j, b) in at.iter().enumerate() {
            if let Some(mean) = mean.get_mut(j) {
                *mean = self.posterior(b)?.mean;
            }
            for (i, a) in at.iter().enumerate() {
                if let Some(element) = covariance.get_mut((i, j)) {
                    *element = self.covariance(a, b)?;
                }
            }
        }
        Ok((mean, covariance))
    }

    /// The lower triangular factor L of the kernel matrix with noise, L Lᵀ = K + (σ² + jitter) I, in the units that the
    /// surrogate sees; rows beyond the data are those of the identity.
    pub fn factor(&self) -> Result<SMatrix<T, N, N>, Error> {
        self.ready()?;
        Ok(SMatrix::from_fn(|i, j| {
            let known = i < self.len() && j <= i;
            match self.panels.element(i, j).filter(|_| known) {
                // The diagonal is kept as its reciprocal.
                Some(value) if i == j => T::ONE / value,
                Some(value) => value,
                None if i == j => T::ONE,
                None => T::ZERO,
            }
        }))
    }
}
