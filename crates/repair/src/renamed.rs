use std::collections::{BTreeMap, BTreeSet};

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use edit::{Files, Splice};

use crate::near_names::{Sort, declarations, missing_name, sort_wanted, texts_of, words};
use crate::outline::tokens;
use crate::{Fix, Reasoner};

/// For a name that is used and not declared, where one that holds its words – or whose words it
/// holds – is declared and not used: the declaration takes the name that its users know. One
/// change answers them all, and it is the smaller one as soon as there are several.
///
/// Slips of the keys are no ground: there the many letters that agree say nothing of which of the
/// two names was meant.
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
            let unused = declared.iter().filter(|(_, _, sorts, other)| {
                sorts.contains(&sort) && occurrences.get(other) == Some(&1) && akin(&name, other)
            });
            for (path, span, _, other) in unused {
                fixes.push(Fix {
                    splices: vec![((*path).clone(), Splice { span: *span, insert: name.clone() })],
                    rationale: format!(
                        "`{name}` is used and not declared, `{other}` is declared and not used"
                    ),
                    applicability: Applicability::MaybeIncorrect,
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
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let letters: usize = short.iter().map(String::len).sum();
    letters >= 2
        && short.len() < long.len()
        && long.windows(short.len()).any(|window| window == short.as_slice())
}

#[cfg(test)]
mod tests {
    use base::{DiagnosticSpan, LineCol, Place, Severity, Timestamp};
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

    /// Every `name` that is marked by `$0` before it is not known.
    fn mended(text: &str, code: &str, name: &str, message: &str) -> Vec<String> {
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
                    place: Place::Project(path.clone()),
                    bytes: ByteSpan::new(start, start + name.len()),
                    start: at,
                    end: at,
                    primary: true,
                    label: None,
                    expansion: None,
                }],
                children: Vec::new(),
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
            assert_eq!(violations(&overlay), []);
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
        assert!(!akin("Build", "Builds"));
        assert!(!akin("compute", "comptue"));
        assert!(!akin("a", "a_b"));
        assert!(!akin("same", "same"));
    }
}
