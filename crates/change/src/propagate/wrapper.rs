//! Types that may be a failure: `Result`, its aliases, and `Option`, as written.

use syntax::places::{Definition, PartKind};

use super::fallible::first_argument;
use refactor::PlacedText;

/// The wrapper of a type, what is inside, and the error, without spaces.
pub(super) fn wrapped(ty: &str) -> Option<(&'static str, String, String)> {
    let Some((path, rest)) = ty.split_once('<') else {
        // An alias without arguments, `fmt::Result`: nothing is inside.
        let is_alias = ty.trim().rsplit("::").next().is_some_and(|it| it.ends_with("Result"));
        return is_alias.then(|| ("Result", "()".to_owned(), ty.trim().to_owned()));
    };
    let name = path.trim().rsplit("::").next()?;
    let inner = first_argument(rest)?;
    let spelled: String = rest.split_whitespace().collect();
    let after = spelled.strip_prefix(inner.as_str()).and_then(|it| it.strip_prefix(','));
    let error = after.and_then(|it| it.strip_suffix('>')).unwrap_or("").to_owned();
    match name {
        "Option" => Some(("Option", inner, String::new())),
        // Of an alias the path names the error.
        _ if name.ends_with("Result") && error.is_empty() => {
            Some(("Result", inner, path.trim().to_owned()))
        }
        _ if name.ends_with("Result") => Some(("Result", inner, with_space(&error))),
        _ => None,
    }
}

/// The wrapper of a type alone.
pub(super) fn wrapper_of(ty: &str) -> Option<&'static str> {
    wrapped(ty.trim()).map(|it| it.0)
}

/// The space that `dyn` needs.
fn with_space(error: &str) -> String {
    error.replace("<dyn", "<dyn ")
}

/// Whether two errors may be one type: one is written with more of its path than the other, and an alias
/// `io::Result` has the error `io::Error`. The compiler decides.
pub(super) fn may_be_same(one: &str, other: &str) -> bool {
    let (one, other) = (segments(one), segments(other));
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    !short.is_empty() && long.ends_with(&short)
}

/// The names of a path but for those that only say where it begins.
fn segments(error: &str) -> Vec<String> {
    let path = error.split('<').next().unwrap_or("");
    let names = path.split("::").map(str::trim);
    let mut found: Vec<String> = names
        .filter(|it| !matches!(*it, "" | "std" | "core" | "alloc" | "crate" | "self" | "super"))
        .map(str::to_owned)
        .collect();
    if let Some(last) = found.last_mut()
        && last == "Result"
    {
        "Error".clone_into(last);
    }
    found
}

/// The return type of a function; empty without one.
pub(super) fn returned<'t>(text: &'t PlacedText, of: &Definition) -> &'t str {
    let part = of.parts.iter().find(|it| it.kind == PartKind::Type).and_then(|it| it.ty);
    part.map_or("", |it| text.slice(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_wrapper_are_read() {
        let check = |ty: &str, wanted: Option<(&'static str, &str, &str)>| {
            let wanted = wanted.map(|(a, b, c)| (a, b.to_owned(), c.to_owned()));
            assert_eq!(wrapped(ty), wanted, "{ty}");
        };
        check("Result<Vec<u8>, E>", Some(("Result", "Vec<u8>", "E")));
        check("Result<(), Box<dyn Error>>", Some(("Result", "()", "Box<dyn Error>")));
        check("io::Result<()>", Some(("Result", "()", "io::Result")));
        check("Option<(u8, u8)>", Some(("Option", "(u8,u8)", "")));
        check("Vec<u8>", None);
        check("u8", None);
        check("fmt::Result", Some(("Result", "()", "fmt::Result")));
    }

    #[test]
    fn an_error_is_the_same_under_a_longer_path() {
        assert!(may_be_same("fmt::Error", "std::fmt::Error"));
        assert!(may_be_same("Error", "crate::error::Error"));
        assert!(may_be_same("io::Result", "std::io::Error"));
        assert!(may_be_same("Result", "Error"));
        assert!(!may_be_same("fmt::Error", "io::Error"));
        assert!(!may_be_same("ParseIntError", "Error"));
        assert!(!may_be_same("", "Error"));
    }
}
