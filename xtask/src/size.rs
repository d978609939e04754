//! `cargo xtask size`: what an image takes of flash and RAM, from its section headers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use object::elf::{SHF_ALLOC, SHF_WRITE, SHT_NOBITS};
use object::read::elf::{ElfFile32, FileHeader, SectionHeader};

use crate::board;

/// Bytes of an image.
pub struct Size {
    /// Code, constants and the initial values of variables.
    pub flash: u64,
    /// Variables, initialised or not. The stack comes on top.
    pub ram: u64,
}

pub fn run(images: &[&str]) -> Result<()> {
    let images: Vec<PathBuf> = if images.is_empty() {
        board::build()?;
        board::IMAGES.map(board::image).into()
    } else {
        images.iter().map(PathBuf::from).collect()
    };
    println!("| image | flash, bytes | static RAM, bytes |\n|---|---:|---:|");
    for image in images {
        let size = of(&image)?;
        let name = image.file_name().unwrap_or_default().to_string_lossy();
        println!("| {name} | {} | {} |", size.flash, size.ram);
    }
    Ok(())
}

/// The size of one image.
pub fn of(image: &Path) -> Result<Size> {
    let bytes = std::fs::read(image).with_context(|| format!("cannot read {}", image.display()))?;
    let file = ElfFile32::<object::Endianness>::parse(&*bytes)?;
    let endian = file.endian();
    let mut size = Size { flash: 0, ram: 0 };
    let sections = file.elf_header().sections(endian, &*bytes)?;
    for section in sections.iter() {
        let flags = section.sh_flags(endian);
        let length = u64::from(section.sh_size(endian));
        if !flags.contains(SHF_ALLOC) {
            continue;
        }
        if section.sh_type(endian) != SHT_NOBITS {
            size.flash += length;
        }
        // RISC-V's runtime makes a section of it.
        let is_stack = sections.section_name(endian, section)? == b".stack";
        if flags.contains(SHF_WRITE) && !is_stack {
            size.ram += length;
        }
    }
    Ok(size)
}
