//! Reasoner: traits that a type of the project does not have and that can be derived.

use std::sync::Arc;

use base::{Applicability, Diagnostic, DiagnosticSpan, ProjectPath, SortedMap, SortedSet};
use edit::Files;

use crate::fix::text_of;
use crate::phase::errors;
use crate::sources::Sources;
use crate::{Fix, Reasoner};

mod types;

use types::{Types, marked};

/// For a type of the project without a trait of std that an error asks for: the derive, with what it
/// needs and for the types of its fields as well, all types in one change.
pub(crate) struct Derives {
    /// Rust files of the project.
    sources: Arc<[ProjectPath]>,
}

impl Derives {
    /// Looks in `sources`, the Rust files of the project.
    pub(crate) fn new(sources: Arc<[ProjectPath]>) -> Self {
        Self { sources }
    }
}

/// The traits that can be derived, in the order in which they are written, with what each needs of the
/// same type.
const TRAITS: [(&str, &[&str]); 11] = [
    ("Clone", &[]),
    ("Copy", &["Clone"]),
    ("Debug", &[]),
    ("Default", &[]),
    ("PartialEq", &[]),
    ("Eq", &["PartialEq"]),
    ("PartialOrd", &["PartialEq"]),
    ("Ord", &["Eq", "PartialEq", "PartialOrd"]),
    ("Hash", &[]),
    ("Serialize", &[]),
    ("Deserialize", &[]),
];

/// Those of serde, which an error names with their crate.
const OF_SERDE: [&str; 2] = ["Serialize", "Deserialize"];

/// Whether a text is a line that derives traits of std alone.
pub(crate) fn is_standard_derive(text: &str) -> bool {
    let list = text.trim().strip_prefix("#[derive(").and_then(|it| it.strip_suffix(")]"));
    // By its own name alone: a path may lead to a macro of another crate.
    let is_known =
        |name: &str| TRAITS.iter().any(|it| it.0 == name.trim() && !OF_SERDE.contains(&it.0));
    list.is_some_and(|it| it.split(',').all(is_known))
}

/// Name of the reasoner.
pub(crate) const NAME: &str = "derives";

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
        NAME
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let asked: Vec<(usize, Vec<(String, &'static str)>)> =
            errors(diagnostics).map(|(seed, it)| (seed, all_asked(it, files))).collect();
        let is_moved = errors(diagnostics).any(|(_, it)| moved_type(it).is_some());
        if !is_moved && asked.iter().all(|it| it.1.is_empty()) {
            return Vec::new();
        }
        let project = Sources::some(&self.sources, files);
        let named = errors(diagnostics).flat_map(|(_, it)| marked(it)).collect();
        let types = Types { sources: project.read(), named };
        let mut wanted = Wanted::new();
        let mut seeds = Vec::new();
        for (seed, list) in &asked {
            for (name, of_trait) in list {
                if types.add(name, of_trait, &mut wanted, true) && !seeds.contains(seed) {
                    seeds.push(*seed);
                }
            }
        }
        for (seed, error) in errors(diagnostics) {
            let Some(moved) = moved_type(error).filter(|_| !seeds.contains(&seed)) else {
                continue;
            };
            let is_copied = is_copied(moved, &wanted);
            if is_copied || types.is_plain(moved) && types.add(moved, "Copy", &mut wanted, true) {
                seeds.push(seed);
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
type Wanted = SortedMap<String, SortedSet<&'static str>>;

/// The trait of a path that can be derived.
fn known(path: &str) -> Option<&'static str> {
    let name = type_name(path);
    let is_of_serde = || path.split("::").next().is_some_and(|it| it.starts_with("serde"));
    let found = TRAITS.iter().find(|it| it.0 == name).map(|it| it.0)?;
    (!OF_SERDE.contains(&found) || is_of_serde()).then_some(found)
}

fn ordered(traits: &SortedSet<&'static str>) -> Vec<&'static str> {
    TRAITS.iter().map(|it| it.0).filter(|it| traits.contains(it)).collect()
}

/// The types and traits that an error misses, by its texts or at its spans.
fn all_asked(error: &Diagnostic, files: &dyn Files) -> Vec<(String, &'static str)> {
    let mut found = asked(error);
    // A field that keeps its type from being `Copy`.
    let is_field =
        |it: &&DiagnosticSpan| it.label.as_deref() == Some("this field does not implement `Copy`");
    for span in error.spans.iter().filter(is_field) {
        let text = span.place.project().and_then(|path| text_of(files, path));
        // The type of the field, or the whole of it in a macro.
        let field = text.as_deref().and_then(|it| span.bytes.slice(it));
        let ty = field.map(|it| type_name(it.split_once(": ").map_or(it, |it| it.1)));
        found.extend(ty.filter(|it| !it.is_empty()).map(|it| (it.to_owned(), "Copy")));
    }
    found
}

/// The types and traits that the texts of an error name.
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
        add(ty, known(of_trait));
    }
    let notes = error.children.iter().map(|it| it.message.as_str());
    let labels = error.spans.iter().filter_map(|it| it.label.as_deref());
    for text in notes.chain(labels).chain([message]) {
        let parts: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        for bound in &parts {
            if let Some((ty, of_trait)) = bound.split_once(": ") {
                add(ty, known(of_trait));
            }
        }
        if let [ty, of_trait, ..] = parts.as_slice()
            && text.contains("does not implement")
        {
            add(ty, known(of_trait));
        }
    }
    found
}

/// The type of a value that was moved, of which the compiler writes that it is not `Copy`; that inside of an
/// `Option`, which is `Copy` as it is.
fn moved_type(error: &Diagnostic) -> Option<&str> {
    let labels = error.spans.iter().filter_map(|it| it.label.as_deref());
    let mut types = labels.filter(|it| it.contains("does not implement the `Copy` trait"));
    let ty = types.next()?.split_once(" has type `")?.1.split('`').next()?;
    let inside = ty.split_once('<').filter(|_| type_name(ty) == "Option");
    Some(type_name(inside.map_or(ty, |it| it.1)))
}

fn is_copied(name: &str, wanted: &Wanted) -> bool {
    wanted.get(name).is_some_and(|it| it.contains("Copy"))
}

/// The last name of a type's path, without references and arguments.
fn type_name(ty: &str) -> &str {
    let ty = ty.trim_start_matches('&').trim_start_matches("mut ");
    let head = ty.split('<').next().unwrap_or("");
    head.rsplit("::").next().unwrap_or("").trim()
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
    fn a_moved_type_of_plain_values_is_copied() {
        let moved = |text: &str, wanted: &[&str]| {
            let error = FakeError::new("E0507", "cannot move out of `s.code` behind a reference")
                .at("{ «s.code» }")
                .label("{ «s.code» }", "move occurs because `s.code` has type `m::Code`, which does not implement the `Copy` trait");
            check(&reasoner(), text, &[error], wanted);
        };
        let text = "#[derive(Debug)]\nenum Code { A, B(u8), C { of: &'static str } }\nfn f(s: &S) -> Code { s.code }";
        moved(text, &[&text.replacen("(Debug)", "(Debug, Clone, Copy)", 1)]);
        let borrowed = text.replace("Code {", "Code<'t> {").replace("'static", "'t");
        moved(&borrowed, &[&borrowed.replacen("(Debug)", "(Debug, Clone, Copy)", 1)]);
        let number = text.replace("B(u8)", "B(std::num::NonZeroU32)");
        moved(&number, &[&number.replacen("(Debug)", "(Debug, Clone, Copy)", 1)]);
        moved(&format!("{number}\nstruct NonZeroU32(String);"), &[]);
        let clash = format!("{text}\nfn g() {{ struct Code; }}");
        moved(&clash, &[&clash.replacen("(Debug)", "(Debug, Clone, Copy)", 1)]);
        moved(&text.replace("Code {", "Code<T> {"), &[]);
        moved(&text.replace("&'static str", "String"), &[]);
        moved(&text.replace("&'static str", "&'static mut u8"), &[]);
        moved(&format!("{text}\nimpl Drop for Code {{ fn drop(&mut self) {{}} }}"), &[]);
    }

    #[test]
    fn a_value_that_is_moved_out_of_an_option_is_copied() {
        let text = "#[derive(Debug)]\npub struct Match<'t> { text: &'t str, start: usize }\n\
                    fn f(a: &[Option<Match>]) { a[0] }";
        let label = "move occurs because value has type `Option<own::Match<'_>>`, which does not \
                     implement the `Copy` trait";
        let error =
            FakeError::new("E0507", "cannot move out of index of `Vec<Option<own::Match<'_>>>`");
        let error = error.at("{ «a[0]» }").label("{ «a[0]» }", label);
        let wanted = text.replacen("(Debug)", "(Debug, Clone, Copy)", 1);
        check(&reasoner(), text, &[error], &[&wanted]);
    }

    #[test]
    fn a_field_that_keeps_its_type_from_being_copied_is_asked_for_it() {
        let text = "#[derive(Clone)]\nenum Arm { A }\n#[derive(Clone, Copy)]\nstruct Arch(Arm);\n";
        let error = FakeError::new("E0204", "the trait `Copy` cannot be implemented for this type")
            .at("struct «Arch»(")
            .label("Arch(«Arm»)", "this field does not implement `Copy`");
        let wanted = text.replacen("(Clone)", "(Clone, Copy)", 1);
        check(&reasoner(), text, &[error], &[&wanted]);
    }

    #[test]
    fn a_derive_answers_the_moves_that_it_makes_copies() {
        let text =
            "#[derive(Clone)]\nenum Arm { A(T) }\n#[derive(Clone, Copy)]\nstruct Arch(Arm);\nx\n";
        let field = FakeError::new("E0204", "the trait `Copy` cannot be implemented for this type")
            .at("struct «Arch»(")
            .label("Arch(«Arm»)", "this field does not implement `Copy`");
        let moved = FakeError::new("E0507", "cannot move out of `x`").at("\n«x»\n").labelled(
            "move occurs because `x` has type `Arm`, which does not implement the `Copy` trait",
        );
        let errors = [field.build(text), moved.build(text)];
        let fixes = reasoner().propose(&errors, &crate::fake::Tree([("src/lib.rs", text)].into()));
        assert_eq!(fixes.iter().map(|it| it.seed).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(
            reasoner().propose(&errors[1..], &crate::fake::Tree([("src/lib.rs", text)].into())),
            []
        );
    }

    #[test]
    fn a_field_that_a_macro_makes_is_copied_by_its_type() {
        let text = "struct M { at: std::num::NonZeroU8 }\nr! { T }\nm { pub(crate) meta: M, }\n";
        let error = FakeError::new("E0204", "the trait `Copy` cannot be implemented for this type")
            .at("r! { «T» }")
            .label("{ «pub(crate) meta: M»,", "this field does not implement `Copy`");
        let wanted = text.replacen("struct", "#[derive(Clone, Copy)]\nstruct", 1);
        check(&reasoner(), text, &[error], &[&wanted]);
    }

    #[test]
    fn serde_is_derived_by_the_name_that_the_file_has() {
        let message = "the trait bound `User: serde::Serialize` is not satisfied";
        missing("struct User;", "E0277", message, &["#[derive(serde::Serialize)]\nstruct User;"]);
        missing(
            "use serde::{Deserialize, Serialize};\n#[derive(Debug)]\nstruct User;",
            "E0277",
            message,
            &["use serde::{Deserialize, Serialize};\n#[derive(Debug, Serialize)]\nstruct User;"],
        );
        missing("struct User;", "E0277", &message.replace("serde::", "rkyv::"), &[]);
    }

    #[test]
    fn of_two_types_of_one_name_the_marked_one_is_meant() {
        let text = "x\nmod a {\n    pub enum V { X }\n}\nmod b {\n    pub enum V { Y }\n}\n";
        let at = |place: &str| {
            FakeError::new("E0277", "`V` doesn't implement `Debug`")
                .at("«x»\nmod a")
                .note("the trait `Debug` is not implemented for `V`", &[(place, true)])
        };
        let wanted = text.replace("    pub enum V { Y", "    #[derive(Debug)]\n    pub enum V { Y");
        check(&reasoner(), text, &[at("«pub enum V» { Y }")], &[&wanted]);
        check(&reasoner(), text, &[at("«x»\nmod a")], &[]);
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
