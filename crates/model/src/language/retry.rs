//! [`Retried`]: sends a request again after failures that pass: rate limits, overload, failed
//! connections, and streams that were cut before they showed anything.
//!
//! A stream that was cut after the first text or tool call is not retried: the caller has shown
//! its beginning, and the provider has charged for it. The error reports the cut.

use std::time::Duration;

use base::Ctx;

use super::error::TurnError;
use super::turn::{LanguageModel, Turn, TurnDelta, TurnRequest};

/// Interval between two checks for cancellation.
const SLICE: Duration = Duration::from_millis(50);

/// When and how often a request is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Maximum number of requests, with the first.
    pub attempts: u32,
    /// Pause after the first failure; doubled after each further one.
    pub first_pause: Duration,
    /// Longest pause between two requests; a provider that asks for a longer one is not retried.
    pub longest_pause: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 5,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(60),
        }
    }
}

/// A model whose requests are retried.
#[derive(Debug)]
pub struct Retried<M> {
    model: M,
    policy: RetryPolicy,
}

impl<M: LanguageModel> Retried<M> {
    /// Retries the requests of `model` as `policy` allows.
    pub fn new(model: M, policy: RetryPolicy) -> Self {
        Self { model, policy }
    }
}

impl<M: LanguageModel> LanguageModel for Retried<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        let mut failures = 0;
        loop {
            let mut is_shown = false;
            let outcome = self.model.turn(ctx, request, &mut |delta| {
                is_shown |= matches!(delta, TurnDelta::Text(_) | TurnDelta::ToolCallStarted { .. });
                on(delta);
            });
            let error = match outcome {
                Err(error) if !is_shown => error,
                outcome => return outcome,
            };
            failures += 1;
            let Some(pause) = self.policy.pause(&error, failures, ctx.random()) else {
                return Err(error);
            };
            let after_ms = pause.as_millis().try_into().unwrap_or(u64::MAX);
            on(&TurnDelta::Retrying { after_ms, reason: error.to_string() });
            wait(ctx, pause)?;
        }
    }
}

impl RetryPolicy {
    /// The pause after the failure number `failures`; `None`: the request is not sent again.
    /// Without a pause by the provider it is between half of the exponential pause and all of it.
    fn pause(&self, error: &TurnError, failures: u32, random: [u8; 16]) -> Option<Duration> {
        if failures >= self.attempts {
            return None;
        }
        let asked = match error {
            TurnError::Refused { status: 429 | 500..=504 | 529, retry_after_ms, .. } => {
                *retry_after_ms
            }
            TurnError::Unreachable { .. } | TurnError::Interrupted { .. } => None,
            _ => return None,
        };
        if let Some(ms) = asked {
            let pause = Duration::from_millis(ms);
            return if pause <= self.longest_pause { Some(pause) } else { None };
        }
        let factor = 1_u32.checked_shl(failures - 1).unwrap_or(u32::MAX);
        let most = self.first_pause.saturating_mul(factor).min(self.longest_pause);
        let chance = u32::from(u16::from_le_bytes([random[0], random[1]]));
        Some(most / 2 + most / 2 * chance / u32::from(u16::MAX))
    }
}

/// Waits in slices, so that cancellation takes effect at once.
fn wait(ctx: &Ctx, pause: Duration) -> Result<(), TurnError> {
    let mut left = pause;
    while !left.is_zero() {
        ctx.check_cancelled()?;
        let slice = left.min(SLICE);
        std::thread::sleep(slice);
        left -= slice;
    }
    Ok(ctx.check_cancelled()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overloaded(retry_after_ms: Option<u64>) -> TurnError {
        TurnError::Refused { status: 529, reason: String::new(), retry_after_ms }
    }

    #[test]
    fn pauses_double_up_to_a_limit_with_jitter() {
        let policy = RetryPolicy { attempts: 200, ..RetryPolicy::default() };
        let pause = |failures, byte| policy.pause(&overloaded(None), failures, [byte; 16]).unwrap();
        assert_eq!(pause(1, 0), Duration::from_millis(250));
        assert_eq!(pause(1, 255), Duration::from_millis(500));
        assert_eq!(pause(3, 255), Duration::from_secs(2));
        assert_eq!(pause(150, 255), Duration::from_secs(60));
        assert_eq!(policy.pause(&overloaded(None), 200, [0; 16]), None);
    }

    #[test]
    fn the_pause_of_the_provider_is_exact_and_bounded() {
        let policy = RetryPolicy::default();
        let pause = |ms| policy.pause(&overloaded(Some(ms)), 1, [9; 16]);
        assert_eq!(pause(0), Some(Duration::ZERO));
        assert_eq!(pause(1234), Some(Duration::from_millis(1234)));
        assert_eq!(pause(60_001), None);
        assert_eq!(pause(u64::MAX), None);
    }

    #[test]
    fn errors_that_do_not_pass_are_not_retried() {
        let policy = RetryPolicy::default();
        let status =
            |status| TurnError::Refused { status, reason: String::new(), retry_after_ms: None };
        for error in [
            TurnError::Cancelled,
            TurnError::TooLarge { limit: 1 },
            TurnError::Malformed { reason: String::new() },
            status(307),
            status(400),
            status(401),
            status(505),
        ] {
            assert_eq!(policy.pause(&error, 1, [0; 16]), None, "{error}");
        }
    }
}
