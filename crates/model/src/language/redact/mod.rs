//! Removal of secrets from texts before they are sent: keys of known providers by their format,
//! private keys, passwords in addresses, random values that are assigned to a name like `password`,
//! and the values of secret variables of the environment.
//!
//! Deterministic and idempotent. A secret is replaced by `[redacted:KIND]`; the report has the kind
//! and the line, never the secret. Ordinary code – hashes, tables, identifiers – is left alone: a
//! value without a known format needs a secret name *and* the look of random characters.

mod assigned;
mod formats;
mod random;

use std::ops::Range;

use base::{SortedMap, SortedSet};
use serde::{Deserialize, Serialize};

/// Start of every replacement: a model's text that contains it is not a text of the project.
pub(crate) const REDACTED: &str = "[redacted:";
/// Fewest bytes of a variable's value that is removed.
const MIN_VALUE: usize = 8;
/// Passes until nothing is found; the second finds something only in contrived texts.
const MAX_PASSES: usize = 8;

base::named_enum! {
    /// Kind of a secret.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SecretKind {
        /// Key of a provider of models.
        ProviderKey = "provider-key",
        /// Key of AWS.
        Aws = "aws",
        /// Token of GitHub or GitLab.
        GitHost = "git-host",
        /// Token of Slack.
        Slack = "slack",
        /// Key or token of Google.
        Google = "google",
        /// Key of Stripe.
        Stripe = "stripe",
        /// Token of a package registry.
        Registry = "registry",
        /// JSON Web Token.
        Jwt = "jwt",
        /// Private key in PEM format.
        PrivateKey = "private-key",
        /// Password in an address.
        UrlPassword = "url-password",
        /// Token of an `Authorization` header.
        Authorization = "authorization",
        /// Random value that is assigned to a secret name.
        Assigned = "assigned",
        /// Value of a secret variable of the environment.
        Environment = "environment",
    }
}

/// One removed secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redaction {
    /// Kind.
    pub kind: SecretKind,
    /// Line in the text, from 1.
    pub line: usize,
}

/// Removes secrets from texts.
#[derive(Clone, Default)]
pub(crate) struct Redactor {
    /// Values of secret variables, the longest first.
    values: Vec<String>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Redactor({} values)", self.values.len())
    }
}

/// Removes secrets with a known format from `text`.
pub fn redact(text: &str) -> (String, Vec<Redaction>) {
    Redactor::default().redact(text)
}

impl Redactor {
    /// Also removes the values of the environment's secret variables, known by their names.
    pub(crate) fn new(environment: &SortedMap<String, String>) -> Self {
        let secret = environment.iter().filter(|(name, _)| assigned::is_secret_variable(name));
        let values: SortedSet<&String> =
            secret.map(|(_, value)| value).filter(|value| is_removable(value)).collect();
        let mut values: Vec<String> = values.into_iter().cloned().collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self { values }
    }

    /// Removes secrets from `text`.
    pub(crate) fn redact(&self, text: &str) -> (String, Vec<Redaction>) {
        let mut redactions = Vec::new();
        let mut text = text.to_owned();
        for _ in 0..MAX_PASSES {
            let before = redactions.len();
            if let Some(next) = self.pass(&text, &mut redactions) {
                text = next;
            }
            if redactions.len() == before {
                break;
            }
        }
        (text, redactions)
    }

    /// One pass; `None` where there is no secret.
    fn pass(&self, text: &str, redactions: &mut Vec<Redaction>) -> Option<String> {
        let mut out = String::new();
        let (mut at, mut copied, mut line) = (0, 0, 1);
        let bytes = text.as_bytes();
        while at < bytes.len() {
            let Some((kind, range)) = self.secret_at(text, at) else {
                line += usize::from(bytes[at] == b'\n');
                at += 1;
                continue;
            };
            line += lines(&bytes[at..range.start]);
            redactions.push(Redaction { kind, line });
            line += lines(&bytes[range.clone()]);
            out.push_str(text.get(copied..range.start).unwrap_or_default());
            out.push_str(REDACTED);
            out.push_str(kind.as_str());
            out.push(']');
            (copied, at) = (range.end, range.end);
        }
        if copied == 0 {
            return None;
        }
        out.push_str(text.get(copied..).unwrap_or_default());
        Some(out)
    }

    /// The secret whose format, name or value starts at the byte `at`. Its range is not empty,
    /// starts and ends at character boundaries, and starts at `at` or later.
    fn secret_at(&self, text: &str, at: usize) -> Option<(SecretKind, Range<usize>)> {
        let rest = text.as_bytes().get(at..)?;
        if let Some(value) = self.values.iter().find(|value| rest.starts_with(value.as_bytes())) {
            return Some((SecretKind::Environment, at..at + value.len()));
        }
        formats::secret_at(text, at).or_else(|| assigned::secret_at(text, at))
    }
}

fn lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Whether the value of a secret variable can be removed from texts without damage: it is long
/// enough, is no path, no number and no word.
fn is_removable(value: &str) -> bool {
    let has = |is: fn(&char) -> bool| value.chars().any(|ch| is(&ch));
    let is_word = !has(|ch| ch.is_ascii_digit()) && !has(char::is_ascii_punctuation);
    value.len() >= MIN_VALUE
        && !value.starts_with(['/', '.', '~'])
        && !value.bytes().all(|byte| byte.is_ascii_digit())
        && (!is_word || value.len() >= 2 * MIN_VALUE)
        && !SecretKind::ALL
            .iter()
            .any(|kind| format!("{REDACTED}{}]", kind.as_str()).contains(value))
}

#[cfg(test)]
mod tests;
