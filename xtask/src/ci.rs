use std::path::Path;

use crate::Failure;
use crate::run::{cargo, step, works};

/// All that a change must pass, cheapest first.
pub(crate) fn ci(root: &Path) -> Result<(), Failure> {
    step(&mut cargo(root, &["fmt", "--all", "--check"]))?;
    crate::tidy::tidy(root)?;
    let clippy = [
        "clippy",
        "--workspace",
        "--all-features",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ];
    step(&mut cargo(root, &clippy))?;
    // What a plain build has: the store without its engine.
    step(&mut cargo(root, &["test", "--package", "graftage-store", "--lib", "--locked"]))?;
    if works(&mut cargo(root, &["deny", "--version"])) {
        let deny = ["deny", "--offline", "check", "bans", "licenses", "sources"];
        step(&mut cargo(root, &deny))?;
    } else {
        println!("skipped: licences and sources of dependencies; `cargo install cargo-deny`");
    }
    crate::test::test(root, &[])?;
    let doc = ["doc", "--workspace", "--all-features", "--no-deps", "--locked"];
    step(cargo(root, &doc).env("RUSTDOCFLAGS", "-D warnings"))
}
