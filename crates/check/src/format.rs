//! The format rung: advice, never a refusal. Files that were formatted should stay so.

use std::path::Path;

use base::Ctx;
use cargo::{CargoEnv, CargoError, Workspace};
use edit::Overlay;
use sandbox::View;

/// The changed files that were formatted (or are new) and no longer are; `None` if rustfmt could not
/// run on any.
pub(crate) fn unformatted(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
    workspace: Option<&Workspace>,
    overlay: &Overlay,
) -> Result<Option<Vec<String>>, CargoError> {
    let mut found = Vec::new();
    let mut asked = false;
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
        let check = |text: &str| cargo::format_check(ctx, env, view, dir, edition, text);
        match check(&after.text)? {
            Some(true) => asked = true,
            None => {}
            Some(false) => {
                asked = true;
                let was_formatted = match &change.before {
                    Some(before) => check(&before.text)? == Some(true),
                    None => true,
                };
                if was_formatted {
                    found.push(path.to_string());
                }
            }
        }
    }
    Ok(asked.then_some(found))
}
