//! [`LocalModel`]: a model of the registry, whose server starts with the first request and ends with the model.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use base::{Ctx, Hint};
use dobby::{LocalServer, LocalServerOptions};
use model::ModelFolder;
use model::language::{
    Account, LanguageModel, LanguageOptions, Turn, TurnDelta, TurnError, TurnRequest, open,
};
use sandbox::Sandbox;

use crate::{Settings, Surroundings};

/// Program that is searched in the path where none is named.
const PROGRAM: &str = "llama-server";

/// Most tokens of an answer: a small model may never end by itself.
const MOST_TOKENS: u32 = 1_024;

/// A model of the registry. Its file is compared with its hash before each start.
pub(crate) struct LocalModel {
    name: String,
    folder: ModelFolder,
    program: PathBuf,
    readable: Vec<PathBuf>,
    require: sandbox::Level,
    account: Arc<Account>,
    surroundings: Surroundings,
    /// One server runs, and one request at a time.
    running: Mutex<Option<Running>>,
}

struct Running {
    model: Box<dyn LanguageModel>,
    _server: LocalServer,
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
        let in_path = || sandbox::programs(&surroundings.path, PROGRAM).next();
        let program = settings.model.server.clone().or_else(in_path).ok_or_else(|| {
            let fix = "set `model.server` to the path of one".to_owned();
            settings_error(format!("there is no `{PROGRAM}` in PATH to run a local model"), fix)
        })?;
        Ok(Self {
            name: settings.model.name.clone(),
            folder: ModelFolder::new(surroundings.models_dir()),
            program,
            readable: settings.trust_paths.clone(),
            require: settings.sandbox_require,
            account,
            surroundings: surroundings.clone(),
            running: Mutex::default(),
        })
    }

    fn start(&self, ctx: &Ctx) -> Result<Running, TurnError> {
        let model = self.folder.language_file(&self.name).map_err(|error| {
            let fix = "`graftage dobby ensure-model` downloads one".to_owned();
            settings_error(error.to_string(), error.hint().unwrap_or(fix))
        })?;
        let own = std::env::current_exe();
        let own = own.map_err(|error| TurnError::Unreachable { reason: error.to_string() })?;
        let options = LocalServerOptions {
            program: self.program.clone(),
            model,
            readable: self.readable.clone(),
            require: self.require,
            home: self.surroundings.home.clone(),
        };
        ctx.progress("starting the local model", self.name.clone());
        let server = LocalServer::start(ctx, &Sandbox::new(own), &options)
            .map_err(|error| settings_error(error.to_string(), error.hint().unwrap_or_default()))?;
        let options = LanguageOptions {
            provider: "openai".to_owned(),
            socket: Some(server.socket()),
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
