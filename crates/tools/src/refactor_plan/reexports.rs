//! Names of dependencies that the library of a public item passes on. Among them may be macros that write
//! code with the item: its name is in no text of the project then.

use base::SortedSet;
use preserve::outline::{Token, TokenKind, tokens};
use refactor::SiteKey;

use super::RefactorContext;
use super::family::is_public;

/// The packages whose library has a definition that other crates can name.
pub(super) fn packages(
    context: &RefactorContext<'_>,
    definitions: &SortedSet<SiteKey>,
) -> SortedSet<String> {
    let map = context.map.map();
    let package = |(path, at): &SiteKey| {
        let number = map.file_by_path(path.as_str())?;
        let item = map.item(map.item_at(number, u32::try_from(*at).ok()?)?)?;
        is_public(context, &item).then(|| Some(item.krate()?.package().to_owned()))?
    };
    definitions.iter().filter_map(package).collect()
}

/// The places of `pub use name::…` with the name of another crate.
pub(super) fn reexports(context: &RefactorContext<'_>) -> Vec<SiteKey> {
    let is_module = |name: &str| {
        let declaration = format!("mod {name}");
        context.sources.iter().any(|it| base::has_word(&it.text, &declaration))
    };
    let mut found = Vec::new();
    for source in context.sources.iter().filter(|it| it.text.contains("pub use")) {
        let list = tokens(&source.text);
        let roots = (0..list.len()).filter_map(|at| root_at(&list, at));
        let roots = roots.filter(|it| !is_module(it.text));
        found.extend(roots.map(|it| (source.path.clone(), it.span.start)));
    }
    found
}

/// The name of a crate that a `pub use` at a token begins with.
fn root_at<'t>(list: &'t [Token<'t>], at: usize) -> Option<&'t Token<'t>> {
    let is = |at: usize, text: &str| list.get(at).is_some_and(|it| it.is(text));
    if !is(at, "pub") || !is(at + 1, "use") {
        return None;
    }
    let root = list.get(at + 2 + usize::from(is(at + 2, "::")))?;
    let is_own = matches!(root.text, "crate" | "self" | "super" | "std" | "core" | "alloc");
    (root.kind == TokenKind::Word && !is_own).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_import_of_another_crate_is_found() {
        let roots = |text: &str| -> Vec<String> {
            let list = tokens(text);
            let found = (0..list.len()).filter_map(|at| root_at(&list, at));
            found.map(|it| it.text.to_owned()).collect()
        };
        assert_eq!(roots("pub use a::{B, C};\n#[cfg(x)]\npub use ::d::*;"), ["a", "d"]);
        let own = "use a::B;\npub(crate) use a::C;\npub use crate::d::E;\npub use std::fmt;";
        assert_eq!(roots(own), [""; 0]);
    }
}
