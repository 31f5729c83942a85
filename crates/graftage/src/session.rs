//! The state of one run of the program, and questions to the user.

use agent::front::ProjectSource;
use agent::{Agent, ModelSource};
use std::io::{BufRead as _, IsTerminal, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use base::{Ctx, WorkLog};
use clap::ValueEnum as _;
use project::{SettingOrigin, Settings, Surroundings, SystemHost, Workspace};
use sandbox::Sandbox;

use crate::args::Global;
use crate::exit::{Failure, Status};
use crate::log::{LogForm, StderrLog};
use crate::output;
use crate::progress::{Bar, Shown};

/// The input of every command: context, environment, global flags, sandbox.
#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) ctx: Ctx,
    pub(crate) global: Global,
    pub(crate) surroundings: Surroundings,
    pub(crate) sandbox: Sandbox,
    pub(crate) bar: Arc<Bar>,
    log: Option<Arc<dyn WorkLog>>,
}

/// Hint where a folder of the user is none.
const HOMES: &str =
    "set HOME to an absolute path, and GRAFTAGE_HOME, CARGO_HOME and RUSTUP_HOME, where set, too";

impl Session {
    pub(crate) fn new(global: &Global) -> Result<Self, Failure> {
        let environment = |message: String, hint: &str| Failure {
            status: Status::Environment,
            message,
            hint: Some(hint.to_owned()),
        };
        let mut surroundings = Surroundings::of_process()
            .ok_or_else(|| environment("no home directory".to_owned(), HOMES))?;
        if let Some(folder) = &global.caches {
            surroundings.cache_dir = folder.join("cache");
            surroundings.state_dir = folder.join("state");
        }
        let own = own_program()?;
        let log = log(global, &surroundings)?;
        let shown = match std::io::stderr().is_terminal() {
            _ if global.quiet || global.json || log.is_some() => Shown::Never,
            true => Shown::Changing,
            false => Shown::Lines,
        };
        let bar = Arc::new(Bar::new(shown));
        let listener = Arc::clone(&bar);
        let host = SystemHost::new(stop_flag(global.task_of_fleet), move |progress| {
            listener.show(progress)
        });
        Ok(Self {
            ctx: Ctx::new(Arc::new(host.with_log(log.clone()))),
            global: global.clone(),
            surroundings,
            sandbox: Sandbox::new(own),
            bar,
            log,
        })
    }

    /// The same session with another context.
    pub(crate) fn with_ctx(&self, ctx: Ctx) -> Self {
        let (bar, sandbox) = (Arc::clone(&self.bar), self.sandbox.clone());
        let (global, surroundings) = (self.global.clone(), self.surroundings.clone());
        Self { ctx, global, surroundings, sandbox, bar, log: self.log.clone() }
    }

    /// A context that reports no progress and that no signal of this session ends, for a server.
    pub(crate) fn ctx_of_server(&self) -> Ctx {
        let host = SystemHost::new(Arc::default(), |_| {});
        Ctx::new(Arc::new(host.with_log(self.log.clone())))
    }

    /// The project's root, from `-C` or the current directory.
    pub(crate) fn root(&self) -> Result<PathBuf, Failure> {
        Ok(build::find_root(&self.dir()).map_err(tools::Error::from)?)
    }

    /// Refuses a project that has a folder of the user.
    fn keep_apart(&self, root: &Path) -> Result<(), Failure> {
        let Some((name, folder)) = self.surroundings.in_project(root) else { return Ok(()) };
        Err(Failure {
            status: Status::Environment,
            message: format!("`{}` is a folder of the project", folder.display()),
            hint: Some(format!(
                "set {name} to a folder outside of it: what a repository has there would be yours"
            )),
        })
    }

    fn dir(&self) -> PathBuf {
        self.global.dir.clone().unwrap_or_else(|| PathBuf::from("."))
    }

    /// A path that is meant relative to the directory of the command, made absolute as text: the file need
    /// not exist.
    pub(crate) fn path_from_here(&self, path: &str) -> Result<String, Failure> {
        let here = self.dir().canonicalize().map_err(|error| {
            Failure::input(
                format!("cannot read `{}`: {error}", self.dir().display()),
                "pass an existing directory with `-C DIR`",
            )
        })?;
        Ok(base::normal_path(&here.join(path)).display().to_string())
    }

    /// The settings for the project at `root`, flags included.
    pub(crate) fn settings(&self, root: Option<&Path>) -> Result<Settings, Failure> {
        root.map_or(Ok(()), |it| self.keep_apart(it))?;
        let file = &self.surroundings.config_file;
        let mut settings =
            Settings::load(file, root, &self.surroundings.variables).map_err(tools::Error::from)?;
        for folder in &self.global.trust_path {
            self.trust(&mut settings, folder)?;
        }
        for address in &self.global.trust_registry {
            project::trust_registry(&self.surroundings.config_file, address)?;
            let mut all = settings.trust_registries.clone();
            all.push(address.clone());
            settings
                .put("trust.registries", &all.join(","), SettingOrigin::Flag)
                .map_err(tools::Error::from)?;
        }
        let mut put = |key: &str, value: &str| {
            settings.put(key, value, SettingOrigin::Flag).map_err(tools::Error::from)
        };
        if self.global.offline {
            put("cargo.offline", "true")?;
        }
        if self.global.allow_unsandboxed {
            put("sandbox.require", "best_effort")?;
        }
        for pair in &self.global.config {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                Failure::input(format!("`--config {pair}` has no `=`"), "use `--config KEY=VALUE`")
            })?;
            put(key.trim(), value.trim())?;
        }
        Ok(settings)
    }

    /// The project of the command with its settings, for a front end.
    pub(crate) fn source(&self) -> Result<ProjectSource, Failure> {
        let root = self.root()?;
        let settings = self.settings(Some(&root))?;
        // Opening it recovers an interrupted write, and reports that.
        drop(self.workspace_at(&root)?);
        Ok(ProjectSource {
            directory: self.global.dir.clone().unwrap_or_else(|| root.clone()),
            root,
            settings,
            surroundings: self.surroundings.clone(),
            sandbox: self.sandbox.clone(),
            for_agents: false,
        })
    }

    /// Opens the project of the command.
    pub(crate) fn workspace(&self) -> Result<Workspace, Failure> {
        self.workspace_at(&self.root()?)
    }

    /// Opens the project of a map command. Without a manifest this is the directory of Rust sources.
    pub(crate) fn map_workspace(&self) -> Result<Workspace, Failure> {
        self.map_workspace_at(&self.dir())
    }

    /// The same for a directory other than that of `-C`.
    pub(crate) fn map_workspace_at(&self, dir: &Path) -> Result<Workspace, Failure> {
        self.workspace_at(&build::find_sources(dir).map_err(tools::Error::from)?)
    }

    /// Where skills are searched: outside a project, only the user's folders and the shipped ones.
    pub(crate) fn skill_places(&self) -> Result<tools::SkillPlaces, Failure> {
        let project = match build::find_sources(&self.dir()) {
            Ok(root) => Some(root),
            Err(build::RootError::NoManifest(_) | build::RootError::Several { .. }) => None,
            Err(error) => return Err(tools::Error::from(error).into()),
        };
        let settings = self.settings(project.as_deref())?;
        Ok(tools::SkillPlaces::new(project.as_deref(), &self.surroundings, &settings))
    }

    /// Opens the project with settings from flags of the command.
    pub(crate) fn workspace_with(&self, flags: &[(&str, &str)]) -> Result<Workspace, Failure> {
        let root = self.root()?;
        let mut settings = self.settings(Some(&root))?;
        for (key, value) in flags {
            settings.put(key, value, SettingOrigin::Flag).map_err(tools::Error::from)?;
        }
        self.ask_for_trust(&root, &mut settings)?;
        self.open(&root, &settings)
    }

    /// The agent of a command, with settings from its flags and what the user allows.
    pub(crate) fn agent(
        &self,
        flags: &[(&str, &str)],
        allow: &crate::args::Allow,
    ) -> Result<Agent, Failure> {
        Ok(self.agent_of(self.workspace_with(flags)?, allow))
    }

    /// The same of an open project.
    pub(crate) fn agent_of(&self, workspace: Workspace, allow: &crate::args::Allow) -> Agent {
        let model = ModelSource::Settings(Box::new(self.surroundings.clone()));
        Agent::compose(workspace, model, self.approval(allow, None))
    }

    /// Trusts a directory for this run and stores it in the user's configuration.
    fn trust(&self, settings: &mut Settings, folder: &Path) -> Result<(), Failure> {
        let folder = project::trust_folder(
            &self.surroundings.config_file,
            project::TrustFor::Builds,
            folder,
        )?;
        let mut paths: Vec<String> =
            settings.trust_paths.iter().map(|it| it.display().to_string()).collect();
        paths.push(folder.display().to_string());
        let put = settings.put("trust.paths", &paths.join(","), SettingOrigin::Flag);
        Ok(put.map_err(tools::Error::from)?)
    }

    /// Asks the user about each directory outside the project that a check must read, on a terminal.
    /// Without an answer the check is refused with a hint to `--trust-path`.
    fn ask_for_trust(&self, root: &Path, settings: &mut Settings) -> Result<(), Failure> {
        if !self.can_ask() {
            return Ok(());
        }
        let trust = build::Trust::new(&settings.trust_paths);
        for outside in build::outside_paths(root, &trust).left_out {
            let question = format!(
                "`{}` refers to a directory outside the project. Let builds read all of `{}`? [y/N] ",
                base::visible_line(&outside.named_by.display().to_string()),
                base::visible_line(&outside.folder.display().to_string()),
            );
            if ask(&question)? {
                self.trust(settings, &outside.folder)?;
            }
        }
        Ok(())
    }

    /// Opens the project at `root`.
    pub(crate) fn workspace_at(&self, root: &Path) -> Result<Workspace, Failure> {
        self.open(root, &self.settings(Some(root))?)
    }

    fn open(&self, root: &Path, settings: &Settings) -> Result<Workspace, Failure> {
        let workspace =
            Workspace::open(&self.ctx, root, settings, &self.surroundings, self.sandbox.clone())?
                .in_directory(&self.dir());
        if let Some(recovered) = workspace.project().recovered().filter(|_| !self.global.quiet) {
            let how = if recovered.completed { "completed" } else { "rolled back" };
            output::note(&format!("note: {how} interrupted change {}", recovered.id));
            for path in &recovered.kept {
                output::note(&format!(
                    "  kept `{}`, which was changed since",
                    output::safe(path.as_str())
                ));
            }
        }
        Ok(workspace)
    }

    /// The user's approval from the command line.
    pub(crate) fn approval(
        &self,
        allow: &crate::args::Allow,
        override_reason: Option<String>,
    ) -> policy::Approval {
        policy::Approval {
            who: self.surroundings.user.clone(),
            allow: allow.rules.clone(),
            override_reason,
        }
    }

    /// Whether the user can be asked: on a terminal, and neither with `--json` nor `--quiet`.
    pub(crate) fn can_ask(&self) -> bool {
        !self.global.json
            && !self.global.quiet
            && std::io::stdin().is_terminal()
            && std::io::stdout().is_terminal()
    }
}

/// The log that `--log` or `GRAFTAGE_LOG` asks for.
fn log(global: &Global, of: &Surroundings) -> Result<Option<Arc<dyn WorkLog>>, Failure> {
    let variable = of.variables.get("GRAFTAGE_LOG").filter(|it| !it.is_empty());
    let form = match (global.log, variable) {
        (Some(form), _) => form,
        (None, None) => return Ok(None),
        (None, Some(text)) => LogForm::from_str(text, true).map_err(|_| {
            let message = format!("`GRAFTAGE_LOG={text}` is no form of a log");
            Failure::input(message, "use `text` or `json`")
        })?,
    };
    Ok(Some(Arc::new(StderrLog::new(form, SystemHost::new(Arc::default(), |_| {})))))
}

/// The file of this program.
pub(crate) fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure {
        status: Status::Environment,
        message: format!("cannot find the program file of graftage: {error}"),
        hint: Some("start graftage with its full path".to_owned()),
    })
}

/// Asks the user; anything but `y` or `yes` is no.
pub(crate) fn ask(question: &str) -> Result<bool, Failure> {
    let answer = answer_line(question)?.unwrap_or_default();
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Asks for a line on the terminal; `None` at the end of the input.
pub(crate) fn answer_line(prompt: &str) -> Result<Option<String>, Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(crate::shown::sealed(prompt).as_bytes())?;
    out.flush()?;
    let mut answer = String::new();
    Ok((std::io::stdin().lock().read_line(&mut answer)? > 0).then_some(answer))
}

/// Time that a command has to end once its input has ended.
const TO_END: Duration = Duration::from_secs(3);

/// A flag that the first Ctrl-C sets; the second one exits at once. With `ends_with_input`, the end of
/// standard input sets it, too, and ends the program soon after.
fn stop_flag(ends_with_input: bool) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    if ends_with_input {
        let raised = Arc::clone(&flag);
        // Where no thread can be started, the process that started this one kills it.
        let _ = thread::Builder::new().name("input".to_owned()).spawn(move || {
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            raised.store(true, Ordering::SeqCst);
            thread::sleep(TO_END);
            std::process::exit(Status::Interrupted as i32);
        });
    }
    let raised = Arc::clone(&flag);
    let set = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(Status::Interrupted as i32);
        }
    });
    if let Err(error) = set {
        crate::output::note(&format!("warning: cannot handle Ctrl-C: {error}"));
    }
    flag
}

/// Size limit of a request in bytes: enough for every file of a large project.
const MAX_REQUEST_BYTES: u64 = 64 << 20;

/// Reads a file, or standard input for `-`.
pub(crate) fn read_request(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_REQUEST_BYTES + 1).read_to_string(&mut text)
    } else {
        std::fs::File::open(path)
            .and_then(|file| file.take(MAX_REQUEST_BYTES + 1).read_to_string(&mut text))
    };
    read.map_err(|error| {
        Failure::input(
            format!("cannot read `{}`: {error}", path.display()),
            "pass a UTF-8 text file, or `-` for standard input",
        )
    })?;
    if text.len() as u64 > MAX_REQUEST_BYTES {
        return Err(Failure::input(
            format!("`{}` is larger than {} MiB", path.display(), MAX_REQUEST_BYTES >> 20),
            "split the request",
        ));
    }
    Ok(text)
}
