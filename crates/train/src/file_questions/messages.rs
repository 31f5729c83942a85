//! The texts of errors and panics.

use syntax::NodeKind;

use super::sources::{SourceText, Sources};
use super::{FileQuestion, FileQuestionKind};

/// What is before the text of a message.
const MARKS: &[&str] = &["panic!(", ".expect(", "#[error(", "unreachable!(", "bail!("];
/// Fewest and most words of a message.
const WORDS: std::ops::RangeInclusive<usize> = 4..=40;
/// An error that more files raise has no single place.
const MAX_FILES: usize = 3;
/// Takes the place of the values of a message.
const VALUE: &str = "42";

/// A question for each message; the answer is the file with the text, of the error of an enum the
/// files that construct it.
pub(super) fn questions(sources: &Sources) -> Vec<FileQuestion> {
    sources.files.iter().flat_map(|file| of_file(sources, file)).collect()
}

fn of_file(sources: &Sources, file: &SourceText) -> Vec<FileQuestion> {
    let mut found: Vec<(usize, FileQuestion)> = Vec::new();
    for mark in MARKS {
        for (at, _) in file.text.match_indices(mark) {
            let begin = at + mark.len();
            let is_comment = line_before(&file.text, at).contains("//");
            let Some((text, end)) = literal(&file.text, begin) else { continue };
            let count = text.split_whitespace().count();
            if is_comment || is_in_test(file, at) || !WORDS.contains(&count) {
                continue;
            }
            let files = match *mark {
                "#[error(" => raised(sources, file, at, end),
                _ => Vec::new(),
            };
            let files = if files.is_empty() { vec![file.path.clone()] } else { files };
            let kind = FileQuestionKind::Message;
            found.push((at, FileQuestion { kind, text, files, blank: None }));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, question)| question).collect()
}

/// What the line of a position has before it.
fn line_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or(before)
}

/// The message of the string literal at a position, with [`VALUE`] for what is formatted into it,
/// and its end.
fn literal(text: &str, at: usize) -> Option<(String, usize)> {
    let mut chars = text.get(at..)?.trim_start().strip_prefix('"')?.chars();
    let mut out = String::new();
    let mut is_value = false;
    while let Some(c) = chars.next() {
        let is_double = chars.as_str().starts_with(c);
        match c {
            '"' => return Some((out, text.len() - chars.as_str().len())),
            '\\' => match chars.next()? {
                // The text continues behind the indent of the next line.
                '\n' => chars = chars.as_str().trim_start().chars(),
                'n' | 't' | 'r' => out.push(' '),
                other => out.push(other),
            },
            '{' | '}' if is_double && !is_value => {
                chars.next();
                out.push(c);
            }
            '{' => is_value = true,
            '}' if is_value => {
                is_value = false;
                out.push_str(VALUE);
            }
            _ if is_value => {}
            other => out.push(other),
        }
    }
    None
}

fn is_in_test(file: &SourceText, at: usize) -> bool {
    let items = &file.facts.file.items;
    items.iter().any(|it| it.is_test && it.span.start <= at && at < it.span.end)
}

/// The files that construct the variant which has the message at `at..end`.
fn raised(sources: &Sources, file: &SourceText, at: usize, end: usize) -> Vec<String> {
    let items = file.facts.file.items.iter();
    let holder = items.rev().find(|it| it.span.start <= at && at < it.span.end);
    let Some(holder) = holder.filter(|it| it.kind == NodeKind::Enum) else { return Vec::new() };
    let behind = file.text.get(end..).unwrap_or_default();
    let Some(variant) = behind.split_once(")]").and_then(|(_, it)| first_name(it)) else {
        return Vec::new();
    };
    let written = format!("{}::{variant}", holder.name);
    let raises = |file: &&SourceText| {
        file.text.lines().any(|line| {
            let found = line.find(&written).filter(|_| !line.trim_start().starts_with("//"));
            found.is_some_and(|at| is_whole(line, at + written.len()) && !line[at..].contains("=>"))
        })
    };
    let files = sources.files.iter().filter(raises);
    let files: Vec<String> = files.map(|file| file.path.clone()).collect();
    if files.len() <= MAX_FILES { files } else { Vec::new() }
}

/// The first name that is not in a comment or attribute.
fn first_name(text: &str) -> Option<&str> {
    let lines = text.lines().map(str::trim);
    let line = lines.filter(|it| !it.is_empty()).find(|it| !it.starts_with(['#', '/']))?;
    let end = line.find(|c: char| !base::is_word(c)).unwrap_or(line.len());
    line.get(..end).filter(|name| !name.is_empty())
}

fn is_whole(line: &str, end: usize) -> bool {
    !line.get(end..).is_some_and(|rest| rest.starts_with(base::is_word))
}
