//! Reasoner: members of an impl that its trait does not have.

use base::{ByteSpan, Diagnostic};
use edit::Files;
use preserve::outline::{Element, ElementKind, Outline};

use crate::fix::{Proposal, guesses};
use crate::marked::{
    Marked, after_attributes, element_around, generics, indent_at, insert, replace, token_at,
};
use crate::signature::span_of;
use crate::{Fix, Reasoner};

/// For a member of an impl that its trait does not have: a method moves to an impl of the type
/// itself; a type or a constant, and a method of a foreign type, is declared in the trait, if this
/// is the only impl of it.
pub(crate) struct TraitMembers;

impl Reasoner for TraitMembers {
    fn name(&self) -> &'static str {
        "trait-members"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            it.code.as_deref().filter(|it| matches!(*it, "E0407" | "E0437" | "E0438"))?;
            let marked = Marked::primary(it, files)?;
            let outline = Outline::of(&marked.text);
            let member = Member::of(&outline, &marked)?;
            let moved = if it.code.as_deref() == Some("E0407") {
                own_impl(&marked, &outline, &member)
            } else {
                None
            };
            // The interface of the trait changes only if nothing else is possible.
            Some(vec![moved.or_else(|| declare(&marked, &outline, &member))?])
        })
    }
}

/// A member and the impl that it is in.
struct Member<'a> {
    element: Element,
    /// The impl, its `impl` and its opening brace.
    of: Element,
    head: usize,
    open: usize,
    /// The `for` in its header.
    with: usize,
    trait_name: &'a str,
    type_name: &'a str,
    name: &'a str,
}

impl<'a> Member<'a> {
    fn of(outline: &Outline<'a>, marked: &Marked<'_>) -> Option<Self> {
        let token = token_at(outline, marked.span.start);
        let element = *element_around(outline, ElementKind::Item, token)?;
        let around = |it: &&Element| {
            it.kind == ElementKind::Item && it.start < element.start && element.end < it.end
        };
        let of = *outline.elements.iter().filter(around).min_by_key(|it| it.end - it.start)?;
        let head = (of.head..of.end).find(|at| outline.text(*at) == "impl")?;
        let open = (head..of.end).find(|at| outline.text(*at) == "{")?;
        let with =
            (head..open).find(|at| outline.text(*at) == "for" && outline.text(at + 1) != "<")?;
        let trait_name = last_name(outline, head + 1, with)?;
        let until = (with..open).find(|at| outline.text(*at) == "where").unwrap_or(open);
        let type_name = last_name(outline, with + 1, until)?;
        let name = outline.text(outline.item_name(&element));
        Some(Self { element, of, head, open, with, trait_name, type_name, name })
    }
}

/// The last segment of the path in these tokens, before its generic arguments.
fn last_name<'a>(outline: &Outline<'a>, start: usize, end: usize) -> Option<&'a str> {
    let start = generics(outline, start).map_or(start, |(_, close)| close + 1);
    let mut name = None;
    for at in start..end {
        match outline.text(at) {
            "<" => break,
            "::" => {}
            text if text.starts_with(|c: char| c.is_alphabetic() || c == '_') => name = Some(text),
            _ => return None,
        }
    }
    name
}

/// Moves the method to an impl of the type, after the impl of the trait.
fn own_impl(marked: &Marked<'_>, outline: &Outline<'_>, member: &Member<'_>) -> Option<Proposal> {
    let is_local = (0..outline.tokens.len()).any(|at| {
        matches!(outline.text(at), "struct" | "enum" | "union")
            && outline.text(at + 1) == member.type_name
    });
    if !is_local {
        return None;
    }
    let text = &*marked.text;
    let end = outline.tokens.get(member.of.end - 1)?.span.end;
    let indent = indent_at(text, outline.tokens[member.of.start].span.start);
    let own = with_comments(text, span_of(outline, member.element.start, member.element.end)?);
    let parameters = match generics(outline, member.head + 1) {
        Some((open, close)) => span_of(outline, open, close + 1)?.slice(text)?,
        None => "",
    };
    let of = span_of(outline, member.with + 1, member.open)?.slice(text)?;
    let body = own.slice(text)?;
    let added = format!("\n\n{indent}impl{parameters} {of} {{\n{indent}    {body}\n{indent}}}");
    let line = text.get(..own.start)?.rfind('\n').map_or(0, |at| at + 1);
    let is_alone = text.get(line..own.start)?.trim().is_empty();
    let from = if is_alone { line.saturating_sub(1) } else { own.start };
    let taken = replace(ByteSpan::new(from, own.end), "");
    let rationale = format!(
        "move `{}`, which `{}` does not have, to an impl of `{}`",
        member.name, member.trait_name, member.type_name
    );
    Some(marked.proposal(vec![taken, insert(end, &added)], rationale))
}

/// The member with the comment lines before it and the comment behind it.
fn with_comments(text: &str, own: ByteSpan) -> ByteSpan {
    let behind = text[own.end..].lines().next().unwrap_or("");
    let has_comment = behind.trim_start().starts_with("//");
    let end = if has_comment { own.end + behind.trim_end().len() } else { own.end };
    let mut start = own.start;
    loop {
        let line = text.get(..start).and_then(|it| it.rfind('\n'));
        let Some(line) = line.filter(|it| text[it + 1..start].trim().is_empty()) else { break };
        let above = text[..line].rfind('\n').map_or(0, |at| at + 1);
        let comment = text[above..line].trim_start();
        if !comment.starts_with("//") {
            break;
        }
        start = line - comment.len();
    }
    ByteSpan::new(start, end)
}

/// Declares the member in the trait.
fn declare(marked: &Marked<'_>, outline: &Outline<'_>, member: &Member<'_>) -> Option<Proposal> {
    let text = &*marked.text;
    let named =
        |at: &usize| outline.text(*at) == "trait" && outline.text(at + 1) == member.trait_name;
    let declared = (0..outline.tokens.len()).find(named)?;
    let impls = outline
        .elements
        .iter()
        .filter(|it| it.kind == ElementKind::Item && is_impl_of(outline, it, member.trait_name));
    if impls.count() != 1 {
        return None;
    }
    let open = (declared..outline.tokens.len()).find(|at| outline.text(*at) == "{")?;
    let close = *outline.close.get(open)?;
    let start = after_attributes(outline, &member.element);
    // Up to the value or the body.
    let ends = |at: &usize| matches!(outline.text(*at), "=" | "{" | ";");
    let end = (start..member.element.end).find(ends)?;
    let head = span_of(outline, start, end)?.slice(text)?;
    let at = outline.tokens.get(close)?.span.start;
    let indent = indent_at(text, at);
    let line = text.get(..at)?.rfind('\n').map_or(0, |it| it + 1);
    let insertion = match text.get(line..at)?.trim().is_empty() {
        true => insert(line, &format!("{indent}    {head};\n")),
        false => insert(at, &format!("\n{indent}    {head};\n{indent}")),
    };
    let rationale = format!("declare `{}` in `{}`", member.name, member.trait_name);
    Some(marked.proposal(vec![insertion], rationale))
}

/// Whether the item implements the trait.
fn is_impl_of(outline: &Outline<'_>, item: &Element, name: &str) -> bool {
    let Some(head) = (item.head..item.end).find(|at| outline.text(*at) == "impl") else {
        return false;
    };
    let Some(open) = (head..item.end).find(|at| outline.text(*at) == "{") else { return false };
    let with = (head..open).find(|at| outline.text(*at) == "for" && outline.text(at + 1) != "<");
    head < item.head + 3
        && with.is_some_and(|with| last_name(outline, head + 1, with) == Some(name))
}

#[cfg(test)]
mod tests {
    use crate::TraitMembers;
    use crate::fake::{FakeError, check};

    fn error(code: &str, at: &str) -> FakeError {
        FakeError::new(code, "method `help` is not a member of trait `Run`").at(at)
    }

    #[test]
    fn a_method_moves_to_an_impl_of_the_type() {
        check(
            &TraitMembers,
            "use m::Run;\nstruct Job<T>(T);\nimpl<T: Copy> Run for Job<T> {\n    fn run(&self) {}\n    /// Helps.\n    fn help(&self) { self.0 } // one\n}\n",
            &[error("E0407", "«fn help(&self) { self.0 }»")],
            &[
                "use m::Run;\nstruct Job<T>(T);\nimpl<T: Copy> Run for Job<T> {\n    fn run(&self) {}\n}\n\nimpl<T: Copy> Job<T> {\n    /// Helps.\n    fn help(&self) { self.0 } // one\n}\n",
            ],
        );
    }

    #[test]
    fn a_type_or_constant_is_declared_in_its_trait() {
        check(
            &TraitMembers,
            "trait Run { fn run(); }\nimpl Run for u8 {\n    fn run() {}\n    type Out = u16;\n}\n",
            &[error("E0437", "«type Out = u16;»")],
            &[
                "trait Run { fn run(); \n    type Out;\n}\nimpl Run for u8 {\n    fn run() {}\n    type Out = u16;\n}\n",
            ],
        );
        check(
            &TraitMembers,
            "trait Run {\n    fn run();\n}\nimpl m::Run for u8 {\n    fn run() {}\n    const N: u8 = 1;\n}\n",
            &[error("E0438", "«const N: u8 = 1;»")],
            &[
                "trait Run {\n    fn run();\n    const N: u8;\n}\nimpl m::Run for u8 {\n    fn run() {}\n    const N: u8 = 1;\n}\n",
            ],
        );
    }

    #[test]
    fn a_trait_with_other_impls_is_not_changed() {
        let text = "trait Run {}\nimpl Run for u8 { type Out = u16; }\nimpl Run for u16 {}\n";
        check(&TraitMembers, text, &[error("E0437", "«type Out = u16;»")], &[]);
        let text = "use m::Run;\nimpl Run for u8 { type Out = u16; }\n";
        check(&TraitMembers, text, &[error("E0437", "«type Out = u16;»")], &[]);
    }
}
