//! Lines of text to the host. Not for an image that logs with defmt, whose frames they would break: only its last words,
//! which go elsewhere.

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

/// Prints one line to the standard error output, where no log frames are.
pub fn print_last_words(line: fmt::Arguments<'_>) {
    let mut text: String<160> = String::new();
    let _ = writeln!(text, "{line}");
    if let Ok(mut stderr) = semihosting::io::stderr() {
        let _ = stderr.write_all(text.as_bytes());
    }
}
