//! [`PageLog`]: what a page does besides what it shows. [`Source`]: the only origin that it may load from.

use std::sync::Arc;

use policy::program::{Event, Value as FieldValue};
use serde_json::Value;

/// Most entries of each list.
const MOST_ENTRIES: usize = 2_000;
/// Most characters of an entry.
const MOST_TEXT: usize = 2_000;
/// Most bytes of a file that a page loads.
const MOST_FILE: u64 = 16 << 20;
/// The origin of pages that are no app's: none that a browser could reach.
const STORY_ORIGIN: &str = "http://story.localhost";

base::named_enum! {
    /// Kinds of incidents that fail a story unless it allows them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum IncidentKind {
        /// An exception that no code of the page handles.
        Exception = "exception",
        /// An error on the console.
        Console = "console",
        /// A request that failed.
        Request = "request",
        /// An attempt to reach another address than the page's own.
        Outside = "outside",
        /// A dialog.
        Dialog = "dialog",
        /// An attempt to open a window.
        Window = "window",
        /// A download.
        Download = "download",
        /// More of one kind than is kept.
        Flood = "flood",
    }
}

/// Something that a page must not do unless its story allows it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Incident {
    /// Kind.
    pub kind: IncidentKind,
    /// Message or address.
    pub text: String,
}

/// Doings of a page besides what it shows.
#[derive(Debug, Default)]
pub(crate) struct PageLog {
    pub(crate) console: Vec<String>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) events: Vec<Event>,
    /// Whether entries were left out, so that nothing can be concluded from the absence of one.
    pub(crate) is_cut: bool,
}

impl PageLog {
    pub(super) fn incident(&mut self, kind: IncidentKind, text: &str) {
        let text = shortened(text);
        // The same error in a loop is one.
        if self.incidents.iter().rev().take(8).any(|it| it.kind == kind && it.text == text) {
            return;
        }
        if self.incidents.len() < MOST_ENTRIES {
            self.incidents.push(Incident { kind, text });
        } else {
            self.cut();
        }
    }

    pub(super) fn console(&mut self, params: &Value) {
        let arguments = params["args"].as_array().map(Vec::as_slice).unwrap_or_default();
        let words = arguments.iter().take(20).map(|it| match &it["value"] {
            Value::String(text) => text.clone(),
            Value::Null => it["description"].as_str().unwrap_or("null").to_owned(),
            value => value.to_string(),
        });
        let text = words.collect::<Vec<_>>().join(" ");
        if matches!(params["type"].as_str(), Some("error" | "assert")) {
            self.incident(IncidentKind::Console, &text);
        }
        if self.console.len() < MOST_ENTRIES {
            self.console.push(shortened(&text));
        } else {
            self.cut();
        }
    }

    /// An event that the page reports: `{"name": …, "fields": {…}}`, or a window: `{"window": …}`.
    pub(super) fn event(&mut self, payload: &str) {
        let value: Value = serde_json::from_str(payload).unwrap_or_default();
        if let Some(url) = value["window"].as_str() {
            return self.incident(IncidentKind::Window, url);
        }
        let name = value["name"].as_str().unwrap_or_default();
        if name.is_empty() {
            return self.incident(IncidentKind::Console, "a story event without a name");
        }
        if self.events.len() >= MOST_ENTRIES {
            return self.cut();
        }
        let mut event = Event::new(&shortened(name));
        for (field, value) in value["fields"].as_object().into_iter().flatten().take(20) {
            let value = match value {
                Value::Bool(flag) => FieldValue::Flag(*flag),
                Value::String(text) => FieldValue::Text(shortened(text)),
                Value::Number(number) if number.is_i64() => {
                    FieldValue::Number(number.as_i64().unwrap_or_default())
                }
                other => FieldValue::Text(shortened(&other.to_string())),
            };
            event = event.with(&shortened(field), value);
        }
        self.events.push(event);
    }

    fn cut(&mut self) {
        if !self.is_cut {
            self.is_cut = true;
            let text = format!("more than {MOST_ENTRIES} messages of one kind");
            self.incidents.push(Incident { kind: IncidentKind::Flood, text });
        }
    }
}

/// A text as a line, cut off.
pub(crate) fn shortened(text: &str) -> String {
    let line = base::visible_line(text);
    match line.char_indices().nth(MOST_TEXT) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// The files beside a file of stories, as the world has them.
pub trait PageFiles: Send + Sync {
    /// The bytes of a regular file, by its path in the folder of the stories, which has no `..`; `None` if there is
    /// no such file, it is larger than `limit`, or a page may not have it.
    fn read(&self, path: &str, limit: u64) -> Option<Vec<u8>>;
}

/// The origin of a page: all else is refused.
#[derive(Clone)]
pub(crate) enum Source {
    /// One text.
    Html(Arc<str>),
    /// Files of one folder, and the page among them.
    Files { files: Arc<dyn PageFiles>, page: String },
    /// An app on a port of the browser's own network.
    App { port: u16 },
}

/// The answer to a request.
pub(super) enum Served {
    /// The app answers.
    ByApp,
    /// We answer: status, type and bytes.
    Bytes(u16, &'static str, Vec<u8>),
    /// No one answers: the address is another one.
    Outside,
}

impl Source {
    pub(super) fn origin(&self) -> String {
        match self {
            Self::App { port } => format!("http://127.0.0.1:{port}"),
            _ => STORY_ORIGIN.to_owned(),
        }
    }

    /// Whether an address is of the origin, for pages and for their sockets.
    pub(super) fn has(&self, url: &str) -> bool {
        let origin = self.origin();
        let rest = url.strip_prefix(&origin).or_else(|| {
            url.strip_prefix("ws").and_then(|it| it.strip_prefix(origin.strip_prefix("http")?))
        });
        rest.is_some_and(|it| it.is_empty() || it.starts_with(['/', '?', '#']))
    }

    pub(super) fn serve(&self, url: &str) -> Served {
        if !self.has(url) {
            return Served::Outside;
        }
        const HTML: &str = "text/html; charset=utf-8";
        const TEXT: &str = "text/plain; charset=utf-8";
        let path = url.get(self.origin().len()..).unwrap_or_default();
        let path = path.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
        let none = || Served::Bytes(404, TEXT, b"no such file".to_vec());
        match self {
            Self::App { .. } => Served::ByApp,
            _ if path == "favicon.ico" => Served::Bytes(204, TEXT, Vec::new()),
            Self::Html(text) if path.is_empty() => {
                Served::Bytes(200, HTML, text.as_bytes().to_vec())
            }
            Self::Html(_) => none(),
            Self::Files { files, page } => {
                let path = if path.is_empty() { Some(page.clone()) } else { decoded(path) };
                let Some(path) = path.filter(|it| base::ProjectPath::new(it).is_ok()) else {
                    return none();
                };
                match files.read(&path, MOST_FILE) {
                    Some(bytes) => Served::Bytes(200, content_type(&path), bytes),
                    None => none(),
                }
            }
        }
    }
}

/// A path of an address without its escapes.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok().filter(|it| *it != 0)?);
    }
    String::from_utf8(bytes).ok()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_inside_only_with_the_whole_origin() {
        let app = Source::App { port: 80 };
        for (url, is_inside) in [
            ("http://127.0.0.1:80/a", true),
            ("ws://127.0.0.1:80/a", true),
            ("http://127.0.0.1:80", true),
            ("http://127.0.0.1:8080/a", false),
            ("http://127.0.0.1:80.example.com/", false),
            ("http://127.0.0.1:80@example.com/", false),
            ("https://127.0.0.1:80/", false),
            ("file:///etc/passwd", false),
        ] {
            assert_eq!(app.has(url), is_inside, "{url}");
        }
    }

    struct Any;

    impl PageFiles for Any {
        fn read(&self, path: &str, _: u64) -> Option<Vec<u8>> {
            (path != "missing").then(|| path.as_bytes().to_vec())
        }
    }

    #[test]
    fn paths_that_leave_the_folder_are_not_asked_for() {
        let files = Source::Files { files: Arc::new(Any), page: "index.html".to_owned() };
        let asked = |path: &str| match files.serve(&format!("{STORY_ORIGIN}/{path}")) {
            Served::Bytes(200, kind, bytes) => {
                format!("{} {kind}", String::from_utf8_lossy(&bytes))
            }
            Served::Bytes(status, ..) => status.to_string(),
            _ => "outside".to_owned(),
        };
        assert_eq!(asked("a%20b.css?v=1"), "a b.css text/css; charset=utf-8");
        assert_eq!(asked(""), "index.html text/html; charset=utf-8");
        for path in ["../secret.txt", "%2e%2e/secret.txt", "%zz", "a%00", "missing"] {
            assert_eq!(asked(path), "404", "{path}");
        }
    }

    #[test]
    fn a_flood_of_messages_is_bounded_and_named() {
        let mut log = PageLog::default();
        for n in 0..MOST_ENTRIES + 10 {
            log.event(&format!("{{\"name\": \"e\", \"fields\": {{\"n\": {n}}}}}"));
        }
        assert_eq!((log.events.len(), log.is_cut), (MOST_ENTRIES, true));
        assert_eq!(log.incidents.len(), 1);
    }
}
