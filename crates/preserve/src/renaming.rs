//! Changes that only give one name another spelling.

use base::is_word;
use edit::Overlay;

/// Whether `overlay` does nothing but exchange the names `from` and `to`, which includes the
/// shorthand of a field (`from` for `from: from`) and a file that moves unchanged otherwise.
pub fn is_renaming(overlay: &Overlay, from: &str, to: &str) -> bool {
    let is_moved_away =
        |path| overlay.changes().any(|(_, it)| it.renamed_from.as_ref() == Some(path));
    overlay.changes().all(|(path, change)| match (&change.before, &change.after) {
        (_, None) => is_moved_away(path),
        (None, Some(_)) if change.renamed_from.is_none() => false,
        (before, Some(after)) => {
            before.as_ref().is_none_or(|it| it.executable == after.executable)
                && one_name(overlay.base_text(path), from, to) == one_name(&after.text, from, to)
        }
    })
}

/// The text with `from` for both names, and without repetition of it around a colon.
fn one_name(text: &str, from: &str, to: &str) -> String {
    let (from, to) = (from.trim_start_matches("r#"), to.trim_start_matches("r#"));
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, word) = rest.split_at(start);
        let (word, after) = word.split_at(word.find(|it| !is_word(it)).unwrap_or(word.len()));
        found.push_str(before);
        if word == from || word == to {
            // A raw identifier is the same name.
            if found.ends_with("r#") {
                found.truncate(found.len() - 2);
            }
            found.push_str(from);
        } else {
            found.push_str(word);
        }
        rest = after;
    }
    found.push_str(rest);
    let shorthands =
        [format!("{from}: {from}"), format!("{from}: ref {from}"), format!("{from}: mut {from}")];
    let full = format!("{from}: ref mut {from}");
    let mut found = found.replace(&full, &format!("ref mut {from}"));
    for (long, short) in shorthands.iter().zip(["", "ref ", "mut "]) {
        found = found.replace(long, &format!("{short}{from}"));
    }
    found
}

#[cfg(test)]
mod tests {
    use base::{ProjectPath, Timestamp};
    use edit::FileState;

    use super::*;

    fn renames(before: &str, after: &str) -> bool {
        let state = |text: &str| Some(FileState::from_text(text));
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let states = vec![(path, state(before), state(after))];
        is_renaming(&Overlay::from_states("", Timestamp(0), states), "old", "new")
    }

    #[test]
    fn names_and_shorthands_may_change_and_nothing_else() {
        assert!(renames("fn old() { old(); S { old } }", "fn new() { new(); S { new: old } }"));
        assert!(renames("let S { ref old } = s; old", "let S { new: ref old } = s; old"));
        assert!(renames("fn old() {}", "fn r#new() {}"));
        assert!(!renames("fn old() { a(); }", "fn new() {}"));
        assert!(!renames("fn older() {}", "fn newer() {}"));
        assert!(!renames("assert!(old());", "assert!(!new());"));
    }
}
