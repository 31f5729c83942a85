//! The files that an edit may open, by who sends it. A proposal shows and records the text before a change,
//! so what the caller may not read it may not propose to change either. This is the one guard of all tools
//! that agents call. Start at [`OpenFiles`].

use base::{Ctx, ProjectPath};
use edit::{FileState, Files, Overlay, Unreadable};

use crate::Workspace;

/// Who sends an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileAccess {
    /// An agent, a model or a program: no hidden files, none with secrets, and none that git ignores.
    #[default]
    Agent,
    /// A person at the command line: no file of the git folder, and none that git ignores, since the
    /// record would keep its text.
    Person,
}

/// The files of a project, without those that the caller may not open.
pub struct OpenFiles<'a> {
    /// Context of the call.
    pub ctx: &'a Ctx,
    /// Project.
    pub workspace: &'a Workspace,
    /// Sender of the edit.
    pub access: FileAccess,
}

impl OpenFiles<'_> {
    /// Why the caller may not open the file; `None` if it may, or if there is none.
    pub fn closed(&self, path: &ProjectPath) -> Option<&'static str> {
        let is_git = |part: &str| part.eq_ignore_ascii_case(".git");
        if path.as_str().split('/').any(is_git) {
            return Some("it is in the git folder");
        }
        if self.access == FileAccess::Agent && policy::is_hidden(path) {
            return Some("it is hidden, or in a hidden folder, and only the user opens such files");
        }
        if self.access == FileAccess::Agent && policy::has_secrets(path) {
            return Some(
                "its name is that of a file with credentials, and only the user opens such files",
            );
        }
        let project = self.workspace.project();
        // What is no regular file has an error of its own when it is opened.
        let kind =
            untrusted_fs::Dir::open(project.root()).and_then(|root| root.kind(path.as_str()));
        let is_file = matches!(kind, Ok(Some(untrusted_fs::EntryKind::File)));
        let is_source = || project.is_source(self.ctx, path).unwrap_or(false);
        (is_file && !is_source()).then_some("git ignores it, and only the user opens such files")
    }
}

/// Why an agent may not read the file; `None` if it may, or if there is none.
pub fn closed_to_agents(
    ctx: &Ctx,
    workspace: &Workspace,
    path: &ProjectPath,
) -> Option<&'static str> {
    OpenFiles { ctx, workspace, access: FileAccess::Agent }.closed(path)
}

/// The first file of a change that an agent may not read; `None`: it may read all of it.
pub fn closed_file(ctx: &Ctx, workspace: &Workspace, change: &Overlay) -> Option<ProjectPath> {
    let mut paths = change.changes().map(|(path, _)| path);
    paths.find(|path| closed_to_agents(ctx, workspace, path).is_some()).cloned()
}

impl Files for OpenFiles<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        match self.closed(path) {
            Some(reason) => Err(Unreadable::Closed { reason }),
            None => self.workspace.project().read(path),
        }
    }
}
