//! The names that code uses, read from its text: words, calls, and paths that begin with a crate.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

/// The names in a part of the code.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Words outside of imports, with their number.
    pub(super) words: BTreeMap<String, usize>,
    /// Words that may name a function: before an opening bracket, in a path or in an attribute of serde.
    pub(super) called: BTreeSet<String>,
    /// Words of paths and private imports, each with the first word of the path. A re-export is no use.
    pub(super) paths: BTreeSet<(String, String)>,
}

impl Names {
    /// Adds the names in the lines that `is_wanted` accepts. Paths are those that begin with one of
    /// `roots`.
    pub(super) fn add(
        &mut self,
        source: &Source,
        roots: &BTreeSet<String>,
        is_wanted: impl Fn(usize) -> bool,
    ) {
        let mut code = String::new();
        // Whether the line is in an import, and whether that is a re-export.
        let mut import = None;
        for (at, line) in source.code.iter().enumerate() {
            let text = line.trim_start();
            let is_public = ["pub use ", "pub(crate) use ", "pub(super) use "];
            let is_public = is_public.iter().any(|head| text.starts_with(head));
            if is_public || text.starts_with("use ") {
                import = Some(is_public);
            }
            if is_wanted(at) && import != Some(true) {
                code.push_str(line);
                code.push('\n');
            }
            if is_wanted(at) && import.is_none() {
                self.add_line(line);
            }
            import = import.filter(|_| !line.contains(';'));
        }
        self.add_paths(&code, roots);
        for (at, text) in &source.strings {
            let is_path = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
            if is_path && is_wanted(*at) && source.code[*at].contains('=') {
                self.called.extend(identifiers(text).map(str::to_owned));
                self.add_paths(text, roots);
            }
        }
    }

    fn add_line(&mut self, line: &str) {
        for (at, word) in identifiers_at(line) {
            let (before, after) = (&line[..at], &line[at + word.len()..]);
            let is_path = before.ends_with("::") || after.starts_with("::");
            if is_path || after.starts_with('(') && !before.ends_with("fn ") {
                self.called.insert(word.to_owned());
            }
            *self.words.entry(word.to_owned()).or_default() += 1;
        }
    }

    fn add_paths(&mut self, code: &str, roots: &BTreeSet<String>) {
        for (at, word) in identifiers_at(code) {
            let root = word.strip_prefix("graftage_").unwrap_or(word);
            let rest = &code[at + word.len()..];
            // `::edit::A` names a crate, too; `a::edit::A` does not.
            let before = code[..at].strip_suffix("::").unwrap_or(" ");
            let is_inner =
                before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '>'));
            if !rest.starts_with("::") || is_inner || !roots.contains(root) {
                continue;
            }
            let inner = &rest[..path_end(rest)];
            self.paths.extend(identifiers(inner).map(|word| (root.to_owned(), word.to_owned())));
        }
    }
}

/// The end of a path: past its last name, or past the list that it ends with.
fn path_end(code: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in code.char_indices() {
        match c {
            '{' if depth > 0 || code[..at].ends_with("::") => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' if depth > 1 => depth -= 1,
            c if depth == 0 && !c.is_alphanumeric() && !matches!(c, '_' | ':') => return at,
            _ => {}
        }
    }
    code.len()
}

/// The words of a text.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    identifiers_at(text).map(|(_, word)| word)
}

/// The words of a text with their offsets.
fn identifiers_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        let rest = &text[start..];
        at = start + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        Some((start, &text[start..at]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Names {
        let mut names = Names::default();
        let roots = ["edit", "memory"].map(str::to_owned).into();
        names.add(&Source::parse(text), &roots, |_| true);
        names
    }

    fn paths(text: &str) -> Vec<String> {
        names(text).paths.into_iter().map(|(root, word)| format!("{root} {word}")).collect()
    }

    #[test]
    fn paths_begin_with_a_crate_and_end_with_their_names() {
        assert_eq!(
            paths(
                "use edit::{\n    A,\n    b::{C, D as E},\n};\nfn f(x: graftage_memory::G<H>) {}\n"
            ),
            ["edit A", "edit C", "edit D", "edit E", "edit as", "edit b", "memory G"]
        );
        assert_eq!(paths("pub use edit::A;\nuse crate::edit::B;\nuse std::C;\n"), [""; 0]);
        assert_eq!(paths("#[serde(with = \"edit::f\")]\n// edit::g\n"), ["edit f"]);
    }

    #[test]
    fn a_definition_or_a_field_is_no_call() {
        let names = names("fn a() {\n    b(c.d, e::f);\n    x.map(T::g);\n}\n");
        let called: Vec<&str> = names.called.iter().map(String::as_str).collect();
        assert_eq!(called, ["T", "b", "e", "f", "g", "map"]);
        assert_eq!(names.words["d"], 1);
    }
}
