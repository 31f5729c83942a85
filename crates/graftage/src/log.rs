//! `--log` and `GRAFTAGE_LOG`: the entries of finished work on standard error, one per line, as text or as JSON.

use std::fmt::Write as _;

use base::{Host as _, LogEntry, Timestamp, WorkLog};
use clap::ValueEnum;
use project::SystemHost;
use serde_json::{Map, Value, json};

use crate::output;

/// Form of the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogForm {
    /// Time, milliseconds, name, detail and numbers
    Text,
    /// One JSON object per line
    Json,
}

/// A log on standard error.
pub(crate) struct StderrLog {
    form: LogForm,
    clock: SystemHost,
}

impl StderrLog {
    pub(crate) fn new(form: LogForm, clock: SystemHost) -> Self {
        Self { form, clock }
    }
}

impl WorkLog for StderrLog {
    fn finished(&self, entry: &LogEntry<'_>) {
        output::note(&line(self.form, self.clock.now(), entry));
    }
}

/// The line of an entry that ended at `now`.
fn line(form: LogForm, now: Timestamp, entry: &LogEntry<'_>) -> String {
    let LogEntry { name, detail, micros, numbers } = *entry;
    let ms = micros as f64 / 1_000.0;
    match form {
        LogForm::Text => {
            let detail = base::visible_line(detail);
            let mut text = format!("{} {ms:>9.3} ms {name} {detail}", now.rfc3339());
            for (number, value) in numbers {
                let _ = write!(text, " {number}={value}");
            }
            text
        }
        LogForm::Json => {
            let numbers: Map<String, Value> = numbers
                .iter()
                .map(|(number, value)| ((*number).to_owned(), json!(value)))
                .collect();
            json!({
                "time_us": now.0, "name": name, "detail": detail, "micros": micros, "numbers": numbers,
            })
            .to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_one_line_in_either_form() {
        let entry = LogEntry {
            name: "search",
            detail: "a\nb",
            micros: 1_500,
            numbers: &[("candidates", 12), ("cached", 0)],
        };
        let now = Timestamp(1_796_000_000_000_000);
        let text = line(LogForm::Text, now, &entry);
        assert!(text.starts_with("2026-11-30T"), "{text}");
        assert!(text.contains("    1.500 ms search "), "{text}");
        assert!(text.ends_with(" candidates=12 cached=0") && !text.contains('\n'), "{text}");
        assert_eq!(
            line(LogForm::Json, now, &entry),
            r#"{"detail":"a\nb","micros":1500,"name":"search","numbers":{"cached":0,"candidates":12},"time_us":1796000000000000}"#
        );
    }
}
