//! A circuit breaker for rerankers: after a failure it is skipped for a while, so that searches do
//! not wait for a server that is down.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time for which a failed reranker is skipped.
const COOLDOWN: Duration = Duration::from_secs(30);

/// Why a reranker returned no scores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RerankError {
    /// The server cannot be reached, or the connection failed.
    #[error("the reranker cannot be reached: {reason}")]
    Unreachable {
        /// Message of the HTTP client.
        reason: String,
    },
    /// The request timed out.
    #[error("the reranker timed out after {limit_ms} ms")]
    TimeOut {
        /// Timeout in milliseconds.
        limit_ms: u64,
    },
    /// The server returned an error status.
    #[error("the reranker returned HTTP status {status}")]
    Status {
        /// HTTP status.
        status: u16,
    },
    /// The response has no valid score for each candidate.
    #[error("the reranker returned an invalid response: {reason}")]
    Answer {
        /// Reason.
        reason: String,
    },
    /// A local model failed.
    #[error("the model failed: {reason}")]
    Model {
        /// Reason.
        reason: String,
    },
}

/// Keeps the last error and skips calls for `COOLDOWN` after it.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    last: Mutex<Option<(RerankError, Instant)>>,
}

impl Breaker {
    /// Calls `ask`, unless the last call failed less than `COOLDOWN` ago; keeps its error.
    pub(crate) fn ask<T>(&self, ask: impl FnOnce() -> Result<T, RerankError>) -> Option<T> {
        if base::lock(&self.last).as_ref().is_some_and(|(_, since)| since.elapsed() < COOLDOWN) {
            return None;
        }
        let answer = ask();
        let mut last = base::lock(&self.last);
        match answer {
            Ok(answer) => {
                *last = None;
                Some(answer)
            }
            Err(trouble) => {
                *last = Some((trouble, Instant::now()));
                None
            }
        }
    }

    /// The error of the last call, if it failed.
    pub(crate) fn trouble(&self) -> Option<RerankError> {
        base::lock(&self.last).as_ref().map(|(trouble, _)| trouble.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_reranker_is_not_called_again_at_once() {
        let breaker = Breaker::default();
        assert_eq!(breaker.ask(|| Ok(1)), Some(1));
        assert_eq!(breaker.trouble(), None);
        let trouble = RerankError::Status { status: 500 };
        assert_eq!(breaker.ask(|| Err::<u8, _>(trouble.clone())), None);
        assert_eq!(breaker.ask(|| -> Result<u8, RerankError> { unreachable!() }), None);
        assert_eq!(breaker.trouble(), Some(trouble));
    }
}
