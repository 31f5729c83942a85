//! Reasoner: a variable that is dropped while something outside of its block borrows it.

use base::Diagnostic;
use edit::Files;
use preserve::outline::{Element, ElementKind, Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, block_around, insert, labelled, replace, statement_text, token_at};
use crate::signature::span_of;
use crate::{Fix, Reasoner};

/// For a variable that is dropped at the end of a block while something outside borrows it: declares
/// it before the block. Only its end moves: it is the first statement of the block, or a literal.
pub(crate) struct LongerLife;

impl Reasoner for LongerLife {
    fn name(&self) -> &'static str {
        "longer-life"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| Some(vec![proposal(it, files)?]))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    diagnostic.code.as_deref().filter(|it| *it == "E0597")?;
    let marked = Marked::of(labelled(diagnostic, "declared here")?, files)?;
    let text = &*marked.text;
    let outline = Outline::of(text);
    let name = token_at(&outline, marked.span.start);
    let declared = outline.elements.iter().find(|it| {
        it.kind == ElementKind::Statement
            && it.start <= name
            && name < it.end
            && outline.text(it.start) == "let"
            && block_around(&outline, it.start) == block_around(&outline, name)
    })?;
    let is_plain = matches!(name - declared.start, 1 | 2)
        && outline.tokens[name].kind == TokenKind::Word
        && outline.before(declared.end, 1) == ";";
    let open = block_around(&outline, name)?;
    let is_first = declared.start == open + 1;
    if !is_plain || !(is_first || is_literal(&outline, declared)) {
        return None;
    }
    let outer = plain_block(&outline, open)?;
    let close = *outline.close.get(open)?;
    let around = block_around(&outline, outer)?;
    let until = outline.close.get(around).copied().unwrap_or(outline.tokens.len());
    let is_elsewhere = (around..open).chain(close..until).any(|at| {
        let token = &outline.tokens[at];
        token.is(outline.text(name))
            || token.kind == TokenKind::Literal
                && token.text.contains(&format!("{{{}", outline.text(name)))
    });
    if is_elsewhere {
        return None;
    }
    let own = span_of(&outline, declared.start, declared.end)?;
    let at = outline.tokens[outer].span.start;
    let line = text.get(..at)?.rsplit('\n').next()?;
    let separator = if line.trim().is_empty() { format!("\n{line}") } else { " ".to_owned() };
    let (taken, moved) = statement_text(text, own)?;
    let moved = insert(at, &format!("{moved}{separator}"));
    let rationale =
        format!("declare `{}` before the block, so that it lives longer", outline.text(name));
    Some(marked.proposal(vec![moved, replace(taken, "")], rationale))
}

/// The first token of the statement that is this block, or a `let` of its value.
fn plain_block(outline: &Outline<'_>, open: usize) -> Option<usize> {
    match outline.before(open, 1) {
        ";" | "{" | "}" => Some(open),
        "=" => {
            let statement = |it: &&Element| {
                it.kind == ElementKind::Statement
                    && it.start < open
                    && open < it.end
                    && outline.text(it.start) == "let"
            };
            let found =
                outline.elements.iter().filter(statement).min_by_key(|it| it.end - it.start)?;
            (block_around(outline, found.start) == block_around(outline, open))
                .then_some(found.start)
        }
        _ => None,
    }
}

/// Whether the initializer is a literal.
fn is_literal(outline: &Outline<'_>, declared: &Element) -> bool {
    let equals = (declared.start..declared.end).find(|at| outline.text(*at) == "=");
    equals.is_some_and(|at| {
        at + 3 == declared.end && outline.tokens[at + 1].kind == TokenKind::Literal
    })
}

#[cfg(test)]
mod tests {
    use crate::LongerLife;
    use crate::fake::{FakeError, check};

    fn error(declared: &str, at: &str) -> FakeError {
        FakeError::new("E0597", "`name` does not live long enough")
            .at(at)
            .label(declared, "binding `name` declared here")
    }

    #[test]
    fn a_variable_is_declared_before_its_block() {
        check(
            &LongerLife,
            "fn f() {\n    {\n        let name = read();\n        keep.set(&name);\n    }\n    show(keep);\n}\n",
            &[error("let «name» = read", "(«&name»)")],
            &[
                "fn f() {\n    let name = read();\n    {\n        keep.set(&name);\n    }\n    show(keep);\n}\n",
            ],
        );
    }

    #[test]
    fn the_block_may_be_the_value_of_a_variable() {
        check(
            &LongerLife,
            "fn f() { let p = { let mut name = read(); last(&name) }; show(p); }",
            &[error("mut «name» =", "last(«&name»)")],
            &["fn f() { let mut name = read(); let p = { last(&name) }; show(p); }"],
        );
    }

    #[test]
    fn the_order_of_calls_and_the_meaning_of_names_stay() {
        let at = "(«&name»)";
        for text in [
            "fn f() { { start(); let name = read(); keep(&name); } show(); }",
            "fn f(name: u8) { { let name = read(); keep(&name); } show(name); }",
            "fn f() { if c { let name = read(); keep(&name); } show(); }",
            "fn f() { let g = || { let name = read(); keep(&name); }; show(); }",
        ] {
            check(&LongerLife, text, &[error("let «name» =", at)], &[]);
        }
        check(
            &LongerLife,
            "fn f() { { start(); let name = 0; keep(&name); } show(); }",
            &[error("let «name» =", at)],
            &["fn f() { let name = 0; { start(); keep(&name); } show(); }"],
        );
    }
}
