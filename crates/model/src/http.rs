//! A reranker over HTTP. Requests are bounded in size and time; no redirect is followed.

use std::time::Duration;

use search::{Rerank, RerankInput};
use serde_json::json;

use crate::address::{self, AddressProblem};
use crate::breaker::{Breaker, RerankError};
use crate::error::ModelError;
use crate::reply;

/// Maximum length of a text in a request, in bytes: rerankers read a few hundred tokens.
const MAX_TEXT: usize = 4_000;
/// Maximum length of the query, in bytes.
const MAX_QUERY: usize = 8_000;
/// Maximum length of a response, in bytes.
const MAX_RESPONSE: u64 = 1 << 20;

/// The JSON format of a server's requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestFormat {
    /// `documents` and `top_n`: hosted rerankers, llama.cpp, vLLM and most others.
    #[default]
    Documents,
    /// `texts`: text-embeddings-inference.
    Texts,
}

/// The address and parameters of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpOptions {
    /// Full URL of the endpoint.
    pub url: String,
    /// Model name, for servers with several models; empty: not sent.
    pub model: String,
    /// Key, sent as a bearer token.
    pub key: Option<String>,
    /// Format of requests.
    pub shape: RequestFormat,
    /// Timeout of one request.
    pub timeout: Duration,
}

impl HttpOptions {
    /// Whether the address is on this machine.
    pub fn is_local(&self) -> bool {
        address::is_local(&self.url)
    }
}

/// A client that has a server rerank the best candidates.
pub struct HttpRerank {
    options: HttpOptions,
    agent: ureq::Agent,
    breaker: Breaker,
}

impl HttpRerank {
    /// Validates the address; sends nothing.
    ///
    /// # Errors
    /// The address is invalid, or needs a feature that this build lacks.
    pub fn new(options: HttpOptions) -> Result<Self, ModelError> {
        address::validate(&options.url, options.key.is_some()).map_err(
            |problem| match problem {
                AddressProblem::Invalid(reason) => ModelError::Address {
                    url: address::shown(&options.url).to_owned(),
                    reason: reason.to_owned(),
                },
                AddressProblem::NoTls => ModelError::NotBuilt { feature: "tls" },
            },
        )?;
        let agent = address::fixed_agent(None, |it| it.timeout_global(Some(options.timeout)));
        Ok(Self { options, agent, breaker: Breaker::default() })
    }

    fn ask(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, RerankError> {
        let HttpOptions { model, shape, .. } = &self.options;
        let query = start_of(query, MAX_QUERY);
        let mut question = match shape {
            RequestFormat::Documents => json!({
                "query": query,
                "documents": texts,
                "top_n": texts.len(),
                "return_documents": false,
            }),
            RequestFormat::Texts => json!({ "query": query, "texts": texts, "truncate": true }),
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
            request.send(question.to_string().as_bytes()).map_err(|error| self.error_of(&error))?;
        let status = response.status().as_u16();
        if status != 200 {
            return Err(RerankError::Status { status });
        }
        let body = response.body_mut().with_config().limit(MAX_RESPONSE).read_to_vec();
        reply::scores(&body.map_err(|error| self.error_of(&error))?, texts.len())
    }

    fn error_of(&self, error: &ureq::Error) -> RerankError {
        match error {
            ureq::Error::Timeout(_) => {
                RerankError::TimeOut { limit_ms: self.options.timeout.as_millis() as u64 }
            }
            ureq::Error::BodyExceedsLimit(limit) => {
                RerankError::Answer { reason: format!("it has more than {limit} bytes") }
            }
            error => RerankError::Unreachable { reason: error.to_string() },
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

/// The text that a reranker gets for a candidate: its path, then its code.
pub(crate) fn shown(candidate: &RerankInput) -> String {
    match candidate.text == candidate.canon {
        true => candidate.canon.clone(),
        false => format!("{}\n{}", candidate.canon, start_of(&candidate.text, MAX_TEXT)),
    }
}

/// The longest prefix of at most `most` bytes, at a character boundary.
fn start_of(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(url: &str) -> HttpOptions {
        HttpOptions {
            url: url.to_owned(),
            model: String::new(),
            key: None,
            shape: RequestFormat::Documents,
            timeout: Duration::from_secs(1),
        }
    }

    #[test]
    fn addresses_are_validated_before_any_request() {
        assert!(HttpRerank::new(options("http://127.0.0.1:1/rerank")).is_ok());
        for url in ["", "ftp://x/y", "http://", "http:///rerank", "http://a b/", "127.0.0.1:1"] {
            let made = HttpRerank::new(options(url)).err();
            assert!(matches!(made, Some(ModelError::Address { .. })), "{url}");
        }
        let secret = HttpRerank::new(options("http://me:secret@host/rerank")).err();
        assert!(!secret.map(|it| it.to_string()).unwrap_or_default().contains("secret"));
    }

    #[test]
    fn a_key_is_sent_unencrypted_only_to_this_machine() {
        let with_key = |url: &str| HttpOptions { key: Some("k".to_owned()), ..options(url) };
        assert!(HttpRerank::new(with_key("http://localhost:8080/v1/rerank")).is_ok());
        assert!(HttpRerank::new(with_key("http://[::1]:8080/v1/rerank")).is_ok());
        assert!(HttpRerank::new(with_key("http://example.org/v1/rerank")).is_err());
        assert!(HttpRerank::new(with_key("http://127.0.0.1.example.org/")).is_err());
    }

    #[test]
    fn texts_are_truncated_at_character_boundaries() {
        assert_eq!(start_of("aéb", 2), "a");
        assert_eq!(start_of("aéb", 3), "aé");
        assert_eq!(start_of("ab", 9), "ab");
    }
}
