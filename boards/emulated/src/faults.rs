//! What happens when something goes wrong: a message and an exit code of its own.

use core::panic::PanicInfo;

use crate::{console, exit};

const PANICKED: i32 = 101;
const FAULTED: i32 = 102;

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    console::print_last_words(format_args!("{info}"));
    exit(PANICKED)
}

/// The processor refused the instruction at this address.
pub fn faulted(address: u32) -> ! {
    console::print_last_words(format_args!("hard fault at {address:#010x}"));
    exit(FAULTED)
}
