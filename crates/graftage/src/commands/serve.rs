//! `serve`: long-running servers for coding agents.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use acp::{AcpError, AcpOptions};
use base::Ctx;
use project::{ExitKind, SystemHost};
use serve::mcp::{McpOptions, serve_http, serve_stdio};
use serve::{AccessToken, HttpLimits, HttpServerOptions};
use tools::{SkillPlaces, ToolError};

use crate::args_serve;
use crate::commands::client_config;
use crate::exit::{Failure, Status};
use crate::output;
use crate::session::Session;

/// The default file of the token, in the state directory.
const TOKEN_FILE: &str = "mcp.token";

pub(crate) fn run(session: &Session, args: &args_serve::Serve) -> Result<Status, Failure> {
    let args = match args {
        args_serve::Serve::Mcp(args) => args,
        args_serve::Serve::Acp(args) => return editor(session, args),
    };
    if let Some(client) = args.print_config {
        return client_config::run(session, client);
    }
    let options = options(session, args)?;
    let Some(address) = args.http else {
        serve_stdio(options)?;
        return Ok(Status::Done);
    };
    let default = || session.surroundings.state_dir.join("graftage").join(TOKEN_FILE);
    let file = args.token_file.clone().unwrap_or_else(default);
    let token = Some(AccessToken::of_file(&session.ctx, &file)?);
    let http = HttpServerOptions { address, token, limits: HttpLimits::default() };
    serve_http(options, http, |server| {
        output::note(&format!("serving {}", server.url()));
        output::note(&format!(
            "clients send `Authorization: Bearer TOKEN`; token: {}",
            file.display()
        ));
    })?;
    Ok(Status::Done)
}

/// Serves an editor.
fn editor(session: &Session, args: &args_serve::ServeAcp) -> Result<Status, Failure> {
    if let Some(editor) = args.print_config {
        return client_config::run_editor(session, editor);
    }
    let own = session.clone();
    // Standard output has messages of the protocol and nothing else.
    let ctx = Ctx::new(Arc::new(SystemHost::new(Arc::default(), |_| {})));
    let options = AcpOptions {
        ctx,
        open: Box::new(move |dir| {
            let mut here = own.clone();
            here.global.dir = Some(dir.to_owned());
            here.source().map_err(|failure| AcpError::Project {
                message: failure.message,
                hint: failure.hint,
            })
        }),
        folder: session.surroundings.state_dir.join("graftage").join("acp"),
        version: env!("CARGO_PKG_VERSION"),
    };
    acp::serve_acp(options).map_err(|error| Failure::input(error.to_string(), "start it again"))?;
    Ok(Status::Done)
}

/// The projects of the command line, which also reads their settings. They open when a client needs them.
fn options(session: &Session, args: &args_serve::ServeMcp) -> Result<McpOptions, Failure> {
    let named = session.global.dir.iter().chain(&args.root);
    let mut roots = named.map(|dir| sources(dir)).collect::<Result<Vec<_>, _>>()?;
    let asks_roots = roots.is_empty();
    if asks_roots && let Ok(root) = sources(Path::new(".")) {
        roots.push(root);
    }
    if roots.is_empty() && args.http.is_some() {
        return Err(Failure::input("no project here", "pass `-C DIR` or `--root DIR`"));
    }
    let session = session.clone();
    let settings = session.settings(None)?;
    let surroundings = session.surroundings.clone();
    Ok(McpOptions {
        ctx: session.ctx.clone(),
        open: Box::new(move |ctx, root| {
            let opened = session.with_ctx(ctx.clone()).map_workspace_at(root);
            opened.map(project::Workspace::for_agents).map_err(|failure| {
                let fix = failure.hint.unwrap_or_else(|| "open another folder".to_owned());
                ToolError::new(ExitKind::Environment, failure.message, fix)
            })
        }),
        roots,
        asks_roots,
        toolbox: agent::toolbox(),
        answers: settings.serve.answers,
        skills: Box::new(move |root| SkillPlaces::new(root, &surroundings, &settings)),
    })
}

/// The root of the project in `dir`; without a manifest the directory itself.
fn sources(dir: &Path) -> Result<PathBuf, Failure> {
    Ok(build::find_sources(dir).map_err(tools::Error::from)?)
}

impl From<serve::ServeError> for Failure {
    fn from(error: serve::ServeError) -> Self {
        use base::Hint as _;
        let status = match &error {
            serve::ServeError::Runtime(_) => Status::Environment,
            _ => Status::Input,
        };
        Self { status, message: error.to_string(), hint: error.hint() }
    }
}
