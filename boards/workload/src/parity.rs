//! The outputs that must have the same bits on every platform.

use sadcbo::Scalar;

use crate::data::Data;
use crate::output::{Bits, Digest, Output};

/// Runs everything, hands each output to `report` and returns the digest of all.
pub fn run(report: &mut impl FnMut(&Output)) -> u64 {
    let mut log = Log {
        digest: Digest::new(),
        report,
    };
    functions::<f32>(&mut log);
    functions::<f64>(&mut log);
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
}

/// Every function of the library's mathematics, over the range that the library uses it in.
fn functions<T: Scalar>(log: &mut Log<'_, impl FnMut(&Output)>) {
    let mut data = Data::new(1);
    for index in 0..200 {
        let unit = T::from_f64(f64::from(data.unit()));
        let wide = T::from_f64(f64::from(data.between(-90.0, 90.0)));
        let positive = unit * T::from_f64(1e6) + T::EPSILON;
        log.put("exp_neg", index, (-wide.abs()).exp_neg());
        log.put("exp", index, wide.exp());
        log.put("ln", index, positive.ln());
        log.put("sqrt", index, positive.sqrt());
        log.put("erfc", index, (wide / T::from_f64(30.0)).erfc());
        log.put("quotient", index, unit / positive);
    }
}
