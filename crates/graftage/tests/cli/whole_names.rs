//! Every place of an old name is changed with proof, or listed with the reason: public reports on
//! other tools, rebuilt small.

use super::support::{graftage, left_rows as rows};

#[test]
fn a_variant_behind_a_glob_is_renamed_in_examples_and_its_double_is_not() {
    let project = testkit::project(
        "\
//- /Cargo.toml
[workspace]
members = [\"core\", \"facade\"]
resolver = \"2\"
//- /core/Cargo.toml
[package]
name = \"corex\"
version = \"0.1.0\"
edition = \"2021\"
//- /core/src/lib.rs
pub mod error;
//- /core/src/error.rs
#[derive(Debug, PartialEq)]
pub enum ErrorKind {
    A,
    B,
}
#[derive(Debug, PartialEq)]
pub enum ContextKind {
    A,
}
//- /facade/Cargo.toml
[package]
name = \"facade\"
version = \"0.1.0\"
edition = \"2021\"
[dependencies]
corex = { path = \"../core\" }
//- /facade/src/lib.rs
pub use corex::*;
//- /facade/examples/e.rs
fn main() {
    println!(\"{:?} {:?}\", facade::error::ErrorKind::A, facade::error::ContextKind::A);
}
//- /facade/tests/t.rs
use facade::error::ErrorKind;
#[test]
fn t() {
    assert_eq!(ErrorKind::A, facade::error::ErrorKind::A);
}
",
    );
    let args = ["refactor", "rename", "ErrorKind::A", "Alpha", "--apply", "--json"];
    let result = graftage(&project, &args);
    let json = result.json();
    assert_eq!(json["outcome"], "applied", "{result:#?}");
    assert_eq!(rows(&json), Vec::<String>::new());
    let example = project.read("facade/examples/e.rs");
    assert!(example.contains("ErrorKind::Alpha, facade::error::ContextKind::A"), "{example}");
    assert!(!project.read("facade/tests/t.rs").contains("ErrorKind::A,"));
    assert!(project.read("core/src/error.rs").contains("pub enum ContextKind {\n    A,"));
}

/// A function that an example file, a documentation test and a feature use.
fn used_everywhere() -> testkit::TempProject {
    let project = testkit::project(
        "\
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[features]
extra = []
[workspace]
//- /src/lib.rs
/// Adds one.
///
/// ```
/// assert_eq!(fixture::add_one(1), 2);
/// ```
pub fn add_one(x: u32) -> u32 {
    x + 1
}

#[cfg(feature = \"extra\")]
pub fn add_two(x: u32) -> u32 {
    add_one(add_one(x))
}

#[cfg(windows)]
pub fn add_three(x: u32) -> u32 {
    add_one(add_one(add_one(x)))
}
//- /examples/e.rs
fn main() {
    println!(\"{}\", fixture::add_one(1));
}
",
    );
    project.git().commit_all("base");
    project
}

#[test]
fn a_rename_covers_features_and_names_what_no_configuration_builds() {
    let project = used_everywhere();
    let args = ["refactor", "rename", "add_one", "plus_one", "--apply", "--json"];
    let json = graftage(&project, &args).json();
    assert_eq!(json["outcome"], "applied", "{json:#}");
    let line = "edited src/lib.rs:17: `add_one`; `cfg(windows)` is not on";
    assert_eq!(rows(&json), [line; 1]);
    let after = project.read("src/lib.rs") + &project.read("examples/e.rs");
    assert!(!after.contains("add_one"), "{after}");
    let configurations = &json["evidence"]["coverage"]["configurations"];
    assert_eq!(configurations[1], "--workspace --all-features", "{json:#}");
}

#[test]
fn finish_takes_a_renamed_function_to_examples_documentation_and_features() {
    let project = used_everywhere();
    let text = project.read("src/lib.rs").replace("pub fn add_one", "pub fn plus_one");
    project.write("src/lib.rs", text);
    let result = graftage(&project, &["finish", "--apply", "--json"]);
    let json = result.json();
    assert_eq!(json["outcome"], "applied", "{result:#?}");
    let after = project.read("src/lib.rs") + &project.read("examples/e.rs");
    assert!(!after.contains("add_one"), "{after}");
    let rows = rows(&json);
    assert!(rows.iter().any(|it| it.contains("`cfg(windows)` is not on")), "{rows:#?}");
    assert!(rows.iter().any(|it| it.contains("feature = \"extra\"")), "{rows:#?}");
}

#[test]
fn an_item_in_the_branches_of_cfg_if_is_renamed_in_all_of_them() {
    let project = testkit::project(
        "\
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[features]
raw = []
[workspace]
//- /src/lib.rs
macro_rules! cfg_if {
    (if #[cfg($a:meta)] { $($t:tt)* } else { $($e:tt)* }) => {
        #[cfg($a)] const _: () = ();
        $($e)*
    };
}

macro_rules! made {
    ($name:ident) => { pub fn $name() {} };
}

made!(by_macro);

pub struct Table {
    size: u32,
}

impl Table {
    pub fn double(&self) -> u32 {
        self.shard() * 2
    }
}

cfg_if! {
    if #[cfg(feature = \"raw\")] {
        impl Table {
            pub fn shard(&self) -> u32 {
                self.size
            }
        }
    } else {
        impl Table {
            pub(crate) fn shard(&self) -> u32 {
                self.size + 1
            }
        }
    }
}
",
    );
    project.git().commit_all("base");
    let args = ["refactor", "rename", "Table::shard", "part", "--apply", "--json"];
    let json = graftage(&project, &args).json();
    assert_eq!(json["outcome"], "applied", "{json:#}");
    let text = project.read("src/lib.rs");
    assert_eq!((text.matches("shard").count(), text.matches("part").count()), (0, 3), "{text}");
    // What another macro makes is named as that.
    let result = graftage(&project, &["refactor", "rename", "by_macro", "other"]);
    assert_eq!(result.status, 1, "{result:#?}");
    assert!(result.stderr.contains("macro call"), "{result:#?}");
}

#[test]
fn finish_lists_each_use_of_a_trait_member_in_an_impl_that_is_not_built() {
    let project = testkit::project(
        "\
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[features]
extra = []
[workspace]
//- /src/lib.rs
pub trait Flavor {
    type PushError;
    fn push(&mut self) -> Result<(), Self::PushError>;
}

#[cfg(all(feature = \"extra\", windows))]
impl Flavor for Vec<u8> {
    type PushError = ();
    fn push(&mut self) -> Result<(), Self::PushError> {
        Ok(())
    }
}
",
    );
    project.git().commit_all("base");
    let text = project.read("src/lib.rs").replacen("type PushError;", "type ByteError;", 1);
    project.write("src/lib.rs", text);
    let json = graftage(&project, &["finish", "--tests", "none", "--json"]).json();
    let rows = rows(&json);
    for line in [8, 9] {
        let is_it = |row: &String| row.contains(&format!("src/lib.rs:{line}: `PushError`"));
        assert!(rows.iter().any(is_it), "{line}: {rows:#?}");
    }
}

#[test]
fn names_in_format_strings_included_files_and_other_workspaces_are_accounted_for() {
    let project = testkit::project(
        "\
//- /one/Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[workspace]
//- /one/src/lib.rs
pub const BASE: u8 = 100;
include!(\"more.in\");
pub fn shown() -> String {
    format!(\"{BASE:?}\")
}
//- /one/src/more.in
pub fn more() -> u8 {
    BASE
}
//- /two/src/main.rs
fn main() {
    println!(\"{}\", fixture::BASE);
}
",
    );
    project.git().commit_all("base");
    let project = project.rooted_at("one");
    let args = ["refactor", "rename", "BASE", "GROUND", "--apply", "--json"];
    let json = graftage(&project, &args).json();
    assert_eq!(json["outcome"], "applied", "{json:#}");
    assert_eq!(project.read("src/more.in"), "pub fn more() -> u8 {\n    GROUND\n}\n");
    let text = project.read("src/lib.rs");
    assert!(text.contains("format!(\"{GROUND:?}\")"), "{text}");
    let rows = rows(&json);
    let outside = "../two/src/main.rs:2: `BASE` in another workspace of the repository";
    assert_eq!(rows.len(), 1, "{rows:#?}");
    assert!(rows[0].starts_with(outside), "{rows:#?}");
}

#[test]
fn targets_that_do_not_build_without_the_change_block_none_and_are_named() {
    let project = testkit::project(
        "\
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[features]
extra = []
[workspace]
//- /src/lib.rs
pub fn add_one(x: u8) -> u8 {
    x + 1
}
fn hidden() -> u8 {
    2
}
pub fn three() -> u8 {
    add_one(hidden())
}
#[cfg(feature = \"extra\")]
pub mod extra {
    pub const N: u8 = 1;
}
#[cfg(test)]
mod tests {
    use crate::extra::N;
    #[test]
    fn adds() {
        assert_eq!(super::add_one(N), super::hidden());
    }
}
//- /benches/b.rs
#![feature(test)]
fn main() {
    fixture::add_one(1);
}
",
    );
    let args = ["refactor", "rename", "hidden", "concealed", "--apply", "--json"];
    let result = graftage(&project, &args);
    let json = result.json();
    assert_eq!(json["outcome"], "applied", "{result:#?}");
    // With all features the unit tests build, so they are checked there.
    assert_eq!(rows(&json), Vec::<String>::new());
    assert!(project.read("src/lib.rs").contains("super::concealed()"));
    let notes = json["evidence"]["notes"].to_string();
    assert!(notes.contains("bench b of fixture needs a nightly compiler"), "{notes}");
    let args = ["refactor", "rename", "add_one", "increment", "--apply", "--json"];
    let json = graftage(&project, &args).json();
    assert_eq!(json["outcome"], "applied", "{json:#}");
    let why = "bench `b` does not build, with the change or without it";
    assert!(rows(&json).iter().all(|it| it.contains("benches/b.rs:3") && it.contains(why)));
    assert_eq!(rows(&json).len(), 1, "{json:#}");
}

#[test]
fn documentation_that_names_or_implements_an_item_follows_or_is_listed() {
    let project = testkit::project(
        "\
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[workspace]
//- /src/lib.rs
//! ```
//! use fixture::Decider;
//! struct Always;
//! impl Decider for Always {
//!     fn verdict(&self) -> bool {
//!         true
//!     }
//! }
//! assert!(Always.verdict());
//! ```

/// Decides.
pub trait Decider {
    /// The result.
    fn verdict(&self) -> bool;
}

/// A name.
pub struct Parameter(String);

impl Parameter {
    /// Makes a new `Parameter` from a name.
    pub fn new(name: &str) -> Self {
        Self(name.to_owned())
    }
}
",
    );
    let result = graftage(
        &project,
        &["refactor", "rename", "Decider::verdict", "decide", "--apply", "--json"],
    );
    assert_eq!(result.json()["outcome"], "applied", "{result:#?}");
    assert!(!project.read("src/lib.rs").contains("verdict"));
    let json =
        graftage(&project, &["refactor", "rename", "Parameter", "Argument", "--apply", "--json"])
            .json();
    let listed = "src/lib.rs:22: `Parameter` in a comment; texts are not changed";
    assert_eq!(rows(&json), [listed], "{json:#}");
}

/// A method with a link of which the label and the target have its name, and an example.
const LINKED: &str = "\
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[workspace]
//- /src/lib.rs
//! Text.
//!
//! ```
//! assert!(fixture::Roff::new().render().ends_with('.'));
//! ```

/// A document.
pub struct Roff;

impl Roff {
    /// Makes one, for [`to_writer`](Roff::to_writer).
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self
    }

    /// The text.
    pub fn render(&self) -> String {
        \".\".to_owned()
    }

    /// Writes.
    pub fn to_writer(&self, out: &mut Vec<u8>) {
        out.extend(self.render().bytes());
    }
}

/// Writes one.
pub fn write(out: &mut Vec<u8>) {
    Roff::new().to_writer(out);
}
";

#[test]
fn both_parts_of_a_link_follow_a_rename_and_a_finish() {
    let wanted = "[`write_to`](Roff::write_to)";
    let project = testkit::project(LINKED);
    let args = ["refactor", "rename", "Roff::to_writer", "write_to", "--apply", "--json"];
    let json = graftage(&project, &args).json();
    assert_eq!(rows(&json), Vec::<String>::new(), "{json:#}");
    assert!(project.read("src/lib.rs").contains(wanted), "{}", project.read("src/lib.rs"));
    let project = testkit::project(LINKED);
    project.git().commit_all("base");
    let text = project.read("src/lib.rs").replace("pub fn to_writer", "pub fn write_to");
    project.write("src/lib.rs", &text);
    let result = graftage(&project, &["finish", "--apply"]);
    assert_eq!(result.status, 0, "{result:#?}");
    assert!(project.read("src/lib.rs").contains(wanted), "{}", project.read("src/lib.rs"));
    assert!(project.read("src/lib.rs").contains("Roff::new().write_to(out)"), "{result:#?}");
}

#[test]
fn examples_that_use_what_was_changed_are_tested_before_anything_is_clean() {
    let finished = |error: &str, more: &str| {
        let project = testkit::project(LINKED);
        project.git().commit_all("base");
        let fallible = format!("pub fn render(&self) -> Result<String, {error}>");
        let text = project
            .read("src/lib.rs")
            .replace("pub fn render(&self) -> String", &fallible)
            .replace("\".\".to_owned()", "Ok(\".\".to_owned())")
            .replace("self.render().bytes()", "self.render().unwrap_or_default().bytes()");
        project.write("src/lib.rs", format!("{text}{more}"));
        let result = graftage(&project, &["finish"]);
        assert!(!result.stdout.contains("clean"), "{}", result.stdout);
        result
    };
    // The example takes the success, and is tested so.
    let result = finished("u8", "");
    assert_eq!(result.status, 0, "{result:#?}");
    assert!(result.stdout.contains("render().unwrap().ends_with"), "{}", result.stdout);
    assert!(result.stdout.contains("1 test passed, 0 failed"), "{}", result.stdout);
    // No message can be made of this failure.
    let result = finished("Silent", "\n/// A failure.\npub struct Silent;\n");
    assert_eq!(result.status, 1, "{result:#?}");
    let failed = "1 test fails that passed before: `";
    assert!(result.stdout.contains(failed), "{}", result.stdout);
}

#[test]
fn calls_in_the_order_before_and_tests_that_fail_are_not_clean() {
    let text = "
pub fn item(cents: u32, count: u32) -> u32 {
    cents * 100 + count
}

pub fn one() -> u32 {
    item(250, 4)
}

#[test]
fn is_one() {
    assert_eq!(one(), 25_004);
}
";
    let project = testkit::crate_project(&format!("\n//- /src/lib.rs\n{text}"));
    project.git().commit_all("base");
    let swapped = text.replace("cents: u32, count: u32", "count: u32, cents: u32");
    project.write("src/lib.rs", &swapped);
    let result = graftage(&project, &["finish"]);
    assert_eq!(result.status, 1, "{result:#?}");
    let listed = "left src/lib.rs:7: a call of `item` with the arguments in the order before";
    assert!(result.stdout.contains(listed), "{}", result.stdout);
    assert!(result.stdout.contains("`fixture::is_one`"), "{}", result.stdout);
    assert!(!result.stdout.contains("clean"), "{}", result.stdout);
    // Without tests the list alone prevents it.
    let result = graftage(&project, &["finish", "--tests", "none"]);
    assert_eq!(result.status, 1, "{result:#?}");
}
