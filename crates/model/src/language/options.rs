//! Options of a provider: address, model, key and limits.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::error::TurnError;
use crate::address::{self, AddressProblem};

/// A provider's key. No format of it shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key of visible ASCII characters.
    ///
    /// # Errors
    /// Other characters, which no header can contain.
    pub fn new(key: &str) -> Result<Self, TurnError> {
        let key = key.trim();
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(TurnError::Settings {
                reason: "the key is empty or has other characters than visible ASCII".to_owned(),
                fix: "copy the key again".to_owned(),
            });
        }
        Ok(Self(key.to_owned()))
    }

    /// The key, for a header.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// Limits of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnLimits {
    /// Longest time to resolve the name of the host, and then to connect.
    pub connect: Duration,
    /// Longest time without a byte from the provider.
    pub idle: Duration,
    /// Longest time for the whole answer.
    pub total: Duration,
    /// Maximum size of the answer in bytes.
    pub max_bytes: u64,
}

impl TurnLimits {
    /// Limits for an address. A server on this machine may compute minutes before its first token.
    pub fn for_address(url: &str) -> Self {
        let (idle, total) = if address::is_local(url) { (600, 1800) } else { (120, 900) };
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(idle),
            total: Duration::from_secs(total),
            max_bytes: 8 << 20,
        }
    }
}

/// Options of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderOptions {
    /// Address: only the host (`https://api.example.com`), or with a path (`http://host/v1`).
    pub url: String,
    /// Socket of a server on this machine, in place of the address.
    pub socket: Option<PathBuf>,
    /// Name of the model; may be empty for servers with one model.
    pub model: String,
    /// Key.
    pub key: Option<ApiKey>,
    /// Limits of one request.
    pub limits: TurnLimits,
}

impl ProviderOptions {
    /// The full URL of the endpoint `/v1{tail}`, validated.
    pub(super) fn endpoint(&self, tail: &str) -> Result<String, TurnError> {
        let settings =
            |reason: String, fix: &str| TurnError::Settings { reason, fix: fix.to_owned() };
        address::validate(&self.url, self.key.is_some()).map_err(|problem| match problem {
            AddressProblem::Invalid(reason) => settings(
                format!("`{}` is not a valid address: {reason}", address::shown(&self.url)),
                "give an address like `http://127.0.0.1:8080`",
            ),
            AddressProblem::NoTls => settings(
                "this build has no `tls`, which the address needs".to_owned(),
                "build with `--features tls`, or give the address of a server on this machine",
            ),
        })?;
        if self.url.contains(['?', '#']) {
            return Err(settings(
                format!("`{}` has a query, which may contain a key", address::shown(&self.url)),
                "give the address without what follows `?`; keys are read from the environment",
            ));
        }
        let url = self.url.trim_end_matches('/');
        let path = url.splitn(4, '/').nth(3).unwrap_or_default();
        Ok(match path {
            "" => format!("{url}/v1{tail}"),
            path if format!("/{path}").ends_with(tail) => url.to_owned(),
            _ => format!("{url}{tail}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(url: &str) -> ProviderOptions {
        ProviderOptions {
            url: url.to_owned(),
            socket: None,
            model: "m".to_owned(),
            key: None,
            limits: TurnLimits::for_address(url),
        }
    }

    #[test]
    fn an_address_is_completed_to_the_endpoint() {
        for (url, want) in [
            ("http://localhost:1", "http://localhost:1/v1/messages"),
            ("http://localhost:1/", "http://localhost:1/v1/messages"),
            ("http://localhost:1/v1/", "http://localhost:1/v1/messages"),
            ("http://localhost:1/a/b", "http://localhost:1/a/b/messages"),
            ("http://localhost:1/v1/messages", "http://localhost:1/v1/messages"),
        ] {
            assert_eq!(options(url).endpoint("/messages").as_deref(), Ok(want));
        }
        assert!(options("localhost:1").endpoint("/messages").is_err());
        let with_query = options("http://localhost:1/v1?key=abc").endpoint("/messages");
        assert!(!with_query.unwrap_err().to_string().contains("abc"));
    }

    #[test]
    fn a_key_is_in_no_message_and_not_sent_unencrypted() {
        let key = "k-1234567890";
        let with_key = ProviderOptions {
            key: Some(ApiKey::new(key).unwrap()),
            ..options("http://example.org")
        };
        let refused = with_key.endpoint("/messages").unwrap_err();
        assert!(!format!("{refused} {refused:?} {with_key:?}").contains(key));
        assert!(ApiKey::new("a\r\nx-evil: 1").is_err());
    }
}
