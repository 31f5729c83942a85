use std::collections::{BTreeMap, BTreeSet};

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use edit::{Files, Splice};

use crate::near_names::{
    Sort, declarations, holds_words, missing_name, sort_wanted, texts_of, words,
};
use crate::{Fix, Reasoner};
use preserve::outline::tokens;

/// For a name that is used and not declared, where one that holds its words – or whose words it
/// holds – is declared and not used: the declaration takes the name that its users know. One
/// change answers them all, and it is the smaller one as soon as there are several.
///
/// Slips of the keys are no ground: there the many letters that agree say nothing of which of the
/// two names was meant. Of a type's fields, which the compiler lists, the only one that nobody
/// uses is as good a guess whatever it is called.
pub struct Renamed;

impl Reasoner for Renamed {
    fn name(&self) -> &'static str {
        "renamed"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let wanted: Vec<(usize, &Diagnostic, Sort)> = diagnostics
            .iter()
            .enumerate()
            .filter(|(_, it)| it.is_error())
            .filter_map(|(seed, it)| Some((seed, it, sort_wanted(it)?)))
            .collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let texts = texts_of(diagnostics, files);
        let mut occurrences: BTreeMap<&str, usize> = BTreeMap::new();
        let mut declared: Vec<(&ProjectPath, ByteSpan, &'static [Sort], &str)> = Vec::new();
        for (path, text) in &texts {
            for token in tokens(text) {
                *occurrences.entry(token.text).or_default() += 1;
            }
            for (sorts, span) in declarations(text) {
                if let Some(name) = span.slice(text) {
                    declared.push((path, span, sorts, name));
                }
            }
        }
        let names: BTreeSet<&str> = declared.iter().map(|(_, _, _, name)| *name).collect();
        let mut fixes = Vec::new();
        for (seed, diagnostic, sort) in wanted {
            let Some((_, _, name)) = missing_name(diagnostic, &texts) else { continue };
            // Where the name is declared too, it may be meant and only out of reach; what is looked
            // up in a type – members, fields, variants – is not reached by a path.
            let in_a_type = matches!(
                diagnostic.code.as_deref(),
                Some("E0599" | "E0609" | "E0560" | "E0026" | "E0559")
            );
            if !in_a_type && names.contains(name.as_str()) {
                continue;
            }
            let unused: Vec<_> = declared
                .iter()
                .filter(|(_, _, sorts, other)| {
                    sorts.contains(&sort) && occurrences.get(other) == Some(&1)
                })
                .collect();
            let there = fields_there(diagnostic);
            let only = match unused
                .iter()
                .filter(|(_, _, _, other)| there.contains(other))
                .collect::<Vec<_>>()
                .as_slice()
            {
                [(_, _, _, only)] => Some(*only),
                _ => None,
            };
            for (path, span, _, other) in unused {
                let akin = akin(&name, other);
                if !akin && only != Some(*other) {
                    continue;
                }
                fixes.push(Fix {
                    splices: vec![((*path).clone(), Splice { span: *span, insert: name.clone() })],
                    rationale: format!(
                        "`{name}` is used and not declared, `{other}` is declared and not used"
                    ),
                    applicability: if akin {
                        Applicability::MaybeIncorrect
                    } else {
                        Applicability::Unspecified
                    },
                    reasoner: self.name(),
                    seed,
                });
            }
        }
        fixes
    }
}

/// Whether the words of one name stand within the other's, in their order.
fn akin(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    if a.len() < b.len() { holds_words(&b, &a) } else { holds_words(&a, &b) }
}

/// The fields that the compiler says a type has, where it lists them.
fn fields_there(diagnostic: &Diagnostic) -> Vec<&str> {
    let notes = diagnostic.children.iter().map(|child| child.message.as_str());
    notes
        .filter_map(|note| note.strip_prefix("available field"))
        .flat_map(|list| list.split('`').skip(1).step_by(2))
        .collect()
}

#[cfg(test)]
mod tests {
    use base::{DiagnosticFile, DiagnosticSpan, LineCol, Severity, SubDiagnostic, Timestamp};
    use edit::{FileState, Overlay, Unreadable};

    use super::*;
    use crate::violations;

    struct One(String);

    impl Files for One {
        fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
            let state = || FileState { text: self.0.as_str().into(), executable: false };
            Ok((path.as_str() == "src/lib.rs").then(state))
        }
    }

    fn mended(text: &str, code: &str, name: &str, message: &str) -> Vec<String> {
        mended_with(text, code, name, message, &[])
    }

    /// Every `name` that is marked by `$0` before it is not known, and there are notes on it.
    fn mended_with(
        text: &str,
        code: &str,
        name: &str,
        message: &str,
        notes: &[&str],
    ) -> Vec<String> {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let plain = text.replace("$0", "");
        let marks = text.match_indices("$0").enumerate().map(|(nth, (at, _))| at - 2 * nth);
        let at = LineCol { line: 1, col: 1 };
        let diagnostics: Vec<Diagnostic> = marks
            .map(|start| Diagnostic {
                severity: Severity::Error,
                code: Some(code.to_owned()),
                message: message.to_owned(),
                spans: vec![DiagnosticSpan {
                    place: DiagnosticFile::Project(path.clone()),
                    bytes: ByteSpan::new(start, start + name.len()),
                    start: at,
                    end: at,
                    primary: true,
                    label: None,
                    expansion: None,
                }],
                children: notes
                    .iter()
                    .map(|note| SubDiagnostic {
                        severity: Severity::Note,
                        message: (*note).to_owned(),
                        spans: Vec::new(),
                        replacements: Vec::new(),
                    })
                    .collect(),
                rendered: None,
                package: None,
                target: None,
            })
            .collect();
        let files = One(plain);
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
    fn a_declaration_that_nobody_uses_takes_the_name_that_is_used() {
        assert_eq!(
            mended(
                "pub fn total_checked() -> u8 { 1 }\nfn a() { $0total(); }\nfn b() { $0total(); }\n",
                "E0425",
                "total",
                "cannot find function `total` in this scope",
            ),
            ["pub fn total() -> u8 { 1 }\nfn a() { total(); }\nfn b() { total(); }\n"]
        );
        assert_eq!(
            mended(
                "struct S { inner_value: u8 }\nfn a(s: &S) -> u8 { s.$0inner }\n",
                "E0609",
                "inner",
                "no field `inner` on type `&S`",
            ),
            ["struct S { inner: u8 }\nfn a(s: &S) -> u8 { s.inner }\n"]
        );
    }

    #[test]
    fn the_only_field_that_nobody_uses_takes_the_name_that_is_used() {
        let text = "struct S { ignore_case: bool, len: u8 }\n\
                    fn a(s: &S) -> bool { s.len > 0 && s.$0case_insensitive }\n\
                    fn b(s: &S) -> bool { s.$0case_insensitive }\n";
        let message = "no field `case_insensitive` on type `&S`";
        let all = |note| mended_with(text, "E0609", "case_insensitive", message, &[note]);
        assert_eq!(
            all("available fields are: `ignore_case`, `len`"),
            [text.replace("$0", "").replace("ignore_case", "case_insensitive")]
        );
        let none: [&str; 0] = [];
        assert_eq!(all("available field is: `len`"), none);
        let two = text.replace("len: u8", "len: u8, other: u8");
        let note = "available fields are: `ignore_case`, `len`, `other`";
        assert_eq!(mended_with(&two, "E0609", "case_insensitive", message, &[note]), none);
    }

    #[test]
    fn a_declaration_that_is_used_keeps_its_name() {
        let text = "fn total_checked() {}\nfn a() { $0total(); total_checked(); }\n";
        let none: [&str; 0] = [];
        assert_eq!(mended(text, "E0425", "total", "cannot find function `total`"), none);
        let text = "fn total_checked() {}\nfn total() {}\nfn a() { $0total(); }\n";
        assert_eq!(mended(text, "E0425", "total", "cannot find function `total`"), none);
    }

    #[test]
    fn a_member_may_have_a_namesake_in_another_type() {
        assert_eq!(
            mended(
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
    fn names_are_akin_by_whole_words() {
        assert!(akin("inner", "inner_value"));
        assert!(akin("generic_hamming_checked", "generic_hamming"));
        assert!(akin("Build", "BuildMeta"));
        assert!(akin("take_while", "take_chars_while"));
        assert!(!akin("while_take", "take_chars_while"));
        assert!(!akin("Build", "Builds"));
        assert!(!akin("compute", "comptue"));
        assert!(!akin("a", "a_b"));
        assert!(!akin("same", "same"));
    }
}
