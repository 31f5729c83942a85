//! Conflict markers that a merge left in a text: where the sides are, and the text with one or both
//! of them. Resolving a conflict drops a side, so the preservation rule compares with the resolved
//! text.

use base::ByteSpan;

use crate::added_items::Sides;
use crate::merge::{TheirChange, merge};
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
    /// The lines that both sides began with, where the markers have them.
    base: Option<ByteSpan>,
    /// Both sides as one, where their changes do not meet.
    pub merged: Option<Merged>,
}

/// Both sides of a conflict as one: what each has changed of what both began with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The lines.
    pub lines: String,
    /// How near to each other the changes of the sides are.
    pub nearness: Nearness,
}

/// How near to each other the changes of two sides are that can be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// Nothing that belongs together was changed by both: a separator or the end of a line is between
    /// the changes.
    Apart,
    /// Both changed something that belongs together.
    Meeting,
    /// Both added at one place, and in another order it may mean something else.
    Ordered,
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
    /// Both as one ([`Conflict::merged`]); our side where they cannot be.
    Merged,
}

impl Kept {
    /// The resolutions that need nothing but the sides.
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
            Kept::Merged => {
                self.merged.as_ref().map_or_else(|| of(self.ours).to_owned(), |it| it.lines.clone())
            }
        }
    }
}

/// Whether the text has a conflict.
pub fn has_conflicts(text: &str) -> bool {
    text.contains("<<<<<<<") && !conflicts(text).is_empty()
}

/// The conflicts of a text, in order; markers in strings and comments are none.
///
/// `base` is the text that both sides began with, as git keeps it during a merge; without it the lines
/// in the markers are taken, if they have any.
pub fn conflicts_since(text: &str, base: Option<&str>) -> Vec<Conflict> {
    let mut found = conflicts(text);
    let in_markers = || {
        let lines = found.iter().map(|it| it.base?.slice(text)).collect::<Option<Vec<_>>>()?;
        Some(replaced(text, &found, &lines))
    };
    let base = base.map(str::to_owned).or_else(in_markers);
    let merged = match &base {
        Some(base) if !found.is_empty() => all_merged(text, &found, base),
        _ => Vec::new(),
    };
    for (conflict, merged) in found.iter_mut().zip(merged) {
        conflict.merged = merged;
    }
    found
}

/// The sides of each conflict as one.
fn all_merged(text: &str, conflicts: &[Conflict], base: &str) -> Vec<Option<Merged>> {
    let sides = |kept: Kept| resolved(text, conflicts, &vec![kept; conflicts.len()]);
    let (ours, theirs) = (sides(Kept::Ours), sides(Kept::Theirs));
    let changes = merge(base, &ours, &theirs);
    let whole = Sides { base, ours: &ours, theirs: &theirs };
    let mut left = 0;
    // Where the lines of each conflict are in our side.
    let place = |it: &Conflict| {
        let start = it.span.start - left;
        left += it.span.len() - it.ours.len();
        ByteSpan::new(start, start + it.ours.len())
    };
    let spans: Vec<ByteSpan> = conflicts.iter().map(place).collect();
    let is_inside = |it: &TheirChange, span: ByteSpan| {
        it.span.start < span.end && it.span.end > span.start || span.contains(it.span)
    };
    // Outside of the conflicts both sides are alike. A change there belongs to a conflict beside it, whose
    // lines end within an item: without it a part of their side would be lost.
    let is_whole = changes.iter().all(|it| spans.iter().any(|span| is_inside(it, *span)));
    let in_one = |(it, span): (&Conflict, &ByteSpan)| {
        let own = changes.iter().filter(|change| is_inside(change, *span)).collect::<Vec<_>>();
        let lines = |kept: Kept| it.lines(text, kept);
        let sides = [lines(Kept::Ours), lines(Kept::Theirs)];
        let joined = is_whole.then(|| merged_lines(&ours, *span, &own)).flatten();
        let joined = joined.filter(|it| whole.keep_added([&sides[0], &sides[1]], &it.lines));
        let both = || {
            let after = text.get(it.span.end..)?;
            let items = || whole.both(&sides[0], &sides[1], after);
            let fields = || whole.both_fields(&sides[0], &sides[1], ours.get(..span.start)?);
            Some(Merged { lines: items().or_else(fields)?, nearness: Nearness::Apart })
        };
        let in_order = || {
            let lines = whole.in_order(&sides[0], &sides[1], text.get(it.span.end..)?)?;
            Some(Merged { lines, nearness: Nearness::Ordered })
        };
        joined.or_else(both).or_else(in_order)
    };
    conflicts.iter().zip(&spans).map(in_one).collect()
}

/// The lines of our side with their changes; `None` if one cannot be joined.
fn merged_lines(ours: &str, span: ByteSpan, changes: &[&TheirChange]) -> Option<Merged> {
    let mut lines = span.slice(ours)?.to_owned();
    for it in changes.iter().rev() {
        // Blank lines around the conflict stay.
        let end = it.span.end.min(span.end);
        ours.get(end..it.span.end).filter(|it| it.trim().is_empty())?;
        let at = it.span.start.checked_sub(span.start)?..end.checked_sub(span.start)?;
        lines.get(at.clone())?;
        lines.replace_range(at, it.insert.as_deref()?);
    }
    let nearness = match changes.iter().all(|it| it.is_apart) {
        true => Nearness::Apart,
        false => Nearness::Meeting,
    };
    Some(Merged { lines, nearness })
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
                open.base = Some(ByteSpan::new(span.end, span.end));
            }
            (Some(('=', _)), Some(open)) if open.theirs.is_none() => {
                open.ours_end.get_or_insert(span.start);
                open.base = open.base.map(|it| ByteSpan::new(it.start, span.start));
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
    base: Option<ByteSpan>,
    theirs: Option<usize>,
    name: String,
}

impl Open {
    fn new(marker: ByteSpan, name: &str) -> Self {
        let (start, ours) = (marker.start, marker.end);
        let name = name.to_owned();
        Self { start, ours, ours_end: None, base: None, theirs: None, name }
    }

    fn close(self, marker: ByteSpan, name: &str) -> Option<Conflict> {
        Some(Conflict {
            span: ByteSpan::new(self.start, marker.end),
            ours: ByteSpan::new(self.ours, self.ours_end?),
            theirs: ByteSpan::new(self.theirs?, marker.start),
            our_name: self.name,
            their_name: name.to_owned(),
            base: self.base,
            merged: None,
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
    let lines: Vec<String> =
        conflicts.iter().zip(kept).map(|(it, kept)| it.lines(text, *kept)).collect();
    replaced(text, conflicts, &lines)
}

/// The text with lines in the place of each conflict.
fn replaced<T: AsRef<str>>(text: &str, conflicts: &[Conflict], lines: &[T]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (conflict, lines) in conflicts.iter().zip(lines) {
        result.push_str(text.get(at..conflict.span.start).unwrap_or(""));
        result.push_str(lines.as_ref());
        at = conflict.span.end;
    }
    result.push_str(text.get(at..).unwrap_or(""));
    result
}

/// If `after` resolves the conflicts of `before`: `before` with them resolved in the same way, so
/// that the comparison of the two finds what else was removed. A resolution that keeps neither side
/// is compared with both. `base` is that of [`conflicts_since`].
pub fn resolved_as(before: &str, after: &str, base: Option<&str>) -> Option<String> {
    if !before.contains("<<<<<<<") || has_conflicts(after) {
        return None;
    }
    let conflicts = conflicts_since(before, base);
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
    let merged = conflict.merged.as_ref().map(|_| Kept::Merged);
    Kept::ALL.into_iter().chain(merged).find_map(|kept| {
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
    let is_left = |it: &Merged| !it.lines.trim().is_empty() && after.contains(&it.lines);
    if conflict.merged.as_ref().is_some_and(is_left) {
        return Kept::Merged;
    }
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
            assert_eq!(resolved_as(TEXT, &after, None), Some(after.clone()));
            let edited = after.replace("e();", "f();");
            assert_eq!(resolved_as(TEXT, &edited, None), Some(after));
        }
        assert_eq!(resolved_as(TEXT, TEXT, None), None);
    }

    #[test]
    fn what_keeps_neither_side_is_compared_with_both() {
        let both = resolved(TEXT, &conflicts(TEXT), &[Kept::OursThenTheirs]);
        assert_eq!(resolved_as(TEXT, "a();\ne();\n", None), Some(both));
    }

    const HEADS: &str = "<<<<<<< HEAD\npub fn f(a: u8) {}\n||||||| 1f2e\nfn f(a: u8) {}\n=======\n\
        fn f(a: u8, b: u8) {}\n>>>>>>> topic\n";

    #[test]
    fn sides_that_change_other_parts_are_one() {
        let merged = |text: &str, base: Option<&str>| {
            let found = conflicts_since(text, base);
            found.into_iter().map(|it| it.merged.map(|it| it.lines)).collect::<Vec<_>>()
        };
        let both = "pub fn f(a: u8, b: u8) {}\n";
        assert_eq!(merged(HEADS, None), [Some(both.to_owned())]);
        let unmarked = HEADS.replace("||||||| 1f2e\nfn f(a: u8) {}\n", "");
        assert_eq!(merged(&unmarked, None), [None]);
        assert_eq!(merged(&unmarked, Some("fn f(a: u8) {}\n")), [Some(both.to_owned())]);
        // Both inserted something else.
        assert_eq!(merged(TEXT, None), [None]);
        let two = format!("{unmarked}g();\n{unmarked}");
        let base = "fn f(a: u8) {}\ng();\nfn f(a: u8) {}\n";
        assert_eq!(merged(&two, Some(base)), [Some(both.to_owned()), Some(both.to_owned())]);
        assert_eq!(resolved_as(&unmarked, both, Some("fn f(a: u8) {}\n")), Some(both.to_owned()));
    }

    #[test]
    fn items_that_both_sides_add_are_one() {
        let text = "fn f() {}\n<<<<<<< HEAD\nfn a() {}\n=======\nfn b() {}\n>>>>>>> topic\n";
        let found = conflicts_since(text, Some("fn f() {}\n"));
        let merged = found[0].merged.as_ref().unwrap();
        assert_eq!(merged.lines, "fn a() {}\n\nfn b() {}\n");
        assert_eq!(merged.nearness, Nearness::Apart);
        // Without the base, one may be the other under a new name.
        assert_eq!(conflicts_since(text, None)[0].merged, None);
        assert_eq!(conflicts_since(text, Some("fn f() {}\nfn c() {}\n"))[0].merged, None);
    }

    #[test]
    fn a_conflict_that_ends_within_an_item_loses_no_side() {
        let text = "fn f() {}\n\n<<<<<<< HEAD\nfn a() {\n    1\n=======\nfn b() {\n    2\n>>>>>>> topic\n}\n";
        let found = conflicts_since(text, Some("fn f() {}\n"));
        let all = resolved(text, &found, &[Kept::Merged]);
        assert_eq!(all, "fn f() {}\n\nfn a() {\n    1\n}\n\nfn b() {\n    2\n}\n");
        // Where they cannot be one, neither is taken for both.
        let text = text.replace("fn b()", "fn a(c: u8)");
        assert_eq!(conflicts_since(&text, Some("fn f() {}\n"))[0].merged, None);
    }

    #[test]
    fn statements_that_both_sides_add_are_one_in_our_order() {
        let with = |ours: &str, theirs: &str, after: &str| {
            let text = format!(
                "fn f() {{\n    x();\n<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> topic\n{after}}}\n"
            );
            let base = format!("fn f() {{\n    x();\n{}}}\n", after.trim_start_matches("    }\n"));
            let merged = conflicts_since(&text, Some(&base))[0].merged.clone();
            merged.map(|it| (it.lines, it.nearness))
        };
        let (ours, theirs) = ("    if a {\n        b();\n", "    if c {\n        d();\n");
        let both = format!("{ours}    }}\n{theirs}");
        assert_eq!(with(ours, theirs, "    }\n    y();\n"), Some((both, Nearness::Ordered)));
        // With nothing in common at the end, both sides are one without more.
        assert_eq!(with("    a();\n", "    b();\n", "    y();\n"), None);
        // A line of the base that a side no longer has.
        assert_eq!(with(ours, "    else {\n", "    }\n"), None);
    }

    #[test]
    fn fields_that_both_sides_add_are_one() {
        let of = |open: &str, ours: &str, theirs: &str| {
            let text = format!(
                "{open}\n<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> topic\n    z: u8,\n"
            );
            let base = format!("{open}\n    z: u8,\n");
            conflicts_since(&text, Some(&base))[0].merged.as_ref().map(|it| it.lines.clone())
        };
        assert_eq!(
            of("struct S {", "    /// A.\n    pub a: u8,", "    #[x]\n    b: Vec<(u8, u8)>,"),
            Some("    /// A.\n    pub a: u8,\n    #[x]\n    b: Vec<(u8, u8)>,\n".to_owned())
        );
        assert!(of("let s = S {", "    a: f(1, 2),", "    b: _,").is_some());
        assert!(of("struct S {", "    a: Map<u8, u8>,", "    b: u8,").is_some());
        // One name, what is no field, and where the order means something.
        assert_eq!(of("struct S {", "    a: u8,", "    a: u16,"), None);
        assert_eq!(of("struct S {", "    a: u8,", "    z: u16,"), None);
        assert_eq!(of("enum E {", "    A,", "    B,"), None);
        assert_eq!(of("fn f(", "    a: u8,", "    b: u16,"), None);
    }

    #[test]
    fn what_one_side_has_removed_is_no_loss_after_a_merge() {
        let text = "<<<<<<< HEAD\nf(a);\ng();\n=======\nf(a, b);\n>>>>>>> topic\n";
        let base = "f(a);\nh();\ng();\n";
        let found = conflicts_since(text, Some(base));
        assert_eq!(found[0].merged, None, "their side removed `g`, which is beside `h`");
        let found = conflicts_since(text, Some("f(a);\ng();\n"));
        assert_eq!(found[0].merged.as_ref().unwrap().lines, "f(a, b);\n");
    }
}
