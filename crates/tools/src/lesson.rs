//! What a change teaches when it is written: its patterns, added to the record. `memory::skills` reads them.

use base::{ContentHash, Ctx, Diagnostic};
use check::{Ladder, Tests};
use edit::Overlay;
use policy::Evidence;
use record::{RecordEntry, SkillRecord};

use project::SkillStore;
use project::Workspace;

/// Length of the id of a skill.
const ID_LENGTH: usize = 10;

/// What a change may teach: the errors that it fixes, known before it is written.
pub(crate) struct Lesson {
    errors: Vec<Diagnostic>,
}

impl Lesson {
    /// The errors of the tree that a change fixes; none unless it fixes all of them. Without `known`, the
    /// diagnostics of the tree, it costs a check of it, whose build is there already.
    pub(crate) fn before(
        ctx: &Ctx,
        workspace: &Workspace,
        evidence: &Evidence,
        ladder: &Ladder,
        known: Option<Vec<Diagnostic>>,
    ) -> Self {
        let none = Self { errors: Vec::new() };
        let fixes = evidence.errors_before.is_some_and(|it| it > 0) && evidence.errors_after == 0;
        if !fixes || workspace.settings().memory_skills == SkillStore::Off {
            return none;
        }
        if let Some(errors) = known {
            return Self { errors };
        }
        let ladder = Ladder {
            tests: Tests::None,
            filter: None,
            clippy: false,
            format: false,
            analyzer: false,
            ..ladder.clone()
        };
        let checked =
            workspace.prover(ctx).and_then(|it| Ok(it.baseline(ctx, &ladder, &mut |_| {})?));
        // A change is written whether it teaches anything or not.
        checked.map_or(none, |it| Self { errors: it.diagnostics })
    }

    /// Adds what the written change teaches to the record.
    pub(crate) fn learn(&self, ctx: &Ctx, workspace: &Workspace, overlay: &Overlay, change: &str) {
        if self.errors.is_empty() {
            return;
        }
        let record = match workspace.settings().memory_skills {
            SkillStore::User => workspace.user_record(),
            SkillStore::Off | SkillStore::Project => workspace.record(),
        };
        for (pattern, places) in repair::mine(overlay, &self.errors) {
            let Ok(json) = serde_json::to_vec(&pattern) else { continue };
            let id = ContentHash::of(&json).to_string()[..ID_LENGTH].to_owned();
            // What cannot be recorded is not learned.
            let Ok(pattern) = record.texts().put(ctx, &json) else { continue };
            let change = change.to_owned();
            let skill = SkillRecord { id, pattern, places, change, at: ctx.now() };
            let _ = record.remember(ctx, &RecordEntry::SkillMined(skill));
        }
    }
}
