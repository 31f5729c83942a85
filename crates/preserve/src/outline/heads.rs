//! Where an element begins, and which keyword decides what it is.

use super::{Outline, TokenKind, is_item_keyword};

impl<'a> Outline<'a> {
    /// The first token of an element after its attributes, visibility and label.
    pub(super) fn head(&self, start: usize, end: usize) -> usize {
        let mut at = start;
        while at < end {
            match self.text(at) {
                "#" => {
                    let open = at + 1 + usize::from(self.text(at + 1) == "!");
                    if self.text(open) != "[" || self.close[open] == open {
                        return at;
                    }
                    at = self.close[open] + 1;
                }
                "pub" => {
                    at += 1;
                    if self.text(at) == "(" && self.close[at] > at {
                        at = self.close[at] + 1;
                    }
                }
                "default" if is_item_keyword(self.text(at + 1)) => at += 1,
                ":" => at += 1,
                _ if self.tokens[at].kind == TokenKind::Lifetime => at += 1,
                _ => return at,
            }
        }
        start.min(end)
    }

    pub(super) fn head_is(&self, start: usize, end: usize, word: &str) -> bool {
        let head = self.head(start, end);
        self.text(head) == word
            || (matches!(self.text(head), "unsafe" | "default") && self.text(head + 1) == word)
    }

    /// The keyword that makes the element an item, if any.
    pub(super) fn item_keyword(&self, start: usize, end: usize) -> Option<&'a str> {
        let mut at = self.head(start, end);
        loop {
            let (text, next) = (self.text(at), self.text(at + 1));
            match text {
                _ if at >= end => return None,
                "unsafe" | "async" | "extern" | "const" | "safe"
                    if is_item_keyword(next)
                        || matches!(next, "async" | "unsafe")
                        || (text == "extern" && self.text(at + 2) == "fn") =>
                {
                    at += 1 + usize::from(
                        self.tokens.get(at + 1).is_some_and(|it| it.kind == TokenKind::Literal),
                    );
                }
                "extern" if next.starts_with('"') || next == "{" => return Some("extern"),
                "const" | "async" | "unsafe" if next == "{" || next == "move" => return None,
                "union" if self.text(at + 2) != "{" && self.text(at + 2) != "<" => {
                    return None;
                }
                "macro_rules" => return Some("macro_rules"),
                _ if is_item_keyword(text) => return Some(text),
                _ => return None,
            }
        }
    }

    /// The callee's name before `::<…>`, given its closing `>`.
    pub(super) fn turbofish(&self, close: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..=close).rev() {
            match self.text(at) {
                ">" => depth += 1,
                "<" => {
                    depth -= 1;
                    if depth == 0 {
                        let found = self.before(at, 1) == "::";
                        return at.checked_sub(2).filter(|_| found);
                    }
                }
                ";" | "{" | "}" => return None,
                _ => {}
            }
        }
        None
    }
}
