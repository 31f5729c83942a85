//! Reasoner: traits that a type of the project does not have and that can be derived.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use edit::{Files, Splice};
use preserve::outline::{TokenKind, tokens};
use syntax::places::{Definition, DefinitionKind, PartKind};

use crate::derive_lists::{derive_list, listed};
use crate::phase::errors;
use crate::sources::{Source, Sources};
use crate::{Fix, Reasoner};

/// For a type of the project without a trait of std that an error asks for: the derive, with what it
/// needs and for the types of its fields as well, all types in one change.
pub struct Derives {
    /// Rust files of the project.
    sources: Arc<[ProjectPath]>,
}

impl Derives {
    /// Looks in `sources`, the Rust files of the project.
    pub fn new(sources: Arc<[ProjectPath]>) -> Self {
        Self { sources }
    }
}

/// The traits that can be derived, in the order in which they are written, with what each needs of the
/// same type.
const TRAITS: [(&str, &[&str]); 9] = [
    ("Clone", &[]),
    ("Copy", &["Clone"]),
    ("Debug", &[]),
    ("Default", &[]),
    ("PartialEq", &[]),
    ("Eq", &["PartialEq"]),
    ("PartialOrd", &["PartialEq"]),
    ("Ord", &["Eq", "PartialEq", "PartialOrd"]),
    ("Hash", &[]),
];

/// Whether a text is a line that derives traits of std alone.
pub(crate) fn is_standard_derive(text: &str) -> bool {
    let list = text.trim().strip_prefix("#[derive(").and_then(|it| it.strip_suffix(")]"));
    let is_known = |name: &str| TRAITS.iter().any(|it| it.0 == name.trim());
    list.is_some_and(|it| it.split(',').all(is_known))
}

/// Methods and functions of these traits.
const MEMBERS: [(&str, &str); 7] = [
    ("clone", "Clone"),
    ("cmp", "Ord"),
    ("default", "Default"),
    ("eq", "PartialEq"),
    ("hash", "Hash"),
    ("ne", "PartialEq"),
    ("partial_cmp", "PartialOrd"),
];

impl Reasoner for Derives {
    fn name(&self) -> &'static str {
        "derives"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let asked: Vec<(usize, Vec<(String, &'static str)>)> =
            errors(diagnostics).map(|(seed, it)| (seed, asked(it))).collect();
        if asked.iter().all(|it| it.1.is_empty()) {
            return Vec::new();
        }
        let project = Sources::some(&self.sources, files);
        let types = Types { sources: project.read() };
        let mut wanted = Wanted::new();
        let mut seeds = Vec::new();
        for (seed, list) in &asked {
            for (name, of_trait) in list {
                if types.add(name, of_trait, &mut wanted, true) && !seeds.contains(seed) {
                    seeds.push(*seed);
                }
            }
        }
        let Some(splices) = types.splices(&wanted).filter(|it| !it.is_empty()) else {
            return Vec::new();
        };
        let list: Vec<String> = wanted
            .iter()
            .map(|(name, traits)| format!("`{}` for `{name}`", ordered(traits).join(", ")))
            .collect();
        let fix = Fix {
            splices,
            rationale: format!("derive {}", list.join(", ")),
            applicability: Applicability::MaybeIncorrect,
            reasoner: self.name(),
            seed: 0,
            guesses: Vec::new(),
        };
        seeds.into_iter().map(|seed| Fix { seed, ..fix.clone() }).collect()
    }
}

/// The traits to derive, by type.
type Wanted = BTreeMap<String, BTreeSet<&'static str>>;

fn known(name: &str) -> Option<&'static str> {
    TRAITS.iter().find(|it| it.0 == name).map(|it| it.0)
}

fn ordered(traits: &BTreeSet<&'static str>) -> Vec<&'static str> {
    TRAITS.iter().map(|it| it.0).filter(|it| traits.contains(it)).collect()
}

/// The types and traits that an error misses.
fn asked(error: &Diagnostic) -> Vec<(String, &'static str)> {
    let mut found: Vec<(String, &'static str)> = Vec::new();
    let mut add = |ty: &str, of_trait: Option<&'static str>| {
        let name = type_name(ty);
        if let Some(of_trait) = of_trait.filter(|_| name.starts_with(char::is_uppercase)) {
            let entry = (name.to_owned(), of_trait);
            if !found.contains(&entry) {
                found.push(entry);
            }
        }
    };
    let message = error.message.as_str();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match error.code.as_deref() {
        Some("E0599") if quoted.len() > 1 => {
            let member = quoted.first().copied().unwrap_or("");
            let of_trait = MEMBERS.iter().find(|it| it.0 == member).map(|it| it.1);
            add(quoted.last().copied().unwrap_or(""), of_trait);
        }
        Some("E0369") if message.starts_with("binary operation") => {
            let of_trait = match quoted.first().copied() {
                Some("==" | "!=") => Some("PartialEq"),
                Some("<" | ">" | "<=" | ">=") => Some("PartialOrd"),
                _ => None,
            };
            add(quoted.last().copied().unwrap_or(""), of_trait);
        }
        Some("E0277" | "E0308" | "E0282" | "E0204") => {}
        _ => return found,
    }
    if message.starts_with("can't compare ") {
        add(quoted.first().copied().unwrap_or(""), Some("PartialEq"));
    }
    if let [ty, of_trait] = quoted.as_slice()
        && message.contains("doesn't implement")
    {
        add(ty, known(type_name(of_trait)));
    }
    let notes = error.children.iter().map(|it| it.message.as_str());
    let labels = error.spans.iter().filter_map(|it| it.label.as_deref());
    for text in notes.chain(labels).chain([message]) {
        let parts: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        for bound in &parts {
            if let Some((ty, of_trait)) = bound.split_once(": ") {
                add(ty, known(type_name(of_trait)));
            }
        }
        if let [ty, of_trait, ..] = parts.as_slice()
            && text.contains("does not implement")
        {
            add(ty, known(type_name(of_trait)));
        }
    }
    found
}

/// The last name of a type's path, without references and arguments.
fn type_name(ty: &str) -> &str {
    let ty = ty.trim_start_matches('&').trim_start_matches("mut ");
    let head = ty.split('<').next().unwrap_or("");
    head.rsplit("::").next().unwrap_or("").trim()
}

/// The types of the project.
struct Types<'a> {
    sources: &'a [Source<'a>],
}

impl Types<'_> {
    /// The only definition of a type.
    fn find(&self, name: &str) -> Option<(&Source<'_>, &Definition)> {
        let mut all = self.sources.iter().filter(|it| it.text.contains(name)).flat_map(|source| {
            let is_it = |it: &&Definition| {
                matches!(it.kind, DefinitionKind::Struct | DefinitionKind::Enum) && it.name == name
            };
            source.places().definitions.iter().filter(is_it).map(move |it| (source, it))
        });
        let (found, None) = (all.next()?, all.next()) else { return None };
        Some(found)
    }

    /// Whether a type of the project has a trait, derived or written.
    fn has(&self, name: &str, of_trait: &str) -> bool {
        let Some((source, definition)) = self.find(name) else { return true };
        let is_derived = derive_list(&source.text, definition).is_some_and(|list| {
            let text = list.slice(&source.text).unwrap_or("");
            tokens(text).iter().any(|it| it.is(of_trait))
        });
        let is_written = |text: &str| {
            let mut impls = text.match_indices("impl").map(|it| &text[it.0..]);
            impls.any(|it| {
                let head = it.split(['{', ';']).next().unwrap_or("");
                let parts = head.split_once(" for ");
                parts.is_some_and(|(of, ty)| base::has_word(of, of_trait) && type_name(ty) == name)
            })
        };
        is_derived || self.sources.iter().any(|it| it.text.contains(name) && is_written(&it.text))
    }

    /// Adds a trait for a type, with what it needs; `false` if it cannot be derived. What is `asked`
    /// for by an error is missing for sure.
    fn add(&self, name: &str, of_trait: &str, wanted: &mut Wanted, is_asked: bool) -> bool {
        let Some(of_trait) = known(of_trait) else { return false };
        let Some((source, definition)) = self.find(name) else { return false };
        if wanted.get(name).is_some_and(|it| it.contains(of_trait)) {
            return true;
        }
        if self.has(name, of_trait) {
            return !is_asked;
        }
        // Which variant is the default one is a decision.
        if of_trait == "Default" && definition.kind == DefinitionKind::Enum {
            return false;
        }
        wanted.entry(name.to_owned()).or_default().insert(of_trait);
        for needed in TRAITS.iter().filter(|it| it.0 == of_trait).flat_map(|it| it.1) {
            self.add(name, needed, wanted, false);
        }
        for part in self.part_types(source, definition) {
            self.add(&part, of_trait, wanted, false);
        }
        true
    }

    /// The names in the types of the fields.
    fn part_types(&self, source: &Source<'_>, of: &Definition) -> BTreeSet<String> {
        let inside = source.places().definitions.iter().filter(|it| {
            of.span.contains(it.span)
                && (matches!(it.kind, DefinitionKind::Field | DefinitionKind::Variant)
                    || it.span == of.span)
        });
        let parts = inside.flat_map(|it| &it.parts).filter(|it| it.kind != PartKind::Generics);
        let types = parts.filter_map(|it| it.ty).filter_map(|it| it.slice(&source.text));
        let words = types.flat_map(tokens).filter(|it| it.kind == TokenKind::Word);
        words.map(|it| it.text.to_owned()).filter(|it| *it != of.name).collect()
    }

    /// The derives as splices; `None` if a type is not found any more.
    fn splices(&self, wanted: &Wanted) -> Option<Vec<(ProjectPath, Splice)>> {
        let mut splices = Vec::new();
        for (name, traits) in wanted {
            let (source, definition) = self.find(name)?;
            splices.push((source.path.clone(), derive(&source.text, definition, traits)?));
        }
        splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
        Some(splices)
    }
}

/// The traits in the derive of a type, or in a new one before it.
fn derive(text: &str, of: &Definition, traits: &BTreeSet<&'static str>) -> Option<Splice> {
    let added = ordered(traits).join(", ");
    if let Some(list) = derive_list(text, of) {
        return listed(text, list, &added);
    }
    let head = ByteSpan::new(of.span.start, of.name_span.start).slice(text)?;
    let list = tokens(head);
    let mut at = 0;
    while list.get(at).is_some_and(|it| it.is("#")) {
        let mut depth = 0_usize;
        at +=
            1 + list.get(at + 1..)?.iter().position(|it| {
                match it.text {
                    "[" | "(" | "{" => depth += 1,
                    "]" | ")" | "}" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0
            })? + 1;
    }
    let start = of.span.start + list.get(at)?.span.start;
    let line = text.get(..start)?.rfind('\n').map_or(0, |it| it + 1);
    let indent = text.get(line..start).filter(|it| it.trim().is_empty()).unwrap_or("");
    let end = if text.get(..line)?.ends_with("\r\n") { "\r\n" } else { "\n" };
    let insert = format!("#[derive({added})]{end}{indent}");
    Some(Splice { span: ByteSpan::new(start, start), insert })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check, path};

    fn reasoner() -> Derives {
        Derives::new(vec![path()].into())
    }

    fn missing(text: &str, code: &str, message: &str, wanted: &[&str]) {
        let error =
            FakeError::new(code, message).at(&format!("«{}", &text[..1]).replacen("«", "«»", 1));
        check(&reasoner(), text, &[error], wanted);
    }

    #[test]
    fn a_derive_is_added_with_that_of_the_fields() {
        missing(
            "pub struct A { b: Vec<B>, n: u8 }\n/// B.\n#[derive(Debug)]\nstruct B(C);\nenum C { X, Y(u8) }",
            "E0599",
            "no method named `clone` found for reference `&A` in the current scope",
            &[
                "#[derive(Clone)]\npub struct A { b: Vec<B>, n: u8 }\n/// B.\n#[derive(Debug, Clone)]\nstruct B(C);\n#[derive(Clone)]\nenum C { X, Y(u8) }",
            ],
        );
    }

    #[test]
    fn a_derive_adds_what_it_needs() {
        missing(
            "struct K { n: u8 }",
            "E0277",
            "the trait bound `K: Ord` is not satisfied",
            &["#[derive(PartialEq, Eq, PartialOrd, Ord)]\nstruct K { n: u8 }"],
        );
        missing(
            "#[derive(PartialEq)]\nstruct K { n: u8 }",
            "E0277",
            "the trait bound `K: Eq` is not satisfied",
            &["#[derive(PartialEq, Eq)]\nstruct K { n: u8 }"],
        );
        missing(
            "struct K; impl PartialEq for K { }",
            "E0277",
            "the trait bound `K: Eq` is not satisfied",
            &["#[derive(Eq)]\nstruct K; impl PartialEq for K { }"],
        );
    }

    #[test]
    fn operators_and_formats_name_the_trait() {
        let text = "enum M { A }";
        missing(
            text,
            "E0369",
            "binary operation `==` cannot be applied to type `M`",
            &["#[derive(PartialEq)]\nenum M { A }"],
        );
        missing(
            text,
            "E0277",
            "`M` doesn't implement `Debug`",
            &["#[derive(Debug)]\nenum M { A }"],
        );
        missing(text, "E0277", "`M` doesn't implement `std::fmt::Display`", &[]);
    }

    #[test]
    fn what_is_a_decision_or_no_type_of_the_project_is_left() {
        missing(
            "enum M { A, B }",
            "E0599",
            "no function or associated item named `default` found for enum `M`",
            &[],
        );
        missing("struct A;", "E0277", "the trait bound `f64: Eq` is not satisfied", &[]);
        missing(
            "struct A; mod m { struct A; }",
            "E0277",
            "the trait bound `A: Eq` is not satisfied",
            &[],
        );
    }
}
