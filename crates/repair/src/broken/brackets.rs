//! Brackets that do not pair: one insertion, removal or exchange for each fault, ranked by layout.

use base::{ByteSpan, SortedSet};
use edit::Splice;

use super::layout::penalty;
use super::lines::{Lines, closing_of, is_closing};
use super::placement::{Placed, closing_forms, opening_forms, removal, split_words};
use super::regions::Region;

/// Maximum number of tokens that are read again for one region, over all candidates.
const MOST_WORK: usize = 1_000_000;
/// Maximum number of single changes that are combined where one is not enough.
const MOST_SINGLES: usize = 30;
/// Maximum number of faults in one region.
const MOST_FAULTS: usize = 4;
/// Maximum number of repairs of one region.
const MOST_REPAIRS: usize = 40;

/// A change of one region after which its brackets pair.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    /// Replacements, ascending and without overlap.
    pub(super) splices: Vec<Splice>,
    /// How far the result is from common layout; less is better.
    pub(super) cost: usize,
    /// Description of the change.
    pub(super) why: String,
}

/// The repairs of a region, those with the most common layout first; `text` is the whole file.
pub(super) fn repairs(text: &Lines<'_>, region: &Region) -> Vec<Repair> {
    let Some(part) = Part::of(text, region) else { return Vec::new() };
    let mut singles: Vec<Repair> = part
        .changes()
        .into_iter()
        .map(|placed| part.repair(&[placed.splice], placed.cost, placed.why))
        .collect();
    singles.sort_by_key(|it| it.cost);
    let mut known: SortedSet<String> = SortedSet::new();
    singles.retain(|it| known.insert(part.with(&it.splices)));
    let mut repairs: Vec<Repair> = Vec::new();
    let mut level = singles.clone();
    singles.truncate(MOST_SINGLES);
    for _ in 0..MOST_FAULTS {
        repairs.extend(level.iter().filter(|it| part.is_paired(&it.splices)).cloned());
        if !repairs.is_empty() {
            break;
        }
        level.truncate(MOST_SINGLES);
        level = part.combined(&level, &singles);
    }
    repairs.truncate(MOST_REPAIRS);
    repairs
}

/// The text of one region, from the beginning of its first line to the token after it.
struct Part<'a> {
    text: &'a Lines<'a>,
    region: &'a Region,
    span: ByteSpan,
}

impl<'a> Part<'a> {
    fn of(text: &'a Lines<'a>, region: &'a Region) -> Option<Self> {
        let (first, last) = (region.tokens.start, region.tokens.end.checked_sub(1)?);
        let line = text.lines.get(*text.line_of.get(first)?)?;
        let start = text.tokens.get(first)?.span.start.checked_sub(line.blank)?;
        let end = text.tokens.get(last + 1).map_or(text.text.len(), |it| it.span.start);
        Some(Self { text, region, span: ByteSpan::new(start, end) })
    }

    /// The single changes that may remove a fault.
    fn changes(&self) -> Vec<Placed> {
        let wanted = self.wanted();
        let mut found = Vec::new();
        let (first, end) = (self.region.tokens.start, self.region.tokens.end);
        let mut gaps: Vec<usize> = (first..=end).filter(|it| self.region.is_gap(*it)).collect();
        // Between two whole parts last: there are many in a long list.
        let is_between = |gap: &usize| {
            !self.region.is_suspect(*gap) && !self.region.is_suspect(gap.wrapping_sub(1))
        };
        gaps.sort_by_key(is_between);
        for gap in gaps {
            for (bracket, surplus) in wanted {
                if surplus >= 0
                    && gap > first
                    && let Some(close) = closing_of(bracket)
                {
                    found.extend(closing_forms(self.text, self.region, gap, close));
                }
                if surplus <= 0 {
                    found.extend(opening_forms(self.text, gap, bracket));
                }
            }
        }
        // Before the first token only what is on its line.
        found.retain(|it| it.splice.span.start >= self.span.start);
        let most = (MOST_WORK / self.region.tokens.len().max(1)).max(MOST_SINGLES);
        found.truncate(most);
        for token in self.region.tokens.clone().filter(|it| self.region.is_suspect(*it)) {
            let bracket = self.text.text_of(token);
            for (open, surplus) in wanted {
                let close = closing_of(open).unwrap_or_default();
                if bracket == open && surplus >= 0 || bracket == close && surplus <= 0 {
                    found.push(removal(self.text, token));
                    found.extend(self.exchanges(token, &wanted));
                }
                if open == "(" && surplus < 0 {
                    found.extend(split_words(self.text, token));
                }
            }
        }
        found.truncate(2 * most);
        found
    }

    /// Each kind of bracket with the number of opening ones less that of closing ones; only kinds
    /// that do not come out even, if there are any.
    fn wanted(&self) -> [(&'static str, isize); 3] {
        let mut surplus = [("{", 0), ("(", 0), ("[", 0)];
        for token in self.region.tokens.clone() {
            let bracket = self.text.text_of(token);
            for (open, count) in &mut surplus {
                *count += isize::from(bracket == *open);
                *count -= isize::from(Some(bracket) == closing_of(open));
            }
        }
        if surplus.iter().any(|(_, count)| *count != 0) {
            // A kind that comes out even is not wanted: a name that is no bracket.
            surplus.map(|(open, count)| if count == 0 { ("", 0) } else { (open, count) })
        } else {
            surplus
        }
    }

    /// The bracket as another one, where that one is missing.
    fn exchanges(&self, token: usize, wanted: &[(&'static str, isize); 3]) -> Vec<Placed> {
        let old = self.text.text_of(token);
        let is_close = is_closing(old);
        let new = wanted.iter().filter_map(|(open, surplus)| match closing_of(open)? {
            close if is_close && *surplus > 0 => Some(close),
            _ if !is_close && *surplus < 0 => Some(*open),
            _ => None,
        });
        let span = self.text.tokens[token].span;
        new.map(|new| Placed {
            splice: Splice { span, insert: new.to_owned() },
            cost: 0,
            why: format!("replace `{old}` by `{new}`"),
        })
        .collect()
    }

    /// The part with these changes.
    fn with(&self, splices: &[Splice]) -> String {
        let mut part = self.span.slice(self.text.text).unwrap_or("").to_owned();
        for splice in splices.iter().rev() {
            let (start, end) =
                (splice.span.start - self.span.start, splice.span.end - self.span.start);
            if start <= end && part.get(start..end).is_some() {
                part.replace_range(start..end, &splice.insert);
            }
        }
        part
    }

    fn is_paired(&self, splices: &[Splice]) -> bool {
        syntax::is_paired(&self.with(splices))
    }

    fn repair(&self, splices: &[Splice], cost: usize, why: String) -> Repair {
        let part = self.with(splices);
        Repair { splices: splices.to_vec(), cost: 4 * penalty(&Lines::of(&part)) + cost, why }
    }

    /// Each of `level` with one more change.
    fn combined(&self, level: &[Repair], singles: &[Repair]) -> Vec<Repair> {
        let mut combined: Vec<Repair> = Vec::new();
        let mut known: SortedSet<String> = SortedSet::new();
        for first in level {
            for second in singles {
                let Some(splices) = merged(&first.splices, &second.splices) else { continue };
                if known.insert(self.with(&splices)) {
                    let why = format!("{}, {}", first.why, second.why);
                    combined.push(self.repair(&splices, 0, why));
                }
            }
        }
        combined.sort_by_key(|it| it.cost);
        combined
    }
}

/// Two changes as one; `None` if they overlap or are the same.
fn merged(first: &[Splice], second: &[Splice]) -> Option<Vec<Splice>> {
    let mut all = [first, second].concat();
    all.sort_by_key(|it| it.span);
    let mut joined: Vec<Splice> = Vec::with_capacity(all.len());
    for splice in all {
        match joined.last_mut() {
            Some(last) if last.span.end > splice.span.start => return None,
            // Two insertions at one place: both in the order given.
            Some(last) if last.span.end == splice.span.start => {
                last.span.end = splice.span.end;
                last.insert.push_str(&splice.insert);
            }
            _ => joined.push(splice),
        }
    }
    Some(joined)
}
