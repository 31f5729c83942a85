//! Reasoner: the lifetimes of a signature, each no wider than the body needs.

use base::{Applicability, ByteSpan, Diagnostic, DiagnosticSpan, Replacement, SortedSet};
use edit::{Files, Splice};
use preserve::outline::{TokenKind, tokens};
use syntax::places::{Definition, DefinitionKind, DefinitionPart, PartKind, Places, places};

use crate::fix::Proposal;
use crate::marked::{Marked, insert};
use crate::phase::errors;
use crate::{Fix, Reasoner};

/// For a return type without a lifetime: one for it alone, or `'static` where the body has literals. The
/// compiler then reports which parameters need the same one, and they get it together: its own advice
/// gives it to all of them, so that callers have to follow which need not. Two lifetimes that the
/// compiler finds to be one get one name.
pub(crate) struct Lifetimes;

/// The compiler's advice that this reasoner narrows.
pub(crate) const ADVICE: &str = "consider introducing a named lifetime parameter";

impl Reasoner for Lifetimes {
    fn name(&self) -> &'static str {
        "lifetimes"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut fixes = Vec::new();
        for (seed, error) in errors(diagnostics) {
            let proposals = match error.code.as_deref() {
                Some("E0106") => returned(error, files),
                Some("E0621") => required(diagnostics, error, files).into_iter().collect(),
                Some("E0499" | "E0502" | "E0505" | "E0506") => {
                    hidden(error, files).into_iter().collect()
                }
                None if error.message == "lifetime may not live long enough" => {
                    joined(error, files).into_iter().collect()
                }
                _ => Vec::new(),
            };
            // The second is one for any lifetime, if the first passes.
            let ranks = [Applicability::MaybeIncorrect, Applicability::Unspecified];
            fixes.extend(
                proposals
                    .into_iter()
                    .zip(ranks)
                    .map(|(it, applicability)| Fix { applicability, ..it.into_fix(self, seed) }),
            );
        }
        fixes
    }
}

/// Whether this reasoner narrows the compiler's advice for an error.
pub(crate) fn narrows(error: &Diagnostic, files: &dyn Files) -> bool {
    error.code.as_deref() == Some("E0106") && !returned(error, files).is_empty()
}

/// A lifetime for the return type alone.
fn returned(error: &Diagnostic, files: &dyn Files) -> Vec<Proposal> {
    let Some(marked) = Marked::primary(error, files) else { return Vec::new() };
    let places = places(&marked.text);
    let Some(function) = places.function_at(marked.span.start) else { return Vec::new() };
    let (Some(body), Some(result)) = (function.body, return_type(function)) else {
        return Vec::new();
    };
    let is_input =
        |it: &DefinitionPart| matches!(it.kind, PartKind::Parameter | PartKind::Receiver);
    let inputs = function.parts.iter().filter(|it| is_input(it));
    let borrowed =
        inputs.filter(|it| it.span.slice(&marked.text).is_some_and(|it| it.contains('&')));
    if borrowed.count() < 2 || !result.contains(marked.span) {
        return Vec::new();
    }
    let advice = error.children.iter().find(|it| it.message.starts_with(ADVICE));
    let Some(advice) = advice.filter(|it| !it.replacements.is_empty()) else { return Vec::new() };
    let inputs: Vec<ByteSpan> =
        function.parts.iter().filter(|it| is_input(it)).map(|it| it.span).collect();
    let is_kept = |it: &&Replacement| {
        it.place.project() == Some(marked.path)
            && !inputs.iter().any(|part| part.contains(it.bytes))
    };
    let kept: Vec<Splice> = advice.replacements.iter().filter(is_kept).map(splice).collect();
    if !kept.iter().any(|it| result.contains(it.span)) {
        return Vec::new();
    }
    let mut proposals = Vec::new();
    let text = body.slice(&marked.text).unwrap_or("");
    if tokens(text).iter().any(|it| it.kind == TokenKind::Literal) {
        let of_result = kept.iter().filter(|it| result.contains(it.span));
        let splices = of_result.map(|it| Splice { insert: as_static(&it.insert), span: it.span });
        proposals.push(marked.proposal(splices.collect(), "it returns literals".to_owned()));
    }
    let why = format!("a lifetime for what `{}` returns", function.name);
    proposals.push(marked.proposal(kept, why));
    proposals
}

fn splice(of: &Replacement) -> Splice {
    Splice { span: of.bytes, insert: of.text.clone() }
}

/// A text with a named lifetime with `'static` in its place.
fn as_static(text: &str) -> String {
    let list = tokens(text);
    match list.iter().find(|it| is_lifetime(it.text)) {
        Some(it) => {
            let (before, after) = (&text[..it.span.start], &text[it.span.end..]);
            format!("{before}'static{after}")
        }
        None => text.to_owned(),
    }
}

fn is_lifetime(text: &str) -> bool {
    text.strip_prefix('\'').is_some_and(|it| !it.ends_with('\'') && !it.is_empty())
}

/// The lifetime that the body needs of parameters: of all of one function at once.
fn required(all: &[Diagnostic], error: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::primary(error, files)?;
    let places = places(&marked.text);
    let function = places.function_at(marked.span.start)?;
    let mut splices = SortedSet::new();
    let mut names = SortedSet::new();
    let mut known = None;
    for (_, other) in errors(all).filter(|it| it.1.code.as_deref() == Some("E0621")) {
        let Some(at) = other.primary() else { continue };
        if at.place.project() != Some(marked.path) || !function.span.contains(at.bytes) {
            continue;
        }
        let name = quoted(&other.message)?;
        let lifetime = quoted(at.label.as_deref()?).filter(|it| *it != "'static")?;
        let part = function.parts.iter().find(|it| it.name == name)?;
        let ty = part.ty?;
        match elided_reference(&marked.text, ty) {
            Some(place) => {
                splices.insert((place, format!("{lifetime} ")));
            }
            None => {
                let advice = other.children.iter().flat_map(|it| &it.replacements);
                splices.extend(advice.map(|it| (it.bytes.start, it.text.clone())));
                advice_is_insertion(other)?;
            }
        }
        names.insert(format!("`{name}`"));
        known = Some(lifetime.to_owned());
    }
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    let splices = splices.into_iter().map(|(at, text)| insert(at, &text)).collect();
    Some(marked.proposal(splices, format!("{names} must live for `{}`", known?)))
}

/// Whether all replacements of an error insert text; `None` if not.
fn advice_is_insertion(error: &Diagnostic) -> Option<()> {
    let mut all = error.children.iter().flat_map(|it| &it.replacements);
    all.all(|it| it.bytes.is_empty()).then_some(())
}

/// One name for two lifetimes of a signature.
fn joined(error: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::primary(error, files)?;
    let places = places(&marked.text);
    let label = error.primary()?.label.as_deref()?;
    let wanted: Vec<&str> =
        label.split('`').skip(1).step_by(2).filter(|it| it.starts_with('\'')).collect();
    let [first, second] = wanted.as_slice() else { return None };
    let slots = [slot(error, first)?, slot(error, second)?];
    let text = &*marked.text;
    let elided = slots.iter().find_map(|it| it.reference)?;
    let function = places.function_at(elided)?;
    let is_own =
        |it: &Slot<'_>| it.reference.is_none_or(|at| function.head.contains(ByteSpan::new(at, at)));
    if !slots.iter().all(is_own) || slots.iter().any(|it| it.name == Some("'static")) {
        return None;
    }
    let named = slots.iter().find_map(|it| it.name);
    let name = named.map_or_else(|| fresh(text, &places, function), |it| Some(it.to_owned()))?;
    let mut at: SortedSet<usize> = SortedSet::new();
    for reference in slots.iter().filter_map(|it| it.reference) {
        at.insert(elided_reference(text, ByteSpan::new(reference, function.head.end))?);
    }
    if slots.iter().any(|it| it.reference.is_some_and(|at| gives_elided(function, text, at))) {
        let result = return_type(function)?;
        at.extend(elided_references(text, result));
    }
    let mut splices: Vec<Splice> =
        at.into_iter().map(|at| insert(at, &format!("{name} "))).collect();
    if named.is_none() {
        splices.push(declaration(function, &name));
    }
    Some(marked.proposal(splices, format!("two references live for one lifetime `{name}`")))
}

/// A lifetime that an error names: one with a name, or that of a reference without one.
struct Slot<'d> {
    name: Option<&'d str>,
    /// The `&`.
    reference: Option<usize>,
}

fn slot<'d>(error: &'d Diagnostic, name: &'d str) -> Option<Slot<'d>> {
    let is_numbered = name[1..].chars().all(|it| it.is_ascii_digit());
    if !is_numbered {
        return Some(Slot { name: Some(name), reference: None });
    }
    let is_it = |it: &&DiagnosticSpan| {
        let label = it.label.as_deref().unwrap_or("");
        !it.primary && label.starts_with("let's call") && label.contains(&format!("`{name}`"))
    };
    let span = error.spans.iter().find(is_it)?;
    Some(Slot { name: None, reference: Some(span.bytes.start) })
}

/// Whether what a function returns without a lifetime borrows from the reference at a position.
fn gives_elided(function: &Definition, text: &str, at: usize) -> bool {
    let receiver = function.parts.iter().find(|it| it.kind == PartKind::Receiver);
    let is_borrowed = |it: &&DefinitionPart| it.span.slice(text).is_some_and(|it| it.contains('&'));
    match receiver.filter(is_borrowed) {
        Some(receiver) => receiver.span.contains(ByteSpan::new(at, at)),
        None => true,
    }
}

/// `'a` in what a method of `impl<'a>` returns, where it borrows from the receiver for longer than needed.
fn hidden(error: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::primary(error, files)?;
    let text = &*marked.text;
    let places = places(text);
    let is_defined = |it: &&DiagnosticSpan| {
        it.label
            .as_deref()
            .is_some_and(|it| it.starts_with("lifetime `'") && it.ends_with("defined here"))
    };
    let lifetime = quoted(error.spans.iter().find(is_defined)?.label.as_deref()?)?;
    let rest = text.get(marked.span.end..)?.strip_prefix('.')?;
    let method = &rest[..rest.find(|it| !base::is_word(it))?];
    let own = places.impls.iter().find(|it| it.span.contains(marked.span))?;
    let mut methods = places.definitions.iter().filter(|it| {
        it.kind == DefinitionKind::Function && it.name == method && it.owner == own.owner
    });
    let called = methods.next().filter(|_| methods.next().is_none())?;
    let around = places.impls.iter().find(|it| it.span.contains(called.span))?;
    let is_declared = around.generics.slice(text)?.contains(lifetime);
    let result = return_type(called).filter(|_| is_declared)?;
    let list = tokens(result.slice(text)?);
    let at: Vec<usize> = (0..list.len())
        .filter(|at| {
            let borrows = borrowing(&places, text).any(|it| it == list[*at].text);
            borrows && list.get(at + 1).is_none_or(|it| it.text != "<")
        })
        .map(|at| result.start + list[at].span.end)
        .collect();
    let splices: Vec<Splice> = at.iter().map(|at| insert(*at, &format!("<{lifetime}>"))).collect();
    let why = format!("what `{method}` returns lives for `{lifetime}`, not for `self`");
    (!splices.is_empty()).then(|| marked.proposal(splices, why))
}

/// The types of a text that have one lifetime and nothing else.
fn borrowing<'p>(places: &'p Places, text: &'p str) -> impl Iterator<Item = &'p str> {
    places.definitions.iter().filter_map(move |it| {
        let is_type = matches!(it.kind, DefinitionKind::Struct | DefinitionKind::Enum);
        let generics =
            it.parts.iter().find(|it| it.kind == PartKind::Generics)?.span.slice(text)?;
        let inner = generics.strip_prefix('<')?.strip_suffix('>')?;
        (is_type && is_lifetime(inner.trim())).then_some(it.name.as_str())
    })
}

fn return_type(function: &Definition) -> Option<ByteSpan> {
    function.parts.iter().find(|it| it.kind == PartKind::Type)?.ty
}

/// The place for a lifetime in a type that begins with `&` and has none.
fn elided_reference(text: &str, ty: ByteSpan) -> Option<usize> {
    let list = tokens(ty.slice(text)?);
    let first = list.first().filter(|it| it.text == "&")?;
    list.get(1).filter(|it| !is_lifetime(it.text))?;
    Some(ty.start + first.span.end)
}

/// The places for a lifetime after each `&` of a type that has none.
fn elided_references(text: &str, ty: ByteSpan) -> Vec<usize> {
    let list = tokens(ty.slice(text).unwrap_or(""));
    let pairs = list.iter().zip(list.iter().skip(1));
    pairs
        .filter(|(it, next)| it.text == "&" && !is_lifetime(next.text))
        .map(|(it, _)| ty.start + it.span.end)
        .collect()
}

/// A lifetime whose name neither the head of a function nor an impl around it has.
fn fresh(text: &str, places: &Places, function: &Definition) -> Option<String> {
    let around = places.impls.iter().filter(|it| it.span.contains(function.span));
    let mut used = vec![function.head.slice(text)?];
    used.extend(around.filter_map(|it| it.generics.slice(text)));
    let is_free =
        |name: &String| !used.iter().flat_map(|it| tokens(it)).any(|it| it.text == name.as_str());
    ('a'..='z').map(|it| format!("'{it}")).find(is_free)
}

/// The declaration of a lifetime by a function.
fn declaration(function: &Definition, name: &str) -> Splice {
    match function.parts.iter().find(|it| it.kind == PartKind::Generics) {
        Some(generics) => insert(generics.span.start + 1, &format!("{name}, ")),
        None => insert(function.name_span.end, &format!("<{name}>")),
    }
}

/// The first text between backticks.
fn quoted(text: &str) -> Option<&str> {
    text.split('`').nth(1)
}

#[cfg(test)]
mod tests {
    use crate::Lifetimes;
    use crate::fake::{FakeError, check};

    #[test]
    fn the_parameters_that_need_a_lifetime_get_it_together() {
        let error = |name: &str, at: &str| {
            FakeError::new("E0621", &format!("explicit lifetime required in the type of `{name}`"))
                .at(at)
                .labelled("lifetime `'a` required")
        };
        check(
            &Lifetimes,
            "fn f<'a>(x: &dyn S, y: &u8, z: &mut str) -> &'a str { if *y > 0 { x.f() } else { z } }",
            &[error("x", "{ «x.f()» }"), error("z", "{ «z» }")],
            &[
                "fn f<'a>(x: &'a dyn S, y: &u8, z: &'a mut str) -> &'a str { if *y > 0 { x.f() } else { z } }",
            ],
        );
    }

    #[test]
    fn two_lifetimes_that_are_one_get_one_name() {
        let error = |first: &str, (second, name): (&str, &str)| {
            let number = "let's call the lifetime of this reference";
            let other = match name {
                "'2" => format!("{number} `'2`"),
                name => format!("lifetime `{name}` defined here"),
            };
            FakeError::new("", "lifetime may not live long enough")
                .at("{ «v» }")
                .labelled(&format!(
                    "method was supposed to return data with lifetime `{name}` but it is returning \
                     data with lifetime `'1`"
                ))
                .label(first, &format!("{number} `'1`"))
                .label(second, &other)
        };
        check(
            &Lifetimes,
            "impl S { fn f(&self, k: &u8, v: &str) -> Option<&str> { v } }",
            &[error("v: «&»str", ("(«&»self", "'2"))],
            &["impl S { fn f<'a>(&'a self, k: &u8, v: &'a str) -> Option<&'a str> { v } }"],
        );
        check(
            &Lifetimes,
            "impl<'a> S<'a> { fn f<'b>(&self, v: &'b str) -> &'b str { v } }",
            &[error("(«&»self", ("fn f<«'b»>", "'b"))],
            &["impl<'a> S<'a> { fn f<'b>(&'b self, v: &'b str) -> &'b str { v } }"],
        );
        check(
            &Lifetimes,
            "impl<'a> S<'a> { fn f<T>(&self, v: &str, t: T) -> &str { v } }",
            &[error("v: «&»str", ("(«&»self", "'2"))],
            &["impl<'a> S<'a> { fn f<'b, T>(&'b self, v: &'b str, t: T) -> &'b str { v } }"],
        );
    }

    #[test]
    fn what_a_method_returns_lives_as_long_as_the_text() {
        let error = FakeError::new("E0499", "cannot borrow `self` as mutable more than once")
            .at("= «self».next")
            .label("impl<«'a»> L", "lifetime `'a` defined here");
        let text = |result: &str| {
            format!(
                "struct T<'a> {{ t: &'a str }} impl<'a> L<'a> {{ \
                 fn next(&mut self) -> Option<{result}> {{ None }} \
                 fn all(mut self) {{ while let Some(t) = self.next() {{}} }} }}"
            )
        };
        check(&Lifetimes, &text("T"), &[error], &[&text("T<'a>")]);
    }
}
