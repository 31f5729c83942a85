//! Commit messages: their format, their limits, and a check for secrets.

use base::Hint;
use serde::{Deserialize, Serialize};

/// A conventional commit message: `kind(scope): summary`, with a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitMessage {
    /// One of `KINDS`.
    pub kind: String,
    /// The part of the project, one word.
    pub scope: Option<String>,
    /// The summary of the change.
    pub summary: String,
    /// The paragraphs of the body, such as the diagnostics that were fixed.
    pub body: Vec<String>,
}

/// The types that a subject may begin with.
pub(crate) const KINDS: [&str; 11] =
    ["build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test"];

/// The maximum number of characters in a subject.
pub(crate) const SUBJECT_LIMIT: usize = 72;

/// The reason why a message is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageFault {
    /// The type is not conventional.
    #[error("type `{0}` is not a conventional one")]
    Kind(String),
    /// The scope is not one word.
    #[error("scope `{0}` is not one word")]
    Scope(String),
    /// There is no summary.
    #[error("the summary is empty")]
    NoSummary,
    /// The subject is too long.
    #[error("the subject has {characters} characters, the limit is {SUBJECT_LIMIT}")]
    TooLong {
        /// Its length, the overlay's mark included.
        characters: usize,
    },
    /// A character that is not allowed in messages.
    #[error("character {0:?} is a control character")]
    Control(char),
    /// Something that looks like a key, token or password.
    #[error("it seems to hold a secret ({0})")]
    Secret(&'static str),
}

impl Hint for MessageFault {
    fn hint(&self) -> Option<String> {
        Some(match self {
            MessageFault::Kind(_) => format!("use one of {}", KINDS.join(", ")),
            MessageFault::Scope(_) => "use letters, digits, `-`, `_`, `.` and `/`".to_owned(),
            MessageFault::NoSummary => "summarise the change in a few words".to_owned(),
            MessageFault::TooLong { .. } => {
                "shorten the summary and put the rest into the body".to_owned()
            }
            MessageFault::Control(_) => "remove the character".to_owned(),
            MessageFault::Secret(_) => "remove it, and renew it if it was real".to_owned(),
        })
    }
}

impl CommitMessage {
    /// The subject line with the overlay's mark: `fix(scope): summary [overlay:1a2b3c4d]`.
    pub(crate) fn subject(&self, overlay: &str) -> String {
        let scope = self.scope.as_ref().map_or(String::new(), |scope| format!("({scope})"));
        format!("{}{scope}: {} [overlay:{overlay}]", self.kind, self.summary)
    }

    /// The maximum number of characters of a summary with this type and scope.
    pub(crate) fn summary_limit(kind: &str, scope: Option<&str>) -> usize {
        let scope = scope.map_or(0, |scope| scope.chars().count() + 2);
        SUBJECT_LIMIT
            .saturating_sub(kind.chars().count() + scope + ": ".len() + " [overlay:12345678]".len())
    }

    /// The same message with a summary that fits into one subject line; a shortened summary is
    /// complete in the first paragraph of the body.
    pub fn fitted(mut self) -> Self {
        let limit = Self::summary_limit(&self.kind, self.scope.as_deref());
        if self.summary.chars().count() > limit {
            let kept: String = self.summary.chars().take(limit.saturating_sub(1)).collect();
            let kept = format!("{}…", kept.trim_end());
            self.body.insert(0, std::mem::replace(&mut self.summary, kept));
        }
        self
    }

    /// Refuses content that is not allowed in a commit. `overlay`: the mark, 8 characters.
    ///
    /// # Errors
    /// The first fault, in the order of [`MessageFault`].
    pub(crate) fn guard(&self, overlay: &str) -> Result<(), MessageFault> {
        if !KINDS.contains(&self.kind.as_str()) {
            return Err(MessageFault::Kind(self.kind.clone()));
        }
        if let Some(scope) = &self.scope {
            let is_word = |c: char| c.is_alphanumeric() || "-_./".contains(c);
            if scope.is_empty() || !scope.chars().all(is_word) {
                return Err(MessageFault::Scope(scope.clone()));
            }
        }
        if self.summary.trim().is_empty() {
            return Err(MessageFault::NoSummary);
        }
        let subject = self.subject(overlay);
        let characters = subject.chars().count();
        if characters > SUBJECT_LIMIT {
            return Err(MessageFault::TooLong { characters });
        }
        if let Some(c) = subject.chars().find(|c| is_harmful(*c)) {
            return Err(MessageFault::Control(c));
        }
        for paragraph in &self.body {
            let harmful = |c: &char| is_harmful(*c) && *c != '\n' && *c != '\t';
            if let Some(c) = paragraph.chars().find(harmful) {
                return Err(MessageFault::Control(c));
            }
        }
        match std::iter::once(&subject).chain(&self.body).find_map(|text| secret(text)) {
            Some(what) => Err(MessageFault::Secret(what)),
            None => Ok(()),
        }
    }
}

/// Control characters, and those that reorder what a terminal shows.
fn is_harmful(c: char) -> bool {
    c.is_control() || base::is_hidden(c)
}

/// The kind of secret that a text seems to contain; only patterns that are rarely harmless.
fn secret(text: &str) -> Option<&'static str> {
    if text.contains("-----BEGIN") && text.contains("PRIVATE KEY") {
        return Some("a private key");
    }
    let separator = |c: char| c.is_whitespace() || "\"'`()[]{}<>,;=".contains(c);
    for word in text.split(separator) {
        for (prefix, least, what) in PREFIXES {
            let rest = word.strip_prefix(prefix).unwrap_or_default();
            let is_token = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            if rest.len() >= *least && rest.chars().all(is_token) {
                return Some(what);
            }
        }
        if let Some((_, rest)) = word.split_once("://")
            && let Some((user, _)) = rest.split_once('@')
            && let Some((_, password)) = user.split_once(':')
            && !password.is_empty()
            && !user.contains('/')
        {
            return Some("a password in an address");
        }
    }
    let lower = text.to_lowercase();
    for name in ["password", "passwd", "secret", "api_key", "apikey", "api-key", "access_token"] {
        let Some(at) = lower.find(name) else { continue };
        let rest = lower[at + name.len()..].trim_start();
        if let Some(value) = rest.strip_prefix('=').or_else(|| rest.strip_prefix(':')) {
            let value = value.trim_start().trim_start_matches(['"', '\'', '`']);
            let word = value.split(separator).next().unwrap_or_default();
            let has_digit = word.chars().any(|c| c.is_ascii_digit());
            if word.chars().count() >= 8 && has_digit {
                return Some("a password or key");
            }
        }
    }
    None
}

/// The prefixes of well-known tokens, with the minimum length of the rest.
const PREFIXES: &[(&str, usize, &str)] = &[
    ("AKIA", 16, "an access key"),
    ("ASIA", 16, "an access key"),
    ("ghp_", 30, "a token"),
    ("gho_", 30, "a token"),
    ("ghs_", 30, "a token"),
    ("ghu_", 30, "a token"),
    ("github_pat_", 30, "a token"),
    ("glpat-", 18, "a token"),
    ("sk-", 20, "an API key"),
    ("xoxb-", 20, "a token"),
    ("xoxp-", 20, "a token"),
    ("AIza", 30, "an API key"),
    ("npm_", 30, "a token"),
    ("cio", 32, "a token"),
    ("eyJhbGciOi", 20, "a signed token"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str, scope: Option<&str>, summary: &str) -> CommitMessage {
        CommitMessage {
            kind: kind.into(),
            scope: scope.map(Into::into),
            summary: summary.into(),
            body: Vec::new(),
        }
    }

    #[test]
    fn a_conventional_message_passes() {
        let message = message("fix", Some("parser"), "borrow instead of move");
        assert_eq!(message.guard("12345678"), Ok(()));
        assert_eq!(
            message.subject("12345678"),
            "fix(parser): borrow instead of move [overlay:12345678]"
        );
    }

    #[test]
    fn each_fault_is_named() {
        let check = |message: CommitMessage| message.guard("12345678").unwrap_err();
        assert_eq!(check(message("fixed", None, "x")), MessageFault::Kind("fixed".into()));
        assert_eq!(check(message("fix", Some("a b"), "x")), MessageFault::Scope("a b".into()));
        assert_eq!(check(message("fix", None, " ")), MessageFault::NoSummary);
        assert_eq!(
            check(message("fix", None, &"x".repeat(80))),
            MessageFault::TooLong { characters: 104 }
        );
        assert_eq!(check(message("fix", None, "a\u{1b}[2J")), MessageFault::Control('\u{1b}'));
        assert_eq!(check(message("fix", None, "a\u{202e}b")), MessageFault::Control('\u{202e}'));
    }

    #[test]
    fn secrets_are_kept_out_of_the_message() {
        for text in [
            "use AKIAIOSFODNN7EXAMPLE",
            "token ghp_0123456789abcdefghijABCDEFGHIJ0123",
            "password = \"hunter2hunter2\"",
            "fetch https://user:pw@example.invalid/x",
            "-----BEGIN RSA PRIVATE KEY-----",
        ] {
            let mut message = message("fix", None, "x");
            message.body.push(text.into());
            let fault = message.guard("12345678").unwrap_err();
            assert!(matches!(fault, MessageFault::Secret(_)), "{text}");
        }
    }

    #[test]
    fn talk_of_secrets_is_no_secret() {
        for text in ["read the password: from stdin", "add field `api_key: String`", "sk-learn"] {
            let mut message = message("fix", None, "x");
            message.body.push(text.into());
            assert_eq!(message.guard("12345678"), Ok(()), "{text}");
        }
    }

    #[test]
    fn a_long_summary_is_shortened_and_complete_in_the_body() {
        let long = "replace the moved value by a borrow of it in every caller of parse".to_owned();
        let fitted = message("fix", Some("parser"), &long).fitted();
        assert_eq!(fitted.guard("12345678"), Ok(()));
        assert_eq!(fitted.body, [long]);
    }
}
