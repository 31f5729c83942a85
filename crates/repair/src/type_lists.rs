//! Reasoner: lists in types, bounds and parameters that have one right form only.

use base::{ByteSpan, Diagnostic};
use edit::Files;
use preserve::outline::{Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, labelled, replace, token_at};
use crate::signature::{separated, skip_generics, span_of};
use crate::{Fix, Reasoner};

/// For lists in types that the compiler reads in one way only: a bound or an associated type that is
/// written twice stays once (E0203, E0719); lifetimes come before types (E0747), and are left to
/// inference where they cannot be written (E0794); a parameter without a body has no pattern (E0130,
/// E0561).
pub(crate) struct TypeLists;

impl Reasoner for TypeLists {
    fn name(&self) -> &'static str {
        "type-lists"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let marked = Marked::primary(it, files)?;
            let outline = Outline::of(&marked.text);
            let proposal = match it.code.as_deref()? {
                "E0203" => repeated_bound(it, &marked, &outline),
                "E0719" => repeated_type(it, &marked, &outline),
                "E0747" => lifetimes_first(&marked, &outline),
                "E0794" => without_lifetimes(&marked, &outline),
                "E0130" | "E0561" => named(&marked),
                _ => None,
            };
            Some(vec![proposal?])
        })
    }
}

/// The bytes from the end of the token before the separator to the end of the marked place.
fn with_separator(outline: &Outline<'_>, span: ByteSpan, separator: &str) -> Option<ByteSpan> {
    let token = token_at(outline, span.start);
    if outline.before(token, 1) != separator {
        return None;
    }
    Some(ByteSpan::new(outline.tokens.get(token.checked_sub(2)?)?.span.end, span.end))
}

/// The second of two equal bounds.
fn repeated_bound(
    diagnostic: &Diagnostic,
    marked: &Marked<'_>,
    outline: &Outline<'_>,
) -> Option<Proposal> {
    let same = |span: ByteSpan| span.slice(&marked.text) == Some(marked.slice());
    let all = diagnostic.spans.iter().filter(|it| it.place.project() == Some(marked.path));
    let last = all.map(|it| it.bytes).filter(|it| same(*it)).max()?;
    let span = with_separator(outline, last, "+").filter(|_| last != marked.span)?;
    let rationale = format!("write the bound `{}` once", marked.slice());
    Some(marked.proposal(vec![replace(span, "")], rationale))
}

/// The second of two equal associated types.
fn repeated_type(
    diagnostic: &Diagnostic,
    marked: &Marked<'_>,
    outline: &Outline<'_>,
) -> Option<Proposal> {
    let first = labelled(diagnostic, "bound here first")?.bytes.slice(&marked.text)?;
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    if bare(first) != bare(marked.slice()) {
        return None;
    }
    let span = with_separator(outline, marked.span, ",")?;
    let rationale = format!("write `{first}` once");
    Some(marked.proposal(vec![replace(span, "")], rationale))
}

/// The tokens `<` and `>` around a token.
fn list_around(outline: &Outline<'_>, token: usize) -> Option<(usize, usize)> {
    let mut at = token;
    while at > 0 && !matches!(outline.before(at, 1), ";" | "{" | "}") {
        at -= 1;
        if outline.text(at) == "<" {
            let end = skip_generics(outline, at)?;
            if end > token {
                return Some((at, end - 1));
            }
        }
    }
    None
}

/// The arguments with the lifetimes before the others.
fn lifetimes_first(marked: &Marked<'_>, outline: &Outline<'_>) -> Option<Proposal> {
    let (open, close) = list_around(outline, token_at(outline, marked.span.start))?;
    let parts = separated(outline, open + 1, close);
    let is_lifetime = |part: &&(usize, usize)| {
        part.1 == part.0 + 1 && outline.tokens[part.0].kind == TokenKind::Lifetime
    };
    let lifetimes = parts.iter().filter(is_lifetime);
    let others = parts.iter().filter(|it| !is_lifetime(it));
    let ordered: Option<Vec<&str>> = lifetimes
        .chain(others)
        .map(|(start, end)| span_of(outline, *start, *end)?.slice(&marked.text))
        .collect();
    let span = span_of(outline, open + 1, close)?;
    let insert = ordered?.join(", ");
    if span.slice(&marked.text) == Some(insert.as_str()) {
        return None;
    }
    let rationale = "write the lifetimes before the types".to_owned();
    Some(marked.proposal(vec![replace(span, &insert)], rationale))
}

/// The arguments without lifetimes.
fn without_lifetimes(marked: &Marked<'_>, outline: &Outline<'_>) -> Option<Proposal> {
    let (open, close) = list_around(outline, token_at(outline, marked.span.start))?;
    let parts = separated(outline, open + 1, close);
    let others: Vec<&str> = parts
        .iter()
        .filter(|(start, _)| outline.tokens[*start].kind != TokenKind::Lifetime)
        .filter_map(|(start, end)| span_of(outline, *start, *end)?.slice(&marked.text))
        .collect();
    let is_turbofish = outline.before(open, 1) == "::";
    let (from, insert) = match others.is_empty() {
        true => (open - usize::from(is_turbofish), String::new()),
        false => (open, format!("<{}>", others.join(", "))),
    };
    let span = span_of(outline, from, close + 1)?;
    let rationale = "leave the lifetime to inference".to_owned();
    Some(marked.proposal(vec![replace(span, &insert)], rationale))
}

/// The name in a pattern, or `_`.
fn named(marked: &Marked<'_>) -> Option<Proposal> {
    let pattern = marked.slice();
    let is_name = |it: &str| !it.is_empty() && it.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut name = pattern.trim_start_matches('&').trim_start();
    for sign in ["ref ", "mut "] {
        name = name.strip_prefix(sign).unwrap_or(name).trim_start();
    }
    let name = if is_name(name) { name } else { "_" };
    if pattern == name {
        return None;
    }
    let rationale = format!("name the parameter `{name}`, since it has no body");
    Some(marked.proposal(vec![replace(marked.span, name)], rationale))
}

#[cfg(test)]
mod tests {
    use crate::TypeLists;
    use crate::fake::{FakeError, check};

    fn fixed(code: &str, text: &str, at: &str, expected: &[&str]) {
        check(&TypeLists, text, &[FakeError::new(code, "error").at(at)], expected);
    }

    #[test]
    fn what_is_written_twice_is_written_once() {
        let error = |second: &str| {
            FakeError::new("E0203", "duplicate bounds").at("T: «?Sized» +").label(second, "")
        };
        check(
            &TypeLists,
            "struct S<T: ?Sized + A + ?Sized>(T);",
            &[error("A + «?Sized»>")],
            &["struct S<T: ?Sized + A>(T);"],
        );
        let error = |text: &str| {
            FakeError::new("E0719", "already specified")
                .at(text)
                .label("<«Item = u8»,", "`Item` bound here first")
        };
        check(
            &TypeLists,
            "type A = dyn Iterator<Item = u8, Item=u8>;",
            &[error(", «Item=u8»>")],
            &["type A = dyn Iterator<Item = u8>;"],
        );
        let text = "type A = dyn Iterator<Item = u8, Item = u16>;";
        check(&TypeLists, text, &[error(", «Item = u16»>")], &[]);
    }

    #[test]
    fn lifetimes_come_first_or_are_inferred() {
        fixed(
            "E0747",
            "fn f(s: S<Vec<u8>, u8, 'static>) {}",
            "<«Vec<u8>»,",
            &["fn f(s: S<'static, Vec<u8>, u8>) {}"],
        );
        fixed("E0747", "fn f(s: S<'static, u8>) {}", ", «u8»>", &[]);
        fixed("E0794", "let f = g::<'static>;", "«'static»", &["let f = g;"]);
        fixed("E0794", "g::<'_, u8>(a)", "«'_»", &["g::<u8>(a)"]);
    }

    #[test]
    fn a_pattern_without_a_body_is_a_name() {
        fixed("E0130", "extern { fn f((a, b): C); }", "«(a, b)»", &["extern { fn f(_: C); }"]);
        fixed("E0561", "type F = fn(&mut a: u8);", "«&mut a»", &["type F = fn(a: u8);"]);
        fixed("E0561", "type F = fn(a: u8);", "«a»", &[]);
    }
}
