//! The Cholesky factorisation alone, the library's and nalgebra's.

use core::hint::black_box;

use nalgebra::{Cholesky, SMatrix};
use sadcbo::Scalar;
use sadcbo::parts::factor::{Panels, factorise};

use super::{Key, Meter};
use crate::output::Bits;

/// All sizes; 61 shows what a number of rows that is not a multiple of the panel's four costs.
pub fn run(meter: &mut impl Meter) {
    own::<16>(meter, 16);
    own::<32>(meter, 32);
    own::<64>(meter, 61);
    own::<64>(meter, 64);
    own::<128>(meter, 128);
    nalgebra::<16>(meter);
    nalgebra::<32>(meter);
    nalgebra::<64>(meter);
    nalgebra::<128>(meter);
}

fn own<const N: usize>(meter: &mut impl Meter, rows: usize) {
    let key = Key {
        name: "cholesky",
        observations: Some(rows),
        inputs: None,
    };
    let mut panels = Panels::<N, f32>::new();
    panels.set_matrix(rows, entry);
    let (sound, count) = meter.count(|| factorise(black_box(&mut panels), black_box(rows), 0.0));
    meter.figure(key, count);
    // The whole factor, so that no part of it can be left out.
    let mut sum = 0.0;
    for i in 0..rows {
        for j in 0..=i {
            sum += panels.element(i, j).unwrap_or(0.0);
        }
    }
    meter.check(key, Bits::of(if sound { sum } else { f32::NAN }));
}

/// It takes the matrix by value, which is part of the count. The sum is taken inside, because handing out the factor
/// would copy it once more.
fn nalgebra<const N: usize>(meter: &mut impl Meter) {
    let key = Key {
        name: "nalgebra_cholesky",
        observations: Some(N),
        inputs: None,
    };
    let matrix = SMatrix::<f32, N, N>::from_fn(entry);
    let (sum, count) = meter.count(|| {
        Cholesky::new(*black_box(&matrix))
            .map_or(f32::NAN, |factor| factor.l_dirty().diagonal().sum())
    });
    meter.figure(key, count);
    meter.check(key, Bits::of(sum));
}

/// A squared exponential kernel matrix on a line, with a noise variance of 0.1.
fn entry(row: usize, column: usize) -> f32 {
    let distance = (row as f32 - column as f32) / 8.0;
    (-0.5 * distance * distance).exp_neg() + if row == column { 0.1 } else { 0.0 }
}
