//! Gives each image its memory: the promised one of the root's `memory.x`, or the whole machine's where one image holds what
//! no firmware would (every policy in both precisions, every capacity).

use std::env;
use std::fs;
use std::path::PathBuf;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (image, memory) in [
        ("firmware", "../../memory.x"),
        ("parity", "emulator.x"),
        ("footprint", "../../memory.x"),
        ("footprint_controller", "../../memory.x"),
        ("bench", "emulator.x"),
    ] {
        let folder = out.join(image);
        fs::create_dir_all(&folder).expect("OUT_DIR can be written");
        let mut text = fs::read_to_string(memory).expect("the memory file is there");
        if image == "firmware" {
            text = stack_below_variables(&text);
        }
        fs::write(folder.join("memory.x"), text).expect("OUT_DIR can be written");
        println!("cargo:rerun-if-changed={memory}");
        println!("cargo:rustc-link-arg-bin={image}=-L{}", folder.display());
    }
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    println!("cargo:rustc-link-arg-bin=firmware=-Tdefmt.x");
    println!("cargo:rustc-link-arg-bins=--nmagic");
}

/// The stack at the bottom of the RAM, the variables above it: a stack that overflows leaves the RAM, which is a fault,
/// instead of overwriting variables.
fn stack_below_variables(memory: &str) -> String {
    let all = "RAM : ORIGIN = 0x20000000, LENGTH = 64K";
    let split =
        "STACK : ORIGIN = 0x20000000, LENGTH = 36K\n  RAM : ORIGIN = 0x20009000, LENGTH = 28K";
    assert!(memory.contains(all), "the RAM of memory.x has changed");
    let symbols = "_stack_start = ORIGIN(STACK) + LENGTH(STACK);\n_stack_end = ORIGIN(STACK);\n";
    memory.replace(all, split) + symbols
}
