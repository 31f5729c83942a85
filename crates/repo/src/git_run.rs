//! Runs git and the repository's hooks in the sandbox, the network off. There are two kinds of sessions:
//!
//! - a session that may run programs of the repository or of the user (hooks, filters, signing) sees the
//!   work tree *and* the git folder copy-on-write, or read-only with new objects in a folder of its own.
//!   Nothing that is written there is kept, so no name can be made in the git folder;
//! - a writer has one part of the git folder writable, and runs git alone: no hook, no filter. The host
//!   takes over named objects by content ([`Session::keep`]) and moves HEAD.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Ctx, SortedMap};
use sandbox::{Mount, Sandbox, View};

use crate::error::RepoError;
use crate::git::Git;
use crate::git_files::GitDirs;
use crate::git_mounts::{self, Borrowed};
use crate::git_session::{Session, keep_error};
use crate::project::Project;
use crate::view_dirs::ViewDir;
use crate::view_overlay;

/// Git on one repository.
pub(crate) struct Runner<'a> {
    pub(crate) sandbox: &'a Sandbox,
    pub(crate) git: &'a Git,
    pub(crate) program: PathBuf,
    pub(crate) dirs: GitDirs,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(
        sandbox: &'a Sandbox,
        git: &'a Git,
        dirs: GitDirs,
    ) -> Result<Self, RepoError> {
        git_mounts::guard(&dirs)?;
        let program = match &git.program {
            Some(program) => program.clone(),
            None => find_program(&git.env).ok_or(RepoError::GitMissing)?,
        };
        Ok(Self { sandbox, git, program, dirs })
    }

    /// Starts a session for several commands, which may run hooks and filters. It cannot write the git
    /// folder.
    pub(crate) fn session(&self, ctx: &Ctx, project: &Project) -> Result<Session<'_>, RepoError> {
        self.session_with(ctx, project, Borrowed::Visible)
    }

    /// The same of which nothing is kept: it only reads, also the objects that the repository borrows
    /// from another one of the user (`git clone --shared`, `--reference`).
    pub(crate) fn reader(&self, ctx: &Ctx, project: &Project) -> Result<Session<'_>, RepoError> {
        self.session_with(ctx, project, Borrowed::Readable)
    }

    fn session_with(
        &self,
        ctx: &Ctx,
        project: &Project,
        borrowed: Borrowed,
    ) -> Result<Session<'_>, RepoError> {
        let cache = project.cache_dir();
        let keep = |err: io::Error| keep_error(&cache, &err);
        let dir = ViewDir::make(ctx, &cache).map_err(keep)?;
        let GitDirs { top, common_dir, .. } = &self.dirs;
        let (mut mounts, mut store) = (Vec::new(), None);
        if view_overlay::works_here(project, ctx, self.sandbox, dir.path())
            && ![top, common_dir].iter().any(|folder| dir.path().starts_with(folder))
            && same_device(top, common_dir)
        {
            let layer = |folder: &Path, name: &str| {
                view_overlay::throw_away(vec![folder.to_owned()], folder, &dir.path().join(name))
            };
            mounts.push(layer(top, "top").map_err(keep)?);
            if !common_dir.starts_with(top) {
                mounts.push(layer(common_dir, "git").map_err(keep)?);
            }
        } else {
            mounts.extend([top, common_dir].map(|folder| read_only(folder.clone())));
            store = Some("objects");
        }
        let shown = self.shown(&mut mounts, borrowed, &dir)?;
        let session = Session { variables: shown, ..self.start(ctx, dir, mounts, store, true)? };
        if let Some(store) = store {
            // Git reads the repository's objects beside its own.
            let mut line = common_dir.join("objects").into_os_string().into_encoded_bytes();
            line.push(b'\n');
            let info = session.own.make_dirs(Path::new(store).join("info"));
            info.and_then(|info| info.write_new("alternates", &line))
                .map_err(|fault| keep_error(&session.files, &fault.into()))?;
        }
        Ok(session)
    }

    /// Starts a session in which `writable` folders of the repository can be written, and everything
    /// else only read. It runs git alone: no hooks.
    pub(crate) fn writer(
        &self,
        ctx: &Ctx,
        project: &Project,
        writable: &[&Path],
    ) -> Result<Session<'_>, RepoError> {
        let cache = project.cache_dir();
        let dir = ViewDir::make(ctx, &cache).map_err(|err| keep_error(&cache, &err))?;
        let mut mounts: Vec<Mount> =
            vec![read_only(self.dirs.top.clone()), read_only(self.dirs.common_dir.clone())];
        mounts.extend(
            writable.iter().map(|path| Mount::Writable {
                host: (*path).to_owned(),
                inside: (*path).to_owned(),
            }),
        );
        let shown = self.shown(&mut mounts, Borrowed::Visible, &dir)?;
        Ok(Session { variables: shown, ..self.start(ctx, dir, mounts, None, false)? })
    }

    fn start(
        &self,
        ctx: &Ctx,
        dir: ViewDir,
        mut mounts: Vec<Mount>,
        store: Option<&str>,
        runs_hooks: bool,
    ) -> Result<Session<'_>, RepoError> {
        let files = dir.path().join("files");
        std::fs::create_dir(&files).map_err(|err| keep_error(&files, &err))?;
        let own =
            untrusted_fs::Dir::open(&files).map_err(|fault| keep_error(&files, &fault.into()))?;
        mounts.push(Mount::Writable { host: files.clone(), inside: files.clone() });
        Ok(Session {
            runner: self,
            ctx: ctx.clone(),
            view: View { mounts },
            store: store.map(|name| files.join(name)),
            runs_hooks,
            files,
            own,
            // A hook may run the tests.
            wall: Duration::from_secs(600),
            variables: Vec::new(),
            _dir: dir,
        })
    }

    /// Adds what git reads beside the repository; returns the variables that name some of it.
    fn shown(
        &self,
        mounts: &mut Vec<Mount>,
        borrowed: Borrowed,
        dir: &ViewDir,
    ) -> Result<Vec<(&'static str, PathBuf)>, RepoError> {
        let alternates = git_mounts::alternates(&self.dirs, &self.git.visible, borrowed)?;
        mounts.extend(alternates.into_iter().map(read_only));
        let has_mounts = self.sandbox.capabilities().namespaces.works;
        let (home, copies) = (self.home(), (dir.path(), has_mounts));
        let configuration = git_mounts::configuration(&self.git.env, home.as_deref(), copies)
            .map_err(|err| keep_error(dir.path(), &err))?;
        mounts.extend(configuration.mounts);
        let mut visible = self.git.visible.clone();
        if !self.program.starts_with("/usr") && !self.program.starts_with("/bin") {
            visible.extend(self.program.parent().and_then(Path::parent).map(Path::to_owned));
        }
        mounts.extend(visible.iter().filter_map(|path| git_mounts::shown(path)));
        Ok(configuration.variables)
    }

    /// The user's folder.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        PathBuf::from(self.git.env.get(OsStr::new("HOME"))?).canonicalize().ok()
    }
}

fn read_only(path: PathBuf) -> Mount {
    Mount::ReadOnly { host: path.clone(), inside: path }
}

fn same_device(a: &Path, b: &Path) -> bool {
    let device = |path: &Path| std::fs::metadata(path).map(|meta| meta.dev()).ok();
    device(a) == device(b)
}

fn find_program(env: &SortedMap<OsString, OsString>) -> Option<PathBuf> {
    let default = OsString::from("/usr/local/bin:/usr/bin:/bin");
    sandbox::programs(env.get(OsStr::new("PATH")).unwrap_or(&default), "git").next()
}
