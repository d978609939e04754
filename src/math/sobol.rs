//! Sobol points: quasi-random samples that fill the cube evenly, whatever the number of them.
//!
//! Direction numbers of Joe and Kuo (2008) for 64 dimensions; 16 of them each, so up to 65 536 points and 2 KiB of flash.
//! Points come in plain binary order, any one of them directly, with no state but a seed.
//!
//! Each dimension is scrambled by a hash in the manner of Owen: every binary digit is flipped or not depending on the
//! digits before it. Unlike a digital shift it breaks up the regular patterns that high dimensions show in small
//! samples, and it fills the digits below the 16th; any 2^k points stay as evenly spread as before.

use crate::Scalar;

/// How many dimensions have direction numbers of their own.
pub const DIMENSIONS: usize = 64;

/// Binary digits of an unscrambled coordinate, and of an index.
const DIGITS: usize = 16;

/// A scrambled Sobol sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sobol {
    seed: u32,
}

impl Sobol {
    /// The sequence that this seed scrambles.
    pub const fn new(seed: u32) -> Self {
        Self { seed }
    }

    /// Coordinate `dimension` of point `index`, in [0, 1).
    ///
    /// The `f32` value is the `f64` value rounded down. Dimensions beyond 64 use the numbers of the first again,
    /// scrambled differently.
    pub fn point<T: Scalar>(&self, index: u16, dimension: usize) -> T {
        let digits = u32::from(digits(index, dimension)) << (32 - DIGITS);
        T::from_unit_bits(scramble(digits, hash(self.seed ^ hash(dimension as u32))))
    }
}

/// Coordinate `dimension` of point `index` without scrambling, as the numerator of a fraction of 2^16.
pub fn digits(index: u16, dimension: usize) -> u16 {
    let column = DIRECTIONS.get(dimension % DIMENSIONS).into_iter().flatten();
    column
        .enumerate()
        .filter(|(digit, _)| index >> digit & 1 == 1)
        .fold(0, |sum, (_, direction)| sum ^ direction)
}

/// Owen scrambling by a hash (Laine and Karras 2011), here with constants of our own.
///
/// On the reversed digits every operation below lets a digit change only the ones above it; reversed back, a digit
/// depends only on those before it. The constants are the best of a random search for a flip probability of 1/2 for
/// every pair of digits (the test below measures it).
fn scramble(digits: u32, key: u32) -> u32 {
    let mut x = digits.reverse_bits().wrapping_add(key);
    x ^= x.wrapping_mul(0x1573_5e80);
    x = x.wrapping_mul(key.rotate_left(16) | 1);
    x ^= x.wrapping_mul(0x1372_aec2);
    x ^= x.wrapping_mul(0x37be_a6d8);
    x.reverse_bits()
}

/// One-to-one mixing of 32 bits: unrelated keys for neighbouring seeds and dimensions.
const fn hash(number: u32) -> u32 {
    let mut x = number.wrapping_add(0x9e37_79b9);
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}

/// Direction numbers, first digit first.
static DIRECTIONS: [[u16; DIGITS]; DIMENSIONS] = directions();

/// The recurrence m_k = 2 a_1 m_{k-1} ^ 4 a_2 m_{k-2} ^ ... ^ 2^s m_{k-s} ^ m_{k-s} of Bratley and Fox (1988), where the
/// a_i are the inner coefficients of the polynomial; digit k of the index contributes m_k 2^(15-k).
#[expect(
    clippy::indexing_slicing,
    reason = "runs in the compiler, where a bad index does not build"
)]
const fn directions() -> [[u16; DIGITS]; DIMENSIONS] {
    let mut table = [[0; DIGITS]; DIMENSIONS];
    let mut dimension = 0;
    while dimension < DIMENSIONS {
        let (polynomial, first) = JOE_KUO[dimension];
        let degree = first.len();
        let mut odd = [0_u16; DIGITS];
        let mut k = 0;
        while k < DIGITS {
            if k < degree {
                odd[k] = first[k];
            } else if degree == 0 {
                odd[k] = 1;
            } else {
                odd[k] = odd[k - degree] ^ odd[k - degree] << degree;
                let mut back = 1;
                while back < degree {
                    if polynomial >> (degree - back) & 1 == 1 {
                        odd[k] ^= odd[k - back] << back;
                    }
                    back += 1;
                }
            }
            table[dimension][k] = odd[k] << (DIGITS - 1 - k);
            k += 1;
        }
        dimension += 1;
    }
    table
}

/// Joe and Kuo's choice (their file `new-joe-kuo-6`): a primitive polynomial, its coefficients as bits, and the first m_k.
#[rustfmt::skip]
const JOE_KUO: [(u16, &[u16]); DIMENSIONS] = [
    (1, &[]),
    (3, &[1]),
    (7, &[1, 3]),
    (11, &[1, 3, 1]),
    (13, &[1, 1, 1]),
    (19, &[1, 1, 3, 3]),
    (25, &[1, 3, 5, 13]),
    (37, &[1, 1, 5, 5, 17]),
    (41, &[1, 1, 5, 5, 5]),
    (47, &[1, 1, 7, 11, 19]),
    (55, &[1, 1, 5, 1, 1]),
    (59, &[1, 1, 1, 3, 11]),
    (61, &[1, 3, 5, 5, 31]),
    (67, &[1, 3, 3, 9, 7, 49]),
    (91, &[1, 1, 1, 15, 21, 21]),
    (97, &[1, 3, 1, 13, 27, 49]),
    (103, &[1, 1, 1, 15, 7, 5]),
    (109, &[1, 3, 1, 15, 13, 25]),
    (115, &[1, 1, 5, 5, 19, 61]),
    (131, &[1, 3, 7, 11, 23, 15, 103]),
    (137, &[1, 3, 7, 13, 13, 15, 69]),
    (143, &[1, 1, 3, 13, 7, 35, 63]),
    (145, &[1, 3, 5, 9, 1, 25, 53]),
    (157, &[1, 3, 1, 13, 9, 35, 107]),
    (167, &[1, 3, 1, 5, 27, 61, 31]),
    (171, &[1, 1, 5, 11, 19, 41, 61]),
    (185, &[1, 3, 5, 3, 3, 13, 69]),
    (191, &[1, 1, 7, 13, 1, 19, 1]),
    (193, &[1, 3, 7, 5, 13, 19, 59]),
    (203, &[1, 1, 3, 9, 25, 29, 41]),
    (211, &[1, 3, 5, 13, 23, 1, 55]),
    (213, &[1, 3, 7, 3, 13, 59, 17]),
    (229, &[1, 3, 1, 3, 5, 53, 69]),
    (239, &[1, 1, 5, 5, 23, 33, 13]),
    (241, &[1, 1, 7, 7, 1, 61, 123]),
    (247, &[1, 1, 7, 9, 13, 61, 49]),
    (253, &[1, 3, 3, 5, 3, 55, 33]),
    (285, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (299, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (301, &[1, 3, 1, 11, 11, 11, 77, 249]),
    (333, &[1, 3, 1, 11, 27, 43, 71, 9]),
    (351, &[1, 1, 7, 15, 21, 11, 81, 45]),
    (355, &[1, 3, 7, 3, 25, 31, 65, 79]),
    (357, &[1, 3, 1, 1, 19, 11, 3, 205]),
    (361, &[1, 1, 5, 9, 19, 21, 29, 157]),
    (369, &[1, 3, 7, 11, 1, 33, 89, 185]),
    (391, &[1, 3, 3, 3, 15, 9, 79, 71]),
    (397, &[1, 3, 7, 11, 15, 39, 119, 27]),
    (425, &[1, 1, 3, 1, 11, 31, 97, 225]),
    (451, &[1, 1, 1, 3, 23, 43, 57, 177]),
    (463, &[1, 3, 7, 7, 17, 17, 37, 71]),
    (487, &[1, 3, 1, 5, 27, 63, 123, 213]),
    (501, &[1, 1, 3, 5, 11, 43, 53, 133]),
    (529, &[1, 3, 5, 5, 29, 17, 47, 173, 479]),
    (539, &[1, 3, 3, 11, 3, 1, 109, 9, 69]),
    (545, &[1, 1, 1, 5, 17, 39, 23, 5, 343]),
    (557, &[1, 3, 1, 5, 25, 15, 31, 103, 499]),
    (563, &[1, 1, 1, 11, 11, 17, 63, 105, 183]),
    (601, &[1, 1, 5, 11, 9, 29, 97, 231, 363]),
    (607, &[1, 1, 5, 15, 19, 45, 41, 7, 383]),
    (617, &[1, 3, 7, 7, 31, 19, 83, 137, 221]),
    (623, &[1, 1, 1, 3, 23, 15, 111, 223, 83]),
    (631, &[1, 1, 5, 13, 31, 15, 55, 25, 161]),
    (637, &[1, 1, 3, 13, 25, 47, 39, 87, 257]),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Flipping a digit leaves those before it alone, flips itself, and flips each later one half of the time.
    #[test]
    fn scrambling_is_nested_and_flips_evenly() {
        const TRIALS: u32 = 20_000;
        for flipped in 0..16 {
            let mut flips = [0_u32; 32];
            for trial in 0..TRIALS {
                let (x, key) = (hash(trial), hash(!trial));
                let change = scramble(x, key) ^ scramble(x ^ 1 << (31 - flipped), key);
                assert_eq!(
                    change.leading_zeros(),
                    flipped,
                    "digit {flipped}, trial {trial}"
                );
                for (digit, count) in flips.iter_mut().enumerate() {
                    *count += change >> (31 - digit) & 1;
                }
            }
            // Four standard deviations of the count are 283.
            for (digit, &count) in flips.iter().enumerate().skip(flipped as usize + 1).take(15) {
                assert!(
                    count.abs_diff(TRIALS / 2) < 300,
                    "{flipped} -> {digit}: {count}"
                );
            }
        }
    }
}
