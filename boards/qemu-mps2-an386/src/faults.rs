//! What happens when something goes wrong: a message and an exit code of its own.

use core::panic::PanicInfo;

use cortex_m_rt::{ExceptionFrame, exception};

use crate::{console, exit};

const PANICKED: i32 = 101;
const FAULTED: i32 = 102;

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    console::print_last_words(format_args!("{info}"));
    exit(PANICKED)
}

// SAFETY: the frame is only read, and the handler does not return to the code that faulted.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    console::print_last_words(format_args!("hard fault at {:#010x}", frame.pc()));
    exit(FAULTED)
}
