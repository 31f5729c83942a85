//! The operand around a token: the value with all its calls and fields, without operators.

use base::ByteSpan;
use preserve::outline::{Outline, TokenKind, is_keyword};

/// The operand that a span is in: `a.b(c)?.d` for `b`; `None` for what is no value.
pub(crate) fn operand(text: &str, at: ByteSpan) -> Option<ByteSpan> {
    let outline = Outline::of(text);
    let idx = outline.tokens.iter().position(|it| it.span.end > at.start)?;
    let around = Around { outline: &outline };
    let (start, end) = (around.start(idx)?, around.end(idx)?);
    let (first, last) = (outline.tokens.get(start)?, outline.tokens.get(end)?);
    Some(ByteSpan::new(first.span.start, last.span.end))
}

/// The code from one operand to another, in one statement.
pub(crate) fn cover(text: &str, left: ByteSpan, right: ByteSpan) -> Option<ByteSpan> {
    let all = ByteSpan::new(left.start.min(right.start), left.end.max(right.end));
    let between = text.get(left.end.min(right.end)..left.start.max(right.start))?;
    (!between.contains([';', '{', '}'])).then_some(all)
}

struct Around<'o, 't> {
    outline: &'o Outline<'t>,
}

impl Around<'_, '_> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.outline.tokens.get(at).is_some_and(|it| it.is(text))
    }

    /// Whether a token is a name or a literal.
    fn is_name(&self, at: usize) -> bool {
        let is_value = |text: &str| matches!(text, "self" | "Self" | "super" | "crate");
        self.outline.tokens.get(at).is_some_and(|it| {
            it.kind != TokenKind::Punctuation && (!is_keyword(it.text) || is_value(it.text))
        })
    }

    /// The token that closes the first of these, nested ones included.
    fn paired(
        &self,
        mut from: impl Iterator<Item = usize>,
        (open, close): (&str, &str),
    ) -> Option<usize> {
        let mut depth = 0usize;
        from.find(|at| {
            depth += usize::from(self.is(*at, open));
            depth = depth.saturating_sub(usize::from(self.is(*at, close)));
            depth == 0
        })
    }

    /// The first token of the operand that ends, or continues, with a token.
    fn start(&self, at: usize) -> Option<usize> {
        let mut start = self.part(at)?;
        while let Some(sign) = start.checked_sub(1) {
            if !self.is(sign, ".") && !self.is(sign, "::") {
                break;
            }
            let mut before = sign.checked_sub(1)?;
            while self.is(before, "?") {
                before = before.checked_sub(1)?;
            }
            start = self.part(before)?;
        }
        Some(start)
    }

    /// The first token of the part of a path or chain that ends with a token: `f(a)[0]`, `vec![1]`, `<T>`.
    fn part(&self, end: usize) -> Option<usize> {
        if self.is(end, ">") {
            return self.paired((0..=end).rev(), (">", "<"));
        }
        let open = (0..end).rev().find(|it| self.outline.close.get(*it) == Some(&end));
        let Some(open) = open else { return self.is_name(end).then_some(end) };
        match open.checked_sub(1) {
            Some(name) if self.is_name(name) => Some(name),
            Some(sign) if self.is(sign, "!") => sign.checked_sub(1),
            Some(before) if self.is(before, ")") || self.is(before, "]") => self.part(before),
            Some(sign) if self.is(sign, ">") => self.part(sign),
            _ => Some(open),
        }
    }

    /// The last token of the operand that begins, or continues, with a token.
    fn end(&self, at: usize) -> Option<usize> {
        let mut end = self.outline.close.get(at).copied().unwrap_or(at);
        loop {
            let next = end + 1;
            end = match self.outline.tokens.get(next).map(|it| it.text) {
                Some("(" | "[") => *self.outline.close.get(next)?,
                Some("?") => next,
                Some("!") if self.is(next + 1, "(") || self.is(next + 1, "[") => next,
                Some("::") if self.is(next + 1, "<") => {
                    self.paired(next + 1..self.outline.tokens.len(), ("<", ">"))?
                }
                Some("." | "::") if self.is_name(next + 1) || self.is(next + 1, "await") => {
                    next + 1
                }
                _ => return self.outline.tokens.get(end).map(|_| end),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operand around the text between `«` and `»`.
    fn check(text: &str, expected: &str) {
        let start = text.find('«').unwrap();
        let plain = text.replace(['«', '»'], "");
        let end = text.find('»').unwrap() - '«'.len_utf8();
        let found = operand(&plain, ByteSpan::new(start, end));
        assert_eq!(found.and_then(|it| it.slice(&plain)).unwrap_or(""), expected, "{text}");
    }

    #[test]
    fn an_operand_has_its_calls_and_fields_and_no_operator() {
        check("1 + a.«b»(c) * 2", "a.b(c)");
        check("let x = &«f»(a)?.g;", "f(a)?.g");
        check(
            "x = s.iter().«map»(|it| it.a).collect::<Vec<_>>();",
            "s.iter().map(|it| it.a).collect::<Vec<_>>()",
        );
        check("f(«a::b»::C(1), d)", "a::b::C(1)");
        check("f(a, !self.«d».e[0])", "self.d.e[0]");
        check("return («a»)", "a");
        check("vec![1].«len»()", "vec![1].len()");
        check("(a + b).«c»", "(a + b).c");
        check("let y = «if» a {}", "");
    }
}
