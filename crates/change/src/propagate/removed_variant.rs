//! Variants that are gone: their arms and alternatives go with them; what makes one is for a person.

use base::{ByteSpan, LineIndex, ProjectPath, SortedMap};
use edit::Splice;
use preserve::outline::Outline;
use refactor::{PlacedText, quoted, whole_lines};
use syntax::places::{DefinitionKind, Use, UseKind};

use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::arms::pattern::separated;
use crate::arms::span_of;
use crate::project::{Project, has_word};
use crate::{DefinitionName, Intent, LeftBehind, What};

/// The patterns of a removed variant, as one change. Where its enum has got another variant, that may be
/// the old one under another name: nothing is removed.
pub(super) fn removed_variant(
    project: &Project<'_>,
    intent: &Intent,
    all: &[Intent],
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let Some(of) = removed(intent) else { return };
    let is_new = |it: &Intent| match &it.what {
        What::Added { of: new, .. } => new.kind == DefinitionKind::Variant && new.owner == of.owner,
        _ => false,
    };
    if all.iter().any(is_new) {
        return;
    }
    let mut change = propagation(intent.to_string(), Confidence::Likely);
    let mut arms: SortedMap<(ProjectPath, usize), GoneFrom> = SortedMap::new();
    for marked in errors.marked().filter(|it| misses(it, of)) {
        let Some(text) = project.text(marked.path) else { continue };
        let Some((arm, pattern)) = arm_of(&text, marked.span) else { continue };
        let all = alternatives(&text.text, pattern);
        let Some(at) = all.iter().position(|it| it.contains(marked.span)) else { continue };
        change.seeds.push(marked.seed);
        let arm = arms.entry((text.path.clone(), arm.span.start)).or_insert_with(|| GoneFrom {
            arm: whole_lines(&text.text, with_comma(&text, arm.span)),
            all,
            gone: Vec::new(),
        });
        arm.gone.push(at);
    }
    for ((path, _), arm) in arms {
        let spans = arm.spans().into_iter();
        let splices = spans.map(|span| Splice { span, insert: String::new() });
        change.splices.extend(splices.map(|it| (path.clone(), it)));
    }
    found.push(change);
}

/// An arm with the alternatives of its pattern, and the numbers of those that go.
struct GoneFrom {
    /// With its lines, if it is alone on them.
    arm: ByteSpan,
    all: Vec<ByteSpan>,
    gone: Vec<usize>,
}

impl GoneFrom {
    /// Parts to remove: the arm, or alternatives with the bar to one that stays.
    fn spans(&self) -> Vec<ByteSpan> {
        let is_gone = |at: usize| self.gone.contains(&at);
        let Some(first_kept) = (0..self.all.len()).find(|it| !is_gone(*it)) else {
            return vec![self.arm];
        };
        let gone = self.all.iter().enumerate().filter(|it| is_gone(it.0));
        gone.map(|(at, span)| match at < first_kept {
            true => ByteSpan::new(span.start, self.all[at + 1].start),
            false => ByteSpan::new(self.all[at - 1].end, span.end),
        })
        .collect()
    }
}

/// The places that a removed variant is used at other than as the pattern of an arm.
pub(super) fn unsettled(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<LeftBehind>,
) {
    let Some(of) = removed(intent) else { return };
    for marked in errors.marked().filter(|it| misses(it, of)) {
        let Some(text) = project.text(marked.path) else { continue };
        if arm_of(&text, marked.span).is_none() {
            found.push(LeftBehind {
                path: text.path.clone(),
                line: LineIndex::new(&text.text).line_of(marked.span.start),
                what: format!("`{}::{}` is used here and is gone", of.owner, of.name),
                why: intent.to_string(),
                splice: None,
                unproven: None,
            });
        }
    }
}

fn removed(intent: &Intent) -> Option<&DefinitionName> {
    match &intent.what {
        What::Removed(of) if of.kind == DefinitionKind::Variant => Some(of),
        _ => None,
    }
}

/// Whether an error is that a variant does not exist; where a glob import has added its name, something
/// else may have that.
fn misses(marked: &Marked<'_>, of: &DefinitionName) -> bool {
    let message = &marked.error.message;
    let names = |name: &str| quoted(message).any(|it| has_word(it, name));
    match marked.error.code.as_deref() {
        Some("E0599") => names(&of.name) && names(&of.owner),
        Some("E0531" | "E0532" | "E0422" | "E0574") => names(&of.name),
        _ => false,
    }
}

/// The arm whose pattern contains a place, and that pattern.
fn arm_of(text: &PlacedText, place: ByteSpan) -> Option<(&Use, ByteSpan)> {
    let around = text.uses_around(place);
    let arm = around.into_iter().find(|it| it.kind == UseKind::Arm)?;
    let pattern = arm.args.first()?.span;
    pattern.contains(place).then_some((arm, pattern))
}

/// The alternatives of a pattern, without the bars.
fn alternatives(text: &str, pattern: ByteSpan) -> Vec<ByteSpan> {
    let Some(part) = pattern.slice(text) else { return Vec::new() };
    let outline = Outline::of(part);
    let all = separated(&outline, &(0..outline.tokens.len()), "|");
    let spans = all.iter().filter_map(|it| span_of(&outline, it));
    spans.map(|it| ByteSpan::new(pattern.start + it.start, pattern.start + it.end)).collect()
}

/// An arm with the comma that follows it.
fn with_comma(text: &PlacedText, arm: ByteSpan) -> ByteSpan {
    let after = text.text.get(arm.end..).unwrap_or("");
    let end = arm.end + usize::from(after.starts_with(','));
    ByteSpan::new(arm.start, end)
}
