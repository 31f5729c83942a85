//! What an agent has sent and read, in tokens.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use base::SortedSet;
use serde_json::Value;
use tiktoken_rs::CoreBPE;

static O200K: LazyLock<CoreBPE> = LazyLock::new(|| tiktoken_rs::o200k_base().unwrap());

/// Number of tokens of a text.
pub(crate) fn tokens(text: &str) -> usize {
    O200K.encode_ordinary(text).len()
}

/// One call: what the model wrote, and what it read.
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) input: String,
    pub(crate) output: String,
}

/// The calls of a task.
pub(crate) struct Log {
    pub(crate) calls: Vec<Call>,
    /// All lines read, without indentation.
    lines: SortedSet<String>,
    started: Instant,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self { calls: Vec::new(), lines: SortedSet::new(), started: Instant::now() }
    }

    pub(crate) fn add(&mut self, tool: &str, input: &Value, output: String) {
        self.calls.push(Call { tool: tool.to_owned(), input: input.to_string(), output });
    }

    /// Notes code that the agent has read.
    pub(crate) fn saw(&mut self, code: &str) {
        self.lines.extend(code.lines().map(|line| line.trim().to_owned()));
    }

    /// Whether all lines of a code have been read.
    pub(crate) fn has_seen(&self, code: &str) -> bool {
        code.lines().all(|line| line.trim().is_empty() || self.lines.contains(line.trim()))
    }

    /// Whether one answer, with its question, has all of these words.
    pub(crate) fn one_has(&self, words: &[&str]) -> bool {
        let has = |call: &Call, word: &str| {
            has_word(&call.output, word) || call.tool == "read" && call.input.contains(word)
        };
        self.calls.iter().any(|call| words.iter().all(|word| has(call, word)))
    }

    pub(crate) fn tokens(&self) -> usize {
        self.calls.iter().map(|it| tokens(&it.tool) + tokens(&it.input) + tokens(&it.output)).sum()
    }

    pub(crate) fn wall(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Whether the text has the word, not as a part of a longer one.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        !part(text[..at].chars().next_back()) && !part(text[at + word.len()..].chars().next())
    })
}
