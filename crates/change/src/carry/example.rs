//! Rewrites that the person has made in some places, for the places that still have the old code.

use std::collections::BTreeMap;
use std::ops::Range;

use base::ByteSpan;
use edit::{Splice, diff_sequences};
use preserve::outline::{Token, TokenKind, is_keyword, tokens};

use super::{Carried, Confidence, Errors, Marked, carried};
use crate::project::{Project, Text, has_word, quoted, texts};

/// Most tokens of an old piece of code, and of a new one.
const LONGEST: usize = 14;
/// Tokens before an insertion that identify its place.
const CONTEXT: usize = 4;
/// Changes so few tokens apart belong together.
const NEAR: usize = 4;
/// Most lines around an error that are searched.
const LINES: usize = 4;

/// What was replaced: the old tokens, and the new text.
type Example = (Vec<String>, String, Confidence);

/// The rewrites, for each example one with all places that it fits.
pub(super) fn examples(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Carried> {
    if errors.iter().next().is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ((old, new, confidence), count) in learned(project) {
        let reason =
            format!("`{}` was changed to `{new}` in {} other places", old.join(" "), count);
        let mut change = carried(reason, confidence);
        for marked in errors.marked() {
            let Some(text) = project.text(marked.path) else { continue };
            for splice in places(&text, &marked, &old, &new) {
                let is_named = quoted(&marked.error.message)
                    .any(|it| old.iter().any(|word| has_word(it, word)));
                if is_named || count > 1 {
                    change.seeds.push(marked.seed);
                    change.splices.push((text.path.clone(), splice));
                }
            }
        }
        if !change.seeds.is_empty() {
            found.push(change);
        }
    }
    found
}

/// The replacements in the difference, with how often each was made.
fn learned(project: &Project<'_>) -> BTreeMap<Example, usize> {
    let mut found: BTreeMap<Example, usize> = BTreeMap::new();
    for (_, sides) in project.difference.files() {
        let (Some(base), Some(now)) = (&sides.base, &sides.now) else { continue };
        let (a, b) = (tokens(base), tokens(now));
        for (gone, come) in joined(diff_sequences(&texts(&a), &texts(&b))) {
            // What was only inserted may be needed there alone.
            let confidence = match gone.is_empty() {
                true => Confidence::Guess,
                false => Confidence::Likely,
            };
            let (gone, come) = with_context(gone, come);
            let (old, new) = (&a[gone.clone()], &b[come.clone()]);
            if old.len() < 2 || old.len() > LONGEST || new.is_empty() || new.len() > LONGEST {
                continue;
            }
            let is_name = |it: &Token<'_>| it.kind == TokenKind::Word && !is_keyword(it.text);
            if !old.iter().any(is_name) {
                continue;
            }
            let text = now.get(new[0].span.start..new[new.len() - 1].span.end);
            let Some(text) = text.filter(|it| !it.contains('\n')) else { continue };
            let old = texts(old).into_iter().map(str::to_owned).collect();
            *found.entry((old, text.to_owned(), confidence)).or_default() += 1;
        }
    }
    found
}

/// What was only inserted, with the tokens before it on its line.
fn with_context(gone: Range<usize>, come: Range<usize>) -> Run {
    if !gone.is_empty() {
        return (gone, come);
    }
    let more = CONTEXT.min(gone.start).min(come.start);
    (gone.start - more..gone.end, come.start - more..come.end)
}

type Run = (Range<usize>, Range<usize>);

/// Runs that are near each other as one.
fn joined(runs: Vec<Run>) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    for (gone, come) in runs {
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

/// The places of the old tokens on the marked lines.
fn places(text: &Text, marked: &Marked<'_>, old: &[String], new: &str) -> Vec<Splice> {
    let all = &text.text;
    let start = all.get(..marked.span.start).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
    let line = all.get(marked.span.end..).and_then(|it| it.find('\n'));
    let end = line.map_or(all.len(), |it| marked.span.end + it);
    let lines = all.get(start..end).unwrap_or("");
    if lines.lines().count() > LINES {
        return Vec::new();
    }
    let list = tokens(lines);
    let mut found = Vec::new();
    let mut at = 0;
    while at + old.len() <= list.len() {
        let here = &list[at..at + old.len()];
        if here.iter().zip(old).all(|(a, b)| a.text == b) {
            let from = start + here[0].span.start;
            let to = start + here[here.len() - 1].span.end;
            found.push(Splice { span: ByteSpan::new(from, to), insert: new.to_owned() });
            at += old.len();
        } else {
            at += 1;
        }
    }
    found
}
