//! The trait of the preserved records.

use base::ItemId;

use crate::{CodeRow, CodeVersion, FutureAction, Proof, Records, Result};

/// The records that must be preserved: the code graph with its proposed futures, and the history of
/// tool calls, retrievals and decisions.
///
/// Times are integer microseconds from the caller's clock. A clock that jumps back is harmless:
/// every write of the code graph gets a time later than all before it, and returns it.
pub trait RecordStore: Send + Sync {
    /// Sets the current code of items; a proposed future stays.
    fn upsert_current(&self, rows: &[CodeRow], at: i64) -> Result<Settled>;

    /// Proposes a future for an item. An existing proposal is replaced (and stays in the history).
    /// Create: the item must not exist; edit and delete: it must.
    fn propose_future(
        &self,
        id: ItemId,
        action: FutureAction,
        code: Option<&str>,
        at: i64,
    ) -> Result<Settled>;

    /// Makes the futures of `ids` the current state, all or nothing. Fails without a passed proof,
    /// or if one of them has no future.
    fn approve(&self, ids: &[ItemId], approver: &str, proof: &Proof, at: i64) -> Result<Settled>;

    /// Drops the futures of `ids`, all or nothing. An item that was only proposed ends.
    fn reject(&self, ids: &[ItemId], reason: &str, at: i64) -> Result<Settled>;

    /// The code graph at a time; `None`: the latest state. For `ids`, or for all items if `ids` is
    /// empty; sorted by id.
    fn as_of(&self, ids: &[ItemId], at: Option<i64>) -> Result<Vec<CodeVersion>>;

    /// Writes lifecycle records; a record with the same id is replaced.
    fn record(&self, records: &Records) -> Result<()>;
}

/// The result of a write of the code graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The number of changed rows.
    pub rows: usize,
    /// The time assigned to the write, in microseconds.
    pub at: i64,
}
