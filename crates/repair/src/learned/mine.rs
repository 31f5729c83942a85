//! Makes patterns of an accepted change.

use std::ops::Range;

use base::{ByteSpan, Diagnostic, ProjectPath};
use edit::{FileChange, Overlay};
use preserve::outline::{Token, tokens};

use super::apply::{Site, is_listed};
use super::pattern::{
    EditPattern, EditPlace, InsertPart, PatternEdit, PatternToken, SpanRole, shape, spans,
};
use crate::phase::errors;

/// Maximum number of tokens of a changed region that are compared.
const MOST_TOKENS: usize = 600;
/// Maximum number of edits and of inserted tokens of a pattern.
const MOST_EDITS: usize = 4;
const MOST_INSERTED: usize = 60;

/// The patterns of a change that fixed these errors, whose spans refer to the texts before it, each with
/// the number of errors that it fixes. Empty unless the patterns make the whole change again.
pub fn mine(change: &Overlay, diagnostics: &[Diagnostic]) -> Vec<(EditPattern, u64)> {
    let mut found: Vec<(EditPattern, u64)> = Vec::new();
    for (path, file) in change.changes() {
        if file.before.is_none() || file.after.is_none() || path.extension() != Some("rs") {
            return Vec::new();
        }
        let Some(patterns) = of_file(path, file, diagnostics) else { return Vec::new() };
        for pattern in patterns {
            match found.iter_mut().find(|it| it.0 == pattern) {
                Some(known) => known.1 += 1,
                None => found.push((pattern, 1)),
            }
        }
    }
    found
}

/// The patterns of the changes of a file; `None` if they do not explain all of it.
fn of_file(
    path: &ProjectPath,
    file: &FileChange,
    diagnostics: &[Diagnostic],
) -> Option<Vec<EditPattern>> {
    let (before, after) = (file.before_text(), file.after_text());
    let (old, new) = (tokens(before), tokens(after));
    let hunks = hunks(&old, &new)?;
    let here: Vec<&Diagnostic> = errors(diagnostics)
        .map(|(_, it)| it)
        .filter(|it| it.code.is_some() && spans(it, path).any(|span| span.primary))
        .collect();
    let mut edits: Vec<Vec<PatternEdit>> = vec![Vec::new(); here.len()];
    for hunk in &hunks {
        let context = Context { path, before, after, old: &old, new: &new };
        let placed = here
            .iter()
            .enumerate()
            .find_map(|(nth, error)| Some((nth, context.place(hunk, error)?)));
        let (nth, edit) = placed?;
        edits[nth].push(edit);
    }
    let mut patterns = Vec::new();
    let mut all = Vec::new();
    for (error, edits) in here.iter().zip(edits).filter(|(_, edits)| !edits.is_empty()) {
        let inserted: usize = edits.iter().map(|it| it.insert.len()).sum();
        if edits.len() > MOST_EDITS || inserted > MOST_INSERTED {
            return None;
        }
        let (message, edits) = (shape(&error.message).0, wrapped(edits));
        let pattern = EditPattern { code: error.code.clone()?, message, edits };
        all.extend(pattern.apply(error, path, before)?);
        patterns.push(pattern);
    }
    is_same(before, all, &new).then_some(patterns)
}

/// Edits before and after the same span as one that replaces it: together they are one value.
fn wrapped(mut edits: Vec<PatternEdit>) -> Vec<PatternEdit> {
    let of = |place: EditPlace| move |it: &PatternEdit| it.place == place;
    let before = edits.iter().position(of(EditPlace::Before));
    let after = edits.iter().position(of(EditPlace::After));
    if let (Some(before), Some(after)) = (before, after)
        && edits[before].span == edits[after].span
    {
        let mut tail = edits[after].insert.clone();
        let whole = &mut edits[before];
        whole.insert.push(InsertPart { token: PatternToken::Span, spaced: false });
        whole.insert.append(&mut tail);
        whole.place = EditPlace::Within(vec![PatternToken::Span]);
        edits.remove(after);
    }
    edits
}

/// Whether edits make these tokens, in this order or with elements of braces in another one.
fn is_same(before: &str, mut splices: Vec<edit::Splice>, new: &[Token<'_>]) -> bool {
    splices.sort_by_key(|it| it.span);
    splices.dedup();
    let mut text = String::new();
    let mut done = 0;
    for splice in &splices {
        let Some(kept) = before.get(done..splice.span.start) else { return false };
        text.push_str(kept);
        text.push_str(&splice.insert);
        done = splice.span.end;
    }
    text.push_str(before.get(done..).unwrap_or_default());
    let sorted = |tokens: &[Token<'_>]| {
        // Commas at the end of a list are a matter of layout.
        let solid = tokens.iter().filter(|it| !it.is(","));
        let mut texts: Vec<String> = solid.map(|it| it.text.to_owned()).collect();
        texts.sort_unstable();
        texts
    };
    sorted(&tokens(&text)) == sorted(new)
}

/// A changed range of tokens, before and after.
struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
}

/// The changed ranges by a longest common subsequence; `None` for a region that is too long.
fn hunks(old: &[Token<'_>], new: &[Token<'_>]) -> Option<Vec<Hunk>> {
    let same = |a: &Token<'_>, b: &Token<'_>| a.text == b.text;
    let head = old.iter().zip(new).take_while(|(a, b)| same(a, b)).count();
    let rest = (old.len().min(new.len())) - head;
    let tail =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| same(a, b)).count();
    let (a, b) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    if a.len() > MOST_TOKENS || b.len() > MOST_TOKENS {
        return None;
    }
    let width = b.len() + 1;
    let mut length = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            length[i * width + j] = match same(&a[i], &b[j]) {
                true => length[(i + 1) * width + j + 1] + 1,
                false => length[(i + 1) * width + j].max(length[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut found: Vec<Hunk> = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && same(&a[i], &b[j]) {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let takes_new = j < b.len()
            && (i == a.len() || length[i * width + j + 1] >= length[(i + 1) * width + j]);
        let (from, to) = (head + i, head + j);
        match takes_new {
            true => j += 1,
            false => i += 1,
        }
        match found.last_mut().filter(|it| it.old.end == from && it.new.end == to) {
            Some(last) => (last.old.end, last.new.end) = (head + i, head + j),
            None => found.push(Hunk { old: from..head + i, new: to..head + j }),
        }
    }
    Some(found)
}

/// The texts of a file.
struct Context<'a> {
    path: &'a ProjectPath,
    before: &'a str,
    after: &'a str,
    old: &'a [Token<'a>],
    new: &'a [Token<'a>],
}

impl Context<'_> {
    /// A hunk in terms of an error.
    fn place(&self, hunk: &Hunk, error: &Diagnostic) -> Option<PatternEdit> {
        let names = shape(&error.message).1;
        spans(error, self.path).find_map(|span| {
            let site = Site { text: self.before, tokens: self.old, names: &names, span };
            let (place, new) = self.at(hunk, &site)?;
            let insert = self.parts(new, &site);
            Some(PatternEdit { span: SpanRole::of(span, &names), place, insert })
        })
    }

    /// Where a hunk is relative to a span, and the tokens of the new text that it inserts.
    fn at(&self, hunk: &Hunk, site: &Site<'_>) -> Option<(EditPlace, Range<usize>)> {
        let bytes = site.span.bytes;
        if hunk.old.is_empty() {
            let before = hunk.old.start.checked_sub(1).and_then(|at| self.old.get(at));
            let after = self.old.get(hunk.old.start);
            if let Some(element) = self.element(hunk, site) {
                return Some((EditPlace::Element, element));
            }
            let first = self.new.get(hunk.new.start)?;
            if after.is_some_and(|it| it.span.start == bytes.start) && !first.is("#") {
                return Some((EditPlace::Before, hunk.new.clone()));
            }
            if before.is_some_and(|it| it.span.end == bytes.end) {
                return Some((EditPlace::After, hunk.new.clone()));
            }
            if first.is("#") && after.map(|it| it.span.start) == site.item_start() {
                return Some((EditPlace::BeforeItem, hunk.new.clone()));
            }
            let is_import = first.is("use") && self.depth(hunk.old.start) == 0;
            let last = self.new.get(hunk.new.end.checked_sub(1)?)?;
            if is_import && last.is(";") {
                return Some((EditPlace::Import, hunk.new.clone()));
            }
        }
        self.replaced(hunk, site)
    }

    /// A replacement of tokens within the span, else on its lines; of an insertion with its neighbours.
    fn replaced(&self, hunk: &Hunk, site: &Site<'_>) -> Option<(EditPlace, Range<usize>)> {
        let (mut old, mut new) = (hunk.old.clone(), hunk.new.clone());
        if old.is_empty() {
            old = old.start.checked_sub(1)?..old.end + 1;
            new = new.start.checked_sub(1)?..new.end + 1;
        }
        let (first, last) = (self.old.get(old.start)?, self.old.get(old.end - 1)?);
        let span = ByteSpan::new(first.span.start, last.span.end);
        let texts = self.old.get(old)?.iter().map(|it| self.token(it.text, site));
        let wanted: Vec<PatternToken> = texts.collect();
        let is_it = |within: ByteSpan| site.occurrence(&wanted, within) == Some(span);
        let bytes = site.span.bytes;
        if bytes.start <= span.start && span.end <= bytes.end && is_it(bytes) {
            return Some((EditPlace::Within(wanted), new));
        }
        is_it(site.lines()).then_some((EditPlace::Lines(wanted), new))
    }

    /// The tokens of an element that a hunk inserts into the braces of the span, without commas around.
    fn element(&self, hunk: &Hunk, site: &Site<'_>) -> Option<Range<usize>> {
        let (open, close) = site.braces()?;
        let is_inside = open < hunk.old.start && hunk.old.start <= close;
        if !is_inside || self.depth(hunk.old.start) != self.depth(open) + 1 {
            return None;
        }
        let mut range = hunk.new.clone();
        while self.new.get(range.start)?.is(",") {
            range.start += 1;
        }
        while range.end > range.start && self.new.get(range.end - 1)?.is(",") {
            range.end -= 1;
        }
        let (first, last) = (self.new.get(range.start)?, self.new.get(range.end.checked_sub(1)?)?);
        let element = self.after.get(first.span.start..last.span.end)?;
        let ends =
            |at: usize| self.old.get(at).is_some_and(|it| ["{", "}", ",", ";"].contains(&it.text));
        let is_parted = ends(hunk.old.start - 1) || hunk.old.start == close;
        let is_whole = !is_listed(element) || element.contains(':') || element.contains("=>");
        (is_parted && is_whole).then_some(range)
    }

    /// The number of open brackets before a token.
    fn depth(&self, at: usize) -> usize {
        self.old.iter().take(at).fold(0usize, |depth, token| match token.text {
            "{" | "(" | "[" => depth + 1,
            "}" | ")" | "]" => depth.saturating_sub(1),
            _ => depth,
        })
    }

    fn token(&self, text: &str, site: &Site<'_>) -> PatternToken {
        match site.names.iter().position(|it| it == text) {
            Some(nth) => PatternToken::Name(nth),
            None => PatternToken::Text(text.to_owned()),
        }
    }

    /// Tokens of the new text, with holes for the names of the message and for the text of the span.
    fn parts(&self, range: Range<usize>, site: &Site<'_>) -> Vec<InsertPart> {
        let mut parts = Vec::new();
        let mut at = range.start;
        let own = site.span.bytes.slice(self.before).unwrap_or_default();
        let holes = site
            .names
            .iter()
            .enumerate()
            .map(|(nth, name)| (PatternToken::Name(nth), name.as_str()));
        let mut holes: Vec<(PatternToken, Vec<String>)> = holes
            .chain([(PatternToken::Span, own)])
            .map(|(hole, text)| (hole, tokens(text).iter().map(|it| it.text.to_owned()).collect()))
            .collect();
        // The longest one first; of equal ones a name.
        holes.retain(|(_, texts): &(_, Vec<String>)| !texts.is_empty());
        holes.sort_by_key(|(_, texts)| std::cmp::Reverse(texts.len()));
        while let Some(token) = self.new.get(at).filter(|_| at < range.end) {
            let begins = |texts: &[String]| {
                let rest = self.new.get(at..range.end).unwrap_or_default();
                rest.len() >= texts.len() && rest.iter().zip(texts).all(|(a, b)| a.text == b)
            };
            let hole = holes.iter().find(|(_, texts)| begins(texts));
            let before = at.checked_sub(1).and_then(|it| self.new.get(it));
            let spaced = before.is_some_and(|it| it.span.end < token.span.start);
            let (token, taken) = match hole {
                Some((hole, texts)) => (hole.clone(), texts.len()),
                None => (PatternToken::Text(token.text.to_owned()), 1),
            };
            parts.push(InsertPart { token, spaced });
            at += taken;
        }
        parts
    }
}
