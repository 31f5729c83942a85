//! Keeps what was formatted so: of changed files that rustfmt had nothing to change in, the texts that
//! rustfmt makes of them. The format rung is advice about the same.

use std::path::Path;

use base::{Ctx, ProjectPath};
use cargo::{CargoEnv, CargoError, Workspace};
use edit::{FileState, Overlay};
use sandbox::View;

/// The changed files that were formatted (or are new) and no longer are.
#[derive(Debug, Default)]
pub(crate) struct Unformatted {
    /// Whether rustfmt could run on one of the changed files.
    pub(crate) is_known: bool,
    /// Each with its state and the text that rustfmt makes of it.
    pub(crate) files: Vec<(ProjectPath, FileState, String)>,
}

impl Unformatted {
    /// Runs rustfmt on the files of a change, in `view` with the root `root`.
    pub(crate) fn of(
        ctx: &Ctx,
        env: &CargoEnv,
        (view, root): (&View, &Path),
        workspace: Option<&Workspace>,
        overlay: &Overlay,
    ) -> Result<Self, CargoError> {
        let mut found = Self::default();
        for (path, change) in overlay.changes() {
            let Some(after) = &change.after else { continue };
            if path.extension() != Some("rs") {
                continue;
            }
            let file = path.join_to(root);
            let edition = workspace
                .and_then(|workspace| workspace.owner(&file))
                .map_or("2021", |package| package.edition.as_str());
            let dir = file.parent().unwrap_or(root);
            let format = |text: &str| cargo::format_text(ctx, env, view, dir, edition, text);
            let Some(formatted) = format(&after.text)? else { continue };
            found.is_known = true;
            if *formatted == *after.text {
                continue;
            }
            let before = overlay.base_text(path);
            let was_formatted =
                before.is_empty() || format(before)?.is_some_and(|it| it == *before);
            if was_formatted {
                found.files.push((path.clone(), after.clone(), formatted));
            }
        }
        Ok(found)
    }

    /// The paths, for messages.
    pub(crate) fn paths(&self) -> String {
        let paths: Vec<&str> = self.files.iter().map(|it| it.0.as_str()).collect();
        paths.join(", ")
    }

    /// The change with the formatted texts; `None` if that is none. A text that is more than formatted
    /// stays as it is.
    pub(crate) fn formatted(&self, overlay: &Overlay) -> Option<Overlay> {
        let only = self.files.iter().filter(|it| preserve::is_formatting(&it.1.text, &it.2));
        let states: Vec<_> = only
            .map(|(path, before, text)| {
                let after = FileState { text: text.as_str().into(), ..before.clone() };
                (path.clone(), Some(before.clone()), Some(after))
            })
            .collect();
        if states.is_empty() {
            return None;
        }
        let edits = Overlay::from_states(&overlay.author, overlay.created_at, states);
        overlay.compose(&edits).ok()
    }
}
