//! Reasoner: a literal of a struct whose fields are private calls the constructor that makes the same
//! literal (E0451).

use std::sync::Arc;

use base::{Diagnostic, ProjectPath, SortedMap};
use edit::{Files, Splice};
use preserve::outline::tokens;
use syntax::places::{Definition, DefinitionKind, PartKind, Use, UseKind, places};

use crate::fix::{Proposal, guesses, text_of};
use crate::sources::{Source, Sources};
use crate::{Fix, Reasoner};

/// For a struct literal with private fields, as after a move of the struct to another module: a call
/// of the struct's function that does nothing but fill the fields with its parameters.
///
/// This keeps the fields private, which the compiler's error asks for; to make them visible is
/// `privacy`'s proposal.
pub(crate) struct Constructors {
    /// Rust files of the project.
    sources: Arc<[ProjectPath]>,
}

impl Constructors {
    /// Looks in `sources`, the Rust files of the project.
    pub(crate) fn new(sources: Arc<[ProjectPath]>) -> Self {
        Self { sources }
    }
}

impl Reasoner for Constructors {
    fn name(&self) -> &'static str {
        "constructors"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let project = Sources::all(&self.sources, files);
        guesses(self, diagnostics, |error| {
            if error.code.as_deref() != Some("E0451") {
                return None;
            }
            let owner = error.message.split('`').rev().nth(1)?;
            let owner = owner.rsplit("::").next()?.split('<').next()?;
            let mark = error.primary()?;
            let path = mark.place.project()?;
            let text = text_of(files, path)?;
            let all = places(&text).uses.into_iter();
            let around = all.filter(|it| it.span.contains(mark.bytes) && it.name == owner);
            let literal = around.filter(|it| it.kind == UseKind::Literal && !it.has_rest);
            let literal = literal.min_by_key(|it| it.span.len())?;
            let others = project.read().iter().filter(|it| it.path != path);
            let others = others.filter(|it| it.text.contains(owner));
            let found = others.filter_map(|it| call_from(it, owner, &literal, &text));
            // Several structs of the name: none is known to be meant.
            let mut found = found.collect::<Vec<Vec<Call>>>().into_iter();
            let (calls, None) = (found.next()?, found.next()) else { return None };
            let proposal = |call: Call| {
                let span = base::ByteSpan::new(literal.name_span.end, literal.span.end);
                let splice = Splice { span, insert: format!("::{}", call.text) };
                let rationale = format!("`{owner}::{}` fills the private fields", call.name);
                Proposal::new(path, splice, rationale)
            };
            Some(calls.into_iter().map(proposal).collect())
        })
    }
}

/// A call that does what a literal does.
struct Call {
    name: String,
    text: String,
}

/// The calls of the constructors in `source` that make the literal of `text`; `None` if the source
/// does not define the struct.
fn call_from(source: &Source<'_>, owner: &str, literal: &Use, text: &str) -> Option<Vec<Call>> {
    let all = source.places();
    let is_struct = |it: &Definition| it.kind == DefinitionKind::Struct && it.name == owner;
    all.definitions.iter().any(is_struct).then_some(())?;
    let mut values: SortedMap<&str, &str> = SortedMap::new();
    for argument in &literal.args {
        values.insert(&argument.name, argument.value.slice(text)?);
    }
    let written: Vec<&str> = literal.args.iter().map(|it| it.name.as_str()).collect();
    let calls = all.definitions.iter().filter_map(|function| {
        let of_parameters = fields_of_parameters(&source.text, function, owner, &all.uses)?;
        let arguments: Option<Vec<&str>> =
            of_parameters.iter().map(|it| values.get(it).copied()).collect();
        let arguments = arguments.filter(|it| it.len() == values.len())?;
        // In another order, calls could have other effects.
        let keeps_effects = of_parameters == written || arguments.iter().all(|it| is_plain(it));
        let text = format!("{}({})", function.name, arguments.join(", "));
        keeps_effects.then(|| Call { name: function.name.clone(), text })
    });
    Some(calls.collect())
}

/// The fields that the parameters of a constructor fill, in their order; `None` unless the function
/// can be called from elsewhere and its body is that literal.
fn fields_of_parameters<'a>(
    source: &str,
    function: &Definition,
    owner: &str,
    uses: &'a [Use],
) -> Option<Vec<&'a str>> {
    let is_own = function.kind == DefinitionKind::Function
        && function.owner == owner
        && function.of_trait.is_none();
    let before = source.get(function.span.start..function.head.start)?;
    let words = tokens(before);
    let has = |word: &str| words.iter().any(|it| it.is(word));
    let body = function.body.filter(|_| is_own && has("pub") && !has("unsafe") && !has("async"))?;
    let result = function.parts.iter().find(|it| it.kind == PartKind::Type)?;
    let result = result.ty.unwrap_or(result.span).slice(source)?;
    let result = result.split('<').next()?.trim();
    let inside = body.slice(source)?.strip_prefix('{')?.strip_suffix('}')?.trim();
    let is_body = |it: &&Use| {
        let whole = it.span.slice(source) == Some(inside) && body.contains(it.span);
        it.kind == UseKind::Literal && whole && !it.has_rest
    };
    let literal = uses.iter().find(is_body)?;
    let is_owner = |name: &str| name == "Self" || name == owner;
    if !is_owner(&literal.name) || !is_owner(result) {
        return None;
    }
    let parts = function.parts.iter().filter(|it| it.kind != PartKind::Type);
    let parameters = parts.filter(|it| it.kind != PartKind::Generics);
    let filled: Option<Vec<&str>> = parameters
        .map(|parameter| {
            let value = |it: &&syntax::places::Argument| {
                it.value.slice(source) == Some(&*parameter.name) && !parameter.name.is_empty()
            };
            let mut fields = literal.args.iter().filter(value);
            let (field, None) = (fields.next()?, fields.next()) else { return None };
            Some(field.name.as_str())
        })
        .collect();
    filled.filter(|it| it.len() == literal.args.len())
}

/// Whether a value has no effects: names, fields, literals.
fn is_plain(value: &str) -> bool {
    tokens(value).iter().all(|it| it.is_solid() || matches!(it.text, "." | "::" | "&" | "*"))
}

#[cfg(test)]
mod tests {
    use base::{ByteSpan, DiagnosticSpan, Severity};

    use super::*;
    use crate::fake::Tree;

    /// The texts proposed for the user of the struct; `$0` is before the private field.
    fn proposed(user: &str, others: &[&str]) -> Vec<String> {
        let path = ProjectPath::new("src/a.rs").unwrap();
        let at = user.find("$0").unwrap();
        let user = user.replace("$0", "");
        let error = Diagnostic {
            code: Some("E0451".to_owned()),
            spans: vec![DiagnosticSpan::primary(&path, &user, ByteSpan::new(at, at + 1))],
            ..Diagnostic::new(Severity::Error, "fields `w` and `h` of struct `m::S` are private")
        };
        let names: Vec<String> = (0..others.len()).map(|it| format!("src/m{it}.rs")).collect();
        let mut texts: SortedMap<&str, &str> = [("src/a.rs", &*user)].into();
        texts.extend(names.iter().map(String::as_str).zip(others.iter().copied()));
        let sources = texts.keys().map(|path| ProjectPath::new(path).unwrap()).collect();
        let fixes = Constructors::new(sources).propose(&[error], &Tree(texts));
        let changed = |fix: Fix| {
            let mut text = user.clone();
            let splice = &fix.splices[0].1;
            text.replace_range(splice.span.start..splice.span.end, &splice.insert);
            text
        };
        fixes.into_iter().map(changed).collect()
    }

    const USER: &str = "fn f(r: R) -> S { S { $0w: r.w, h: r.h } }";

    fn with(function: &str) -> String {
        format!("pub struct S {{ w: u8, h: u8 }}\nimpl S {{ {function} }}")
    }

    #[test]
    fn a_literal_becomes_a_call_of_the_function_that_makes_it() {
        let plain = "fn f(r: R) -> S { S::of(r.w, r.h) }";
        for function in [
            "pub fn of(w: u8, h: u8) -> Self { S { w, h } }",
            "pub(crate) const fn of(a: u8, b: u8) -> S { Self { h: b, w: a } }",
        ] {
            assert_eq!(proposed(USER, &[&with(function)]), [plain]);
        }
        let turned = "pub fn of(h: u8, w: u8) -> Self { Self { w, h } }";
        assert_eq!(proposed(USER, &[&with(turned)]), ["fn f(r: R) -> S { S::of(r.h, r.w) }"]);
        let path = "fn f(w: u8) -> m::S { m::S { $0w, h: g(w) } }";
        let ordered = "pub fn of(w: u8, h: u8) -> Self { Self { w, h } }";
        assert_eq!(
            proposed(path, &[&with(ordered)]),
            ["fn f(w: u8) -> m::S { m::S::of(w, g(w)) }"]
        );
    }

    #[test]
    fn a_function_that_does_more_or_less_is_no_replacement() {
        for function in [
            "fn of(w: u8, h: u8) -> Self { S { w, h } }",
            "pub unsafe fn of(w: u8, h: u8) -> Self { S { w, h } }",
            "pub fn of(w: u8, h: u8) -> Option<Self> { Some(S { w, h }) }",
            "pub fn of(w: u8, h: u8) -> Self { check(w); S { w, h } }",
            "pub fn of(w: u8, h: u8) -> Self { S { w: w + 1, h } }",
            "pub fn of(w: u8) -> Self { S { w, h: 0 } }",
            "pub fn of(&self, w: u8, h: u8) -> Self { S { w, h } }",
        ] {
            assert_eq!(proposed(USER, &[&with(function)]), [""; 0], "{function}");
        }
    }

    #[test]
    fn effects_keep_their_order_and_doubtful_structs_give_nothing() {
        let turned = with("pub fn of(h: u8, w: u8) -> Self { Self { w, h } }");
        let effects = "fn f() -> S { S { $0w: next(), h: next() } }";
        assert_eq!(proposed(effects, &[&turned]), [""; 0]);
        assert_eq!(proposed(USER, &[&turned, "pub struct S { w: u8 }"]), [""; 0]);
        assert_eq!(proposed("fn f(r: R) -> S { S { $0w: 1, ..r } }", &[&turned]), [""; 0]);
    }
}
