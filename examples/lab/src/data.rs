//! Where data files are that are not part of this repository.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// The file in `given`, or else in `$SADCBO_DATA`, or else in `../shared/data` beside the repository.
///
/// A directory that was named is the only one searched.
pub fn find(file: &str, given: Option<&Path>, source: &str) -> Result<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let named = given.map(Path::to_path_buf);
    let named = named.or_else(|| std::env::var_os("SADCBO_DATA").map(PathBuf::from));
    let path = named.unwrap_or(beside).join(file);
    if path.is_file() {
        return Ok(path);
    }
    bail!("{file} is not here (give --data DIR or set SADCBO_DATA); it comes from {source}")
}
