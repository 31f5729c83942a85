//! Paths as a file would write them: without what the prelude or an import of the file makes needless.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::{Outline, TokenKind, tokens};

/// Names of the prelude, with the modules that they are in.
const PRELUDE: &[(&str, &[&str])] = &[
    ("borrow", &["ToOwned"]),
    ("boxed", &["Box"]),
    ("clone", &["Clone"]),
    ("cmp", &["Eq", "Ord", "PartialEq", "PartialOrd"]),
    ("convert", &["AsMut", "AsRef", "From", "Into", "TryFrom", "TryInto"]),
    ("default", &["Default"]),
    ("iter", &["DoubleEndedIterator", "ExactSizeIterator", "Extend", "IntoIterator", "Iterator"]),
    ("marker", &["Copy", "Send", "Sized", "Sync", "Unpin"]),
    ("ops", &["Drop", "Fn", "FnMut", "FnOnce"]),
    ("option", &["Option"]),
    ("result", &["Result"]),
    ("string", &["String", "ToString"]),
    ("vec", &["Vec"]),
];

/// The code with each path of the standard library or the crate as short as the file allows; `None`
/// if nothing changes, or the code is an import.
pub(crate) fn shorter(code: &str, file: &str) -> Option<String> {
    let list = tokens(code);
    if !list.iter().any(|it| it.is("::")) || list.first().is_some_and(|it| it.is("use")) {
        return None;
    }
    let outline = Outline::of(file);
    let imports: Vec<String> = preserve::imports(&outline).into_keys().collect();
    let mut short = code.to_owned();
    let mut end = list.len();
    for at in (0..list.len()).rev() {
        let starts = matches!(list[at].text, "std" | "core" | "alloc" | "crate")
            && (at == 0 || !list[at - 1].is("::"));
        if !starts {
            continue;
        }
        let mut names = vec![list[at].text];
        let mut next = at + 1;
        while next + 1 < end && list[next].is("::") && list[next + 1].kind == TokenKind::Word {
            names.push(list[next + 1].text);
            next += 2;
        }
        let kept = names.len() - needless(&names, &imports, &outline);
        let first = at + 2 * (names.len() - kept);
        if kept < names.len() && first < list.len() {
            short.replace_range(list[at].span.start..list[first].span.start, "");
        }
        end = at;
    }
    (short != code).then_some(short)
}

/// What a file with imports of its own writes at a place that misses the name of `import`: the name below
/// a module that it imports, or a name of a module without the module, if it has that by another import.
pub(crate) fn existing_form(import: &str, file: &str, place: ByteSpan) -> Option<Splice> {
    let name = preserve::last_name(import);
    if place.slice(file) != Some(name) || import.contains(['*', ' ', '{']) {
        return None;
    }
    let imports = preserve::imports(&Outline::of(file));
    let (module, _) = import.rsplit_once("::")?;
    let below = imports.keys().find_map(|it| {
        let (path, alias) = it.split_once(" as ").unwrap_or((it, preserve::last_name(it)));
        (path == module && alias != "_").then_some(alias)
    });
    if let Some(module) = below.filter(|_| import.matches("::").count() > 1) {
        return Some(Splice::new(place.start, place.start, format!("{module}::")));
    }
    let rest = file.get(place.end..)?.strip_prefix("::")?;
    let member = &rest[..rest.find(|it| !base::is_word(it)).unwrap_or(rest.len())];
    let known = [format!("{import}::{member}"), format!("{import}::*")];
    let has_it = !member.is_empty() && known.iter().any(|it| imports.contains_key(it));
    has_it.then(|| Splice::new(place.start, place.end + 2, String::new()))
}

/// Number of names at the start of a path that the file can leave out.
fn needless(names: &[&str], imports: &[String], outline: &Outline<'_>) -> usize {
    let is_std = names[0] != "crate";
    if let [_, module, name] = names
        && is_std
        && PRELUDE.iter().any(|it| it.0 == *module && it.1.contains(name))
        && !declares(outline, name)
    {
        return 2;
    }
    // `use std::fmt::Debug;` before `use std::fmt;`.
    let fits = |count: &usize| {
        let path = names[..*count].join("::");
        imports.contains(&path)
    };
    (2..=names.len()).rev().find(fits).map_or(0, |count| count - 1)
}

/// Whether a file has an item or import of that name.
fn declares(outline: &Outline<'_>, name: &str) -> bool {
    let of = |at: usize| outline.tokens.get(at).map_or("", |it| it.text);
    let keywords = ["struct", "enum", "trait", "type", "union", "as"];
    let is_item =
        (1..outline.tokens.len()).any(|at| of(at) == name && keywords.contains(&of(at - 1)));
    is_item
        || preserve::imports(outline).keys().any(|path| {
            preserve::last_name(path) == name
                && !path.starts_with("std")
                && !path.starts_with("core")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, file: &str, short: Option<&str>) {
        assert_eq!(shorter(code, file).as_deref(), short, "{code}");
    }

    #[test]
    fn paths_are_as_short_as_the_file_allows() {
        check(": std::marker::Sync", "struct A;", Some(": Sync"));
        check(": std::marker::Sync", "trait Sync {}", None);
        check(": std::fmt::Debug", "use std::fmt;", Some(": fmt::Debug"));
        check(": std::fmt::Debug", "use std::fmt::{self, Debug};", Some(": Debug"));
        check(": std::fmt::Debug", "use core::fmt;", None);
        check(
            "crate::a::T::new(std::mem::take(x))",
            "use crate::a::T;",
            Some("T::new(std::mem::take(x))"),
        );
        check("use std::marker::Sync;", "", None);
    }

    #[test]
    fn a_name_is_reached_by_the_imports_that_the_file_has() {
        let of = |import: &str, file: &str| {
            let at = file.find('|').unwrap();
            let (text, len) = (file.replace('|', ""), preserve::last_name(import).len());
            let splice = existing_form(import, &text, ByteSpan::new(at, at + len))?;
            let mut text = text;
            text.replace_range(splice.span.start..splice.span.end, &splice.insert);
            text.lines().last().map(str::to_owned)
        };
        let path = "crate::a::name";
        assert_eq!(of(path, "use crate::a;\n|name()").as_deref(), Some("a::name()"));
        assert_eq!(of(path, "use crate::a as b;\n|name()").as_deref(), Some("b::name()"));
        assert_eq!(of(path, "use crate::b;\n|name()"), None);
        assert_eq!(of("crate::name", "use crate::a;\n|name()"), None);
        assert_eq!(of("crate::a", "use crate::a::*;\n|a::f()").as_deref(), Some("f()"));
        assert_eq!(of("crate::a", "use crate::a::f;\n|a::f()").as_deref(), Some("f()"));
        assert_eq!(of("crate::a", "use crate::a::g;\n|a::f()"), None);
    }
}
