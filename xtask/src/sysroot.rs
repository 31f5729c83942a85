//! `cargo xtask gen-sysroot`: makes the declarations of the standard library (`crates/resolve/sysroot`)
//! from rust-src. The generator is the test that compares them with rust-src.

use std::path::{Path, PathBuf};

use crate::Failure;
use crate::run::{cargo, step};

/// Names the folder `library` of rust-src to the test.
pub(crate) const SOURCES: &str = "GRAFTAGE_RUST_SRC";
/// Makes the test write the declarations; its value is the release.
const WRITE: &str = "GRAFTAGE_GEN_SYSROOT";

/// Writes the declarations.
pub(crate) fn generate(root: &Path) -> Result<(), Failure> {
    let Some((sources, release)) = crate::analyzer::std_sources(root) else {
        let fix = "`cargo xtask setup` downloads them on Debian; `rustup component add rust-src`";
        return Err(Failure::Missing(format!("no sources of the standard library: {fix}")));
    };
    println!("declarations of Rust {release} from {}", sources.display());
    let mut command = cargo(root, &["test", "-p", "graftage-resolve", "--test", "sysroot"]);
    step(command.env(SOURCES, sources).env(WRITE, release))
}

/// The sources of the release that the declarations were made from.
pub(crate) fn sources(root: &Path) -> Result<PathBuf, String> {
    let declared = root.join("crates/resolve/sysroot/std.rs");
    let declared = std::fs::read_to_string(&declared).unwrap_or_default();
    let declared = declared.lines().next().unwrap_or_default();
    let (sources, release) =
        crate::analyzer::std_sources(root).ok_or("no sources of the standard library")?;
    if !declared.contains(&format!("Rust {release},")) {
        return Err(format!("the sources are of Rust {release}; the declarations: {declared}"));
    }
    Ok(sources)
}
