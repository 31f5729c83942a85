//! Function signatures, read from tokens.

use base::ByteSpan;

use preserve::outline::{Outline, TokenKind};

/// One parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Span of pattern, colon and type.
    pub(crate) span: ByteSpan,
    /// Name; empty for a receiver or another pattern.
    pub(crate) name: String,
    /// Span of the type; empty for a receiver.
    pub(crate) ty: ByteSpan,
    /// Whether it is `self`, in any form.
    pub(crate) is_receiver: bool,
}

/// The signature of a function, and where its body is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// Token index of the name.
    pub(crate) name: usize,
    pub(crate) parameters: Vec<Parameter>,
    /// Span of the return type, if written.
    pub(crate) return_type: Option<ByteSpan>,
    /// Tokens between the body's braces; empty without a body.
    pub(crate) body: std::ops::Range<usize>,
}

impl Signature {
    /// The function whose name or head begins at this byte.
    pub(crate) fn at(outline: &Outline<'_>, byte: usize) -> Option<Self> {
        let start = outline.tokens.iter().position(|it| it.span.start == byte)?;
        // A head begins with visibility and qualifiers; a name follows `fn`.
        let name = if outline.before(start, 1) == "fn" {
            start
        } else {
            1 + (start..outline.tokens.len().min(start + 12))
                .find(|at| outline.text(*at) == "fn")?
        };
        Self::of(outline, name)
    }

    /// The function whose name is this token.
    pub(crate) fn of(outline: &Outline<'_>, name: usize) -> Option<Self> {
        let open = skip_generics(outline, name + 1)?;
        if outline.text(open) != "(" {
            return None;
        }
        let close = *outline.close.get(open)?;
        let parameters = separated(outline, open + 1, close)
            .into_iter()
            .filter_map(|(start, end)| parameter(outline, start, end))
            .collect();
        let mut at = close + 1;
        let mut given = None;
        while let Some(token) = outline.tokens.get(at) {
            match token.text {
                "->" => given = Some(at + 1),
                "where" | "{" | ";" => break,
                "(" | "[" => at = *outline.close.get(at)?,
                _ => {}
            }
            at += 1;
        }
        let return_type =
            given.filter(|from| *from < at).and_then(|from| span_of(outline, from, at));
        while let Some(token) = outline.tokens.get(at) {
            match token.text {
                "{" => break,
                ";" => return Some(Self { name, parameters, return_type, body: at..at }),
                "(" | "[" => at = *outline.close.get(at)?,
                _ => {}
            }
            at += 1;
        }
        let end = outline.close.get(at).copied().unwrap_or(at);
        let body = if at < end { at + 1..end } else { at..at };
        Some(Self { name, parameters, return_type, body })
    }

    /// Whether the body mentions `word`, also inside a format string.
    pub(crate) fn mentions(&self, outline: &Outline<'_>, word: &str) -> bool {
        outline.tokens[self.body.clone()].iter().any(|token| match token.kind {
            TokenKind::Literal => token.text.contains(word),
            _ => token.is(word),
        })
    }
}

/// The token after `<…>`, or `at` if there is no `<`.
pub(crate) fn skip_generics(outline: &Outline<'_>, at: usize) -> Option<usize> {
    if outline.text(at) != "<" {
        return Some(at);
    }
    let mut depth = 0_isize;
    let mut at = at;
    while let Some(token) = outline.tokens.get(at) {
        depth += angle(token.text);
        match token.text {
            "(" | "[" | "{" => at = (*outline.close.get(at)?).max(at),
            _ => {}
        }
        at += 1;
        if depth <= 0 {
            return Some(at);
        }
    }
    None
}

/// Change of the nesting depth in angle brackets.
fn angle(text: &str) -> isize {
    match text {
        "<" => 1,
        "<<" => 2,
        ">" | ">=" => -1,
        _ => 0,
    }
}

/// Token ranges between commas, half-open; none is empty.
pub(crate) fn separated(outline: &Outline<'_>, start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let (mut from, mut at, mut depth) = (start, start, 0_isize);
    while at < end {
        let text = outline.text(at);
        depth = (depth + angle(text)).max(0);
        match text {
            "(" | "[" | "{" => {
                at = outline.close.get(at).map_or(at, |close| (*close).clamp(at, end));
            }
            "," if depth == 0 => {
                parts.push((from, at));
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push((from, end));
    parts.retain(|(from, to)| from < to);
    parts
}

/// Byte span of a half-open token range.
pub(crate) fn span_of(outline: &Outline<'_>, start: usize, end: usize) -> Option<ByteSpan> {
    let first = outline.tokens.get(start)?.span.start;
    let last = outline.tokens.get(end.checked_sub(1)?)?.span.end;
    (first <= last).then(|| ByteSpan::new(first, last))
}

fn parameter(outline: &Outline<'_>, start: usize, end: usize) -> Option<Parameter> {
    let span = span_of(outline, start, end)?;
    let mut head = start;
    while outline.text(head) == "#" && head + 1 < end {
        head = outline.close.get(head + 1).map_or(end, |close| close + 1);
    }
    let before_colon = (head..end).find(|at| outline.text(*at) == ":").unwrap_or(end);
    if (head..before_colon).any(|at| outline.text(at) == "self") {
        let none = ByteSpan::new(span.end, span.end);
        return Some(Parameter { span, name: String::new(), ty: none, is_receiver: true });
    }
    let name = head + usize::from(outline.text(head) == "mut");
    let is_name = name + 1 == before_colon && before_colon < end;
    let name = if is_name { outline.text(name).to_owned() } else { String::new() };
    let ty = span_of(outline, (before_colon + 1).min(end), end)
        .unwrap_or(ByteSpan::new(span.end, span.end));
    Some(Parameter { span, name, ty, is_receiver: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let outline = Outline::of(text);
        let byte = text.find("fn ").unwrap() + 3;
        let found = Signature::at(&outline, byte).map(|it| {
            let parts: Vec<String> = it
                .parameters
                .iter()
                .map(|it| format!("{}: {}", it.name, it.ty.slice(text).unwrap()))
                .collect();
            let return_type = it.return_type.map_or("()", |it| it.slice(text).unwrap());
            format!("{} -> {return_type} | {}", parts.join("; "), it.body.len())
        });
        assert_eq!(found.unwrap_or_default(), expected);
    }

    #[test]
    fn heads_with_any_types_are_read() {
        check("fn f(a: u8) {}", "a: u8 -> () | 0");
        check(
            "fn f<T: Fn(A) -> B>(a: Map<A, B>, mut b: T,) -> Vec<T> { a }",
            "a: Map<A, B>; b: T -> Vec<T> | 1",
        );
        check("fn f(&'a mut self, (a, b): (A, B)) -> X where X: Y;", ": ; : (A, B) -> X | 0");
        check(
            "fn f(f: impl Fn(A, B) -> C, #[x] d: [u8; 3]) {}",
            "f: impl Fn(A, B) -> C; d: [u8; 3] -> () | 0",
        );
    }

    #[test]
    fn broken_heads_are_read_as_far_as_they_go() {
        for text in ["fn f(", "fn f(a: <", "fn f<(", "fn f(a,, b:) ->", "fn "] {
            let outline = Outline::of(text);
            for byte in 0..text.len() {
                Signature::at(&outline, byte);
            }
        }
    }
}
