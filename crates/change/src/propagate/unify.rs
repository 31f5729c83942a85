//! The generalisation of token trees: what two of them have in common, with holes for the rest
//! (anti-unification; Plotkin, "A note on inductive generalization", 1970).

use base::SortedMap;

use super::rewrite::{Blank, Part, Spaced, is_mark};
use super::trees::{Group, Tree, key_of};

/// What the holes of a rewrite are, in numbers.
pub(super) type Holes = SortedMap<(String, String), usize>;

/// The contents of all groups that are not empty.
pub(super) fn groups(trees: &[Tree<'_>], found: &mut Vec<String>) {
    for tree in trees {
        if let Tree::Group(group) = tree {
            if !group.inner.is_empty() {
                found.push(key_of(&group.inner));
            }
            groups(&group.inner, found);
        }
    }
}

/// The white space in `text` between the end of one tree and the start of the next.
fn blank(text: &str, from: Option<usize>, to: usize) -> Blank {
    let between = from.and_then(|from| text.get(from..to)).unwrap_or("");
    match (between.contains('\n'), between.is_empty()) {
        (true, _) => Blank::Line,
        (_, true) => Blank::None,
        _ => Blank::Space,
    }
}

/// The parts of some trees; `hole` returns the number of a hole for the content of a group.
pub(super) fn parts(
    trees: &[Tree<'_>],
    from: Option<usize>,
    text: &str,
    hole: &dyn Fn(&[Tree<'_>]) -> Option<usize>,
) -> Vec<Spaced> {
    let mut found = Vec::new();
    let mut end = from;
    for tree in trees {
        let blank = blank(text, end, tree.span().start);
        end = Some(tree.span().end);
        let part = match tree {
            Tree::Leaf(it) => Part::Token(it.text.to_owned()),
            Tree::Group(it) => {
                let inner = match hole(&it.inner) {
                    Some(number) => rest(it, number, text),
                    None => parts(&it.inner, Some(it.open.span.end), text, hole),
                };
                Part::Group {
                    open: it.open.text.to_owned(),
                    close: it.close.text.to_owned(),
                    inner,
                }
            }
        };
        found.push(Spaced { part, blank });
    }
    found
}

/// A hole for all trees of a group.
fn rest(of: &Group<'_>, number: usize, text: &str) -> Vec<Spaced> {
    let first = of.inner.first().map_or(of.close.span.start, |it| it.span().start);
    let blank = blank(text, Some(of.open.span.end), first);
    vec![Spaced { part: Part::Rest(number), blank }]
}

/// The least general generalisation of two lists of the same length.
pub(super) fn unify(
    (a, b): (&[Tree<'_>], &[Tree<'_>]),
    from: Option<usize>,
    text: &str,
    holes: &mut Holes,
    may_add: bool,
) -> Option<Vec<Spaced>> {
    if a.len() != b.len() {
        return None;
    }
    let mut found = Vec::new();
    let mut end = from;
    for (x, y) in a.iter().zip(b) {
        let blank = blank(text, end, x.span().start);
        end = Some(x.span().end);
        let part = match (x, y) {
            (Tree::Leaf(x), Tree::Leaf(y)) if x.text == y.text => Part::Token(x.text.to_owned()),
            (Tree::Group(x), Tree::Group(y)) if x.open.text == y.open.text => {
                group(x, y, text, holes, may_add)?
            }
            (Tree::Leaf(x), Tree::Leaf(y)) if is_mark(x) || is_mark(y) => return None,
            _ => Part::One(number(holes, (x.key(), y.key()), may_add)?),
        };
        found.push(Spaced { part, blank });
    }
    Some(found)
}

fn group(
    x: &Group<'_>,
    y: &Group<'_>,
    text: &str,
    holes: &mut Holes,
    may_add: bool,
) -> Option<Part> {
    let from = Some(x.open.span.end);
    let known = holes.clone();
    let inner = unify((&x.inner, &y.inner), from, text, holes, may_add).or_else(|| {
        *holes = known.clone();
        elements((&x.inner, &y.inner), from, text, holes, may_add)
    });
    let inner = match inner {
        Some(inner) => inner,
        None => {
            *holes = known;
            let number = number(holes, (key_of(&x.inner), key_of(&y.inner)), may_add)?;
            rest(x, number, text)
        }
    };
    Some(Part::Group { open: x.open.text.to_owned(), close: x.close.text.to_owned(), inner })
}

/// The generalisation of two lists of as many elements, with a hole for an element where they differ
/// in length.
fn elements(
    (a, b): (&[Tree<'_>], &[Tree<'_>]),
    mut from: Option<usize>,
    text: &str,
    holes: &mut Holes,
    may_add: bool,
) -> Option<Vec<Spaced>> {
    let (of_a, of_b) = (segments(a), segments(b));
    if of_a.len() != of_b.len() {
        return None;
    }
    let mut found = Vec::new();
    let mut commas = a.iter().filter(|it| is_comma(it));
    for (x, y) in of_a.into_iter().zip(of_b) {
        let known = holes.clone();
        match unify((x, y), from, text, holes, may_add) {
            Some(parts) => found.extend(parts),
            None => {
                *holes = known;
                let number = number(holes, (key_of(x), key_of(y)), may_add)?;
                let start = x.first()?.span().start;
                let blank = blank(text, from, start);
                found.push(Spaced { part: Part::Rest(number), blank });
            }
        }
        from = x.last().map(|it| it.span().end).or(from);
        if let Some(comma) = commas.next() {
            let blank = blank(text, from, comma.span().start);
            found.push(Spaced { part: Part::Token(",".to_owned()), blank });
            from = Some(comma.span().end);
        }
    }
    Some(found)
}

/// The elements of a list, which a comma ends.
pub(super) fn segments<'a, 't>(trees: &'a [Tree<'t>]) -> Vec<&'a [Tree<'t>]> {
    trees.split(is_comma).collect()
}

fn is_comma(tree: &Tree<'_>) -> bool {
    matches!(tree, Tree::Leaf(it) if it.is(","))
}

/// The hole of two texts; a new one if that is allowed.
fn number(holes: &mut Holes, key: (String, String), may_add: bool) -> Option<usize> {
    let next = holes.len();
    match may_add {
        true => Some(*holes.entry(key).or_insert(next)),
        false => holes.get(&key).copied(),
    }
}
