//! For build scripts of boards: how an image is linked.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// What is promised to be enough, from the root of the repository.
const PROMISED: &str = "../../memory.x";

/// Links every image of a real board with its `memory.x` and with defmt's frames.
pub fn board() {
    let folder = folder("memory");
    write(&folder, &file("memory.x"));
    println!("cargo:rustc-link-search={}", folder.display());
    scripts(&["link.x", "defmt.x"]);
}

/// Gives one image this text as `memory.x`.
pub fn image(name: &str, memory: &str) {
    let folder = folder(name);
    write(&folder, memory);
    println!("cargo:rustc-link-arg-bin={name}=-L{}", folder.display());
}

/// Links every image with these scripts.
pub fn scripts(names: &[&str]) {
    for name in names {
        println!("cargo:rustc-link-arg-bins=-T{name}");
    }
    println!("cargo:rustc-link-arg-bins=--nmagic");
}

/// A file of the board. When it changes, the image is linked again.
pub fn file(name: &str) -> String {
    println!("cargo:rerun-if-changed={name}");
    fs::read_to_string(name).unwrap_or_else(|error| panic!("cannot read {name}: {error}"))
}

/// The memory that is promised to be enough.
pub fn promised() -> String {
    file(PROMISED)
}

/// The promised memory with the stack at the bottom of the RAM, the variables above it: a stack that overflows leaves the
/// RAM, which is a fault, instead of overwriting variables.
pub fn stack_below_variables(memory: &str) -> String {
    let all = "RAM : ORIGIN = 0x20000000, LENGTH = 64K";
    let split =
        "STACK : ORIGIN = 0x20000000, LENGTH = 36K\n  RAM : ORIGIN = 0x20009000, LENGTH = 28K";
    assert!(memory.contains(all), "the RAM of memory.x has changed");
    let symbols = "_stack_start = ORIGIN(STACK) + LENGTH(STACK);\n_stack_end = ORIGIN(STACK);\n";
    memory.replace(all, split) + symbols
}

/// A folder of the build for one purpose.
fn folder(name: &str) -> PathBuf {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    out.join(name)
}

fn write(folder: &Path, memory: &str) {
    fs::create_dir_all(folder).expect("OUT_DIR can be written");
    fs::write(folder.join("memory.x"), memory).expect("OUT_DIR can be written");
}
