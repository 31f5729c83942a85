//! `exec` and `execute`: a command or a snippet, in the sandbox on a view of the project that is
//! removed afterwards. Nothing is refused by its text; the sandbox confines it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::edit::Overlay;
use base::{Ctx, ProjectPath, SortedMap, SortedSet};
use memory::{Skill, SkillError};
use project::{ExitKind, Workspace};
use repo::{Materialised, ViewOptions};
use sandbox::{Job, JobLimits, Mount, Network, SandboxError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use untrusted_fs::{Dir, EntryKind};

use super::tool_folder;
use crate::{Effect, Error, Tool, ToolCard, ToolError};

/// The programs that a view shows.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The most bytes of each output in an answer: the first half and the last half are kept.
const OUTPUT: usize = 16 << 10;

/// The most bytes of each output that are kept while it runs.
const KEPT: usize = 1 << 20;

/// The most bytes of each file that is written.
const FILE_BYTES: u64 = 256 << 20;

/// The most bytes of one argument, below the 128 KiB of the system, and of all.
const ONE_ARG: usize = 100 << 10;
const ALL_ARGS: usize = 1 << 20;

/// Runs a command.
pub(crate) struct ExecTool;

/// Input of [`ExecTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExecInput {
    /// Program, by name.
    #[schemars(length(min = 1, max = 1000))]
    command: String,
    /// Arguments.
    #[serde(default)]
    args: Vec<String>,
    /// Folder [default: the root].
    #[serde(default)]
    cwd: Option<String>,
    /// Time limit in seconds.
    #[serde(default = "half_minute")]
    #[schemars(range(min = 1, max = 600))]
    timeout: u64,
}

fn half_minute() -> u64 {
    30
}

/// Output of `ExecTool` and `ExecuteTool`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExecOutput {
    /// Exit status; above 128: killed by a signal.
    pub exit_code: i32,
    /// Standard output; the middle of a long one is left out.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// Milliseconds.
    pub duration_ms: u64,
    /// Whether the time limit ended it.
    pub timed_out: bool,
    /// Whether the memory limit ended it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub out_of_memory: bool,
    /// Layers of the sandbox.
    pub protections: String,
}

impl Tool for ExecTool {
    type Input = ExecInput;
    type Output = ExecOutput;
    const CARD: ToolCard = ToolCard {
        name: "exec",
        title: "Run a command",
        description: "Runs a system program in a sandbox, without network, on a copy of the \
                      project that is thrown away. For cargo use `check`.",
        effect: Effect::Runs,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: ExecInput,
    ) -> Result<ExecOutput, ToolError> {
        passable("command", &input.command)?;
        for (index, arg) in input.args.iter().enumerate() {
            passable(&format!("args[{index}]"), arg)?;
        }
        let bytes: usize = input.args.iter().map(|arg| arg.len() + 1).sum();
        if bytes > ALL_ARGS {
            let reason = format!("they have {bytes} bytes, more than {ALL_ARGS}");
            return Err(ToolError::field("args", reason, "pass fewer arguments"));
        }
        let run = Confined {
            program: input.command,
            args: input.args,
            cwd: input.cwd,
            timeout: Duration::from_secs(input.timeout),
            beside: None,
        };
        run.run(ctx, workspace, "command")
    }
}

/// Runs a snippet of code.
pub(crate) struct ExecuteTool;

/// The language of a snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum SnippetLanguage {
    /// POSIX shell.
    Sh,
    /// Python.
    Python3,
    /// JavaScript.
    Node,
}

impl SnippetLanguage {
    const ALL: [Self; 3] = [Self::Sh, Self::Python3, Self::Node];

    /// The program, and the option before the code.
    fn program(self) -> (&'static str, &'static str) {
        match self {
            Self::Sh => ("sh", "-c"),
            Self::Python3 => ("python3", "-c"),
            Self::Node => ("node", "-e"),
        }
    }

    fn is_present(self) -> bool {
        let (name, _) = self.program();
        let is_shown = |file: &Path| file.starts_with("/usr") || file.starts_with("/bin");
        sandbox::programs(OsStr::new(PATH), name).any(|file| is_shown(&file))
    }
}

/// Input of [`ExecuteTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExecuteInput {
    /// Language.
    lang: SnippetLanguage,
    /// Code.
    code: String,
    /// Time limit in seconds.
    #[serde(default = "half_minute")]
    #[schemars(range(min = 1, max = 600))]
    timeout: u64,
}

impl Tool for ExecuteTool {
    type Input = ExecuteInput;
    type Output = ExecOutput;
    const CARD: ToolCard = ToolCard {
        name: "execute",
        title: "Run a snippet",
        description: "Runs a snippet of code as `exec` runs a command.",
        effect: Effect::Runs,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: ExecuteInput,
    ) -> Result<ExecOutput, ToolError> {
        if !input.lang.is_present() {
            let present = SnippetLanguage::ALL.into_iter().filter(|it| it.is_present());
            let names: Vec<&str> = present.map(|it| it.program().0).collect();
            let (name, _) = input.lang.program();
            let reason = format!("`{name}` is not installed below /usr");
            return Err(ToolError::field("lang", reason, format!("use {}", names.join(" or "))));
        }
        passable("code", &input.code)?;
        let (program, option) = input.lang.program();
        let run = Confined {
            program: program.to_owned(),
            args: vec![option.to_owned(), input.code],
            cwd: None,
            timeout: Duration::from_secs(input.timeout),
            beside: None,
        };
        run.run(ctx, workspace, "code")
    }
}

/// One process on a view of the project.
pub(crate) struct Confined {
    pub(crate) program: String,
    pub(crate) args: Vec<String>,
    pub(crate) cwd: Option<String>,
    pub(crate) timeout: Duration,
    /// A skill that it may read.
    pub(crate) beside: Option<SkillFolder>,
}

/// The folder of a trusted skill.
pub(crate) struct SkillFolder {
    pub(crate) path: PathBuf,
    pub(crate) skill: Skill,
}

impl SkillFolder {
    /// The mount that shows it: where trust is bound to contents, a copy that nothing changes while a process reads
    /// it.
    fn mount(self, shown: &Materialised) -> Result<Mount, ToolError> {
        if self.skill.contents.is_none() {
            return Ok(Mount::ReadOnly { host: self.path.clone(), inside: self.path });
        }
        let host = shown.folder_beside().map_err(Error::from)?;
        let open = |path: &Path| {
            Dir::open(path).map_err(|fault| SkillError::File {
                name: self.skill.name.clone(),
                path: path.display().to_string(),
                reason: fault.to_string(),
            })
        };
        let copy = || self.skill.copy(&open(&self.path)?, &open(&host)?);
        copy().map_err(Error::from)?;
        Ok(Mount::ReadOnly { host, inside: self.path })
    }
}

impl Confined {
    /// Runs it. `field` names the program in errors.
    pub(crate) fn run(
        self,
        ctx: &Ctx,
        workspace: &Workspace,
        field: &str,
    ) -> Result<ExecOutput, ToolError> {
        let folder = tool_folder(workspace, "cwd", self.cwd.as_deref())?;
        let project = workspace.project();
        if let Some(folder) = &folder {
            let root = Dir::open(project.root());
            if !matches!(root.and_then(|it| it.kind(folder.as_str())), Ok(Some(EntryKind::Folder)))
            {
                let reason = format!("there is no folder `{folder}`");
                return Err(ToolError::field("cwd", reason, "pass a folder of the project"));
            }
        }
        // A skill is trusted, and may be in a hidden folder.
        let is_closed = self.beside.is_none();
        let closed = if is_closed { closed(ctx, workspace)? } else { SortedSet::new() };
        let options = ViewOptions { closed: closed.clone(), ..ViewOptions::default() };
        let shown = project
            .materialise(ctx, workspace.sandbox(), &Overlay::empty(), &options)
            .map_err(Error::from)?;
        let mut view = shown.writable().map_err(Error::from)?;
        view.mounts.extend(self.beside.map(|it| it.mount(&shown)).transpose()?);
        let job = Job {
            program: self.program.clone().into(),
            args: self.args.into_iter().map(OsString::from).collect(),
            cwd: folder.map_or_else(|| shown.root.clone(), |it| it.join_to(&shown.root)),
            env: environment(),
            stdin: Vec::new(),
            view,
            limits: JobLimits {
                wall: self.timeout,
                file_bytes: Some(FILE_BYTES),
                output_bytes: KEPT,
                ..JobLimits::default()
            },
            network: Network::Off,
            require: workspace.settings().sandbox_require,
        };
        let outcome = workspace.sandbox().run(ctx, &job, &mut |_, _| {});
        let outcome = outcome.map_err(|error| match &error {
            SandboxError::Exec { cause, .. } => {
                let reason = format!("`{}` cannot be started: {cause}", self.program);
                ToolError::field(field, reason, format!("name a program in {PATH}"))
            }
            error => ToolError::of(ExitKind::Environment, error),
        })?;
        if outcome.cancelled {
            return Err(base::Cancelled.into());
        }
        if is_closed {
            without_new(&closed, &self::closed(ctx, workspace)?)?;
        }
        Ok(ExecOutput {
            exit_code: outcome.exit_code,
            stdout: ends(&outcome.stdout, outcome.dropped.0),
            stderr: ends(&outcome.stderr, outcome.dropped.1),
            duration_ms: u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX),
            timed_out: outcome.timed_out,
            out_of_memory: outcome.out_of_memory,
            protections: check::protection_layers(&outcome.protections).join(", "),
        })
    }
}

/// Most entries of the root that are looked at.
const MAX_ENTRIES: usize = 4_000;
/// Entries of the root that commands need though they are hidden or ignored: those of git and cargo.
const NEEDED: [&str; 3] = [".git", ".cargo", "target"];

/// The entries that are closed to agents: those of the root by their names, and what no run for an agent
/// sees.
fn closed(ctx: &Ctx, workspace: &Workspace) -> Result<SortedSet<ProjectPath>, ToolError> {
    let project = workspace.project();
    let mut closed = project.closed_to_agents(ctx).map_err(Error::from)?;
    let entries = Dir::open(project.root()).and_then(|it| it.entries(MAX_ENTRIES));
    let entries = entries.map_err(|fault| {
        let reason = format!("the project's folder cannot be listed: {fault}");
        ToolError::new(ExitKind::Environment, reason, "check its permissions")
    })?;
    let names = entries.iter().filter_map(|it| it.name.to_str()).filter(|it| !NEEDED.contains(it));
    let paths = names.filter_map(|it| ProjectPath::new(it).ok());
    closed.extend(paths.filter(|it| project::closed_to_agents(ctx, workspace, it).is_some()));
    Ok(closed)
}

/// Refuses to show what was run if an entry that agents may not see came meanwhile: the project is below the view.
fn without_new(
    before: &SortedSet<ProjectPath>,
    now: &SortedSet<ProjectPath>,
) -> Result<(), ToolError> {
    let Some(path) = now.difference(before).next() else { return Ok(()) };
    let reason =
        format!("`{path}`, which agents may not see, came into the project while this ran");
    Err(ToolError::new(ExitKind::Environment, reason, "run it again"))
}

/// Refuses what cannot be an argument of a process.
pub(crate) fn passable(field: &str, text: &str) -> Result<(), ToolError> {
    if text.contains('\0') {
        return Err(ToolError::field(field, "it has a NUL character", "leave it out"));
    }
    if text.len() > ONE_ARG {
        let reason = format!("it has {} bytes, more than {ONE_ARG}", text.len());
        return Err(ToolError::field(field, reason, "pass a shorter text"));
    }
    Ok(())
}

/// The environment of a process: nothing of the user's.
fn environment() -> SortedMap<OsString, OsString> {
    let variables = [("PATH", PATH), ("HOME", "/tmp"), ("LANG", "C.UTF-8"), ("TERM", "dumb")];
    variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}

/// The first and last part of an output, of which `dropped` bytes at the end were not kept.
fn ends(output: &[u8], dropped: u64) -> String {
    let text = String::from_utf8_lossy(output);
    let is_whole = text.len() <= OUTPUT;
    if is_whole && dropped == 0 {
        return text.into_owned();
    }
    let (mut head, mut tail) = (OUTPUT / 2, text.len().saturating_sub(OUTPUT / 2));
    if is_whole {
        (head, tail) = (text.len(), text.len());
    }
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    let after =
        if dropped > 0 { format!("\n… {dropped} bytes left out …\n") } else { String::new() };
    let between = match tail - head {
        0 => String::new(),
        bytes => format!("\n… {bytes} bytes left out …\n"),
    };
    format!("{}{between}{}{after}", &text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_shown_of_a_run_that_could_see_what_is_closed() {
        let paths = |paths: &[&str]| paths.iter().map(|it| ProjectPath::new(it).unwrap()).collect();
        let before = paths(&[".env", "old.key"]);
        assert!(without_new(&before, &paths(&[".env"])).is_ok());
        let error = without_new(&before, &paths(&[".env", ".env.local"])).unwrap_err();
        assert!(error.to_string().contains(".env.local"), "{error}");
    }
}
