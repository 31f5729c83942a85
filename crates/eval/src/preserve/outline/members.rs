//! The members of items: fields, variants, the heads of impls and the names of imports.

use std::ops::Range;

use super::{Item, OutlineReader};
use crate::preserve::effects::Effects;
use crate::preserve::lex::TokenKind;

impl<'a> OutlineReader<'_, 'a> {
    /// Fields or variants by name.
    pub(super) fn parts(&mut self, kind: &'static str, range: Range<usize>, parents: &[String]) {
        let mut at = range.start;
        while at < range.end {
            let (name_at, head) = self.head(at, range.end);
            let fits =
                self.is_ident(name_at) && (kind == "variant" || self.text(name_at + 1) == ":");
            if fits {
                self.out.items.push(Item {
                    kind,
                    name: self.text(name_at).to_owned(),
                    parents: parents.to_vec(),
                    visibility: head.visibility,
                    in_trait: kind == "variant",
                    line: self.tokens[name_at].line,
                    effects: Effects::default(),
                });
            }
            at = self.comma(name_at.max(at), range.end) + 1;
        }
    }

    /// The fields of a tuple struct, by number.
    pub(super) fn tuple(&mut self, range: Range<usize>, parents: &[String]) {
        let mut at = range.start;
        let mut number = 0;
        while at < range.end {
            let (type_at, head) = self.head(at, range.end);
            if type_at >= range.end {
                break;
            }
            self.out.items.push(Item {
                kind: "field",
                name: number.to_string(),
                parents: parents.to_vec(),
                visibility: head.visibility,
                in_trait: false,
                line: self.tokens[type_at].line,
                effects: Effects::default(),
            });
            number += 1;
            at = self.comma(type_at, range.end) + 1;
        }
    }

    /// The next comma that is in no bracket, angle brackets included.
    pub(super) fn comma(&self, mut at: usize, end: usize) -> usize {
        let mut depth = 0_i32;
        while at < end {
            match self.text(at) {
                "," if depth <= 0 => return at,
                "<" => depth += 1,
                ">" => depth -= 1,
                _ => {}
            }
            at = if self.tokens[at].kind == TokenKind::Open { self.closes[at] + 1 } else { at + 1 };
        }
        end
    }

    /// `Trait for Type` or `Type`, without generics, and whether there is a trait.
    pub(super) fn impl_name(&self, at: usize, end: usize) -> (String, bool) {
        let mut names = vec![String::new()];
        let mut at = self.skip_generics(at, end);
        while at < end {
            let text = self.text(at);
            match text {
                "where" => break,
                "<" => {
                    at = self.skip_generics(at, end);
                    continue;
                }
                "for" if self.text(at + 1) != "<" => names.push(String::new()),
                "mut" | "const" | "dyn" | "unsafe" | "crate" | "self" | "super" => {}
                _ if self.is_ident(at) => {
                    if let Some(name) = names.last_mut() {
                        text.clone_into(name);
                    }
                }
                // Brackets and other types are named by their tokens.
                "(" | "[" => {
                    let close = self.closes[at].min(end);
                    let words: Vec<&str> =
                        self.tokens[at..close].iter().map(|token| token.text).collect();
                    if let Some(name) = names.last_mut().filter(|name| name.is_empty()) {
                        *name = words.concat();
                    }
                    at = close + 1;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        (names.join(" for "), names.len() > 1)
    }

    /// The names that a `use` introduces, each once.
    pub(super) fn imported(&self, range: Range<usize>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut last = String::new();
        let mut prefix: Vec<String> = Vec::new();
        let mut finish = |last: &mut String| {
            if !last.is_empty() && !names.contains(last) {
                names.push(last.clone());
            }
            last.clear();
        };
        for at in range {
            match self.text(at) {
                "{" => {
                    prefix.push(std::mem::take(&mut last));
                }
                "}" => {
                    finish(&mut last);
                    prefix.pop();
                }
                "," => finish(&mut last),
                "*" => last.push_str("::*"),
                "self" => {
                    if let Some(outer) = prefix.last() {
                        last.clone_from(outer);
                    }
                }
                "_" | "as" | "::" | "crate" | "super" => {}
                word if self.is_ident(at) => word.clone_into(&mut last),
                _ => {}
            }
        }
        finish(&mut last);
        names
    }
}
