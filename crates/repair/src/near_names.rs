//! Reasoner: for an unknown name, declared names that are similar or share words with it. Changes
//! the use; `renamed.rs` changes the declaration.

use std::sync::Arc;

use base::{
    Applicability, ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath, SortedMap, SortedSet, is_word,
};
use change::{Guess, GuessKind};
use edit::{Files, Splice};
use refactor::words;

use crate::fix::text_of;
use crate::{Fix, Overlaid, Reasoner};
use preserve::outline::{ElementKind, Outline, TokenKind};

/// Maximum number of names proposed for one unknown name.
const MAX_NAMES: usize = 3;

/// For an unknown name: similar names declared in the files of the diagnostics, for uses that were
/// not renamed with their item. The compiler proposes names within a few letters; this also
/// proposes names that share words.
pub(crate) struct NearNames;

impl Reasoner for NearNames {
    fn name(&self) -> &'static str {
        "near-names"
    }

    /// None for a name that this repair has inserted: another one would not be nearer.
    fn propose_on(&self, diagnostics: &[Diagnostic], files: &Overlaid<'_>) -> Vec<Fix> {
        let mut fixes = self.propose(diagnostics, files);
        fixes.retain(|fix| !fix.splices.iter().any(|(path, it)| files.has_inserted(path, it.span)));
        fixes
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let wanted = wanted(diagnostics);
        if wanted.is_empty() {
            return Vec::new();
        }
        let texts = texts_of(diagnostics, files);
        let mut declared: SortedMap<NameKind, SortedSet<String>> = SortedMap::new();
        for text in texts.values() {
            declare(text, &mut declared);
        }
        let mut fixes = Vec::new();
        for (seed, diagnostic, kind) in wanted {
            let Some((path, span, name)) = missing_name(diagnostic, &texts) else { continue };
            let Some(text) = texts.get(path) else { continue };
            // An import continues only through a module.
            let is_passed =
                text.get(span.end..).is_some_and(|it| it.trim_start().starts_with("::"));
            let is_import = diagnostic.code.as_deref() == Some("E0432");
            let kind = if is_import && is_passed { NameKind::Module } else { kind };
            let candidates = similar(&name, declared.get(&kind));
            let is_guess = candidates.len() > 1;
            for candidate in candidates {
                let insert = if is_shorthand(diagnostic, text, span) {
                    format!("{candidate}: {name}")
                } else {
                    candidate.clone()
                };
                let splice = Splice { span, insert };
                let guess = Guess::of(path, &splice, &candidate, GuessKind::Name);
                fixes.push(Fix {
                    guesses: guess.filter(|_| is_guess).into_iter().collect(),
                    splices: vec![(path.clone(), splice)],
                    rationale: format!("`{name}` is not declared, use `{candidate}`"),
                    applicability: Applicability::Unspecified,
                    reasoner: self.name(),
                    seed,
                });
            }
        }
        fixes
    }
}

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NameKind {
    Function,
    Type,
    Field,
    Variant,
    Macro,
    Module,
    Item,
}

/// The errors that miss a name: index, error and what is expected.
pub(crate) fn wanted(diagnostics: &[Diagnostic]) -> Vec<(usize, &Diagnostic, NameKind)> {
    let errors = diagnostics.iter().enumerate().filter(|(_, it)| it.is_error());
    errors.filter_map(|(seed, it)| Some((seed, it, expected_kind(it)?))).collect()
}

fn expected_kind(diagnostic: &Diagnostic) -> Option<NameKind> {
    let message = diagnostic.message.as_str();
    let has = |words: &str| message.contains(words);
    match diagnostic.code.as_deref() {
        Some("E0609" | "E0560" | "E0026" | "E0559") => Some(NameKind::Field),
        Some("E0599") if has("no variant") => Some(NameKind::Variant),
        Some("E0599" | "E0407" | "E0576") => Some(NameKind::Function),
        Some("E0425") if has("cannot find function") => Some(NameKind::Function),
        Some("E0425") if has("cannot find type") => Some(NameKind::Type),
        Some("E0425" | "E0432") => Some(NameKind::Item),
        Some("E0412" | "E0405" | "E0422" | "E0404") => Some(NameKind::Type),
        Some("E0433") if has("cannot find module") => Some(NameKind::Module),
        Some("E0433") => Some(NameKind::Type),
        None if has("cannot find macro") => Some(NameKind::Macro),
        _ => None,
    }
}

/// The project files that a diagnostic marks, and the roots and parents of their modules, where an
/// unresolved name is often declared.
pub(crate) fn texts_of(
    diagnostics: &[Diagnostic],
    files: &dyn Files,
) -> SortedMap<ProjectPath, Arc<str>> {
    let mut paths = SortedSet::new();
    for diagnostic in diagnostics {
        let children = diagnostic.children.iter().flat_map(|child| &child.spans);
        for span in diagnostic.spans.iter().chain(children) {
            let mut span: Option<&DiagnosticSpan> = Some(span);
            while let Some(it) = span {
                paths.extend(it.place.project().cloned());
                span = it.expansion.as_ref().map(|it| &it.call_site);
            }
        }
    }
    let around: Vec<ProjectPath> = paths.iter().flat_map(surroundings).collect();
    paths.extend(around);
    paths.into_iter().filter_map(|path| text_of(files, &path).map(|text| (path, text))).collect()
}

/// `src/lib.rs` and `src/main.rs` of the same package, and the parent module.
fn surroundings(path: &ProjectPath) -> Vec<ProjectPath> {
    let path = path.as_str();
    let mut names = Vec::new();
    if let Some(at) = path.find("src/").filter(|at| *at == 0 || path[..*at].ends_with('/')) {
        let source = &path[..at + "src/".len()];
        names.extend([format!("{source}lib.rs"), format!("{source}main.rs")]);
    }
    if let Some((folder, _)) = path.rsplit_once('/') {
        names.extend([format!("{folder}/mod.rs"), format!("{folder}.rs")]);
    }
    names.iter().filter_map(|name| ProjectPath::new(name).ok()).collect()
}

fn declare(text: &str, declared: &mut SortedMap<NameKind, SortedSet<String>>) {
    for (kinds, span) in declarations(text) {
        for kind in kinds {
            let name = span.slice(text).unwrap_or_default();
            declared.entry(*kind).or_default().insert(name.to_owned());
        }
    }
}

/// Declared names of a text: the kinds that each can be found as, and its span.
pub(crate) fn declarations(text: &str) -> Vec<(&'static [NameKind], ByteSpan)> {
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for element in &outline.elements {
        let (kinds, name): (&'static [NameKind], usize) = match element.kind {
            ElementKind::Item => {
                let name = outline.item_name(element);
                let keyword = name.checked_sub(1).map_or("", |it| outline.text(it));
                let kinds: &'static [NameKind] = match keyword {
                    "fn" => &[NameKind::Function, NameKind::Item],
                    "struct" | "enum" | "union" | "trait" | "type" => {
                        &[NameKind::Type, NameKind::Item]
                    }
                    "const" | "static" | "mut" => &[NameKind::Item],
                    "mod" => &[NameKind::Module, NameKind::Item],
                    "!" => &[NameKind::Macro],
                    _ => &[],
                };
                (kinds, name)
            }
            ElementKind::Field if outline.text(element.head + 1) == ":" => {
                (&[NameKind::Field], element.head)
            }
            ElementKind::Variant => (&[NameKind::Variant], element.head),
            _ => (&[], 0),
        };
        if let Some(token) = outline.tokens.get(name).filter(|it| it.kind == TokenKind::Word)
            && !kinds.is_empty()
        {
            found.push((kinds, token.span));
        }
    }
    found
}

/// The name at the end of the primary span, with its file and span.
pub(crate) fn missing_name<'a>(
    diagnostic: &'a Diagnostic,
    texts: &SortedMap<ProjectPath, Arc<str>>,
) -> Option<(&'a ProjectPath, ByteSpan, String)> {
    let span = diagnostic.primary().filter(|it| it.expansion.is_none())?;
    let path = span.place.project()?;
    let slice = span.bytes.slice(texts.get(path)?)?;
    let start = slice
        .rfind(|c| !is_word(c))
        .map_or(0, |at| at + slice[at..].chars().next().map_or(1, char::len_utf8));
    let name = &slice[start..];
    // Unless the message has the name too, the span covers something larger.
    let named = diagnostic.message.contains(&format!("`{name}`"))
        || diagnostic.message.contains(&format!("{name}`"));
    let found = !name.is_empty() && named && !name.starts_with(|c: char| c.is_ascii_digit());
    let place = ByteSpan::new(span.bytes.start + start, span.bytes.end);
    found.then(|| (path, place, name.to_owned()))
}

/// Whether a field is given as `S { name }`, so that the value keeps the old name.
fn is_shorthand(diagnostic: &Diagnostic, text: &str, span: ByteSpan) -> bool {
    matches!(diagnostic.code.as_deref(), Some("E0560" | "E0026" | "E0559"))
        && text.get(span.end..).is_some_and(|rest| rest.trim_start().starts_with([',', '}']))
}

/// The declared names similar to `name`, best first.
fn similar(name: &str, declared: Option<&SortedSet<String>>) -> Vec<String> {
    let mut scored: Vec<(usize, &String)> = declared
        .into_iter()
        .flatten()
        .filter(|it| it.as_str() != name && is_upper(it) == is_upper(name))
        .filter_map(|it| Some((distance(name, it)?, it)))
        .collect();
    scored.sort();
    scored.into_iter().take(MAX_NAMES).map(|(_, it)| it.clone()).collect()
}

/// Whether a name is written as those of types and constants are.
fn is_upper(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_uppercase)
}

/// Distance of two names; `None` if they are unrelated. Words added at the end or the beginning
/// count little, however long they are.
fn distance(a: &str, b: &str) -> Option<usize> {
    let letters = strsim::osa_distance(a, b);
    let longest = a.chars().count().max(b.chars().count());
    let (a, b) = (words(a), words(b));
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    if holds_words(long, short) {
        Some(1 + long.len() - short.len())
    } else {
        (letters * 3 <= longest || (letters == 1 && longest > 1)).then_some(1 + letters)
    }
}

/// Whether the words of the shorter name occur in the longer one in order: adjacent or, if there
/// are several, with others between them.
pub(crate) fn holds_words(long: &[String], short: &[String]) -> bool {
    let letters: usize = short.iter().map(String::len).sum();
    let mut rest = long.iter();
    letters >= 2
        && short.len() < long.len()
        && short.iter().all(|word| rest.any(|other| other == word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, OneFile};

    fn check(name: &str, declared: &[&str], expected: &[&str]) {
        let declared = declared.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(similar(name, Some(&declared)), expected);
    }

    #[test]
    fn a_name_with_one_more_word_is_near() {
        check("as_str", &["as_str_value", "as_bytes", "len"], &["as_str_value"]);
        check("Build", &["BuildMeta", "Pre"], &["BuildMeta"]);
        check("vec", &["inner_vec", "tail"], &["inner_vec"]);
        check("take_while", &["take_chars_while", "while_take_all"], &["take_chars_while"]);
    }

    #[test]
    fn a_typing_error_is_near() {
        check("lenght", &["length", "width"], &["length"]);
        check("fmt", &["ftm", "get"], &["ftm"]);
    }

    #[test]
    fn unlike_names_are_not_offered() {
        check("push", &["pop", "insert", "extend"], &[]);
        check("a", &["b_long_name", "value"], &[]);
    }

    #[test]
    fn the_nearest_comes_first_and_few_are_offered() {
        check(
            "get",
            &["get_or_default_of", "get_mut", "get_all", "get_ref"],
            &["get_all", "get_mut", "get_ref"],
        );
    }

    #[test]
    fn an_import_continues_through_a_module_alone() {
        let proposed = |text: &str, at: &str| -> Vec<(String, usize)> {
            let error = FakeError::new("E0432", "unresolved import `crate::entitys`").at(at);
            let fixes = NearNames.propose(&[error.build(text)], &OneFile(text.to_owned()));
            fixes.iter().map(|it| (it.splices[0].1.insert.clone(), it.guesses.len())).collect()
        };
        let text = "mod entities {}\nfn entity() {}\nuse crate::entitys::{A, B};\n";
        assert_eq!(proposed(text, "use «crate::entitys»::"), [("entities".to_owned(), 0)]);
        let item = text.replace("::{A, B}", "");
        assert_eq!(proposed(&item, "use «crate::entitys»;").len(), 2);
    }

    #[test]
    fn declarations_of_each_kind_are_found() {
        let mut declared = SortedMap::new();
        declare(
            "mod m { pub fn f() {} } struct S { a: u8, pub b: T } enum E { V, W(u8) } macro_rules! k { () => {} }",
            &mut declared,
        );
        let of = |kind| {
            declared.get(&kind).map_or(String::new(), |it: &SortedSet<String>| {
                it.iter().cloned().collect::<Vec<_>>().join(" ")
            })
        };
        assert_eq!(of(NameKind::Function), "f");
        assert_eq!(of(NameKind::Type), "E S");
        assert_eq!(of(NameKind::Field), "a b");
        assert_eq!(of(NameKind::Variant), "V W");
        assert_eq!(of(NameKind::Macro), "k");
        assert_eq!(of(NameKind::Module), "m");
    }
}
