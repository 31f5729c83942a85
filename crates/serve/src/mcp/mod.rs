//! The Model Context Protocol: start at [`serve_stdio`] and [`serve_http`].

mod ask;
mod calls;
mod handler;
mod head;
mod input;
mod lines;
mod listing;
mod projects;
mod prompts;
mod resources;
mod skills;
mod subscriptions;
mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::Ctx;
use project::AnswerForm;
use rmcp::ServiceExt as _;
use tokio_util::sync::CancellationToken;
use tools::{SkillPlaces, Toolbox};

use self::calls::Calls;
use self::handler::{McpHandler, Server};
use self::input::UntilEnd;
use self::lines::Lines;
pub use self::projects::OpenProject;
pub(crate) use self::projects::Projects;
use self::subscriptions::Subscriptions;
use crate::runtime::run;
use crate::{HttpServer, HttpServerOptions, ServeError};

/// What a server of the protocol offers.
pub struct McpOptions {
    /// Clock, random source and the request to stop.
    pub ctx: Ctx,
    /// Opens a project.
    pub open: Box<OpenProject>,
    /// The roots of the projects.
    pub roots: Vec<PathBuf>,
    /// Whether a client on the standard streams may replace the roots by its own.
    pub asks_roots: bool,
    /// The tools.
    pub toolbox: Toolbox,
    /// What an answer of a tool contains.
    pub answers: AnswerForm,
    /// Where the skills of a project, or of none, are.
    pub skills: Box<SkillPlacesOf>,
}

/// The places of the skills of a project, or of none.
pub type SkillPlacesOf = dyn Fn(Option<&Path>) -> SkillPlaces + Send + Sync;

/// Time that calls have to answer after the end of standard input, before they are cancelled.
const GRACE: Duration = Duration::from_millis(400);

/// Serves one client on standard input and output, until the client closes standard input.
///
/// # Errors
/// No runtime.
pub fn serve_stdio(options: McpOptions) -> Result<(), ServeError> {
    let stop = CancellationToken::new();
    let (ctx, handler) = handler(options, &stop);
    run(ctx, (stop.clone(), Calls::THREADS), async move {
        let (input, output) = rmcp::transport::io::stdio_pipes();
        let ended = CancellationToken::new();
        let input = UntilEnd { inner: input, ended: ended.clone() };
        let calls = stop.clone();
        tokio::spawn(async move {
            ended.cancelled().await;
            tokio::time::sleep(GRACE).await;
            calls.cancel();
        });
        // A client that is gone before its first message ends the server too.
        if let Ok(running) = handler.serve_with_ct(Lines::new(input, output), stop).await {
            let _ = running.waiting().await;
        }
        Ok(())
    })
}

/// Serves clients over HTTP until the process is asked to stop. `ready` gets the server once it listens.
///
/// # Errors
/// An address that cannot be used.
pub fn serve_http(
    options: McpOptions,
    http: HttpServerOptions,
    ready: impl FnOnce(&HttpServer),
) -> Result<(), ServeError> {
    let stop = CancellationToken::new();
    let (ctx, handler) = handler(McpOptions { asks_roots: false, ..options }, &stop);
    let server = Arc::clone(handler.server());
    run(ctx, (stop.clone(), Calls::THREADS), async move {
        let listening = HttpServer::bind(http).await?;
        ready(&listening);
        listening.run(move || McpHandler::new(Arc::clone(&server)), stop).await;
        Ok(())
    })
}

fn handler(options: McpOptions, stop: &CancellationToken) -> (Ctx, McpHandler) {
    let McpOptions { ctx, open, roots, asks_roots, toolbox, answers, skills } = options;
    let (projects, calls) = (Projects::new(ctx.clone(), open), Calls::new(ctx.log(), stop.clone()));
    let subscriptions = Subscriptions::default();
    let server = Server {
        projects,
        toolbox,
        answers,
        calls,
        subscriptions,
        roots,
        asks_roots,
        skills,
        consents: tools::Consents::default(),
    };
    (ctx, McpHandler::new(Arc::new(server)))
}
