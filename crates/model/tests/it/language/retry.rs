//! Retries: which failures are sent again, how often, and after which pause.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use graftage_model::language::{Retried, RetryPolicy, TurnDelta, TurnError};

use super::server::{Reply, serve};
use super::{BOTH, Format, request, turn};

const POLICY: RetryPolicy = RetryPolicy {
    attempts: 4,
    first_pause: Duration::from_millis(10),
    longest_pause: Duration::from_secs(10),
};

fn status(status: u16, headers: &'static str) -> Reply {
    Reply::Status(status, headers, Vec::new())
}

/// The outcome against these replies, the number of requests, and the pauses in milliseconds.
fn run(format: Format, replies: Vec<Reply>) -> (Result<String, TurnError>, usize, Vec<u64>) {
    let (url, asked) = serve(replies);
    let model = Retried::new(format.client(&url), POLICY);
    let (outcome, deltas) = turn(&model, &request());
    let pauses = deltas.iter().filter_map(|delta| match delta {
        TurnDelta::Retrying { after_ms, .. } => Some(*after_ms),
        _ => None,
    });
    (outcome.map(|turn| turn.text()), asked.try_iter().count(), pauses.collect())
}

#[test]
fn failures_that_pass_are_retried_until_there_is_an_answer() {
    for format in BOTH {
        let ok = || Reply::Stream(format.text_stream("ok", 5, 2));
        let replies = vec![status(529, ""), status(500, ""), Reply::Raw(Vec::new()), ok()];
        let (outcome, requests, pauses) = run(format, replies);
        assert_eq!((outcome, requests, pauses.len()), (Ok("ok".to_owned()), 4, 3));
        for (pause, most) in pauses.iter().zip([10, 20, 40]) {
            assert!((most / 2..=most).contains(pause), "{pauses:?}");
        }
        // Cut before anything was shown.
        let cut = Reply::CutStream(": hello\n\n".to_owned());
        assert_eq!(run(format, vec![cut, ok()]).1, 2);
    }
}

#[test]
fn the_number_of_requests_is_bounded() {
    for format in BOTH {
        let replies = (0..9).map(|_| status(503, "")).collect();
        let (outcome, requests, pauses) = run(format, replies);
        assert!(matches!(outcome, Err(TurnError::Refused { status: 503, .. })));
        assert_eq!((requests, pauses.len()), (4, 3));
    }
}

#[test]
fn the_pause_of_the_provider_is_kept_in_seconds_and_as_date() {
    for format in BOTH {
        let ok = || Reply::Stream(format.text_stream("ok", 5, 2));
        let started = Instant::now();
        let (outcome, _, pauses) = run(format, vec![status(429, "retry-after: 1\r\n"), ok()]);
        assert_eq!((outcome, pauses), (Ok("ok".to_owned()), vec![1000]));
        assert!(started.elapsed() >= Duration::from_secs(1));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let header = format!("retry-after: {}\r\n", http_date(now + 3));
        let (outcome, _, pauses) =
            run(format, vec![status(529, Box::leak(header.into_boxed_str())), ok()]);
        assert_eq!(outcome, Ok("ok".to_owned()));
        assert!(pauses[0] <= 3000, "{pauses:?}");
        // Longer than the longest pause: an error at once.
        let (outcome, requests, _) = run(format, vec![status(429, "retry-after: 3600\r\n"), ok()]);
        assert!(matches!(
            outcome,
            Err(TurnError::Refused { status: 429, retry_after_ms: Some(3_600_000), .. })
        ));
        assert_eq!(requests, 1);
    }
}

#[test]
fn errors_of_the_request_are_not_retried() {
    for format in BOTH {
        for code in [307, 400, 401, 403, 404, 413, 422] {
            let (outcome, requests, _) = run(format, vec![status(code, ""), status(code, "")]);
            assert!(matches!(outcome, Err(TurnError::Refused { status, .. }) if status == code));
            assert_eq!(requests, 1);
        }
    }
}

#[test]
fn a_stream_that_was_shown_in_part_is_not_retried() {
    for format in BOTH {
        let start = format.text_start("Half", 5);
        let ok = Reply::Stream(format.text_stream("ok", 5, 2));
        let (outcome, requests, _) = run(format, vec![Reply::CutStream(start), ok]);
        assert!(matches!(outcome, Err(TurnError::Interrupted { .. })), "{outcome:?}");
        assert_eq!(requests, 1);
    }
}

/// A date of January 1970 or later as in HTTP; the name of the day is not read.
fn http_date(seconds: u64) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut days, mut year) = (seconds / 86_400, 1970);
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    let time = seconds % 86_400;
    format!(
        "Thu, {:02} {} {year} {:02}:{:02}:{:02} GMT",
        days + 1,
        MONTHS[month],
        time / 3600,
        time / 60 % 60,
        time % 60
    )
}
