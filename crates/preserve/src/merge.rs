//! Three-way merge of the sides of a conflict, by tokens and comments. Git merges by lines, so that two
//! changes of one line, or of lines beside each other, are a conflict to it. Start at [`merge`].

use std::ops::Range;

use base::ByteSpan;
use edit::diff_sequences;

use crate::outline::tokens;

/// A change of their side since the base, as a change of our side's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TheirChange {
    /// The replaced part of our side's text.
    pub(crate) span: ByteSpan,
    /// The new text; `None` if our side changed the same place in another way.
    pub(crate) insert: Option<String>,
    /// Whether a separator or the end of a line is between it and each change of our side: nothing that
    /// belongs together is changed by both.
    pub(crate) is_apart: bool,
}

/// A token or the comments between two tokens.
#[derive(Clone, Copy, Debug)]
struct Piece<'t> {
    text: &'t str,
    span: ByteSpan,
}

/// Indices of pieces: of the base, and of the side.
type Run = (Range<usize>, Range<usize>);

/// Changes of their side that ours has not made too, ascending.
pub(crate) fn merge(base: &str, ours: &str, theirs: &str) -> Vec<TheirChange> {
    let merge = Merge {
        base,
        ours,
        theirs,
        base_pieces: pieces(base),
        our_pieces: pieces(ours),
        their_pieces: pieces(theirs),
    };
    let ours = runs(&merge.base_pieces, &merge.our_pieces);
    let theirs = runs(&merge.base_pieces, &merge.their_pieces);
    let is_new = |it: &&Run| !ours.iter().any(|own| merge.is_same(own, it));
    theirs.iter().filter(is_new).map(|it| merge.change(it, &ours)).collect()
}

struct Merge<'t> {
    base: &'t str,
    ours: &'t str,
    theirs: &'t str,
    base_pieces: Vec<Piece<'t>>,
    our_pieces: Vec<Piece<'t>>,
    their_pieces: Vec<Piece<'t>>,
}

impl Merge<'_> {
    /// Whether both sides made one change.
    fn is_same(&self, own: &Run, their: &Run) -> bool {
        own.0 == their.0
            && texts(&self.our_pieces[own.1.clone()]) == texts(&self.their_pieces[their.1.clone()])
    }

    fn change(&self, their: &Run, ours: &[Run]) -> TheirChange {
        let gone = &their.0;
        let moved = |at: usize| {
            let before = ours.iter().filter(|own| own.0.end <= at);
            before.fold(at, |at, own| at + own.1.len() - own.0.len())
        };
        let start = moved(gone.start);
        let at = start..start + gone.len();
        let is_free = !ours.iter().any(|own| overlaps(&own.0, gone));
        let (own, other) = ((self.ours, &*self.our_pieces), (self.theirs, &*self.their_pieces));
        let in_lines = (whole_lines(own, &at), whole_lines(other, &their.1));
        let (span, insert) = match in_lines {
            (Some(span), Some(insert)) => (span, insert),
            // With the blanks before it.
            _ if gone.is_empty() || their.1.is_empty() => {
                (between(own.1, &at), between(other.1, &their.1))
            }
            _ => (hull(own.1, &at), hull(other.1, &their.1)),
        };
        let insert = insert.slice(self.theirs);
        let is_apart = ours.iter().all(|own| self.are_apart(own, their));
        let insert = insert.filter(|_| is_free && span.end <= self.ours.len());
        TheirChange { span, insert: insert.map(str::to_owned), is_apart }
    }

    /// Whether a separator or the end of a line is between two changes, or at the edge of one.
    fn are_apart(&self, own: &Run, their: &Run) -> bool {
        let is_first = own.0.start < their.0.start || own.0.end <= their.0.start;
        let (first, second) = if is_first { (own, their) } else { (their, own) };
        let between = self.base_pieces.get(first.0.end..second.0.start).unwrap_or_default();
        let (from, to) = match is_first {
            true => (&self.our_pieces, &self.their_pieces),
            false => (&self.their_pieces, &self.our_pieces),
        };
        let inner = |list: &[Piece<'_>], at: Option<usize>, run: &Range<usize>| {
            at.filter(|it| run.contains(it)).and_then(|it| list.get(it)).is_some_and(is_separator)
        };
        let line = {
            let end = first.0.end.checked_sub(1).and_then(|it| self.base_pieces.get(it));
            let start = self.base_pieces.get(second.0.start).map(|it| it.span.start);
            let span = end.map_or(0, |it| it.span.end)..start.unwrap_or(self.base.len());
            self.base.get(span).is_some_and(|it| it.contains('\n'))
        };
        line || between.iter().any(is_separator)
            || inner(from, first.1.end.checked_sub(1), &first.1)
            || inner(to, Some(second.1.start), &second.1)
    }
}

/// Whether two changes of one text concern the same place.
fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    match (a.is_empty(), b.is_empty()) {
        (true, true) => a.start == b.start,
        (true, false) => b.start < a.start && a.start < b.end,
        (false, true) => a.start < b.start && b.start < a.end,
        (false, false) => a.start < b.end && b.start < a.end,
    }
}

/// From the line of the first piece to that of the next one, where both begin a line.
fn whole_lines((text, list): (&str, &[Piece<'_>]), of: &Range<usize>) -> Option<ByteSpan> {
    let line = |at: usize| {
        let Some(piece) = list.get(at) else { return Some(text.len()) };
        let before = text.get(..piece.span.start)?;
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        before.get(start..)?.trim().is_empty().then_some(start)
    };
    Some(ByteSpan::new(line(of.start)?, line(of.end)?))
}

/// From the first piece to the last one.
fn hull(list: &[Piece<'_>], of: &Range<usize>) -> ByteSpan {
    let inside = list.get(of.clone()).unwrap_or_default();
    match (inside.first(), inside.last()) {
        (Some(first), Some(last)) => ByteSpan::new(first.span.start, last.span.end),
        _ => between(list, of),
    }
}

/// From the end of the piece before the first one to the end of the last one.
fn between(list: &[Piece<'_>], of: &Range<usize>) -> ByteSpan {
    let end = |at: usize| at.checked_sub(1).and_then(|it| list.get(it)).map_or(0, |it| it.span.end);
    ByteSpan::new(end(of.start), end(of.end))
}

fn runs(before: &[Piece<'_>], after: &[Piece<'_>]) -> Vec<Run> {
    diff_sequences(&texts(before), &texts(after))
}

fn texts<'t>(list: &[Piece<'t>]) -> Vec<&'t str> {
    list.iter().map(|it| it.text).collect()
}

/// The tokens and comments of a text.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for token in tokens(text) {
        found.extend(comments(text, at, token.span.start));
        found.push(Piece { text: token.text, span: token.span });
        at = token.span.end;
    }
    found.extend(comments(text, at, text.len()));
    found
}

/// The text between two tokens, if it is more than blanks.
fn comments(text: &str, from: usize, to: usize) -> Option<Piece<'_>> {
    let gap = text.get(from..to)?;
    let start = from + gap.len() - gap.trim_start().len();
    let gap = gap.trim();
    let span = ByteSpan::new(start, start + gap.len());
    (!gap.is_empty()).then_some(Piece { text: gap, span })
}

fn is_separator(it: &Piece<'_>) -> bool {
    matches!(it.text, "," | ";" | "(" | ")" | "{" | "}" | "->" | "=>" | "fn" | "where")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Our side with their changes; `?` before it where one thing was changed by both.
    fn merged(base: &str, ours: &str, theirs: &str) -> Option<String> {
        let changes = merge(base, ours, theirs);
        let mut text = ours.to_owned();
        for it in changes.iter().rev() {
            text.replace_range(it.span.start..it.span.end, it.insert.as_deref()?);
        }
        let mark = if changes.iter().all(|it| it.is_apart) { "" } else { "?" };
        Some(format!("{mark}{text}"))
    }

    #[test]
    fn changes_of_one_line_are_joined() {
        let merged = |base, ours, theirs| merged(base, ours, theirs).unwrap();
        assert_eq!(
            merged("fn f(a: &str) {}", "pub(crate) fn f(a: &str) {}", "fn f(a: &str, b: bool) {}"),
            "pub(crate) fn f(a: &str, b: bool) {}"
        );
        assert_eq!(
            merged("fn f(a: &str) {}", "fn f(a: String) {}", "fn f(a: &str, b: bool) {}"),
            "fn f(a: String, b: bool) {}"
        );
        assert_eq!(
            merged("f(a);\ng(b);\n", "f(a, 1);\ng(b);\n", "f(a);\ng(c);\n"),
            "f(a, 1);\ng(c);\n"
        );
        assert_eq!(merged("a();\nb();\nc();", "a();\nc();", "a();\nb();\nd();"), "a();\nd();");
    }

    #[test]
    fn changes_of_one_expression_are_marked() {
        assert_eq!(merged("x + 1", "x + 2", "y + 1").unwrap(), "?y + 2");
    }

    #[test]
    fn what_both_change_in_another_way_is_not_joined() {
        assert_eq!(merged("f(a)", "f(b)", "f(c)"), None);
        assert_eq!(merged("f()", "f(a)", "f(b)"), None);
        assert_eq!(merged("f(a, b)", "f(b)", "f(c, b)"), None);
    }

    #[test]
    fn what_both_change_alike_is_changed_once() {
        assert_eq!(merged("f(a)", "g(a, 1)", "g(a)").unwrap(), "g(a, 1)");
    }

    #[test]
    fn comments_are_joined_as_code_is() {
        assert_eq!(
            merged("// One.\nf(a);\n", "// One.\nf(b);\n", "// Two.\nf(a);\n").unwrap(),
            "// Two.\nf(b);\n"
        );
        assert_eq!(merged("// One.\nf();", "// Two.\nf();", "// Three.\nf();"), None);
    }
}
