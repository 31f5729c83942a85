//! Reasoner: closures and variables whose written types or parameters do not fit their context.

use base::{ByteSpan, Diagnostic};
use edit::Files;
use preserve::outline::{Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, labelled, replace, token_at};
use crate::signature::{separated, span_of};
use crate::{Fix, Reasoner};

/// For a closure or variable whose written types are not those that its context gives: leaves the
/// type to inference (E0521, E0562, E0631). For a closure with too many parameters: drops those that
/// its body does not use (E0593).
pub(crate) struct Closures;

impl Reasoner for Closures {
    fn name(&self) -> &'static str {
        "closures"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let proposal = match it.code.as_deref()? {
                "E0593" => unused_parameters(it, files),
                "E0631" => {
                    let span = labelled(it, "found signature defined here")?;
                    untyped(&Marked::of(span, files)?)
                }
                "E0521" => {
                    let span =
                        labelled(it, "is a reference that is only valid in the closure body")?;
                    let marked = Marked::of(span, files)?;
                    let outline = Outline::of(&marked.text);
                    let colon = token_at(&outline, marked.span.end);
                    let types: Vec<ByteSpan> = annotation(&outline, colon).into_iter().collect();
                    inferred(&marked, &types)
                }
                "E0562" if it.message.contains("in the type of variable bindings") => {
                    let marked = Marked::primary(it, files)?;
                    let outline = Outline::of(&marked.text);
                    let colon = token_at(&outline, marked.span.start).checked_sub(1)?;
                    let span = span_of(&outline, colon, token_at(&outline, marked.span.end))?;
                    inferred(&marked, &[span])
                }
                _ => None,
            };
            Some(vec![proposal?])
        })
    }
}

fn inferred(marked: &Marked<'_>, types: &[ByteSpan]) -> Option<Proposal> {
    let is_annotation =
        |it: &&ByteSpan| it.slice(&marked.text).is_some_and(|it| it.starts_with(':'));
    let splices: Vec<_> =
        types.iter().filter(is_annotation).map(|span| replace(*span, "")).collect();
    if splices.is_empty() {
        return None;
    }
    Some(marked.proposal(splices, "leave the type to inference".to_owned()))
}

/// The closure at the marked parameters, without their types.
fn untyped(marked: &Marked<'_>) -> Option<Proposal> {
    let outline = Outline::of(&marked.text);
    let (open, close) = parameters(&outline, token_at(&outline, marked.span.start))?;
    let types: Vec<ByteSpan> = separated(&outline, open + 1, close)
        .into_iter()
        .filter_map(|(start, end)| {
            let colon = (start..end).find(|at| outline.text(*at) == ":")?;
            span_of(&outline, colon, end)
        })
        .collect();
    inferred(marked, &types)
}

/// The tokens `|` around the parameters of the closure that begins here.
fn parameters(outline: &Outline<'_>, start: usize) -> Option<(usize, usize)> {
    let open = (start..start + 3).find(|at| outline.text(*at) == "|")?;
    let mut at = open + 1;
    while outline.text(at) != "|" {
        at = match outline.text(at) {
            "" | ";" | "{" | "}" => return None,
            "(" | "[" => *outline.close.get(at)? + 1,
            _ => at + 1,
        };
    }
    Some((open, at))
}

/// `: Type` up to the next parameter.
fn annotation(outline: &Outline<'_>, colon: usize) -> Option<ByteSpan> {
    if outline.text(colon) != ":" {
        return None;
    }
    let mut depth = 0_i32;
    let mut at = colon + 1;
    loop {
        match outline.text(at) {
            "" | ";" | "{" | "}" => return None,
            "," | "|" if depth <= 0 => return span_of(outline, colon, at),
            "<" => depth += 1,
            ">" => depth -= 1,
            "(" | "[" => at = *outline.close.get(at)?,
            _ => {}
        }
        at += 1;
    }
}

/// Drops as many parameters as are too many, the last ones that the body does not use.
fn unused_parameters(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    // `closure is expected to take 0 arguments, but it takes 1 argument`
    let numbers: Vec<usize> =
        diagnostic.message.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    let [wanted, found] = numbers.as_slice() else { return None };
    let own = labelled(diagnostic, "takes ")?;
    let marked = Marked::of(own, files)?;
    let outline = Outline::of(&marked.text);
    let (open, close) = parameters(&outline, token_at(&outline, marked.span.start))?;
    let parts = separated(&outline, open + 1, close);
    if parts.len() != *found {
        return None;
    }
    let mut surplus = found.checked_sub(*wanted)?;
    let mut at = close + 1;
    while !matches!(outline.text(at), "" | "," | ";" | ")" | "]" | "}") {
        at = outline.close.get(at).copied().unwrap_or(at) + 1;
    }
    let body = &outline.tokens[close + 1..at.min(outline.tokens.len())];
    let is_unused = |(start, end): (usize, usize)| {
        let names = outline.tokens[start..end].iter().filter(|it| it.kind == TokenKind::Word);
        names.clone().count() == 1
            && names.into_iter().all(|name| {
                !body.iter().any(|it| match it.kind {
                    TokenKind::Literal => it.text.contains(&format!("{{{}", name.text)),
                    _ => it.is(name.text),
                })
            })
    };
    let mut kept: Vec<&str> = Vec::new();
    for part in parts.iter().rev() {
        if surplus > 0 && is_unused(*part) {
            surplus -= 1;
        } else {
            kept.push(span_of(&outline, part.0, part.1)?.slice(&marked.text)?);
        }
    }
    if surplus > 0 {
        return None;
    }
    kept.reverse();
    let span = span_of(&outline, open, close + 1)?;
    let rationale = "drop the parameter that the closure does not use".to_owned();
    Some(marked.proposal(vec![replace(span, &format!("|{}|", kept.join(", ")))], rationale))
}

#[cfg(test)]
mod tests {
    use crate::Closures;
    use crate::fake::{FakeError, check};

    #[test]
    fn the_types_of_parameters_are_inferred() {
        let error = |at: &str| {
            FakeError::new("E0631", "type mismatch in closure arguments")
                .at("f(«»")
                .label(at, "found signature defined here")
        };
        check(
            &Closures,
            "f(|a: &str, (b, c): (u8, A<u8, u8>), d| a);",
            &[error("«|a: &str, (b, c): (u8, A<u8, u8>), d|»")],
            &["f(|a, (b, c), d| a);"],
        );
        check(&Closures, "f(|a| a);", &[error("«|a|»")], &[]);
        check(&Closures, "f(g); fn g(a: &str) {}", &[error("«fn g(a: &str)»")], &[]);
    }

    #[test]
    fn the_type_of_a_variable_is_inferred() {
        let error =
            FakeError::new("E0562", "`impl Trait` is not allowed in the type of variable bindings");
        check(
            &Closures,
            "let a: impl Iterator<Item = u8> = 0..1;",
            &[error.at("«impl Iterator<Item = u8>»")],
            &["let a = 0..1;"],
        );
        let error = FakeError::new("E0521", "borrowed data escapes outside of closure")
            .at("«v.push(e)»")
            .label("|«e»:", "`e` is a reference that is only valid in the closure body");
        check(
            &Closures,
            "let f = |e: &A<u8, u8>, n: u8| v.push(e);",
            &[error],
            &["let f = |e, n: u8| v.push(e);"],
        );
    }

    #[test]
    fn an_unused_parameter_is_dropped() {
        let error = |at: &str, wanted: usize, found: usize| {
            let message = format!(
                "closure is expected to take {wanted} argument, but it takes {found} arguments"
            );
            FakeError::new("E0593", &message).at("f(«»").label(at, "takes arguments")
        };
        check(&Closures, "f(|a, b| a + 1);", &[error("«|a, b|»", 1, 2)], &["f(|a| a + 1);"]);
        check(&Closures, "f(move |_| 1);", &[error("«move |_|»", 0, 1)], &["f(move || 1);"]);
        check(&Closures, "f(|a, b| println!(\"{a}{b}\"));", &[error("«|a, b|»", 1, 2)], &[]);
    }
}
