//! Reasoner: for a mismatch of types, a conversion that the project itself defines between the two.

use std::sync::Arc;

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath, SortedSet};
use change::GuessKind;
use edit::{Files, Splice};
use preserve::outline::tokens;
use syntax::places::{Definition, DefinitionKind, PartKind, Places};

use crate::conversions::{is_one_operand, quoted_after};
use crate::fix::{Proposal, guesses, text_of};
use crate::sources::Sources;
use crate::{Fix, Reasoner};

/// Most conversions proposed for one error.
const MAX_CHOICES: usize = 3;

/// For a type mismatch: a conversion that the project itself defines between the two types – a method
/// without parameters, a function of the wanted type with one, the only field of that type.
pub(crate) struct OwnConversions {
    /// Rust files of the project.
    sources: Arc<[ProjectPath]>,
}

impl OwnConversions {
    /// Looks in `sources`, the Rust files of the project.
    pub(crate) fn new(sources: Arc<[ProjectPath]>) -> Self {
        Self { sources }
    }
}

impl Reasoner for OwnConversions {
    fn name(&self) -> &'static str {
        "own-conversions"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let project = Sources::some(&self.sources, files);
        let mut fixes = guesses(self, diagnostics, |it| proposals(it, files, &project));
        let seeds: Vec<usize> = fixes.iter().map(|it| it.seed).collect();
        for fix in &mut fixes {
            // The only conversion that the project has.
            if seeds.iter().filter(|it| **it == fix.seed).count() == 1 && fix.guesses.is_empty() {
                fix.applicability = Applicability::MaybeIncorrect;
            }
        }
        fixes
    }
}

fn proposals(
    diagnostic: &Diagnostic,
    files: &dyn Files,
    project: &Sources<'_>,
) -> Option<Vec<Proposal>> {
    let span = diagnostic.primary().filter(|it| it.expansion.is_none())?;
    let label = span.label.as_deref().filter(|_| diagnostic.code.as_deref() == Some("E0308"))?;
    let expected = Type::of(quoted_after(label, "expected")?);
    let found = Type::of(quoted_after(label, "found")?);
    if expected.head() == found.head() || !found.is_own() && !expected.is_own() {
        return None;
    }
    let path = span.place.project()?;
    let text = text_of(files, path)?;
    let value = span.bytes.slice(&text)?;
    let conversions = conversions(project, &expected, &found);
    let proposal = |it: &Conversion| {
        let splices = it.splices(span.bytes, value, &expected, &found)?;
        let rationale = format!("{} converts `{}` to `{}`", it.shown, found.text, expected.text);
        let mut proposal = Proposal { path: path.clone(), splices, rationale, guesses: Vec::new() };
        if it.is_guess {
            let (splice, insert) = proposal.splices.last().map(|it| (it.span, it.insert.len()))?;
            let part = ByteSpan::new(0, insert);
            let (path, kind) = (path.clone(), GuessKind::Value);
            proposal.guesses.push(change::Guess { path, splice, part, kind, need: None });
        }
        Some(proposal)
    };
    Some(conversions.iter().filter_map(proposal).take(MAX_CHOICES).collect())
}

/// What the project has to make the one type of the other.
fn conversions(project: &Sources<'_>, expected: &Type, found: &Type) -> Vec<Conversion> {
    let (to, from) = (expected.head(), found.head());
    let mut list = SortedSet::new();
    for source in project.read() {
        let text = &source.text;
        if !text.contains(from) && !text.contains(to) {
            continue;
        }
        for it in &source.places().definitions {
            list.extend(Conversion::of(it, text, expected, found));
        }
        list.extend(only_field(source.places(), text, expected, found));
    }
    list.into_iter().collect()
}

/// A type of a message or a declaration, without lifetimes and the paths before its names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Type {
    is_reference: bool,
    /// Without a reference.
    text: String,
}

impl Type {
    fn of(written: &str) -> Self {
        let list = tokens(written);
        let mut text = String::new();
        let mut is_reference = false;
        for (at, token) in list.iter().enumerate() {
            let is = |at: usize, text: &str| list.get(at).is_some_and(|it| it.is(text));
            let is_lifetime = token.text.starts_with('\'');
            let is_after_lifetime = token.is(",") && at > 0 && list[at - 1].text.starts_with('\'');
            let is_path = is(at + 1, "::") || (is(at + 1, ":") && is(at + 2, ":"));
            let is_separator = token.is("::") || token.is(":");
            if is_lifetime || is_after_lifetime || is_path || is_separator {
                continue;
            }
            if text.is_empty() && (token.is("&") || token.is("mut")) {
                is_reference = true;
                continue;
            }
            text.push_str(token.text);
            if matches!(token.text, "dyn" | "impl" | "mut") {
                text.push(' ');
            }
        }
        Self { is_reference, text: text.replace("<>", "") }
    }

    /// Its name, without arguments.
    fn head(&self) -> &str {
        self.text.split('<').next().unwrap_or("")
    }

    /// Whether a project may define conversions for it alone: neither `Option` nor a number.
    fn is_own(&self) -> bool {
        const WRAPPERS: &[&str] = &["Option", "Result", "Vec", "Box", "Self"];
        self.text.len() > 1
            && self.text.starts_with(char::is_uppercase)
            && !WRAPPERS.contains(&self.head())
    }

    /// Whether a declared type, in an impl for `owner`, is this one.
    fn is(&self, declared: &Self, owner: &str) -> bool {
        self.text == declared.text || declared.text == "Self" && self.head() == owner
    }
}

/// One way from the found type to the wanted one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Conversion {
    /// Whether its name leaves open that it only converts.
    is_guess: bool,
    shown: String,
    prefix: String,
    suffix: String,
    /// Whether its result is a reference.
    gives_reference: bool,
    /// Whether it takes the value itself.
    takes_value: bool,
}

impl Conversion {
    fn of(it: &Definition, text: &str, expected: &Type, found: &Type) -> Option<Self> {
        let is_from = matches!(it.of_trait.as_deref(), None | Some("From"));
        if it.kind != DefinitionKind::Function || it.owner.is_empty() || !is_from {
            return None;
        }
        let slice = |span: ByteSpan| span.slice(text).unwrap_or("");
        let of_kind = |kind: PartKind| it.parts.iter().filter(move |part| part.kind == kind);
        let returned = Type::of(slice(of_kind(PartKind::Type).next()?.span));
        if !expected.is(&returned, &it.owner) {
            return None;
        }
        let mut parameters = of_kind(PartKind::Parameter);
        let shown = format!("`{}::{}`", it.owner, it.name);
        let gives_reference = returned.is_reference;
        match (of_kind(PartKind::Receiver).next(), parameters.next(), parameters.next()) {
            (Some(receiver), None, None) if it.owner == found.head() => Some(Self {
                is_guess: !is_conversion(&it.name),
                shown,
                prefix: String::new(),
                suffix: format!(".{}()", it.name),
                gives_reference,
                takes_value: !slice(receiver.span).starts_with('&'),
            }),
            (None, Some(only), None) if it.owner == expected.head() => {
                let taken = Type::of(slice(only.ty?));
                let (prefix, suffix) = match it.of_trait {
                    Some(_) => (String::new(), ".into()".to_owned()),
                    None => (format!("{}::{}(", it.owner, it.name), ")".to_owned()),
                };
                let is_guess = it.of_trait.is_none() && !is_conversion(&it.name);
                let takes_value = !taken.is_reference;
                let is_it = found.is(&taken, &it.owner) && takes_value != found.is_reference;
                is_it.then_some(Self {
                    is_guess,
                    shown,
                    prefix,
                    suffix,
                    gives_reference,
                    takes_value: true,
                })
            }
            _ => None,
        }
    }

    /// `None` if the value does not fit it.
    fn splices(
        &self,
        at: ByteSpan,
        value: &str,
        expected: &Type,
        found: &Type,
    ) -> Option<Vec<Splice>> {
        // The value under its `&`.
        let is_call = !self.prefix.is_empty() || self.suffix == ".into()";
        let sign = if found.is_reference && !is_call {
            ["&mut ", "&"].into_iter().find(|it| value.starts_with(it)).unwrap_or("")
        } else {
            ""
        };
        let is_owned = !found.is_reference || !sign.is_empty();
        let refers = match (expected.is_reference, self.gives_reference) {
            (a, b) if a == b => "",
            (true, false) => "&",
            _ => return None,
        };
        if self.takes_value && !is_owned && !is_call {
            return None;
        }
        let operand = value.strip_prefix(sign)?;
        let (open, close) = match self.prefix.is_empty() && !is_one_operand(operand) {
            true => ("(", ")"),
            false => ("", ""),
        };
        let before =
            Splice::new(at.start, at.start + sign.len(), format!("{refers}{}{open}", self.prefix));
        let after = Splice::new(at.end, at.end, format!("{close}{}", self.suffix));
        let is_change = !before.insert.is_empty() || !before.span.is_empty();
        Some(if is_change { vec![before, after] } else { vec![after] })
    }
}

/// Whether a function of that name makes one value of another one and does nothing else.
fn is_conversion(name: &str) -> bool {
    let exact = matches!(name, "new" | "build" | "finish" | "get" | "inner" | "get_ref" | "value");
    exact || ["into_", "to_", "as_", "from_", "build_"].iter().any(|it| name.starts_with(it))
}

/// The only field of the wanted type in the found one.
fn only_field(places: &Places, text: &str, expected: &Type, found: &Type) -> Option<Conversion> {
    let owner = found.head();
    let is_it = |ty: &str| {
        let ty = Type::of(ty);
        expected.text == ty.text && !ty.is_reference
    };
    let slice = |span: ByteSpan| span.slice(text).unwrap_or("");
    let fields = places.definitions.iter().filter(|it| {
        it.kind == DefinitionKind::Field
            && it.owner == owner
            && it.parts.iter().any(|it| it.kind == PartKind::Type && is_it(slice(it.span)))
    });
    let of_struct = |it: &&Definition| it.kind == DefinitionKind::Struct && it.name == owner;
    let tuple = places.definitions.iter().find(of_struct).into_iter();
    let parts = tuple.flat_map(|it| it.parts.iter().filter(|it| it.kind == PartKind::Parameter));
    let unnamed = parts.enumerate().filter(|(_, it)| it.ty.is_some_and(|it| is_it(slice(it))));
    let mut names = fields.map(|it| it.name.clone()).chain(unnamed.map(|(at, _)| at.to_string()));
    let (Some(name), None) = (names.next(), names.next()) else { return None };
    Some(Conversion {
        is_guess: false,
        shown: format!("`{owner}::{name}`"),
        prefix: String::new(),
        suffix: format!(".{name}"),
        gives_reference: false,
        takes_value: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check as check_reasoner};

    fn check(text: &str, at: &str, label: &str, fixed: &[&str]) {
        let sources = [ProjectPath::new("src/lib.rs").unwrap()].into();
        let error = FakeError::new("E0308", "mismatched types").labelled(label).at(at);
        let (types, _) = text.rsplit_once('\n').unwrap();
        let fixed: Vec<String> = fixed.iter().map(|it| format!("{types}\n{it}")).collect();
        let fixed: Vec<&str> = fixed.iter().map(String::as_str).collect();
        check_reasoner(&OwnConversions::new(sources), text, &[error], &fixed);
    }

    #[test]
    fn a_method_of_the_found_type_returns_the_wanted_one() {
        let label = "expected `Colors`, found `Builder`";
        check(
            "impl Builder { fn build(self) -> Colors { x() } fn len(&self) -> usize { 1 } }\nfn f() -> Colors { b }",
            "{ «b» }",
            label,
            &["fn f() -> Colors { b.build() }"],
        );
        let text = "impl Builder { fn build(self) -> Colors { x() } }\nfn f() { g(&b) }";
        check(
            text,
            "(«&b»)",
            "expected `&Colors`, found `&Builder`",
            &["fn f() { g(&b.build()) }"],
        );
        let text = "impl Builder { fn as_colors(&self) -> &Colors { x() } }\nfn f() { g(&b) }";
        check(
            text,
            "(«&b»)",
            "expected `&Colors`, found `&Builder`",
            &["fn f() { g(b.as_colors()) }"],
        );
    }

    #[test]
    fn a_function_of_the_wanted_type_takes_the_found_one() {
        check(
            "impl Name { fn new(text: String) -> Self { x() } fn of(text: &str) -> Self { x() } }\nfn f() { g(s) }",
            "(«s»)",
            "expected `Name`, found `String`",
            &["fn f() { g(Name::new(s)) }"],
        );
        check(
            "impl From<Old> for New { fn from(it: Old) -> Self { x() } }\nfn f() { g(a + b) }",
            "(«a + b»)",
            "expected `New`, found `Old`",
            &["fn f() { g((a + b).into()) }"],
        );
    }

    #[test]
    fn the_only_field_of_the_wanted_type_is_taken() {
        let label = "expected `u32`, found `Id`";
        check("struct Id(u32);\nfn f() { g(id) }", "(«id»)", label, &["fn f() { g(id.0) }"]);
        check("struct Id { n: u32, m: u32 }\nfn f() { g(id) }", "(«id»)", label, &[]);
        let label = "expected `&Name`, found `&Id`";
        let text = "struct Id { name: Name }\nfn f() { g(&id) }";
        check(text, "(«&id»)", label, &["fn f() { g(&id.name) }"]);
        let text = "struct Id { name: Name }\nfn f(id: &Id) { g(id) }";
        check(text, "g(«id»)", label, &["fn f(id: &Id) { g(&id.name) }"]);
    }

    #[test]
    fn numbers_and_wrappers_have_no_conversion_of_the_project() {
        let text = "impl Set { fn len(&self) -> usize { 1 } }\nfn f() { g(n) }";
        check(text, "(«n»)", "expected `usize`, found `u32`", &[]);
        check(text, "(«n»)", "expected `usize`, found `Option<usize>`", &[]);
    }

    #[test]
    fn types_are_compared_without_lifetimes_and_paths() {
        assert_eq!(Type::of("&'a mut crate::a::Name<'_, u8>").text, "Name<u8>");
        assert_eq!(Type::of("Stream<'a>").text, "Stream");
        assert!(Type::of("&str").is_reference);
    }
}
