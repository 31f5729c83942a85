//! Patterns as tokens: the paths of variants in them, and where they are.

use std::ops::Range;

use preserve::outline::{Outline, TokenKind};

use super::{span_of, step};

/// One path in a pattern: a variant, with what is around it.
#[derive(Clone, Debug)]
pub(super) struct PathPlace {
    /// Token of the last name.
    pub(super) name: usize,
    /// The tokens of the path.
    pub(super) path: Range<usize>,
    /// The tokens of the payload, brackets included; empty without one.
    pub(super) payload: Range<usize>,
    /// The alternative that it is, without the `|` before it.
    pub(super) alternative: Range<usize>,
    /// End of the alternative before; `None` if it is the first one.
    pub(super) previous: Option<usize>,
    /// Number of alternatives beside it, itself included.
    pub(super) count: usize,
    /// The texts of the pattern before and after, up to the whole arm, without the other alternatives.
    pub(super) around: (Vec<String>, Vec<String>),
}

/// The shape of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Unit,
    /// Number of parts; `None` with `..`.
    Tuple(Option<usize>),
    Fields,
}

impl Shape {
    pub(super) fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Tuple(Some(one)), Self::Tuple(Some(other))) => one == other,
            (Self::Tuple(_), Self::Tuple(_)) => true,
            _ => self == other,
        }
    }
}

impl PathPlace {
    pub(super) fn shape(&self, outline: &Outline<'_>) -> Shape {
        match outline.text(self.payload.start) {
            "(" if !self.payload.is_empty() => {
                let parts = separated(outline, &inside(&self.payload), ",");
                let is_rest = |it: &Range<usize>| outline.text(it.start) == ".." && it.len() == 1;
                let has_rest = parts.iter().any(is_rest);
                Shape::Tuple((!has_rest).then_some(parts.len()))
            }
            "{" if !self.payload.is_empty() => Shape::Fields,
            _ => Shape::Unit,
        }
    }

    /// Whether its path has only one name.
    pub(super) fn is_bare(&self) -> bool {
        self.path.len() == 1
    }
}

fn inside(brackets: &Range<usize>) -> Range<usize> {
    brackets.start + 1..brackets.end.saturating_sub(1).max(brackets.start + 1)
}

/// The parts between separators outside of brackets; none is empty.
pub(crate) fn separated(
    outline: &Outline<'_>,
    range: &Range<usize>,
    by: &str,
) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (range.start, range.start);
    while at < range.end {
        if outline.text(at) == by {
            parts.push(from..at);
            from = at + 1;
        }
        at = step(outline, at);
    }
    parts.push(from..range.end);
    parts.retain(|it| it.start < it.end);
    parts
}

/// The alternatives of a pattern, as text.
pub(super) fn alternatives(pattern: &str) -> Vec<String> {
    let outline = Outline::of(pattern);
    let parts = separated(&outline, &(0..outline.tokens.len()), "|");
    let text = |it: &Range<usize>| span_of(&outline, it)?.slice(pattern).map(str::to_owned);
    parts.iter().filter_map(text).collect()
}

/// Whether a pattern is nothing but `_`, or `&_`.
pub(super) fn is_catch_all(pattern: &str) -> bool {
    pattern.trim_start_matches('&').trim() == "_"
}

/// The paths in a pattern, outer before inner.
pub(super) fn paths(outline: &Outline<'_>, pattern: &Range<usize>) -> Vec<PathPlace> {
    let mut found = Vec::new();
    let whole = Around { texts: (Vec::new(), Vec::new()), choice: None };
    walk(outline, pattern, &whole, &mut found);
    found
}

/// Place of a part of a pattern.
#[derive(Clone)]
struct Around {
    texts: (Vec<String>, Vec<String>),
    choice: Option<Choice>,
}

/// An alternative: its tokens, the end of the one before, and the number of alternatives.
type Choice = (Range<usize>, Option<usize>, usize);

fn walk(
    outline: &Outline<'_>,
    pattern: &Range<usize>,
    around: &Around,
    found: &mut Vec<PathPlace>,
) {
    let alternatives = separated(outline, pattern, "|");
    for (idx, alternative) in alternatives.iter().enumerate() {
        let previous = idx.checked_sub(1).and_then(|it| alternatives.get(it)).map(|it| it.end);
        let own = (alternative.clone(), previous, alternatives.len());
        // The innermost choice around a variant gets the new one.
        let choice = match &around.choice {
            Some(outer) if own.2 == 1 => outer.clone(),
            _ => own,
        };
        let around = &Around { texts: around.texts.clone(), choice: Some(choice.clone()) };
        let start = value_start(outline, alternative);
        let is_word = outline.tokens.get(start).is_some_and(|it| it.kind == TokenKind::Word);
        if !is_word {
            if matches!(outline.text(start), "(" | "[") {
                let whole = start..step(outline, start).min(alternative.end);
                parts(outline, &whole, around, &[], found);
            }
            continue;
        }
        let mut name = start;
        while outline.text(name + 1) == "::" && name + 2 < alternative.end {
            name += 2;
        }
        let has_payload = name + 1 < alternative.end && matches!(outline.text(name + 1), "(" | "{");
        let end = if has_payload { step(outline, name + 1).min(alternative.end) } else { name + 1 };
        let place = PathPlace {
            name,
            path: start..name + 1,
            payload: name + 1..end,
            alternative: choice.0,
            previous: choice.1,
            count: choice.2,
            around: around.texts.clone(),
        };
        let payload = place.payload.clone();
        if is_variant(outline, &place) {
            found.push(place);
        }
        if outline.text(payload.start) == "(" && !payload.is_empty() {
            parts(outline, &payload, around, &[outline.text(name)], found);
        }
    }
}

/// Whether a path is that of a variant and not a binding.
fn is_variant(outline: &Outline<'_>, place: &PathPlace) -> bool {
    let name = outline.text(place.name);
    !place.is_bare() || name.starts_with(char::is_uppercase)
}

/// The paths in the parts of a tuple or payload.
fn parts(
    outline: &Outline<'_>,
    brackets: &Range<usize>,
    around: &Around,
    head: &[&str],
    found: &mut Vec<PathPlace>,
) {
    let list = separated(outline, &inside(brackets), ",");
    let texts = |range: Range<usize>| {
        let all = range.map(|it| outline.text(it).to_owned());
        all.filter(|it| !matches!(it.as_str(), "&" | "ref" | "mut")).collect::<Vec<String>>()
    };
    for part in &list {
        let mut inner = around.clone();
        inner.texts.0.extend(head.iter().map(|it| (*it).to_owned()));
        inner.texts.0.extend(texts(brackets.start..part.start));
        let mut after = texts(part.end..brackets.end);
        after.append(&mut inner.texts.1);
        inner.texts.1 = after;
        walk(outline, part, &inner, found);
    }
}

/// The first token of an alternative that is no borrow or binding of the whole.
fn value_start(outline: &Outline<'_>, alternative: &Range<usize>) -> usize {
    let mut at = alternative.start;
    while at + 1 < alternative.end {
        if matches!(outline.text(at), "&" | "&&" | "ref" | "mut" | "box") {
            at += 1;
        } else if outline.text(at + 1) == "@" {
            at += 2;
        } else {
            break;
        }
    }
    at
}
