//! Items that are moved, or refused with a reason: files in, files out. Each result must also pass
//! the preservation rule for moves.

use base::{SortedMap, Timestamp};
use edit::{FileState, Files, Overlay, Unreadable};

use super::*;

mod prelude;

/// Files by their paths.
struct Tree<'a>(&'a [(&'a str, &'a str)]);

impl Files for Tree<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        let own = self.0.iter().find(|(it, _)| *it == path.as_str());
        Ok(own.map(|(_, text)| FileState::from_text(*text)))
    }
}

/// The files of a fixture: `//- path` before each text.
fn split(fixture: &str) -> Vec<(&str, &str)> {
    let parts = fixture.trim_start().split("//- ").filter(|it| !it.is_empty());
    parts.filter_map(|it| it.split_once('\n')).collect()
}

fn planned(
    fixture: &[(&str, &str)],
    item: &str,
    to: &str,
) -> Result<(Relocation, Overlay), String> {
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let files: Vec<(ProjectPath, Arc<str>)> =
        fixture.iter().map(|(file, text)| (path(file), Arc::from(*text))).collect();
    let at = fixture.iter().find_map(|(file, text)| {
        let name = item.rsplit(' ').next().unwrap();
        Some((path(file), text.find(item)? + item.len() - name.len()))
    });
    let roots =
        [("src/lib.rs", "own", true), ("tests/it.rs", "it", false), ("b/src/lib.rs", "b", true)];
    let roots: Vec<CrateRoot> = roots
        .iter()
        .map(|(root, name, is_library)| CrateRoot {
            name: (*name).to_owned(),
            is_library: *is_library,
            root: path(root),
        })
        .collect();
    let plan = Relocation::new(&at.unwrap(), to, &files, &roots).map_err(|it| it.to_string())?;
    let overlay = Overlay::from_splices("", Timestamp(0), &Tree(fixture), &plan.splices)
        .map_err(|it| it.to_string())?;
    Ok((plan, overlay))
}

/// The files after the move, those that change; the change must be a move for the preservation rule.
fn moved(fixture: &str, item: &str, to: &str) -> String {
    let files = split(fixture);
    let (plan, overlay) = planned(&files, item, to).unwrap();
    let shown: SortedMap<String, String> = overlay
        .changes()
        .map(|(path, change)| (path.to_string(), change.after_text().to_owned()))
        .collect();
    let text: String = shown.iter().map(|(path, text)| format!("//- {path}\n{text}")).collect();
    let found = preserve::move_violations(&overlay, &plan.declared);
    assert_eq!(found, [], "{text}");
    text
}

fn check(fixture: &str, item: &str, to: &str, expected: &str) {
    assert_eq!(moved(fixture, item, to).trim(), expected.trim());
}

fn refused(fixture: &str, item: &str, to: &str) -> String {
    planned(&split(fixture), item, to).err().unwrap_or_else(|| format!("{item} moves"))
}

#[test]
fn a_function_moves_with_its_comments_and_imports() {
    check(
        "
//- src/lib.rs
mod a;
mod b;
fn g() { a::f(&1); }
//- src/a.rs
use std::fmt::Debug;
use std::io::{self, Read};

// Why.
/// Shows.
#[inline]
pub fn f(x: &impl Debug) -> u8 {
    // Inside.
    super::g();
    helper(x)
}

fn helper(_: &impl Sized) -> u8 { 1 }
fn reads(_: &mut dyn Read) -> io::Result<u8> { Ok(f(&2)) }
//- src/b.rs
/// First.
pub fn first() {}

#[cfg(test)]
mod tests {
    use super::*;
}
",
        "pub fn f",
        "crate::b",
        "
//- src/a.rs
use crate::b::f;
use std::io::{self, Read};

pub(crate) fn helper(_: &impl Sized) -> u8 { 1 }
fn reads(_: &mut dyn Read) -> io::Result<u8> { Ok(f(&2)) }
//- src/b.rs
use crate::a::helper;
use std::fmt::Debug;

/// First.
pub fn first() {}

// Why.
/// Shows.
#[inline]
pub fn f(x: &impl Debug) -> u8 {
    // Inside.
    super::g();
    helper(x)
}

#[cfg(test)]
mod tests {
    use super::*;
}
//- src/lib.rs
mod a;
mod b;
fn g() { crate::b::f(&1); }
",
    );
}

#[test]
fn a_type_moves_with_its_impls_and_a_re_export_stays() {
    check(
        "
//- src/lib.rs
pub mod a;
pub mod b { pub mod c {} }
pub use a::{Item, Other as Alias};
//- src/a.rs
use super::b;
pub struct Item<T> { field: T }

impl<T> Item<T> {
    pub fn new(field: T) -> Self { Self { field } }
}

pub struct Other(Item<u8>);

impl<T: Clone> Clone for Item<T> {
    fn clone(&self) -> Self { self::make(super::a::Item::new(self.field.clone())) }
}

fn make<T>(it: T) -> T { it }
//- tests/it.rs
use own::a::{Item, Other};
#[test]
fn works() { own::a::Item::new(1); Item::new(2); }
//- b/src/lib.rs
use own::a;
fn f(_: a::Item<u8>) {}
",
        "pub struct Item",
        "b::c",
        "
//- b/src/lib.rs
use own::a;
fn f(_: own::b::c::Item<u8>) {}
//- src/a.rs
use super::b;
pub use crate::b::c::Item;

pub struct Other(Item<u8>);

pub(crate) fn make<T>(it: T) -> T { it }
//- src/lib.rs
pub mod a;
pub mod b { pub mod c {
    pub struct Item<T> { field: T }

    impl<T> Item<T> {
        pub fn new(field: T) -> Self { Self { field } }
    }

    impl<T: Clone> Clone for Item<T> {
        fn clone(&self) -> Self { crate::a::make(crate::b::c::Item::new(self.field.clone())) }
    }
} }
pub use crate::b::c::Item;
pub use a::Other as Alias;
//- tests/it.rs
use own::b::c::Item;
use own::a::Other;
#[test]
fn works() { own::b::c::Item::new(1); Item::new(2); }
",
    );
}

#[test]
fn a_glob_of_the_new_module_is_the_re_export() {
    check(
        "
//- src/lib.rs
pub mod input;
pub use input::*;
pub enum Endianness { Little }
pub fn f(_: Endianness) {}
//- src/input.rs
pub struct Input;
",
        "pub enum Endianness",
        "input",
        "
//- src/input.rs
pub struct Input;

pub enum Endianness { Little }
//- src/lib.rs
pub mod input;
pub use input::*;
pub fn f(_: Endianness) {}
",
    );
}

#[test]
fn globs_groups_and_macros_follow() {
    check(
        "
//- src/lib.rs
mod a;
mod b;
mod c { use crate::a::*; fn f() { item(LIMIT); } }
macro_rules! run { () => { $crate::a::item(1) }; }
//- src/a.rs
use crate::{b::{Kind, Kind::*}, c};
pub(crate) const LIMIT: u8 = 1;
fn item(_: u8) -> Kind { First }
mod inner {
    use super::{item, LIMIT};
    fn g() { item(LIMIT); super::item(2); }
}
//- src/b.rs
use super::a::{self as alias, item as make, LIMIT};
pub enum Kind { First }
fn h() { make(LIMIT); alias::item(3); }
",
        "fn item",
        "b",
        "
//- src/a.rs
use crate::{b::Kind::*, c};
pub(crate) const LIMIT: u8 = 1;
mod inner {
    use crate::b::item;
    use super::LIMIT;
    fn g() { item(LIMIT); crate::b::item(2); }
}
//- src/b.rs
use super::b::item as make;
use super::a::{self as alias, LIMIT};
pub enum Kind { First }
fn h() { make(LIMIT); crate::b::item(3); }

pub(crate) fn item(_: u8) -> Kind { crate::b::Kind::First }
//- src/lib.rs
mod a;
mod b;
mod c { use crate::b::item; use crate::a::*; fn f() { item(LIMIT); } }
macro_rules! run { () => { $crate::b::item(1) }; }
",
    );
}

#[test]
fn a_name_that_means_something_else_in_the_new_module_gets_its_path() {
    check(
        "
//- src/lib.rs
mod a; mod b;
//- src/a.rs
use std::fmt::Result;
fn item() -> Result { helper() }
fn helper() -> Result { Ok(()) }
//- src/b.rs
fn helper() -> Result<(), ()> { Ok(()) }
",
        "fn item",
        "super::b",
        "
//- src/a.rs
use std::fmt::Result;
pub(crate) fn helper() -> Result { Ok(()) }
//- src/b.rs
fn helper() -> Result<(), ()> { Ok(()) }

fn item() -> std::fmt::Result { crate::a::helper() }
",
    );
}

#[test]
fn a_module_that_is_declared_under_a_condition_and_its_negation_is_always_there() {
    check(
        "
//- src/lib.rs
#[cfg(test)] pub mod a;
#[cfg(not(test))] mod a;
mod b;
//- src/a.rs
pub fn other() {}
fn item() {}
//- src/b.rs
fn g() {}
",
        "fn item",
        "crate::b",
        "
//- src/a.rs
pub fn other() {}
//- src/b.rs
fn g() {}

fn item() {}
",
    );
}

#[test]
fn what_the_old_module_has_under_a_condition_is_imported_under_it() {
    check(
        "
//- src/lib.rs
mod b;
#[cfg(not(feature = \"std\"))]
pub(crate) mod std {
    pub use core::*;
}
fn item() -> std::fmt::Result { Ok(()) }
//- src/b.rs
use crate::c;
",
        "fn item",
        "crate::b",
        "
//- src/b.rs
use crate::c;
#[cfg(not(feature = \"std\"))]
use crate::std;

fn item() -> std::fmt::Result { Ok(()) }
//- src/lib.rs
mod b;
#[cfg(not(feature = \"std\"))]
pub(crate) mod std {
    pub use core::*;
}
",
    );
}

#[test]
fn what_cannot_move_has_a_reason() {
    let fixture = "
//- src/lib.rs
mod a;
mod b { pub fn  taken() {} }
#[cfg(windows)] mod w {}
wrap! { fn wrapped() {} }
fn main() {}
//- src/a.rs
fn taken() {}
struct S { field: u8 }
impl S { fn method() {} }
#[test] fn tested() {}
#[cfg(x)] fn twice() {}
#[cfg(not(x))] fn twice() {}
macro_rules! m { () => {} }
//- b/src/lib.rs
pub mod c {}
";
    let reason = |item: &str, to: &str| refused(fixture, item, to);
    assert_eq!(reason("fn taken", "b"), "`crate::b` has an item of that name: src/lib.rs:2");
    assert_eq!(reason("fn method", "b"), "only items of a module can move, no members");
    assert_eq!(reason("struct S", "b/src/lib.rs"), "`b/src/lib.rs` is in another crate");
    assert_eq!(
        reason("struct S", "w"),
        "its module is compiled under no condition, `crate::w` under `#[cfg(windows)]`"
    );
    assert!(reason("fn tested", "b").starts_with("it is a test"));
    assert!(reason("fn twice", "b").starts_with("its module has another item of that name"));
    assert!(reason("macro_rules! m", "b").starts_with("a macro is visible"));
    assert_eq!(reason("fn wrapped", "b"), "it is inside of a macro call, a function or an impl");
    assert!(reason("struct S", "none").starts_with("no module `none` exists"));
}

#[test]
fn a_type_of_the_language_is_no_module() {
    let fixture = "
//- src/lib.rs
mod a;
mod b;
fn f() { a::text(b\"\"); }
//- src/a.rs
use std::str;

pub fn text(it: &[u8]) -> &str { str::from_utf8(it).unwrap_or(\"\") }
//- src/b.rs
use core::str;

fn other(it: &[u8]) -> bool { str::from_utf8(it).is_ok() }
";
    let text = moved(fixture, "pub fn text", "crate::b");
    let code = "pub fn text(it: &[u8]) -> &str { std::str::from_utf8(it).unwrap_or(\"\") }";
    assert!(text.contains(code), "{text}");
}

#[test]
fn both_parts_of_a_link_of_another_item_follow() {
    let found = moved(
        "
//- src/lib.rs
pub mod a;
pub mod b;
/// See [`a::f`](crate::a::f).
pub fn g() { a::f() }
//- src/a.rs
pub fn f() {}
//- src/b.rs
",
        "fn f",
        "crate::b",
    );
    assert!(found.contains("/// See [`crate::b::f`](crate::b::f).\n"), "{found}");
}

#[test]
fn the_first_item_after_a_byte_order_mark_moves() {
    let fixture = "
//- src/lib.rs
pub mod a;
pub mod b;
//- src/a.rs
\u{feff}pub(crate) fn f() {}

pub fn g() {}
//- src/b.rs
pub fn h() {}
";
    let found = moved(fixture, "fn f", "crate::b");
    assert!(found.contains("//- src/a.rs\n\u{feff}pub fn g() {}\n"), "{found:?}");
    assert!(found.contains("pub(crate) fn f() {}"), "{found:?}");
}

#[test]
fn an_import_that_only_tests_need_is_behind_their_condition() {
    check(
        "
//- src/lib.rs
pub mod a;
pub mod b;
//- src/a.rs
pub(crate) fn most(list: &[u8]) -> u8 {
    *list.iter().max().unwrap()
}

#[test]
fn finds() {
    assert_eq!(most(&[1, 2]), 2);
}
//- src/b.rs
pub fn other() {}
",
        "pub(crate) fn most",
        "crate::b",
        "
//- src/a.rs
#[cfg(test)]
use crate::b::most;

#[test]
fn finds() {
    assert_eq!(most(&[1, 2]), 2);
}
//- src/b.rs
pub fn other() {}

pub(crate) fn most(list: &[u8]) -> u8 {
    *list.iter().max().unwrap()
}
",
    );
}
