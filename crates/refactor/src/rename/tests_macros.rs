//! Renames of macros planned without a map: text in, text out.

use std::sync::Arc;

use base::{ProjectPath, SortedSet};

use super::*;

fn path(file: &str) -> ProjectPath {
    ProjectPath::new(file).unwrap()
}

/// The plan for the macro that `at` defines, in the crate `owner`, from `old` to `new`.
fn plan(owner: &str, at: (&str, &str), files: &[(&str, &str)]) -> Renaming {
    let text = files.iter().find(|it| it.0 == at.0).unwrap().1;
    let start = text.find(at.1).unwrap() + at.1.rfind("old").unwrap();
    let target = RenameTarget {
        kind: RenameKind::Macro,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: ["crate", "$crate", owner].map(str::to_owned).into(),
        definitions: SortedSet::from([(path(at.0), start)]),
        within: None,
    };
    let files: Vec<(ProjectPath, Arc<str>)> =
        files.iter().map(|(file, text)| (path(file), Arc::from(*text))).collect();
    Renaming::new(target, &KnownSites::default(), &files)
}

/// The texts after the rename, `new` where the plan has the place and `old` where not.
fn renamed(plan: &Renaming, files: &[(&str, &str)]) -> Vec<String> {
    let changed = |(file, text): &(&str, &str)| {
        let mut text = (*text).to_owned();
        let splices = plan.splices().into_iter().filter(|it| it.0.as_str() == *file);
        for (_, splice) in splices.collect::<Vec<_>>().into_iter().rev() {
            text.replace_range(splice.span.start..splice.span.end, &splice.insert);
        }
        text
    };
    files.iter().map(changed).collect()
}

/// The text of `src/lib.rs` of the crate `owner` after the rename of its macro; `LEFT:` marks the lines
/// that are listed as not changed, by number.
fn after(owner: &str, text: &str) -> (String, Vec<u32>) {
    let files = [("src/lib.rs", text)];
    let plan = plan(owner, ("src/lib.rs", "macro_rules! old"), &files);
    let left = plan.unproven(false).into_iter().chain(plan.in_texts(&[]));
    let left = left.filter(|it| !it.edited).map(|it| it.line).collect();
    (renamed(&plan, &files).remove(0), left)
}

#[test]
fn a_path_that_begins_with_the_name_of_a_macro_names_its_crate() {
    let text = "\
/// See [`old::Map`] and [`old!`], and `old::Map`.
/// ```
/// use old::old;
/// use old::{Map, old, old::Set};
/// use old::old_with;
/// let a = old::old!(); let b = old::Map::new(old!());
/// ```
#[macro_export] macro_rules! old { () => { $crate::Map } }
pub use old::Map as Other; use ::old; extern crate old;
";
    let text_after = "\
/// See [`old::Map`] and [`new!`], and `old::Map`.
/// ```
/// use old::new;
/// use old::{Map, new, old::Set};
/// use old::old_with;
/// let a = old::new!(); let b = old::Map::new(new!());
/// ```
#[macro_export] macro_rules! new { () => { $crate::Map } }
pub use old::Map as Other; use ::old; extern crate old;
";
    assert_eq!(after("old", text), (text_after.to_owned(), vec![]));
}

#[test]
fn a_macro_calls_itself_though_a_function_has_its_name() {
    let text = "#[macro_export] macro_rules! old { ($a:expr,) => { $crate::old!($a) }; \
                ($a:expr) => { old!(@ $a) }; (@ $a:expr) => { m::old!($a, $old) } }\n\
                fn old() {}\nmacro_rules! n { () => { $crate::old!(); old!(); ::log::old!(); std::old!() } }\n\
                fn f() { old(); old!() }";
    let text_after = "#[macro_export] macro_rules! new { ($a:expr,) => { $crate::new!($a) }; \
                ($a:expr) => { new!(@ $a) }; (@ $a:expr) => { m::old!($a, $old) } }\n\
                fn old() {}\nmacro_rules! n { () => { $crate::new!(); new!(); ::log::old!(); std::old!() } }\n\
                fn f() { old(); new!() }";
    // The paths that are not known to lead to the macro.
    assert_eq!(after("k", text), (text_after.to_owned(), vec![1, 3]));
}

#[test]
fn the_macro_of_another_crate_keeps_its_name_in_its_own_body() {
    let files = [
        ("a/src/lib.rs", "#[macro_export] macro_rules! old { (1) => { $crate::old!() } }"),
        (
            "b/src/lib.rs",
            "#[macro_export] macro_rules! old { (1) => { $crate::old!(); old!() } }\n\
             macro_rules! n { () => { $crate::old!(); a::old!() } } use a::old as m;",
        ),
    ];
    let plan = plan("a", ("a/src/lib.rs", "macro_rules! old"), &files);
    assert_eq!(
        renamed(&plan, &files),
        [files[0].1.replace("old", "new"), files[1].1.replace("a::old", "a::new"),]
    );
}

#[test]
fn a_bare_call_is_that_of_the_macro_where_a_path_of_its_crate_imports_it() {
    let text = "\
/// ```
/// use log::old;
/// old!();
/// ```
/// ```
/// use k::{old};
/// old!();
/// ```
#[macro_export] macro_rules! old { () => {} }
#[macro_use(other, old)] extern crate k;
";
    let text_after = text
        .replace("k::{old};\n/// old!", "k::{new};\n/// new!")
        .replace("_rules! old", "_rules! new")
        .replace("other, old", "other, new");
    assert_eq!(after("k", text), (text_after, vec![2, 3]));
}

#[test]
fn each_place_of_a_macro_is_listed_once() {
    let text = "//! `old` is this crate, and `old!` its macro; so is `old::old`.\n\
                #![cfg(test)]\nuse old::{Map, old, set};\nfn f() { old!(); }\n\
                #[macro_export] macro_rules! old { () => {} }";
    let files = [("src/lib.rs", text)];
    let mut plan = plan("old", ("src/lib.rs", "macro_rules! old"), &files);
    let keys = plan.sites().iter().map(|it| (it.path.clone(), it.span.start));
    let unseen = keys.map(|it| (it, "`cfg(test)` is not on".to_owned())).collect();
    plan.leave_unseen(unseen);
    let rows = plan.unproven(false).into_iter().chain(plan.in_texts(&[]));
    let rows: Vec<(u32, bool)> = rows.map(|it| (it.line, it.edited)).collect();
    assert_eq!(rows, [(3, true), (4, true), (5, true), (1, false)]);
    assert!(!plan.has_other_meanings());
}

#[test]
fn examples_of_a_macro_that_has_its_new_name_already_follow() {
    let text = "\
/// ```
/// use krate::old;
/// old!(1);
/// ```
#[macro_export]
macro_rules! new { ($it:expr) => { $it } }
";
    let files = [("src/lib.rs", text)];
    let target = RenameTarget {
        kind: RenameKind::Macro,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: ["crate", "$crate", "krate"].map(str::to_owned).into(),
        definitions: SortedSet::new(),
        within: None,
    };
    let sources = [(path("src/lib.rs"), Arc::from(text))];
    let plan = Renaming::new(target, &KnownSites::default(), &sources);
    assert_eq!(renamed(&plan, &files), [text.replace("old", "new")]);
}

#[test]
fn a_macro_that_another_macro_calls_by_its_name_joins_by_the_error_of_the_compiler() {
    let text = "\
macro_rules! old { ($e:expr) => { $e * 2 } }
macro_rules! call { ($m:ident, $e:expr) => { $m!($e) } }
fn f(old: u8) -> u8 { call!(old, 1) + g(old) }
";
    let files = [("src/lib.rs", text)];
    let mut plan = plan("own", ("src/lib.rs", "macro_rules! old"), &files);
    let overlay = || {
        let state = |it: &str| Some(edit::FileState::from_text(it));
        let after = renamed(&plan, &files).remove(0);
        let states = vec![(path("src/lib.rs"), state(text), state(&after))];
        edit::Overlay::from_states("t", base::Timestamp(0), states)
    };
    let first = overlay();
    let at = text.find("old, 1").unwrap();
    let span = base::DiagnosticSpan {
        place: base::DiagnosticFile::Project(path("src/lib.rs")),
        bytes: base::ByteSpan::new(at, at + 3),
        start: base::LineCol { line: 3, col: 1 },
        end: base::LineCol { line: 3, col: 4 },
        primary: true,
        label: None,
        expansion: None,
    };
    let error = |message: &str| base::Diagnostic {
        spans: vec![span.clone()],
        ..base::Diagnostic::new(base::Severity::Error, message)
    };
    assert_eq!(plan.learn(&[error("cannot find value `old` in this scope")], &first), 0);
    assert_eq!(plan.learn(&[error("cannot find macro `old` in this scope")], &first), 1);
    let after = renamed(&plan, &files).remove(0);
    assert!(after.contains("fn f(old: u8) -> u8 { call!(new, 1) + g(old) }"), "{after}");
}

#[test]
fn what_a_macro_makes_of_a_name_besides_a_use_is_named_with_its_place() {
    let text = "\
pub fn old() -> u8 { 1 }
macro_rules! wrap { ($f:ident) => { pub mod w { pub fn $f() -> u8 { super::$f() } } } }
macro_rules! table { ($($f:ident),*) => { pub const ALL: &[&str] = &[$(stringify!($f)),*]; } }
macro_rules! call { ($f:ident) => { $f() } }
wrap!(old);
table!(old, other);
fn f() -> u8 { call!(old) }
";
    let target = RenameTarget {
        kind: RenameKind::Function,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: ["crate", "self", "super"].map(str::to_owned).into(),
        definitions: SortedSet::from([(path("src/lib.rs"), text.find("old").unwrap())]),
        within: None,
    };
    let files = [(path("src/lib.rs"), Arc::from(text))];
    let item = text.match_indices("old").map(|it| (path("src/lib.rs"), it.0)).collect();
    let known = KnownSites { item, ..KnownSites::default() };
    let plan = Renaming::new(target, &known, &files);
    let found = plan.passed_names(&files);
    let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "`wrap!` makes another item of that name at src/lib.rs:5",
            "`table!` makes a text of the name at src/lib.rs:6",
        ]
    );
}

#[test]
fn a_name_that_a_macro_makes_a_member_joins_by_the_error_of_the_compiler() {
    let text = "\
trait T { fn old(&self) -> u8;
    fn f(&self) -> u8 { call!(opt: self, old) } }
macro_rules! call { (opt: $s:ident, $m:ident) => { $s.$m() } }
fn g(old: u8) -> u8 { old }
";
    let files = [("src/lib.rs", text)];
    let target = RenameTarget {
        kind: RenameKind::Method,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: ["T".to_owned()].into(),
        definitions: SortedSet::from([(path("src/lib.rs"), text.find("old").unwrap())]),
        within: None,
    };
    let sources = [(path("src/lib.rs"), Arc::from(text))];
    let mut plan = Renaming::new(target, &KnownSites::default(), &sources);
    let state = |it: &str| Some(edit::FileState::from_text(it));
    let after = renamed(&plan, &files).remove(0);
    let states = vec![(path("src/lib.rs"), state(text), state(&after))];
    let first = edit::Overlay::from_states("t", base::Timestamp(0), states);
    let at = text.find("old) }").unwrap();
    let span = base::DiagnosticSpan {
        place: base::DiagnosticFile::Project(path("src/lib.rs")),
        bytes: base::ByteSpan::new(at, at + 3),
        start: base::LineCol { line: 1, col: 1 },
        end: base::LineCol { line: 1, col: 4 },
        primary: true,
        label: None,
        expansion: None,
    };
    let error = |code: &str| base::Diagnostic {
        spans: vec![span.clone()],
        code: Some(code.to_owned()),
        ..base::Diagnostic::new(base::Severity::Error, "no method named `old` found for `&Self`")
    };
    assert_eq!(plan.learn(&[error("E0425")], &first), 0);
    assert_eq!(plan.learn(&[error("E0599")], &first), 1);
    let after = renamed(&plan, &files).remove(0);
    assert_eq!(after, text.replacen("old", "new", 2));
}
