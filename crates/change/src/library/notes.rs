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
    let code = without_arguments(code);
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

/// A path without the arguments of its types: `Map::put` of `Map<K, V>::put`.
fn without_arguments(code: &str) -> String {
    let mut found = String::new();
    let mut depth = 0usize;
    for it in code.chars() {
        match it {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => found.push(it),
            _ => {}
        }
    }
    // Those of a call: `gen::<T>()`.
    found.replace("::(", "(")
}

/// The names that a change log gives for an old one, with the sentence, in the order of the text.
/// Sentences name it in a code span: "renamed `a` to `b`", "`a` → `b`", "`a -> b`", "removed `a`. Use `b`",
/// and rows of a table with an old and a new name.
pub(crate) fn in_changelog(changelog: &str, old: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut seen = SortedSet::new();
    let all = entries(changelog);
    let named = all.iter().filter(|it| it.text.contains(old));
    for (sentence, is_row) in
        named.flat_map(Entry::sentences).filter(|it| it.0.contains(old)).take(MAX_SENTENCES)
    {
        let names = code_names(&sentence);
        let Some(at) = names.iter().position(|it| last(it) == old) else { continue };
        let lower = sentence.to_lowercase();
        if !is_row && !VERBS.iter().any(|it| lower.contains(it)) {
            continue;
        }
        let after = names.iter().skip(at + 1).chain(names.iter().take(at));
        for name in after.filter(|it| !it.is_empty() && last(it) != old) {
            if seen.insert(name.clone()) {
                let line = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
                found.push((name.clone(), line));
            }
        }
    }
    found
}

/// Words and arrows by which a sentence gives a new name.
const VERBS: &[&str] = &["rename", "replace", "instead", "→", "->", "=>", "move", "now", "use "];
/// Words of a sentence about what is gone, of which the next one may give the new name.
const GONE: &[&str] = &["remove", "deprecate", "dropped", "no longer", "gone"];

/// An item of a list, a paragraph or a row of a table.
struct Entry<'t> {
    text: &'t str,
    is_row: bool,
}

impl Entry<'_> {
    /// The sentences, each with whether it is a row of a table. One about what is gone has the next one too,
    /// if that gives a name.
    fn sentences(&self) -> Vec<(String, bool)> {
        if self.is_row {
            return vec![(self.text.to_owned(), true)];
        }
        let list: Vec<&str> = self.text.split(". ").filter(|it| it.len() < MAX_BYTES).collect();
        let has = |text: &str, words: &[&str]| {
            let lower = text.to_lowercase();
            words.iter().any(|it| lower.contains(it))
        };
        let is_single = |text: &str| code_names(text).len() == 1;
        let whole = |at: usize| match list.get(at + 1) {
            Some(next) if has(list[at], GONE) && is_single(list[at]) && has(next, VERBS) => {
                format!("{}. {next}", list[at])
            }
            _ => list[at].to_owned(),
        };
        (0..list.len()).map(|at| (whole(at), false)).collect()
    }
}

/// The entries of a change log.
fn entries(changelog: &str) -> Vec<Entry<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut push = |from: usize, to: usize, is_row: bool| {
        let text = changelog.get(from..to).unwrap_or("").trim();
        if !text.is_empty() {
            found.push(Entry { text, is_row });
        }
    };
    for line in changelog.split_inclusive('\n') {
        let inner = line.trim_start();
        let is_row = inner.starts_with('|') && inner.trim_end().ends_with('|');
        let begins = ["- ", "* ", "+ ", "#"].iter().any(|it| inner.starts_with(it));
        if is_row || begins || inner.is_empty() {
            push(start, at, false);
            start = at;
        }
        at += line.len();
        if is_row {
            push(start, at, true);
            start = at;
        }
    }
    push(start, at, false);
    found
}

/// The paths in the code spans of a sentence, of each side of an arrow in one.
fn code_names(sentence: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Spans may have two backticks.
    let mut is_code = false;
    for part in sentence.split('`') {
        if part.is_empty() {
            continue;
        }
        if is_code {
            let has_arrow = ["→", "->", "=>"].iter().any(|it| part.contains(it));
            // The arrow of a signature is before a type.
            match has_arrow && !part.contains("fn ") {
                true => {
                    let sides = part.split(['→', '>']).map(|it| it.trim_end_matches(['-', '=']));
                    found.extend(sides.map(path_in));
                }
                false => found.push(path_in(part)),
            }
        }
        is_code = !is_code;
    }
    found
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
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

    #[test]
    fn a_change_log_gives_a_new_name_in_many_ways() {
        let of = |log: &str, it: &str| {
            in_changelog(log, it).into_iter().map(|it| it.0).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("- `read_all` → `read_to_end`\n", "read_all"), "read_to_end");
        assert_eq!(of("- `read_all -> read_to_end`\n", "read_all"), "read_to_end");
        assert_eq!(of("Renamed ``read_all`` to ``read_to_end``.", "read_all"), "read_to_end");
        assert_eq!(of("* Removed `a_b`. Use `C::d_e` instead. Added `f_g`.", "a_b"), "C::d_e");
        let nested = "- Renames:\n  - `a_a` -> `b_b`\n  - `c_c` -> `d_d`\n";
        assert_eq!((of(nested, "a_a"), of(nested, "c_c")), ("b_b".into(), "d_d".into()));
        let table = "| Old | New |\n|---|---|\n| `A::x()` | `A::y()` |\n| `z_z` | `w_w` |\n";
        assert_eq!((of(table, "x"), of(table, "z_z")), ("A::y".into(), "w_w".into()));
        assert_eq!(of("- `Map<K, V>::put` is now `Map<K, V>::insert`", "put"), "Map::insert");
        assert_eq!(of("- `fn get(&self) -> u8` is faster now\n", "get"), "");
    }
}
