//! Reasoner: two borrows that exclude each other: one of them is made where it is used.

use base::Diagnostic;
use change::{Guess, GuessKind};
use edit::Files;
use preserve::outline::{Element, ElementKind, Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{
    Marked, block_around, indent_at, insert, is_written, labelled, replace, statement_text,
    token_at,
};
use crate::signature::span_of;
use crate::{Fix, Reasoner};

/// For two borrows that exclude each other: makes one of them where it is used. A `let` that only
/// borrows, or only creates a closure, does nothing yet, so it may move past the other statements:
/// what it refers to is the same there. Whether the old or the new value was meant is a guess if a
/// shared borrow moves past a change of the value.
pub(crate) struct BorrowOrder;

const CODES: &[&str] = &["E0499", "E0500", "E0501", "E0502", "E0503", "E0506", "E0524"];
/// Labels of the earlier borrow.
const EARLIER: &[&str] = &[
    "first mutable borrow occurs here",
    "first borrow occurs here",
    "immutable borrow occurs here",
    "mutable borrow occurs here",
    "is borrowed here",
    "first closure is constructed here",
    "closure construction occurs here",
    "borrow occurs here",
];

impl Reasoner for BorrowOrder {
    fn name(&self) -> &'static str {
        "borrow-order"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| proposals(it, files))
    }
}

fn proposals(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    diagnostic.code.as_deref().filter(|it| CODES.contains(it))?;
    let marked = Marked::primary(diagnostic, files)?;
    let used = labelled(diagnostic, "later used here").filter(|it| is_written(it))?;
    let earlier = diagnostic.spans.iter().find(|it| {
        !it.primary && EARLIER.iter().any(|words| it.label.as_deref().unwrap_or("").contains(words))
    });
    let outline = Outline::of(&marked.text);
    let mut proposals = Vec::new();
    if let Some(earlier) = earlier
        && let Some(mut proposal) = later(&marked, &outline, earlier.bytes.start, used.bytes.start)
    {
        let may_change = matches!(diagnostic.code.as_deref(), Some("E0502" | "E0506"));
        if may_change && let Some(borrow) = earlier.bytes.slice(&marked.text) {
            let is_shared = borrow.starts_with('&') && !borrow.starts_with("&mut");
            let moved = proposal.splices.iter().find(|it| it.span.is_empty());
            let guess = moved.filter(|_| is_shared);
            let guess = guess.and_then(|it| Guess::of(marked.path, it, borrow, GuessKind::Value));
            proposal.guesses.extend(guess);
        }
        proposals.push(proposal);
    }
    proposals.extend(after_use(&marked, &outline, used.bytes.start));
    Some(proposals)
}

/// Moves the earlier borrow before the statement that uses it.
fn later(marked: &Marked<'_>, outline: &Outline<'_>, from: usize, used: usize) -> Option<Proposal> {
    let borrow = lazy_let(outline, token_at(outline, from))?;
    let user = sibling(outline, borrow, token_at(outline, used))?;
    if user.start <= borrow.end || mentions(outline, borrow.name, borrow.end, user.start) {
        return None;
    }
    let at = outline.tokens[user.start].span.start;
    let rationale = format!("borrow `{}` where it is used", outline.text(borrow.name));
    moved(marked, outline, borrow, at, rationale)
}

/// Moves the later borrow after the last use of the earlier one.
fn after_use(marked: &Marked<'_>, outline: &Outline<'_>, used: usize) -> Option<Proposal> {
    let borrow = lazy_let(outline, token_at(outline, marked.span.start))?;
    let user = sibling(outline, borrow, token_at(outline, used))?;
    if user.start < borrow.end || mentions(outline, borrow.name, borrow.end, user.end) {
        return None;
    }
    let next = outline.tokens.get(user.end)?;
    let name = outline.text(borrow.name);
    let rationale = format!("borrow `{name}` after the last use of the other borrow");
    // After the comment behind the statement.
    let end = outline.tokens[user.end - 1].span.end;
    let gap = marked.text.get(end..next.span.start)?;
    match gap.find('\n') {
        Some(line) => {
            let indent = indent_at(&marked.text, outline.tokens[user.start].span.start);
            moved_to_line(marked, outline, borrow, end + line, &format!("\n{indent}"), rationale)
        }
        None => moved_to_line(marked, outline, borrow, end, " ", rationale),
    }
}

/// A `let` without effect.
#[derive(Clone, Copy)]
struct LazyLet {
    start: usize,
    end: usize,
    /// Token of the name that it binds.
    name: usize,
}

/// The innermost `let` statement around a token, if its initializer is a borrow of a place or a
/// closure.
fn lazy_let(outline: &Outline<'_>, token: usize) -> Option<LazyLet> {
    let around =
        |it: &&Element| it.kind == ElementKind::Statement && it.start <= token && token < it.end;
    let mut statements: Vec<&Element> = outline.elements.iter().filter(around).collect();
    statements.sort_by_key(|it| it.end - it.start);
    let statement = statements.into_iter().find(|it| outline.text(it.head) == "let")?;
    if statement.start != statement.head || outline.before(statement.end, 1) != ";" {
        return None;
    }
    let name = statement.head + 1 + usize::from(outline.text(statement.head + 1) == "mut");
    if outline.tokens.get(name)?.kind != TokenKind::Word {
        return None;
    }
    let equals = (name..statement.end).find(|at| outline.text(*at) == "=")?;
    let is_name = equals == name + 1 || outline.text(name + 1) == ":";
    let value = equals + 1..statement.end - 1;
    let first = outline.text(value.start);
    let is_closure = matches!(first, "|" | "||");
    let is_borrow = first == "&"
        && value.clone().skip(1).all(|at| {
            let token = &outline.tokens[at];
            let is_word = matches!(token.kind, TokenKind::Word | TokenKind::Literal);
            is_word || matches!(token.text, "." | "*" | "&")
        });
    let found = LazyLet { start: statement.start, end: statement.end, name };
    (is_name && (is_closure || is_borrow)).then_some(found)
}

/// The statement around `token` in the block of the `let`.
fn sibling<'o>(outline: &'o Outline<'_>, of: LazyLet, token: usize) -> Option<&'o Element> {
    let block = block_around(outline, of.start)?;
    outline.elements.iter().find(|it| {
        matches!(it.kind, ElementKind::Statement)
            && it.start <= token
            && token < it.end
            && block_around(outline, it.start) == Some(block)
    })
}

/// Whether the name is mentioned between two tokens, also in a format string.
fn mentions(outline: &Outline<'_>, name: usize, from: usize, to: usize) -> bool {
    let name = outline.text(name);
    outline.tokens[from..to].iter().any(|it| match it.kind {
        TokenKind::Literal => it.text.contains(&format!("{{{name}")),
        _ => it.is(name),
    })
}

/// The statement before the one that begins at this byte.
fn moved(
    marked: &Marked<'_>,
    outline: &Outline<'_>,
    borrow: LazyLet,
    at: usize,
    rationale: String,
) -> Option<Proposal> {
    let (taken, text) = statement_text(&marked.text, span_of(outline, borrow.start, borrow.end)?)?;
    let line = marked.text.get(..at)?.rsplit('\n').next()?;
    let separator = match line.trim().is_empty() {
        true => format!("\n{line}"),
        false if text.contains("//") => return None,
        false => " ".to_owned(),
    };
    let moved = insert(at, &format!("{text}{separator}"));
    Some(marked.proposal(vec![replace(taken, ""), moved], rationale))
}

fn moved_to_line(
    marked: &Marked<'_>,
    outline: &Outline<'_>,
    borrow: LazyLet,
    at: usize,
    separator: &str,
    rationale: String,
) -> Option<Proposal> {
    let (taken, text) = statement_text(&marked.text, span_of(outline, borrow.start, borrow.end)?)?;
    let moved = insert(at, &format!("{separator}{text}"));
    Some(marked.proposal(vec![replace(taken, ""), moved], rationale))
}

#[cfg(test)]
mod tests {
    use crate::fake::{FakeError, OneFile, check};
    use crate::{BorrowOrder, Reasoner};

    fn error(code: &str, first: &str, at: &str, used: &str) -> FakeError {
        FakeError::new(code, "cannot borrow")
            .at(at)
            .label(first, "immutable borrow occurs here")
            .label(used, "immutable borrow later used here")
    }

    #[test]
    fn a_borrow_moves_to_its_use_with_its_comment() {
        check(
            &BorrowOrder,
            "fn f(list: &mut Vec<u8>) {\n    let all = &list.inner; // shared\n    grow(list);\n    show(all);\n}\n",
            &[error("E0502", "«&list.inner»;", "grow(«list»)", "show(«all»)")],
            &[
                "fn f(list: &mut Vec<u8>) {\n    grow(list);\n    let all = &list.inner; // shared\n    show(all);\n}\n",
            ],
        );
    }

    #[test]
    fn the_value_of_a_shared_borrow_behind_a_change_is_a_guess() {
        let guesses = |text: &str, code: &str, first: &str, at: &str| {
            let error = error(code, first, at, "show(«a»)").build(text);
            let fixes = BorrowOrder.propose(&[error], &OneFile(text.to_owned()));
            fixes.iter().map(|it| it.guesses.len()).collect::<Vec<_>>()
        };
        let text = "fn f() { let a = &n; n = 1; show(a); }";
        assert_eq!(guesses(text, "E0506", "= «&n»;", "«n = 1»"), [1]);
        let text = "fn f() { let a = &mut n; let b = n + 1; show(a); }";
        assert_eq!(guesses(text, "E0503", "= «&mut n»;", "= «n» + 1"), [0]);
    }

    #[test]
    fn the_second_borrow_moves_behind_the_last_use_of_the_first() {
        check(
            &BorrowOrder,
            "fn f() { let a = first(&mut n); let b = &mut n; a.set(); b.set(); }",
            &[error("E0499", "first(«&mut n»)", "= «&mut n»; a", "; «a».set()")],
            &["fn f() { let a = first(&mut n); a.set(); let b = &mut n; b.set(); }"],
        );
    }

    #[test]
    fn a_closure_moves_as_a_whole() {
        check(
            &BorrowOrder,
            "fn f() {\n    let mut add = || {\n        push(a)\n    };\n    push(a);\n    add();\n}\n",
            &[error("E0501", "= «||» {", ";\n    push(«a»);", "«add»();")],
            &[
                "fn f() {\n    push(a);\n    let mut add = || {\n        push(a)\n    };\n    add();\n}\n",
            ],
        );
    }

    #[test]
    fn a_call_does_not_move_and_nothing_moves_past_a_use() {
        let text = "fn f() { let a = list.iter(); list.clear(); show(a); }";
        let errors = [error("E0502", "= «list».iter()", "«list».clear()", "show(«a»)")];
        check(&BorrowOrder, text, &errors, &[]);
        let text =
            "fn f() { let a = &list; list.clear(); let b = a.len(); list.clear(); show(a); }";
        let errors = [error("E0502", "= «&list»;", "b = a.len(); «list».clear()", "show(«a»)")];
        check(&BorrowOrder, text, &errors, &[]);
    }

    #[test]
    fn a_borrow_stays_in_its_block() {
        let text = "fn f() { if c { let a = &n; set(n); } show(a); }";
        let errors = [error("E0502", "= «&n»;", "set(«n»)", "show(«a»)")];
        check(&BorrowOrder, text, &errors, &[]);
    }
}
