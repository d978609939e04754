//! The surrogate of a golden case, in either precision.

use super::golden::Case;
use sadcbo::gp::{Gp, Hyper, Kernel, Outputs};
use sadcbo::{Point, Scalar, VarSet};

const CAPACITY: usize = 128;
const DESIGN: usize = 12;
const CONTEXT: usize = 12;

/// Room for every golden case; what a case does not use is masked.
pub type Model<T> = Gp<CAPACITY, DESIGN, CONTEXT, T>;

/// The problem that a case states.
pub struct Problem {
    pub kernel: Kernel,
    pub x: Vec<Vec<f64>>,
    pub y: Vec<f64>,
    pub length_scales: Vec<f64>,
    pub signal_variance: f64,
    pub noise_variance: f64,
}

impl Problem {
    pub fn of(case: &Case) -> Self {
        let x = case.rows("input/X");
        let (n, d) = (x.len(), x[0].len());
        assert!(
            n <= CAPACITY && d <= DESIGN + CONTEXT,
            "{}: n = {n}, d = {d}, but this test has room for n = {CAPACITY}, d = {} only",
            case.name(),
            DESIGN + CONTEXT
        );
        let matern = case.has("kernel") && case.text("kernel") == "matern52";
        Self {
            kernel: if matern {
                Kernel::Matern52
            } else {
                Kernel::SquaredExponential
            },
            x,
            y: case.numbers("input/y"),
            length_scales: case.numbers("input/lengthscale"),
            signal_variance: case.number("input/s2"),
            noise_variance: case.number("input/noise"),
        }
    }

    pub fn dimension(&self) -> usize {
        self.length_scales.len()
    }

    /// The observations one after the other into a surrogate that has its hyperparameters: rows are appended.
    pub fn appended<T: Scalar>(&self, outputs: Outputs) -> Box<Model<T>> {
        let mut gp = self.empty(outputs);
        gp.set_hyper(self.hyper()).unwrap();
        self.push_all(&mut gp);
        gp
    }

    /// The hyperparameters after the observations: the whole matrix is factorised.
    pub fn refactorised<T: Scalar>(&self, outputs: Outputs) -> Box<Model<T>> {
        let mut gp = self.empty(outputs);
        self.push_all(&mut gp);
        gp.set_hyper(self.hyper()).unwrap();
        gp
    }

    fn empty<T: Scalar>(&self, outputs: Outputs) -> Box<Model<T>> {
        let mut gp = Box::new(Gp::new().with_kernel(self.kernel).with_outputs(outputs));
        let d = self.dimension();
        gp.set_active(VarSet::first(d), VarSet::first(d.saturating_sub(DESIGN)))
            .unwrap();
        gp
    }

    fn push_all<T: Scalar>(&self, gp: &mut Model<T>) {
        for (x, &y) in self.x.iter().zip(&self.y) {
            gp.push(&point(x), T::from_f64(y)).unwrap();
        }
    }

    fn hyper<T: Scalar>(&self) -> Hyper<DESIGN, CONTEXT, T> {
        let mut hyper = Hyper::START;
        let scales = hyper
            .design_length_scales
            .iter_mut()
            .chain(&mut hyper.context_length_scales);
        for (to, &from) in scales.zip(&self.length_scales) {
            *to = T::from_f64(from);
        }
        hyper.signal_variance = T::from_f64(self.signal_variance);
        hyper.noise_variance = T::from_f64(self.noise_variance);
        hyper
    }
}

/// Coordinates in the order of a case, design first; those it lacks are 0.
pub fn point<T: Scalar>(coordinates: &[f64]) -> Point<DESIGN, CONTEXT, T> {
    let mut point = Point::ORIGIN;
    for (to, &from) in point.iter_mut().zip(coordinates) {
        *to = T::from_f64(from);
    }
    point
}
