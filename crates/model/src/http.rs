//! A reranker behind HTTP.

use std::time::Duration;

use search::{Rerank, RerankInput};
use serde_json::json;

use crate::breaker::{Breaker, Trouble};
use crate::error::ModelError;
use crate::reply;

/// So much of a text is sent: rerankers read a few hundred tokens.
const MOST_TEXT: usize = 4_000;
/// And so much of a query.
const MOST_QUERY: usize = 8_000;
/// So many bytes of an answer are read.
const MOST_ANSWER: u64 = 1 << 20;

/// How a server wants to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// `documents` and `top_n`: hosted rerankers, llama.cpp, vLLM and most others.
    #[default]
    Documents,
    /// `texts`: text-embeddings-inference.
    Texts,
}

/// Whom to ask, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpOptions {
    /// The whole address of the endpoint.
    pub url: String,
    /// Which model, where the server has several.
    pub model: String,
    /// Sent as a bearer token.
    pub key: Option<String>,
    /// How it wants to be asked.
    pub shape: Shape,
    /// How long all of it may take.
    pub patience: Duration,
}

impl HttpOptions {
    /// Whether the address is on this machine.
    pub fn is_local(&self) -> bool {
        let authority = authority_of(&self.url).unwrap_or_default();
        let host = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, _)) => host,
            None => authority.split(':').next().unwrap_or_default(),
        };
        let address = host.parse::<std::net::IpAddr>();
        host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|it| it.is_loopback())
    }
}

/// Asks a server for the order of the best candidates.
pub struct HttpRerank {
    options: HttpOptions,
    agent: ureq::Agent,
    breaker: Breaker,
}

impl HttpRerank {
    /// Looks at the address; nobody is asked yet.
    ///
    /// # Errors
    /// Where the address is none, or needs what this build has not.
    pub fn new(options: HttpOptions) -> Result<Self, ModelError> {
        let refused = |reason: &str| ModelError::Address {
            // What stands before an `@` may be a secret.
            url: options.url.rsplit('@').next().unwrap_or_default().to_owned(),
            reason: reason.to_owned(),
        };
        let authority = authority_of(&options.url)
            .ok_or_else(|| refused("it begins with neither `http://` nor `https://`"))?;
        if authority.is_empty() || options.url.contains(char::is_whitespace) {
            return Err(refused("it names no server"));
        }
        if authority.contains('@') {
            return Err(refused("it holds a name or password"));
        }
        let is_tls = options.url.starts_with("https://");
        if is_tls && cfg!(not(feature = "tls")) {
            return Err(ModelError::NotBuilt { feature: "tls" });
        }
        if !is_tls && options.key.is_some() && !options.is_local() {
            return Err(refused("a key is not sent in the clear to another machine"));
        }
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(options.patience))
            // The address that was given is the only one, whoever answers there or sets a proxy.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .http_status_as_error(false)
            .max_idle_connections(1)
            .user_agent("graftage")
            .build();
        Ok(Self { options, agent: config.into(), breaker: Breaker::default() })
    }

    /// Why the last question had no answer, if it had none.
    pub fn trouble(&self) -> Option<Trouble> {
        self.breaker.trouble()
    }

    fn ask(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, Trouble> {
        let HttpOptions { model, shape, .. } = &self.options;
        let query = start_of(query, MOST_QUERY);
        let mut question = match shape {
            Shape::Documents => json!({
                "query": query,
                "documents": texts,
                "top_n": texts.len(),
                "return_documents": false,
            }),
            Shape::Texts => json!({ "query": query, "texts": texts, "truncate": true }),
        };
        if !model.is_empty() {
            question["model"] = json!(model);
        }
        let mut request =
            self.agent.post(&self.options.url).header("content-type", "application/json");
        if let Some(key) = &self.options.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut response =
            request.send(question.to_string().as_bytes()).map_err(|error| self.told(&error))?;
        let status = response.status().as_u16();
        if status != 200 {
            return Err(Trouble::Status { status });
        }
        let body = response.body_mut().with_config().limit(MOST_ANSWER).read_to_vec();
        reply::scores(&body.map_err(|error| self.told(&error))?, texts.len())
    }

    fn told(&self, error: &ureq::Error) -> Trouble {
        match error {
            ureq::Error::Timeout(_) => {
                Trouble::TimeOut { limit_ms: self.options.patience.as_millis() as u64 }
            }
            ureq::Error::BodyExceedsLimit(limit) => {
                Trouble::Answer { reason: format!("it has more than {limit} bytes") }
            }
            error => Trouble::Unreachable { reason: error.to_string() },
        }
    }
}

impl Rerank for HttpRerank {
    fn name(&self) -> &str {
        if self.options.model.is_empty() { &self.options.url } else { &self.options.model }
    }

    fn rerank(&self, query: &str, candidates: &[RerankInput]) -> Option<Vec<f32>> {
        let texts: Vec<String> = candidates.iter().map(shown).collect();
        self.breaker.ask(|| self.ask(query, &texts))
    }

    fn trouble(&self) -> Option<String> {
        self.breaker.trouble().map(|trouble| trouble.to_string())
    }
}

/// What a reranker reads of a candidate: its path, then its text.
pub(crate) fn shown(candidate: &RerankInput) -> String {
    match candidate.text == candidate.canon {
        true => candidate.canon.clone(),
        false => format!("{}\n{}", candidate.canon, start_of(&candidate.text, MOST_TEXT)),
    }
}

/// As much of the start as fits, in whole characters.
fn start_of(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// Server and port.
fn authority_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    rest.split(['/', '?', '#']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(url: &str) -> HttpOptions {
        HttpOptions {
            url: url.to_owned(),
            model: String::new(),
            key: None,
            shape: Shape::Documents,
            patience: Duration::from_secs(1),
        }
    }

    #[test]
    fn addresses_are_looked_at_before_anybody_is_asked() {
        assert!(HttpRerank::new(options("http://127.0.0.1:1/rerank")).is_ok());
        for url in ["", "ftp://x/y", "http://", "http:///rerank", "http://a b/", "127.0.0.1:1"] {
            let made = HttpRerank::new(options(url)).err();
            assert!(matches!(made, Some(ModelError::Address { .. })), "{url}");
        }
        let secret = HttpRerank::new(options("http://me:secret@host/rerank")).err();
        assert!(!secret.map(|it| it.to_string()).unwrap_or_default().contains("secret"));
    }

    #[test]
    fn a_key_goes_in_the_clear_to_this_machine_alone() {
        let with_key = |url: &str| HttpOptions { key: Some("k".to_owned()), ..options(url) };
        assert!(HttpRerank::new(with_key("http://localhost:8080/v1/rerank")).is_ok());
        assert!(HttpRerank::new(with_key("http://[::1]:8080/v1/rerank")).is_ok());
        assert!(HttpRerank::new(with_key("http://example.org/v1/rerank")).is_err());
        assert!(HttpRerank::new(with_key("http://127.0.0.1.example.org/")).is_err());
    }

    #[test]
    fn texts_are_cut_in_whole_characters() {
        assert_eq!(start_of("aéb", 2), "a");
        assert_eq!(start_of("aéb", 3), "aé");
        assert_eq!(start_of("ab", 9), "ab");
    }
}
