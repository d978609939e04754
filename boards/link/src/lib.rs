//! For build scripts of boards: how an image is linked.

use std::path::PathBuf;
use std::{env, fs};

/// Links every image of the board with its `memory.x` and with defmt's frames.
pub fn board() {
    memory("memory.x");
    scripts(&["link.x", "defmt.x"]);
}

/// Gives every image this file as `memory.x`.
pub fn memory(file: &str) {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy(file, out.join("memory.x")).expect("the memory file is there, OUT_DIR can be written");
    println!("cargo:rerun-if-changed={file}");
    println!("cargo:rustc-link-search={}", out.display());
}

/// Links every image with these scripts.
pub fn scripts(names: &[&str]) {
    for name in names {
        println!("cargo:rustc-link-arg-bins=-T{name}");
    }
    println!("cargo:rustc-link-arg-bins=--nmagic");
}
