//! The workshop of stories: a page on this machine that lists the stories of a project, plays one or all, and follows
//! changes of the tree. Start at [`serve_workshop`].
//!
//! The page itself is static and has nothing of the project; all else needs the token, which is in the fragment of the
//! address and so in no request. Results are data, which the page shows as text. Nothing is written.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::{Ctx, Stoppable};
use http::{Method, Request, Response, StatusCode, header};
use project::Workspace;
use serde_json::{Value, json};
use tools::{WorldRequest, WorldSeen, world_moved, world_seen, world_test};

use crate::{HttpServerOptions, HttpSurface, ServeError, SurfaceBody};

/// The static files, by path, with their types.
const FILES: [(&str, &str, &str); 3] = [
    ("/", "text/html; charset=utf-8", include_str!("page.html")),
    ("/workshop.js", "text/javascript; charset=utf-8", include_str!("page.js")),
    ("/workshop.css", "text/css; charset=utf-8", include_str!("page.css")),
];
/// The policy of what the page may load: itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// Longest time that a question for changes waits.
const LONGEST: Duration = Duration::from_secs(20);
/// Time between two looks at the tree.
const LOOK: Duration = Duration::from_millis(500);
/// Time between two looks at whether the client is there, and at what others run.
const MOMENT: Duration = Duration::from_millis(50);

/// Serves the workshop of a project until the process is asked to stop. `listening` gets its address.
///
/// # Errors
/// An address that cannot be used.
pub fn serve_workshop(
    ctx: &Ctx,
    workspace: Workspace,
    http: HttpServerOptions,
    listening: impl FnOnce(&str),
) -> Result<(), ServeError> {
    let workshop =
        Workshop { ctx: ctx.clone(), workspace, seen: Mutex::default(), runs: Mutex::default() };
    let workshop = Arc::new(workshop);
    crate::serve_surface(ctx.clone(), http, move |url| {
        listening(url);
        HttpSurface {
            is_public: |method, path| {
                *method == Method::GET && FILES.iter().any(|(name, ..)| *name == path)
            },
            answer: Box::new(move |request, gone| workshop.answer(request, gone)),
        }
    })
}

struct Workshop {
    ctx: Ctx,
    workspace: Workspace,
    seen: Mutex<Seen>,
    /// One run at a time: it has the whole machine.
    runs: Mutex<()>,
}

/// The tree as it was seen last.
#[derive(Default)]
struct Seen {
    version: u64,
    tree: Option<WorldSeen>,
}

/// Status and reason of a request without a result.
type Refused = (StatusCode, String);

impl Workshop {
    fn answer(&self, request: &Request<Vec<u8>>, gone: &AtomicBool) -> Response<SurfaceBody> {
        let path = request.uri().path();
        if let Some((_, kind, text)) = FILES.iter().find(|(name, ..)| *name == path) {
            return response(StatusCode::OK, kind, (*text).to_owned());
        }
        let answer = match (request.method(), path) {
            (&Method::GET, "/stories") => self.stories(),
            (&Method::GET, "/changes") => self.changes(request.uri().query(), gone),
            (&Method::POST, "/run") => self.run(request.body(), gone),
            _ => Err((StatusCode::NOT_FOUND, "no such path".to_owned())),
        };
        match answer {
            Ok(value) => response(StatusCode::OK, "application/json", value.to_string()),
            Err((status, reason)) => response(status, "text/plain; charset=utf-8", reason),
        }
    }

    /// The stories of the tree as it is.
    fn stories(&self) -> Result<Value, Refused> {
        let now = world_seen(&self.ctx, &self.workspace).map_err(failed)?;
        let mut seen = base::lock(&self.seen);
        let (stories, problems) = (&now.list.stories, &now.list.problems);
        let mut answer = json!({ "stories": stories, "problems": problems });
        if self.has_moved(&seen)? {
            seen.version += 1;
        }
        answer["version"] = seen.version.into();
        seen.tree = Some(now);
        Ok(answer)
    }

    fn has_moved(&self, seen: &Seen) -> Result<bool, Refused> {
        match &seen.tree {
            Some(tree) => world_moved(&self.ctx, &self.workspace, tree).map_err(failed),
            None => Ok(true),
        }
    }

    /// The version of the tree, once it is another one than the client has.
    fn changes(&self, query: Option<&str>, gone: &AtomicBool) -> Result<Value, Refused> {
        let since = query.and_then(|it| it.strip_prefix("since=")?.parse::<u64>().ok());
        let until = Instant::now() + LONGEST;
        loop {
            let mut seen = base::lock(&self.seen);
            if self.has_moved(&seen)? {
                seen.version += 1;
                seen.tree = Some(world_seen(&self.ctx, &self.workspace).map_err(failed)?);
            }
            let version = seen.version;
            drop(seen);
            if since != Some(version) || Instant::now() >= until {
                return Ok(json!({ "version": version }));
            }
            self.wait(LOOK, gone)?;
        }
    }

    /// Plays one story, or all.
    fn run(&self, body: &[u8], gone: &AtomicBool) -> Result<Value, Refused> {
        let wrong = |reason: String| (StatusCode::BAD_REQUEST, reason);
        let asked: Value = serde_json::from_slice(body).map_err(|it| wrong(it.to_string()))?;
        let request = match (asked["file"].as_str(), asked["name"].as_str()) {
            (Some(file), Some(name)) => WorldRequest::of_story(file, name),
            (None, None) => WorldRequest::default(),
            _ => return Err(wrong("`file` and `name` belong together".to_owned())),
        };
        let _turn = loop {
            match self.runs.try_lock() {
                Ok(turn) => break turn,
                Err(std::sync::TryLockError::Poisoned(turn)) => break turn.into_inner(),
                Err(std::sync::TryLockError::WouldBlock) => self.wait(MOMENT, gone)?,
            }
        };
        let host = Stoppable::new(&self.ctx);
        let has_ended = AtomicBool::new(false);
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !has_ended.load(Ordering::Relaxed) {
                    match gone.load(Ordering::Relaxed) {
                        true => return host.stop(),
                        false => std::thread::sleep(MOMENT),
                    }
                }
            });
            let answer = world_test(&host.ctx(), &self.workspace, &request);
            has_ended.store(true, Ordering::Relaxed);
            answer
        });
        let answer = answer.map_err(failed)?;
        let mut value = serde_json::to_value(&answer).map_err(failed)?;
        for (row, story) in answer.stories.iter().enumerate() {
            let into = &mut value["stories"][row];
            let result = &story.result;
            for (key, picture) in [("picture", &result.picture), ("difference", &result.difference)]
            {
                into[key] = picture.as_deref().map(base::to_base64).into();
            }
            for (at, moment) in result.moments.iter().enumerate() {
                into["moments"][at]["picture"] =
                    moment.picture.as_deref().map(base::to_base64).into();
            }
        }
        Ok(value)
    }

    /// Waits, as long as the client and the server are there.
    fn wait(&self, time: Duration, gone: &AtomicBool) -> Result<(), Refused> {
        let until = Instant::now() + time;
        while Instant::now() < until {
            if gone.load(Ordering::Relaxed) || self.ctx.is_cancelled() {
                return Err((StatusCode::SERVICE_UNAVAILABLE, "stopped".to_owned()));
            }
            std::thread::sleep(MOMENT);
        }
        Ok(())
    }
}

fn failed(error: impl std::fmt::Display) -> Refused {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

fn response(status: StatusCode, kind: &str, body: String) -> Response<SurfaceBody> {
    let mut response = Response::new(SurfaceBody::Whole(body.into_bytes()));
    *response.status_mut() = status;
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in headers {
        if let Ok(value) = header::HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
