//! Conflict markers that a merge left in a text: where the sides are, and the text with one or both
//! of them. Resolving a conflict drops a side, so the preservation rule compares with the resolved
//! text.

use base::ByteSpan;

use crate::outline::tokens;

/// Length of a marker.
const MARKER: usize = 7;

/// One conflict in a text; all spans are whole lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Everything from the first marker to the last one.
    pub span: ByteSpan,
    /// The lines of our side.
    pub ours: ByteSpan,
    /// The lines of their side.
    pub theirs: ByteSpan,
    /// Name of our side in its marker; may be empty.
    pub our_name: String,
    /// Name of their side in its marker; may be empty.
    pub their_name: String,
}

/// What a resolution keeps of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// Our side.
    Ours,
    /// Their side.
    Theirs,
    /// Our side, then theirs.
    OursThenTheirs,
    /// Their side, then ours.
    TheirsThenOurs,
}

impl Kept {
    /// All resolutions.
    pub const ALL: [Kept; 4] =
        [Kept::Ours, Kept::Theirs, Kept::OursThenTheirs, Kept::TheirsThenOurs];
}

impl Conflict {
    /// The lines that a resolution leaves.
    pub fn lines(&self, text: &str, kept: Kept) -> String {
        let of = |span: ByteSpan| span.slice(text).unwrap_or("");
        match kept {
            Kept::Ours => of(self.ours).to_owned(),
            Kept::Theirs => of(self.theirs).to_owned(),
            Kept::OursThenTheirs => [of(self.ours), of(self.theirs)].concat(),
            Kept::TheirsThenOurs => [of(self.theirs), of(self.ours)].concat(),
        }
    }
}

/// Whether the text has a conflict.
pub fn has_conflicts(text: &str) -> bool {
    text.contains("<<<<<<<") && !conflicts(text).is_empty()
}

/// The conflicts of a text, in order; markers in strings and comments are none.
pub fn conflicts(text: &str) -> Vec<Conflict> {
    let mut found = Vec::new();
    let mut open: Option<Open> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = ByteSpan::new(at, at + line.len());
        at += line.len();
        match (marker(line), open.as_mut()) {
            (Some(('<', name)), _) => open = Some(Open::new(span, name)),
            (Some(('|', _)), Some(open)) if open.theirs.is_none() => {
                open.ours_end.get_or_insert(span.start);
            }
            (Some(('=', _)), Some(open)) if open.theirs.is_none() => {
                open.ours_end.get_or_insert(span.start);
                open.theirs = Some(span.end);
            }
            (Some(('>', name)), Some(_)) => {
                found.extend(open.take().and_then(|it| it.close(span, name)));
            }
            _ => {}
        }
    }
    if found.is_empty() {
        return found;
    }
    let tokens = tokens(text);
    let is_code = |it: &Conflict| {
        tokens.binary_search_by_key(&it.span.start, |token| token.span.start).is_ok()
    };
    found.retain(is_code);
    found
}

/// A conflict of which the last marker was not yet seen.
struct Open {
    start: usize,
    ours: usize,
    ours_end: Option<usize>,
    theirs: Option<usize>,
    name: String,
}

impl Open {
    fn new(marker: ByteSpan, name: &str) -> Self {
        let (start, ours) = (marker.start, marker.end);
        Self { start, ours, ours_end: None, theirs: None, name: name.to_owned() }
    }

    fn close(self, marker: ByteSpan, name: &str) -> Option<Conflict> {
        Some(Conflict {
            span: ByteSpan::new(self.start, marker.end),
            ours: ByteSpan::new(self.ours, self.ours_end?),
            theirs: ByteSpan::new(self.theirs?, marker.start),
            our_name: self.name,
            their_name: name.to_owned(),
        })
    }
}

/// The character and the name of a marker line.
fn marker(line: &str) -> Option<(char, &str)> {
    let line = line.trim_end_matches(['\n', '\r']);
    let first = line.chars().next().filter(|it| "<|=>".contains(*it))?;
    let rest = line.trim_start_matches(first);
    let is_marker = line.len() - rest.len() == MARKER
        && (rest.is_empty() || first != '=' && rest.starts_with(' '));
    is_marker.then(|| (first, rest.trim()))
}

/// The text with each conflict resolved; `kept` has an entry for each.
pub fn resolved(text: &str, conflicts: &[Conflict], kept: &[Kept]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (conflict, kept) in conflicts.iter().zip(kept) {
        result.push_str(text.get(at..conflict.span.start).unwrap_or(""));
        result.push_str(&conflict.lines(text, *kept));
        at = conflict.span.end;
    }
    result.push_str(text.get(at..).unwrap_or(""));
    result
}

/// If `after` resolves the conflicts of `before`: `before` with them resolved in the same way, so
/// that the comparison of the two finds what else was removed. A resolution that keeps neither side
/// is compared with both.
pub fn resolved_as(before: &str, after: &str) -> Option<String> {
    if !before.contains("<<<<<<<") || has_conflicts(after) {
        return None;
    }
    let conflicts = conflicts(before);
    if conflicts.is_empty() {
        return None;
    }
    let exact = exact(before, after, &conflicts, 0);
    let kept = exact.unwrap_or_else(|| {
        conflicts.iter().map(|conflict| kept_of(before, after, conflict)).collect()
    });
    Some(resolved(before, &conflicts, &kept))
}

/// The resolution of the conflicts that gives exactly `after`, where `before` begins at `from`.
fn exact(before: &str, after: &str, conflicts: &[Conflict], from: usize) -> Option<Vec<Kept>> {
    let Some((conflict, rest)) = conflicts.split_first() else {
        return (before.get(from..)? == after).then(Vec::new);
    };
    let after = after.strip_prefix(before.get(from..conflict.span.start)?)?;
    let up_to = rest.first().map_or(before.len(), |next| next.span.start);
    let between = before.get(conflict.span.end..up_to)?;
    let mut tried = Vec::new();
    Kept::ALL.into_iter().find_map(|kept| {
        let lines = conflict.lines(before, kept);
        let after = after.strip_prefix(lines.as_str()).filter(|_| !tried.contains(&lines))?;
        tried.push(lines);
        // Only where the text up to the next conflict fits, so that few ways are followed.
        after.starts_with(between).then_some(())?;
        let mut all = exact(before, after, rest, conflict.span.end)?;
        all.insert(0, kept);
        Some(all)
    })
}

/// What `after`, which was edited otherwise too, keeps of a conflict: the sides of which a line is
/// left that the other does not have, or both if there is no such line.
fn kept_of(before: &str, after: &str, conflict: &Conflict) -> Kept {
    let lines = |span: ByteSpan| -> Vec<&str> {
        let lines = span.slice(before).unwrap_or("").lines().map(str::trim);
        lines.filter(|it| !it.is_empty()).collect()
    };
    let (ours, theirs) = (lines(conflict.ours), lines(conflict.theirs));
    let place = |own: &[&str], other: &[&str]| {
        own.iter().filter(|it| !other.contains(it)).find_map(|it| after.find(it))
    };
    match (place(&ours, &theirs), place(&theirs, &ours)) {
        (Some(_), None) => Kept::Ours,
        (None, Some(_)) => Kept::Theirs,
        (Some(ours), Some(theirs)) if theirs < ours => Kept::TheirsThenOurs,
        _ if theirs.is_empty() => Kept::Ours,
        _ if ours.is_empty() => Kept::Theirs,
        _ => Kept::OursThenTheirs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "a();\n<<<<<<< HEAD\nb();\n||||||| 1f2e\nc();\n=======\nd();\n>>>>>>> topic\ne();\n";

    #[test]
    fn each_side_is_found_and_the_base_belongs_to_none() {
        let found = conflicts(TEXT);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].our_name.as_str(), found[0].their_name.as_str()), ("HEAD", "topic"));
        let texts = Kept::ALL.map(|kept| resolved(TEXT, &found, &[kept]));
        assert_eq!(
            texts,
            [
                "a();\nb();\ne();\n",
                "a();\nd();\ne();\n",
                "a();\nb();\nd();\ne();\n",
                "a();\nd();\nb();\ne();\n",
            ]
        );
    }

    #[test]
    fn markers_in_strings_and_comments_are_no_conflict() {
        for text in [
            format!("let s = \"\n{TEXT}\";"),
            format!("/*\n{TEXT}*/"),
            TEXT.replace("<<<<<<<", "<<<<<<<<"),
            TEXT.replace("=======", "======="[1..].into()),
            TEXT.replace(">>>>>>>", " >>>>>>>"),
        ] {
            assert_eq!(conflicts(&text), [], "{text}");
        }
    }

    #[test]
    fn a_resolution_is_recognised_also_beside_other_edits() {
        for kept in Kept::ALL {
            let after = resolved(TEXT, &conflicts(TEXT), &[kept]);
            assert_eq!(resolved_as(TEXT, &after), Some(after.clone()));
            let edited = after.replace("e();", "f();");
            assert_eq!(resolved_as(TEXT, &edited), Some(after));
        }
        assert_eq!(resolved_as(TEXT, TEXT), None);
    }

    #[test]
    fn what_keeps_neither_side_is_compared_with_both() {
        let both = resolved(TEXT, &conflicts(TEXT), &[Kept::OursThenTheirs]);
        assert_eq!(resolved_as(TEXT, "a();\ne();\n"), Some(both));
    }
}
