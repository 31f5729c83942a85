//! An agent for test kits of the protocol: the id of a message chooses what it does. Run it with the port to listen on;
//! it needs no token, and webhooks may be on this machine.

#![allow(clippy::print_stderr, reason = "a program for tests")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base::{Ctx, Host, Timestamp};
use graftage_a2a::{
    A2aAgent, A2aArtifact, A2aBody, A2aMessage, A2aOptions, A2aPart, A2aProfile, A2aServer,
    A2aSkill, A2aState, TaskHandle,
};
use serve::{HttpLimits, HttpServerOptions, HttpSurface, SurfaceBody};

/// Time and names of the machine.
struct KitHost(AtomicU64);

impl Host for KitHost {
    fn now(&self) -> Timestamp {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(u64::try_from(time.as_micros()).unwrap_or_default())
    }

    fn random(&self) -> [u8; 16] {
        let count = u128::from(self.0.fetch_add(1, Ordering::SeqCst));
        (u128::from(self.now().0) << 64 | count).to_be_bytes()
    }
}

/// Does what the id of a message asks for.
struct KitAgent;

impl A2aAgent for KitAgent {
    fn work(&self, task: &TaskHandle<'_>, message: &A2aMessage) {
        let id = message.message_id.as_str();
        let is = |prefix: &str| id.starts_with(prefix);
        let file = A2aPart {
            raw: Some("dGNr".to_owned()),
            filename: Some("output.txt".to_owned()),
            media_type: Some("text/plain".to_owned()),
            ..A2aPart::default()
        };
        let text = |text: &str| A2aPart::text(text, "text/plain");
        if is("tck-stream") || is("test-resubscribe") {
            task.update(A2aState::Working, None);
        }
        if is("test-resubscribe-message-id") {
            std::thread::sleep(Duration::from_secs(4));
        } else if is("tck-stream-artifact-chunked") {
            task.artifact_part(artifact(text("chunk-1 ")), false, false);
            task.artifact_part(artifact(text("chunk-2")), true, true);
        } else if is("tck-artifact-file-url") {
            let url = Some("https://example.com/output.txt".to_owned());
            task.artifact(artifact(A2aPart { raw: None, url, ..file }));
        } else if is("tck-artifact-file") || is("tck-stream-artifact-file") {
            task.artifact(artifact(file));
        } else if is("tck-artifact-data") {
            let data = serde_json::json!({ "key": "value", "count": 42 });
            task.artifact(artifact(A2aPart::data(data)));
        } else if is("tck-artifact-text") {
            task.artifact(artifact(text("Generated text content")));
        } else if is("tck-stream-003") {
            task.artifact(artifact(text("Stream task lifecycle")));
        } else if is("tck-stream-ordering") {
            task.artifact(artifact(text("Ordered output")));
        } else if is("tck-stream-artifact-text") {
            task.artifact(artifact(text("Streamed text content")));
        } else if is("tck-stream") && !is("tck-stream-002") {
            task.artifact(artifact(text("Stream hello from TCK")));
        }
        if is("tck-input-required") {
            task.update(A2aState::InputRequired, Some("more is needed"));
        } else if is("tck-reject-task") {
            task.update(A2aState::Rejected, Some("rejected"));
        } else {
            task.update(A2aState::Completed, Some("Hello from TCK"));
        }
    }

    fn direct(&self, message: &A2aMessage) -> Option<String> {
        let asks = message.message_id.starts_with("tck-message-response");
        asks.then(|| "Direct message response".to_owned())
    }
}

fn artifact(part: A2aPart) -> A2aArtifact {
    A2aArtifact { artifact_id: "result".to_owned(), parts: vec![part], ..A2aArtifact::default() }
}

const SKILLS: &[A2aSkill] =
    &[A2aSkill { id: "kit", description: "Does what a test kit asks for", examples: &["kit"] }];

fn main() -> Result<(), serve::ServeError> {
    let port = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(9_999);
    let folder = std::env::temp_dir().join(format!("a2a-kit-{}", std::process::id()));
    let ctx = Ctx::new(Arc::new(KitHost(AtomicU64::new(0))));
    let http = HttpServerOptions {
        address: ([127, 0, 0, 1], port).into(),
        token: None,
        limits: HttpLimits::default(),
    };
    serve::serve_surface(ctx.clone(), http, |url| surface(ctx, folder, url))
}

fn surface(ctx: Ctx, folder: PathBuf, url: &str) -> HttpSurface {
    let profile = A2aProfile {
        name: "kit".to_owned(),
        description: "An agent for test kits.".to_owned(),
        version: "1".to_owned(),
        skills: SKILLS,
        details: "It has no project.".to_owned(),
    };
    let options = A2aOptions {
        ctx,
        folder,
        needs_token: false,
        allows_loopback_push: true,
        profile,
        note: Arc::new(|text| eprintln!("{text}")),
    };
    let server = A2aServer::start(options, KitAgent).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(1)
    });
    server.reached_at(url);
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
