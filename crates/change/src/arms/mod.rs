//! Arms that a match misses since its enum has got a variant: completed where all siblings are alike,
//! else an arm with a hole. Never a catch-all. Start at [`missing_arms`].

pub(crate) mod pattern;
mod sibling;
mod spelling;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

use base::{ByteSpan, Diagnostic, LineIndex, ProjectPath};
use edit::Splice;
use preserve::outline::{Outline, TokenKind};

use sibling::{Plan, plan};

/// Body of an arm that a person has to fill in.
pub const HOLE: &str = "todo!()";

/// Whether something of a name may have a member of another name.
pub type MayHave<'a> = dyn Fn(&str, &str) -> bool + 'a;

/// The arms that one match misses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingArms {
    /// File of the match.
    pub path: ProjectPath,
    /// Line of the first arm that is added after the others, from 1.
    pub line: u32,
    /// Patterns of the arms that follow from their siblings.
    pub completed: Vec<String>,
    /// Patterns of the arms with a hole.
    pub holes: Vec<String>,
    /// The edits, by position; they fit the present text.
    pub splices: Vec<Splice>,
}

/// The arms that an error about a match (E0004) names; `None` for another error, for a match without
/// arms, and if the compiler only offers a catch-all. `read` gives the present text of a file, `may_have`
/// whether something of a name may have a member of another name; without it, all arms get holes.
///
/// An arm is completed if at least two siblings with the same shape of payload are alike but for the
/// variant's name, as a path or in a string, and, where they use neither payload nor such a string, all siblings
/// of the match are alike.
pub fn missing_arms(
    error: &Diagnostic,
    read: &dyn Fn(&ProjectPath) -> Option<std::sync::Arc<str>>,
    may_have: Option<&MayHave<'_>>,
) -> Option<MissingArms> {
    let (path, at, drafted) = drafted(error)?;
    let text = read(path)?;
    let outline = Outline::of(&text);
    let arms = match_arms(&outline, at);
    let last = arms.last()?;
    let witnesses = witnesses(drafted);
    if witnesses.is_empty() || witnesses.iter().any(|it| pattern::is_catch_all(it)) {
        return None;
    }
    let lines = LineIndex::new(&text);
    let end = lines.line_of(outline.tokens.get(last.body.end.checked_sub(1)?)?.span.start);
    let after = last.body.end + usize::from(last.has_comma);
    let is_below = outline.tokens.get(after).is_some_and(|it| lines.line_of(it.span.start) > end);
    let line = end + u32::from(is_below);
    let mut missing = MissingArms {
        path: path.clone(),
        line,
        completed: Vec::new(),
        holes: Vec::new(),
        splices: Vec::new(),
    };
    let mut inserts: Vec<(usize, String)> = Vec::new();
    let mut new: Vec<NewArm> = Vec::new();
    for witness in witnesses {
        match plan((&outline, &*text), &arms, &witness, may_have) {
            Plan::Alternative { at, insert, pattern } => {
                inserts.push((at, insert));
                missing.completed.push(pattern);
            }
            Plan::Arm { after, text, pattern } => {
                let is_block = outline.text(arms.get(after)?.body.start) == "{";
                new.push(NewArm { after, text, is_block });
                missing.completed.push(pattern);
            }
            Plan::Hole { pattern } => {
                let text = format!("{pattern} => {HOLE}");
                new.push(NewArm { after: arms.len() - 1, text, is_block: false });
                missing.holes.push(pattern);
            }
        }
    }
    inserts.extend(inserted(&outline, &text, &arms, &new)?);
    missing.splices = merged(inserts);
    Some(missing)
}

/// Where the compiler drafts the missing arms, and the draft.
fn drafted(error: &Diagnostic) -> Option<(&ProjectPath, ByteSpan, &str)> {
    if error.code.as_deref() != Some("E0004") {
        return None;
    }
    error.children.iter().find_map(|child| {
        let [draft] = child.replacements.as_slice() else { return None };
        let path = draft.place.project().filter(|_| !draft.from_expansion)?;
        draft.text.contains(HOLE).then_some((path, draft.bytes, draft.text.as_str()))
    })
}

/// The patterns of a draft.
fn witnesses(drafted: &str) -> Vec<String> {
    let pieces: Vec<&str> = drafted.split(HOLE).collect();
    let heads = pieces.iter().take(pieces.len().saturating_sub(1));
    let patterns = heads.filter_map(|it| {
        let head = it.trim_start_matches(|it: char| it == ',' || it.is_whitespace());
        head.trim_end().strip_suffix("=>")
    });
    // Arms are written without the borrows of the matched value.
    let plain = |it: &str| it.replace("&mut ", "").replace('&', "");
    patterns.flat_map(|it| pattern::alternatives(&plain(it))).collect()
}

/// One arm of a match, as token ranges.
#[derive(Clone, Debug)]
pub(crate) struct MatchArm {
    /// The pattern, without attributes.
    pub(crate) pattern: Range<usize>,
    /// The guard after `if`; empty without one.
    pub(crate) guard: Range<usize>,
    /// The body, without the comma after it.
    pub(crate) body: Range<usize>,
    /// Whether a comma follows.
    pub(crate) has_comma: bool,
}

/// Spans of the bodies of the arms in the innermost braces around `at`.
pub fn arm_bodies(outline: &Outline<'_>, at: ByteSpan) -> Vec<ByteSpan> {
    let span = |it: &MatchArm| span_of(outline, &it.body);
    match_arms(outline, at).iter().filter_map(span).collect()
}

/// Byte span of a token range; `None` if it is empty.
pub(crate) fn span_of(outline: &Outline<'_>, range: &Range<usize>) -> Option<ByteSpan> {
    let first = outline.tokens.get(range.start).filter(|_| !range.is_empty())?;
    let last = outline.tokens.get(range.end.checked_sub(1)?)?;
    Some(ByteSpan::new(first.span.start, last.span.end))
}

/// The arms in the innermost braces around `at`.
fn match_arms(outline: &Outline<'_>, at: ByteSpan) -> Vec<MatchArm> {
    let contains = |open: &usize| {
        let token = &outline.tokens[*open];
        let close = outline.tokens.get(outline.close[*open]);
        token.is("{")
            && token.span.end <= at.start
            && close.is_none_or(|it| at.end <= it.span.start)
    };
    let open = (0..outline.tokens.len()).rev().find(contains);
    open.map_or_else(Vec::new, |it| arms_in(outline, it))
}

/// The arms in the braces that the token `open` opens.
pub(crate) fn arms_in(outline: &Outline<'_>, open: usize) -> Vec<MatchArm> {
    let close = outline.close[open].min(outline.tokens.len());
    let mut arms = Vec::new();
    let mut next = open + 1;
    while let Some((arm, after)) = arm_at(outline, next, close) {
        arms.push(arm);
        next = after;
    }
    arms
}

/// The token after the one at `at`, or after the brackets that it opens.
pub(crate) fn step(outline: &Outline<'_>, at: usize) -> usize {
    outline.close.get(at).map_or(at, |it| (*it).max(at)) + 1
}

/// The arm at a token, and the token after it.
fn arm_at(outline: &Outline<'_>, mut at: usize, close: usize) -> Option<(MatchArm, usize)> {
    while outline.text(at) == "#" && at < close {
        at = step(outline, at + 1);
    }
    let start = at;
    let mut guard = None;
    while at < close && outline.text(at) != "=>" {
        if outline.text(at) == "if" && guard.is_none() {
            guard = Some(at);
        }
        at = step(outline, at);
    }
    if at >= close {
        return None;
    }
    let (pattern, guard) = (start..guard.unwrap_or(at), guard.unwrap_or(at)..at);
    let end = body_end(outline, at + 1, close);
    let has_comma = end < close && outline.text(end) == ",";
    let arm = MatchArm { pattern, guard, body: at + 1..end, has_comma };
    (!arm.body.is_empty()).then_some((arm, end + usize::from(has_comma)))
}

/// The token after the body that begins at `start`.
fn body_end(outline: &Outline<'_>, start: usize, close: usize) -> usize {
    let is_block = outline.text(start) == "{";
    let is_like_block =
        matches!(outline.text(start), "if" | "match" | "loop" | "while" | "for" | "unsafe");
    let mut at = start;
    while at < close && outline.text(at) != "," {
        let was_brace = outline.text(at) == "{";
        at = step(outline, at);
        let continues = matches!(outline.text(at), "." | "?" | "else");
        let is_name = outline.tokens.get(at).is_some_and(|it| it.kind == TokenKind::Word);
        if was_brace && !continues && (is_block || is_like_block && is_name) {
            break;
        }
    }
    at.min(close)
}

/// An arm to insert.
struct NewArm {
    /// Index of the arm that it follows.
    after: usize,
    text: String,
    /// Whether its body is a block, after which no comma is needed.
    is_block: bool,
}

/// The insertions of new arms, in the layout of the match.
fn inserted(
    outline: &Outline<'_>,
    text: &str,
    arms: &[MatchArm],
    new: &[NewArm],
) -> Option<Vec<(usize, String)>> {
    let mut inserts = Vec::new();
    for (idx, arm) in arms.iter().enumerate() {
        let mut own = new.iter().filter(|it| it.after == idx).peekable();
        if own.peek().is_none() {
            continue;
        }
        let (gap, is_line) = gap(outline, text, arm)?;
        let is_block = outline.text(arm.body.start) == "{";
        let mut insert = if arm.has_comma || is_block { String::new() } else { ",".to_owned() };
        for it in own {
            let comma = if it.is_block && is_line { "" } else { "," };
            insert.push_str(&format!("{gap}{}{comma}", it.text));
        }
        let is_last = idx + 1 == arms.len();
        if is_last && !is_line && !arm.has_comma {
            insert.truncate(insert.trim_end_matches(',').len());
        }
        let end = if arm.has_comma { arm.body.end } else { arm.body.end.checked_sub(1)? };
        inserts.push((outline.tokens.get(end)?.span.end, insert));
    }
    Some(inserts)
}

/// The space before an arm, and whether it is on a line of its own.
fn gap(outline: &Outline<'_>, text: &str, arm: &MatchArm) -> Option<(String, bool)> {
    let first = outline.tokens.get(arm.pattern.start)?.span.start;
    let line = refactor::line_start(text, first);
    let before = text.get(line..first)?;
    Some(match before.trim().is_empty() {
        true if text.get(..line)?.ends_with("\r\n") => (format!("\r\n{before}"), true),
        true => (format!("\n{before}"), true),
        false => (" ".to_owned(), false),
    })
}

/// The insertions as splices, by position.
fn merged(mut inserts: Vec<(usize, String)>) -> Vec<Splice> {
    inserts.sort_by_key(|it| it.0);
    let mut splices: Vec<Splice> = Vec::new();
    for (at, insert) in inserts {
        match splices.last_mut().filter(|it| it.span.start == at) {
            Some(same) => same.insert.push_str(&insert),
            None => splices.push(Splice { span: ByteSpan::new(at, at), insert }),
        }
    }
    splices
}

impl fmt::Display for MissingArms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |it: &[String]| format!("`{}`", it.join("`, `"));
        if !self.completed.is_empty() {
            write!(f, "arm for {} as its siblings have it", list(&self.completed))?;
        }
        if !self.completed.is_empty() && !self.holes.is_empty() {
            f.write_str("; ")?;
        }
        if !self.holes.is_empty() {
            let place = format!("{}:{}", self.path, self.line);
            write!(f, "hole (`{HOLE}`) for {} at {place}, to be written", list(&self.holes))?;
        }
        Ok(())
    }
}
