//! One session of git: its commands and hooks, the files of its own folder, and the objects that are kept
//! of it. Which parts of the repository it can write is decided in `git_run.rs`.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Ctx, SortedMap};
use sandbox::{Job, JobLimits, Mount, Network, Outcome, View};
use untrusted_fs::{Dir, EntryKind, Fault};

use crate::error::RepoError;
use crate::git_run::Runner;
use crate::project::{Project, WriteLock};
use crate::view_dirs::ViewDir;

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

/// Several git commands that share one view and one folder for their files.
pub(crate) struct Session<'a> {
    pub(crate) runner: &'a Runner<'a>,
    pub(crate) ctx: Ctx,
    pub(crate) view: View,
    /// The folder of new objects, where the git folder cannot be shown copy-on-write.
    pub(crate) store: Option<PathBuf>,
    pub(crate) runs_hooks: bool,
    pub(crate) files: PathBuf,
    /// The descriptor of `files`, which hooks may have written.
    pub(crate) own: untrusted_fs::Dir,
    /// Time limit of one command.
    pub(crate) wall: Duration,
    /// Variables with files of the user's configuration.
    pub(crate) variables: Vec<(&'static str, PathBuf)>,
    pub(crate) _dir: ViewDir,
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

/// The files of a repository that its commands read.
const READ_BY_GIT: [&str; 12] = [
    "HEAD",
    "commondir",
    "config",
    "config.worktree",
    "index",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "logs/HEAD",
    "objects/info/alternates",
    "packed-refs",
    "shallow",
];
/// Most entries of a folder of git that are looked at.
const GIT_ENTRIES: usize = 100_000;
/// Most memory of git and of hooks, in bytes.
const MEMORY_BYTES: u64 = 8 << 30;
/// Largest `HEAD`, in bytes.
const HEAD_BYTES: u64 = 4_096;

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

    /// Whether the git folder can be written, in a layer that is thrown away.
    pub(crate) fn is_layered(&self) -> bool {
        self.store.is_none() && self.runs_hooks
    }

    /// Writes a file of the session's own folder; a link that a hook left there is replaced.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RepoError> {
        self.own.write_new(name, bytes).map_err(|fault| keep_error(&self.path(name), &fault.into()))
    }

    /// Reads a file of the session's own folder, which a hook may have replaced; `None` if there is
    /// none.
    pub(crate) fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, RepoError> {
        let found = self.own.read(name, limit);
        let found = found.map_err(|fault| keep_error(&self.path(name), &fault.into()))?;
        Ok(found.map(|found| found.bytes))
    }

    /// Writes these objects of the session into the repository: git packs them here, and unpacks them in
    /// a process that runs no other program. Their ids are made from their contents again.
    pub(crate) fn keep(&self, project: &Project, ids: &[String]) -> Result<(), RepoError> {
        if ids.is_empty() {
            return Ok(());
        }
        let list = ids.join("\n") + "\n";
        let pack = self.must(&["pack-objects", "-q", "--stdout"], &[], list.as_bytes())?.stdout;
        let objects = self.runner.dirs.common_dir.join("objects");
        let writer = self.runner.writer(&self.ctx, project, &[&objects])?;
        writer.must(&["unpack-objects", "-q", "--strict"], &[], &pack)?;
        Ok(())
    }

    /// Runs `git args…` at the top of the work tree and returns its result, also on failure.
    pub(crate) fn git(
        &self,
        args: &[&str],
        env: &[(&str, &OsStr)],
        stdin: &[u8],
    ) -> Result<Ran, RepoError> {
        self.refuse_pipes()?;
        let job = self.job(args, env, stdin);
        ran(self.runner.sandbox.run(&self.ctx, &job, &mut |_, _| {})?)
    }

    /// Refuses what git reads and is no file: it would wait for ever for what a pipe has.
    fn refuse_pipes(&self) -> Result<(), RepoError> {
        let dirs = &self.runner.dirs;
        let of_head = || {
            let head = Dir::open(&dirs.git_dir).ok()?.read("HEAD", HEAD_BYTES).ok()??;
            let name =
                String::from_utf8_lossy(&head.bytes).trim().strip_prefix("ref: ")?.to_owned();
            Some([name.clone(), format!("logs/{name}")])
        };
        let of_head: Vec<String> = of_head().into_iter().flatten().collect();
        let names = READ_BY_GIT.iter().copied().chain(of_head.iter().map(String::as_str));
        let in_git = [&dirs.git_dir, &dirs.common_dir].into_iter();
        let places = in_git.flat_map(|folder| names.clone().map(move |name| (folder, name)));
        let refuse = |path: PathBuf| {
            let reason = Fault::NotAFile.to_string();
            Err(RepoError::Read { path, reason })
        };
        for (folder, name) in places.chain([(&dirs.top, ".gitattributes")]) {
            let kind = Dir::open(folder).ok().and_then(|dir| dir.kind(name).ok().flatten());
            if kind == Some(EntryKind::Special) {
                return refuse(folder.join(name));
            }
        }
        // Whatever else git opens by itself: commit graphs, indexes of packs, single branches.
        for folder in [&dirs.git_dir, &dirs.common_dir] {
            for name in ["", "info", "logs", "objects/info", "objects/pack", "refs/heads"] {
                let inside = Dir::open(folder).and_then(|it| it.open_dir(name)).ok().flatten();
                let entries = inside.and_then(|it| it.entries(GIT_ENTRIES).ok());
                let mut entries = entries.unwrap_or_default().into_iter();
                // The socket of git's own watcher is no file that it reads.
                let is_socket = |name: &OsStr| name.as_encoded_bytes().ends_with(b".ipc");
                let is_odd = |it: &untrusted_fs::DirEntry| {
                    it.kind == EntryKind::Special && !is_socket(&it.name)
                };
                if let Some(odd) = entries.find(is_odd) {
                    return refuse(folder.join(name).join(odd.name));
                }
            }
        }
        Ok(())
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
            // The shared part of a split index would be lost with the session.
            "-c",
            "core.splitIndex=false",
        ];
        let no_hooks: &[&str] =
            if self.runs_hooks { &[] } else { &["-c", "core.hooksPath=/dev/null"] };
        let mut all_env: SortedMap<OsString, OsString> = PASSED
            .iter()
            .filter_map(|name| Some((name.into(), runner.git.env.get(OsStr::new(name))?.clone())))
            .collect();
        let fixed: [(&str, &OsStr); 8] = [
            ("GIT_DIR", runner.dirs.git_dir.as_os_str()),
            ("GIT_WORK_TREE", runner.dirs.top.as_os_str()),
            ("GIT_TERMINAL_PROMPT", OsStr::new("0")),
            ("GIT_EDITOR", OsStr::new(":")),
            ("GIT_OPTIONAL_LOCKS", OsStr::new("0")),
            ("GIT_LITERAL_PATHSPECS", OsStr::new("1")),
            ("GIT_NO_LAZY_FETCH", OsStr::new("1")),
            // A commit is made on what its parent is, not on what replaces that here.
            ("GIT_NO_REPLACE_OBJECTS", OsStr::new("1")),
        ];
        let store = self.store.as_ref().map(|store| ("GIT_OBJECT_DIRECTORY", store.as_os_str()));
        if let Some(home) = runner.home() {
            all_env.insert("HOME".into(), home.into_os_string());
        }
        let variables = self.variables.iter().map(|(name, file)| (*name, file.as_os_str()));
        let variables: Vec<(&str, &OsStr)> = variables.collect();
        for (name, value) in variables.iter().chain(&fixed).chain(&store).chain(env) {
            all_env.insert(name.into(), value.into());
        }
        all_env.entry("PATH".into()).or_insert_with(|| "/usr/local/bin:/usr/bin:/bin".into());
        Job {
            program: runner.program.clone(),
            args: settings.iter().chain(no_hooks).chain(args).map(Into::into).collect(),
            cwd: runner.dirs.top.clone(),
            env: all_env,
            stdin: stdin.to_owned(),
            view: self.view.clone(),
            limits: JobLimits {
                wall: self.wall,
                cpu: None,
                memory_bytes: Some(MEMORY_BYTES),
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

/// The error of a file that cannot be kept.
pub(crate) fn keep_error(path: &Path, err: &io::Error) -> RepoError {
    RepoError::Keep { path: path.to_owned(), reason: err.to_string() }
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
