//! This part has the promised memory and no more. The workload needs the larger machine with the same core.

use sadcbo_link::{file, image, promised, scripts, stack_below_variables};

fn main() {
    image("firmware", &stack_below_variables(&promised()));
    image("parity", &file("../qemu-mps2-an386/emulator.x"));
    scripts(&["link.x"]);
    println!("cargo:rustc-link-arg-bin=firmware=-Tdefmt.x");
}
