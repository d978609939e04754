//! One result, and the digest of all of them.

use core::fmt;

use sadcbo::Scalar;

/// A result with its place in the workload.
pub struct Output {
    pub name: &'static str,
    pub index: usize,
    pub bits: Bits,
}

/// A number as it is, without the rounding that printing it would bring.
#[derive(Clone, Copy)]
pub enum Bits {
    F32(u32),
    F64(u64),
}

impl Bits {
    pub fn of<T: Scalar>(value: T) -> Self {
        if size_of::<T>() == size_of::<f32>() {
            Self::F32(value.to_bits64() as u32)
        } else {
            Self::F64(value.to_bits64())
        }
    }
}

/// `f32:3f800000`, for example.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::F32(bits) => write!(f, "f32:{bits:08x}"),
            Self::F64(bits) => write!(f, "f64:{bits:016x}"),
        }
    }
}

/// The line that a board prints: name, index, bits.
impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.name, self.index, self.bits)
    }
}

/// The 64-bit FNV-1a hash of every output's bits, for a board that cannot print thousands of lines.
pub struct Digest(u64);

impl Digest {
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn add(&mut self, bits: Bits) {
        match bits {
            Bits::F32(bits) => self.bytes(&bits.to_le_bytes()),
            Bits::F64(bits) => self.bytes(&bits.to_le_bytes()),
        }
    }

    pub const fn value(&self) -> u64 {
        self.0
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_fnv_1a() {
        // The published value of the ASCII string "foobar".
        let mut digest = Digest::new();
        digest.bytes(b"foobar");
        assert_eq!(digest.value(), 0x8594_4171_f739_67e8);
    }
}
