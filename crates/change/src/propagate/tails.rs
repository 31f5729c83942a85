//! The values that a body or a closure ends with: the last expression of a block, the arms of a `match`,
//! the branches of an `if`, down to what is none of these.

use std::ops::Range;

use base::{ByteSpan, Diagnostic};
use preserve::outline::Outline;

use crate::arms::{arms_in, span_of, step};
use refactor::PlacedText;

/// The values that `body`, an expression or a block of `text`, ends with; empty where it ends with a
/// statement.
pub(super) fn tails(text: &str, body: ByteSpan) -> Vec<ByteSpan> {
    Ends::of(text, body).values
}

/// End of a body.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// The last expression; `None` where it ends with a statement.
    pub(super) last: Option<ByteSpan>,
    /// The values in it, which are its own.
    pub(super) values: Vec<ByteSpan>,
    /// The blocks in it that end with a statement, that of an `if` without an `else` too.
    pub(super) blocks: Vec<ByteSpan>,
}

impl Ends {
    /// Those of `body`, an expression or a block of `text`.
    pub(super) fn of(text: &str, body: ByteSpan) -> Self {
        let Some(part) = body.slice(text) else { return Self::default() };
        let outline = Outline::of(part);
        let mut found = Found::default();
        let count = outline.tokens.len();
        collect(&outline, 0..count, &mut found);
        let is_block = outline.text(0) == "{" && outline.close[0] + 1 == count;
        let last = if is_block { last(&outline, 1..count - 1) } else { 0..count };
        let placed = |it: &Range<usize>| {
            let span = span_of(&outline, it).filter(|_| !it.is_empty())?;
            Some(ByteSpan::new(body.start + span.start, body.start + span.end))
        };
        Self {
            last: placed(&last),
            values: found.values.iter().filter_map(placed).collect(),
            blocks: found.blocks.iter().filter_map(placed).collect(),
        }
    }
}

/// As [`Ends`], in tokens.
#[derive(Default)]
struct Found {
    values: Vec<Range<usize>>,
    blocks: Vec<Range<usize>>,
}

/// The values of all arms of the `match` or `if` whose arms have different types, as an error has it that
/// marks only the first one that differs; empty for another error.
pub(super) fn joined_tails(text: &PlacedText, error: &Diagnostic) -> Vec<ByteSpan> {
    const JOINED: [&str; 2] =
        ["`match` arms have incompatible types", "`if` and `else` have incompatible types"];
    let is_joined = |it: &str| JOINED.contains(&it);
    let labelled = error.spans.iter().find(|it| it.label.as_deref().is_some_and(is_joined));
    let Some(whole) = labelled.filter(|it| it.place.project() == Some(&text.path)) else {
        return Vec::new();
    };
    let start = whole.bytes.start;
    let head = text.text.get(..start).unwrap_or("").trim_end();
    // Of a `match` the label is at what is matched, of an `if` at the whole.
    let from = head.strip_suffix("match").map_or(start, str::len);
    let Some(rest) = text.text.get(from..) else { return Vec::new() };
    let outline = Outline::of(rest);
    let mut end = 0;
    let mut last = None;
    while end < outline.tokens.len() && !matches!(outline.text(end), ";" | "," | ")" | "}") {
        let was_brace = outline.text(end) == "{";
        end = step(&outline, end);
        last = outline.tokens.get(end.saturating_sub(1)).map(|it| it.span.end);
        if was_brace && outline.text(end) != "else" {
            break;
        }
    }
    last.map_or_else(Vec::new, |it| tails(&text.text, ByteSpan::new(from, from + it)))
}

/// The body of the closure or `async` block that `closure`, a span of `text`, is, and the type that it names.
pub(super) fn closure_body(text: &str, closure: ByteSpan) -> Option<(ByteSpan, Option<ByteSpan>)> {
    let part = closure.slice(text)?;
    let outline = Outline::of(part);
    let mut at = 0;
    while matches!(outline.text(at), "move" | "async" | "static") {
        at += 1;
    }
    let after = match outline.text(at) {
        "{" if at > 0 && outline.text(0) == "async" => at,
        "||" => at + 1,
        "|" => {
            let mut end = at + 1;
            while end < outline.tokens.len() && outline.text(end) != "|" {
                end = step(&outline, end);
            }
            end + 1
        }
        _ => return None,
    };
    let count = outline.tokens.len();
    let within = |range: Range<usize>| {
        let span = span_of(&outline, &range)?;
        Some(ByteSpan::new(closure.start + span.start, closure.start + span.end))
    };
    if outline.text(after) != "->" {
        return Some((within(after..count)?, None));
    }
    let open = (after..count).find(|it| outline.text(*it) == "{")?;
    Some((within(open..count)?, within(after + 1..open)))
}

fn collect(outline: &Outline<'_>, range: Range<usize>, found: &mut Found) {
    let Range { start, end } = range;
    if start >= end {
        return;
    }
    let closes_last = |open: usize| outline.close.get(open).is_some_and(|it| it + 1 == end);
    let opened = |from: usize| {
        let mut at = from;
        while at < end && !(outline.text(at) == "{" && closes_last(at)) {
            at = step(outline, at);
        }
        (at < end).then_some(at)
    };
    match outline.text(start) {
        "{" if closes_last(start) => match last(outline, start + 1..end - 1) {
            it if it.is_empty() => found.blocks.push(range),
            it => collect(outline, it, found),
        },
        "unsafe" if outline.text(start + 1) == "{" => collect(outline, start + 1..end, found),
        "match" if let Some(open) = opened(start) => {
            for arm in arms_in(outline, open) {
                collect(outline, arm.body, found);
            }
        }
        "if" if let Some(branches) = branches(outline, start..end) => {
            for branch in branches {
                collect(outline, branch, found);
            }
        }
        first => {
            let block = opened(start).filter(|_| first == "if");
            found.blocks.extend(block.map(|it| it..end));
            found.values.push(range);
        }
    }
}

/// The blocks of an `if` with an `else`; `None` where something follows them.
fn branches(outline: &Outline<'_>, range: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut at = range.start + 1;
    while at < range.end {
        let next = step(outline, at);
        let ends = next == range.end || outline.text(next) == "else";
        if outline.text(at) != "{" || !ends {
            at = next;
            continue;
        }
        found.push(at..next);
        if next == range.end {
            return (found.len() > 1).then_some(found);
        }
        at = next + 1;
        if outline.text(at) == "if" {
            at += 1;
        }
    }
    None
}

/// The last expression between the braces of a block; empty if a statement is last.
fn last(outline: &Outline<'_>, inside: Range<usize>) -> Range<usize> {
    let (mut from, mut at) = (inside.start, inside.start);
    while at < inside.end {
        let next = step(outline, at);
        let is_brace = outline.text(at) == "{";
        let is_block = matches!(
            outline.text(from),
            "{" | "if"
                | "match"
                | "for"
                | "while"
                | "loop"
                | "unsafe"
                | "fn"
                | "struct"
                | "enum"
                | "impl"
        );
        let continues = matches!(outline.text(next), "else" | "." | "?" | "as");
        if outline.text(at) == ";" || is_brace && is_block && !continues && next < inside.end {
            // The braces of a pattern are no block: `if let A { .. } = x {`.
            let is_pattern = is_brace && matches!(outline.text(next), "=" | "|" | "=>" | ",");
            if !is_pattern {
                from = next;
            }
        }
        at = next;
    }
    from..inside.end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: &[&str]) {
        let found = tails(body, ByteSpan::new(0, body.len()));
        let found: Vec<&str> = found.iter().filter_map(|it| it.slice(body)).collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn a_block_ends_with_its_last_expression() {
        check("{ a; b.c() }", &["b.c()"]);
        check("{ a; }", &[]);
        check("{ if a { return 1; } b }", &["b"]);
        check("{ for x in y { z(); } Some(x) }", &["Some(x)"]);
        check(
            "{ if let A { b } = c { return 1 } match d { _ => 2 }.e() }",
            &["match d { _ => 2 }.e()"],
        );
        check("a + b", &["a + b"]);
    }

    #[test]
    fn arms_and_branches_are_ends() {
        check(
            "{ match a { B { c } => c, D => { e; f } _ => g(|x| { x }), } }",
            &["c", "f", "g(|x| { x })"],
        );
        check("if a { b } else if let C { d } = e { f } else { unsafe { g } }", &["b", "f", "g"]);
        check("{ if a { b } }", &["if a { b }"]);
        check("{ let a = if b { c } else { d }; a }", &["a"]);
    }

    #[test]
    fn blocks_that_end_with_a_statement_are_ends() {
        let check = |body: &str, last: Option<&str>, blocks: &[&str]| {
            let ends = Ends::of(body, ByteSpan::new(0, body.len()));
            assert_eq!(ends.last.and_then(|it| it.slice(body)), last, "{body}");
            let found: Vec<&str> = ends.blocks.iter().filter_map(|it| it.slice(body)).collect();
            assert_eq!(found, blocks, "{body}");
        };
        check("{ a; b; }", None, &["{ a; b; }"]);
        check("{ }", None, &["{ }"]);
        check("{ a; if b { c; } else { d }; }", None, &["{ a; if b { c; } else { d }; }"]);
        check("{ a; if b { c; } }", Some("if b { c; }"), &["{ c; }"]);
        check(
            "{ match a { B => c(|| { d; }), _ => {} } }",
            Some("match a { B => c(|| { d; }), _ => {} }"),
            &["{}"],
        );
    }

    #[test]
    fn a_closure_has_a_body_and_may_name_its_type() {
        let of = |text: &str| {
            let (body, ty) = closure_body(text, ByteSpan::new(0, text.len())).unwrap();
            let slice = |it: ByteSpan| it.slice(text).unwrap().to_owned();
            (slice(body), ty.map(slice))
        };
        assert_eq!(of("|a, (b, c)| d(a)"), ("d(a)".to_owned(), None));
        assert_eq!(of("move || { a }"), ("{ a }".to_owned(), None));
        assert_eq!(
            of("|a| -> Option<u8> { a }"),
            ("{ a }".to_owned(), Some("Option<u8>".to_owned()))
        );
        assert!(closure_body("a", ByteSpan::new(0, 1)).is_none());
    }
}
