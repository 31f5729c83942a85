//! Items as tools answer them: one line each.

use schemars::JsonSchema;
use serde::Serialize;

use code::{HitCard, ItemCard};

/// One item.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ItemLine {
    /// Canonical path; names the item in other calls.
    pub item: String,
    /// Kind: `function`, `struct` ….
    pub kind: String,
    /// File and lines: `src/lib.rs:10-20`.
    pub at: String,
    /// Signature.
    pub signature: String,
}

impl From<&ItemCard> for ItemLine {
    fn from(card: &ItemCard) -> Self {
        Self {
            item: card.canon.clone(),
            kind: card.kind.as_str().to_owned(),
            at: location(card.file.as_deref(), card.start_line, card.end_line),
            signature: card.signature.clone(),
        }
    }
}

impl From<&HitCard> for ItemLine {
    fn from(card: &HitCard) -> Self {
        Self {
            item: card.canon.clone(),
            kind: card.kind.as_str().to_owned(),
            at: location(card.file.as_deref(), card.start_line, card.end_line),
            signature: card.signature.clone(),
        }
    }
}

/// `src/lib.rs:10-20`.
pub(super) fn location(file: Option<&str>, start: Option<u32>, end: Option<u32>) -> String {
    let file = file.unwrap_or_default();
    match (start, end) {
        (Some(start), Some(end)) if start != end => format!("{file}:{start}-{end}"),
        (Some(start), _) => format!("{file}:{start}"),
        _ => file.to_owned(),
    }
}

/// A page of rows: those from `offset`, at most `limit`, and the offset of the next page.
pub(crate) fn page<T>(rows: Vec<T>, offset: usize, limit: usize) -> (Vec<T>, Option<usize>) {
    let all = rows.len();
    let rows: Vec<T> = rows.into_iter().skip(offset).take(limit).collect();
    let next = offset.saturating_add(rows.len());
    (rows, (next < all && limit > 0).then_some(next))
}
