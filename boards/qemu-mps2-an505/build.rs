//! As much memory as is promised, where this machine has it; the workload has all.

use sadcbo_link::{file, image, scripts};

fn main() {
    image("firmware", &file("memory.x"));
    image("parity", &file("emulator.x"));
    scripts(&["link.x"]);
    println!("cargo:rustc-link-arg-bin=firmware=-Tdefmt.x");
}
