//! Reasoner: generic parameters that their item does not use.

use base::{ByteSpan, Diagnostic};
use edit::{Files, Splice};
use preserve::outline::{Element, ElementKind, Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{
    Marked, element_around, generics, indent_at, insert, parameter_name, replace, token_at,
    without_member,
};
use crate::signature::{separated, span_of};
use crate::{Fix, Reasoner};

/// For a generic parameter that its item does not use. A type (E0392) loses it if no place passes an
/// argument, and a struct gets a `PhantomData` field otherwise. An impl of a type (E0207) loses it,
/// and the methods that mention it declare it.
pub(crate) struct UnusedGenerics;

impl Reasoner for UnusedGenerics {
    fn name(&self) -> &'static str {
        "unused-generics"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let code = it.code.as_deref().filter(|it| matches!(*it, "E0392" | "E0207"))?;
            let marked = Marked::primary(it, files)?;
            let outline = Outline::of(&marked.text);
            let parameter = GenericParameter::of(&outline, &marked)?;
            match code {
                "E0392" => parameter.of_type(&marked, &outline),
                _ => Some(vec![parameter.of_impl(&marked, &outline)?]),
            }
        })
    }
}

/// The marked parameter in the generic parameters of an item.
struct GenericParameter<'a> {
    item: Element,
    list: (usize, usize),
    nth: usize,
    /// Its tokens.
    range: (usize, usize),
    name: &'a str,
}

impl<'a> GenericParameter<'a> {
    fn of(outline: &Outline<'a>, marked: &Marked<'_>) -> Option<Self> {
        let token = token_at(outline, marked.span.start);
        let item = *element_around(outline, ElementKind::Item, token)?;
        let head = (item.head..token).find(|at| outline.text(*at) == "impl");
        let before = head.unwrap_or_else(|| outline.item_name(&item));
        let list = generics(outline, before + 1)?;
        let parts = separated(outline, list.0 + 1, list.1);
        let nth = parts.iter().position(|(start, end)| (*start..*end).contains(&token))?;
        let range = parts[nth];
        Some(Self { item, list, nth, range, name: parameter_name(outline, range.0) })
    }

    /// Tokens of the item that mention it, besides its declaration.
    fn mentions(&self, outline: &Outline<'_>) -> Vec<usize> {
        let is_other = |at: &usize| !(self.range.0..self.range.1).contains(at);
        let all = (self.item.start..self.item.end).filter(is_other);
        all.filter(|at| outline.text(*at) == self.name).collect()
    }

    fn removed(&self, outline: &Outline<'_>) -> Option<ByteSpan> {
        without_member(outline, self.list, self.nth, true)
    }

    fn of_type(&self, marked: &Marked<'_>, outline: &Outline<'_>) -> Option<Vec<Proposal>> {
        if !self.mentions(outline).is_empty() {
            return None;
        }
        let ty = outline.text(outline.item_name(&self.item));
        let drop = self.removed(outline).map(|span| {
            let rationale = format!("drop the parameter `{}`, which nothing uses", self.name);
            marked.proposal(vec![replace(span, "")], rationale)
        });
        let hold = self.phantom(marked, outline).map(|splice| {
            let rationale = format!("hold `{}` in a `PhantomData` field", self.name);
            marked.proposal(vec![splice], rationale)
        });
        let is_elsewhere = |at: &usize| !(self.item.start..self.item.end).contains(at);
        let takes_arguments = (0..outline.tokens.len()).filter(is_elsewhere).any(|at| {
            let is_path = outline.text(at + 1) == "::" && outline.text(at + 2) == "<";
            outline.text(at) == ty && (outline.text(at + 1) == "<" || is_path)
        });
        let order = if takes_arguments { [hold, drop] } else { [drop, hold] };
        Some(order.into_iter().flatten().collect())
    }

    /// The field that mentions the parameter.
    fn phantom(&self, marked: &Marked<'_>, outline: &Outline<'_>) -> Option<Splice> {
        let is_struct = (self.item.head..self.list.0).any(|at| outline.text(at) == "struct");
        if !is_struct || outline.text(self.range.0) == "const" {
            return None;
        }
        let of = match self.name.starts_with('\'') {
            true => format!("&{} ()", self.name),
            false => self.name.to_owned(),
        };
        let marker = format!("core::marker::PhantomData<{of}>");
        let open = self.list.1 + 1;
        let at = |token: usize| outline.tokens.get(token).map(|it| it.span.start);
        match outline.text(open) {
            ";" => Some(insert(at(open)?, &format!("({marker})"))),
            "(" => {
                let close = *outline.close.get(open)?;
                let separator = if close == open + 1 { "" } else { ", " };
                Some(insert(at(close)?, &format!("{separator}{marker}")))
            }
            "{" => {
                let close = *outline.close.get(open)?;
                let last = outline.tokens.get(close.checked_sub(1)?)?;
                let comma = if matches!(last.text, "," | "{") { "" } else { "," };
                let is_one_line = !marked.text.get(last.span.end..at(close)?)?.contains('\n');
                let field = match is_one_line {
                    true => format!("{comma} _marker: {marker}"),
                    false => {
                        let indent = indent_at(&marked.text, at(self.item.head)?);
                        format!("{comma}\n{indent}    _marker: {marker},")
                    }
                };
                Some(insert(last.span.end, &field))
            }
            _ => None,
        }
    }

    /// Moves the parameter to the methods that mention it.
    fn of_impl(&self, marked: &Marked<'_>, outline: &Outline<'_>) -> Option<Proposal> {
        let declaration = span_of(outline, self.range.0, self.range.1)?.slice(&marked.text)?;
        let mentions = self.mentions(outline);
        let open = (self.list.1..self.item.end).find(|at| outline.text(*at) == "{")?;
        let of_trait =
            (self.list.1..open).any(|at| outline.text(at) == "for" && outline.text(at + 1) != "<");
        if of_trait && !mentions.is_empty() {
            return None;
        }
        let mut splices = vec![replace(self.removed(outline)?, "")];
        let mut names: Vec<usize> = Vec::new();
        for at in mentions {
            let method = element_around(outline, ElementKind::Item, at)?;
            let name = outline.item_name(method);
            if method.start <= self.item.start || outline.before(name, 1) != "fn" {
                return None;
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for name in names {
            let token = outline.tokens.get(name).filter(|it| it.kind == TokenKind::Word)?;
            splices.push(match generics(outline, name + 1) {
                None => insert(token.span.end, &format!("<{declaration}>")),
                Some(_) if self.name.starts_with('\'') => {
                    insert(outline.tokens[name + 1].span.end, &format!("{declaration}, "))
                }
                Some((_, close)) => {
                    insert(outline.tokens[close].span.start, &format!(", {declaration}"))
                }
            });
        }
        let rationale = match splices.len() {
            1 => format!("drop the parameter `{}`, which nothing uses", self.name),
            _ => format!("declare `{}` in the methods that use it", self.name),
        };
        Some(marked.proposal(splices, rationale))
    }
}

#[cfg(test)]
mod tests {
    use crate::UnusedGenerics;
    use crate::fake::{FakeError, check};

    fn unused(text: &str, at: &str, expected: &[&str]) {
        let error = FakeError::new("E0392", "type parameter `T` is never used").at(at);
        check(&UnusedGenerics, text, &[error], expected);
    }

    #[test]
    fn a_parameter_without_arguments_is_dropped() {
        unused("enum E<T> { A }", "<«T»>", &["enum E { A }"]);
        unused(
            "struct S<'a, T: X>(&'a u8);\nfn f(s: S) {}",
            ", «T»:",
            &[
                "struct S<'a>(&'a u8);\nfn f(s: S) {}",
                "struct S<'a, T: X>(&'a u8, core::marker::PhantomData<T>);\nfn f(s: S) {}",
            ],
        );
    }

    #[test]
    fn a_parameter_with_arguments_is_held() {
        unused(
            "struct S<T, U> {\n    u: U,\n}\nfn f(s: S<u8, u8>) {}",
            "<«T»,",
            &[
                "struct S<T, U> {\n    u: U,\n    _marker: core::marker::PhantomData<T>,\n}\nfn f(s: S<u8, u8>) {}",
                "struct S<U> {\n    u: U,\n}\nfn f(s: S<u8, u8>) {}",
            ],
        );
        // A bound mentions it.
        unused("struct S<T, U: X<T>> { u: U }", "<«T»,", &[]);
    }

    fn unconstrained(text: &str, at: &str, expected: &[&str]) {
        let error = FakeError::new("E0207", "the type parameter `T` is not constrained").at(at);
        check(&UnusedGenerics, text, &[error], expected);
    }

    #[test]
    fn methods_declare_what_only_they_use() {
        unconstrained(
            "impl<T: X> S { fn a(&self) -> T {} fn b<U>(u: U, t: T) {} fn c() {} }",
            "<«T»: X",
            &["impl S { fn a<T: X>(&self) -> T {} fn b<U, T: X>(u: U, t: T) {} fn c() {} }"],
        );
        unconstrained("impl<T> R for S { fn a() {} }", "<«T»>", &["impl R for S { fn a() {} }"]);
    }

    #[test]
    fn an_associated_item_keeps_the_parameter() {
        unconstrained("impl<T> R for S { type A = T; }", "<«T»>", &[]);
        unconstrained("impl<T> S { const A: Option<T> = None; }", "<«T»>", &[]);
    }
}
