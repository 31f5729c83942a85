//! Rewrites that the person has made in some places, for the places that still have the old code.

use std::rc::Rc;

use base::{ByteSpan, ProjectPath, SortedMap};
use edit::Splice;
use preserve::outline::{Token, is_item_keyword, tokens};
use refactor::{PlacedText, lines_around, quoted};

use super::rewrite::{Pair, Rewrite};
use super::trees::{Tree, closing, opening, trees};
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::changed::{Changed, Run};
use crate::project::{Project, has_word};
use crate::{Guess, GuessKind};

/// Most tokens of an old piece of code, and of a new one.
const LONGEST: usize = 48;
/// Tokens before a pure insertion or removal that identify its place.
const CONTEXT: usize = 4;
/// Changes so few tokens apart belong together.
const NEAR: usize = 4;
/// Most lines around an error that are searched.
const LINES: usize = 4;
/// Most changed places that are compared with each other.
const MAX_PAIRS: usize = 800;
/// Most rewrites that are proposed.
const MAX_REWRITES: usize = 16;

/// A rewrite with the number of places that have it already.
pub(super) struct Learned {
    pub(super) rewrite: Rewrite,
    pub(super) count: usize,
    /// Nothing was replaced in its example, only inserted: that may be needed there alone.
    is_insertion: bool,
    pub(super) origin: Origin,
}

/// Where the examples of a rewrite are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// In the user's own difference.
    Difference,
    /// In the difference of this commit.
    Commit(String),
    /// In how this dependency uses its own interface before and after.
    Library(String),
}

/// One changed place; whether code was only inserted there.
pub(super) type Example<'t> = (Pair<'t>, bool);

/// The rewrites, for each example one with all places that it fits: those without holes first, then
/// those that most places have.
pub(super) fn examples(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    if errors.iter().next().is_none() {
        return Vec::new();
    }
    fitting(project, errors, generalised(&places_of(project.changed(), MAX_PAIRS)))
}

/// The rewrites that fit the place of an error, each with all such places.
pub(super) fn fitting(
    project: &Project<'_>,
    errors: &Errors<'_>,
    rewrites: Vec<Learned>,
) -> Vec<Propagation> {
    let marked: Vec<Marked<'_>> = errors.marked().collect();
    let files: SortedMap<&ProjectPath, Rc<PlacedText>> =
        marked.iter().filter_map(|it| Some((it.path, project.text(it.path)?))).collect();
    let read: SortedMap<&ProjectPath, File<'_>> =
        files.iter().map(|(path, text)| (*path, File::of(text))).collect();
    let mut found: Vec<Propagation> = Vec::new();
    for learned in rewrites {
        let mut change = learned.propagation();
        let names = learned.rewrite.names();
        for marked in &marked {
            let Some(file) = read.get(marked.path) else { continue };
            let is_named =
                quoted(&marked.error.message).any(|it| names.iter().any(|word| has_word(it, word)));
            if !is_named && learned.count < 2 {
                continue;
            }
            for splice in file.places(marked.span, &learned.rewrite) {
                change.seeds.push(marked.seed);
                change.splices.push((marked.path.clone(), splice));
            }
        }
        if learned.origin != Origin::Difference && learned.is_weak() {
            let guess = |(path, it): &(ProjectPath, Splice)| {
                Guess::of(path, it, &it.insert, GuessKind::Value)
            };
            change.guesses = change.splices.iter().filter_map(guess).collect();
        }
        let is_known = found.iter().any(|it| it.splices == change.splices);
        if !change.seeds.is_empty() && !is_known {
            found.push(change);
        }
        if found.len() == MAX_REWRITES {
            break;
        }
    }
    found
}

impl Learned {
    fn propagation(&self) -> Propagation {
        let (old, new) = self.rewrite.shown();
        let places = base::counted(self.count, "other place");
        let reason = match &self.origin {
            Origin::Difference => format!("`{old}` was changed to `{new}` in {places}"),
            Origin::Commit(commit) => {
                let places = base::counted(self.count, "place");
                format!("`{old}` was changed to `{new}` in {places} by commit {commit}")
            }
            Origin::Library(name) => {
                let places = base::counted(self.count, "own example");
                format!("`{old}` is `{new}` in {places} of `{name}`")
            }
        };
        let is_guess = match &self.origin {
            Origin::Commit(_) => true,
            Origin::Library(_) => self.is_weak(),
            Origin::Difference => self.is_insertion,
        };
        propagation(reason, if is_guess { Confidence::Guess } else { Confidence::Likely })
    }

    /// Whether one example does not show that it is meant at other places too.
    pub(super) fn is_weak(&self) -> bool {
        self.is_insertion || self.count < 2
    }
}

/// The first `most` changed places of a difference.
pub(super) fn places_of<'t>(changed: &[Changed<'t>], most: usize) -> Vec<Example<'t>> {
    let mut pairs: Vec<Example<'t>> = Vec::new();
    for changed in changed {
        pairs_of(changed, &mut pairs);
    }
    pairs.truncate(most);
    pairs
}

/// The rewrites that all pairs of examples have in common, and those of single examples.
pub(super) fn generalised(pairs: &[Example<'_>]) -> Vec<Learned> {
    let mut found: SortedMap<(usize, (String, String)), (Rewrite, bool)> = SortedMap::new();
    let mut add = |rewrite: Rewrite, is_insertion: bool| {
        if rewrite.is_specific() {
            let known = found.entry((rewrite.holes, rewrite.key()));
            let known = known.or_insert((rewrite, is_insertion));
            known.1 &= is_insertion;
        }
    };
    for (at, (pair, is_insertion)) in pairs.iter().enumerate() {
        add(Rewrite::exact(pair), *is_insertion);
        if let Some(rewrite) = Rewrite::of_groups(pair) {
            add(rewrite, *is_insertion);
        }
        for (other, is_other) in pairs.iter().take(at) {
            if let Some(rewrite) = Rewrite::common(pair, other) {
                add(rewrite, *is_insertion && *is_other);
            }
        }
    }
    let mut list: Vec<Learned> = found
        .into_values()
        .map(|(rewrite, is_insertion)| {
            let count = pairs.iter().filter(|it| rewrite.explains(&it.0)).count();
            Learned { rewrite, count, is_insertion, origin: Origin::Difference }
        })
        .collect();
    list.sort_by_key(|it| (it.is_insertion, it.rewrite.holes > 0, std::cmp::Reverse(it.count)));
    list
}

/// The changed pieces of one file with balanced brackets; whether each was only inserted.
fn pairs_of<'t>(changed: &Changed<'t>, pairs: &mut Vec<Example<'t>>) {
    let Changed { now, before: a, after: b, runs } = changed;
    for run in joined(runs) {
        let is_insertion = run.0.is_empty();
        // A new statement or item is no example for other places.
        let is_new = is_insertion && run.0.start.checked_sub(1).is_none_or(|it| ends(&a[it]));
        let run = if is_new { None } else { balanced(with_context(run, runs, a), runs, a, b) };
        let Some((gone, come)) = run else { continue };
        // A definition follows from an intent.
        if a[gone.clone()].iter().any(|it| is_item_keyword(it.text)) {
            continue;
        }
        let (Some(old), Some(new)) = (trees(&a[gone]), trees(&b[come])) else { continue };
        let (old, new) = if is_insertion { (old, new) } else { trimmed(old, new) };
        if !old.is_empty() && !new.is_empty() {
            pairs.push((Pair { old, new, now }, is_insertion));
        }
    }
}

/// The part of both in which they differ: without equal trees around it, and without equal brackets.
fn trimmed<'t>(mut old: Vec<Tree<'t>>, mut new: Vec<Tree<'t>>) -> (Vec<Tree<'t>>, Vec<Tree<'t>>) {
    loop {
        let same = |a: Option<&Tree<'_>>, b: Option<&Tree<'_>>| match (a, b) {
            (Some(a), Some(b)) => a.key() == b.key(),
            _ => false,
        };
        let has_more = old.len() > 1 && new.len() > 1;
        if has_more && same(old.first(), new.first()) {
            old.remove(0);
            new.remove(0);
        } else if has_more && same(old.last(), new.last()) {
            old.pop();
            new.pop();
        } else if let ([Tree::Group(a)], [Tree::Group(b)]) = (old.as_slice(), new.as_slice())
            && a.open.text == b.open.text
            && !a.inner.is_empty()
            && !b.inner.is_empty()
        {
            (old, new) = (a.inner.clone(), b.inner.clone());
        } else {
            return (old, new);
        }
    }
}

/// What was only inserted or removed, with the call whose argument list it is in, else with the tokens
/// before it.
fn with_context(run: Run, runs: &[Run], a: &[Token<'_>]) -> Run {
    let (gone, come) = run.clone();
    if !gone.is_empty() && !come.is_empty() {
        return run;
    }
    let mut depth = 0_usize;
    let before = a[..gone.start].iter().rev().take(LONGEST).take_while(|it| !ends(it));
    let open = before.enumerate().find(|(_, it)| match (closing(it), opening(it)) {
        (_, Some(_)) => {
            depth += 1;
            false
        }
        (Some(_), _) if depth > 0 => {
            depth -= 1;
            false
        }
        (it, _) => it.is_some(),
    });
    let most = match open {
        Some((count, bracket)) if bracket.is("(") => count + 1 + CONTEXT,
        _ => CONTEXT,
    };
    // Not over other changes.
    let known = |count: usize| {
        let start = gone.start - count;
        runs.iter().all(|it| it.0.end <= start || gone.start <= it.0.start)
    };
    let most = most.min(gone.start).min(come.start);
    let before = a[gone.start - most..gone.start].iter().rev();
    let more = before.take_while(|it| !ends(it)).count();
    let more = (0..=more).rev().find(|it| known(*it)).unwrap_or(0);
    (gone.start - more..gone.end, come.start - more..come.end)
}

/// Whether a statement or item may end there.
fn ends(token: &Token<'_>) -> bool {
    token.is(";") || token.is("}")
}

/// The run extended, on both sides alike, until its brackets are balanced; `None` if it becomes too
/// long.
fn balanced(run: Run, runs: &[Run], a: &[Token<'_>], b: &[Token<'_>]) -> Option<Run> {
    let (mut gone, mut come) = run;
    loop {
        if gone.len() > LONGEST || come.len() > LONGEST {
            return None;
        }
        let (old, new) = (unbalanced(&a[gone.clone()]), unbalanced(&b[come.clone()]));
        if old.0 || new.0 {
            // One token more before it, with the change that ends there.
            match runs.iter().find(|it| it.0.end == gone.start && it.1.end == come.start) {
                Some(before) if !(before.0.is_empty() && before.1.is_empty()) => {
                    gone.start = before.0.start;
                    come.start = before.1.start;
                }
                _ => {
                    gone.start = gone.start.checked_sub(1)?;
                    come.start = come.start.checked_sub(1)?;
                }
            }
        } else if old.1 || new.1 {
            match runs.iter().find(|it| it.0.start == gone.end && it.1.start == come.end) {
                Some(next) if !(next.0.is_empty() && next.1.is_empty()) => {
                    gone.end = next.0.end;
                    come.end = next.1.end;
                }
                _ => {
                    gone.end = Some(gone.end + 1).filter(|it| *it <= a.len())?;
                    come.end = Some(come.end + 1).filter(|it| *it <= b.len())?;
                }
            }
        } else {
            return Some((gone, come));
        }
    }
}

/// Whether brackets are closed that are not opened, and opened that are not closed.
fn unbalanced(list: &[Token<'_>]) -> (bool, bool) {
    let (mut open, mut closed) = (0_usize, false);
    for it in list {
        if closing(it).is_some() {
            open += 1;
        } else if opening(it).is_some() {
            closed |= open == 0;
            open = open.saturating_sub(1);
        }
    }
    (closed, open > 0)
}

/// Runs that are near each other as one.
fn joined(runs: &[Run]) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    for (gone, come) in runs.iter().cloned() {
        match found.last_mut() {
            Some(last) if gone.start - last.0.end <= NEAR => {
                last.0.end = gone.end;
                last.1.end = come.end;
            }
            _ => found.push((gone, come)),
        }
    }
    found
}

/// One file in which an error is.
struct File<'t> {
    text: &'t str,
    /// `None` if the brackets are not balanced.
    trees: Option<Vec<Tree<'t>>>,
}

impl<'t> File<'t> {
    fn of(text: &'t PlacedText) -> Self {
        Self { text: &text.text, trees: trees(&tokens(&text.text)) }
    }

    /// The places of the old code on the marked lines.
    fn places(&self, marked: ByteSpan, rewrite: &Rewrite) -> Vec<Splice> {
        let lines = lines_around(self.text, marked);
        let Some(trees) = &self.trees else { return Vec::new() };
        if lines.slice(self.text).is_none_or(|it| it.lines().count() > LINES) {
            return Vec::new();
        }
        let mut found = Vec::new();
        search(trees, lines, &mut |list| {
            let holes = rewrite.matches(list)?;
            let last = list.get(rewrite.len().checked_sub(1)?)?;
            let span = ByteSpan::new(list.first()?.span().start, last.span().end);
            let line = self.text.get(..span.start)?.rsplit('\n').next()?;
            let indent = line.get(..line.len() - line.trim_start().len())?;
            let insert = rewrite.render(&holes, self.text, indent);
            found.push(Splice { span, insert });
            Some(rewrite.len())
        });
        found.retain(|it| it.span.start < lines.end && lines.start < it.span.end);
        found
    }
}

/// Calls `at` with the rest of each list of trees from each of its places on that may reach into
/// `lines`; continues after the number of trees that it returns.
fn search<'a, 't>(
    list: &'a [Tree<'t>],
    lines: ByteSpan,
    at: &mut dyn FnMut(&'a [Tree<'t>]) -> Option<usize>,
) {
    let mut idx = 0;
    while idx < list.len() {
        let span = list[idx].span();
        if span.start >= lines.end {
            break;
        }
        // Trees long before the lines cannot reach into them.
        let last = list.get(idx + LONGEST).map_or(usize::MAX, |it| it.span().start);
        if last >= lines.start
            && let Some(count) = at(&list[idx..])
        {
            idx += count.max(1);
            continue;
        }
        if let Tree::Group(group) = &list[idx]
            && span.end > lines.start
        {
            search(&group.inner, lines, at);
        }
        idx += 1;
    }
}
