//! [`SessionStore`]: the sessions on the disk, a file each, so that they load again after a restart.

use std::path::PathBuf;

use base::Ctx;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use untrusted_fs::OwnFiles;

use crate::AcpError;

/// Most sessions that are listed; of more, the oldest are removed.
const MOST_SESSIONS: usize = 200;

/// Most bytes of a file.
const MOST_BYTES: u64 = 16 << 20;

/// Most updates of a session; of more, the oldest are forgotten.
const MOST_UPDATES: usize = 5_000;

/// A session as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredSession {
    pub(crate) id: String,
    /// Directory of the project that it is about.
    pub(crate) cwd: PathBuf,
    pub(crate) title: String,
    /// RFC 3339.
    pub(crate) updated_at: String,
    pub(crate) mode: String,
    /// The updates that the client was sent, oldest first.
    pub(crate) updates: Vec<Value>,
}

/// The folder of the sessions.
#[derive(Clone, Debug)]
pub(crate) struct SessionStore {
    files: OwnFiles,
}

impl SessionStore {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { files: OwnFiles::new(folder, MOST_BYTES) }
    }

    /// Keeps a session as it is now.
    pub(crate) fn put(&self, ctx: &Ctx, session: &StoredSession) -> Result<(), AcpError> {
        let failed = |error: &dyn std::fmt::Display| AcpError::Store(error.to_string());
        let from = session.updates.len().saturating_sub(MOST_UPDATES);
        let kept = StoredSession { updates: session.updates[from..].to_vec(), ..session.clone() };
        let bytes = serde_json::to_vec(&kept).map_err(|error| failed(&error))?;
        self.files.put(&session.id, &bytes, &ctx.fresh_name()).map_err(|error| failed(&error))
    }

    /// A session; `None`: there is none of this id.
    pub(crate) fn get(&self, id: &str) -> Option<StoredSession> {
        let session: StoredSession = serde_json::from_slice(&self.files.get(id)?).ok()?;
        (session.id == id).then_some(session)
    }

    /// Removes a session; returns whether there was one.
    pub(crate) fn remove(&self, id: &str) -> bool {
        self.files.remove(id)
    }

    /// All sessions, newest first.
    pub(crate) fn all(&self) -> Vec<StoredSession> {
        let ids = self.files.ids(MOST_SESSIONS * 4);
        let mut found: Vec<StoredSession> = ids.iter().filter_map(|id| self.get(id)).collect();
        found.sort_by(|a, b| (&b.updated_at, &b.id).cmp(&(&a.updated_at, &a.id)));
        for old in found.split_off(found.len().min(MOST_SESSIONS)) {
            self.remove(&old.id);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_kept_listed_and_removed() {
        let (ctx, project) = (testkit::ctx(), testkit::project("//- /a\n"));
        let store = SessionStore::new(project.root().join("sessions"));
        assert!(store.all().is_empty());
        let session = |id: &str, at: &str| StoredSession {
            id: id.to_owned(),
            cwd: "/a".into(),
            title: "fix".to_owned(),
            updated_at: at.to_owned(),
            mode: "apply".to_owned(),
            updates: vec![Value::from(1)],
        };
        for (id, at) in [("a1", "2026-01-01"), ("b2", "2026-01-02")] {
            store.put(&ctx, &session(id, at)).unwrap();
        }
        let ids: Vec<String> = store.all().into_iter().map(|it| it.id).collect();
        assert_eq!(ids, ["b2", "a1"]);
        assert_eq!(store.get("a1"), Some(session("a1", "2026-01-01")));
        for id in ["../a1", "", "a1.json", "a/b", "\0"] {
            assert_eq!(store.get(id), None, "{id}");
            assert!(!store.remove(id), "{id}");
        }
        std::fs::write(project.root().join("sessions/c3.json"), "{").unwrap();
        assert!(store.remove("a1") && !store.remove("a1"));
        assert_eq!(store.all().len(), 1);
    }
}
