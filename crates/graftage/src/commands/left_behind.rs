//! Text for the places that a change leaves: remarks, and old names that no proof covers.

use std::fmt::Write as _;

use agent::LeftRow;

use crate::output::{self, BOLD, WARN, paint};

/// Maximum number of listed places that one change has left as they are.
const LISTED_PLACES: usize = 24;

/// Maximum number of named places that were changed without proof for one reason.
const NAMED_PLACES: usize = 4;

/// The places that a change has left behind, by change: those that stay first, each, then those that were
/// changed without proof, by reason. A change that is among the lines of `shown` has no line of its own.
pub(super) fn left_behind(rows: &[LeftRow], shown: &[String]) -> String {
    let mut text = String::new();
    for of_change in rows.chunk_by(|a, b| a.why == b.why) {
        let Some(first) = of_change.first() else { continue };
        if !shown.contains(&first.why) {
            let _ = writeln!(text, "  {} {}", paint(BOLD, "after"), output::safe(&first.why));
        }
        let (unproven, left): (Vec<&LeftRow>, Vec<&LeftRow>) =
            of_change.iter().partition(|it| it.edited && it.unproven.is_some());
        for row in left.iter().take(LISTED_PLACES) {
            let place = output::safe(&format!("{}:{}: {}", row.path, row.line, row.what));
            let reason = match &row.unproven {
                Some(reason) => format!("; {reason}"),
                None if row.edited => " (edited)".to_owned(),
                None => String::new(),
            };
            let _ = writeln!(text, "    {} {place}{}", paint(WARN, "left"), output::safe(&reason));
        }
        if left.len() > LISTED_PLACES {
            let more = left.len() - LISTED_PLACES;
            let _ = writeln!(text, "    … and {more} more (`--json` lists all)");
        }
        text.push_str(&by_reason(&unproven));
    }
    text
}

/// The places that were changed without proof, one line for each reason.
fn by_reason(rows: &[&LeftRow]) -> String {
    let mut reasons: Vec<(&str, Vec<&LeftRow>)> = Vec::new();
    for row in rows {
        let reason = row.unproven.as_deref().unwrap_or_default();
        match reasons.iter_mut().find(|it| it.0 == reason) {
            Some(known) => known.1.push(row),
            None => reasons.push((reason, vec![row])),
        }
    }
    let mut text = String::new();
    for (reason, rows) in reasons {
        let named = rows.iter().take(NAMED_PLACES);
        let named: Vec<String> = named.map(|it| format!("{}:{}", it.path, it.line)).collect();
        let what = match rows.as_slice() {
            [one] => format!("{} is changed", one.what),
            all => base::counted(all.len(), "changed place"),
        };
        let more = match rows.len().saturating_sub(NAMED_PLACES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let line = format!("{}{more}: {what}; {reason}", named.join(", "));
        let _ = writeln!(text, "    {} {}", paint(WARN, "unproven"), output::safe(&line));
    }
    text
}

/// The numbers of places that no proof covers, for the line of the result: `, 2 places have the old
/// name still, 1 change is unproven`; empty if there is none.
pub(super) fn incomplete(rows: &[LeftRow]) -> String {
    let count = |edited: bool| {
        rows.iter().filter(|it| it.unproven.is_some() && it.edited == edited).count()
    };
    let mut text = String::new();
    match count(false) {
        0 => {}
        left => {
            let verb = if left == 1 { "has" } else { "have" };
            let _ = write!(text, ", {} {verb} the old name", base::counted(left, "place"));
        }
    }
    match count(true) {
        0 => {}
        1 => text.push_str(", 1 changed place is unproven"),
        changed => {
            let _ = write!(text, ", {changed} changed places are unproven");
        }
    }
    if !text.is_empty() {
        text.push_str(" (listed above)");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: u32, edited: bool, unproven: Option<&str>) -> LeftRow {
        LeftRow {
            path: "a.rs".into(),
            line,
            what: "`x`".into(),
            why: "`x` is now `y`".into(),
            edited,
            unproven: unproven.map(str::to_owned),
            in_comment: false,
        }
    }

    #[test]
    fn places_are_listed_with_the_reason_and_counted_in_the_result() {
        let rows = [
            row(1, false, Some("`cfg(a)` is not on")),
            row(2, true, Some("b")),
            row(3, false, None),
        ];
        assert_eq!(
            anstream::adapter::strip_str(&left_behind(&rows, &[])).to_string(),
            "  after `x` is now `y`\n    left a.rs:1: `x`; `cfg(a)` is not on\n    \
             left a.rs:3: `x`\n    unproven a.rs:2: `x` is changed; b\n"
        );
        assert_eq!(
            incomplete(&rows),
            ", 1 place has the old name, 1 changed place is unproven (listed above)"
        );
        assert_eq!(incomplete(&rows[2..]), "");
    }

    #[test]
    fn changed_places_are_one_line_for_each_reason() {
        let rows: Vec<LeftRow> = (1..=6).map(|line| row(line, true, Some("b"))).collect();
        assert_eq!(
            anstream::adapter::strip_str(&left_behind(&rows, &["`x` is now `y`".into()]))
                .to_string(),
            "    unproven a.rs:1, a.rs:2, a.rs:3, a.rs:4 and 2 more: 6 changed places; b\n"
        );
    }
}
