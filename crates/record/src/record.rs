//! [`Record`], the record of one project: its logs and its texts.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use base::{ContentHash, Ctx, Hasher};

use crate::log::{HeldLock, try_lock, wait_lock};
use crate::{
    Blobs, Durable, Log, LogContent, Proposals, RecordEntry, RecordError, Result, RunHistory,
};

/// The length of the log of activity in bytes from which on a new file is started.
const ACTIVITY_LIMIT: u64 = 1 << 20;

/// The time that an entry about activity waits for another writer.
const ACTIVITY_PATIENCE: Duration = Duration::from_millis(20);

/// The lock of who writes approved proposals.
const APPROVAL: &str = "approval.lock";

/// The time that an approval waits for another one, which may verify its change again.
const APPROVAL_PATIENCE: Duration = Duration::from_secs(60);

/// The length of a proposal's id.
pub const ID_LENGTH: usize = 8;

/// The record of one project.
#[derive(Clone, Debug)]
pub struct Record {
    folder: PathBuf,
    proposals: Log<RecordEntry>,
    activity: Log<RecordEntry>,
    memories: Log<RecordEntry>,
    blobs: Blobs,
}

impl Record {
    /// The record in `folder`. Nothing is read or written yet.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self {
            proposals: Log::at(folder.join("proposals.jsonl")),
            activity: Log::at(folder.join("activity.jsonl")).rotating(ACTIVITY_LIMIT),
            memories: Log::at(folder.join("memories.jsonl")),
            blobs: Blobs::at(folder.join("texts")),
            folder,
        }
    }

    /// The texts.
    pub fn texts(&self) -> &Blobs {
        &self.blobs
    }

    /// The entries about proposals, oldest first.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn entries(&self) -> Result<LogContent<RecordEntry>> {
        self.proposals.read()
    }

    /// The newest tool calls and retrievals, oldest first.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn activity(&self) -> Result<LogContent<RecordEntry>> {
        self.activity.read()
    }

    /// The entries about finished runs and what was forgotten, oldest first; of earlier versions also
    /// those among the activity.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn memory_entries(&self) -> Result<LogContent<RecordEntry>> {
        let mut content = self.memories.read()?;
        let mut before = self.activity.read()?.entries;
        before.retain(|it| matches!(it.entry, RecordEntry::Run(_)));
        content.entries.splice(..0, before);
        Ok(content)
    }

    /// The finished runs and what was forgotten, with the damage of the log.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn run_history(&self) -> Result<(RunHistory, Vec<String>)> {
        let content = self.memory_entries()?;
        let damage = content.troubles.iter().map(ToString::to_string).collect();
        Ok((RunHistory::of(&content.entries), damage))
    }

    /// Appends an entry about a finished run, durably.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn remember(&self, ctx: &Ctx, entry: &RecordEntry) -> Result<u64> {
        self.memories.append(ctx, entry, Durable::Synced)
    }

    /// The state of the proposals, with the damage of the log among its troubles.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn proposals(&self) -> Result<(Proposals, Vec<String>)> {
        let content = self.entries()?;
        let proposals = Proposals::of(&content.entries);
        let damage = content.troubles.iter().map(ToString::to_string);
        let troubles = damage.chain(proposals.troubles().iter().cloned()).collect();
        Ok((proposals, troubles))
    }

    /// Appends the entries that `make` derives from the present state, durably and all at once. No
    /// other process can write between the two.
    ///
    /// # Errors
    /// [`RecordError::Illegal`] if an entry does not fit the state; then none is written.
    pub fn write<T, E: From<RecordError>>(
        &self,
        ctx: &Ctx,
        make: impl FnOnce(&Proposals) -> std::result::Result<(Vec<RecordEntry>, T), E>,
    ) -> std::result::Result<T, E> {
        let mut writer = self.proposals.lock(ctx)?;
        let mut proposals = Proposals::of(&self.entries()?.entries);
        let (entries, value) = make(&proposals)?;
        for entry in &entries {
            proposals
                .apply(entry)
                .map_err(|illegal| RecordError::Illegal { reason: illegal.reason })?;
        }
        if !entries.is_empty() {
            writer.append(&entries, Durable::Synced)?;
        }
        Ok(value)
    }

    /// Appends an entry about activity. It survives a kill, not necessarily a loss of power: a sync
    /// takes longer than a search. Another writer is awaited for a moment only.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn note(&self, ctx: &Ctx, entry: &RecordEntry) -> Result<u64> {
        // The lock of the file is polled; the calls of one server need not wait so long for each other.
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = base::lock(&TURN);
        self.activity.append_within(ctx, entry, Durable::Written, ACTIVITY_PATIENCE)
    }

    /// The right to write approved proposals into the tree; waits for another process that has it.
    ///
    /// # Errors
    /// [`RecordError::Busy`] if it keeps it; a folder that cannot be written.
    pub fn lock_approval(&self, ctx: &Ctx) -> Result<HeldLock> {
        wait_lock(ctx, &self.folder, APPROVAL, APPROVAL_PATIENCE)
    }

    /// As [`Record::lock_approval`]; `None` while another process has it.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn try_lock_approval(&self) -> Result<Option<HeldLock>> {
        try_lock(&self.folder, APPROVAL)
    }

    /// The id of a new proposal for a change: the same for the same change and the same proposals.
    pub fn fresh_id(proposals: &Proposals, patch_set: ContentHash) -> String {
        let same = proposals.all().filter(|it| it.new.patch_set == patch_set).count() as u64;
        let id = |turn: u64| {
            let hash =
                Hasher::new().field(patch_set.as_bytes()).field(&turn.to_le_bytes()).finish();
            hash.to_string()[..ID_LENGTH].to_owned()
        };
        (same..).map(id).find(|id| proposals.get(id).is_none()).unwrap_or_default()
    }
}
