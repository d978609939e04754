//! How deep the stack has been.

use core::ptr;

unsafe extern "C" {
    /// The highest address of the stack, from the linker script.
    static _stack_start: u32;
    /// The lowest.
    static _stack_end: u32;
}

/// What the stack is filled with at reset: cortex-m-rt's `paint-stack` has the same.
const PAINT: u32 = 0xCCCC_CCCC;

/// The most bytes that the stack has held since reset.
pub fn peak() -> usize {
    let top = &raw const _stack_start;
    let mut lowest = &raw const _stack_end;
    // SAFETY: all words between the two symbols are RAM that reset has painted; nothing else runs while they are read.
    while lowest < top && unsafe { ptr::read_volatile(lowest) } == PAINT {
        lowest = lowest.wrapping_add(1);
    }
    top.addr() - lowest.addr()
}

/// Paints the stack from its lowest address up to this one.
///
/// # Safety
///
/// Nothing below that address may be in use.
#[cfg(target_arch = "riscv32")]
pub unsafe fn paint(end: usize) {
    let mut word = (&raw const _stack_end).cast_mut();
    while word.addr() < end {
        // SAFETY: a word of the stack, by the symbol, that is not in use, by the caller's word.
        unsafe { ptr::write_volatile(word, PAINT) };
        word = word.wrapping_add(1);
    }
}
