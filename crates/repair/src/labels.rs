//! Reasoner: labels of loops that `break` and `continue` need.

use base::Diagnostic;
use edit::Files;
use preserve::outline::{Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, block_around, insert, token_at};
use crate::{Fix, Reasoner};

/// For `break` and `continue` that need a label: the only loop around them gets the label that they
/// name (E0426), or the innermost loop one that they then name (E0695).
pub(crate) struct Labels;

impl Reasoner for Labels {
    fn name(&self) -> &'static str {
        "labels"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let code = it.code.as_deref()?;
            let marked = Marked::primary(it, files)?;
            let outline = Outline::of(&marked.text);
            let token = token_at(&outline, marked.span.start);
            let loops = loops(&outline, token);
            let proposal = match (code, loops.as_slice()) {
                ("E0426", [only]) if only.label.is_none() => {
                    let label = marked.slice();
                    let at = outline.tokens.get(only.keyword)?.span.start;
                    let rationale = format!("label the loop `{label}`");
                    marked.proposal(vec![insert(at, &format!("{label}: "))], rationale)
                }
                ("E0695", [inner, ..]) => labelled(&marked, &outline, inner, token)?,
                _ => return None,
            };
            Some(vec![proposal])
        })
    }
}

/// A loop, by the token of its keyword and its label.
struct Loop<'a> {
    keyword: usize,
    label: Option<&'a str>,
}

/// The loops around a token in its function or closure, innermost first.
fn loops<'a>(outline: &Outline<'a>, token: usize) -> Vec<Loop<'a>> {
    let mut found = Vec::new();
    let mut inside = token;
    while let Some(open) = block_around(outline, inside) {
        let mut start = open;
        while start > 0 && !matches!(outline.before(start, 1), ";" | "{" | "}" | "=>") {
            start -= 1;
        }
        let header = start..open;
        if header.clone().any(|at| matches!(outline.text(at), "fn" | "|" | "||" | "async")) {
            break;
        }
        let keyword =
            header.clone().rev().find(|at| matches!(outline.text(*at), "loop" | "while" | "for"));
        if let Some(keyword) = keyword {
            let is_labelled = outline.before(keyword, 1) == ":"
                && keyword > 1
                && outline.tokens[keyword - 2].kind == TokenKind::Lifetime;
            let label = is_labelled.then(|| outline.before(keyword, 2));
            found.push(Loop { keyword, label });
        }
        inside = open;
    }
    found
}

/// Names the loop, and the loop in the statement.
fn labelled(
    marked: &Marked<'_>,
    outline: &Outline<'_>,
    inner: &Loop<'_>,
    token: usize,
) -> Option<Proposal> {
    let word = outline.tokens.get(token).filter(|it| it.is("break") || it.is("continue"))?;
    let is_free = |name: &String| !outline.tokens.iter().any(|it| it.is(name));
    let (label, declare) = match inner.label {
        Some(label) => (label.to_owned(), None),
        None => {
            let names = ["'outer", "'outer_loop", "'enclosing"];
            let label = names.into_iter().map(str::to_owned).find(is_free)?;
            let at = outline.tokens.get(inner.keyword)?.span.start;
            let declare = insert(at, &format!("{label}: "));
            (label, Some(declare))
        }
    };
    let named = insert(word.span.end, &format!(" {label}"));
    let rationale = format!("`{}` the loop around the block by its label", word.text);
    Some(marked.proposal(declare.into_iter().chain([named]).collect(), rationale))
}

#[cfg(test)]
mod tests {
    use crate::Labels;
    use crate::fake::{FakeError, check};

    #[test]
    fn the_only_loop_gets_the_label() {
        let error = |at: &str| FakeError::new("E0426", "use of undeclared label `'a`").at(at);
        check(
            &Labels,
            "fn f() { while g() { if h() { break 'a; } } }",
            &[error("break «'a»")],
            &["fn f() { 'a: while g() { if h() { break 'a; } } }"],
        );
        check(&Labels, "fn f() { loop { loop { break 'a; } } }", &[error("break «'a»")], &[]);
        check(&Labels, "fn f() { loop { g(|| { break 'a; }) } }", &[error("break «'a»")], &[]);
    }

    #[test]
    fn the_innermost_loop_is_named() {
        let error = |at: &str| FakeError::new("E0695", "unlabeled `break`").at(at);
        check(
            &Labels,
            "fn f() { loop { for i in a { 'b: { break; } } } }",
            &[error("{ «break»;")],
            &["fn f() { loop { 'outer: for i in a { 'b: { break 'outer; } } } }"],
        );
        check(
            &Labels,
            "fn f() { 'x: loop { 'b: { continue; } } }",
            &[error("{ «continue»;")],
            &["fn f() { 'x: loop { 'b: { continue 'x; } } }"],
        );
        check(&Labels, "fn f() { 'b: { continue; } }", &[error("{ «continue»;")], &[]);
    }
}
