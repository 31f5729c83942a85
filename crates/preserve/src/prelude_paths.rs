//! Paths of the names that the standard prelude gives to every module.

/// The names that every module has, by the module of `core` that defines them. A trait that is a derive
/// macro alone is one too.
const CORE: &[(&str, &[&str])] = &[
    ("clone", &["Clone"]),
    ("cmp", &["Eq", "Ord", "PartialEq", "PartialOrd"]),
    ("convert", &["AsMut", "AsRef", "From", "Into"]),
    ("default", &["Default"]),
    ("fmt", &["Debug"]),
    ("hash", &["Hash"]),
    ("iter", &["DoubleEndedIterator", "ExactSizeIterator", "Extend", "IntoIterator", "Iterator"]),
    ("marker", &["Copy", "Send", "Sized", "Sync", "Unpin"]),
    ("mem", &["drop"]),
    ("ops", &["Drop", "Fn", "FnMut", "FnOnce"]),
    ("option::Option", &["None", "Some"]),
    ("option", &["Option"]),
    ("result::Result", &["Err", "Ok"]),
    ("result", &["Result"]),
];
/// The same of `std` alone.
const STD: &[(&str, &[&str])] = &[
    ("borrow", &["ToOwned"]),
    ("boxed", &["Box"]),
    ("string", &["String", "ToString"]),
    ("vec", &["Vec"]),
];
/// The crates whose paths to a name of the prelude mean the same.
const STANDARD: [&str; 3] = ["alloc", "core", "std"];

/// The path of a name of the prelude; below `core` in a crate without `std`.
pub fn prelude_path(name: &str, has_std: bool) -> Option<String> {
    let of = |list: &[(&str, &[&str])]| {
        let module = list.iter().find(|it| it.1.contains(&name)).map(|it| it.0)?;
        Some(format!("{module}::{name}"))
    };
    match (of(CORE), has_std) {
        (Some(path), true) => Some(format!("std::{path}")),
        (Some(path), false) => Some(format!("core::{path}")),
        (None, true) => of(STD).map(|it| format!("std::{it}")),
        (None, false) => None,
    }
}

/// Whether a path is that of a name of the prelude, by any crate of the standard library.
pub fn is_prelude_path(path: &str, name: &str) -> bool {
    let Some((first, rest)) = path.split_once("::") else { return false };
    let known = || prelude_path(name, true);
    STANDARD.contains(&first)
        && known().is_some_and(|it| it.split_once("::").is_some_and(|it| it.1 == rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_prelude_have_their_paths() {
        let path = |name: &str, has_std: bool| prelude_path(name, has_std).unwrap_or_default();
        assert_eq!(path("Result", true), "std::result::Result");
        assert_eq!(path("Ok", false), "core::result::Result::Ok");
        assert_eq!((path("Vec", true), path("Vec", false)), ("std::vec::Vec".into(), "".into()));
        assert_eq!(path("HashMap", true), "");
        assert!(is_prelude_path("core::option::Option", "Option"));
        assert!(!is_prelude_path("std::io::Result", "Result"));
    }
}
