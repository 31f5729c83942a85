//! [`Host`], the trait through which all crates get time, randomness, cancellation and progress
//! reporting, and [`Ctx`], the handle to it that long-running functions take as first argument.
//! Nothing else reads a clock or a random number generator.
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::WorkLog;

/// Microseconds since the Unix epoch.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Timestamp(pub u64);

/// Microseconds of a day.
const DAY: u64 = 24 * 60 * 60 * 1_000_000;

impl Timestamp {
    /// The day in UTC as `2026-11-25`.
    pub fn date(self) -> String {
        let (year, month, day) = civil(self.0 / DAY);
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// Day and time in UTC as `2026-11-25T08:30:00Z` (RFC 3339).
    pub fn rfc3339(self) -> String {
        let seconds = self.0 % DAY / 1_000_000;
        let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        format!("{}T{hours:02}:{minutes:02}:{seconds:02}Z", self.date())
    }

    /// The beginning of a day in UTC that is written as `2026-11-25`; `None` for anything else.
    pub fn of_date(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut number = |length: usize| {
            let part = parts.next().filter(|it| it.len() == length)?;
            part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u64>().ok())?
        };
        let (year, month, day) = (number(4)?, number(2)?, number(2)?);
        let days = days_to(year, month, day)?;
        // What is no day of the calendar, such as the 31st of April, is another one when read back.
        (parts.next().is_none() && civil(days) == (year, month, day)).then_some(Self(days * DAY))
    }
}

/// Year, month and day of a number of days since 1970, in the Gregorian calendar.
fn civil(days: u64) -> (u64, u64, u64) {
    // Years begin in March, so that the leap day is the last one.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

/// The inverse of [`civil`]; `None` before 1970 and for months that there are none of.
fn days_to(year: u64, month: u64, day: u64) -> Option<u64> {
    if !(1..=12).contains(&month) || year < 1970 {
        return None;
    }
    let year = year - u64::from(month <= 2);
    let (era, of_era) = (year / 400, year % 400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let of_year = (153 * shifted + 2) / 5 + day.checked_sub(1)?;
    (era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year).checked_sub(719_468)
}

/// The outside world as all crates see it: time, randomness, cancellation and progress reports.
/// The only source of clock readings and random bytes.
pub trait Host: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;

    /// Sixteen unpredictable bytes, for names that must be unique.
    fn random(&self) -> [u8; 16];

    /// Whether the user asked to stop; long work checks this often.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Receives a progress report; ignored by default.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }

    /// The log of finished work; none by default.
    fn log(&self) -> Option<Arc<dyn WorkLog>> {
        None
    }
}

/// One progress report of long-running work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Stage, as a verb phrase: `checking the baseline`.
    pub stage: String,
    /// Detail: what the stage is processing now.
    pub detail: String,
    /// Number of units done; 0 where they cannot be counted.
    pub done: u64,
    /// Number of units in total; 0 where unknown.
    pub total: u64,
}

/// Error: the user stopped the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Cancelled;

/// Handle to the [`Host`]: the first argument of every function that is slow or needs the outside
/// world.
#[derive(Clone)]
pub struct Ctx {
    host: Arc<dyn Host>,
}

impl Ctx {
    /// A context that uses `host`.
    pub fn new(host: Arc<dyn Host>) -> Self {
        Self { host }
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        self.host.now()
    }

    /// A unique name: 32 random hex digits.
    pub fn fresh_name(&self) -> String {
        self.host.random().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Sixteen unpredictable bytes.
    pub fn random(&self) -> [u8; 16] {
        self.host.random()
    }

    /// Whether the user asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.host.is_cancelled()
    }

    /// `Err` when the user asked to stop; call it between two units of work with `?`.
    pub fn check_cancelled(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Reports the stage and its detail, without counts.
    pub fn progress(&self, stage: &str, detail: impl Into<String>) {
        self.count(stage, detail, 0, 0);
    }

    /// Reports the stage, its detail and how many units of it are done.
    pub fn count(&self, stage: &str, detail: impl Into<String>, done: u64, total: u64) {
        self.host.progress(&Progress {
            stage: stage.to_owned(),
            detail: detail.into(),
            done,
            total,
        });
    }

    /// The log of finished work, where there is one.
    pub fn log(&self) -> Option<Arc<dyn WorkLog>> {
        self.host.log()
    }
}

impl fmt::Debug for Ctx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ctx")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_and_read_back() {
        for day in (0..100_000).step_by(7) {
            let time = Timestamp(day * DAY + 12_345);
            assert_eq!(Timestamp::of_date(&time.date()), Some(Timestamp(day * DAY)), "{day}");
        }
        assert_eq!(Timestamp(0).date(), "1970-01-01");
        assert_eq!(Timestamp(951_782_400_000_000).date(), "2000-02-29");
        for text in ["2026-02-29", "2026-13-01", "2026-1-1", "1969-12-31", "2026-04-31-1", "x", ""]
        {
            assert_eq!(Timestamp::of_date(text), None, "{text}");
        }
    }
}
