//! Text for the places that a change leaves: remarks, and old names that no proof covers.

use std::fmt::Write as _;

use agent::LeftRow;

use crate::output::{self, BOLD, WARN, paint};

/// Maximum number of listed places that one change has left behind.
const LISTED_PLACES: usize = 8;

/// The places that a change has left behind, by change; a change that is among the lines of `shown` has
/// no line of its own.
pub(super) fn left_behind(rows: &[LeftRow], shown: &[String]) -> String {
    let mut text = String::new();
    for of_change in rows.chunk_by(|a, b| a.why == b.why) {
        let Some(first) = of_change.first() else { continue };
        if !shown.contains(&first.why) {
            let _ = writeln!(text, "  {} {}", paint(BOLD, "after"), output::safe(&first.why));
        }
        for row in of_change.iter().take(LISTED_PLACES) {
            let place = output::safe(&format!("{}:{}: {}", row.path, row.line, row.what));
            let (word, reason) = match (&row.unproven, row.edited) {
                (Some(reason), true) => ("unproven", format!(" is changed; {reason}")),
                (Some(reason), false) => ("left", format!("; {reason}")),
                (None, true) => ("left", " (edited)".to_owned()),
                (None, false) => ("left", String::new()),
            };
            let _ = writeln!(text, "    {} {place}{}", paint(WARN, word), output::safe(&reason));
        }
        if of_change.len() > LISTED_PLACES {
            let more = of_change.len() - LISTED_PLACES;
            let _ = writeln!(text, "    … and {more} more (`--json` lists all)");
        }
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
             unproven a.rs:2: `x` is changed; b\n    left a.rs:3: `x`\n"
        );
        assert_eq!(
            incomplete(&rows),
            ", 1 place has the old name, 1 changed place is unproven (listed above)"
        );
        assert_eq!(incomplete(&rows[2..]), "");
    }
}
