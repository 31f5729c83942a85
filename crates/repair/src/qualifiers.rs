//! Reasoner: `const`, `async` and `Box::pin` where the calls of a function need them.

use base::{Diagnostic, DiagnosticSpan};
use edit::Files;
use preserve::outline::{Element, ElementKind, Outline};

use crate::fix::{Proposal, guesses};
use crate::marked::{
    Marked, after_attributes, element_around, insert, labelled, replace, token_at,
};
use crate::{Fix, Reasoner};

/// For a function that lacks a qualifier: `const` where a constant calls it; `async` where it
/// contains `.await`, unless a call of it would then be left without; `Box::pin` around a recursive
/// call of an asynchronous function.
pub(crate) struct Qualifiers;

impl Reasoner for Qualifiers {
    fn name(&self) -> &'static str {
        "qualifiers"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            Some(match it.code.as_deref()? {
                "E0015" => constant(it, files)?,
                "E0728" => vec![asynchronous(it, files)?],
                "E0733" => boxed(it, files),
                _ => return None,
            })
        })
    }
}

/// The functions that a note calls not constant.
fn constant(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    let notes = diagnostic.children.iter().filter(|it| it.message.ends_with("` is not const"));
    let of = |span: &DiagnosticSpan| {
        let function = Function::at(Marked::of(span, files)?)?;
        let (name, before) = function.split()?;
        let is_const = before.iter().any(|it| matches!(*it, "const" | "async"));
        if is_const || function.is_of_trait()? {
            return None;
        }
        let at = function.before(&["unsafe", "extern", "fn"])?;
        let rationale = format!("make `{name}` a `const fn`");
        Some(function.marked.proposal(vec![insert(at, "const ")], rationale))
    };
    Some(notes.flat_map(|it| &it.spans).filter_map(of).collect())
}

/// The function that contains `.await`.
fn asynchronous(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let span = labelled(diagnostic, "this is not `async`")?;
    let function = Function::at(Marked::of(span, files)?)?;
    let (name, before) = function.split()?;
    let is_other = before.iter().any(|it| matches!(*it, "const" | "async" | "pub"));
    let outline = Outline::of(&function.marked.text);
    let has_attributes = function.item.start != after_attributes(&outline, &function.item);
    if is_other || has_attributes || name == "main" || function.is_of_trait()? {
        return None;
    }
    // A call without `.await` would silently do nothing.
    let is_lost = |at: usize| {
        let is_definition = outline.before(at, 1) == "fn";
        let call = outline.close.get(at + 1).filter(|_| outline.text(at + 1) == "(");
        let awaited = call.is_some_and(|close| {
            outline.text(close + 1) == "." && outline.text(close + 2) == "await"
        });
        outline.text(at) == name && !is_definition && !awaited
    };
    if (0..outline.tokens.len()).any(is_lost) {
        return None;
    }
    let at = function.before(&["unsafe", "extern", "fn"])?;
    let rationale = format!("make `{name}` an `async fn`");
    Some(function.marked.proposal(vec![insert(at, "async ")], rationale))
}

/// `Box::pin(f()).await` for the recursive calls `f().await`.
fn boxed(diagnostic: &Diagnostic, files: &dyn Files) -> Vec<Proposal> {
    let calls = diagnostic.spans.iter();
    let calls = calls.filter(|it| it.label.as_deref() == Some("recursive call here"));
    let proposal = |span: &DiagnosticSpan| {
        let marked = Marked::of(span, files)?;
        let call = marked.slice().strip_suffix(".await")?.trim_end();
        let insert = format!("Box::pin({call}).await");
        let rationale = "put the future of the recursive call in a box".to_owned();
        Some(marked.proposal(vec![replace(marked.span, &insert)], rationale))
    };
    calls.filter_map(proposal).collect()
}

/// A function whose head is marked.
struct Function<'d> {
    marked: Marked<'d>,
    item: Element,
    /// Token `fn`.
    keyword: usize,
}

impl<'d> Function<'d> {
    fn at(marked: Marked<'d>) -> Option<Self> {
        let outline = Outline::of(&marked.text);
        let token = token_at(&outline, marked.span.start);
        let item = *element_around(&outline, ElementKind::Item, token)?;
        let until = token_at(&outline, marked.span.end);
        let keyword = (item.head..until).find(|at| outline.text(*at) == "fn")?;
        Some(Self { marked, item, keyword })
    }

    /// Its name, and what is before `fn`.
    fn split(&self) -> Option<(&str, Vec<&str>)> {
        let outline = Outline::of(&self.marked.text);
        let name = outline.tokens.get(self.keyword + 1)?.text;
        let start = after_attributes(&outline, &self.item);
        let before = outline.tokens.get(start..self.keyword)?.iter().map(|it| it.text);
        Some((name, before.collect()))
    }

    /// First byte of the first of these words in its head.
    fn before(&self, words: &[&str]) -> Option<usize> {
        let outline = Outline::of(&self.marked.text);
        let start = after_attributes(&outline, &self.item);
        let at = (start..=self.keyword).find(|at| words.contains(&outline.text(*at)))?;
        Some(outline.tokens[at].span.start)
    }

    /// Whether a trait declares it.
    fn is_of_trait(&self) -> Option<bool> {
        let outline = Outline::of(&self.marked.text);
        let around = |it: &&Element| {
            it.kind == ElementKind::Item && it.start < self.item.start && self.item.end < it.end
        };
        let outer = outline.elements.iter().filter(around).min_by_key(|it| it.end - it.start);
        let Some(outer) = outer else { return Some(false) };
        let open = (outer.head..outer.end).find(|at| outline.text(*at) == "{")?;
        let mut head = outer.head..open;
        let is_trait = head.clone().any(|at| outline.text(at) == "trait");
        let is_impl = head.clone().any(|at| outline.text(at) == "impl");
        let with = head.any(|at| outline.text(at) == "for" && outline.text(at + 1) != "<");
        Some(is_trait || is_impl && with)
    }
}

#[cfg(test)]
mod tests {
    use crate::Qualifiers;
    use crate::fake::{FakeError, check};

    #[test]
    fn a_function_that_a_constant_calls_becomes_const() {
        let error = |at: &str| {
            FakeError::new("E0015", "cannot call non-const function `two` in constants")
                .at("= «two()»;")
                .note("function `two` is not const", &[(at, true)])
        };
        check(
            &Qualifiers,
            "#[inline]\npub unsafe fn two() -> u8 { 2 }\nconst N: u8 = two();",
            &[error("«pub unsafe fn two() -> u8» {")],
            &["#[inline]\npub const unsafe fn two() -> u8 { 2 }\nconst N: u8 = two();"],
        );
        check(
            &Qualifiers,
            "impl T for S { fn two() -> u8 { 2 } }\nconst N: u8 = two();",
            &[error("«fn two() -> u8» {")],
            &[],
        );
    }

    fn awaits(text: &str, head: &str, expected: &[&str]) {
        let error = FakeError::new("E0728", "`await` is only allowed inside `async` functions")
            .at("next().«await»")
            .label(head, "this is not `async`");
        check(&Qualifiers, text, &[error], expected);
    }

    #[test]
    fn a_function_that_awaits_becomes_async() {
        awaits(
            "fn f() { next().await }\nasync fn g() { f().await }",
            "«fn f()»",
            &["async fn f() { next().await }\nasync fn g() { f().await }"],
        );
    }

    #[test]
    fn a_function_with_other_callers_stays_as_it_is() {
        awaits("fn f() { next().await }\nfn g() { f(); }", "«fn f()»", &[]);
        awaits("pub fn f() { next().await }", "«pub fn f()»", &[]);
        awaits("fn main() { next().await }", "«fn main()»", &[]);
        awaits("#[test]\nfn f() { next().await }", "«fn f()»", &[]);
        awaits("impl T for S { fn f() { next().await } }", "«fn f()»", &[]);
    }

    #[test]
    fn a_recursive_future_is_boxed() {
        let error = FakeError::new("E0733", "recursion in an async fn requires boxing")
            .at("«async fn f(n: u8)»")
            .label("«f(n - 1).await»", "recursive call here");
        check(
            &Qualifiers,
            "async fn f(n: u8) { if n > 0 { f(n - 1).await } }",
            &[error],
            &["async fn f(n: u8) { if n > 0 { Box::pin(f(n - 1)).await } }"],
        );
    }
}
