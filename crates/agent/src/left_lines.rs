//! [`left_lines`]: the places that a change leaves, as lines for every front end.

use crate::LeftRow;

/// Most listed places that one change has left as they are.
const LISTED_PLACES: usize = 24;

/// Most named places that were changed without proof for one reason.
const NAMED_PLACES: usize = 4;

/// A line about places that a change leaves. Its text is not safe for a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftLine {
    /// The change that left the places of the next lines.
    After(String),
    /// A place that stays as it is.
    Left(String),
    /// Number of further places that stay as they are.
    More(usize),
    /// Places that were changed without proof.
    Unproven(String),
}

/// The places that a change has left behind, by change: those that stay first, each, then those that were
/// changed without proof, by reason. A change that is among the lines of `shown` has no line of its own.
pub fn left_lines(rows: &[LeftRow], shown: &[String]) -> Vec<LeftLine> {
    let mut lines = Vec::new();
    for of_change in rows.chunk_by(|a, b| a.why == b.why) {
        let Some(first) = of_change.first() else { continue };
        if !shown.contains(&first.why) {
            lines.push(LeftLine::After(first.why.clone()));
        }
        let (unproven, left): (Vec<&LeftRow>, Vec<&LeftRow>) =
            of_change.iter().partition(|it| it.edited && it.unproven.is_some());
        for row in left.iter().take(LISTED_PLACES) {
            let reason = match &row.unproven {
                Some(reason) => format!("; {reason}"),
                None if row.edited => " (edited)".to_owned(),
                None => String::new(),
            };
            lines.push(LeftLine::Left(format!("{}:{}: {}{reason}", row.path, row.line, row.what)));
        }
        if left.len() > LISTED_PLACES {
            lines.push(LeftLine::More(left.len() - LISTED_PLACES));
        }
        lines.extend(by_reason(&unproven).into_iter().map(LeftLine::Unproven));
    }
    lines
}

/// The places that were changed without proof, one line for each reason.
fn by_reason(rows: &[&LeftRow]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&LeftRow>)> = Vec::new();
    for row in rows {
        let reason = row.unproven.as_deref().unwrap_or_default();
        match reasons.iter_mut().find(|it| it.0 == reason) {
            Some(known) => known.1.push(row),
            None => reasons.push((reason, vec![row])),
        }
    }
    let line = |(reason, rows): (&str, Vec<&LeftRow>)| {
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
        format!("{}{more}: {what}; {reason}", named.join(", "))
    };
    reasons.into_iter().map(line).collect()
}

impl std::fmt::Display for LeftLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::After(text) => write!(f, "after {text}"),
            Self::Left(text) => write!(f, "left {text}"),
            Self::More(count) => write!(f, "… and {count} more"),
            Self::Unproven(text) => write!(f, "unproven {text}"),
        }
    }
}
