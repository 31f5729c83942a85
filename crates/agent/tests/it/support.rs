//! Opens a project with folders of its own.

use project::{Settings, Surroundings, Workspace};
use testkit::TempProject;

/// The project with default settings; nothing of the user's folders is read or written.
pub(crate) fn workspace(project: &TempProject) -> (base::Ctx, Workspace) {
    let ctx = testkit::ctx();
    let dirs = project.beside("graftage");
    let surroundings = Surroundings {
        cache_dir: dirs.join("cache"),
        state_dir: dirs.join("state"),
        config_file: dirs.join("none.toml"),
        ..Surroundings::of_process().expect("a home")
    };
    let sandbox = testkit::inner::sandbox();
    let settings = Settings::default();
    let workspace = Workspace::open(&ctx, project.root(), &settings, &surroundings, sandbox);
    (ctx, workspace.expect("opens"))
}
