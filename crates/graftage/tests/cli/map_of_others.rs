//! The map of code as other people write it: macros, included files, functions as values, calls through
//! traits, raw identifiers, several workspaces in one repository, links, borrowed objects.

use testkit::TempProject;

use super::support::{RunResult, command, graftage, shown};

/// The names that `callers` lists, each with `?` if it is a candidate.
fn callers(project: &TempProject, item: &str) -> Vec<String> {
    let result = graftage(project, &["callers", item, "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");
    let json = result.json();
    let mut names: Vec<String> = json["edges"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|edge| {
            let canon = edge["src_canon"].as_str().unwrap_or_default();
            let name = canon.split_once("::").map_or(canon, |(_, name)| name);
            let mark = if edge["tier"] == "candidate" { "?" } else { "" };
            format!("{name}{mark}")
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn macro_bodies_and_included_files_are_part_of_the_map() {
    let project = testkit::crate_project(
        r#"
//- /src/lib.rs
mod use_it;

pub const BASE: u8 = 100;

pub fn ten() -> u8 {
    10
}

pub struct Foo;

impl Foo {
    pub fn poke(&self) -> u8 {
        1
    }
}

#[macro_export]
macro_rules! plus {
    ($e:expr) => {{
        let v = $e + $crate::BASE + $crate::ten();
        v
    }};
}

macro_rules! poke {
    ($o:ident) => {
        $o.poke()
    };
}

pub fn direct(foo: &Foo) -> u8 {
    foo.poke()
}

pub fn indirect(foo: &Foo) -> u8 {
    poke!(foo)
}

pub fn sum() -> u8 {
    plus!(1 + 2)
}

pub fn in_args(foo: &Foo) -> String {
    let line = format!("{} {BASE}", foo.poke());
    assert!(matches!(ten(), 10));
    vec![foo.poke(); 1].len().to_string() + &line
}
//- /src/use_it.rs
use crate::{ten, BASE};

#[allow(dead_code)]
pub fn other() -> u8 {
    ten() + BASE
}

include!("more.in");
//- /src/more.in
#[allow(dead_code)]
pub fn included() -> u8 {
    ten()
}
"#,
    );
    assert_eq!(callers(&project, "Foo::poke"), ["direct", "in_args", "indirect", "poke!?"]);
    let ten = ["in_args", "plus!", "sum", "use_it::included", "use_it::other"];
    assert_eq!(callers(&project, "ten"), ten);
    let base = ["in_args", "plus!", "sum", "use_it::other", "use_it::use crate::{ten, BASE}"];
    assert_eq!(callers(&project, "BASE"), base);

    // A change of the included file is a change of the map.
    project.write("src/more.in", "pub fn included() -> u8 {\n    1\n}\n");
    assert_eq!(callers(&project, "ten"), ["in_args", "plus!", "sum", "use_it::other"]);
}

#[test]
fn functions_as_values_and_calls_through_traits_are_callers() {
    let project = testkit::crate_project(
        r"
//- /src/lib.rs
pub struct Queue;
pub struct Net;

impl Queue {
    pub fn init(&self) -> u32 {
        1
    }
}

pub trait Start {
    fn start(&self) -> u32;
}
impl Start for Queue {
    fn start(&self) -> u32 {
        self.init()
    }
}
impl Start for Net {
    fn start(&self) -> u32 {
        2
    }
}

pub fn s09(v: &[Queue]) -> u32 {
    v.iter().map(Queue::init).sum()
}
pub fn s11(d: &dyn Start) -> u32 {
    d.start()
}
pub fn s12<T: Start>(t: &T) -> u32 {
    t.start()
}
pub fn s13() -> fn(&Queue) -> u32 {
    let f: fn(&Queue) -> u32 = Queue::init;
    f
}
pub fn s17() -> u32 {
    <Net as Start>::start(&Net)
}
",
    );
    assert_eq!(callers(&project, "Queue::init"), ["<Queue as Start>::start", "s09", "s13"]);
    assert_eq!(callers(&project, "<Queue as Start>::start"), ["s11?", "s12?"]);
    assert_eq!(callers(&project, "<Net as Start>::start"), ["s11?", "s12?", "s17"]);
    assert_eq!(callers(&project, "Start::start"), ["s11", "s12", "s17"]);
    let text = graftage(&project, &["callers", "Start::start"]);
    assert!(text.stdout.contains("calls fixture::<Net as Start>::start"), "{text:#?}");
}

#[test]
fn items_are_found_by_the_names_that_users_write() {
    let project = testkit::project(
        r#"
//- /Cargo.toml
[workspace]
members = ["facade", "core"]
resolver = "2"
//- /facade/Cargo.toml
[package]
name = "facade"
version = "0.1.0"
edition = "2021"

[dependencies]
corex = { path = "../core" }
//- /facade/src/lib.rs
pub use corex::builder::*;
pub use corex::r#use::r#fn as helper;

pub fn run() -> u32 {
    Command { name: 1 }.arg() + helper() + corex::parts::Piece::of()
}
//- /core/Cargo.toml
[package]
name = "corex"
version = "0.1.0"
edition = "2021"
//- /core/src/parts.rs
mod piece;
pub use piece::Piece;
//- /core/src/parts/piece.rs
pub struct Piece;
impl Piece {
    pub fn of() -> u32 {
        1
    }
}
//- /core/src/lib.rs
pub mod builder;
pub mod parts;
pub mod r#use {
    pub fn r#fn() -> u32 {
        1
    }
}
//- /core/src/builder.rs
pub struct Command {
    pub name: u32,
}
impl Command {
    pub fn arg(&self) -> u32 {
        self.name()
    }
    pub fn name(&self) -> u32 {
        self.name
    }
}
"#,
    );
    for item in [
        "facade::Command::arg",
        "facade::helper",
        "corex::use::fn",
        "r#use::r#fn",
        "corex::parts::Piece::of",
        "parts::Piece::of",
    ] {
        assert_eq!(callers(&project, item), ["run"], "{item}");
    }
    let result = graftage(&project, &["refactor", "rename", "Command::name", "label"]);
    assert_eq!(result.status, 2, "{result:#?}");
    assert!(result.stderr.contains("`Command::name` is ambiguous (2 matches)"), "{result:#?}");

    let mut here = command(&project, &["show", "builder.rs:5"]);
    here.current_dir(project.path("core/src"));
    let here = shown(&project, &here.output().unwrap());
    assert!(here.stdout.contains("corex::builder::Command::arg"), "{here:#?}");
}

#[test]
fn a_macro_with_the_keyword_macro_is_found_and_renamed_by_its_name() {
    let project = testkit::crate_project(
        r"
//- /src/lib.rs
#![feature(decl_macro)]

pub macro inner() {
    true
}

pub fn go() -> bool {
    inner!()
}
",
    );
    let callers_of = |name| graftage(&project, &["callers", name]);
    for name in ["inner", "inner!"] {
        let result: RunResult = callers_of(name);
        assert!(result.stdout.contains("fixture::go"), "{result:#?}");
    }
}

#[test]
fn a_repository_of_several_workspaces_is_mapped_from_its_root() {
    let project = testkit::project(
        r#"
//- /shared/Cargo.toml
[package]
name = "shared"
version = "0.1.0"
edition = "2021"

[workspace]
//- /shared/src/lib.rs
pub fn tally(v: &[u32]) -> u32 {
    v.iter().sum()
}
//- /one/Cargo.toml
[workspace]
members = ["app"]
resolver = "2"
//- /one/app/Cargo.toml
[package]
name = "app"
version = "0.1.0"
edition = "2021"

[dependencies]
shared = { path = "../../shared" }
//- /one/app/src/main.rs
fn main() {
    println!("{}", shared::tally(&[1, 2]));
}
"#,
    );
    let result = graftage(&project, &["callers", "tally"]);
    assert_eq!(result.status, 2, "without a repository: {result:#?}");
    assert!(result.stderr.contains("below it are: one, shared\n"), "{result:#?}");
    project.git();
    assert_eq!(callers(&project, "tally"), ["main"]);
    let result = graftage(&project, &["check"]);
    assert!(result.stderr.contains("below it are: one, shared\n"), "{result:#?}");
    assert!(result.stderr.contains("choose one: `-C one`"), "{result:#?}");
    let result = graftage(&project, &["-C", "one", "callers", "shared::tally"]);
    assert!(result.stderr.contains("is in the package `shared`, which is outside"), "{result:#?}");
}

#[test]
fn a_file_behind_a_link_out_of_the_project_is_named_as_not_in_the_map() {
    let project = testkit::project(
        r#"
//- /common/util.rs
pub fn half(n: u32) -> u32 {
    n / 2
}
//- /app/Cargo.toml
[package]
name = "app"
version = "0.1.0"
edition = "2021"
//- /app/src/lib.rs
pub mod util;

pub fn quarter(n: u32) -> u32 {
    util::half(util::half(n))
}
"#,
    );
    std::os::unix::fs::symlink("../../common/util.rs", project.path("app/src/util.rs")).unwrap();
    let left_out = "`src/util.rs`: the link leads out of the project, to `DIR/common/util.rs`";
    let result = graftage(&project, &["-C", "app", "refactor", "rename", "half", "halve"]);
    assert!(result.stderr.contains(left_out), "{result:#?}");
    let result = graftage(&project, &["-C", "app", "callers", "quarter"]);
    assert!(result.stdout.contains(&format!("not in the map: {left_out}")), "{result:#?}");
}
