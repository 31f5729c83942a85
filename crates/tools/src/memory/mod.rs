//! Episodic memory and the skill library: the finished runs and the proposals of a project, and what was
//! learned from accepted changes (`skills`); read from the record, found by intent, and forgotten on
//! request. Nothing is stored twice: an episode is a view of the record.

mod answers;
mod episodes;
mod forget;
mod kept;
mod rows;
mod search;
mod skills;

pub use answers::{RememberedAnswer, remembered_answers};
pub use forget::{ForgetRequest, ForgetResponse, ForgottenRow, memory_forget};
pub use kept::{KeptChange, KeptError, KeptRun, kept_run, kept_text};
pub(crate) use rows::MemorySources;
pub use search::{
    MemoryAnswer, MemoryHit, MemoryKind, MemoryRequest, changed_items, memory_search,
};
pub use skills::learned_edits;
