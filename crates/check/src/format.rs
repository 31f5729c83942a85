//! Keeps the style of what was there: new imports as their modules write them, and of changed files that
//! rustfmt had nothing to change in, the texts that rustfmt makes of them. The format rung is advice
//! about the same.

use std::path::Path;
use std::time::{Duration, Instant};

use base::{Ctx, ProjectPath};
use build::{CargoEnv, CargoError, CargoWorkspace};
use edit::{FileState, Overlay};
use sandbox::View;

/// Time limit of all runs of rustfmt on one change.
const LIMIT: Duration = Duration::from_secs(60);

/// The changed files that were formatted (or are new) and no longer are, or whose new imports are in
/// another style than those around.
#[derive(Debug, Default)]
pub(crate) struct Unformatted {
    /// Whether rustfmt could run on one of the changed files.
    pub(crate) is_known: bool,
    pub(crate) files: Vec<Reformatted>,
    /// Files that are as they were, since the time limit had passed before rustfmt was done.
    late: Vec<ProjectPath>,
}

/// A changed file in the style of the text before.
#[derive(Debug)]
pub(crate) struct Reformatted {
    path: ProjectPath,
    after: FileState,
    /// Its text with new imports in the style of their modules.
    styled: String,
    /// That text as rustfmt makes it.
    formatted: String,
}

impl Unformatted {
    /// Runs rustfmt on the files of a change, in `view` with the root `root`, for at most [`LIMIT`].
    pub(crate) fn of(
        ctx: &Ctx,
        env: &CargoEnv,
        (view, root): (&View, &Path),
        workspace: Option<&CargoWorkspace>,
        overlay: &Overlay,
    ) -> Result<Self, CargoError> {
        let started = Instant::now();
        let left = || LIMIT.saturating_sub(started.elapsed());
        let mut found = Self::default();
        for (path, change) in overlay.changes() {
            let Some(after) = &change.after else { continue };
            if path.extension() != Some("rs") {
                continue;
            }
            if left().is_zero() {
                found.late.push(path.clone());
                continue;
            }
            let file = path.join_to(root);
            let edition = workspace
                .and_then(|workspace| workspace.owner(&file))
                .map_or("2021", |package| package.edition.as_str());
            let dir = file.parent().unwrap_or(root);
            let format =
                |text: &str| build::format_text(ctx, env, view, dir, edition, (text, left()));
            let before = overlay.base_text(path);
            let styled = match before.is_empty() {
                true => None,
                false => refactor::with_styled_imports(path, before, &change.edit),
            };
            let is_styled = styled.is_some();
            let styled = styled.unwrap_or_else(|| after.text.to_string());
            let mut formatted = format(&styled)?;
            found.is_known |= formatted.is_some();
            if formatted.as_ref().is_some_and(|it| *it != styled) {
                let was_formatted =
                    before.is_empty() || format(before)?.is_some_and(|it| it == *before);
                formatted = formatted.filter(|_| was_formatted);
            }
            if formatted.is_none() && left().is_zero() {
                found.late.push(path.clone());
            }
            let formatted = formatted.unwrap_or_else(|| styled.clone());
            if is_styled || formatted != styled {
                let (path, after) = (path.clone(), after.clone());
                found.files.push(Reformatted { path, after, styled, formatted });
            }
        }
        // Nothing is known of a change whose only unformatted files may be late ones.
        found.is_known &= found.late.is_empty() || !found.files.is_empty();
        Ok(found)
    }

    /// The paths, for messages.
    pub(crate) fn paths(&self) -> String {
        let paths: Vec<&str> = self.files.iter().map(|it| it.path.as_str()).collect();
        let paths = paths.join(", ");
        self.late().map_or_else(|| paths.clone(), |late| format!("{paths}; {late}"))
    }

    /// Files that are as they were written, for messages; `None` if rustfmt came to all.
    pub(crate) fn late(&self) -> Option<String> {
        let late = base::counted(self.late.len(), "file");
        let limit = LIMIT.as_secs();
        let note = || format!("{late} not formatted, since rustfmt may run for {limit} s");
        (!self.late.is_empty()).then(note)
    }

    /// The change with the texts in the style of what was there; `None` if that is none. A text that
    /// rustfmt does more to than format is not formatted.
    pub(crate) fn formatted(&self, overlay: &Overlay) -> Option<Overlay> {
        let state = |it: &Reformatted| {
            let is_format = preserve::is_formatting(&it.styled, &it.formatted);
            let text = if is_format { &it.formatted } else { &it.styled };
            let after = FileState { text: text.as_str().into(), ..it.after.clone() };
            let is_changed = after.text != it.after.text;
            is_changed.then(|| (it.path.clone(), Some(it.after.clone()), Some(after)))
        };
        let states: Vec<_> = self.files.iter().filter_map(state).collect();
        if states.is_empty() {
            return None;
        }
        let edits = Overlay::from_states(&overlay.author, overlay.created_at, states);
        overlay.compose(&edits).ok()
    }
}
