//! The outputs that must have the same bits on every platform.

mod controller;
mod functions;
mod surrogate;

use sadcbo::Scalar;
use sadcbo::gp::Kernel;

use crate::output::{Bits, Digest, Output};

/// Runs everything, hands each output to `report` and returns the digest of all.
pub fn run(report: &mut impl FnMut(&Output)) -> u64 {
    let mut log = Log {
        digest: Digest::new(),
        report,
    };
    functions::run::<f32>(&mut log);
    functions::run::<f64>(&mut log);
    for kernel in [Kernel::SquaredExponential, Kernel::Matern52] {
        surrogate::run::<42, 2, 5, f32>(&mut log, kernel);
        surrogate::run::<18, 1, 3, f64>(&mut log, kernel);
    }
    controller::run(&mut log);
    log.digest.value()
}

struct Log<'a, R> {
    digest: Digest,
    report: &'a mut R,
}

impl<R: FnMut(&Output)> Log<'_, R> {
    fn put<T: Scalar>(&mut self, name: &'static str, index: usize, value: T) {
        let bits = Bits::of(value);
        self.digest.add(bits);
        (self.report)(&Output { name, index, bits });
    }

    fn all<T: Scalar>(&mut self, name: &'static str, values: impl Iterator<Item = T>) {
        for (index, value) in values.enumerate() {
            self.put(name, index, value);
        }
    }
}
