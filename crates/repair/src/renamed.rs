//! Reasoner: for an unknown name, renames the one unused declaration that shares its words. Changes
//! the declaration; `near_names.rs` changes the use.

use std::sync::Arc;

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath, SortedMap};
use edit::{Files, Splice};
use refactor::words;

use crate::near_names::{NameKind, declarations, holds_words, missing_name, texts_of, wanted};
use crate::{Fix, Reasoner};
use preserve::outline::tokens;

/// For a name that is used but not declared, if one that shares its words is declared but not used:
/// renames the declaration. One change fixes all uses, and is the smaller one if there are several.
///
/// Similar spelling is not enough: it does not show which of the two names was meant. Of the fields
/// of a type, which the compiler lists, the only unused one is proposed whatever its name.
pub(crate) struct Renamed;

impl Reasoner for Renamed {
    fn name(&self) -> &'static str {
        "renamed"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let wanted = wanted(diagnostics);
        if wanted.is_empty() {
            return Vec::new();
        }
        let texts = texts_of(diagnostics, files);
        let declared = Declared::of(&texts);
        let mut fixes = Vec::new();
        for (seed, diagnostic, kind) in wanted {
            let Some((_, _, name)) = missing_name(diagnostic, &texts) else { continue };
            // A name that is declared too may only be out of scope; members, fields and variants
            // are looked up in a type instead.
            if !is_looked_up_in_a_type(diagnostic) && declared.has(&name) {
                continue;
            }
            let unused = declared.unused(kind);
            let only_listed = only_listed(diagnostic, &unused);
            for it in unused {
                let is_related = share_words(&name, it.name);
                if !is_related && only_listed != Some(it.name) || is_within(diagnostic, it, &texts)
                {
                    continue;
                }
                let splice = Splice { span: it.span, insert: name.clone() };
                fixes.push(Fix {
                    splices: vec![(it.path.clone(), splice)],
                    rationale: format!(
                        "`{name}` is used and not declared, `{}` is declared and not used",
                        it.name
                    ),
                    applicability: if is_related {
                        Applicability::MaybeIncorrect
                    } else {
                        Applicability::Unspecified
                    },
                    reasoner: self.name(),
                    seed,
                    guesses: Vec::new(),
                });
            }
        }
        fixes
    }
}

/// One declaration of a name.
struct Declaration<'t> {
    path: &'t ProjectPath,
    span: ByteSpan,
    /// Kinds as which the name can be found.
    kinds: &'static [NameKind],
    name: &'t str,
}

/// The declarations of some texts, and how often each token occurs in them.
struct Declared<'t> {
    declarations: Vec<Declaration<'t>>,
    occurrences: SortedMap<&'t str, usize>,
}

impl<'t> Declared<'t> {
    fn of(texts: &'t SortedMap<ProjectPath, Arc<str>>) -> Self {
        let mut found = Self { declarations: Vec::new(), occurrences: SortedMap::new() };
        for (path, text) in texts {
            for token in tokens(text) {
                *found.occurrences.entry(token.text).or_default() += 1;
            }
            for (kinds, span) in declarations(text) {
                let name = span.slice(text);
                found.declarations.extend(name.map(|name| Declaration { path, span, kinds, name }));
            }
        }
        found
    }

    fn has(&self, name: &str) -> bool {
        self.declarations.iter().any(|it| it.name == name)
    }

    /// The declarations of this kind whose name does not occur elsewhere.
    fn unused(&self, kind: NameKind) -> Vec<&Declaration<'t>> {
        let is_unused = |it: &&Declaration<'_>| {
            it.kinds.contains(&kind) && self.occurrences.get(it.name) == Some(&1)
        };
        self.declarations.iter().filter(is_unused).collect()
    }
}

/// Whether the unknown name is in the body of the declaration, which would then only name itself.
fn is_within(
    diagnostic: &Diagnostic,
    declaration: &Declaration<'_>,
    texts: &SortedMap<ProjectPath, Arc<str>>,
) -> bool {
    let Some(text) = texts.get(declaration.path) else { return false };
    let (mut depth, mut end) = (0_usize, None);
    for token in tokens(text).iter().filter(|it| it.span.start >= declaration.span.end) {
        match token.text {
            "{" => depth += 1,
            "}" if depth <= 1 => {
                end = Some(token.span.end);
                break;
            }
            "}" => depth -= 1,
            ";" if depth == 0 => break,
            _ => {}
        }
    }
    let place = base::DiagnosticFile::Project(declaration.path.clone());
    let mut spans = diagnostic.spans.iter().filter(|it| it.primary && it.place == place);
    end.is_some_and(|end| spans.any(|it| (declaration.span.end..end).contains(&it.bytes.start)))
}

fn is_looked_up_in_a_type(diagnostic: &Diagnostic) -> bool {
    let code = diagnostic.code.as_deref();
    matches!(code, Some("E0599" | "E0609" | "E0560" | "E0026" | "E0559"))
}

/// The unused field that the compiler lists, if it is the only one.
fn only_listed<'t>(diagnostic: &Diagnostic, unused: &[&Declaration<'t>]) -> Option<&'t str> {
    let listed = listed_fields(diagnostic);
    let mut found = unused.iter().filter(|it| listed.contains(&it.name));
    let first = found.next()?;
    found.next().is_none().then_some(first.name)
}

/// Whether the words of one name stand within the other's, in their order.
fn share_words(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    if a.len() < b.len() { holds_words(&b, &a) } else { holds_words(&a, &b) }
}

/// The fields of a type that the compiler lists.
fn listed_fields(diagnostic: &Diagnostic) -> Vec<&str> {
    let notes = diagnostic.children.iter().map(|child| child.message.as_str());
    notes
        .filter_map(|note| note.strip_prefix("available field"))
        .flat_map(|list| list.split('`').skip(1).step_by(2))
        .collect()
}

#[cfg(test)]
mod tests {
    use base::{DiagnosticSpan, Severity, SubDiagnostic, Timestamp};
    use edit::Overlay;
    use preserve::violations;

    use super::*;
    use crate::fake::OneFile;

    fn fixed(text: &str, code: &str, name: &str, message: &str) -> Vec<String> {
        fixed_with(text, code, name, message, &[])
    }

    /// Runs the reasoner on errors about `name` wherever `$0` marks it, with these notes.
    fn fixed_with(
        text: &str,
        code: &str,
        name: &str,
        message: &str,
        notes: &[&str],
    ) -> Vec<String> {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let plain = text.replace("$0", "");
        let marks = text.match_indices("$0").enumerate().map(|(nth, (at, _))| at - 2 * nth);
        let notes: Vec<SubDiagnostic> =
            notes.iter().map(|note| SubDiagnostic::new(Severity::Note, note)).collect();
        let diagnostics: Vec<Diagnostic> = marks
            .map(|start| {
                let name = ByteSpan::new(start, start + name.len());
                Diagnostic {
                    code: Some(code.to_owned()),
                    spans: vec![DiagnosticSpan::primary(&path, &plain, name)],
                    children: notes.clone(),
                    ..Diagnostic::new(Severity::Error, message)
                }
            })
            .collect();
        let files = OneFile(plain);
        let mut texts = Vec::new();
        for fix in Renamed.propose(&diagnostics, &files) {
            let overlay =
                Overlay::from_splices("test", Timestamp(0), &files, &fix.splices).unwrap();
            assert_eq!(violations(&overlay, &diagnostics), []);
            let text = overlay.get(&path).unwrap().after.as_ref().unwrap().text.to_string();
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    #[test]
    fn a_function_does_not_take_a_name_that_it_calls_itself() {
        let message = "cannot find function `lookup_name_of` in this scope";
        let text = "pub fn name(id: u32) -> String {\n    $0lookup_name_of(id)\n}\n";
        assert_eq!(fixed(text, "E0425", "lookup_name_of", message), [""; 0]);
    }

    #[test]
    fn an_unused_declaration_takes_the_name_that_is_used() {
        assert_eq!(
            fixed(
                "pub fn total_checked() -> u8 { 1 }\nfn a() { $0total(); }\nfn b() { $0total(); }\n",
                "E0425",
                "total",
                "cannot find function `total` in this scope",
            ),
            ["pub fn total() -> u8 { 1 }\nfn a() { total(); }\nfn b() { total(); }\n"]
        );
        assert_eq!(
            fixed(
                "struct S { inner_value: u8 }\nfn a(s: &S) -> u8 { s.$0inner }\n",
                "E0609",
                "inner",
                "no field `inner` on type `&S`",
            ),
            ["struct S { inner: u8 }\nfn a(s: &S) -> u8 { s.inner }\n"]
        );
    }

    #[test]
    fn the_only_unused_field_takes_the_name_that_is_used() {
        let text = "struct S { ignore_case: bool, len: u8 }\n\
                    fn a(s: &S) -> bool { s.len > 0 && s.$0case_insensitive }\n\
                    fn b(s: &S) -> bool { s.$0case_insensitive }\n";
        let message = "no field `case_insensitive` on type `&S`";
        let all = |note| fixed_with(text, "E0609", "case_insensitive", message, &[note]);
        assert_eq!(
            all("available fields are: `ignore_case`, `len`"),
            [text.replace("$0", "").replace("ignore_case", "case_insensitive")]
        );
        let none: [&str; 0] = [];
        assert_eq!(all("available field is: `len`"), none);
        let two = text.replace("len: u8", "len: u8, other: u8");
        let note = "available fields are: `ignore_case`, `len`, `other`";
        assert_eq!(fixed_with(&two, "E0609", "case_insensitive", message, &[note]), none);
    }

    #[test]
    fn a_declaration_that_is_used_keeps_its_name() {
        let text = "fn total_checked() {}\nfn a() { $0total(); total_checked(); }\n";
        let none: [&str; 0] = [];
        assert_eq!(fixed(text, "E0425", "total", "cannot find function `total`"), none);
        let text = "fn total_checked() {}\nfn total() {}\nfn a() { $0total(); }\n";
        assert_eq!(fixed(text, "E0425", "total", "cannot find function `total`"), none);
    }

    #[test]
    fn a_member_may_have_a_namesake_in_another_type() {
        assert_eq!(
            fixed(
                "struct A; impl A { fn get(&self) {} }\nstruct B; impl B { fn get_all(&self) {} }\nfn f(b: B) { b.$0get(); }\n",
                "E0599",
                "get",
                "no method named `get` found for struct `B` in the current scope",
            ),
            [
                "struct A; impl A { fn get(&self) {} }\nstruct B; impl B { fn get(&self) {} }\nfn f(b: B) { b.get(); }\n"
            ]
        );
    }

    #[test]
    fn names_share_whole_words_in_order() {
        assert!(share_words("inner", "inner_value"));
        assert!(share_words("generic_hamming_checked", "generic_hamming"));
        assert!(share_words("Build", "BuildMeta"));
        assert!(share_words("take_while", "take_chars_while"));
        assert!(!share_words("while_take", "take_chars_while"));
        assert!(!share_words("Build", "Builds"));
        assert!(!share_words("compute", "comptue"));
        assert!(!share_words("a", "a_b"));
        assert!(!share_words("same", "same"));
    }
}
