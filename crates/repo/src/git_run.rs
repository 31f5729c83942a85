//! Runs git and the repository's hooks in the sandbox: the work tree copy-on-write or read-only,
//! the git folder writable but for hooks and configuration, the network off.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Ctx;
use sandbox::{Job, Limits, Mount, Network, Outcome, Sandbox, View};

use crate::error::RepoError;
use crate::git::Git;
use crate::git_files::GitDirs;
use crate::git_mounts;
use crate::project::{Project, WriteLock};
use crate::view_dirs::ViewDir;
use crate::view_overlay;
use crate::view_request::can_mount;

/// Variables of the caller that git and hooks get.
const PASSED: [&str; 21] = [
    "CARGO_HOME",
    "RUSTUP_HOME",
    "HOME",
    "XDG_CONFIG_HOME",
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "USER",
    "LOGNAME",
    "EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_DATE",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
];

/// Git on one repository.
pub(crate) struct Runner<'a> {
    sandbox: &'a Sandbox,
    git: &'a Git,
    program: PathBuf,
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

    /// Starts a session: a working folder for several commands.
    pub(crate) fn session(&self, ctx: &Ctx, project: &Project) -> Result<Session<'_>, RepoError> {
        let cache = project.cache_dir();
        let keep =
            |err: io::Error| RepoError::Keep { path: cache.clone(), reason: err.to_string() };
        let dir = ViewDir::make(ctx, &cache).map_err(keep)?;
        let files = dir.path().join("files");
        std::fs::create_dir(&files).map_err(keep)?;
        let top = &self.dirs.top;
        let tree = if view_overlay::works_here(project, ctx, self.sandbox, dir.path())
            && !dir.path().starts_with(top)
        {
            view_overlay::throw_away(vec![top.clone()], top, &dir.path().join("top"))
                .map_err(keep)?
        } else {
            Mount::ReadOnly { host: top.clone(), inside: top.clone() }
        };
        let view = View { mounts: self.mounts(tree, &files)? };
        // A hook may run the tests.
        let wall = Duration::from_secs(600);
        Ok(Session { runner: self, ctx: ctx.clone(), view, files, wall, _dir: dir })
    }

    fn mounts(&self, tree: Mount, files: &Path) -> Result<Vec<Mount>, RepoError> {
        let read_only = |path: PathBuf| Mount::ReadOnly { host: path.clone(), inside: path };
        let writable = |path: PathBuf| Mount::Writable { host: path.clone(), inside: path };
        let mut mounts = vec![tree, writable(self.dirs.common_dir.clone())];
        if !self.dirs.git_dir.starts_with(&self.dirs.common_dir) {
            mounts.push(writable(self.dirs.git_dir.clone()));
        }
        // Landlock alone cannot take a right back inside a writable folder; there a hook, which
        // is the user's own program, could change them.
        if can_mount(self.sandbox) {
            mounts.extend(git_mounts::protected(&self.dirs)?.into_iter().map(read_only));
        }
        let alternates = git_mounts::alternates(&self.dirs, &self.git.visible)?;
        mounts.extend(alternates.into_iter().map(read_only));
        mounts.extend(git_mounts::configuration(&self.git.env, self.home().as_deref()));
        let mut visible = self.git.visible.clone();
        if !self.program.starts_with("/usr") && !self.program.starts_with("/bin") {
            visible.extend(self.program.parent().and_then(Path::parent).map(Path::to_owned));
        }
        mounts.extend(visible.iter().filter_map(|path| git_mounts::shown(path)));
        mounts.push(writable(files.to_owned()));
        Ok(mounts)
    }

    fn home(&self) -> Option<PathBuf> {
        PathBuf::from(self.git.env.get(OsStr::new("HOME"))?).canonicalize().ok()
    }
}

/// Several git commands that share one view and one folder for their files.
pub(crate) struct Session<'a> {
    runner: &'a Runner<'a>,
    ctx: Ctx,
    view: View,
    files: PathBuf,
    /// Time limit of one command.
    wall: Duration,
    _dir: ViewDir,
}

/// The result of a command.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Ran {
    /// Its output without white space at the ends.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).trim().to_owned()
    }

    /// The end of its output, for an error message.
    fn output_end(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.stderr).trim().to_owned();
        if text.is_empty() {
            text = self.text();
        }
        let skip = text.chars().count().saturating_sub(600);
        text.chars().skip(skip).filter(|c| !c.is_control() || *c == '\n').collect()
    }
}

impl Session<'_> {
    /// A file of the session's own folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.files.join(name)
    }

    /// Gives each command less time.
    pub(crate) fn limit_time(&mut self, wall: Duration) {
        self.wall = wall;
    }

    /// Adds a mount to the view.
    pub(crate) fn add_mount(&mut self, mount: Mount) {
        self.view.mounts.push(mount);
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RepoError> {
        let path = self.path(name);
        std::fs::write(&path, bytes)
            .map_err(|err| RepoError::Keep { path, reason: err.to_string() })
    }

    /// Runs `git args…` at the top of the work tree and returns its result, also on failure.
    pub(crate) fn git(
        &self,
        args: &[&str],
        env: &[(&str, &OsStr)],
        stdin: &[u8],
    ) -> Result<Ran, RepoError> {
        let job = self.job(args, env, stdin);
        ran(self.runner.sandbox.run(&self.ctx, &job, &mut |_, _| {})?)
    }

    /// The job `git args…`.
    fn job(&self, args: &[&str], env: &[(&str, &OsStr)], stdin: &[u8]) -> Job {
        let runner = self.runner;
        let settings = [
            "-c",
            "core.fsmonitor=false",
            "-c",
            "gc.auto=0",
            "-c",
            "maintenance.auto=false",
            "-c",
            "core.quotePath=false",
        ];
        let mut all_env: BTreeMap<OsString, OsString> = PASSED
            .iter()
            .filter_map(|name| Some((name.into(), runner.git.env.get(OsStr::new(name))?.clone())))
            .collect();
        let fixed: [(&str, &OsStr); 6] = [
            ("GIT_DIR", runner.dirs.git_dir.as_os_str()),
            ("GIT_WORK_TREE", runner.dirs.top.as_os_str()),
            ("GIT_TERMINAL_PROMPT", OsStr::new("0")),
            ("GIT_EDITOR", OsStr::new(":")),
            ("GIT_OPTIONAL_LOCKS", OsStr::new("0")),
            ("GIT_LITERAL_PATHSPECS", OsStr::new("1")),
        ];
        if let Some(home) = runner.home() {
            all_env.insert("HOME".into(), home.into_os_string());
        }
        for (name, value) in fixed.iter().chain(env) {
            all_env.insert(name.into(), value.into());
        }
        all_env.entry("PATH".into()).or_insert_with(|| "/usr/local/bin:/usr/bin:/bin".into());
        Job {
            program: runner.program.clone(),
            args: settings.iter().chain(args).map(Into::into).collect(),
            cwd: runner.dirs.top.clone(),
            env: all_env,
            stdin: stdin.to_owned(),
            view: self.view.clone(),
            limits: Limits {
                wall: self.wall,
                cpu: None,
                memory_bytes: None,
                pids: Some(4096),
                file_bytes: None,
                output_bytes: 64 << 20,
            },
            network: Network::Off,
            require: runner.git.require,
        }
    }

    /// As [`Session::git`], for a command that must succeed.
    pub(crate) fn must(
        &self,
        args: &[&str],
        env: &[(&str, &OsStr)],
        stdin: &[u8],
    ) -> Result<Ran, RepoError> {
        succeeded(args, self.git(args, env, stdin)?)
    }

    /// As [`Session::must`], for the command that moves HEAD. It shares the project's write lock:
    /// if this process is killed, the lock is free only when the last process of the command has
    /// ended, so that who recovers the change sees where HEAD is in the end.
    pub(crate) fn must_under(&self, lock: &WriteLock, args: &[&str]) -> Result<Ran, RepoError> {
        let job = self.job(args, &[], b"");
        let input = lock.share()?;
        let sandbox = self.runner.sandbox;
        succeeded(args, ran(sandbox.converse(&self.ctx, &job, input, &mut |_, _| {})?)?)
    }

    /// The joint output of `git args… paths…`; long lists are cut into several commands.
    pub(crate) fn with_paths(&self, args: &[&str], paths: &[String]) -> Result<Vec<u8>, RepoError> {
        let mut output = Vec::new();
        for paths in paths.chunks(500) {
            let all: Vec<&str> =
                args.iter().copied().chain(paths.iter().map(String::as_str)).collect();
            output.extend(self.must(&all, &[], b"")?.stdout);
        }
        Ok(output)
    }

    /// The objects that git makes of the files, its filters applied.
    pub(crate) fn hash_objects(
        &self,
        paths: &[String],
        write: bool,
    ) -> Result<Vec<String>, RepoError> {
        let args: &[&str] =
            if write { &["hash-object", "-w", "--"] } else { &["hash-object", "--"] };
        let output = self.with_paths(args, paths)?;
        let objects: Vec<String> =
            String::from_utf8_lossy(&output).lines().map(str::to_owned).collect();
        if objects.len() == paths.len() {
            Ok(objects)
        } else {
            let output = "it answered another number of objects than files".to_owned();
            Err(RepoError::Git { verb: "hash-object".to_owned(), output })
        }
    }

    /// Runs a hook of the repository, if there is one.
    pub(crate) fn hook(
        &self,
        hook: &str,
        args: &[&str],
        env: &[(&str, &OsStr)],
    ) -> Result<(), RepoError> {
        let mut all = vec!["hook", "run", "--ignore-missing", hook, "--"];
        all.extend(args);
        let ran = self.git(&all, env, b"")?;
        if ran.code == 0 {
            return Ok(());
        }
        Err(RepoError::Hook { hook: hook.to_owned(), output: ran.output_end() })
    }
}

fn ran(outcome: Outcome) -> Result<Ran, RepoError> {
    if outcome.cancelled {
        return Err(base::Cancelled.into());
    }
    Ok(Ran { code: outcome.exit_code, stdout: outcome.stdout, stderr: outcome.stderr })
}

fn succeeded(args: &[&str], ran: Ran) -> Result<Ran, RepoError> {
    if ran.code == 0 {
        return Ok(ran);
    }
    let is_verb = |arg: &&&str| !arg.starts_with('-') && !arg.contains('=');
    let verb = args.iter().find(is_verb).copied().unwrap_or_default().to_owned();
    Err(RepoError::Git { verb, output: ran.output_end() })
}

fn find_program(env: &BTreeMap<OsString, OsString>) -> Option<PathBuf> {
    let default = OsString::from("/usr/local/bin:/usr/bin:/bin");
    sandbox::programs(env.get(OsStr::new("PATH")).unwrap_or(&default), "git").next()
}
