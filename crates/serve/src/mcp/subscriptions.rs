//! Subscriptions: a client is notified when a resource that it named changes.
//!
//! One task looks at all subscribed resources while there are any, at a pause that grows with the cost of
//! a look, so it needs a tenth of a core at most. What changed several times between two looks, or
//! before a client took the last notification, is notified once. A look is [`Seen::of`]; what makes a
//! resource worth a closer one is the hash of its file, or the state of its proposal.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use base::{ContentHash, Ctx, ProjectPath, SortedMap};
use project::{ExitKind, FileAccess, Workspace};
use rmcp::ErrorData as McpError;
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, RequestContext, RoleServer, SubscriptionContext, SubscriptionSink};
use tokio::task::JoinSet;
use tools::{Effect, ToolError};

use super::handler::{McpHandler, Server, protocol_error};
use super::resources::{Wanted, resource_error};

/// The most subscriptions of one client.
const MOST: usize = 64;
/// The most clients with subscriptions.
const MOST_CLIENTS: usize = 32;
/// The shortest time between two looks.
const PAUSE: Duration = Duration::from_millis(300);
/// The pause after a look, as a multiple of its duration.
const REST: u32 = 9;
/// Time that a client has to take a notification.
const PATIENCE: Duration = Duration::from_millis(200);

/// Subscribes a client of the handshake to a resource.
pub(super) async fn subscribe(
    handler: &McpHandler,
    context: &RequestContext<RoleServer>,
    uri: String,
) -> Result<(), McpError> {
    let Some(wanted) = Wanted::watchable(&uri) else {
        let reason = "only items, files and proposals can be subscribed to";
        return Err(McpError::resource_not_found(reason, None));
    };
    let sink = || Subscriber::new(Sink::Peer(context.peer.clone()));
    let subscriber = Arc::clone(handler.subscriber.get_or_init(sink));
    let adding = Arc::clone(&subscriber);
    let add = move |ctx: &Ctx, server: &Server, workspace: &Workspace| {
        wanted.read(ctx, server, workspace)?;
        adding.subscribe(ctx, workspace, (&uri, wanted))
    };
    let added = handler.on_project(context, (Effect::Reads, None), add).await;
    added.map_err(resource_error)?;
    Subscriptions::add(handler.server(), &subscriber).map_err(protocol_error)
}

/// The part of a filter that can be subscribed to.
pub(super) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let wanted = requested.resource_subscriptions.iter().flatten();
    let wanted = wanted.filter(|uri| Wanted::watchable(uri).is_some());
    let accepted: Vec<&str> = wanted.map(String::as_str).take(MOST).collect();
    SubscriptionFilter::builder().resource_subscriptions(accepted).build()
}

/// Notifies a request of the changes that it waits for, until it or the server ends. What does not exist
/// yet is waited for.
pub(super) async fn listen(
    handler: &McpHandler,
    context: &SubscriptionContext,
) -> Result<(), McpError> {
    let subscriber = Subscriber::new(Sink::Listening(context.sink().clone()));
    let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
    let adding = Arc::clone(&subscriber);
    let add = move |ctx: &Ctx, _: &Server, workspace: &Workspace| {
        uris.iter().try_for_each(|uri| match Wanted::watchable(uri) {
            Some(wanted) => adding.subscribe(ctx, workspace, (uri, wanted)),
            None => Ok(()),
        })
    };
    let added = handler.on_project(context.request_context(), (Effect::Reads, None), add).await;
    added.map_err(protocol_error)?;
    Subscriptions::add(handler.server(), &subscriber).map_err(protocol_error)?;
    tokio::select! {
        () = context.cancelled() => {}
        () = handler.server().calls.stopped() => {}
    }
    Ok(())
}

/// The subscriptions of all clients.
#[derive(Default)]
pub(super) struct Subscriptions {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// A client that is gone is dropped by its handler.
    clients: Vec<Weak<Subscriber>>,
    /// Whether the task runs.
    is_watching: bool,
}

impl Subscriptions {
    /// Adds a client, and starts the task if it does not run.
    pub(super) fn add(server: &Arc<Server>, subscriber: &Arc<Subscriber>) -> Result<(), ToolError> {
        let mut state = base::lock(&server.subscriptions.state);
        state.clients.retain(|it| it.strong_count() > 0);
        let is_same = |it: &Weak<Subscriber>| std::ptr::eq(it.as_ptr(), Arc::as_ptr(subscriber));
        if !state.clients.iter().any(is_same) {
            if state.clients.len() >= MOST_CLIENTS {
                return Err(too_many(MOST_CLIENTS, "clients have subscriptions"));
            }
            state.clients.push(Arc::downgrade(subscriber));
        }
        if !state.is_watching {
            state.is_watching = true;
            tokio::spawn(watch(Arc::clone(server)));
        }
        Ok(())
    }

    /// The clients that have subscriptions. Without one the task ends.
    fn live(&self) -> Vec<Arc<Subscriber>> {
        let mut state = base::lock(&self.state);
        let has_some = |it: &Arc<Subscriber>| !base::lock(&it.watched).is_empty();
        let live: Vec<_> =
            state.clients.iter().filter_map(Weak::upgrade).filter(has_some).collect();
        state.is_watching = !live.is_empty();
        live
    }
}

/// Looks until no client is left or the server ends.
async fn watch(server: Arc<Server>) {
    let mut pause = PAUSE;
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = server.calls.stopped() => return,
        }
        let live = server.subscriptions.live();
        if live.is_empty() {
            return;
        }
        let began = Instant::now();
        for subscriber in &live {
            let (server, looking) = (Arc::clone(&server), Arc::clone(subscriber));
            // A look that fails has seen nothing; the next one does.
            let _ = tokio::task::spawn_blocking(move || looking.look(&server)).await;
        }
        pause = PAUSE.max(began.elapsed() * REST);
        // At once, so that a client that does not read keeps no other waiting.
        let mut notifying: JoinSet<()> = JoinSet::new();
        for subscriber in live {
            notifying.spawn(async move { subscriber.notify().await });
        }
        while notifying.join_next().await.is_some() {}
    }
}

/// How a client is notified.
pub(super) enum Sink {
    /// A client of the handshake.
    Peer(Peer<RoleServer>),
    /// A request that is open for this purpose.
    Listening(SubscriptionSink),
}

/// A client with its subscriptions, by URI.
pub(super) struct Subscriber {
    sink: Sink,
    watched: Mutex<SortedMap<String, Watched>>,
}

struct Watched {
    root: PathBuf,
    wanted: Wanted,
    seen: Seen,
    /// Whether the client has not been notified yet.
    is_updated: bool,
}

impl Subscriber {
    pub(super) fn new(sink: Sink) -> Arc<Self> {
        Arc::new(Self { sink, watched: Mutex::default() })
    }

    /// Adds a resource as it is now.
    pub(super) fn subscribe(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        (uri, wanted): (&str, Wanted),
    ) -> Result<(), ToolError> {
        let root = workspace.project().root().to_owned();
        let seen = Seen::of(ctx, workspace, &wanted, &Seen::default());
        let mut watched = base::lock(&self.watched);
        if !watched.contains_key(uri) && watched.len() >= MOST {
            return Err(too_many(MOST, "resources are subscribed to"));
        }
        watched.insert(uri.to_owned(), Watched { root, wanted, seen, is_updated: false });
        Ok(())
    }

    pub(super) fn unsubscribe(&self, uri: &str) {
        base::lock(&self.watched).remove(uri);
    }

    /// Marks the resources that changed since the last look.
    fn look(&self, server: &Server) {
        let ctx = server.projects.ctx();
        let known: Vec<(String, PathBuf, Wanted, Seen)> = base::lock(&self.watched)
            .iter()
            .map(|(uri, it)| (uri.clone(), it.root.clone(), it.wanted.clone(), it.seen.clone()))
            .collect();
        for (uri, root, wanted, seen) in known {
            // What cannot be read now is looked at again.
            let Ok(workspace) = server.projects.workspace(ctx, &root) else { continue };
            let now = Seen::of(ctx, &workspace, &wanted, &seen);
            if now == seen {
                continue;
            }
            if let Some(watched) = base::lock(&self.watched).get_mut(&uri) {
                watched.is_updated |= now.answer != watched.seen.answer;
                watched.seen = now;
            }
        }
    }

    /// Notifies the client of what changed. What it does not take in time is sent again later.
    async fn notify(&self) {
        let updated: Vec<String> = base::lock(&self.watched)
            .iter()
            .filter(|(_, it)| it.is_updated)
            .map(|(uri, _)| uri.clone())
            .collect();
        for uri in updated {
            let sent = async {
                match &self.sink {
                    Sink::Peer(peer) => {
                        let params = ResourceUpdatedNotificationParam::new(uri.as_str());
                        peer.notify_resource_updated(params).await.is_ok()
                    }
                    Sink::Listening(sink) => {
                        sink.notify_resource_updated(uri.as_str()).await.is_ok()
                    }
                }
            };
            if !tokio::time::timeout(PATIENCE, sent).await.unwrap_or(false) {
                return;
            }
            if let Some(watched) = base::lock(&self.watched).get_mut(&uri) {
                watched.is_updated = false;
            }
        }
    }
}

/// What was seen of a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    /// The file of an item, and its hash: as long as it is the same, the item is.
    file: Option<(ProjectPath, ContentHash)>,
    /// The hash of what the resource contains; `None`: it does not exist.
    answer: Option<ContentHash>,
}

impl Seen {
    /// What there is to see now, after `before`.
    fn of(ctx: &Ctx, workspace: &Workspace, wanted: &Wanted, before: &Self) -> Self {
        match wanted {
            Wanted::File(path, ..) => Self { file: None, answer: file_hash(workspace, path) },
            Wanted::Proposal(id) => {
                let card = tools::proposal(ctx, workspace, id).ok();
                Self { file: None, answer: card.and_then(|it| hash_of(&it)) }
            }
            Wanted::Item(item) => {
                let is_same = |(path, hash): &(ProjectPath, ContentHash)| {
                    file_hash(workspace, path) == Some(*hash)
                };
                if before.file.as_ref().is_some_and(is_same) {
                    return before.clone();
                }
                let hashed = |path: ProjectPath| {
                    let hash = file_hash(workspace, &path)?;
                    Some((path, hash))
                };
                let Ok(shown) = code::show(ctx, workspace, item, FileAccess::Agent) else {
                    // It may come back where it was.
                    let file = before.file.clone().and_then(|(path, _)| hashed(path));
                    return Self { file, answer: None };
                };
                let path = shown.items.first().and_then(|it| it.file.as_deref());
                let path = path.and_then(|it| ProjectPath::new(it).ok());
                let text = (&shown.items, &shown.docs, &shown.code, &shown.members);
                Self { file: path.and_then(hashed), answer: hash_of(&text) }
            }
            Wanted::Map => Self::default(),
        }
    }
}

/// The hash of a file of the project; `None` without such a file. This is the source of changes.
fn file_hash(workspace: &Workspace, path: &ProjectPath) -> Option<ContentHash> {
    let bytes = untrusted_fs::read_source(workspace.project().root(), path.as_str())?;
    Some(ContentHash::of(&bytes))
}

fn hash_of(value: &impl serde::Serialize) -> Option<ContentHash> {
    serde_json::to_vec(value).ok().map(|bytes| ContentHash::of(&bytes))
}

fn too_many(most: usize, what: &str) -> ToolError {
    let fix = "unsubscribe from those that are no longer needed";
    ToolError::new(ExitKind::Input, format!("{most} {what} already"), fix)
}
