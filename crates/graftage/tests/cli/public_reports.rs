//! Moves, inlinings and upgrades of the kinds that public reports against other tools are about.

use std::os::unix::fs::PermissionsExt as _;

use super::support::graftage;

#[test]
fn a_move_keeps_the_style_of_imports_paths_and_links() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
#![deny(warnings)]
pub mod calm;
pub mod loud;
mod voice;

pub use loud::shout as yell;
//- /src/calm.rs
pub fn place() -> u8 {
    1
}
//- /src/voice.rs
pub trait Louder {
    fn louder(&self) -> String;
}

impl Louder for str {
    fn louder(&self) -> String {
        self.to_uppercase()
    }
}
//- /src/loud.rs
use std::fmt::{self, Write as _};

use crate::voice::Louder as _;

type Line = Result<String, fmt::Error>;

const MARK: char = '!';

/// Shouts `text`; see [`quiet`].
pub fn shout(text: &str) -> Line {
    let mut out = String::new();
    write!(out, \"{}{MARK}\", text.louder())?;
    Ok(out)
}

pub fn quiet(text: &str) -> Line {
    let mut out = String::new();
    write!(out, \"{}\", text.to_lowercase())?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loudly() {
        assert_eq!(shout(\"ab\").unwrap(), \"AB!\");
        assert_eq!(crate::yell(\"ab\"), shout(\"ab\"));
    }
}
",
    );
    let applied =
        graftage(&project, &["refactor", "move", "loud::shout", "crate::calm", "--apply"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    assert!(applied.stdout.contains("format ok"), "{applied:#?}");
    let calm = project.read("src/calm.rs");
    let imports = "use std::fmt::Write as _;\n\nuse crate::loud::{Line, MARK};\nuse \
                   crate::voice::Louder as _;\n\npub fn place";
    assert!(calm.starts_with(imports), "{calm}");
    assert!(calm.contains("/// Shouts `text`; see [`quiet`](crate::loud::quiet)."), "{calm}");
    let loud = project.read("src/loud.rs");
    assert!(loud.starts_with("use std::fmt::{self, Write as _};\n"), "{loud}");
    assert!(!loud.contains("Louder"), "{loud}");
    assert!(project.read("src/lib.rs").contains("pub use calm::shout as yell;"));
}

#[test]
fn a_call_becomes_the_expression_that_the_body_is_in_tests_too() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
#![deny(warnings)]

fn smaller(a: u32, b: u32) -> bool {
    a < b
}

fn sixfold(foo: u32) -> u32 {
    let a = 10;
    foo * 6 + (a - 10)
}

pub fn both(a: u32) -> (bool, u32) {
    let p = !smaller(a, 9);
    let q = sixfold(a);
    (p, q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_right() {
        assert_eq!(both(7), (false, 42));
        assert!(smaller(1, 2));
    }
}
",
    );
    let applied = graftage(&project, &["refactor", "inline", "smaller", "--apply"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    let after = project.read("src/lib.rs");
    assert!(after.contains("    let p = !(a < 9);\n"), "{after}");
    assert!(after.contains("        assert!(1 < 2u32);\n"), "{after}");
    let applied = graftage(&project, &["refactor", "inline", "sixfold", "--apply"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    let after = project.read("src/lib.rs");
    let block = "    let q = {\n        let foo = a;\n        let a = 10;\n        foo * 6 + (a - 10)\n    };\n";
    assert!(after.contains(block), "{after}");
}

#[test]
fn an_edition_migrates_the_code_of_features_and_names_what_it_leaves() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
#![doc = include_str!(\"../README.md\")]

pub fn gen(seed: u32) -> u32 {
    seed * 3
}

#[cfg(feature = \"extra\")]
pub mod extra {
    pub fn mark() {
        std::env::set_var(\"MARK\", \"1\");
    }
}
//- /README.md
```
assert_eq!(fixture::three(), 3);
```
",
    );
    let manifest = project.read("Cargo.toml").replace("2024", "2021");
    project.write("Cargo.toml", format!("{manifest}\n[features]\nextra = []\n"));
    let source = project.read("src/lib.rs");
    project.write("src/lib.rs", format!("{source}\npub fn three() -> u32 {{\n    gen(1)\n}}\n"));
    let some = graftage(&project, &["upgrade", "--edition", "2024"]);
    assert!(some.stdout.contains("`--all-features` migrates it too"), "{some:#?}");
    let args = ["upgrade", "--edition", "2024", "--all-features", "--apply"];
    let applied = graftage(&project, &args);
    assert_eq!(applied.status, 0, "{applied:#?}");
    let after = project.read("src/lib.rs");
    assert!(after.contains("unsafe { std::env::set_var(\"MARK\", \"1\") };"), "{after}");
    assert!(after.contains("r#gen(1)"), "{after}");
}

#[test]
fn a_read_only_lock_file_is_completed_in_memory() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
pub fn two() -> u32 {
    near::one() + 1
}
//- /near/Cargo.toml
[package]
name = \"near\"
version = \"0.1.0\"
edition = \"2024\"
//- /near/src/lib.rs
pub fn one() -> u32 {
    1
}
",
    );
    let manifest = project.read("Cargo.toml");
    project
        .write("Cargo.toml", format!("{manifest}\n[dependencies]\nnear = {{ path = \"near\" }}\n"));
    let lock = "version = 4\n\n[[package]]\nname = \"fixture\"\nversion = \"0.1.0\"\n";
    project.write("Cargo.lock", lock);
    let path = project.path("Cargo.lock");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    let checked = graftage(&project, &["check"]);
    assert_eq!(checked.status, 0, "{checked:#?}");
    assert_eq!(project.read("Cargo.lock"), lock);
}
