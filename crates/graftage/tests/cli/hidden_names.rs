//! Places of an old name that something hides: another item of the name, a `cfg`, a package that is no
//! member, a variant that has taken the place of another.

use super::support::{graftage, left_rows};

/// The places that a report lists, edited or not.
fn rows(json: &serde_json::Value) -> Vec<String> {
    let rows = left_rows(json).into_iter();
    rows.map(|it| it.strip_prefix("edited ").map_or(it.clone(), str::to_owned)).collect()
}

#[test]
fn another_item_of_the_name_hides_no_place() {
    let project = testkit::crate_project(
        r#"
//- /src/lib.rs
pub mod other;
/// How to split.
pub enum Split {
    No,
    /// `HyphenSplitter` is the default.
    HyphenSplitter,
}
//- /src/other.rs
pub enum Other {
    HyphenSplitter,
}
//- /CHANGELOG.md
Adds `HyphenSplitter`.
//- /examples/web/Cargo.toml
[package]
name = "web"
version = "0.1.0"
edition = "2021"
[dependencies]
fixture = { path = "../.." }
//- /examples/web/src/lib.rs
use fixture::Split;
pub fn split() -> Split {
    Split::HyphenSplitter
}
"#,
    );
    project.git().commit_all("base");
    let rename = ["refactor", "rename", "Split::HyphenSplitter", "Hyphens", "--apply", "--json"];
    let rows = rows(&graftage(&project, &rename).json());
    for row in ["CHANGELOG.md:1", "src/lib.rs:5", "examples/web/src/lib.rs:3"] {
        assert!(rows.iter().any(|it| it.starts_with(row)), "{row}: {rows:#?}");
    }
}

#[test]
fn a_renamed_variant_is_found_in_texts_after_its_enum() {
    let text = "pub enum E {\n    A(u8),\n    Overriding { kind: u8 },\n}\n/// Gives `E::Overriding` back.\n\
                pub fn f() -> E {\n    E::Overriding { kind: 1 }\n}\n";
    let project = testkit::crate_project(text);
    project.git().commit_all("base");
    project.write("src/lib.rs", text.replacen("Overriding {", "Twice {", 1));
    let finished = graftage(&project, &["finish", "--apply", "--json"]).json();
    assert_eq!(finished["outcome"], "applied", "{finished:#?}");
    for report in [finished, graftage(&project, &["finish", "--json"]).json()] {
        let is_left = project.read("src/lib.rs").contains("E::Overriding");
        let is_listed = rows(&report).iter().any(|it| it.starts_with("src/lib.rs:5"));
        assert!(is_listed || !is_left, "{report:#?}");
    }
}

#[test]
fn a_name_outside_of_the_cfg_of_its_item_is_unproven() {
    let project = testkit::crate_project(
        r#"
//- /src/lib.rs
#[cfg(not(loom))]
mod sync {
    pub trait With {
        fn with_mut(&mut self) {}
    }
    impl With for u8 {}
}
#[cfg(loom)]
mod sync {
    pub use loom::With;
}
use sync::With;
pub fn f(mut a: u8) {
    a.with_mut();
}
"#,
    );
    project.git().commit_all("base");
    let rename = ["refactor", "rename", "With::with_mut", "with_value", "--apply", "--json"];
    let rows = rows(&graftage(&project, &rename).json());
    let is_outside = |it: &String| it.contains("outside of `cfg(not(loom))`");
    assert!(rows.iter().any(is_outside), "{rows:#?}");
    assert!(!rows.iter().any(|it| it.contains("is not on")), "{rows:#?}");
}

#[test]
fn an_item_that_an_import_replaces_under_another_cfg_is_refused_with_that_reason() {
    let project = testkit::crate_project(
        r#"
//- /src/lib.rs
#[cfg(wide)]
use std::fmt::Display as Shown;

#[cfg(not(wide))]
pub trait Shown {
    fn shown(&self) -> u8;
}
#[cfg(not(wide))]
impl Shown for str {
    fn shown(&self) -> u8 {
        1
    }
}
#[cfg(not(wide))]
pub fn alone() {}
"#,
    );
    project.git().commit_all("base");
    let add = ["refactor", "add-parameter", "Shown::shown", "n: u8", "--value", "1"];
    for words in [&["refactor", "rename", "Shown", "Seen"][..], &add] {
        let refused = graftage(&project, words);
        assert_eq!(refused.status, 1, "{refused:#?}");
        let reason = "src/lib.rs:2 imports another `Shown` under `cfg(wide)`";
        assert!(refused.stderr.contains(reason), "{refused:#?}");
    }
    let other = graftage(&project, &["refactor", "rename", "alone", "single"]);
    assert_eq!(other.status, 0, "{other:#?}");
}

#[test]
fn quoted_code_follows_by_the_path_of_a_re_export() {
    let project = testkit::project(
        "\
//- /Cargo.toml
[workspace]
members = [\"own\", \"derive\"]
resolver = \"2\"
//- /own/Cargo.toml
[package]
name = \"own\"
version = \"0.1.0\"
edition = \"2021\"
//- /own/src/lib.rs
mod internal;
pub use internal::Former;
//- /own/src/internal.rs
pub trait Former {}
//- /derive/Cargo.toml
[package]
name = \"derive\"
version = \"0.1.0\"
edition = \"2021\"
//- /derive/src/lib.rs
macro_rules! quote {
    ($($t:tt)*) => {
        1
    };
}
pub fn derived() -> u8 {
    quote! { impl ::own::Former for S {} }
}
#[test]
fn works() {
    assert_eq!(derived(), 1);
}
",
    );
    let args = ["refactor", "rename", "internal::Former", "Latter", "--apply", "--json"];
    let result = graftage(&project, &args);
    let json = result.json();
    assert_eq!(json["outcome"], "applied", "{result:#?}");
    assert!(project.read("derive/src/lib.rs").contains("::own::Latter for S"), "{result:#?}");
}

#[test]
fn an_item_in_the_file_of_a_module_that_a_macro_declares_is_renamed() {
    let project = testkit::crate_project(
        "macro_rules! cfg_if {\n    (if #[cfg($m:meta)] { $a:item } else { $b:item }) => {\n        \
         #[cfg($m)]\n        $a\n        #[cfg(not($m))]\n        $b\n    };\n}\n\
         cfg_if! {\n    if #[cfg(windows)] {\n        mod win;\n    } else {\n        mod unix;\n    }\n}\n\n\
         pub fn run() -> u8 {\n    unix::open()\n}\n",
    );
    project.write("src/unix.rs", "pub fn open() -> u8 {\n    1\n}\n");
    project.write("src/win.rs", "pub fn open() -> u8 {\n    2\n}\n");
    let args = ["refactor", "rename", "src/unix.rs:1", "begin", "--apply", "--json"];
    let result = graftage(&project, &args);
    assert_eq!(result.json()["outcome"], "applied", "{result:#?}");
    assert!(project.read("src/lib.rs").contains("unix::begin()"), "{result:#?}");
    assert!(project.read("src/unix.rs").contains("fn begin()"), "{result:#?}");
}
