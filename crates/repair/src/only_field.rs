//! Reasoner: fields of which only one name can be meant.

use base::{Diagnostic, ProjectPath};
use edit::Files;
use preserve::outline::{Element, ElementKind, Outline, TokenKind};

use crate::fix::{Proposal, text_of};
use crate::marked::{Marked, block_around, replace, token_at};
use crate::phase::errors;
use crate::signature::{separated, span_of};
use crate::{Fix, Reasoner};

/// For a field with the wrong name, if one is missing and only one name is left: that name (E0025,
/// E0559, E0560). For a pattern with too many fields: without those that nothing uses (E0023).
pub(crate) struct OnlyField;

impl Reasoner for OnlyField {
    fn name(&self) -> &'static str {
        "only-field"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let twice = errors(diagnostics).flat_map(|(seed, error)| {
            let both = twice(diagnostics, error, files);
            let of = |(other, it): (usize, Proposal)| {
                [it.clone().into_fix(self, seed), it.into_fix(self, other)]
            };
            both.map(of).into_iter().flatten()
        });
        let single = errors(diagnostics).filter_map(|(seed, error)| {
            let proposal = match error.code.as_deref()? {
                "E0559" | "E0560" => {
                    let marked = Marked::primary(error, files)?;
                    renamed(&marked, available(error)?)
                }
                "E0023" => unused(error, files),
                _ => None,
            };
            Some(proposal?.into_fix(self, seed))
        });
        twice.chain(single).collect()
    }
}

/// For a field that a pattern binds twice: the name of the one that it does not mention, and the
/// index of the error about that, which is answered too.
fn twice(
    diagnostics: &[Diagnostic],
    error: &Diagnostic,
    files: &dyn Files,
) -> Option<(usize, Proposal)> {
    error.code.as_deref().filter(|it| *it == "E0025")?;
    let marked = Marked::primary(error, files)?;
    let (other, field) = missing(diagnostics, &marked)?;
    Some((other, renamed(&marked, field)?))
}

/// The field that the pattern around the place does not mention, if it is the only one, and the
/// index of the error about it.
fn missing<'d>(diagnostics: &'d [Diagnostic], marked: &Marked<'_>) -> Option<(usize, &'d str)> {
    errors(diagnostics).find_map(|(seed, error)| {
        let field = error.message.strip_prefix("pattern does not mention field `")?;
        let span = error.primary()?;
        let is_around = span.place.project() == Some(marked.path)
            && span.bytes.start <= marked.span.start
            && marked.span.end <= span.bytes.end;
        Some((seed, field.strip_suffix('`').filter(|_| is_around)?))
    })
}

/// The only field that the note lists.
fn available(error: &Diagnostic) -> Option<&str> {
    let list = error.children.iter().find_map(|it| {
        let list = it.message.strip_prefix("available field")?;
        list.split_once(": ").map(|(_, list)| list)
    })?;
    list.strip_prefix('`')?.strip_suffix('`').filter(|it| !it.contains('`'))
}

/// The field with this name and the same value or pattern.
fn renamed(marked: &Marked<'_>, field: &str) -> Option<Proposal> {
    let outline = Outline::of(&marked.text);
    let token = token_at(&outline, marked.span.start);
    let name = outline.tokens.get(token).filter(|it| it.kind == TokenKind::Word)?;
    let insert = match outline.text(token + 1) {
        ":" => field.to_owned(),
        _ => format!("{field}: {}", name.text),
    };
    let rationale = format!("name the field `{field}`, the only one that is missing");
    Some(marked.proposal(vec![replace(name.span, &insert)], rationale))
}

/// The pattern without fields that nothing uses.
fn unused(error: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    // `this pattern has 3 fields, but the corresponding tuple variant has 2 fields`
    let numbers: Vec<usize> =
        error.message.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [found, wanted] = numbers.as_slice() else { return None };
    let path: &ProjectPath = error.primary()?.place.project()?;
    let marked = Marked::primary(error, files)?;
    let text = text_of(files, path)?;
    let outline = Outline::of(&text);
    // The compiler marks each field, in any order.
    let primary = error.spans.iter().filter(|it| it.primary).map(|it| it.bytes.start);
    let first = token_at(&outline, primary.min()?);
    let open = first.checked_sub(1).filter(|at| outline.text(*at) == "(")?;
    let close = *outline.close.get(open)?;
    let parts = separated(&outline, open + 1, close);
    if parts.len() != *found {
        return None;
    }
    let scope = scope(&outline, open)?;
    let is_unused = |(start, end): (usize, usize)| {
        let name = outline.text(start);
        end == start + 1
            && name.starts_with(|c: char| c == '_' || c.is_lowercase())
            && !(close..scope).any(|at| match outline.tokens[at].kind {
                TokenKind::Literal => outline.text(at).contains(&format!("{{{name}")),
                _ => name != "_" && outline.text(at) == name,
            })
    };
    let mut surplus = found.checked_sub(*wanted)?;
    let mut kept: Vec<&str> = Vec::new();
    for part in parts.iter().rev() {
        if surplus > 0 && is_unused(*part) {
            surplus -= 1;
        } else {
            kept.push(span_of(&outline, part.0, part.1)?.slice(&text)?);
        }
    }
    if surplus > 0 || kept.is_empty() {
        return None;
    }
    kept.reverse();
    let span = span_of(&outline, parts.first()?.0, parts.last()?.1)?;
    let rationale = "drop the field of the pattern that nothing uses".to_owned();
    Some(marked.proposal(vec![replace(span, &kept.join(", "))], rationale))
}

/// End of the arm with this pattern, or of the block with it.
fn scope(outline: &Outline<'_>, token: usize) -> Option<usize> {
    let around = |it: &&Element| it.kind == ElementKind::Arm && it.start <= token && token < it.end;
    let block = block_around(outline, token)?;
    let arm = outline.elements.iter().filter(around).min_by_key(|it| it.end - it.start);
    match arm.filter(|it| it.start > block) {
        Some(arm) => Some(arm.end),
        None => outline.close.get(block).copied(),
    }
}

#[cfg(test)]
mod tests {
    use crate::OnlyField;
    use crate::fake::{FakeError, check};

    #[test]
    fn the_missing_field_of_a_pattern_is_meant() {
        let twice = || FakeError::new("E0025", "field `a` bound multiple times").at(", «a: y»");
        let one =
            FakeError::new("E0027", "pattern does not mention field `b`").at("«S { a, a: y }»");
        let text = "let S { a, a: y } = s;";
        check(&OnlyField, text, &[twice(), one], &["let S { a, b: y } = s;"]);
        let two = FakeError::new("E0027", "pattern does not mention fields `b`, `c`")
            .at("«S { a, a: y }»");
        check(&OnlyField, text, &[twice(), two], &[]);
    }

    #[test]
    fn the_only_available_field_of_a_literal_is_meant() {
        let error = |at: &str, note: &str| {
            FakeError::new("E0560", "struct `S` has no field named `len`").at(at).note(note, &[])
        };
        check(
            &OnlyField,
            "let s = S { a: 1, len };",
            &[error("«len» }", "available fields are: `size`")],
            &["let s = S { a: 1, size: len };"],
        );
        check(
            &OnlyField,
            "let s = S { len: 1 };",
            &[error("«len»: 1", "available fields are: `size`, `count`")],
            &[],
        );
        check(
            &OnlyField,
            "let s = S { len: 1 };",
            &[error("«len»: 1", "all struct fields are already assigned")],
            &[],
        );
    }

    fn fields(text: &str, at: &str, expected: &[&str]) {
        let message = "this pattern has 3 fields, but the corresponding tuple variant has 2 fields";
        check(&OnlyField, text, &[FakeError::new("E0023", message).at(at)], expected);
    }

    #[test]
    fn an_unused_field_of_a_pattern_is_dropped() {
        fields(
            "match e { E::A(a, b, c) => f(a, c), _ => b }",
            "(«a», b",
            &["match e { E::A(a, c) => f(a, c), _ => b }"],
        );
        fields(
            "match e {\n    E::A(a, _) => {},\n    E::A(a, b, c) => {},\n}",
            "(«a», b, c",
            &["match e {\n    E::A(a, _) => {},\n    E::A(a, b) => {},\n}"],
        );
        fields("match e { E::A(a, b, c) => f(a, b, c) }", "(«a», b, c) =>", &[]);
        fields(
            "fn g() { if let E::A(_, b, c) = e { f(b, c) } }",
            "(«_», b",
            &["fn g() { if let E::A(b, c) = e { f(b, c) } }"],
        );
    }
}
