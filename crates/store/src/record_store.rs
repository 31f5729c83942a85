use base::ItemId;

use crate::{CodeRow, CodeVersion, FutureAction, Proof, Records, Result};

/// The records that must last: the code graph with its proposed futures, and what was asked, found
/// and decided.
///
/// Times are integer microseconds that the caller read from its clock. A clock that jumps back does
/// no harm: every write of the code graph gets a time later than all before it, and says which.
pub trait RecordStore: Send + Sync {
    /// Sets what items are now; a proposed future stays.
    fn upsert_current(&self, rows: &[CodeRow], at: i64) -> Result<Settled>;

    /// Sets what an item shall become. A future that was there is replaced (and stays in the
    /// history). Create: the item must not exist; edit and delete: it must.
    fn propose_future(
        &self,
        id: ItemId,
        action: FutureAction,
        code: Option<&str>,
        at: i64,
    ) -> Result<Settled>;

    /// Makes the futures of `ids` the current state, all or none. Refused without a passed proof,
    /// and where one of them has no future.
    fn approve(&self, ids: &[ItemId], approver: &str, proof: &Proof, at: i64) -> Result<Settled>;

    /// Drops the futures of `ids`, all or none. An item that was only proposed is gone.
    fn reject(&self, ids: &[ItemId], reason: &str, at: i64) -> Result<Settled>;

    /// The code graph at a time; `None`: the latest state. Of `ids`, or, where they are empty, all
    /// of it; sorted by id.
    fn as_of(&self, ids: &[ItemId], at: Option<i64>) -> Result<Vec<CodeVersion>>;

    /// Writes lifecycle records; one of the same id is replaced.
    fn record(&self, records: &Records) -> Result<()>;
}

/// What a write of the code graph did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// How many rows it changed.
    pub rows: usize,
    /// The time it counts as, in microseconds.
    pub at: i64,
}
