//! Reasoner: for values of another type than before, a field or a method without arguments of that type, the same one
//! at all places. Where several fit, which one is a guess, and one question.

use std::sync::Arc;

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};
use change::{Guess, GuessKind, NeededValue};
use edit::{Files, Splice};
use syntax::places::{DefinitionKind, PartKind};

use crate::conversions::{is_one_operand, quoted_after};
use crate::fix::{Proposal, guesses, text_of};
use crate::sources::Sources;
use crate::{Fix, Reasoner};

/// Most parts that are tried for one value.
const MAX_OPTIONS: usize = 5;

/// For an error about a value of a type of the project: the value's fields and methods, of the type that is expected
/// where that is known.
pub struct Parts {
    /// Rust files of the project.
    sources: Arc<[ProjectPath]>,
}

impl Parts {
    /// Looks in `sources`, the Rust files of the project.
    pub fn new(sources: Arc<[ProjectPath]>) -> Self {
        Self { sources }
    }
}

impl Reasoner for Parts {
    fn name(&self) -> &'static str {
        "parts"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let project = Sources::some(&self.sources, files);
        guesses(self, diagnostics, |it| proposals(it, files, &project))
    }
}

fn proposals(
    error: &Diagnostic,
    files: &dyn Files,
    project: &Sources<'_>,
) -> Option<Vec<Proposal>> {
    let primary = error.primary()?;
    let path = primary.place.project()?;
    let own = |it: &&DiagnosticSpan| it.expansion.is_none() && it.place.project() == Some(path);
    let text = text_of(files, path)?;
    let typed = |it: &DiagnosticSpan| Some((it.bytes, type_of(error, it)?.to_owned()));
    let mut values: Vec<(ByteSpan, String)> =
        error.spans.iter().filter(own).filter_map(typed).chain(cast(error, &text)).collect();
    values.sort();
    let owner = values.first()?.1.clone();
    values.retain(|it| it.1 == owner);
    if !values.iter().all(|it| it.0.slice(&text).is_some_and(is_one_operand)) {
        return None;
    }
    let label = primary.label.as_deref().unwrap_or_default();
    let is_value = primary.bytes == values[0].0;
    let expected = quoted_after(label, "expected").filter(|_| is_value);
    let fits = |it: &Part| expected.is_none_or(|ty| bare(ty) == bare(&it.ty));
    let parts: Vec<Part> = parts(project, &owner).into_iter().filter(fits).collect();
    let options = |it: &Part| (it.suffix.clone(), format!("`{owner}` has it, a `{}`", it.ty));
    let proposal = |part: &Part| {
        // Another part of the same type compiles, too; the only one of its type is no guess.
        let same: Vec<&Part> = parts.iter().filter(|it| it.ty == part.ty).collect();
        let other = same.iter().find(|it| it.suffix != part.suffix).map(|it| it.suffix.clone());
        let is_guess = other.is_some();
        let kind = GuessKind::Typed { other };
        let at = |it: &(ByteSpan, String)| Splice {
            span: ByteSpan::new(it.0.end, it.0.end),
            insert: part.suffix.clone(),
        };
        let splices: Vec<Splice> = values.iter().map(at).collect();
        let options = same.iter().map(|it| options(it)).collect();
        let (name, former) = (String::new(), String::new());
        let need = NeededValue { name, ty: owner.clone(), former, options };
        let guess = |it: &Splice| Guess {
            path: path.clone(),
            splice: it.span,
            part: ByteSpan::new(0, part.suffix.len()),
            kind: kind.clone(),
            need: Some(need.clone()),
        };
        let guesses = splices.iter().filter(|_| is_guess).map(guess).collect();
        let rationale = format!("the part `{}` of `{owner}`", part.suffix);
        Proposal { path: path.clone(), splices, rationale, guesses }
    };
    Some(parts.iter().take(MAX_OPTIONS).map(proposal).collect())
}

/// The value of a cast that its type does not have, with the type.
fn cast(error: &Diagnostic, text: &str) -> Option<(ByteSpan, String)> {
    let ty = match error.code.as_deref()? {
        "E0604" | "E0605" | "E0606" => error.message.split('`').nth(1)?,
        _ => return None,
    };
    let all = error.primary()?.bytes;
    let len = all.slice(text)?.rfind(" as ")?;
    Some((ByteSpan::new(all.start, all.start + len), type_name(ty)?.to_owned()))
}

/// The name of the type that a span of an error has.
fn type_of<'e>(error: &Diagnostic, span: &'e DiagnosticSpan) -> Option<&'e str> {
    let label = span.label.as_deref()?;
    let ty = match error.code.as_deref()? {
        "E0308" => quoted_after(label, "found")
            .or_else(|| quoted_after(label, "expected because this is"))?,
        "E0368" => quoted_after(label, "on type")?,
        "E0369" if !label.contains(' ') => label.trim_matches('`'),
        _ => return None,
    };
    type_name(ty)
}

/// The name of a type without its path and arguments; `None` for what has none.
fn type_name(ty: &str) -> Option<&str> {
    let name = bare(ty).split('<').next().unwrap_or_default();
    let name = name.rsplit("::").next().unwrap_or_default();
    (!name.is_empty() && name.chars().all(base::is_word)).then_some(name)
}

/// A type without its reference.
fn bare(ty: &str) -> &str {
    ty.trim_start_matches('&').trim_start_matches("mut ").trim()
}

/// A field or method, as it follows a value.
struct Part {
    suffix: String,
    ty: String,
}

/// The fields of a type, then its methods without arguments, in the order of the sources.
fn parts(project: &Sources<'_>, owner: &str) -> Vec<Part> {
    let (mut fields, mut methods) = (Vec::new(), Vec::new());
    for source in project.read().iter().filter(|it| it.text.contains(owner)) {
        let slice = |span: ByteSpan| span.slice(&source.text).unwrap_or_default().to_owned();
        for it in &source.places().definitions {
            let has = |kind: PartKind| it.parts.iter().find(|part| part.kind == kind);
            let is_method = has(PartKind::Receiver).is_some() && has(PartKind::Parameter).is_none();
            match it.kind {
                DefinitionKind::Struct if it.name == owner && it.owner.is_empty() => {
                    let unnamed = it.parts.iter().filter(|it| it.kind == PartKind::Parameter);
                    let part = |(at, it): (usize, &syntax::places::DefinitionPart)| {
                        Some(Part { suffix: format!(".{at}"), ty: slice(it.ty?) })
                    };
                    fields.extend(unnamed.enumerate().filter_map(part));
                }
                DefinitionKind::Field if it.owner == owner => {
                    let ty = has(PartKind::Type).map(|it| slice(it.span)).unwrap_or_default();
                    fields.push(Part { suffix: format!(".{}", it.name), ty });
                }
                _ if it.owner == owner && it.of_trait.is_none() && is_method => {
                    let Some(ty) = has(PartKind::Type).map(|it| slice(it.span)) else { continue };
                    methods.push(Part { suffix: format!(".{}()", it.name), ty });
                }
                _ => {}
            }
        }
    }
    fields.append(&mut methods);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check as check_reasoner};

    const SIZE: &str = "struct Size { width: u32, name: String }\nimpl Size { fn area(&self) -> u32 \
                        { 1 } fn set(&mut self, to: u32) {} }\nstruct Both(u32, bool);\n";

    fn check(line: &str, error: FakeError, fixed: &[&str]) {
        let sources = [ProjectPath::new("src/lib.rs").unwrap()].into();
        let fixed: Vec<String> = fixed.iter().map(|it| format!("{SIZE}{it}")).collect();
        let fixed: Vec<&str> = fixed.iter().map(String::as_str).collect();
        check_reasoner(&Parts::new(sources), &format!("{SIZE}{line}"), &[error], &fixed);
    }

    #[test]
    fn fields_and_methods_of_the_expected_type_are_options() {
        let mismatch = |at: &str, label: &str| {
            FakeError::new("E0308", "mismatched types").at(at).labelled(label)
        };
        check(
            "fn f(s: Size) -> u32 { s }",
            mismatch("{ «s» }", "expected `u32`, found `Size`"),
            &["fn f(s: Size) -> u32 { s.width }", "fn f(s: Size) -> u32 { s.area() }"],
        );
        check(
            "fn f(b: &Both) -> bool { b }",
            mismatch("{ «b» }", "expected `bool`, found `&Both`"),
            &["fn f(b: &Both) -> bool { b.1 }"],
        );
        check(
            "fn f(b: Both) -> bool { b > 1 }",
            mismatch("> «1»", "expected `Both`, found integer")
                .label("«b» >", "expected because this is `Both`"),
            &["fn f(b: Both) -> bool { b.0 > 1 }", "fn f(b: Both) -> bool { b.1 > 1 }"],
        );
    }

    #[test]
    fn a_cast_is_of_the_part() {
        let error =
            FakeError::new("E0605", "non-primitive cast: `Both` as `f64`").at("(«b as f64»)");
        check(
            "fn f(b: Both) -> f64 { (b as f64) }",
            error,
            &["fn f(b: Both) -> f64 { (b.0 as f64) }", "fn f(b: Both) -> f64 { (b.1 as f64) }"],
        );
    }

    #[test]
    fn all_values_of_an_operation_get_the_same_part() {
        let error = FakeError::new("E0369", "cannot add `Both` to `Both`")
            .at("a «+» b")
            .label("«a» +", "Both")
            .label("+ «b»", "Both");
        check(
            "fn f(a: Both, b: Both) { a + b; }",
            error,
            &["fn f(a: Both, b: Both) { a.0 + b.0; }", "fn f(a: Both, b: Both) { a.1 + b.1; }"],
        );
        // A type of another crate has none that is known.
        let error = FakeError::new("E0369", "cannot add").at("a «+» b").label("«a» +", "Duration");
        check("fn f(a: Duration) { a + b; }", error, &[]);
    }
}
