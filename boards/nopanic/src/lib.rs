//! What both images share: a result that the compiler must not throw away, and the control.
//!
//! An image's panic handler calls a function that does not exist. It links only if link-time optimisation has removed
//! every path to that handler. The images are never run: all inputs are arguments of the entry point, so the compiler
//! knows nothing about them.
#![no_std]

use core::hint::black_box;

/// Keeps a result, so that the work for it is not removed.
pub fn keep<R>(result: R) {
    black_box(&result);
}

/// With feature `control`, an index that nobody checks; without it, nothing.
pub fn control(index: usize) {
    let table = black_box([1_u8, 2, 3]);
    #[cfg(feature = "control")]
    keep(table[index]);
    #[cfg(not(feature = "control"))]
    keep(table.get(index));
}
