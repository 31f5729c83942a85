//! Successors that a crate's authors name: in `#[deprecated]` and in the change log.

use base::SortedSet;

/// Most sentences of a change log that are read for one name.
const MAX_SENTENCES: usize = 40;
/// Longest sentence that is read.
const MAX_BYTES: usize = 600;

/// The note of a `#[deprecated]` attribute; `Some` of an empty text without a note.
pub(crate) fn deprecation(attributes: &[String]) -> Option<String> {
    let attribute = attributes.iter().find_map(|it| {
        let inner = it.trim_start_matches(['#', '[', ' ']);
        inner.strip_prefix("deprecated")
    })?;
    let value = match attribute.find("note") {
        Some(at) => attribute[at + "note".len()..].trim_start().strip_prefix('=')?,
        None => attribute.trim_start().strip_prefix('=').unwrap_or(""),
    };
    let start = value.find('"').map_or(value.len(), |it| it + 1);
    let rest = value.get(start..).unwrap_or("");
    Some(rest[..rest.find('"').unwrap_or(rest.len())].to_owned())
}

/// The names in a note, as a path each, the likeliest first: those in backticks, then those after
/// `use`, `to`, `by` or `with`.
pub(crate) fn names(note: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |it: &str| {
        let path = path_in(it);
        if !path.is_empty() && !found.contains(&path) {
            found.push(path);
        }
    };
    note.split('`').skip(1).step_by(2).for_each(&mut add);
    let list: Vec<&str> = note.split_whitespace().collect();
    for pair in list.windows(2) {
        const BEFORE: &[&str] = &["use", "to", "by", "with", "of", "see"];
        let word = pair[0].trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase();
        if BEFORE.contains(&word.as_str()) && looks_like_code(pair[1]) {
            add(pair[1]);
        }
    }
    found
}

/// Whether a word of a sentence is a name: it has `_`, `::`, `()`, a capital inside, or is the last.
fn looks_like_code(word: &str) -> bool {
    let inner = word.trim_matches(|it: char| !it.is_alphanumeric() && it != '_' && it != '(');
    inner.contains('_')
        || inner.contains("::")
        || inner.contains('(')
        || inner.chars().skip(1).any(char::is_uppercase)
        || word.ends_with(['.', '!']) && word.len() > 3
        || word.starts_with(['`', '\'', '#'])
}

/// The path that a piece of code begins with, without arguments: `Rng::gen` of `Rng::gen::<T>()`.
fn path_in(code: &str) -> String {
    const KEYWORDS: &[&str] =
        &["pub ", "unsafe ", "const ", "fn ", "struct ", "enum ", "trait ", "type ", "mod "];
    let mut code = code.trim_matches(|it: char| !it.is_alphanumeric() && it != '_' && it != ':');
    while let Some(rest) = KEYWORDS.iter().find_map(|it| code.strip_prefix(it)) {
        code = rest.trim_start();
    }
    let end = code
        .find(|it: char| !(it.is_alphanumeric() || it == '_' || it == ':' || it == '.'))
        .unwrap_or(code.len());
    let path = code[..end].replace('.', "::");
    let path = path.trim_matches(':');
    let is_name = |it: &str| it.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match path.split("::").all(is_name) {
        true => path.to_owned(),
        false => String::new(),
    }
}

/// The names that a change log gives for an old one, with the sentence, in the order of the text.
/// Sentences name it in backticks: "renamed `a` to `b`", "`a` → `b`", "removed `a`, use `b`".
pub(crate) fn in_changelog(changelog: &str, old: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut seen = SortedSet::new();
    let sentences =
        changelog.split("\n\n").flat_map(|it| it.split("\n- ")).flat_map(|it| it.split("\n* "));
    let sentences = sentences.flat_map(|it| it.split(". "));
    for sentence in
        sentences.filter(|it| it.len() < MAX_BYTES && it.contains(old)).take(MAX_SENTENCES)
    {
        let code: Vec<String> = sentence.split('`').skip(1).step_by(2).map(path_in).collect();
        let last = |path: &str| path.rsplit("::").next().unwrap_or(path).to_owned();
        let Some(at) = code.iter().position(|it| last(it) == old) else { continue };
        let lower = sentence.to_lowercase();
        const VERBS: &[&str] =
            &["rename", "replace", "instead", "→", "->", "=>", "move", "now", "use "];
        if !VERBS.iter().any(|it| lower.contains(it)) {
            continue;
        }
        let after = code.iter().skip(at + 1).chain(code.iter().take(at));
        for name in after.filter(|it| !it.is_empty() && last(it) != old) {
            if seen.insert(name.clone()) {
                let line = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
                found.push((name.clone(), line));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_name_successors_with_and_without_backticks() {
        let of = |it: &str| names(it).join(" ");
        assert_eq!(of("Renamed to `random_range`"), "random_range");
        assert_eq!(of("Use Engine::encode instead"), "Engine::encode");
        assert_eq!(of("use `uuid.hyphenated()` instead"), "uuid::hyphenated");
        assert_eq!(of("renamed to to_kebab."), "to_kebab");
        assert_eq!(of("no longer needed"), "");
    }

    #[test]
    fn a_deprecation_has_its_note() {
        let of = |it: &str| deprecation(&[it.to_owned()]);
        assert_eq!(
            of("#[deprecated(since = \"1\", note = \"use `b`\")]"),
            Some("use `b`".to_owned())
        );
        assert_eq!(of("#[deprecated = \"use c\"]"), Some("use c".to_owned()));
        assert_eq!(of("#[deprecated]"), Some(String::new()));
        assert_eq!(of("#[inline]"), None);
    }

    #[test]
    fn change_logs_name_the_old_and_the_new() {
        let log = "# 2.0\n- Renamed `Rng::gen` to `Rng::random` (#1)\n- `a::b` → `c::b2`.\n\n- Added `gen` tests\n";
        let of = |it: &str| in_changelog(log, it).into_iter().map(|it| it.0).collect::<Vec<_>>();
        assert_eq!(of("gen"), ["Rng::random"]);
        assert_eq!(of("b"), ["c::b2"]);
        assert_eq!(of("zzz"), [""; 0]);
    }
}
