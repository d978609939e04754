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
        fs::copy(memory, folder.join("memory.x")).expect("the memory file is there");
        println!("cargo:rerun-if-changed={memory}");
        println!("cargo:rustc-link-arg-bin={image}=-L{}", folder.display());
    }
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    println!("cargo:rustc-link-arg-bin=firmware=-Tdefmt.x");
    println!("cargo:rustc-link-arg-bins=--nmagic");
}
