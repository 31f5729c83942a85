//! Text for the places that a change leaves: remarks, and old names that no proof covers.

use std::fmt::Write as _;

use agent::{LeftLine, LeftRow, left_lines};

use crate::output::{self, BOLD, WARN, paint};

/// The places that a change has left behind ([`agent::left_lines`]), in colours.
pub(super) fn left_behind(rows: &[LeftRow], shown: &[String]) -> String {
    let mut text = String::new();
    for line in left_lines(rows, shown) {
        let (word, style, of) = match &line {
            LeftLine::After(of) => ("  after", BOLD, of),
            LeftLine::Left(of) => ("    left", WARN, of),
            LeftLine::Unproven(of) => ("    unproven", WARN, of),
            LeftLine::More(count) => {
                let _ = writeln!(text, "    … and {count} more (`--json` lists all)");
                continue;
            }
        };
        let indent = &word[..word.len() - word.trim_start().len()];
        let _ = writeln!(text, "{indent}{} {}", paint(style, word.trim_start()), output::safe(of));
    }
    text
}

/// The numbers of places that no proof covers, for the line of the result: `, 2 places have the old
/// name, 1 place loses a failure, 1 changed place is unproven`; empty if there is none.
pub(super) fn incomplete(rows: &[LeftRow]) -> String {
    let open =
        |edited: bool| rows.iter().filter(move |it| it.unproven.is_some() && it.edited == edited);
    let mut text = String::new();
    let mut add = |left: usize, (one, many): (&str, &str), what: &str| {
        let verb = if left == 1 { one } else { many };
        if left > 0 {
            let _ = write!(text, ", {} {verb} {what}", base::counted(left, "place"));
        }
    };
    let is_name = |it: &&LeftRow| !it.loses_failure() && !it.is_example_call();
    add(open(false).filter(is_name).count(), ("has", "have"), "the old name");
    let calls = open(false).filter(|it| it.is_example_call()).count();
    add(calls, ("has", "have"), "the old arguments");
    let losses = open(false).filter(|it| it.loses_failure()).count();
    add(losses, ("loses", "lose"), "a failure");
    match open(true).filter(|it| !it.loses_failure()).count() {
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
        let lost = [row(4, false, Some("it compiles, and a failure is lost"))];
        assert_eq!(incomplete(&lost), ", 1 place loses a failure (listed above)");
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
