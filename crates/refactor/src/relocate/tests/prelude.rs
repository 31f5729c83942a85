//! Names of the prelude that the new module has for something else.

use super::{check, moved, refused};

#[test]
fn a_name_of_the_prelude_that_the_new_module_has_for_something_else_is_qualified() {
    check(
        "
//- src/lib.rs
pub mod a;
pub mod b;
//- src/a.rs
pub(crate) fn read(text: &str) -> Result<u8, Option<String>> {
    text.parse().map_err(|_| Some(text.to_owned()))
}
//- src/b.rs
pub type Result<T> = std::result::Result<T, String>;
enum Option {}
pub(crate) fn g() -> Result<u8> { Ok(1) }
",
        "pub(crate) fn read",
        "crate::b",
        "
//- src/a.rs
//- src/b.rs
pub type Result<T> = std::result::Result<T, String>;
enum Option {}
pub(crate) fn g() -> Result<u8> { Ok(1) }

pub(crate) fn read(text: &str) -> std::result::Result<u8, std::option::Option<String>> {
    text.parse().map_err(|_| Some(text.to_owned()))
}
",
    );
}

#[test]
fn an_import_or_a_glob_of_the_new_module_hides_the_prelude_too() {
    let of = |rest: &str, head: &str| {
        let fixture = format!(
            "
//- src/lib.rs
{head}pub mod a;
pub mod b;
pub mod fail {{ pub type Result<T> = core::result::Result<T, ()>; }}
//- src/a.rs
pub(crate) fn read() -> Result<u8, u8> {{ Ok(1) }}
pub(crate) fn stays() {{}}
//- src/b.rs
{rest}
pub(crate) fn g() {{}}
"
        );
        let found = moved(&fixture, "pub(crate) fn read", "crate::b");
        let line = found.lines().find(|it| it.contains("fn read")).unwrap();
        line.trim_start_matches("pub(crate) fn read() -> ")
            .trim_end_matches(" { Ok(1) }")
            .to_owned()
    };
    assert_eq!(of("use crate::fail::Result;", ""), "std::result::Result<u8, u8>");
    assert_eq!(of("use super::fail::*;", ""), "std::result::Result<u8, u8>");
    assert_eq!(of("use std::io::Result;", ""), "std::result::Result<u8, u8>");
    assert_eq!(of("use crate::fail::Result;", "#![no_std]\n"), "core::result::Result<u8, u8>");
    for same in ["", "use std::result::Result;", "use core::result::Result;", "use crate::fail;"] {
        assert_eq!(of(same, ""), "Result<u8, u8>", "{same}");
    }
}

#[test]
fn a_name_that_the_moved_text_declares_is_no_name_of_the_prelude() {
    let fixture = "
//- src/lib.rs
pub mod a;
pub mod b;
//- src/a.rs
pub(crate) fn read<Result: Default, T>(_: T) -> Result { Result::default() }
pub(crate) fn stays() {}
//- src/b.rs
pub type Result<T> = std::result::Result<T, ()>;
pub struct T;
";
    let found = moved(fixture, "pub(crate) fn read", "crate::b");
    assert!(found.contains("fn read<Result: Default, T>(_: T) -> Result { Result::def"), "{found}");
}

#[test]
fn a_name_without_a_known_path_that_means_something_else_is_refused() {
    let fixture = "
//- src/lib.rs
pub mod a;
pub mod b;
//- src/a.rs
use anyhow::*;
pub(crate) fn read() -> Result<u8> { Ok(1) }
//- src/b.rs
pub type Result<T> = std::result::Result<T, ()>;
";
    assert_eq!(
        refused(fixture, "pub(crate) fn read", "crate::b"),
        "`Result` (src/a.rs:2) means something else in `crate::b`"
    );
    let fixture = "
//- src/lib.rs
pub mod a;
pub mod b;
//- src/a.rs
pub(crate) fn read() -> json::Value { json::null() }
//- src/b.rs
mod json {}
";
    assert_eq!(
        refused(fixture, "pub(crate) fn read", "crate::b"),
        "`json` (src/a.rs:1) means something else in `crate::b`"
    );
}
