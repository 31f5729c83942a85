//! A patched map equals the map that would have been built.

use base::SortedSet;

use proptest::prelude::*;

use super::fixture::workspace;
use super::laws::{PATHS, Texts, line, problems, shown, texts, workspace_of};
use crate::{DefId, DefMap, Deps, FileIdx, WorkspaceInput};

/// Updates a workspace to another in which one file differs, both by a patch and by a build; `None`
/// if no patch is possible.
fn patch_and_build(
    before: &WorkspaceInput,
    after: &WorkspaceInput,
    file: usize,
) -> Option<(DefMap, DefMap)> {
    let old = DefMap::build(before);
    // Lazily computed tables must be copied too.
    old.ids().for_each(|id| drop(old.disambiguator(id)));
    let built = DefMap::build_after(after, &old);
    let (patched, patch) =
        old.patched(&after.crates, &[(FileIdx(file as u32), after.files[file].clone())])?;
    assert_eq!(shown(&patched), shown(&built));
    assert_eq!(problems(&patched), problems(&built));
    assert!(built.changed(&patched).is_empty(), "{:?}", built.changed(&patched));
    for key in built.changed(&old).as_slice() {
        assert!(patch.keys.as_slice().contains(key), "a key was missed");
    }
    // Resolution results are the same, and changed only where a key changed.
    for number in 0..after.files.len() as u32 {
        let found = resolved(&patched, number);
        assert_eq!(found, resolved(&built, number), "{}", after.files[number as usize].path);
        let mut deps = crate::resolve_file(&old, FileIdx(number)).deps;
        let mut own = Deps::new();
        old.note_file(&mut own, FileIdx(number));
        deps.extend(own.into_sorted());
        let is_stale =
            number == file as u32 || deps.iter().any(|key| patch.keys.as_slice().contains(key));
        assert!(is_stale || found == resolved(&old, number), "a stale file was missed");
        let is_listed = patch.files.contains(&FileIdx(number));
        assert!(is_listed || listed(&patched, number) == listed(&old, number));
    }
    Some((patched, built))
}

fn resolved(map: &DefMap, file: u32) -> Vec<String> {
    let edges = crate::resolve_file(map, FileIdx(file));
    let name = |id| format!("{} [{}]", map.canon(id), map.disambiguator(id));
    let found = edges.edges.iter().map(|it| {
        format!(
            "{} {} {:?} {} {:?} {:?}",
            it.offset,
            name(it.src),
            it.kind,
            name(it.to),
            it.tier,
            it.rule
        )
    });
    let open = edges.unresolved.iter().map(|it| format!("{} {:?}", it.offset, it.reason));
    let all: SortedSet<String> = found.chain(open).collect();
    all.into_iter().collect()
}

fn listed(map: &DefMap, file: u32) -> Vec<String> {
    let is_in = |id: &DefId| map.def(*id).file == FileIdx(file) && map.def(*id).krate.0 != u32::MAX;
    let ids = map.ids().filter(is_in);
    let mut all: Vec<_> = ids
        .map(|id| {
            format!("{} [{}] {:?}", map.canon(id), map.disambiguator(id), map.def(id).existence)
        })
        .collect();
    all.sort();
    all
}

/// Replaces text in one file of a fixture and compares patch and build.
#[track_caller]
fn check(before: &str, path: &str, from: &str, to: &str) {
    let before = workspace(before);
    let mut after = before.clone();
    let file = after.files.iter().position(|it| it.path.as_str() == path).unwrap();
    let text = after.files[file].text.replace(from, to);
    assert_ne!(text, &*after.files[file].text);
    after.files[file].facts = std::sync::Arc::new(syntax::read(&text));
    after.files[file].text = text.into();
    assert!(patch_and_build(&before, &after, file).is_some(), "no patch");
}

const PROJECT: &str = "
//- a/src/lib.rs crate:a/a
macro_rules! items { ($($i:item)*) => { $($i)* } }
macro_rules! make { ($n:ident) => { pub struct $n; impl $n { pub fn new() -> Self { $n } } } }
pub mod shape;
mod util;
pub use shape::*;
use util::{help, Deep as Renamed};
items! { pub fn passed() { help() } }
make!(Made);
fn main() { Made::new(); round(Square::new(1)); Renamed::go(); twice(2) }
//- a/src/shape.rs
use crate::util::help;
pub trait Shape { fn area(&self) -> u32; fn name(&self) -> u32 { help(); 1 } }
pub struct Square { side: u32 }
impl Square { pub fn new(side: u32) -> Self { Square { side } } }
impl Shape for Square { fn area(&self) -> u32 { self.side } }
pub fn round(it: Square) -> u32 { it.area() + it.name() }
pub enum Kind { Flat, Deep }
//- a/src/util.rs
pub mod inner;
pub fn help() {}
pub struct Deep;
impl Deep { pub fn go() { fn local() {} local(); inner::leaf() } }
pub use crate::shape::round as twice_round;
//- a/src/util/inner.rs
use super::*;
pub fn leaf() { help(); Deep::go() }
";

#[test]
fn bodies_are_patched() {
    check(PROJECT, "a/src/shape.rs", "help(); 1", "let it = 1; help(); it");
    check(
        PROJECT,
        "a/src/util.rs",
        "fn local() {}",
        "fn other() { fn deep() {} } fn local() { other() }",
    );
}

#[test]
fn added_removed_and_moved_items_are_patched() {
    check(
        PROJECT,
        "a/src/util.rs",
        "pub fn help() {}",
        "pub fn help() {}\\npub fn twice(n: u8) {}",
    );
    check(PROJECT, "a/src/util.rs", "pub fn help() {}", "");
    check(PROJECT, "a/src/shape.rs", "Square { side: u32 }", "Square { edge: u32 }");
    check(PROJECT, "a/src/shape.rs", "pub enum Kind { Flat, Deep }", "");
    check(PROJECT, "a/src/shape.rs", "{ Flat, Deep }", "{ Deep, Flat, Third }");
    check(PROJECT, "a/src/shape.rs", "use crate::util::help;", "use crate::util::{help, Deep};");
    check(PROJECT, "a/src/util.rs", "pub struct Deep;", "pub struct New; pub struct Deep;");
}

#[test]
fn impls_follow_traits_and_types_that_change() {
    check(PROJECT, "a/src/shape.rs", "pub trait Shape", "pub trait Form");
    check(PROJECT, "a/src/shape.rs", "impl Shape for Square", "impl Shape for Kind");
    check(PROJECT, "a/src/util.rs", "pub struct Deep;", "pub type Deep = crate::Square;");
}

#[test]
fn expansions_are_patched_with_the_call() {
    check(PROJECT, "a/src/lib.rs", "make!(Made);", "make!(Made); make!(More);");
    check(PROJECT, "a/src/lib.rs", "pub fn passed", "pub fn handed");
}

#[test]
fn changed_modules_or_exported_macros_need_a_build() {
    for (from, to) in [
        ("mod util;", ""),
        ("mod util;", "#[cfg(off)] mod util;"),
        ("mod util;", "#[macro_use] mod util;"),
        ("macro_rules! make", "macro_rules! made"),
    ] {
        let before = workspace(PROJECT);
        let mut after = before.clone();
        let text = after.files[0].text.replace(from, to);
        after.files[0].facts = std::sync::Arc::new(syntax::read(&text));
        after.files[0].text = text.into();
        assert!(patch_and_build(&before, &after, 0).is_none(), "{from}");
    }
}

const MACROS: &str = "
//- a/src/lib.rs crate:a/a
#[macro_use]
mod macros;
mod first;
mod second;
fn main() { first::plain(); local(); }
made!(Root);
//- a/src/macros.rs
//! Macros.
#[macro_use]
mod deep;
macro_rules! made { ($n:ident) => { pub struct $n; impl $n { pub fn new() {} } } }
macro_rules! items { ($($i:item)*) => { $($i)* } }
pub fn plain() {}
//- a/src/macros/deep.rs
macro_rules! echo { ($e:expr) => { $e } }
macro_rules! twice { ($n:ident) => { made!($n); pub fn two() {} } }
//- a/src/first.rs
items! { pub fn plain() { echo!(crate::macros::plain()) } }
macro_rules! own { () => { pub fn mine() {} } }
own!();
pub fn other() { mine() }
//- a/src/second.rs
twice!(Pair);
pub fn go() { Pair::new(); two() }
";

#[test]
fn files_that_pass_macros_on_are_patched() {
    check(MACROS, "a/src/lib.rs", "local();", "second::go();");
    check(MACROS, "a/src/lib.rs", "mod second;", "mod second; pub struct New;");
    check(MACROS, "a/src/macros.rs", "pub fn plain() {}", "pub fn plain() {} pub fn more() {}");
    check(MACROS, "a/src/macros.rs", "//! Macros.", "#![allow(dead_code)]");
    check(MACROS, "a/src/macros/deep.rs", "macro_rules! echo", "pub fn new() {} macro_rules! echo");
}

#[test]
fn callers_of_a_changed_macro_are_patched_with_it() {
    check(MACROS, "a/src/macros.rs", "pub fn new() {}", "pub fn old() {}");
    check(MACROS, "a/src/macros/deep.rs", "pub fn two() {}", "pub fn three() {}");
    check(MACROS, "a/src/macros/deep.rs", "{ $e }", "{ { $e } }");
    check(MACROS, "a/src/macros.rs", "{ $($i)* }", "{ $( #[cfg(off)] $i )* }");
}

#[test]
fn macros_that_no_other_file_sees_can_be_added_and_removed() {
    check(MACROS, "a/src/first.rs", "own!();", "");
    check(MACROS, "a/src/first.rs", "macro_rules! own", "macro_rules! owned");
    check(MACROS, "a/src/first.rs", "items!", "macro_rules! new { () => {} } items!");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_patched_map_equals_the_built_one(
        texts in texts(),
        edits in prop::collection::vec(
            (0..PATHS.len(), 0_usize..9, prop::option::of(line()), prop::bool::ANY),
            1..5,
        ),
    ) {
        let sorted: Vec<_> = (0..PATHS.len()).collect();
        let mut texts: Texts = texts;
        let mut workspace = workspace_of(&texts, &sorted);
        let mut map = DefMap::build(&workspace);
        for (at, at_line, line, edits_macro) in edits {
            let lines = texts.entry(at).or_default();
            let at_line = at_line.min(lines.len());
            match line {
                // A macro expands differently.
                _ if edits_macro && let Some(known) = lines.get_mut(at_line) => {
                    *known = known.replacen("pub fn f", "pub fn k", 1).replacen("pub fn g", "pub fn f", 1);
                }
                Some(line) => lines.insert(at_line, line),
                None if at_line < lines.len() => {
                    lines.remove(at_line);
                }
                None => {}
            }
            let after = workspace_of(&texts, &sorted);
            patch_and_build(&workspace, &after, at);
            // A chain of patches, as long as they are possible.
            let change = (FileIdx(at as u32), after.files[at].clone());
            map = match map.patched(&after.crates, &[change]) {
                Some((map, _)) => map,
                None => DefMap::build(&after),
            };
            let built = DefMap::build(&after);
            prop_assert_eq!(shown(&map), shown(&built));
            prop_assert!(built.changed(&map).is_empty());
            workspace = after;
        }
    }
}
