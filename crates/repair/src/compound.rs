//! Reasoner: `a += b` for a type that has only the plain operator.

use base::Diagnostic;
use edit::Files;
use preserve::outline::{Outline, TokenKind};

use crate::conversions::{is_one_operand, quoted_after};
use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, replace};
use crate::{Fix, Reasoner};

/// For `a += b` of a type that only has the plain operator: `a = a + b`.
pub(crate) struct Compound;

impl Reasoner for Compound {
    fn name(&self) -> &'static str {
        "compound"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| Some(vec![proposal(it, files)?]))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    diagnostic.code.as_deref().filter(|it| *it == "E0368")?;
    let operator = quoted_after(&diagnostic.message, "binary assignment operation")?;
    let of = quoted_after(&diagnostic.message, "to type")?;
    // The numbers have both operators or none.
    if !of.starts_with(|c: char| c.is_uppercase()) && !of.contains("::") {
        return None;
    }
    let marked = Marked::primary(diagnostic, files)?;
    let (left, right) = marked.slice().split_once(operator)?;
    let (left, right) = (left.trim(), right.trim());
    let outline = Outline::of(left);
    // A place without calls, so that it can be written twice.
    let is_place = !left.is_empty()
        && outline.tokens.iter().all(|it| {
            matches!(it.kind, TokenKind::Word | TokenKind::Literal) || it.is(".") || it.is("*")
        });
    if !is_place || right.is_empty() {
        return None;
    }
    let plain = operator.strip_suffix('=')?;
    let right = if is_one_operand(right) { right.to_owned() } else { format!("({right})") };
    let splice = replace(marked.span, &format!("{left} = {left} {plain} {right}"));
    let rationale = format!("write `{operator}` with `{plain}`, which the type has");
    Some(marked.proposal(vec![splice], rationale))
}

#[cfg(test)]
mod tests {
    use crate::Compound;
    use crate::fake::{FakeError, check};

    fn written(text: &str, at: &str, of: &str, expected: &[&str]) {
        let message = format!("binary assignment operation `-=` cannot be applied to type `{of}`");
        check(&Compound, text, &[FakeError::new("E0368", &message).at(at)], expected);
    }

    #[test]
    fn the_plain_operator_is_used() {
        written("self.at -= d;", "«self.at -= d»", "Point", &["self.at = self.at - d;"]);
        written("a -= b - c;", "«a -= b - c»", "m::Point", &["a = a - (b - c);"]);
    }

    #[test]
    fn a_place_with_a_call_is_not_written_twice() {
        written("*next() -= d;", "«*next() -= d»", "Point", &[]);
        written("a[i] -= d;", "«a[i] -= d»", "Point", &[]);
        written("a -= 1;", "«a -= 1»", "bool", &[]);
    }
}
