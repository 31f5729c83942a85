//! The settings of `fix` and of its traces.

use super::keys::{SettingKey, seconds, set};
use super::limits::{LONGEST, is_within};
use super::{FixAnalyzer, FixRules};

/// The most candidates that a project may ask for.
const MOST_ATTEMPTS: usize = 1_000;

pub(super) const FIX_KEYS: &[SettingKey] = &[
    SettingKey {
        name: "fix.analyzer",
        help: "when `fix` uses quick fixes of rust-analyzer; `last`: after all other repairs failed",
        takes: "first, last or never",
        get: |s| s.fix_analyzer.text().to_owned(),
        set: |s, v| {
            let choice = FixAnalyzer::ALL.into_iter().find(|(_, text)| *text == v);
            set(&mut s.fix_analyzer, choice.map(|(choice, _)| choice))
        },
        tightens: None,
    },
    SettingKey {
        name: "fix.attempts",
        help: "maximum number of candidates that `fix` checks",
        takes: "a whole number",
        get: |s| s.fix_attempts.to_string(),
        set: |s, v| set(&mut s.fix_attempts, v.parse().ok()),
        tightens: Some(|old, new| {
            is_within(Some(&old.fix_attempts), Some(&new.fix_attempts), &MOST_ATTEMPTS)
        }),
    },
    SettingKey {
        name: "trace.keep",
        help: "number of traces of runs that are kept in the state directory; 0: none is recorded",
        takes: "a whole number",
        get: |s| s.trace_keep.to_string(),
        set: |s, v| set(&mut s.trace_keep, v.parse().ok()),
        tightens: Some(|old, new| new.trace_keep == old.trace_keep),
    },
    SettingKey {
        name: "fix.coverage",
        help: "run failing tests with coverage, to find the code to change",
        takes: "true or false",
        get: |s| s.fix_coverage.to_string(),
        set: |s, v| set(&mut s.fix_coverage, v.parse().ok()),
        tightens: None,
    },
    SettingKey {
        name: "fix.rules",
        help: "rules that propose repairs in `fix`; `compiler`: suggestions of the compiler only",
        takes: "all, compiler or none",
        get: |s| s.fix_rules.text().to_owned(),
        set: |s, v| {
            let choice = FixRules::ALL.into_iter().find(|(_, text)| *text == v);
            set(&mut s.fix_rules, choice.map(|(choice, _)| choice))
        },
        tightens: None,
    },
    SettingKey {
        name: "fix.timeout_seconds",
        help: "time limit of the search of `fix`",
        takes: "a whole number of seconds, at most a year",
        get: |s| s.fix_timeout.as_secs().to_string(),
        set: |s, v| set(&mut s.fix_timeout, seconds(v)),
        tightens: Some(|old, new| {
            is_within(Some(&old.fix_timeout), Some(&new.fix_timeout), &LONGEST)
        }),
    },
];
