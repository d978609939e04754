//! The library's mathematics.

use sadcbo::Scalar;

use super::Log;
use crate::data::Data;
use crate::output::Output;

/// Every function of the library's mathematics, over the range that the library uses it in.
pub fn run<T: Scalar>(log: &mut Log<'_, impl FnMut(&Output)>) {
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
