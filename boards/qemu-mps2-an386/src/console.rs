//! Lines of text to the host.

use core::fmt::{self, Write};

use heapless::String;
use semihosting::io::Write as _;

/// Prints one line. It is put together first, because each write stops the emulator; what exceeds 160 bytes is cut off.
pub fn print(line: fmt::Arguments<'_>) {
    let mut text: String<160> = String::new();
    // Too long a line or a host that does not listen: there is nobody left to tell.
    let _ = writeln!(text, "{line}");
    if let Ok(mut stdout) = semihosting::io::stdout() {
        let _ = stdout.write_all(text.as_bytes());
    }
}
