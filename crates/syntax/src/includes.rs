//! `include!` at item level: the text of another file in the place of the call.

use crate::facts::{FileFacts, Shape};

/// The path that an item names if it is `include!("path")`, as written. A path that is computed
/// (`concat!`, `env!`) is none.
pub fn included_path<'t>(facts: &FileFacts, text: &'t str, item: usize) -> Option<&'t str> {
    let Shape::MacroCall(path) = facts.decls.get(item)?.shape else { return None };
    let segments = &facts.paths.get(path.idx())?.segments;
    let mut names = segments.iter().map(|it| facts.names.get(it.name.idx()).map(|it| &**it));
    let is_std = match (names.next()?, names.next()) {
        (Some("include"), None) => true,
        (Some("std" | "core"), Some(Some("include"))) => names.next().is_none(),
        _ => false,
    };
    if !is_std {
        return None;
    }
    let body = facts.file.items.get(item)?.body?;
    let inside = text.get(body.start + 1..body.end.checked_sub(1)?)?.trim();
    let inside = inside.strip_suffix(',').unwrap_or(inside).trim_end();
    let path = inside.strip_prefix('"')?.strip_suffix('"')?;
    (!path.is_empty() && !path.contains(['"', '\\', '\0'])).then_some(path)
}

/// The paths of all `include!` items of a text, as written.
pub fn included_paths<'t>(facts: &FileFacts, text: &'t str) -> Vec<&'t str> {
    (0..facts.decls.len()).filter_map(|item| included_path(facts, text, item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_items_are_found() {
        let text = "include!(\"a.in\");\nmod m { std::include! { \"../b.rs\", } }\n\
                    include!(concat!(env!(\"OUT_DIR\"), \"/c.rs\"));\nother!(\"d.rs\");\n\
                    // include!(\"e.in\")\nfn f() { let x = include!(\"f.in\"); }\n";
        assert_eq!(included_paths(&crate::read(text), text), ["a.in", "../b.rs"]);
    }
}
