//! Reasoner of the last resort: a hole in place of each value that an error is about. With it the rest of a change is
//! a draft, and what belongs in the hole is a question, whose options are what other rules would write there.

use std::sync::Arc;

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath, SortedMap};
use change::{Guess, GuessKind, HOLE, NeededValue};
use edit::{Files, Splice};
use preserve::outline::Outline;

use crate::conversions::quoted_after;
use crate::fix::text_of;
use crate::operand::{cover, operand};
use crate::phase::errors;
use crate::{Fix, InProgress, Parts, Reasoner};

/// Name of the reasoner.
const NAME: &str = "holes";
/// Most errors for which holes are made: more are no questions that a person answers.
const MAX_ERRORS: usize = 8;
/// Most options of one hole.
const MAX_OPTIONS: usize = 5;
/// Maximum length of the code that a hole replaces, in bytes.
const MAX_LENGTH: usize = 240;

/// For errors about a value – its type, a name in it that does not exist – a hole in its place. Nothing, where one
/// of the errors is about something else, or where there are many.
pub struct Holes {
    /// The rules that give options.
    others: Vec<Box<dyn Reasoner>>,
}

impl Holes {
    /// Holes in a project with these Rust files, as [`crate::reasoners`].
    pub fn new(sources: Arc<[ProjectPath]>, in_progress: &InProgress) -> Self {
        let mut others: Vec<Box<dyn Reasoner>> = vec![Box::new(Parts::new(Arc::clone(&sources)))];
        others.extend(crate::reasoners(sources, in_progress));
        Self { others }
    }
}

impl Reasoner for Holes {
    fn name(&self) -> &'static str {
        NAME
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let found: Option<Vec<Hole>> =
            errors(diagnostics).map(|(seed, it)| Hole::of(seed, it, files)).collect();
        let Some(holes) = found.filter(|it| it.len() <= MAX_ERRORS) else { return Vec::new() };
        let others: Vec<Fix> =
            self.others.iter().flat_map(|it| it.propose(diagnostics, files)).collect();
        // Of places within each other the outer one is the hole.
        let outer = |of: &Hole| {
            let around = holes.iter().filter(|it| it.path == of.path && it.span.contains(of.span));
            around.max_by_key(|it| it.span.len()).unwrap_or(of).clone()
        };
        let mut options: SortedMap<(ProjectPath, ByteSpan), Vec<(String, String)>> =
            SortedMap::new();
        for fix in &others {
            let Some(hole) = holes.iter().find(|it| it.seed == fix.seed).map(outer) else {
                continue;
            };
            let Some(text) = hole.with(fix).filter(|it| !is_blind(fix, it)) else { continue };
            let known = options.entry((hole.path.clone(), hole.span)).or_default();
            if known.len() < MAX_OPTIONS && !known.iter().any(|it| it.0 == text) {
                known.push((text, fix.rationale.clone()));
            }
        }
        let fix = |hole: &Hole| {
            let outer = outer(hole);
            let options = options.get(&(outer.path.clone(), outer.span)).cloned();
            outer.fix(hole.seed, options.unwrap_or_default())
        };
        holes.iter().map(fix).collect()
    }
}

/// A value that an error is about.
#[derive(Clone)]
struct Hole {
    seed: usize,
    path: ProjectPath,
    text: Arc<str>,
    span: ByteSpan,
    /// The type that is expected there; empty where that is not known.
    ty: String,
    /// Whether it is a field of a literal that is named as the variable: `S { a }`.
    is_short: bool,
}

impl Hole {
    /// The value that an error is about; `None` for one that is about something else.
    fn of(seed: usize, error: &Diagnostic, files: &dyn Files) -> Option<Self> {
        let primary = error.primary().filter(|it| it.expansion.is_none())?;
        let path = primary.place.project()?.clone();
        let text = text_of(files, &path)?;
        let label = primary.label.as_deref().unwrap_or_default();
        let (span, ty) = match error.code.as_deref()? {
            "E0308" => match compared(error, &path) {
                Some(left) => (cover(&text, left, primary.bytes)?, ""),
                None => (primary.bytes, quoted_after(label, "expected")?),
            },
            "E0368" | "E0369" => {
                let own = error.spans.iter().filter(|it| it.place.project() == Some(&path));
                let first = own.clone().map(|it| it.bytes.start).min()?;
                let last = own.map(|it| it.bytes.end).max()?;
                (ByteSpan::new(first, last), "")
            }
            "E0604" | "E0605" | "E0606" => (primary.bytes, ""),
            "E0423" | "E0425" | "E0433" | "E0599" | "E0600" | "E0608" | "E0609" | "E0610"
            | "E0614" | "E0618" => (operand(&text, primary.bytes)?, ""),
            _ => return None,
        };
        let value = span.slice(&text)?;
        let is_value = value.len() <= MAX_LENGTH && !value.is_empty() && !value.starts_with('{');
        let is_short = is_short_field(&text, span);
        let (ty, text) = (ty.to_owned(), Arc::clone(&text));
        is_value.then_some(Self { seed, path, text, span, ty, is_short })
    }

    fn value(&self) -> &str {
        self.span.slice(&self.text).unwrap_or_default()
    }

    /// The value as another rule would write it; `None` if that changes anything else.
    fn with(&self, fix: &Fix) -> Option<String> {
        let mut value = self.value().to_owned();
        for (path, splice) in fix.splices.iter().rev() {
            if *path != self.path || !self.span.contains(splice.span) {
                return None;
            }
            let at = |byte: usize| byte - self.span.start;
            value.replace_range(at(splice.span.start)..at(splice.span.end), &splice.insert);
        }
        let is_other = value != self.value() && !value.contains(HOLE) && !value.contains('\n');
        let name = format!("{}: ", self.value());
        is_other.then(|| match value.strip_prefix(&name) {
            Some(of_field) if self.is_short => of_field.to_owned(),
            _ => value,
        })
    }

    fn fix(self, seed: usize, options: Vec<(String, String)>) -> Fix {
        let value = self.value();
        let name = if self.is_short { format!("{value}: ") } else { String::new() };
        let splice = Splice { span: self.span, insert: format!("{name}{HOLE}") };
        let former = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let need = NeededValue { name: String::new(), ty: self.ty.clone(), former, options };
        let part = ByteSpan::new(name.len(), name.len() + HOLE.len());
        let (path, kind) = (self.path.clone(), GuessKind::Hole);
        let guess = Guess { path, splice: self.span, part, kind, need: Some(need) };
        Fix {
            splices: vec![(self.path, splice)],
            rationale: "a value that no rule knows, and an answer gives".to_owned(),
            applicability: Applicability::HasPlaceholders,
            reasoner: NAME,
            seed,
            guesses: vec![guess],
        }
    }
}

/// Whether a name is a field and the variable with its value: `S { a, b }`.
fn is_short_field(text: &str, at: ByteSpan) -> bool {
    let outline = Outline::of(text);
    let Some(idx) = outline.tokens.iter().position(|it| it.span == at) else { return false };
    let is =
        |at: usize, of: [&str; 2]| outline.tokens.get(at).is_some_and(|it| of.contains(&it.text));
    let is_between = idx > 0 && is(idx - 1, ["{", ","]) && is(idx + 1, ["}", ","]);
    let around = (0..idx).rev().find(|it| outline.close[*it] > idx);
    let is_literal = |open: usize| {
        let name = open.checked_sub(1).and_then(|it| outline.tokens.get(it));
        is(open, ["{", "{"]) && name.is_some_and(|it| it.text.starts_with(char::is_uppercase))
    };
    is_between && around.is_some_and(is_literal)
}

/// Whether a rule would only try it: the compiler suggests `into` itself where the types have it.
fn is_blind(fix: &Fix, text: &str) -> bool {
    fix.reasoner == "conversions" && text.ends_with(".into()")
}

/// The other side of a comparison, whose type decides what is expected.
fn compared(error: &Diagnostic, path: &ProjectPath) -> Option<ByteSpan> {
    let decides = |it: &&base::DiagnosticSpan| {
        it.label.as_deref().is_some_and(|it| it.starts_with("expected because this is"))
    };
    let left = error.spans.iter().find(decides)?;
    (left.place.project() == Some(path)).then_some(left.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, OneFile};

    /// The text with the holes, and their questions.
    fn check(text: &str, errors: &[FakeError], expected: &str) {
        let diagnostics: Vec<Diagnostic> = errors.iter().map(|it| it.build(text)).collect();
        let sources = [crate::fake::path()].into();
        let holes = Holes::new(sources, &InProgress::default());
        let mut found = Vec::new();
        for fix in holes.propose(&diagnostics, &OneFile(text.to_owned())) {
            let need = fix.guesses[0].need.clone().unwrap();
            let options: Vec<String> = need.options.into_iter().map(|it| it.0).collect();
            found.push(format!("{}: {} [{}]", need.former, need.ty, options.join(", ")));
        }
        found.dedup();
        assert_eq!(found.join("; "), expected);
    }

    #[test]
    fn the_value_that_an_error_is_about_is_a_hole() {
        check(
            "fn f(a: usize) { let b: String = a; }",
            &[FakeError::new("E0308", "mismatched types")
                .at("= «a»;")
                .labelled("expected `String`, found `usize`")
                .suggestion("try using a conversion method", "= a«»;", ".to_string()")],
            "a: String [a.to_string()]",
        );
        check(
            "fn f(log: &Log) -> &str { log.last().unwrap_or(\"none\") }",
            &[FakeError::new("E0599", "no method named `last` found").at("log.«last»()")],
            "log.last().unwrap_or(\"none\"):  []",
        );
        check(
            "fn f() -> u32 { g(1, 2) + 1 }",
            &[FakeError::new("E0425", "cannot find function `g` in this scope").at("«g»(1")],
            "g(1, 2):  []",
        );
        check(
            "fn f() -> bool { size(a) > 10 }",
            &[FakeError::new("E0308", "mismatched types")
                .at("> «10»")
                .labelled("expected `Size`, found integer")
                .label("«size(a)» >", "expected because this is `Size`")],
            "size(a) > 10:  []",
        );
        check(
            "fn f() -> u32 { size(a) + size(b) }",
            &[FakeError::new("E0369", "cannot add `Size` to `Size`")
                .at("«+»")
                .label("«size(a)» +", "Size")
                .label("+ «size(b)»", "Size")],
            "size(a) + size(b):  []",
        );
    }

    #[test]
    fn a_field_that_is_named_as_its_variable_keeps_its_name() {
        let text = "fn f(a: u8, b: u8) -> S { S { a, b } }";
        let error = FakeError::new("E0308", "mismatched types")
            .at("{ «a», b")
            .labelled("expected `Year`, found `u8`")
            .suggestion("call `Into::into`", "a«», b", ".into()")
            .build(text);
        let holes = Holes::new([crate::fake::path()].into(), &InProgress::default());
        let fixes = holes.propose(&[error], &OneFile(text.to_owned()));
        let [fix] = fixes.as_slice() else { panic!("{fixes:?}") };
        assert_eq!(fix.splices[0].1.insert, "a: todo!()");
        assert_eq!(fix.guesses[0].part.slice(&fix.splices[0].1.insert), Some(HOLE));
    }

    #[test]
    fn an_error_about_no_value_has_no_hole_and_neither_have_the_others() {
        let value = || FakeError::new("E0599", "no method named `b` found").at("a.«b»()");
        let text = "use x::y;\nfn f(a: A) { a.b() }";
        check(text, &[value()], "a.b():  []");
        check(text, &[value(), FakeError::new("E0432", "unresolved import").at("use «x»")], "");
    }
}
