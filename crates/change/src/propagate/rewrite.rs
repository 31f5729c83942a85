//! A rewrite with holes, generalised from examples: matched against token trees, and rendered.

use base::{ByteSpan, SortedMap};
use preserve::outline::{Token, TokenKind, is_keyword};

use super::trees::{Tree, key_of};
use super::unify::{Holes, groups, parts, segments, unify};

/// Old and new code of one place that the person has changed.
pub(super) struct Pair<'t> {
    pub(super) old: Vec<Tree<'t>>,
    pub(super) new: Vec<Tree<'t>>,
    /// Text that `new` is in.
    pub(super) now: &'t str,
}

/// One part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Token(String),
    Group {
        open: String,
        close: String,
        inner: Vec<Spaced>,
    },
    /// One tree, by the number of the hole.
    One(usize),
    /// All trees of a group.
    Rest(usize),
}

/// A part with the white space before it.
#[derive(Clone, Debug)]
pub(super) struct Spaced {
    pub(super) part: Part,
    pub(super) blank: Blank,
}

/// White space between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blank {
    None,
    Space,
    Line,
}

/// What is replaced by what.
#[derive(Clone, Debug)]
pub(super) struct Rewrite {
    old: Vec<Spaced>,
    new: Vec<Spaced>,
    /// Number of holes.
    pub(super) holes: usize,
}

impl Rewrite {
    /// The pair by itself, without holes.
    pub(super) fn exact(pair: &Pair<'_>) -> Self {
        let none = |_: &[Tree<'_>]| None;
        let old = parts(&pair.old, None, "", &none);
        let new = parts(&pair.new, None, pair.now, &none);
        Self { old, new, holes: 0 }
    }

    /// The pair with a hole for the content of each group that both sides have.
    pub(super) fn of_groups(pair: &Pair<'_>) -> Option<Self> {
        let mut kept: SortedMap<String, usize> = SortedMap::new();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        groups(&pair.old, &mut before);
        groups(&pair.new, &mut after);
        for key in before.into_iter().filter(|it| after.contains(it)) {
            let number = kept.len();
            kept.entry(key).or_insert(number);
        }
        if kept.is_empty() {
            return None;
        }
        let hole = |list: &[Tree<'_>]| kept.get(&key_of(list)).copied();
        let old = parts(&pair.old, None, "", &hole);
        let new = parts(&pair.new, None, pair.now, &hole);
        Some(Self { old, new, holes: kept.len() })
    }

    /// What two pairs have in common; `None` if that is nothing, or one of them would need a value
    /// that its old code does not have.
    pub(super) fn common(a: &Pair<'_>, b: &Pair<'_>) -> Option<Self> {
        let mut holes = Holes::new();
        let old = unify((&a.old, &b.old), None, "", &mut holes, true)?;
        let count = holes.len();
        let new = unify((&a.new, &b.new), None, a.now, &mut holes, false)?;
        Some(Self { old, new, holes: count })
    }

    /// Whether enough of it is fixed to identify a place.
    pub(super) fn is_specific(&self) -> bool {
        let mut fixed = 0;
        let mut names = 0;
        each_token(&self.old, &mut |it| {
            fixed += 1;
            names += usize::from(is_name(it));
        });
        fixed > 1 && names > 0
    }

    /// The names that are fixed in the old code.
    pub(super) fn names(&self) -> Vec<String> {
        let mut found = Vec::new();
        each_token(&self.old, &mut |it| {
            if is_name(it) {
                found.push(it.to_owned());
            }
        });
        found
    }

    /// Old and new code for a message, `…` for a hole.
    pub(super) fn shown(&self) -> (String, String) {
        (render(&self.old, &|_| "…".to_owned(), ""), render(&self.new, &|_| "…".to_owned(), ""))
    }

    /// The key of the pattern: equal for two that match and make the same.
    pub(super) fn key(&self) -> (String, String) {
        (key_of_parts(&self.old), key_of_parts(&self.new))
    }

    /// Matches the trees from the first on: how many they are, and the trees in the holes.
    pub(super) fn matches<'a, 't>(&self, trees: &'a [Tree<'t>]) -> Option<Match<'a, 't>> {
        let list = trees.get(..self.old.len())?;
        let mut found = SortedMap::new();
        match_all(&self.old, list, &mut found).then_some(Match { holes: found })
    }

    /// Number of trees that it matches.
    pub(super) fn len(&self) -> usize {
        self.old.len()
    }

    /// The new code at a place of `text`, whose line begins with `indent`.
    pub(super) fn render(&self, found: &Match<'_, '_>, text: &str, indent: &str) -> String {
        let hole = |number: usize| {
            let trees = found.holes.get(&number).copied().unwrap_or_default();
            let span = match (trees.first(), trees.last()) {
                (Some(first), Some(last)) => ByteSpan::new(first.span().start, last.span().end),
                _ => return String::new(),
            };
            span.slice(text).unwrap_or("").to_owned()
        };
        render(&self.new, &hole, indent)
    }

    /// Whether the pair has its old code and another new one.
    pub(super) fn contradicts(&self, pair: &Pair<'_>) -> bool {
        let has_old = self.old.len() == pair.old.len() && self.matches(&pair.old).is_some();
        has_old && !self.explains(pair)
    }

    /// Whether it turns the old code of the pair into the new one.
    pub(super) fn explains(&self, pair: &Pair<'_>) -> bool {
        if self.old.len() != pair.old.len() || self.new.len() != pair.new.len() {
            return false;
        }
        let mut found = SortedMap::new();
        match_all(&self.old, &pair.old, &mut found) && match_all(&self.new, &pair.new, &mut found)
    }
}

/// The trees in the holes of a match.
pub(super) struct Match<'a, 't> {
    holes: SortedMap<usize, &'a [Tree<'t>]>,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|it: char| it.is_alphabetic() || it == '_') && !is_keyword(text)
}

/// Operators and separators are never in a hole.
pub(super) fn is_mark(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Punctuation
}

fn match_all<'a, 't>(
    parts: &[Spaced],
    trees: &'a [Tree<'t>],
    found: &mut SortedMap<usize, &'a [Tree<'t>]>,
) -> bool {
    if let [Spaced { part: Part::Rest(number), .. }] = parts {
        return fill(*number, trees, found);
    }
    if !parts.iter().any(|it| matches!(it.part, Part::Rest(_))) {
        return match_each(parts, trees, found);
    }
    let is_separator = |it: &Spaced| matches!(&it.part, Part::Token(text) if text == ",");
    let (wanted, given) = (parts.split(is_separator), segments(trees));
    wanted.clone().count() == given.len()
        && wanted.zip(given).all(|(parts, trees)| match parts {
            [Spaced { part: Part::Rest(number), .. }] => {
                !trees.is_empty() && fill(*number, trees, found)
            }
            parts => match_each(parts, trees, found),
        })
}

fn match_each<'a, 't>(
    parts: &[Spaced],
    trees: &'a [Tree<'t>],
    found: &mut SortedMap<usize, &'a [Tree<'t>]>,
) -> bool {
    parts.len() == trees.len()
        && parts.iter().zip(trees).enumerate().all(|(at, (it, tree))| match (&it.part, tree) {
            (Part::Token(text), Tree::Leaf(token)) => token.is(text),
            (Part::Group { open, inner, .. }, Tree::Group(group)) => {
                group.open.is(open) && match_all(inner, &group.inner, found)
            }
            (Part::One(number), Tree::Leaf(token)) => {
                !is_mark(token) && fill(*number, &trees[at..=at], found)
            }
            (Part::One(number), Tree::Group(_)) => fill(*number, &trees[at..=at], found),
            _ => false,
        })
}

fn fill<'a, 't>(
    number: usize,
    trees: &'a [Tree<'t>],
    found: &mut SortedMap<usize, &'a [Tree<'t>]>,
) -> bool {
    match found.get(&number) {
        Some(known) => key_of(known) == key_of(trees),
        None => {
            found.insert(number, trees);
            true
        }
    }
}

fn each_token<'p>(parts: &'p [Spaced], each: &mut dyn FnMut(&'p str)) {
    for it in parts {
        match &it.part {
            Part::Token(text) => each(text),
            Part::Group { open, inner, .. } => {
                each(open);
                each_token(inner, each);
            }
            Part::One(_) | Part::Rest(_) => {}
        }
    }
}

fn key_of_parts(parts: &[Spaced]) -> String {
    let part = |it: &Spaced| match &it.part {
        Part::Token(text) => text.clone(),
        Part::Group { open, close, inner } => format!("{open} {} {close}", key_of_parts(inner)),
        Part::One(number) => format!("${number}"),
        Part::Rest(number) => format!("$${number}"),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" ")
}

fn render(parts: &[Spaced], hole: &dyn Fn(usize) -> String, indent: &str) -> String {
    let mut text = String::new();
    for it in parts {
        match it.blank {
            Blank::None => {}
            Blank::Space => text.push(' '),
            Blank::Line => {
                text.push('\n');
                text.push_str(indent);
            }
        }
        match &it.part {
            Part::Token(token) => text.push_str(token),
            Part::Group { open, close, inner } => {
                let blank = match inner.first().map(|it| it.blank) {
                    None | Some(Blank::None) => String::new(),
                    Some(Blank::Space) => " ".to_owned(),
                    Some(Blank::Line) => format!("\n{indent}"),
                };
                let inner = render(inner, hole, indent);
                text.push_str(&format!("{open}{inner}{blank}{close}"));
            }
            Part::One(number) | Part::Rest(number) => text.push_str(&hole(*number)),
        }
    }
    text
}
