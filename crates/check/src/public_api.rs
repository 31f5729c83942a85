//! Public signatures that a change affects, computed from the text alone.

use base::SortedMap;

use edit::Overlay;
use syntax::{Item, NodeKind, SourceFile};

/// `path::Item: before -> after` for every public item whose signature differs or that is removed; new
/// items break no user. In path order.
pub(crate) fn changes(overlay: &Overlay) -> Vec<String> {
    let mut found = Vec::new();
    for (path, change) in overlay.changes() {
        if path.extension() != Some("rs") || path.as_str().starts_with("tests/") {
            continue;
        }
        let before = signatures(change.before_text());
        let after = signatures(change.after_text());
        for (item, before) in before {
            match after.get(&item) {
                Some(after) if *after == before => {}
                Some(after) => found.push(format!("{path}::{item}: {before} -> {after}")),
                None => found.push(format!("{path}::{item}: {before} -> (none)")),
            }
        }
    }
    found
}

fn signatures(text: &str) -> SortedMap<String, String> {
    let file = syntax::parse(text);
    let mut found = SortedMap::new();
    for item in &file.items {
        if is_public(&file, item) && !item.is_test && !item.is_local {
            found.insert(item.canon.clone(), signature(text, item));
        }
    }
    found
}

/// `pub` without a restriction, or a member of a public trait.
fn is_public(file: &SourceFile, item: &Item) -> bool {
    let trait_of = item.parent.and_then(|idx| file.items.get(idx));
    item.visibility == "pub"
        || trait_of.is_some_and(|it| it.kind == NodeKind::Trait && it.visibility == "pub")
}

/// The text up to the body; including the body where it is part of the interface.
fn signature(text: &str, item: &Item) -> String {
    let shown = match item.kind {
        NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::Macro => item.code_span.end,
        _ => item.body.map_or(item.code_span.end, |body| body.start),
    };
    let text = text.get(item.code_span.start..shown).unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches([';', '=', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{ProjectPath, Timestamp};
    use edit::FileState;

    fn check(before: &str, after: &str) -> Vec<String> {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let states =
            vec![(path, Some(FileState::from_text(before)), Some(FileState::from_text(after)))];
        changes(&Overlay::from_states("test", Timestamp::default(), states))
    }

    #[test]
    fn a_changed_public_signature_is_named_with_both_texts() {
        assert_eq!(
            check("pub fn f(a: u32) -> u32 { a }", "pub fn f(a: u64)\n    -> u32 { a as u32 }"),
            ["src/lib.rs::f: pub fn f(a: u32) -> u32 -> pub fn f(a: u64) -> u32"]
        );
    }

    #[test]
    fn bodies_private_items_and_new_items_are_no_changes() {
        let before = "pub fn f() {}\nfn g() {}\npub(crate) fn h() {}";
        let after = "pub fn f() { g(1) }\nfn g(_: u8) {}\npub(crate) fn h(_: u8) {}\npub fn n() {}";
        assert_eq!(check(before, after), Vec::<String>::new());
    }

    #[test]
    fn a_field_that_goes_and_a_trait_that_grows_are_changes() {
        let before = "pub struct S { pub a: u8 }\npub trait T { fn f(&self); }";
        let after = "pub struct S {}\npub trait T { fn f(&self, n: u8); }";
        assert_eq!(check(before, after).len(), 2);
    }
}
