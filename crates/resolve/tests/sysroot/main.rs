//! The declarations of the standard library (`sysroot/std.rs`) are those of rust-src: the test makes
//! them again and compares, or writes them for `cargo xtask gen-sysroot`.

#![allow(clippy::disallowed_methods, reason = "the generator reads rust-src")]
#![allow(clippy::unwrap_used, reason = "a failure fails the test")]

mod declare;
mod library;
mod signatures;

use std::path::PathBuf;

use testkit::{Need, skip};

/// The folder `library` of rust-src.
const SOURCES: &str = "GRAFTAGE_RUST_SRC";
/// Set to write the declarations; its value is the release.
const WRITE: &str = "GRAFTAGE_GEN_SYSROOT";

#[test]
fn declarations_are_those_of_rust_src() {
    let Some(sources) = std::env::var_os(SOURCES) else {
        return skip(Need::StdSources, "`GRAFTAGE_RUST_SRC` is not set");
    };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sysroot/std.rs");
    let mut library = library::Library::read(&PathBuf::from(sources));
    let text = declare::declarations(&mut library);
    let release = std::env::var(WRITE);
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    if let Ok(release) = release {
        std::fs::write(path, declare::header(&release) + &text).unwrap();
        return;
    }
    let (_, declared) = old.split_once("do not edit.\n").unwrap();
    let differing = declared.lines().zip(text.lines()).enumerate().find(|(_, (a, b))| a != b);
    assert_eq!(differing, None, "run `cargo xtask gen-sysroot`");
    assert_eq!(declared.len(), text.len());
}
