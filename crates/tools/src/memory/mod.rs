//! Episodic memory: the finished runs and the proposals of a project, read from its record, found by
//! intent, and forgotten on request. Nothing is stored twice: an episode is a view of the record.

mod episodes;
mod forget;
mod search;

pub use forget::{ForgetRequest, ForgetResponse, ForgottenRow, memory_forget};
pub use search::{
    MemoryAnswer, MemoryHit, MemoryKind, MemoryRequest, changed_items, memory_search,
};
