//! [`ChangeId`]: the id of a change that was written.

use std::fmt;
use std::ops::Deref;

use base::Ctx;
use serde::Serialize;

/// The id of a change in the journal. Only a written change has one, and it is never empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ChangeId(String);

impl ChangeId {
    /// The id of a new change.
    pub(crate) fn fresh(ctx: &Ctx) -> Self {
        Self(ctx.fresh_name()[..12].to_owned())
    }

    /// The id of an entry of the journal.
    pub(crate) fn of_entry(id: &str) -> Self {
        debug_assert!(!id.is_empty(), "the journal has no entry without an id");
        Self(id.to_owned())
    }
}

impl Deref for ChangeId {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ChangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<ChangeId> for String {
    fn from(id: ChangeId) -> Self {
        id.0
    }
}

impl PartialEq<str> for ChangeId {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}
