use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Who did not answer is left alone for so long.
const REST: Duration = Duration::from_secs(30);

/// Why a reranker gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// Nobody listens, or the line broke.
    #[error("the reranker cannot be reached: {reason}")]
    Unreachable {
        /// What the line says.
        reason: String,
    },
    /// It took too long.
    #[error("the reranker took longer than {limit_ms} ms")]
    TimeOut {
        /// How long it may take.
        limit_ms: u64,
    },
    /// It said no.
    #[error("the reranker answered with status {status}")]
    Status {
        /// Of HTTP.
        status: u16,
    },
    /// What it said is no ranking of what it was shown.
    #[error("the reranker's answer makes no sense: {reason}")]
    Answer {
        /// Why.
        reason: String,
    },
    /// The model itself failed.
    #[error("the model failed: {reason}")]
    Model {
        /// Why.
        reason: String,
    },
}

/// Keeps what went wrong last, and spares those who wait: who failed is not asked again at once.
#[derive(Debug, Default)]
pub struct Breaker {
    last: Mutex<Option<(Trouble, Instant)>>,
}

impl Breaker {
    /// Asks, unless the last one who asked failed a moment ago; what goes wrong is kept.
    pub fn ask<T>(&self, ask: impl FnOnce() -> Result<T, Trouble>) -> Option<T> {
        if self.lock().as_ref().is_some_and(|(_, since)| since.elapsed() < REST) {
            return None;
        }
        let answer = ask();
        let mut last = self.lock();
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

    /// What went wrong last, if that was the last of all.
    pub fn trouble(&self) -> Option<Trouble> {
        self.lock().as_ref().map(|(trouble, _)| trouble.clone())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<(Trouble, Instant)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_failed_is_not_asked_again_at_once() {
        let breaker = Breaker::default();
        assert_eq!(breaker.ask(|| Ok(1)), Some(1));
        assert_eq!(breaker.trouble(), None);
        let trouble = Trouble::Status { status: 500 };
        assert_eq!(breaker.ask(|| Err::<u8, _>(trouble.clone())), None);
        assert_eq!(breaker.ask(|| -> Result<u8, Trouble> { unreachable!() }), None);
        assert_eq!(breaker.trouble(), Some(trouble));
    }
}
