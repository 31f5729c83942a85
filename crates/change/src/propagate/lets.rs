//! Variables that are missing in a function and that others have got a `let` for.

use std::rc::Rc;

use base::{ByteSpan, ProjectPath, SortedMap, SortedSet};
use edit::Splice;
use preserve::outline::{TokenKind, is_keyword, tokens};
use refactor::{PlacedText, quoted};
use syntax::places::{Definition, PartKind};

use super::trees::{Tree, key_of, trees};
use super::{Confidence, Errors, Propagation, propagation};
use crate::changed::texts;
use crate::project::Project;

/// Most alternatives for one variable.
const MAX_CHOICES: usize = 3;
/// Most tokens of a `let`.
const LONGEST: usize = 40;

/// One `let` of a changed file.
struct Let {
    /// The names that it binds.
    names: SortedSet<String>,
    /// The names of values that it needs.
    needs: SortedSet<String>,
    /// Text with its `;`.
    text: String,
    /// Whether the difference has added it.
    is_new: bool,
}

/// The function in which variables are missing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Site {
    path: ProjectPath,
    function: usize,
    name: String,
}

/// For each function with a missing variable the `let`s that define it elsewhere, those of the
/// difference first.
pub(super) fn lets(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let mut missing: SortedMap<Site, Vec<(usize, ByteSpan)>> = SortedMap::new();
    for marked in errors.marked() {
        let name = quoted(&marked.error.message).next();
        let name = name.filter(|it| marked.misses_value() && !it.starts_with(char::is_uppercase));
        let Some((name, text)) = name.zip(project.text(marked.path)) else { continue };
        let Some(function) = text.function_at(marked.span.start) else { continue };
        let site = Site {
            path: marked.path.clone(),
            function: function.span.start,
            name: name.to_owned(),
        };
        missing.entry(site).or_default().push((marked.seed, marked.span));
    }
    if missing.is_empty() {
        return Vec::new();
    }
    let known = known(project);
    let mut found: Vec<Propagation> = Vec::new();
    for (site, marks) in missing {
        let fitting = known.iter().filter(|it| it.names.contains(&site.name));
        let mut seen = SortedSet::new();
        let distinct: Vec<&Let> = fitting.filter(|it| seen.insert(it.text.clone())).collect();
        let of_difference = distinct.iter().filter(|it| it.is_new).count();
        for it in distinct
            .iter()
            .filter_map(|it| Some((it, placed(project, &site, &marks, it)?)))
            .take(MAX_CHOICES)
        {
            let (it, splice) = it;
            let reason = format!("`{}` as other functions have it", it.text);
            let confidence = match it.is_new && of_difference == 1 {
                true => Confidence::Likely,
                false => Confidence::Guess,
            };
            let mut change = propagation(reason, confidence);
            change.seeds = marks.iter().map(|it| it.0).collect();
            change.splices = vec![(site.path.clone(), splice)];
            match found.iter_mut().find(|it| it.splices == change.splices) {
                Some(same) => same.seeds.append(&mut change.seeds),
                None => found.push(change),
            }
        }
    }
    found
}

/// The `let`s of the changed files, those of the difference first.
fn known(project: &Project<'_>) -> Vec<Let> {
    let mut found = Vec::new();
    for changed in project.changed() {
        let Some(all) = trees(&changed.after) else { continue };
        let base = texts(&changed.before);
        let mut statements = Vec::new();
        collect(&all, &mut statements);
        for statement in statements {
            let Some(mut it) = read(statement, changed.now) else { continue };
            let list = tokens(&it.text);
            let words = texts(&list);
            it.is_new = !base.windows(words.len()).any(|it| it == words);
            found.push(it);
        }
    }
    found.sort_by_key(|it| !it.is_new);
    found
}

/// The trees of each `let`, with its `;`.
fn collect<'a, 't>(list: &'a [Tree<'t>], found: &mut Vec<&'a [Tree<'t>]>) {
    let is = |tree: &Tree<'_>, text: &str| matches!(tree, Tree::Leaf(it) if it.is(text));
    for (at, tree) in list.iter().enumerate() {
        match tree {
            Tree::Group(group) => collect(&group.inner, found),
            Tree::Leaf(it) if it.is("let") => {
                let end = list[at..].iter().take(LONGEST).position(|it| is(it, ";"));
                found.extend(end.map(|end| &list[at..=at + end]));
            }
            Tree::Leaf(_) => {}
        }
    }
}

fn read(statement: &[Tree<'_>], text: &str) -> Option<Let> {
    let is = |tree: &Tree<'_>, text: &str| matches!(tree, Tree::Leaf(it) if it.is(text));
    let middle = statement.iter().position(|it| is(it, "="))?;
    let pattern = statement[..middle].split(|it| is(it, ":")).next()?;
    let value = statement.get(middle + 1..statement.len() - 1)?;
    let span = ByteSpan::new(statement.first()?.span().start, statement.last()?.span().end);
    let text = span.slice(text)?.to_owned();
    let is_short = tokens(&text).len() <= LONGEST && !text.contains('{');
    let names = values(&key_of(pattern));
    (is_short && !names.is_empty()).then(|| Let {
        names,
        needs: values(&key_of(value)),
        text,
        is_new: false,
    })
}

/// The names of variables in some code: lower-case words that are no member, call, path or macro.
fn values(code: &str) -> SortedSet<String> {
    let list = tokens(code);
    let text = |at: Option<usize>| at.and_then(|it| list.get(it)).map_or("", |it| it.text);
    let is_value = |(at, it): &(usize, &preserve::outline::Token<'_>)| {
        let (before, after) = (text(at.checked_sub(1)), text(Some(at + 1)));
        it.kind == TokenKind::Word
            && !it.text.starts_with(char::is_uppercase)
            && (!is_keyword(it.text) || it.text == "self")
            && !matches!(before, "." | "::" | "as" | "'")
            && !matches!(after, "(" | "::" | "!")
    };
    let found = list.iter().enumerate().filter(is_value);
    found.map(|(_, it)| it.text.to_owned()).collect()
}

/// The `let` before the statement of the function that misses the variable first, if all that it
/// needs is there.
fn placed(
    project: &Project<'_>,
    site: &Site,
    marks: &[(usize, ByteSpan)],
    it: &Let,
) -> Option<Splice> {
    let text: Rc<PlacedText> = project.text(&site.path)?;
    let mut definitions = text.places.definitions.iter();
    let function = definitions.find(|it| it.span.start == site.function)?;
    let first = marks.iter().map(|it| it.1.start).min()?;
    let at = statement_start(&text, function, first)?;
    let has = |name: &String| match name.as_str() {
        "self" => function.parts.iter().any(|it| it.kind == PartKind::Receiver),
        name => {
            let before = ByteSpan::new(function.span.start, at);
            let known = tokens(text.slice(before));
            known.iter().any(|it| it.text == name)
        }
    };
    if !it.needs.iter().all(has) {
        return None;
    }
    let line = text.text.get(..at)?.rsplit('\n').next()?;
    let indent = if line.trim().is_empty() { line } else { " " };
    let blank = if line.trim().is_empty() { format!("\n{indent}") } else { indent.to_owned() };
    Some(Splice { span: ByteSpan::new(at, at), insert: format!("{}{blank}", it.text) })
}

/// Where the statement of the function's body that contains a position begins.
fn statement_start(text: &PlacedText, function: &Definition, at: usize) -> Option<usize> {
    let body = function.body?;
    let list = tokens(text.slice(body));
    let all = trees(&list)?;
    let inner = match all.as_slice() {
        [Tree::Group(group)] => group.inner.as_slice(),
        list => list,
    };
    let at = at.checked_sub(body.start)?;
    let mut start = inner.first()?.span().start;
    let mut is_over = false;
    for tree in inner {
        let span = tree.span();
        // After a block a statement begins, unless the block is only a part of one.
        let is_part = matches!(tree, Tree::Leaf(it) if matches!(it.text, "else" | "." | "?" | ";"));
        if is_over && !is_part {
            start = span.start;
        }
        if at < span.end {
            return Some(body.start + start);
        }
        is_over = match tree {
            Tree::Leaf(it) => it.is(";"),
            Tree::Group(group) => group.open.is("{"),
        };
    }
    None
}
