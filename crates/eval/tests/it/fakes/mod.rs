//! Fakes of the product and the machine.

mod machine;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::Ctx;
use graftage_eval::{Answer, Fixer};

pub(crate) use machine::machine;

/// Answers by the text of the source.
#[derive(Default)]
pub(crate) struct Scripted {
    replies: Vec<(String, Reply)>,
    calls: AtomicUsize,
    cancel: Option<(usize, Arc<testkit::TestHost>)>,
}

enum Reply {
    Apply { from: String, to: String },
    Draft(String),
    Choices(Vec<String>),
    Nothing,
}

impl Scripted {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn applies(mut self, source_text: &str, from: &str, to: &str) -> Self {
        let reply = Reply::Apply { from: from.to_owned(), to: to.to_owned() };
        self.replies.push((source_text.to_owned(), reply));
        self
    }

    pub(crate) fn drafts(mut self, source_text: &str, diff: &str) -> Self {
        self.replies.push((source_text.to_owned(), Reply::Draft(diff.to_owned())));
        self
    }

    pub(crate) fn offers(mut self, source_text: &str, diffs: &[&str]) -> Self {
        let diffs = diffs.iter().map(|it| (*it).to_owned()).collect();
        self.replies.push((source_text.to_owned(), Reply::Choices(diffs)));
        self
    }

    pub(crate) fn nothing(mut self, source_text: &str) -> Self {
        self.replies.push((source_text.to_owned(), Reply::Nothing));
        self
    }

    /// Cancels when the call with this number begins.
    pub(crate) fn cancelling_at(mut self, call: usize, host: Arc<testkit::TestHost>) -> Self {
        self.cancel = Some((call, host));
        self
    }

    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

impl Fixer for Scripted {
    fn fix(&self, _ctx: &Ctx, root: &Path) -> Answer {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some((at, host)) = &self.cancel
            && *at == call
        {
            host.cancel();
        }
        let path = ["src/main.rs", "src/lib.rs"]
            .into_iter()
            .map(|name| root.join(name))
            .find(|path| path.exists())
            .unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let (_, reply) = self.replies.iter().find(|(mark, _)| text.contains(mark)).unwrap();
        let outcome = |outcome: &str| Answer { outcome: outcome.to_owned(), ..Answer::default() };
        match reply {
            Reply::Apply { from, to } => {
                std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
                outcome("applied")
            }
            Reply::Draft(diff) => Answer { draft: Some(diff.clone()), ..outcome("draft") },
            Reply::Choices(diffs) => Answer { choices: diffs.clone(), ..outcome("draft") },
            Reply::Nothing => outcome("none"),
        }
    }
}
