//! Reasoner: a method whose generic parameters differ from those of its trait.

use base::{ByteSpan, Diagnostic};
use edit::Files;
use preserve::outline::{Outline, TokenKind};

use crate::fix::{Proposal, guesses, text_of};
use crate::impl_shape::function_around;
use crate::marked::{Marked, generics, insert, parameter_name, replace, token_at};
use crate::signature::{separated, span_of};
use crate::{Fix, Reasoner};

/// For a method whose generic parameters do not fit its trait: those of the trait's declaration,
/// with the names of the method (E0049, E0195); without the bound that the trait does not have
/// (E0276).
pub(crate) struct ImplGenerics;

impl Reasoner for ImplGenerics {
    fn name(&self) -> &'static str {
        "impl-generics"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let proposal = match it.code.as_deref()? {
                "E0049" | "E0195" => declared(it, files),
                "E0276" => without_bound(it, files),
                _ => None,
            };
            Some(vec![proposal?])
        })
    }
}

/// The generic parameters of the trait's declaration.
fn declared(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::primary(diagnostic, files)?;
    let outline = Outline::of(&marked.text);
    let own = function_around(&outline, marked.span.start)?;
    let name = outline.text(own.name);
    let notes = diagnostic.children.iter().flat_map(|it| &it.spans);
    let wanted = diagnostic.spans.iter().chain(notes).find_map(|span| {
        let path = span.place.project().filter(|_| span.expansion.is_none())?;
        let text = text_of(files, path)?;
        let of_trait = Outline::of(&text);
        let found = function_around(&of_trait, span.bytes.start)?;
        let is_own = path == marked.path && found.name == own.name;
        if is_own || of_trait.text(found.name) != name {
            return None;
        }
        let (open, close) = generics(&of_trait, found.name + 1)?;
        let list = span_of(&of_trait, open, close + 1)?.slice(&text)?.to_owned();
        Some(list)
    })?;
    let rationale = format!("give `{name}` the generic parameters that its trait declares");
    let Some((open, close)) = generics(&outline, own.name + 1) else {
        let at = outline.tokens[own.name].span.end;
        return Some(marked.proposal(vec![insert(at, &wanted)], rationale));
    };
    let list = renamed(&wanted, &names(&outline, open, close))?;
    let span = span_of(&outline, open, close + 1)?;
    Some(marked.proposal(vec![replace(span, &list)], rationale))
}

/// The names that a list of generic parameters declares.
fn names<'a>(outline: &Outline<'a>, open: usize, close: usize) -> Vec<&'a str> {
    let parts = separated(outline, open + 1, close).into_iter();
    parts.map(|(start, _)| parameter_name(outline, start)).collect()
}

/// The list with these names instead of its own; `None` if it has another number of parameters.
fn renamed(list: &str, names_of_method: &[&str]) -> Option<String> {
    let outline = Outline::of(list);
    let names = names(&outline, 0, outline.tokens.len().checked_sub(1)?);
    let is_lifetime = |it: &&str| it.starts_with('\'');
    let fits = names.len() == names_of_method.len()
        && names.iter().zip(names_of_method).all(|(a, b)| is_lifetime(a) == is_lifetime(b));
    if !fits {
        return None;
    }
    let mut text = list.to_owned();
    for token in outline.tokens.iter().rev() {
        let found = names.iter().position(|it| token.is(it));
        if let Some(nth) = found.filter(|_| token.kind != TokenKind::Punctuation) {
            text.replace_range(token.span.start..token.span.end, names_of_method[nth]);
        }
    }
    Some(text)
}

/// Removes the bound that the trait does not require.
fn without_bound(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::primary(diagnostic, files)?;
    let outline = Outline::of(&marked.text);
    let start = token_at(&outline, marked.span.start);
    let end = token_at(&outline, marked.span.end);
    let (before, after) = (outline.before(start, 1), outline.text(end));
    let span = match (before, after) {
        ("+", _) => span_of(&outline, start - 1, end)?,
        (":", "+") => {
            let next = outline.tokens.get(end + 1)?.span.start;
            ByteSpan::new(marked.span.start, next)
        }
        (":", _) => without_predicate(&outline, start - 1, end)?,
        _ => return None,
    };
    // With the space before `+`.
    let gap = marked.text.get(..span.start)?;
    let blank = if before == "+" { gap.len() - gap.trim_end().len() } else { 0 };
    let span = ByteSpan::new(span.start - blank, span.end);
    let rationale = format!("drop the bound `{}`, which the trait does not have", marked.slice());
    Some(marked.proposal(vec![replace(span, "")], rationale))
}

/// The bytes of `: Bound` in generic parameters, or of the predicate of a `where` clause.
fn without_predicate(outline: &Outline<'_>, colon: usize, end: usize) -> Option<ByteSpan> {
    let mut depth = 0_i32;
    let mut start = colon;
    loop {
        let before = outline.before(start, 1);
        match before {
            ">" | ")" | "]" => depth += 1,
            "(" | "[" => depth -= 1,
            "<" if depth == 0 => return span_of(outline, colon, end),
            "<" => depth -= 1,
            "where" | "," if depth == 0 => break,
            "" | ";" | "{" | "}" => return None,
            _ => {}
        }
        start -= 1;
    }
    let first = outline.tokens.get(start)?.span.start;
    let last = outline.tokens.get(end.checked_sub(1)?)?.span.end;
    let is_where = outline.before(start, 1) == "where";
    match (is_where, outline.text(end)) {
        // Another predicate follows.
        (_, ",") if !matches!(outline.text(end + 1), "{" | ";") => {
            Some(ByteSpan::new(first, outline.tokens.get(end + 1)?.span.start))
        }
        (true, next) => {
            let comma = usize::from(next == ",");
            let until = outline.tokens.get(end + comma)?.span.start;
            Some(ByteSpan::new(outline.tokens.get(start - 1)?.span.start, until))
        }
        // In generic parameters, or the last of several.
        (false, _) => {
            let in_where = (0..start).rev().take_while(|at| outline.text(*at) != "fn");
            match in_where.into_iter().any(|at| outline.text(at) == "where") {
                true => Some(ByteSpan::new(outline.tokens[start - 1].span.start, last)),
                false => span_of(outline, colon, end),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ImplGenerics;
    use crate::fake::{FakeError, check};

    #[test]
    fn lifetimes_get_the_bounds_of_the_trait_and_keep_their_names() {
        let error = FakeError::new("E0195", "lifetime parameters do not match")
            .at("fn f<«'x», 'y, T>(")
            .note("`'a` differs between the trait and impl", &[("fn f<«'a»: 'b", true)]);
        check(
            &ImplGenerics,
            "trait R { fn f<'a: 'b, 'b, U: Clone>(a: &'a u8, u: U); }\nimpl R for S { fn f<'x, 'y, T>(a: &'x u8, u: T) {} }",
            &[error],
            &[
                "trait R { fn f<'a: 'b, 'b, U: Clone>(a: &'a u8, u: U); }\nimpl R for S { fn f<'x: 'y, 'y, T: Clone>(a: &'x u8, u: T) {} }",
            ],
        );
    }

    #[test]
    fn missing_parameters_are_those_of_the_trait() {
        let error = |at: &str| {
            FakeError::new("E0049", "method `map` has 0 type parameters")
                .at(at)
                .label("map<«U»: Clone", "expected 1 type parameter")
        };
        check(
            &ImplGenerics,
            "trait R { fn map<U: Clone>(&self, u: U); }\nimpl R for S { fn map(&self, u: u8) {} }",
            &[error("fn «map»(&self, u: u8)")],
            &[
                "trait R { fn map<U: Clone>(&self, u: U); }\nimpl R for S { fn map<U: Clone>(&self, u: u8) {} }",
            ],
        );
        // Which of the two stays is not known.
        check(
            &ImplGenerics,
            "trait R { fn map<U: Clone>(&self, u: U); }\nimpl R for S { fn map<A, B>(&self, u: A) {} }",
            &[error("fn «map»<A, B>")],
            &[],
        );
    }

    #[test]
    fn a_bound_that_the_trait_lacks_is_dropped() {
        let bound = |head: &str, at: &str, expected: &str| {
            let text = format!("impl R for S {{ fn f<{head} {{}} }}");
            let expected = format!("impl R for S {{ fn f<{expected} {{}} }}");
            let error = FakeError::new("E0276", "impl has stricter requirements").at(at);
            check(&ImplGenerics, &text, &[error], &[&expected]);
        };
        bound("T: Copy>(t: T)", "T: «Copy»", "T>(t: T)");
        bound("T: Clone + Copy>(t: T)", "+ «Copy»", "T: Clone>(t: T)");
        bound("T: Copy + Clone>(t: T)", "T: «Copy»", "T: Clone>(t: T)");
        bound("T>(t: T) where T: Copy", "T: «Copy»", "T>(t: T)");
        bound("T>(t: T) where T: Copy, U: X", "T: «Copy»", "T>(t: T) where U: X");
        bound("T>(t: T) where U: X, T: Copy", "T: «Copy»", "T>(t: T) where U: X");
    }
}
