//! [`Page`]: one page in a context of its own. While it waits for an answer it serves what the page asks for,
//! refuses what is outside its origin, and logs what the page does.

mod blank;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Ctx;
use serde_json::{Value, json};

use super::connection::{Connection, Inbox, Message};
use super::visits::{IncidentKind, PageLog, Served, Source};
use crate::WorldError;

pub(super) use blank::{BlankPage, BlankPages};

/// Least time that a call to a page may take: a busy machine is no fault of the page.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// Longest time between two looks at the clock while a page is loaded.
const LOOK: Duration = Duration::from_millis(100);
/// Most frames that are looked at.
const MOST_FRAMES: usize = 50;
/// The function by which a page reports events, in a world of its own.
const BINDING: &str = "graftageStoryEvent";
/// The world in which we run code: what the page changes of its own functions does not reach it.
const WORLD: &str = "graftage";
/// Passes on each event that the page dispatches on its window:
/// `dispatchEvent(new CustomEvent("story", { detail: { name: "saved", fields: { count: 3 } } }))`.
const LISTENER: &str = "{ \
     const pass = value => graftageStoryEvent(JSON.stringify(value)); \
     addEventListener('story', e => { const d = e.detail || {}; \
         pass({ name: String(d.name || ''), fields: d.fields || {} }) }, true); \
     const other = e => { const t = e.composedPath()[0]; \
         const at = t.closest && t.closest('a[target], form[target]'); \
         if (at && !/^_?(self|top|parent)$/.test(at.target)) pass({ window: at.href || at.action }) }; \
     addEventListener('click', other); addEventListener('submit', other) }";

/// Why a call to a page has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unanswered {
    /// The browser refuses it: what it is about is gone, or the page moved on.
    #[error("{method}: {message}")]
    Refused { method: &'static str, message: String },
    /// The browser refuses the rest of an action that the page may have seen in part: it is not repeated.
    #[error("the action was interrupted at {method}: {message}")]
    Interrupted { method: &'static str, message: String },
    /// The page does not answer in time.
    #[error("the page does not answer within {} ms: does its code end?", limit.as_millis())]
    Silent { limit: Duration },
    /// The page's process ended.
    #[error("the page crashed")]
    Crashed,
    /// The page did not load.
    #[error("the page did not load: {reason}")]
    NotLoaded { reason: String },
    /// Nothing will follow.
    #[error(transparent)]
    Lost(#[from] WorldError),
}

/// An open page.
pub(crate) struct Page {
    ctx: Ctx,
    connection: Arc<Connection>,
    inbox: Inbox,
    session: String,
    context: blank::PageContext,
    source: Source,
    dialogs: Option<bool>,
    pub(crate) log: PageLog,
    /// How long a call may take.
    pub(crate) patience: Duration,
    main_frame: String,
    /// The document of the main frame, and the last one that was loaded, by number.
    document: String,
    loaded: String,
    /// Whether the main frame has started to load and has not ended.
    is_loading: bool,
    /// Status of the last document of the main frame.
    status: Option<u64>,
    addresses: HashMap<String, String>,
    has_frames: bool,
    is_crashed: bool,
    /// The contexts of our code, by frame.
    worlds: HashMap<String, i64>,
    /// The objects of elements in these contexts, by frame and number.
    objects: HashMap<(String, i64), String>,
}

impl Page {
    /// Opens a path of the origin and waits until it is loaded.
    pub(crate) fn open_path(&mut self, path: &str, limit: Duration) -> Result<(), Unanswered> {
        let before = self.document.clone();
        self.status = None;
        let url = format!("{}{path}", self.source.origin());
        let opened = self.call("Page.navigate", json!({ "url": url }))?;
        if let Some(reason) = opened["errorText"].as_str() {
            return Err(Unanswered::NotLoaded { reason: base::visible_line(reason) });
        }
        self.until_loaded(&before, limit)?;
        match self.status {
            Some(200..=299) => Ok(()),
            Some(status) => {
                Err(Unanswered::NotLoaded { reason: format!("its status is {status}") })
            }
            None => Err(Unanswered::NotLoaded { reason: "it has no document".to_owned() }),
        }
    }

    /// Whether the main frame is loaded, by what the browser has reported so far.
    pub(crate) fn is_loaded(&self) -> bool {
        !self.is_loading && self.loaded == self.document
    }

    /// Waits until the main frame is loaded.
    pub(crate) fn loaded(&mut self, limit: Duration) -> Result<(), Unanswered> {
        self.until_loaded("", limit)
    }

    /// Waits until another document than `before` is loaded.
    fn until_loaded(&mut self, before: &str, limit: Duration) -> Result<(), Unanswered> {
        let until = Instant::now() + limit;
        // The page may open another one before it is loaded itself.
        while self.document == before || !self.is_loaded() {
            if Instant::now() > until {
                let reason = format!("not within {} ms", limit.as_millis());
                return Err(Unanswered::NotLoaded { reason });
            }
            // Each message may be the one that ends the wait.
            if let Some(message) = self.next(until.min(Instant::now() + LOOK))? {
                self.take(message)?;
            }
        }
        Ok(())
    }

    /// Calls a method on the page.
    pub(crate) fn call(
        &mut self,
        method: &'static str,
        params: Value,
    ) -> Result<Value, Unanswered> {
        let id = self.connection.send(Some(&self.session), method, params)?;
        let until = Instant::now() + self.patience;
        loop {
            match self.next(until)? {
                Some(Message::Answer { id: answered, result }) if answered == id => {
                    return result.map_err(|it| match it.of(method) {
                        WorldError::Refused { method, message } => {
                            Unanswered::Refused { method, message }
                        }
                        other => Unanswered::Lost(other),
                    });
                }
                Some(message) => self.take(message)?,
                None => return Err(Unanswered::Silent { limit: self.patience }),
            }
        }
    }

    /// Serves the page for a while.
    pub(crate) fn wait(&mut self, time: Duration) -> Result<(), Unanswered> {
        let until = Instant::now() + time;
        while let Some(message) = self.next(until)? {
            self.take(message)?;
        }
        Ok(())
    }

    /// The frames of the page, the main one first.
    pub(crate) fn frames(&mut self) -> Result<Vec<String>, Unanswered> {
        let mut frames = vec![self.main_frame.clone()];
        if self.has_frames {
            let tree = self.call("Page.getFrameTree", json!({}))?;
            let mut rest = vec![&tree["frameTree"]];
            while let Some(tree) = rest.pop() {
                for child in tree["childFrames"].as_array().into_iter().flatten() {
                    frames.extend(child["frame"]["id"].as_str().map(str::to_owned));
                    rest.push(child);
                }
            }
        }
        if frames.len() > MOST_FRAMES {
            return Err(WorldError::TooMuch { what: "frames", most: MOST_FRAMES }.into());
        }
        Ok(frames)
    }

    /// The context in which our code runs in a frame.
    pub(crate) fn world(&mut self, frame: &str) -> Result<i64, Unanswered> {
        if let Some(world) = self.worlds.get(frame) {
            return Ok(*world);
        }
        let params = json!({ "frameId": frame, "worldName": WORLD });
        let made = self.call("Page.createIsolatedWorld", params)?;
        let world = made["executionContextId"].as_i64().unwrap_or_default();
        self.worlds.insert(frame.to_owned(), world);
        Ok(world)
    }

    /// The object of an element, in our world of its frame.
    pub(crate) fn object(&mut self, frame: &str, element: i64) -> Result<String, Unanswered> {
        let world = self.world(frame)?;
        let key = (frame.to_owned(), element);
        if let Some(object) = self.objects.get(&key) {
            return Ok(object.clone());
        }
        let resolve = json!({ "backendNodeId": element, "executionContextId": world });
        let resolved = self.call("DOM.resolveNode", resolve)?;
        let object = resolved["object"]["objectId"].as_str().unwrap_or_default().to_owned();
        self.objects.insert(key, object.clone());
        Ok(object)
    }

    fn next(&mut self, until: Instant) -> Result<Option<Message>, Unanswered> {
        // A stop by the user is seen within a moment; an answer ends the wait at once.
        const MOMENT: Duration = Duration::from_millis(50);
        loop {
            if self.is_crashed {
                return Err(Unanswered::Crashed);
            }
            self.ctx.check_cancelled().map_err(WorldError::from)?;
            let left = until.saturating_duration_since(Instant::now());
            match self.inbox.next(left.min(MOMENT)) {
                Ok(Some(message)) => return Ok(Some(message)),
                Ok(None) if left <= MOMENT => return Ok(None),
                Ok(None) => {}
                Err(closed) => return Err(self.connection.closed(&closed).into()),
            }
        }
    }

    fn take(&mut self, message: Message) -> Result<(), Unanswered> {
        let Message::Event { method, params } = message else { return Ok(()) };
        match method.as_str() {
            "Fetch.requestPaused" => return self.serve(&params),
            "Page.javascriptDialogOpening" => return self.answer_dialog(&params),
            "Page.lifecycleEvent"
                if params["name"] == "load" && params["frameId"] == self.main_frame.as_str() =>
            {
                self.loaded = params["loaderId"].as_str().unwrap_or_default().to_owned();
            }
            "Page.frameStartedLoading" | "Page.frameStoppedLoading"
                if params["frameId"] == self.main_frame.as_str() =>
            {
                self.is_loading = method == "Page.frameStartedLoading";
            }
            "Page.frameAttached" => self.has_frames = true,
            "Page.frameNavigated" | "Runtime.executionContextsCleared" | "Page.frameDetached" => {
                self.worlds.clear();
                self.objects.clear();
                let frame = &params["frame"];
                if frame["id"] == self.main_frame.as_str() {
                    self.document = frame["loaderId"].as_str().unwrap_or_default().to_owned();
                }
            }
            "Runtime.executionContextCreated" => self.take_world(&params["context"]),
            "Page.windowOpen" => {
                self.log.incident(IncidentKind::Window, params["url"].as_str().unwrap_or_default());
            }
            "Page.downloadWillBegin" => {
                self.log
                    .incident(IncidentKind::Download, params["url"].as_str().unwrap_or_default());
            }
            "Inspector.targetCrashed" => self.is_crashed = true,
            "Runtime.bindingCalled" if params["name"] == BINDING => {
                self.log.event(params["payload"].as_str().unwrap_or_default());
            }
            "Runtime.consoleAPICalled" => self.log.console(&params),
            "Runtime.exceptionThrown" => {
                let details = &params["exceptionDetails"];
                let text =
                    details["exception"]["description"].as_str().or(details["text"].as_str());
                let text = text.unwrap_or_default().lines().next().unwrap_or_default();
                self.log.incident(IncidentKind::Exception, text);
            }
            // Failed requests are reported by the network, with their address.
            "Log.entryAdded"
                if params["entry"]["level"] == "error"
                    && params["entry"]["source"] != "network" =>
            {
                let text = params["entry"]["text"].as_str().unwrap_or_default();
                self.log.incident(IncidentKind::Console, text);
            }
            _ => self.take_network(&method, &params),
        }
        Ok(())
    }

    /// Keeps a context if our code runs in it.
    fn take_world(&mut self, context: &Value) {
        if context["name"] == WORLD
            && let Some(frame) = context["auxData"]["frameId"].as_str()
            && let Some(world) = context["id"].as_i64()
        {
            self.worlds.insert(frame.to_owned(), world);
        }
    }

    fn take_network(&mut self, method: &str, params: &Value) {
        let id = params["requestId"].as_str().unwrap_or_default();
        match method {
            "Network.requestWillBeSent" if self.addresses.len() < 10_000 => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                self.addresses.insert(id.to_owned(), url.chars().take(2_000).collect());
            }
            "Network.responseReceived" => {
                let response = &params["response"];
                let status = response["status"].as_u64().unwrap_or_default();
                let url = response["url"].as_str().unwrap_or_default();
                if params["type"] == "Document" && params["frameId"] == self.main_frame.as_str() {
                    self.status = Some(status);
                }
                if status >= 400 && !url.ends_with("/favicon.ico") {
                    self.log.incident(IncidentKind::Request, &format!("{url} (status {status})"));
                }
            }
            "Network.loadingFailed" if params["canceled"] != true => {
                let url = self.addresses.get(id).cloned().unwrap_or_default();
                let reason = params["errorText"].as_str().unwrap_or_default();
                // What is outside is an incident of its own kind already.
                if self.source.has(&url) {
                    self.log.incident(IncidentKind::Request, &format!("{url} ({reason})"));
                }
            }
            "Network.webSocketCreated" => {
                let url = params["url"].as_str().unwrap_or_default();
                if !self.source.has(url) {
                    self.log.incident(IncidentKind::Outside, url);
                }
            }
            _ => {}
        }
    }

    fn serve(&mut self, params: &Value) -> Result<(), Unanswered> {
        let url = params["request"]["url"].as_str().unwrap_or_default();
        let id = &params["requestId"];
        let (method, params) = match self.source.serve(url) {
            Served::ByApp => ("Fetch.continueRequest", json!({ "requestId": id })),
            Served::Bytes(status, kind, bytes) => {
                let headers = json!([
                    { "name": "content-type", "value": kind },
                    { "name": "cache-control", "value": "no-store" },
                ]);
                let answer = json!({
                    "requestId": id, "responseCode": status, "responseHeaders": headers,
                    "body": base::to_base64(&bytes),
                });
                ("Fetch.fulfillRequest", answer)
            }
            Served::Outside => {
                self.log.incident(IncidentKind::Outside, url);
                ("Fetch.failRequest", json!({ "requestId": id, "errorReason": "BlockedByClient" }))
            }
        };
        self.connection.send(Some(&self.session), method, params)?;
        Ok(())
    }

    fn answer_dialog(&mut self, params: &Value) -> Result<(), Unanswered> {
        if self.dialogs.is_none() {
            let text = params["message"].as_str().unwrap_or_default();
            let kind = params["type"].as_str().unwrap_or("dialog");
            self.log.incident(IncidentKind::Dialog, &format!("{kind}: {text}"));
        }
        let answer = json!({ "accept": self.dialogs == Some(true) });
        self.connection.send(Some(&self.session), "Page.handleJavaScriptDialog", answer)?;
        Ok(())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.connection.close(&self.session);
    }
}
