//! Gives each image its memory: the promised one of the root's `memory.x`, or the whole machine's where one image holds what
//! no firmware would (every policy in both precisions, every capacity).

use sadcbo_link::{file, image, promised, scripts, stack_below_variables};

fn main() {
    image("firmware", &stack_below_variables(&promised()));
    for name in ["footprint", "footprint_controller"] {
        image(name, &promised());
    }
    for name in ["parity", "bench"] {
        image(name, &file("emulator.x"));
    }
    scripts(&["link.x"]);
    println!("cargo:rustc-link-arg-bin=firmware=-Tdefmt.x");
}
