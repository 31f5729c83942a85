//! `serve`: long-running servers for coding agents.

use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use a2a::{A2aBody, A2aOptions, A2aServer, ProjectAgent};
use acp::{AcpError, AcpOptions};
use project::ExitKind;
use serve::mcp::{McpOptions, serve_http, serve_stdio};
use serve::{AccessToken, HttpLimits, HttpServerOptions, HttpSurface, SurfaceBody};
use tools::{SkillPlaces, ToolError};

use crate::args_serve;
use crate::commands::client_config;
use crate::exit::{Failure, Status};
use crate::output;
use crate::session::Session;

/// The default file of the token for MCP clients, in the state directory.
const TOKEN_FILE: &str = "mcp.token";

/// The same for agents.
const AGENT_TOKEN_FILE: &str = "a2a.token";

pub(crate) fn run(session: &Session, args: &args_serve::Serve) -> Result<Status, Failure> {
    let args = match args {
        args_serve::Serve::Mcp(args) => args,
        args_serve::Serve::Acp(args) => return editor(session, args),
        args_serve::Serve::A2a(args) => return agents(session, args),
    };
    if let Some(client) = args.print_config {
        return client_config::run(session, client);
    }
    let options = options(session, args)?;
    let Some(address) = args.http else {
        serve_stdio(options)?;
        return Ok(Status::Done);
    };
    let (http, file) = http_options(session, address, (args.token_file.as_ref(), TOKEN_FILE))?;
    serve_http(options, http, |server| serving(&server.url(), &file))?;
    Ok(Status::Done)
}

/// How a server listens, and the file of its token.
fn http_options(
    session: &Session,
    address: SocketAddr,
    (file, default): (Option<&PathBuf>, &str),
) -> Result<(HttpServerOptions, PathBuf), Failure> {
    let default = || session.surroundings.state_dir.join("graftage").join(default);
    let file = file.cloned().unwrap_or_else(default);
    let token = Some(AccessToken::of_file(&session.ctx, &file)?);
    Ok((HttpServerOptions { address, token, limits: HttpLimits::default() }, file))
}

/// Reports that a server listens.
fn serving(url: &str, token_file: &Path) {
    output::note(&format!("serving {url}"));
    output::note(&format!(
        "clients send `Authorization: Bearer TOKEN`; token: {}",
        token_file.display()
    ));
}

/// Serves other agents.
fn agents(session: &Session, args: &args_serve::ServeA2a) -> Result<Status, Failure> {
    let mut source = session.source()?;
    // An agent answers, not the person who started the server.
    source.for_agents = true;
    source.surroundings.user = format!("an agent (a2a) of {}", source.surroundings.user);
    let profile = ProjectAgent::profile(&source, env!("CARGO_PKG_VERSION"));
    let token = (args.token_file.as_ref(), AGENT_TOKEN_FILE);
    let (mut http, file) = http_options(session, args.http, token)?;
    // A message is much smaller, and a value takes a multiple of its text.
    http.limits.body_bytes = 1 << 20;
    // Tasks are of one project.
    let key = base::ContentHash::of(source.root.as_os_str().as_encoded_bytes()).to_string();
    let folder = session.surroundings.state_dir.join("graftage").join("a2a").join(key);
    let failed = |error: std::io::Error| Failure::input(error.to_string(), "start it again");
    // What outlives a task reports no progress of its own.
    let ctx = session.ctx_of_server();
    let agent = ProjectAgent::start(&ctx, source).map_err(failed)?;
    let options = A2aOptions {
        ctx,
        folder,
        needs_token: true,
        allows_loopback_push: args.allow_loopback_push,
        profile,
        note: Arc::new(output::note),
    };
    let server = Arc::new(A2aServer::start(options, agent).map_err(failed)?);
    let own = Arc::clone(&server);
    serve::serve_surface(session.ctx.clone(), http, move |url| {
        serving(url, &file);
        own.reached_at(url);
        surface(own)
    })?;
    server.stop();
    Ok(Status::Done)
}

/// The server of an agent behind the guard.
fn surface(server: Arc<A2aServer>) -> HttpSurface {
    HttpSurface {
        is_public: A2aServer::is_public,
        answer: Box::new(move |request, gone| {
            server.answer(request, gone).map(|body| match body {
                A2aBody::Whole(body) => SurfaceBody::Whole(body),
                A2aBody::Events(events) => SurfaceBody::Pieces(events),
            })
        }),
    }
}

/// Serves an editor.
fn editor(session: &Session, args: &args_serve::ServeAcp) -> Result<Status, Failure> {
    if let Some(editor) = args.print_config {
        return client_config::run_editor(session, editor);
    }
    if std::io::stdin().is_terminal() {
        output::note("an editor starts this command; `--print-config EDITOR` has the lines for it");
    }
    let own = session.clone();
    // Standard output has messages of the protocol and nothing else.
    let ctx = session.ctx_of_server();
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
