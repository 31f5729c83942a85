//! [`TaskStore`]: the tasks on the disk, a file each, so that they survive a restart.

use std::path::PathBuf;

use base::{Ctx, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use untrusted_fs::OwnFiles;

use crate::error::NotKept;
use crate::wire::{self, A2aArtifact, A2aMessage, A2aState, PushConfig};

/// Most bytes of a file.
const MOST_BYTES: u64 = 32 << 20;

/// Most files that are looked at.
const MOST_FILES: usize = 10_000;

/// A task, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredTask {
    pub(crate) id: String,
    pub(crate) context_id: String,
    pub(crate) state: A2aState,
    /// The present message of the agent.
    pub(crate) message: Option<A2aMessage>,
    /// Time of the last change.
    pub(crate) updated: Timestamp,
    /// Messages that were sent before, oldest first.
    pub(crate) history: Vec<A2aMessage>,
    pub(crate) artifacts: Vec<A2aArtifact>,
    pub(crate) pushes: Vec<PushConfig>,
}

impl StoredTask {
    /// The status, as clients read it.
    pub(crate) fn status(&self) -> Value {
        let mut status = json!({ "state": self.state, "timestamp": wire::time(self.updated) });
        if let Some(message) = &self.message {
            status["message"] = json!(message);
        }
        status
    }

    /// The task, as clients read it, with at most this many messages of its history.
    pub(crate) fn to_wire(&self, history: Option<usize>, artifacts: bool) -> Value {
        let mut task =
            json!({ "id": self.id, "contextId": self.context_id, "status": self.status() });
        let from = self.history.len().saturating_sub(history.unwrap_or(usize::MAX));
        if from < self.history.len() {
            task["history"] = json!(self.history[from..]);
        }
        if artifacts {
            task["artifacts"] = json!(self.artifacts);
        }
        task
    }
}

/// The folder of the tasks.
#[derive(Clone, Debug)]
pub(crate) struct TaskStore {
    files: OwnFiles,
}

impl TaskStore {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { files: OwnFiles::new(folder, MOST_BYTES) }
    }

    /// Keeps a task as it is now.
    pub(crate) fn put(&self, ctx: &Ctx, task: &StoredTask) -> Result<usize, NotKept> {
        let bytes = serde_json::to_vec(task).map_err(|error| NotKept(error.to_string()))?;
        let kept = self.files.put(&task.id, &bytes, &ctx.fresh_name());
        kept.map(|()| bytes.len()).map_err(|error| NotKept(error.to_string()))
    }

    pub(crate) fn remove(&self, id: &str) {
        // One that is gone already is removed.
        self.files.remove(id);
    }

    /// All tasks that can be read, newest first.
    pub(crate) fn all(&self) -> Vec<StoredTask> {
        let ids = self.files.ids(MOST_FILES);
        let mut found: Vec<StoredTask> = ids.iter().filter_map(|id| self.get(id)).collect();
        found.sort_by(|a, b| (b.updated, &b.id).cmp(&(a.updated, &a.id)));
        found
    }

    fn get(&self, id: &str) -> Option<StoredTask> {
        let task: StoredTask = serde_json::from_slice(&self.files.get(id)?).ok()?;
        (task.id == id).then_some(task)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

    use super::*;

    fn task(id: &str, at: u64) -> StoredTask {
        StoredTask {
            id: id.to_owned(),
            context_id: "c".to_owned(),
            state: A2aState::Working,
            message: None,
            updated: Timestamp(at),
            history: vec![A2aMessage::default(); 3],
            artifacts: Vec::new(),
            pushes: vec![PushConfig {
                url: "http://a.example/".to_owned(),
                ..PushConfig::default()
            }],
        }
    }

    #[test]
    fn tasks_are_kept_listed_and_removed() {
        let (ctx, project) = (testkit::ctx(), testkit::project("//- /a\n"));
        let store = TaskStore::new(project.root().join("tasks"));
        assert!(store.all().is_empty());
        store.put(&ctx, &task("a1", 1)).unwrap();
        store.put(&ctx, &task("b2", 2)).unwrap();
        assert_eq!(store.all(), [task("b2", 2), task("a1", 1)]);
        for id in ["../a1", "", "a1.json", "a/b", "\0"] {
            assert_eq!(store.get(id), None, "{id}");
            store.remove(id);
        }
        std::fs::write(project.root().join("tasks/c3.json"), "{").unwrap();
        std::fs::copy(project.root().join("tasks/a1.json"), project.root().join("tasks/d4.json"))
            .unwrap();
        assert_eq!(store.all().len(), 2);
        store.remove("a1");
        assert_eq!(store.all(), [task("b2", 2)]);
    }

    #[test]
    fn history_and_artifacts_are_shown_as_asked() {
        let task = task("a1", 1);
        assert!(task.to_wire(Some(0), false).get("history").is_none());
        assert_eq!(task.to_wire(Some(2), true)["history"].as_array().unwrap().len(), 2);
        assert_eq!(task.to_wire(None, true)["history"].as_array().unwrap().len(), 3);
        assert!(task.to_wire(None, false).get("artifacts").is_none());
        assert_eq!(task.to_wire(None, true)["artifacts"], json!([]));
        assert!(!task.to_wire(None, true).to_string().contains("a.example"));
    }
}
