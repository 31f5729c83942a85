//! Crates that may be built without `std`, and where `core` or `alloc` have what a `std` path
//! names.

use base::ProjectPath;
use edit::Files;

use crate::fix::text_of;
use preserve::outline::{Token, tokens};

/// What a crate without the standard library may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WithoutStd {
    /// Whether its root declares `alloc`.
    alloc: bool,
}

impl WithoutStd {
    /// For the crate of `path`; `None` if it always has `std`. A crate that may be built either way
    /// counts as one without: an import from `std` would break the build that is not checked.
    pub(crate) fn of(path: &ProjectPath, files: &dyn Files) -> Option<Self> {
        roots(path).iter().find_map(|root| Some(Self::read(&text_of(files, root)?)))?
    }

    fn read(root: &str) -> Option<Self> {
        let tokens = tokens(root);
        is_no_std(&tokens).then(|| Self {
            alloc: tokens
                .windows(3)
                .any(|three| three[0].is("extern") && three[1].is("crate") && three[2].is("alloc")),
        })
    }

    /// The crate with what `std` has at this path (without the `std`), if this one may name it.
    pub(crate) fn home(self, path: &[&str]) -> Option<&'static str> {
        home(path).filter(|home| *home != "alloc" || self.alloc)
    }

    /// Rewrites the paths into `std` that are in `core` or `alloc`; `None` if there is no such
    /// path, or if one exists in `std` only.
    pub(crate) fn rewrite(self, text: &str) -> Option<String> {
        let tokens = tokens(text);
        let mut rewritten = String::with_capacity(text.len() + 4);
        let mut copied = 0;
        for (idx, token) in tokens.iter().enumerate() {
            let follows_a_path = idx > 1 && tokens[idx - 1].is("::") && tokens[idx - 2].is_solid();
            let leads = tokens.get(idx + 1).is_some_and(|next| next.is("::"));
            if !token.is("std") || follows_a_path || !leads {
                continue;
            }
            let path: Vec<&str> =
                tokens[idx + 1..].chunks(2).map_while(part_of_path).take(3).collect();
            let home = self.home(&path)?;
            rewritten.push_str(text.get(copied..token.span.start)?);
            rewritten.push_str(home);
            copied = token.span.end;
        }
        rewritten.push_str(text.get(copied..)?);
        (copied > 0).then_some(rewritten)
    }
}

/// Whether a root of the file's crate declares a module of this name.
pub(crate) fn declares_module(path: &ProjectPath, name: &str, files: &dyn Files) -> bool {
    roots(path).iter().any(|root| {
        text_of(files, root).is_some_and(|text| {
            tokens(&text).windows(2).any(|two| two[0].is("mod") && two[1].is(name))
        })
    })
}

/// The name after a `::`.
fn part_of_path<'a>(pair: &[Token<'a>]) -> Option<&'a str> {
    match pair {
        [colons, name] if colons.is("::") && name.is_solid() => Some(name.text),
        _ => None,
    }
}

/// Possible crate roots of the file, the likeliest first.
fn roots(path: &ProjectPath) -> Vec<ProjectPath> {
    let path = path.as_str();
    let source = path.rfind("src/").filter(|at| *at == 0 || path[..*at].ends_with('/'));
    let names = match source.map(|at| path.split_at(at + "src/".len())) {
        // A binary is a crate of its own and has `std` unless it opts out.
        Some((_, inner)) if inner == "main.rs" || inner.starts_with("bin/") => {
            vec![path.to_owned()]
        }
        Some((source, _)) => vec![format!("{source}lib.rs"), format!("{source}main.rs")],
        // So are tests, examples, benches and build scripts.
        None => vec![path.to_owned()],
    };
    names.iter().filter_map(|name| ProjectPath::new(name).ok()).collect()
}

/// Whether an inner attribute of the root contains `no_std`, conditionally or not.
fn is_no_std(tokens: &[Token<'_>]) -> bool {
    let mut rest = tokens;
    while let Some(at) =
        rest.windows(3).position(|three| three[0].is("#") && three[1].is("!") && three[2].is("["))
    {
        rest = &rest[at + 3..];
        let mut depth = 1usize;
        for token in rest {
            match token.text {
                "[" | "(" => depth += 1,
                "]" | ")" => depth -= 1,
                "no_std" => return true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    false
}

/// Modules of `std` that are in `core`, except for the names listed.
const CORE: &[(&str, &[&str])] = &[
    ("any", &[]),
    ("array", &[]),
    ("ascii", &["AsciiExt"]),
    ("cell", &[]),
    ("char", &[]),
    ("clone", &[]),
    ("cmp", &[]),
    ("convert", &[]),
    ("default", &[]),
    ("error", &["Report"]),
    ("fmt", &["format"]),
    ("future", &[]),
    ("hash", &["DefaultHasher", "RandomState"]),
    ("hint", &[]),
    ("iter", &[]),
    ("marker", &[]),
    ("mem", &[]),
    ("num", &[]),
    ("ops", &[]),
    ("option", &[]),
    ("pin", &[]),
    ("primitive", &[]),
    ("ptr", &[]),
    ("result", &[]),
    ("slice", &["Concat", "Join"]),
    ("str", &[]),
    ("task", &["Wake"]),
];

/// Names of other modules that are in `core`.
const CORE_NAMES: &[(&str, &[&str])] = &[
    ("alloc", &["GlobalAlloc", "Layout", "LayoutError"]),
    ("borrow", &["Borrow", "BorrowMut"]),
    ("ffi", &["CStr", "FromBytesUntilNulError", "FromBytesWithNulError", "c_void"]),
    (
        "net",
        &[
            "AddrParseError",
            "IpAddr",
            "Ipv4Addr",
            "Ipv6Addr",
            "SocketAddr",
            "SocketAddrV4",
            "SocketAddrV6",
        ],
    ),
    ("panic", &["AssertUnwindSafe", "Location", "RefUnwindSafe", "UnwindSafe"]),
    ("sync", &["atomic"]),
    ("time", &["Duration", "TryFromFloatSecsError"]),
];

/// Names in `alloc`; an empty list is the whole module.
const ALLOC_NAMES: &[(&str, &[&str])] = &[
    ("borrow", &["Cow", "ToOwned"]),
    ("boxed", &[]),
    (
        "collections",
        &[
            "BTreeMap",
            "BTreeSet",
            "BinaryHeap",
            "LinkedList",
            "TryReserveError",
            "VecDeque",
            "binary_heap",
            "btree_map",
            "btree_set",
            "linked_list",
            "vec_deque",
        ],
    ),
    ("ffi", &["CString", "FromVecWithNulError", "IntoStringError", "NulError"]),
    ("fmt", &["format"]),
    ("rc", &[]),
    ("slice", &["Concat", "Join"]),
    ("string", &[]),
    ("sync", &["Arc", "Weak"]),
    ("task", &["Wake"]),
    ("vec", &[]),
];

/// The crate that defines what `std` re-exports at this path (without the `std`); `None` if `std`
/// itself does.
fn home(path: &[&str]) -> Option<&'static str> {
    let (module, name) = (path.first()?, path.get(1));
    let named = |table: &[(&str, &[&str])]| {
        let names = table.iter().find(|(it, _)| it == module).map(|(_, names)| *names);
        names.is_some_and(|names| names.is_empty() || name.is_some_and(|name| names.contains(name)))
    };
    let core = CORE
        .iter()
        .any(|(it, without)| it == module && name.is_none_or(|name| !without.contains(name)));
    if core || named(CORE_NAMES) { Some("core") } else { named(ALLOC_NAMES).then_some("alloc") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(root: &str, text: &str, expected: Option<&str>) {
        let found = WithoutStd::read(root).and_then(|it| it.rewrite(text));
        assert_eq!(found.as_deref(), expected);
    }

    const STRICT: &str = "//! Docs.\n#![no_std]\nextern crate alloc;\n";

    #[test]
    fn paths_lead_to_the_defining_crate() {
        check(STRICT, "use std::cmp::Ordering;\n", Some("use core::cmp::Ordering;\n"));
        check(STRICT, "use std::mem;\n", Some("use core::mem;\n"));
        check(STRICT, "use std::fmt::Write as _;\n", Some("use core::fmt::Write as _;\n"));
        check(STRICT, "use std::rc::Rc;\n", Some("use alloc::rc::Rc;\n"));
        check(STRICT, "use std::sync::Arc;\n", Some("use alloc::sync::Arc;\n"));
        check(
            STRICT,
            "use std::sync::atomic::AtomicU8;",
            Some("use core::sync::atomic::AtomicU8;"),
        );
        check(STRICT, "use std::collections::btree_map::Entry;", {
            Some("use alloc::collections::btree_map::Entry;")
        });
        check(STRICT, ": std::fmt::Debug + ::std::any::Any", {
            Some(": core::fmt::Debug + ::core::any::Any")
        });
    }

    #[test]
    fn paths_that_only_std_has_stay() {
        check(STRICT, "use std::collections::HashMap;", None);
        check(STRICT, "use std::hash::RandomState;", None);
        check(STRICT, "use std::time::Instant;", None);
        check(STRICT, "use std::io;", None);
        check(STRICT, "use std::{fmt, io};", None);
        check(STRICT, "use core::fmt;", None);
        check(STRICT, "use my::std::fmt;", None);
        check(STRICT, "\"std::fmt\"", None);
        check(STRICT, "std", None);
    }

    #[test]
    fn alloc_is_named_only_where_the_crate_declares_it() {
        let root = "#![cfg_attr(not(feature = \"std\"), no_std)]\n";
        check(root, "use std::rc::Rc;", None);
        check(root, "use std::fmt;", Some("use core::fmt;"));
    }

    #[test]
    fn a_crate_that_has_std_uses_it() {
        check("#![allow(no_std_is_a_lint)]\n// #![no_std]\nmod m;", "use std::fmt;", None);
        check("#[cfg_attr(x, no_std)] mod m;", "use std::fmt;", None);
    }

    #[test]
    fn tests_and_binaries_are_crates_of_their_own() {
        let of = |path: &str| {
            let found = roots(&ProjectPath::new(path).unwrap());
            found.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("src/a/b.rs"), "src/lib.rs src/main.rs");
        assert_eq!(of("crates/x/src/lib.rs"), "crates/x/src/lib.rs crates/x/src/main.rs");
        assert_eq!(of("src/bin/tool.rs"), "src/bin/tool.rs");
        assert_eq!(of("src/main.rs"), "src/main.rs");
        assert_eq!(of("tests/it.rs"), "tests/it.rs");
        assert_eq!(of("tests-src/it.rs"), "tests-src/it.rs");
    }
}
