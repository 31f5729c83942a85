//! Reasoner: a value that is moved but still needed.

use base::Diagnostic;
use edit::{Files, Splice};
use preserve::outline::{ElementKind, Outline, TokenKind};

use crate::conversions::is_one_operand;
use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, after_attributes, element_around, indent_at, insert, token_at};
use crate::{Fix, Reasoner};

/// For a value that is moved but still needed, in the order of what changes: `let b = a;` borrows;
/// else the value is cloned, and its type gets `#[derive(Clone)]`, as the compiler's note advises.
pub(crate) struct MovedValues;

impl Reasoner for MovedValues {
    fn name(&self) -> &'static str {
        "moved-values"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            Some(borrowed(it, files).into_iter().chain(cloned(it, files)).collect())
        })
    }
}

/// `let b = &a;` for `let b = a;`.
fn borrowed(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    diagnostic.code.as_deref().filter(|it| *it == "E0382")?;
    let moved =
        diagnostic.spans.iter().find(|it| it.label.as_deref() == Some("value moved here"))?;
    let marked = Marked::of(moved, files)?;
    let outline = Outline::of(&marked.text);
    let value = token_at(&outline, marked.span.start);
    let end = token_at(&outline, marked.span.end);
    let is_place = (value..end).all(|at| {
        matches!(outline.tokens[at].kind, TokenKind::Word | TokenKind::Literal)
            || outline.text(at) == "."
    });
    let name = outline.before(value, 2);
    let is_let = outline.before(value, 1) == "="
        && (outline.before(value, 3) == "let"
            || outline.before(value, 3) == "mut" && outline.before(value, 4) == "let");
    if !is_place || !is_let || outline.text(end) != ";" {
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
