use std::path::Path;

use graftage_record::{Durable, LINE_LIMIT, Log, RecordError};
use proptest::prelude::*;

fn log(folder: &Path) -> Log<String> {
    Log::at(folder.join("record/log.jsonl"))
}

fn append(log: &Log<String>, entry: &str) -> u64 {
    log.append(&crate::ctx(), &entry.to_owned(), Durable::Synced).unwrap()
}

fn entries(log: &Log<String>) -> Vec<String> {
    log.read().unwrap().entries.into_iter().map(|entry| entry.entry).collect()
}

#[test]
fn a_log_without_a_file_is_empty_and_reading_makes_none() {
    let dir = tempfile::tempdir().unwrap();
    let log = log(dir.path());
    assert!(log.read().unwrap().entries.is_empty());
    assert!(!dir.path().join("record").exists());
}

#[test]
fn entries_are_numbered_from_one_in_lines_of_json() {
    let dir = tempfile::tempdir().unwrap();
    let log = log(dir.path());
    assert_eq!((append(&log, "a"), append(&log, "b\n}")), (1, 2));
    let text = std::fs::read_to_string(log.path()).unwrap();
    for (line, n) in text.lines().zip(1..) {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&json["v"], &json["n"]), (&1.into(), &n.into()));
    }
    assert_eq!(entries(&log), ["a", "b\n}"]);
}

#[test]
fn an_entry_longer_than_a_line_is_refused_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let log = log(dir.path());
    append(&log, "a");
    let long = "x".repeat(LINE_LIMIT);
    let refused = log.append(&crate::ctx(), &long, Durable::Synced);
    assert!(matches!(refused, Err(RecordError::TooLarge { .. })), "{refused:?}");
    append(&log, "b");
    assert_eq!(entries(&log), ["a", "b"]);
}

#[test]
fn a_log_of_a_later_version_is_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let log = log(dir.path());
    append(&log, "a");
    let text = std::fs::read_to_string(log.path()).unwrap();
    let later = format!("{text}{}", text.replace("\"v\":1", "\"v\":2"));
    std::fs::write(log.path(), &later).unwrap();
    assert_eq!(log.read().unwrap().troubles.len(), 1);
    let refused = log.lock(&crate::ctx());
    assert!(matches!(refused, Err(RecordError::Version { version: 2, .. })), "{refused:?}");
    assert_eq!(std::fs::read_to_string(log.path()).unwrap(), later);
}

#[test]
fn an_entry_of_another_type_is_left_out_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    let numbers: Log<u32> = Log::at(dir.path().join("record/log.jsonl"));
    numbers.append(&crate::ctx(), &7, Durable::Synced).unwrap();
    let log = log(dir.path());
    append(&log, "a");
    let content = log.read().unwrap();
    assert_eq!((content.entries.len(), content.troubles.len()), (1, 1));
    assert_eq!(content.entries[0].number, 2);
}

#[test]
fn writers_of_many_threads_lose_no_entry() {
    let dir = tempfile::tempdir().unwrap();
    let log = log(dir.path());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let log = &log;
            scope.spawn(move || {
                for n in 0..25 {
                    let entry = format!("{thread}-{n}");
                    log.append(&crate::ctx(), &entry, Durable::Written).unwrap();
                }
            });
        }
        for _ in 0..50 {
            assert!(log.read().unwrap().troubles.is_empty(), "readers need no lock");
        }
    });
    let mut all = entries(&log);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 100);
}

#[test]
fn a_writer_that_may_not_wait_gives_up() {
    let dir = tempfile::tempdir().unwrap();
    let log = log(dir.path());
    let held = log.lock(&crate::ctx()).unwrap();
    let moment = std::time::Duration::from_millis(3);
    let busy = log.append_within(&crate::ctx(), &"a".to_owned(), Durable::Written, moment);
    assert!(matches!(busy, Err(RecordError::Busy { .. })), "{busy:?}");
    drop(held);
    assert_eq!(append(&log, "a"), 1);
}

#[test]
fn a_log_that_rotates_keeps_the_newest_and_continues_the_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let log = log(dir.path()).rotating(1000);
    for n in 1..=100 {
        assert_eq!(append(&log, &format!("entry {n}")), n);
    }
    let content = log.read().unwrap();
    assert!(content.troubles.is_empty(), "{:?}", content.troubles);
    let numbers: Vec<u64> = content.entries.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers.last(), Some(&100));
    assert!(numbers.len() > 3 && numbers.len() < 20, "{numbers:?}");
    assert!(numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{numbers:?}");
}

#[test]
fn a_writer_that_is_killed_leaves_a_log_of_whole_entries() {
    let ctx = crate::ctx();
    if let Some(path) = testkit::job() {
        let log: Log<String> = Log::at(path);
        loop {
            let entries: Vec<String> =
                (0..5).map(|n| format!("{n} {}", "x".repeat(5000))).collect();
            log.lock(&ctx).unwrap().append(&entries, Durable::Written).unwrap();
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let log = log(dir.path());
    let mut seen = 0;
    for round in 0..5u64 {
        let mut child = testkit::this_test_again(log.path().to_str().unwrap()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(150 + 37 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        append(&log, "after the kill");
        let content = log.read().unwrap();
        assert!(content.troubles.is_empty(), "{:?}", content.troubles);
        assert!(content.entries.len() > seen);
        seen = content.entries.len();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_log_that_was_cut_anywhere_is_a_prefix_and_continues(
        texts in proptest::collection::vec(".{0,40}", 1..8), cut in 0.0..1.0f64,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let log = log(dir.path());
        texts.iter().for_each(|text| { append(&log, text); });
        let bytes = std::fs::read(log.path()).unwrap();
        let length = (bytes.len() as f64 * cut) as usize;
        std::fs::write(log.path(), &bytes[..length]).unwrap();
        let content = log.read().unwrap();
        prop_assert!(content.troubles.is_empty());
        let kept: Vec<String> = content.entries.into_iter().map(|entry| entry.entry).collect();
        prop_assert_eq!(&kept[..], &texts[..kept.len()]);
        append(&log, "new");
        prop_assert_eq!(entries(&log), [kept, vec!["new".to_owned()]].concat());
    }

    #[test]
    fn a_byte_that_was_changed_is_found_and_nothing_after_it_is_used(
        texts in proptest::collection::vec(".{0,40}", 1..8), at in 0.0..1.0f64, by in 1..=255u8,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let log = log(dir.path());
        texts.iter().for_each(|text| { append(&log, text); });
        let mut bytes = std::fs::read(log.path()).unwrap();
        let at = (bytes.len() as f64 * at) as usize;
        bytes[at] ^= by;
        std::fs::write(log.path(), &bytes).unwrap();
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        let kept = entries(&log);
        prop_assert_eq!(&kept[..], &texts[..line]);
        let writer = match log.lock(&crate::ctx()) {
            Ok(writer) => writer,
            // The digit of the version.
            Err(RecordError::Version { .. }) => return Ok(()),
            Err(err) => return Err(TestCaseError::fail(err.to_string())),
        };
        let is_torn = at == bytes.len() - 1;
        prop_assert_eq!(writer.troubles().len(), usize::from(!is_torn));
        if let Some(trouble) = writer.troubles().first() {
            prop_assert_eq!(std::fs::read(trouble.moved_to.as_ref().unwrap()).unwrap(), bytes);
        }
        drop(writer);
        append(&log, "new");
        prop_assert_eq!(entries(&log), [kept, vec!["new".to_owned()]].concat());
    }
}
