//! The agent without graftage. Its fixed policy, in two variants: *narrow* reads windows of 60 lines and asks
//! the compiler for one line an error; *wide* reads windows of 200 lines and the compiler's whole text. For
//! "which tests cover X" a third one, *break*, puts a panic into the body and runs the tests. The table has
//! the best variant of each kind.
//!
//! - `where`: greps the six most specific words of the question (longest first, without common words), ranks
//!   the places by the different words near them, rare ones first, and reads up to ten windows.
//! - `show`: greps the definition, reads on until the item ends.
//! - `callers`: narrow greps the files, then lines with the name or with `fn` in them, so that each call has its
//!   function above it; wide greps the name and reads the 50 lines before each call.
//! - `tests`: the same, level by level, through at most three levels of callers.
//! - `implements`: greps `impl … Trait … for`.
//! - `param`: greps and reads the definition, edits it, then follows the compiler: check, read where an error is,
//!   edit there, until the check passes; then runs the tests.
//! - `rename`: greps the name; if only one function has it, `sed` renames it in all files, then check and test.
//! - `error`, `halfdone`: follow the compiler as above. `body`: grep, read, edit, check, test.
//!
//! It stops as soon as what it has read answers the question.

use base::{SortedMap, SortedSet};

use crate::answers::{self, Progress};
use crate::log::{Log, has_word};
use crate::shell::{Hit, bash, edit, grep, grep_files, read};
use crate::task::{Ask, Edit, Task};
use crate::tree::{Tree, end_of_item, lines};
use crate::words;

/// How much the agent reads at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    Narrow,
    Wide,
    Break,
}

impl Width {
    /// Lines of a window.
    fn window(self) -> usize {
        if self == Self::Wide { 200 } else { 60 }
    }

    /// The variants of a kind of task.
    pub(crate) fn of(kind: Ask) -> &'static [Self] {
        if kind == Ask::Tests {
            &[Self::Narrow, Self::Wide, Self::Break]
        } else {
            &[Self::Narrow, Self::Wide]
        }
    }
}

/// The most windows that are read for a description.
const LOOKS: usize = 10;
/// The most levels of callers on the way to tests.
const LEVELS: usize = 3;
/// The most functions of a level.
const FRONTIER: usize = 15;
/// The most rounds of check and edit.
const ROUNDS: usize = 12;

/// Works on the task until it is answered or the policy ends.
pub(crate) fn run(task: &Task, tree: &Tree, width: Width, log: &mut Log) {
    match task.kind {
        Ask::Where => find_place(task, tree, width, log),
        Ask::Show => show(task, tree, width, log),
        Ask::Callers => {
            users(tree, width, log, &[task.name().to_owned()]);
        }
        Ask::Tests if width == Width::Break => break_it(task, tree, log),
        Ask::Tests => tests(task, tree, width, log),
        Ask::Implements => {
            grep(tree, log, &format!(r"\bimpl\b.*\b{}\b.* for ", task.name()), None);
        }
        Ask::Rename => rename(task, tree, width, log),
        Ask::Param | Ask::Body => {
            let own = if task.kind == Ask::Param { &task.decided } else { &task.rest };
            let pattern = format!(r"\bfn {}\b", task.name());
            let places = grep(tree, log, &pattern, Some(&task.file));
            change(tree, width, log, own, &places);
            follow(task, tree, width, log);
        }
        Ask::Error | Ask::Halfdone => follow(task, tree, width, log),
    }
}

fn find_place(task: &Task, tree: &Tree, width: Width, log: &mut Log) {
    let terms = words::terms(&task.text);
    let stems: Vec<String> = terms.iter().take(6).map(|it| words::stem(it)).collect();
    let mut hits: Vec<Hit> = Vec::new();
    // A word weighs less, the more lines have it.
    let mut weights: Vec<(&str, usize)> = Vec::new();
    for stem in &stems {
        let found = grep(tree, log, &format!("(?i){}", regex::escape(stem)), None);
        weights.push((stem, 1_000 / (found.len() + 10)));
        hits.extend(found);
    }
    hits.sort();
    hits.dedup();
    // The different words in the half of a window around each place.
    let half = width.window() / 4;
    let score = |at: &Hit| {
        let near = |it: &&Hit| it.file == at.file && it.line.abs_diff(at.line) <= half;
        let texts: Vec<String> =
            hits.iter().filter(near).map(|it| it.text.to_lowercase()).collect();
        let is_near = |stem: &str| texts.iter().any(|it| it.contains(stem));
        let found = weights.iter().filter(|(stem, _)| is_near(stem));
        found.map(|(_, weight)| weight).sum::<usize>()
    };
    let mut ranked: Vec<(usize, &Hit)> = hits.iter().map(|hit| (score(hit), hit)).collect();
    ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let mut read_at: Vec<&Hit> = Vec::new();
    for (_, hit) in ranked {
        let again =
            |it: &&&Hit| it.file == hit.file && it.line.abs_diff(hit.line) < width.window() / 2;
        if read_at.iter().any(|it| again(&it)) {
            continue;
        }
        if read_at.len() == LOOKS || answers::done(task, tree, log) {
            return;
        }
        read_at.push(hit);
        let first = hit.line.saturating_sub(width.window() / 2);
        read(tree, log, &hit.file, first, first + width.window() - 1);
    }
}

fn show(task: &Task, tree: &Tree, width: Width, log: &mut Log) {
    let mut places = grep(tree, log, &format!(r"\bfn {}\b", task.name()), None);
    // A file named as the type is the better guess.
    let kind = task.item.rsplit("::").nth(1).unwrap_or_default().to_lowercase();
    places.sort_by_key(|hit| !hit.file.to_lowercase().replace('_', "").contains(&kind));
    for place in places {
        if answers::done(task, tree, log) {
            return;
        }
        let end = end_of_item(&tree.text(&place.file), place.line);
        let mut first = place.line.saturating_sub(20);
        while first <= end {
            let last = first + width.window() - 1;
            read(tree, log, &place.file, first, last);
            first = last + 1;
        }
    }
}

/// The functions that have one of the names in them: file, line, name.
fn users(
    tree: &Tree,
    width: Width,
    log: &mut Log,
    names: &[String],
) -> SortedSet<(String, String)> {
    let any = format!(r"\b({})\b", names.join("|"));
    let outline = if width == Width::Narrow {
        let files = grep_files(tree, log, &any);
        let pattern = format!(r"\bfn \w+|{any}");
        files.iter().flat_map(|file| grep(tree, log, &pattern, Some(file))).collect()
    } else {
        let hits = grep(tree, log, &any, None);
        let mut until: SortedMap<&str, usize> = SortedMap::new();
        for hit in &hits {
            let known = until.entry(&hit.file).or_default();
            if hit.line > *known {
                let first = hit.line.saturating_sub(50).max(*known + 1);
                read(tree, log, &hit.file, first, hit.line + 10);
                *known = hit.line + 10;
            }
        }
        hits
    };
    answers::functions_at(tree, &outline, names)
}

fn tests(task: &Task, tree: &Tree, width: Width, log: &mut Log) {
    let mut frontier = vec![task.name().to_owned()];
    let mut known: SortedSet<String> = frontier.iter().cloned().collect();
    for _ in 0..LEVELS {
        if frontier.is_empty() {
            return;
        }
        let found = users(tree, width, log, &frontier);
        if answers::done(task, tree, log) {
            return;
        }
        frontier =
            found.into_iter().map(|(_, name)| name).filter(|it| known.insert(it.clone())).collect();
        frontier.truncate(FRONTIER);
    }
}

/// Reads the places until one has the type of the item above it; the first one if none has.
fn in_its_impl<'a>(task: &Task, tree: &Tree, log: &mut Log, places: &'a [Hit]) -> Option<&'a Hit> {
    let kind = task.item.rsplit("::").nth(1);
    for place in places {
        read(tree, log, &place.file, place.line.saturating_sub(5), place.line + 14);
        let above = lines(&tree.text(&place.file), place.line.saturating_sub(5), place.line);
        if places.len() == 1 || kind.is_some_and(|it| has_word(&above, it)) {
            return Some(place);
        }
    }
    places.first()
}

/// Puts a panic into the body, and reads which tests fail.
fn break_it(task: &Task, tree: &Tree, log: &mut Log) {
    let places = grep(tree, log, &format!(r"\bfn {}\b", task.name()), Some(&task.file));
    let Some(place) = in_its_impl(task, tree, log, &places) else { return };
    let text = tree.text(&task.file);
    let body = text.lines().skip(place.line - 1).position(|it| it.trim_end().ends_with('{'));
    let Some(length) = body else { return };
    let mut first = place.line;
    let mut head = lines(&text, first, place.line + length);
    // More lines above, until the text is the only one.
    while text.matches(&head).count() > 1 && first > 1 && first + 5 > place.line {
        first -= 1;
        head = lines(&text, first, place.line + length);
    }
    let new = format!("{head}        panic!(\"broken\");\n");
    let broken = Edit { file: task.file.clone(), old: head.clone(), new: new.clone() };
    if !edit(tree, log, &broken) {
        return;
    }
    let (_, output) = tree.cargo(&["test", "--offline", "--lib", "--tests", "--no-fail-fast"]);
    let failed: String = output
        .lines()
        .filter(|it| it.starts_with("test ") && it.ends_with("FAILED"))
        .map(|it| format!("{it}\n"))
        .collect();
    bash(log, "cargo test --lib --tests --no-fail-fast 2>&1 | grep '^test .*FAILED'", &failed);
    edit(tree, log, &Edit { file: task.file.clone(), old: new, new: head });
}

fn rename(task: &Task, tree: &Tree, width: Width, log: &mut Log) {
    let hits = grep(tree, log, &format!(r"\b{}\b", task.name()), None);
    let definition = format!("fn {}", task.name());
    let defined = hits.iter().filter(|hit| hit.text.contains(&definition)).count();
    if defined != 1 {
        let places: Vec<Hit> = hits
            .into_iter()
            .filter(|it| it.text.contains(&definition) && it.file == task.file)
            .collect();
        change(tree, width, log, &task.decided, &places);
        return follow(task, tree, width, log);
    }
    let new = words::renamed_to(&task.text);
    let mut files: Vec<&str> = hits.iter().map(|hit| hit.file.as_str()).collect();
    files.dedup();
    let word = regex::Regex::new(&format!(r"\b{}\b", task.name())).unwrap();
    for file in &files {
        tree.write(file, &word.replace_all(&tree.text(file), new.as_str()));
    }
    let command = format!(r"sed -i 's/\b{}\b/{new}/g' {}", task.name(), files.join(" "));
    bash(log, &command, "");
    follow(task, tree, width, log);
}

/// Makes edits, after reading the text of each that has not been read.
fn change(tree: &Tree, width: Width, log: &mut Log, edits: &[Edit], places: &[Hit]) {
    for one in edits {
        if !log.has_seen(&one.old) {
            let text = tree.text(&one.file);
            let Some(at) = text.find(&one.old) else { continue };
            let line = text[..at].matches('\n').count() + 1;
            // From the definition that was found, on until the place is in the window.
            let from =
                places.iter().map(|hit| hit.line).filter(|it| *it <= line).max().unwrap_or(line);
            let mut first = from.saturating_sub(10);
            while !log.has_seen(&one.old) && first <= line {
                read(tree, log, &one.file, first, first + width.window() - 1);
                first += width.window();
            }
            if !log.has_seen(&one.old) {
                read(
                    tree,
                    log,
                    &one.file,
                    line.saturating_sub(5),
                    line + one.old.lines().count() + 5,
                );
            }
        }
        edit(tree, log, one);
    }
}

/// Checks, and edits where the errors are, until there are none; then tests.
fn follow(task: &Task, tree: &Tree, width: Width, log: &mut Log) {
    let mut progress = Progress::new(task);
    for _ in 0..ROUNDS {
        let errors = check(tree, width, log);
        if errors.is_empty() {
            break;
        }
        let next = progress.next(tree, &errors);
        if next.is_empty() {
            break;
        }
        for one in &next {
            let text = tree.text(&one.edit.file);
            if !log.has_seen(&one.edit.old) {
                let window = width.window() / 3;
                let first = one.near.saturating_sub(window / 2);
                read(tree, log, &one.edit.file, first, first + window);
            }
            if !log.has_seen(&one.edit.old) && text.contains(&one.edit.old) {
                let line = text[..text.find(&one.edit.old).unwrap_or(0)].matches('\n').count() + 1;
                read(tree, log, &one.edit.file, line, line + one.edit.old.lines().count());
            }
            edit(tree, log, &one.edit);
        }
    }
    let output = tree.cargo(&["test", "-q", "--offline", "--lib", "--tests"]).1;
    let all: Vec<&str> = output.lines().collect();
    let tail = all[all.len().saturating_sub(20)..].join("\n");
    bash(log, "cargo test -q --lib --tests 2>&1 | tail -n 20", &tail);
}

/// The errors of the tree, as the agent reads them.
fn check(tree: &Tree, width: Width, log: &mut Log) -> String {
    if width == Width::Wide {
        let output = tree.cargo(&["check", "-q", "--offline", "--lib", "--tests"]).1;
        let mut shown = String::new();
        let mut after = 0;
        for line in output.lines() {
            after = if line.starts_with("error") { 20 } else { after };
            if line.starts_with("warning") {
                after = 0;
            }
            if after > 0 {
                shown.push_str(&format!("{line}\n"));
                after -= 1;
            }
        }
        bash(log, "cargo check -q --lib --tests 2>&1 | grep -A 20 '^error' | head -n 300", &shown);
        return shown;
    }
    let output =
        tree.cargo(&["check", "-q", "--offline", "--lib", "--tests", "--message-format=short"]).1;
    let errors: SortedSet<&str> = output.lines().filter(|it| it.contains(": error")).collect();
    let shown: String = errors.into_iter().map(|it| format!("{it}\n")).collect();
    let command =
        "cargo check -q --lib --tests --message-format=short 2>&1 | grep ': error' | sort -u";
    bash(log, command, &shown);
    shown
}
