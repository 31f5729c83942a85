//! [`Buffers`]: texts that are open in the editor and not saved.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agent::AgentError;
use base::{ContentHash, ProjectPath, SortedMap};
use edit::Overlay;
use serde_json::json;

use crate::session::Session;
use crate::wire::update;

/// Longest time that the editor may take to read or write a file.
const LIMIT: Duration = Duration::from_secs(2);

/// Most bytes of a text.
const MOST: usize = 8 << 20;

/// Most files that are read in one prompt.
const FILES: usize = 200;

/// The texts of the editor, as far as it offers them.
pub(crate) struct Buffers<'a> {
    session: &'a Session,
    stop: &'a AtomicBool,
    /// The texts that were read, by file.
    texts: SortedMap<ProjectPath, String>,
    /// Whether the editor offers files that it then does not read: the disk is used.
    is_silent: bool,
}

impl<'a> Buffers<'a> {
    pub(crate) fn new(session: &'a Session, stop: &'a AtomicBool) -> Self {
        Self { session, stop, texts: SortedMap::new(), is_silent: false }
    }

    fn offers_texts(&self) -> bool {
        let client = self.session.connection.client.get();
        client.is_some_and(|it| it.fs.read_text_file) && !self.is_silent
    }

    /// Reads files whose texts are not known yet; returns those that are not saved and were not known to be.
    pub(crate) fn look(&mut self, paths: &[ProjectPath]) -> Vec<String> {
        let mut found = Vec::new();
        for path in paths {
            if self.texts.contains_key(path) || self.texts.len() >= FILES {
                continue;
            }
            let EditorText::Text(text) = self.read(path) else { continue };
            if self.differs(path, &text) {
                let alone = self.session.runner.unsaved(vec![(path.clone(), text.clone())]);
                if alone.map_or(true, |it| it.is_empty()) {
                    let note = format!("{path}: its unsaved text is left out: only you open it\n");
                    self.session.send(update::thought(&note));
                    continue;
                }
                let (buffer, disk) = (short(&text), self.disk(path).map(|it| short(&it)));
                let disk = disk.unwrap_or_else(|| "no file".to_owned());
                let note =
                    format!("{path}: unsaved text {buffer} is part of it (on the disk: {disk})\n");
                self.session.send(update::thought(&note));
                found.push(path.to_string());
            }
            self.texts.insert(path.clone(), text);
        }
        found
    }

    /// The unsaved texts, as a change of the files on the disk.
    pub(crate) fn unsaved(&self) -> Result<Overlay, AgentError> {
        let texts = self.texts.iter().map(|(path, text)| (path.clone(), text.clone())).collect();
        self.session.runner.unsaved(texts)
    }

    /// The first file that is not in the editor as it was read before, or that the editor does not give again. It is
    /// asked right before a write.
    pub(crate) fn changed(&mut self, paths: &[ProjectPath]) -> Option<ProjectPath> {
        let is_changed = |buffers: &mut Self, path: &ProjectPath| {
            let known = buffers.texts.get(path).cloned();
            match buffers.read(path) {
                EditorText::Text(text) => known.or_else(|| buffers.disk(path)) != Some(text),
                EditorText::None => known.is_some(),
                EditorText::Unknown => true,
            }
        };
        paths.iter().find(|path| is_changed(self, path)).cloned()
    }

    /// Gives the editor the written texts of files that it has unsaved texts of. Returns the files that it did not
    /// take.
    pub(crate) fn give(&mut self, written: &Overlay, unsaved: &Overlay) -> Vec<String> {
        let can_write =
            self.session.connection.client.get().is_some_and(|it| it.fs.write_text_file);
        let mut left = Vec::new();
        for (path, _) in unsaved.changes() {
            let Some(text) = written.get(path).and_then(|it| it.after.as_ref()) else { continue };
            let params = json!({
                "sessionId": self.session.id,
                "path": path.join_to(&self.session.root),
                "content": &*text.text,
            });
            let peer = &self.session.connection.peer;
            let given =
                can_write && peer.request("fs/write_text_file", &params, LIMIT, &|| false).is_ok();
            if !given {
                left.push(path.to_string());
            }
        }
        self.texts.clear();
        left
    }

    /// The whole text of a file in the editor.
    fn read(&mut self, path: &ProjectPath) -> EditorText {
        if !self.offers_texts() {
            // What it gave once may have changed since.
            return match self.texts.contains_key(path) {
                true => EditorText::Unknown,
                false => EditorText::None,
            };
        }
        // Never a part of it: `line` and `limit` are not sent.
        let params =
            json!({ "sessionId": self.session.id, "path": path.join_to(&self.session.root) });
        let stop = || self.stop.load(Ordering::SeqCst);
        let peer = &self.session.connection.peer;
        match peer.request("fs/read_text_file", &params, LIMIT, &stop) {
            Ok(answer) => {
                let Some(text) = answer.get("content").and_then(|it| it.as_str()) else {
                    return EditorText::Unknown;
                };
                if text.len() > MOST {
                    let size = text.len() >> 20;
                    let note = format!(
                        "{path}: its text in the editor has {size} MiB and is not read: the file on the disk is used\n"
                    );
                    self.session.send(update::message(&note));
                    return EditorText::Unknown;
                }
                EditorText::Text(text.to_owned())
            }
            Err(rpc::RpcFault::Late(_)) => {
                self.is_silent = true;
                let note = "the editor offers its texts and does not answer: files are taken from the disk\n";
                self.session.send(update::message(note));
                match self.texts.is_empty() {
                    true => EditorText::None,
                    false => EditorText::Unknown,
                }
            }
            // A file that the editor does not have, such as one that is made.
            Err(_) => EditorText::None,
        }
    }

    fn disk(&self, path: &ProjectPath) -> Option<String> {
        let bytes = untrusted_fs::read_source(&self.session.root, path.as_str())?;
        String::from_utf8(bytes).ok()
    }

    fn differs(&self, path: &ProjectPath, text: &str) -> bool {
        self.disk(path).is_none_or(|it| it != text)
    }
}

/// Answer of the editor to the question for a file.
enum EditorText {
    /// Its text.
    Text(String),
    /// The editor does not have it, or offers no texts: the file on the disk is used.
    None,
    /// It has one that is not known.
    Unknown,
}

/// The beginning of the hash of a text.
fn short(text: &str) -> String {
    let mut hash = ContentHash::of(text.as_bytes()).to_string();
    hash.truncate(12);
    hash
}
