//! [`LocalModel`]: a model of the registry, whose server starts with the first request and ends with the model, or
//! which the daemon of this user keeps. [`LocalServers`] starts servers for both.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use base::{Ctx, Hint, Progress};
use dobby::{DobbyClient, LocalServer, LocalServerOptions};
use model::ModelFolder;
use model::language::{
    Account, LanguageModel, LanguageOptions, Turn, TurnDelta, TurnError, TurnRequest, open,
};
use sandbox::{Sandbox, SideProgram};
use serde_json::{Value, json};

use crate::{Settings, Surroundings};

/// Program that is searched in the path where none is named.
const PROGRAM: &str = "llama-server";

/// Most tokens of an answer: a small model may never end by itself.
const MOST_TOKENS: u32 = 1_024;

/// Longest time for the daemon to start a model, with the wait for another user of it.
const START: Duration = Duration::from_secs(600);

/// Longest time for a daemon that was started to answer.
const DAEMON: Duration = Duration::from_secs(10);

/// Starts the servers of models in the registry, as the settings say.
pub struct LocalServers {
    folder: ModelFolder,
    program: PathBuf,
    readable: Vec<PathBuf>,
    require: sandbox::Level,
    home: PathBuf,
}

impl LocalServers {
    /// Finds the program that runs models. Starts nothing.
    ///
    /// # Errors
    /// There is no such program.
    pub fn new(settings: &Settings, surroundings: &Surroundings) -> Result<Self, TurnError> {
        let in_path = || sandbox::programs(&surroundings.path, PROGRAM).next();
        let program = settings.model.server.clone().or_else(in_path).ok_or_else(|| {
            let fix = "set `model.server` to the path of one".to_owned();
            settings_error(format!("there is no `{PROGRAM}` in PATH to run a local model"), fix)
        })?;
        Ok(Self {
            folder: ModelFolder::new(surroundings.models_dir()),
            program,
            readable: settings.trust_paths.clone(),
            require: settings.sandbox_require,
            home: surroundings.home.clone(),
        })
    }

    /// Starts the server of a model, after its file was compared with its hash.
    ///
    /// # Errors
    /// There is no such model, or the server does not start.
    pub fn start(&self, ctx: &Ctx, name: &str) -> Result<LocalServer, TurnError> {
        let model = self.folder.language_file(name).map_err(|error| {
            let fix = "`graftage dobby ensure-model` downloads one".to_owned();
            settings_error(error.to_string(), error.hint().unwrap_or(fix))
        })?;
        let options = LocalServerOptions {
            program: self.program.clone(),
            model,
            readable: self.readable.clone(),
            require: self.require,
            home: self.home.clone(),
        };
        ctx.progress("starting the local model", name.to_owned());
        LocalServer::start(ctx, &Sandbox::new(own_program()?), &options)
            .map_err(|error| settings_error(error.to_string(), error.hint().unwrap_or_default()))
    }
}

fn own_program() -> Result<PathBuf, TurnError> {
    std::env::current_exe().map_err(|error| TurnError::Unreachable { reason: error.to_string() })
}

/// A model of the registry, run by the daemon of this user, or by a server of its own where none runs.
pub(crate) struct LocalModel {
    name: String,
    servers: LocalServers,
    /// Whether a daemon is started where none runs.
    keeps: bool,
    account: Arc<Account>,
    surroundings: Surroundings,
    /// One server runs, and one request at a time.
    running: Mutex<Option<Running>>,
}

struct Running {
    model: Box<dyn LanguageModel>,
    /// The server, or the connection to the daemon: it ends with the use of the model.
    _server: Box<dyn Send>,
}

fn settings_error(reason: String, fix: String) -> TurnError {
    TurnError::Settings { reason, fix }
}

impl LocalModel {
    /// A model by its name in the registry. Starts nothing.
    ///
    /// # Errors
    /// There is no program that runs it.
    pub(crate) fn new(
        settings: &Settings,
        surroundings: &Surroundings,
        account: Arc<Account>,
    ) -> Result<Self, TurnError> {
        Ok(Self {
            name: settings.model.name.clone(),
            servers: LocalServers::new(settings, surroundings)?,
            keeps: settings.model.keep,
            account,
            surroundings: surroundings.clone(),
            running: Mutex::default(),
        })
    }

    fn start(&self, ctx: &Ctx) -> Result<Running, TurnError> {
        let (socket, server): (PathBuf, Box<dyn Send>) = match self.daemon()? {
            Some(daemon) => {
                let socket = self.worker_of(ctx, &daemon)?;
                (socket, Box::new(daemon))
            }
            None => {
                let server = self.servers.start(ctx, &self.name)?;
                (server.socket(), Box::new(server))
            }
        };
        let options = LanguageOptions {
            provider: "openai".to_owned(),
            socket: Some(socket),
            model: self.name.clone(),
            account: Some(Arc::clone(&self.account)),
            ..LanguageOptions::default()
        };
        // A server on this machine takes no key.
        let mut variables = self.surroundings.environment.variables().clone();
        variables.remove("OPENAI_API_KEY");
        let model = open(&options, &variables)?;
        Ok(Running { model, _server: server })
    }

    /// The daemon of this user: the one that runs, or where the settings ask for it a new one.
    fn daemon(&self) -> Result<Option<DobbyClient>, TurnError> {
        let path = self.surroundings.dobby_socket();
        let connect = || {
            DobbyClient::connect(&path).map_err(|error| {
                settings_error(error.to_string(), error.hint().unwrap_or_default())
            })
        };
        if let Some(daemon) = connect()? {
            return Ok(Some(daemon));
        }
        if !self.keeps {
            return Ok(None);
        }
        let program = own_program()?;
        let args = ["dobby", "serve", "--end-when-idle"].map(Into::into).to_vec();
        let started = SideProgram { program, args, env: Vec::new() }.leave();
        started.map_err(|error| TurnError::Unreachable { reason: error.to_string() })?;
        let until = Instant::now() + DAEMON;
        while Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
            if let Some(daemon) = connect()? {
                return Ok(Some(daemon));
            }
        }
        let reason = format!("the daemon does not answer at `{}`", path.display());
        Err(settings_error(reason, "`graftage dobby serve` shows why".to_owned()))
    }

    /// The socket of the model, after the daemon has opened a worker with it.
    fn worker_of(&self, ctx: &Ctx, daemon: &DobbyClient) -> Result<PathBuf, TurnError> {
        let call = |method: &str, params: Value| {
            let report = |it: &Progress| ctx.count(&it.stage, it.detail.clone(), it.done, it.total);
            let answer = daemon.call(method, &params, START, &report, &|| ctx.is_cancelled());
            let fix = "`graftage dobby status` shows what it does".to_owned();
            answer.map_err(|error| match ctx.is_cancelled() {
                true => TurnError::Cancelled,
                false => settings_error(error.to_string(), error.hint().unwrap_or(fix)),
            })
        };
        let opened = call("open_worker", json!({ "kind": "llm", "model": self.name }))?;
        let status = call("get_status", json!({}))?;
        let workers = status["workers"].as_array();
        let own = workers.into_iter().flatten().find(|it| it["worker_id"] == opened["worker_id"]);
        let socket = own.and_then(|it| it["socket"].as_str()).map(PathBuf::from);
        socket.ok_or_else(|| {
            let reason = "the daemon has no socket for its model".to_owned();
            settings_error(
                reason,
                "`graftage dobby shutdown` ends one of another version".to_owned(),
            )
        })
    }
}

impl LanguageModel for LocalModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        let mut running = base::lock(&self.running);
        let started = match running.take() {
            Some(started) => started,
            None => self.start(ctx)?,
        };
        let bounded =
            TurnRequest { max_tokens: request.max_tokens.min(MOST_TOKENS), ..request.clone() };
        let turn = started.model.turn(ctx, &bounded, on);
        // A server that does not answer is started anew for the next request.
        if !matches!(turn, Err(TurnError::Unreachable { .. } | TurnError::Interrupted { .. })) {
            *running = Some(started);
        }
        turn
    }
}
