//! What answers a task, and which recorded edit comes next. The right answers come from the compiler, from
//! test runs and from commits (`docs/agents-tokens.md`), never from graftage.

use std::sync::LazyLock;

use base::SortedSet;
use regex::Regex;

use crate::log::{Log, has_word};
use crate::shell::Hit;
use crate::task::{Ask, Edit, Task};
use crate::tree::{Tree, end_of_item, lines};

/// Lines of a function that show that it is the right one.
const CONFIRMING: usize = 10;

/// Whether what has been read answers a question.
pub(crate) fn done(task: &Task, tree: &Tree, log: &Log) -> bool {
    let all =
        |is: &dyn Fn(&str) -> bool| !task.gold.is_empty() && task.gold.iter().all(|it| is(it));
    match task.kind {
        Ask::Where => all(&|gold| {
            let (file, line) = place(gold);
            let text = tree.text(file);
            let last = end_of_item(&text, line).min(line + CONFIRMING - 1);
            log.one_has(&[file, task.name()]) && log.has_seen(&lines(&text, line, last))
        }),
        Ask::Show => all(&|gold| {
            let (file, range) = gold.rsplit_once(':').unwrap_or_default();
            let (first, last) = range.split_once('-').unwrap_or_default();
            let number = |it: &str| it.parse().unwrap_or(1);
            log.has_seen(&lines(&tree.text(file), number(first), number(last)))
        }),
        Ask::Tests => all(&|gold| log.one_has(&[gold.rsplit("::").next().unwrap_or_default()])),
        Ask::Callers => all(&|gold| {
            let (place, name) = gold.rsplit_once(':').unwrap_or_default();
            log.one_has(&[place.rsplit_once(':').unwrap_or_default().0, name])
        }),
        Ask::Implements => all(&|gold| {
            let (file, line) = place(gold);
            log.one_has(&[file, &implementor(&lines(&tree.text(file), line, line))])
        }),
        _ => false,
    }
}

fn place(gold: &str) -> (&str, usize) {
    let (file, line) = gold.rsplit_once(':').unwrap_or_default();
    (file, line.parse().unwrap_or(1))
}

/// Name of the type of an impl's first line.
fn implementor(line: &str) -> String {
    static TYPE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\bfor\s+(?:&(?:'\w+\s+)?(?:mut\s+)?)?(?:\w+::)*(\w+)").unwrap()
    });
    TYPE.captures(line).map_or_else(String::new, |it| it[1].to_owned())
}

/// The functions around lines that have one of the names: file and name. Definitions of the names are
/// not among them.
pub(crate) fn functions_at(
    tree: &Tree,
    hits: &[Hit],
    names: &[String],
) -> SortedSet<(String, String)> {
    static FUNCTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bfn (\w+)").unwrap());
    let mut found = SortedSet::new();
    for hit in hits.iter().filter(|hit| names.iter().any(|name| has_word(&hit.text, name))) {
        if FUNCTION.captures(&hit.text).is_some_and(|it| names.contains(&it[1].to_owned())) {
            continue;
        }
        let text = tree.text(&hit.file);
        let above: Vec<&str> = text.lines().take(hit.line).collect();
        let name = above.iter().rev().find_map(|line| FUNCTION.captures(line));
        found.extend(name.map(|it| (hit.file.clone(), it[1].to_owned())));
    }
    found
}

/// Places `path:line` in a text.
pub(crate) fn places(text: &str) -> Vec<(String, usize)> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"([\w./-]+\.rs):(\d+)").unwrap());
    let place = |it: regex::Captures<'_>| Some((it[1].to_owned(), it[2].parse().ok()?));
    PLACE.captures_iter(text).filter_map(place).collect()
}

/// A recorded edit, and the line that leads to it.
pub(crate) struct Next {
    pub(crate) edit: Edit,
    pub(crate) near: usize,
}

/// The recorded edits that are left.
pub(crate) struct Progress {
    left: Vec<Edit>,
}

impl Progress {
    /// Those that follow from the decided one. In a task of one body, none are left.
    pub(crate) fn new(task: &Task) -> Self {
        let left = if task.kind == Ask::Body { Vec::new() } else { task.rest.clone() };
        Self { left }
    }

    /// The edits at the errors of a text; without such ones, the first in a file with errors, then the first
    /// at all.
    pub(crate) fn next(&mut self, tree: &Tree, errors: &str) -> Vec<Next> {
        let errors = places(errors);
        self.left.retain(|it| tree.text(&it.file).matches(&it.old).count() == 1);
        let line_of = |edit: &Edit| {
            let text = tree.text(&edit.file);
            text.find(&edit.old).map_or(1, |at| text[..at].matches('\n').count() + 1)
        };
        let is_at = |edit: &Edit| {
            let (first, many) = (line_of(edit), edit.old.lines().count());
            let hit = |(file, line): &&(String, usize)| {
                *file == edit.file && *line + 3 >= first && *line <= first + many + 2
            };
            errors.iter().find(hit).map(|(_, line)| *line)
        };
        let mut next: Vec<Next> = Vec::new();
        for edit in &self.left {
            next.extend(is_at(edit).map(|near| Next { edit: edit.clone(), near }));
        }
        if next.is_empty() {
            let in_file = |edit: &&Edit| errors.iter().any(|(file, _)| *file == edit.file);
            if let Some(edit) = self.left.iter().find(in_file).or(self.left.first()) {
                let error = errors.iter().find(|(file, _)| *file == edit.file);
                let near = error.map_or_else(|| line_of(edit), |(_, line)| *line);
                next.push(Next { edit: edit.clone(), near });
            }
        }
        self.left.retain(|it| next.iter().all(|next| next.edit != *it));
        next
    }
}
