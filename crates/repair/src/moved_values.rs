//! Reasoner: a value that is moved but still needed.

use base::{Applicability, ByteSpan, Diagnostic, DiagnosticSpan};
use edit::{Files, Splice};
use preserve::outline::{ElementKind, Outline, TokenKind};

use crate::conversions::is_one_operand;
use crate::fix::{Proposal, guesses};
use crate::marked::{
    Marked, after_attributes, element_around, indent_at, insert, labelled, replace, token_at,
};
use crate::signature::span_of;
use crate::{Fix, Reasoner};

/// For a value that is moved but still needed, in the order of what changes: what is matched, iterated or
/// put into a variable is borrowed; else the value is cloned, and its type gets `#[derive(Clone)]`, as the
/// compiler's note advises. A borrow comes before the clones that the compiler suggests.
pub(crate) struct MovedValues;

impl Reasoner for MovedValues {
    fn name(&self) -> &'static str {
        "moved-values"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let borrows = |it: &Diagnostic| {
            let all = [matched(it, files), iterated(it, files), borrowed(it, files)];
            Some(all.into_iter().flatten().collect())
        };
        let mut fixes = guesses(self, diagnostics, borrows);
        for fix in &mut fixes {
            fix.applicability = Applicability::MaybeIncorrect;
        }
        fixes
            .extend(guesses(self, diagnostics, |it| Some(cloned(it, files).into_iter().collect())));
        fixes
    }
}

/// The span where a value that is still needed is moved.
fn moved_at(diagnostic: &Diagnostic) -> Option<&DiagnosticSpan> {
    const MOVED: [&str; 3] = [
        "value moved here",
        "value partially moved here",
        "value moved here, in previous iteration of loop",
    ];
    diagnostic.code.as_deref().filter(|it| *it == "E0382")?;
    let is_it = |it: &&DiagnosticSpan| it.label.as_deref().is_some_and(|it| MOVED.contains(&it));
    diagnostic.spans.iter().find(is_it)
}

/// `match &a {` for `match a {` with a pattern that moves a part of it, or all of it; the same of `if let`,
/// `while let` and `let`.
fn matched(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::of(moved_at(diagnostic)?, files)?;
    let outline = Outline::of(&marked.text);
    let (start, end) = scrutinee(&outline, token_at(&outline, marked.span.start))?;
    let value = span_of(&outline, start, end)?;
    if !is_place(&outline, start, end) {
        return None;
    }
    let rationale = format!("match a borrow of `{}`", value.slice(&marked.text)?);
    Some(marked.proposal(vec![insert(value.start, "&")], rationale))
}

/// `iter` for the `into_iter` that moves a value.
fn iterated(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    diagnostic.code.as_deref().filter(|it| *it == "E0382")?;
    let call = labelled(diagnostic, "moved due to this method call")?;
    let marked = Marked::of(call, files)?;
    let is_it = marked.slice().starts_with("into_iter(");
    let owned = ByteSpan::new(marked.span.start, marked.span.start + "into_".len());
    is_it.then(|| {
        let rationale = "iterate over a borrow of the value".to_owned();
        marked.proposal(vec![replace(owned, "")], rationale)
    })
}

/// Whether tokens are a variable or fields of one.
fn is_place(outline: &Outline<'_>, start: usize, end: usize) -> bool {
    (start..end).all(|at| {
        matches!(outline.tokens[at].kind, TokenKind::Word | TokenKind::Literal)
            || outline.text(at) == "."
    })
}

/// The tokens of the value that the pattern around a token is matched with.
fn scrutinee(outline: &Outline<'_>, pattern: usize) -> Option<(usize, usize)> {
    let step = |at: usize| outline.close.get(at).map_or(at + 1, |it| (*it).max(at) + 1);
    let until = |from: usize, ends: &[&str]| {
        let mut at = from;
        while at < outline.tokens.len() && !ends.contains(&outline.text(at)) {
            at = step(at);
        }
        at
    };
    for head in (0..pattern).rev() {
        match outline.text(head) {
            "let" => {
                let equals = until(head + 1, &["=", ";"]);
                if equals > pattern && outline.text(equals) == "=" {
                    return Some((equals + 1, until(equals + 1, &["{", ";", "else", "&&"])));
                }
            }
            "match" => {
                let open = until(head + 1, &["{", ";"]);
                let close = outline.close.get(open).copied().unwrap_or(open);
                if open < pattern && pattern < close {
                    return in_pattern(pattern, (open, close), &step, &until)
                        .then_some((head + 1, open));
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a token is in the pattern of an arm between these braces.
fn in_pattern(
    token: usize,
    (open, close): (usize, usize),
    step: &dyn Fn(usize) -> usize,
    until: &dyn Fn(usize, &[&str]) -> usize,
) -> bool {
    let mut at = open + 1;
    while at < close {
        let arrow = until(at, &["=>"]);
        // A guard takes part of no pattern.
        if token < until(at, &["if", "=>"]) {
            return true;
        }
        let body = arrow + 1;
        let is_block = step(body) > body + 1;
        at = if is_block { step(body) } else { until(body, &[","]) };
        at = if until(at, &[","]) == at { at + 1 } else { at };
        if token < at {
            return false;
        }
    }
    false
}

/// `let b = &a;` for `let b = a;`.
fn borrowed(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let moved = moved_at(diagnostic)?;
    let marked = Marked::of(moved, files)?;
    let outline = Outline::of(&marked.text);
    let value = token_at(&outline, marked.span.start);
    let end = token_at(&outline, marked.span.end);
    let name = outline.before(value, 2);
    let is_let = outline.before(value, 1) == "="
        && (outline.before(value, 3) == "let"
            || outline.before(value, 3) == "mut" && outline.before(value, 4) == "let");
    if !is_place(&outline, value, end) || !is_let || outline.text(end) != ";" {
        return None;
    }
    let rationale = format!("let `{name}` borrow `{}` instead of moving it", marked.slice());
    Some(marked.proposal(vec![insert(marked.span.start, "&")], rationale))
}

/// Clones the value, and derives `Clone` for its type.
fn cloned(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let note = diagnostic.children.iter().find(|it| {
        it.message.starts_with("if `") && it.message.ends_with("you could clone the value")
    })?;
    let marked = |words: &str| {
        let span = note.spans.iter().find(|it| it.label.as_deref() == Some(words))?;
        Marked::of(span, files)
    };
    let value = marked("you could clone this value")?;
    let declared = marked("consider implementing `Clone` for this type")?;
    let is_operation = value.slice().starts_with(['*', '&']) || !is_one_operand(value.slice());
    if declared.path != value.path || is_operation {
        return None;
    }
    let name = note.message.split('`').nth(1)?;
    let derive = derive(&declared, "Clone")?;
    let clone = insert(value.span.end, ".clone()");
    let rationale = format!("clone the value, and derive `Clone` for `{name}`");
    Some(value.proposal(vec![derive, clone], rationale))
}

/// `#[derive(…)]` before the type at the marked place, or the trait in the list that it has.
fn derive(declared: &Marked<'_>, name: &str) -> Option<Splice> {
    let outline = Outline::of(&declared.text);
    let token = token_at(&outline, declared.span.start);
    let item = element_around(&outline, ElementKind::Item, token)?;
    let list = outline
        .attributes
        .iter()
        .find(|it| (item.start..item.head).contains(&it.name) && outline.text(it.name) == "derive");
    if let Some(list) = list {
        let close = *outline.close.get(list.name + 1)?;
        let is_empty = close == list.name + 2;
        let has_comma = outline.before(close, 1) == ",";
        let separator = if is_empty {
            ""
        } else if has_comma {
            " "
        } else {
            ", "
        };
        return Some(insert(outline.tokens.get(close)?.span.start, &format!("{separator}{name}")));
    }
    let at = outline.tokens.get(after_attributes(&outline, item))?.span.start;
    let indent = indent_at(&declared.text, at);
    Some(insert(at, &format!("#[derive({name})]\n{indent}")))
}

#[cfg(test)]
mod tests {
    use crate::MovedValues;
    use crate::fake::{FakeError, check};

    const NOTE: &str = "if `Job` implemented `Clone`, you could clone the value";

    #[test]
    fn a_copy_in_a_variable_borrows() {
        let error = || {
            FakeError::new("E0382", "borrow of moved value: `a.job`")
                .at("show(«a.job»)")
                .label("= «a.job»;", "value moved here")
        };
        check(
            &MovedValues,
            "fn f(a: A) { let b = a.job; show(a.job) }",
            &[error()],
            &["fn f(a: A) { let b = &a.job; show(a.job) }"],
        );
        let call = FakeError::new("E0382", "use of moved value: `a`")
            .at("show(«a»)")
            .label("drop(«a»)", "value moved here");
        check(&MovedValues, "fn f(a: A) { drop(a); show(a) }", &[call], &[]);
    }

    #[test]
    fn what_a_pattern_moves_is_matched_as_a_borrow() {
        let check_moved = |text: &str, at: &str, used: &str, wanted: &[&str]| {
            let error = FakeError::new("E0382", "borrow of partially moved value: `n`")
                .at(used)
                .label(at, "value partially moved here");
            check(&MovedValues, text, &[error], wanted);
        };
        check_moved(
            "fn f(n: N) { let a = match n { N::A(t, _) => t.len(), N::B => 0 }; g(&n) }",
            "A(«t», _)",
            "g(«&n»)",
            &["fn f(n: N) { let a = match &n { N::A(t, _) => t.len(), N::B => 0 }; g(&n) }"],
        );
        check_moved(
            "fn f(n: N) { if let Some(t) = n.a.0 { h(t) } g(&n) }",
            "Some(«t»)",
            "g(«&n»)",
            &["fn f(n: N) { if let Some(t) = &n.a.0 { h(t) } g(&n) }"],
        );
        check_moved(
            "fn f(n: N) { let N { a, .. } = n; g(&n) }",
            "{ «a», ..",
            "g(«&n»)",
            &["fn f(n: N) { let N { a, .. } = &n; g(&n) }"],
        );
        // The value of an arm, and of a call, are no places that are matched.
        check_moved(
            "fn f(n: N) { match k { A => { x() } B if c => h(n), _ => 0 }; g(&n) }",
            "h(«n»)",
            "g(«&n»)",
            &[],
        );
        check_moved(
            "fn f(n: N) { match n.take() { Some(t) => t }; g(&n) }",
            "Some(«t»)",
            "g(«&n»)",
            &[],
        );
    }

    #[test]
    fn what_into_iter_moves_is_iterated_as_a_borrow() {
        let text = "fn f(a: Vec<A>) { a.into_iter().map(|it| it.n()); g(&a) }";
        let error = FakeError::new("E0382", "borrow of moved value: `a`")
            .at("g(«&a»)")
            .label("a.«into_iter()»", "`a` moved due to this method call");
        let wanted = text.replace("into_iter", "iter");
        check(&MovedValues, text, &[error], &[&wanted]);
    }

    fn error(declared: &str, value: &str) -> FakeError {
        FakeError::new("E0507", "cannot move out of `job`").at("take(«job»)").labelled_note(
            NOTE,
            &[
                (declared, "consider implementing `Clone` for this type"),
                (value, "you could clone this value"),
            ],
        )
    }

    #[test]
    fn a_value_is_cloned_and_its_type_derives_clone() {
        check(
            &MovedValues,
            "/// Work.\n#[derive(Debug)]\npub struct Job(u8);\nfn f(job: &Job) { take(job) }",
            &[error("«pub struct Job»(", "take(«job»)")],
            &[
                "/// Work.\n#[derive(Debug, Clone)]\npub struct Job(u8);\nfn f(job: &Job) { take(job.clone()) }",
            ],
        );
        check(
            &MovedValues,
            "mod m {\n    struct Job;\n    fn f(job: &Job) { take(job) }\n}",
            &[error("«struct Job»;", "take(«job»)")],
            &[
                "mod m {\n    #[derive(Clone)]\n    struct Job;\n    fn f(job: &Job) { take(job.clone()) }\n}",
            ],
        );
    }

    #[test]
    fn an_operation_is_not_cloned() {
        let text = "struct Job;\nfn f(job: &Job) { take(*job) }";
        let error =
            FakeError::new("E0507", "cannot move out of `*job`").at("take(«*job»)").labelled_note(
                NOTE,
                &[
                    ("«struct Job»;", "consider implementing `Clone` for this type"),
                    ("take(«*job»)", "you could clone this value"),
                ],
            );
        check(&MovedValues, text, &[error], &[]);
    }
}
