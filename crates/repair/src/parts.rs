//! Options for a value of another type than before: its fields, and its methods without arguments. They are offered
//! for a hole and never tried by themselves, since several fit.

use std::sync::Arc;

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};
use edit::{Files, Splice};
use syntax::places::{DefinitionKind, PartKind};

use crate::conversions::{is_one_operand, quoted_after};
use crate::fix::{Proposal, guesses, text_of};
use crate::sources::Sources;
use crate::{Fix, Reasoner};

/// For an error about a value of a type of the project: the value's fields and methods, of the type that is expected
/// where that is known.
pub(crate) struct Parts {
    /// Rust files of the project.
    sources: Arc<[ProjectPath]>,
}

impl Parts {
    /// Looks in `sources`, the Rust files of the project.
    pub(crate) fn new(sources: Arc<[ProjectPath]>) -> Self {
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
    let typed = |it: &DiagnosticSpan| Some((it.bytes, type_of(error, it)?.to_owned()));
    let mut values: Vec<(ByteSpan, String)> =
        error.spans.iter().filter(own).filter_map(typed).collect();
    values.sort();
    let owner = values.first()?.1.clone();
    values.retain(|it| it.1 == owner);
    let text = text_of(files, path)?;
    if !values.iter().all(|it| it.0.slice(&text).is_some_and(is_one_operand)) {
        return None;
    }
    let label = primary.label.as_deref().unwrap_or_default();
    let is_value = primary.bytes == values[0].0;
    let expected = quoted_after(label, "expected").filter(|_| is_value);
    let proposal = |part: Part| {
        let at = |it: &(ByteSpan, String)| Splice {
            span: ByteSpan::new(it.0.end, it.0.end),
            insert: part.suffix.clone(),
        };
        let rationale = format!("`{owner}` has it, a `{}`", part.ty);
        let splices = values.iter().map(at).collect();
        Proposal { path: path.clone(), splices, rationale, guesses: Vec::new() }
    };
    let parts = parts(project, &owner).into_iter();
    let fits = |it: &Part| expected.is_none_or(|ty| bare(ty) == bare(&it.ty));
    Some(parts.filter(fits).map(proposal).collect())
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
