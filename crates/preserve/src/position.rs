//! The grammatical position of a token: in a call, an assertion, an attribute, a type or a pattern.

use crate::compare::is_assertion_name;
use crate::layout::Layout;
use crate::outline::{EffectKind, Outline, TokenKind};

/// One text with the surroundings of its tokens: the grammatical position of each.
#[derive(Clone, Copy)]
pub(crate) struct TextView<'c, 'a> {
    pub(crate) outline: &'c Outline<'a>,
    pub(crate) layout: &'c Layout,
}

impl<'a> TextView<'_, 'a> {
    pub(crate) fn at(self, at: usize) -> &'a str {
        self.outline.text(at)
    }

    /// Whether the bracket opens the arguments of a call, other than a macro call.
    pub(crate) fn is_call(self, open: usize) -> bool {
        self.outline.roles.get(open).copied().flatten() == Some(EffectKind::Call)
            && self.outline.before(open, 1) != "!"
    }

    /// Whether the token is among the arguments of an assertion.
    pub(crate) fn in_assertion(self, at: usize) -> bool {
        self.layout.around(at).any(|open| {
            self.outline.before(open, 1) == "!" && is_assertion_name(self.outline.before(open, 2))
        })
    }

    /// Whether the token is in the input of a macro that is given more than values.
    pub(crate) fn in_code_macro(self, at: usize) -> bool {
        let mut calls = self.layout.around(at).filter(|open| self.outline.before(*open, 1) == "!");
        calls
            .next()
            .is_some_and(|open| !crate::VALUE_MACROS.contains(&self.outline.before(open, 2)))
    }

    /// Whether the token is part of an attribute.
    pub(crate) fn in_attribute(self, at: usize) -> bool {
        self.at(at) == "#"
            || self.layout.around(at).chain([at]).any(|open| {
                self.at(open) == "["
                    && (self.outline.before(open, 1) == "#"
                        || (self.outline.before(open, 1) == "!"
                            && self.outline.before(open, 2) == "#"))
            })
            || (self.at(at) == "!" && self.outline.before(at, 1) == "#")
            || (self.at(at) == "]" && self.outline.attributes.iter().any(|it| it.end == at))
    }

    /// Whether the token names a type: in a function's head, after `:` in a `let`, after `as`, in a
    /// turbofish.
    pub(crate) fn in_type(self, at: usize) -> bool {
        if let Some(function) = self.layout.function(at)
            && (function.name..function.open).contains(&at)
        {
            return true;
        }
        if self.outline.before(at, 1) == "as" || self.at(at) == "as" {
            return true;
        }
        let same = |it: usize| self.layout.parents[it] == self.layout.parents[at];
        let mut depth = 0usize;
        let mut annotated = false;
        for it in (0..at).rev().take(80) {
            match self.at(it) {
                ";" | "{" | "}" if same(it) || self.layout.parents[at] == Some(it) => break,
                "=" if same(it) => annotated = true,
                ">" => depth += 1,
                "<" if depth > 0 => depth -= 1,
                "<" if self.outline.before(it, 1) == "::" => return true,
                ":" if same(it) && !annotated => {
                    let mut back = it;
                    while back > 0 && same(back) && !matches!(self.at(back), ";" | "let") {
                        back -= 1;
                    }
                    return self.at(back) == "let" && same(back);
                }
                _ => {}
            }
        }
        false
    }

    /// Whether the token decides the type of a value: after `as`, in a turbofish.
    pub(crate) fn decides_type(self, at: usize) -> bool {
        let list = at.saturating_sub(24)..at;
        let is_cast = |it: usize| self.at(it) == "as" || self.outline.before(it, 1) == "as";
        let in_path = |it: usize| self.at(it) == "::" || self.outline.before(it, 1) == "::";
        let mut first = at;
        while first > 0 && in_path(first) && self.at(first) != "<" {
            first -= 1;
        }
        let mut depth = 0_usize;
        for it in list.rev() {
            match self.at(it) {
                ">" => depth += 1,
                "<" if depth > 0 => depth -= 1,
                "<" => return self.outline.before(it, 1) == "::" || is_cast(first),
                ";" | "{" | "}" | "(" | ")" => break,
                _ => {}
            }
        }
        is_cast(first)
    }

    /// Whether the token is in the pattern of a `let`.
    pub(crate) fn in_let_pattern(self, at: usize) -> bool {
        for it in (0..at).rev().take(40) {
            match self.at(it) {
                "let" => return true,
                "=" | ";" | "{" | "}" | ":" => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether the token compares, computes or negates, unlike a borrow, a dereference or the
    /// angles of generics.
    pub(crate) fn decides(self, at: usize) -> bool {
        let Some(token) = self.outline.tokens.get(at) else { return false };
        if token.kind != TokenKind::Punctuation {
            return matches!(token.text, "true" | "false");
        }
        let behind_value = at.checked_sub(1).is_some_and(|it| {
            let before = &self.outline.tokens[it];
            before.kind == TokenKind::Literal
                || matches!(before.text, ")" | "]")
                || crate::layout::is_name(self.outline, it)
        });
        match token.text {
            "==" | "!=" | "<=" | ">=" | "&&" | "+" | "-" | "/" | "%" | "^" | "<<" | ".."
            | "..=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "&=" | "|=" | "<<=" => true,
            "||" => true,
            "&" | "*" | "|" => behind_value,
            "!" => self.outline.text(at + 1) != "=" && !behind_value,
            "<" | ">" => behind_value && !self.in_type(at) && !self.is_generic(at),
            _ => false,
        }
    }

    /// Whether an angle bracket belongs to generics rather than to a comparison.
    fn is_generic(self, at: usize) -> bool {
        self.outline.before(at, 1) == "::"
            || (at.saturating_sub(24)..at)
                .any(|it| self.at(it) == "<" && self.outline.before(it, 1) == "::")
            || self.outline.before(at, 1).starts_with(char::is_uppercase)
    }
}

/// Whether two literals have the same value: `1`, `1.0` and `1_u8`; `"a"`, `b"a"` and `'a'`.
pub(crate) fn same_value(a: &str, b: &str) -> bool {
    value(a) == value(b)
}

fn value(text: &str) -> String {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let plain = text.replace('_', "");
        let radix = ["0x", "0b", "0o"].iter().any(|it| plain.starts_with(it));
        let end = if radix {
            plain.find(['u', 'i']).unwrap_or(plain.len())
        } else {
            plain.find(['u', 'i', 'f']).unwrap_or(plain.len())
        };
        let number = &plain[..end];
        let number = match number.split_once('.') {
            Some((whole, fraction)) if fraction.chars().all(|c| c == '0') => whole,
            _ => number,
        };
        return number.to_owned();
    }
    let inner = text.trim_start_matches(['b', 'r', 'c']);
    inner.trim_matches('#').trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_may_change_its_kind_and_keep_its_value() {
        for (a, b) in [("1", "1.0"), ("1", "1_u8"), ("\"a\"", "b\"a\""), ("'a'", "\"a\"")] {
            assert!(same_value(a, b), "{a} {b}");
        }
        for (a, b) in [("1", "2"), ("1.5", "1"), ("\"a\"", "\"b\""), ("0x1f", "1")] {
            assert!(!same_value(a, b), "{a} {b}");
        }
    }
}
