use base::{ContentHash, Timestamp};
use graftage_record::{
    NewProposal, Numbered, PreflightRecord, ProposalState, Proposals, Record, RecordEntry,
    RecordError,
};
use proptest::prelude::*;

fn hash(text: &str) -> ContentHash {
    ContentHash::of(text.as_bytes())
}

fn proposed(id: &str) -> RecordEntry {
    RecordEntry::Proposed(NewProposal {
        id: id.to_owned(),
        task: String::new(),
        author: "edit".to_owned(),
        summary: String::new(),
        at: Timestamp(1),
        request: hash("request"),
        overlay: hash("overlay"),
        rows: hash("rows"),
        patch_set: hash(id),
        files: Vec::new(),
        confidence: None,
        again: None,
    })
}

fn preflighted(id: &str, passed: bool) -> RecordEntry {
    let (evidence, tests) = (hash("evidence"), "affected".to_owned());
    RecordEntry::Preflighted(PreflightRecord {
        ids: ids(id),
        passed,
        evidence,
        tests,
        at: Timestamp(2),
    })
}

fn ids(id: &str) -> Vec<String> {
    vec![id.to_owned()]
}

fn approved(id: &str) -> RecordEntry {
    let (approval, approver) = ("1".to_owned(), "ann".to_owned());
    RecordEntry::Approved { ids: ids(id), approval, approver, at: Timestamp(3) }
}

fn applied(id: &str, version: u64) -> RecordEntry {
    let change = "c".to_owned();
    RecordEntry::Applied { ids: ids(id), change, commit: None, version, at: Timestamp(4) }
}

fn rejected(id: &str) -> RecordEntry {
    RecordEntry::Rejected { ids: ids(id), reason: "no".to_owned(), at: Timestamp(5) }
}

fn released(id: &str) -> RecordEntry {
    RecordEntry::Released { ids: ids(id), reason: "killed".to_owned(), at: Timestamp(5) }
}

fn fold(entries: &[RecordEntry]) -> Proposals {
    let numbered: Vec<Numbered<RecordEntry>> = entries
        .iter()
        .zip(1..)
        .map(|(entry, number)| Numbered { number, entry: entry.clone() })
        .collect();
    Proposals::of(&numbered)
}

fn state(proposals: &Proposals, id: &str) -> ProposalState {
    proposals.get(id).unwrap().state
}

#[test]
fn a_proposal_is_applied_after_a_passed_verification_and_an_approval() {
    let life = [proposed("a"), preflighted("a", true), approved("a"), applied("a", 1)];
    let states = ["proposed", "proven", "approved", "applied"];
    for (length, expected) in (1..).zip(states) {
        assert_eq!(state(&fold(&life[..length]), "a").as_str(), expected);
    }
    let all = fold(&life);
    assert_eq!((all.version(), all.troubles().len()), (1, 0));
    let proposal = all.get("a").unwrap();
    assert_eq!(proposal.approver.as_deref(), Some("ann"));
    assert_eq!((proposal.approval.as_deref(), proposal.change.as_deref()), (Some("1"), Some("c")));
}

#[test]
fn a_proposal_without_a_passed_verification_is_not_approved() {
    for life in [vec![proposed("a")], vec![proposed("a"), preflighted("a", false)]] {
        let all = fold(&[life.clone(), vec![approved("a")]].concat());
        assert_eq!(state(&all, "a"), state(&fold(&life), "a"));
        assert!(all.troubles()[0].contains("cannot be approved"), "{:?}", all.troubles());
    }
}

#[test]
fn an_interrupted_approval_can_be_repeated() {
    let life = [proposed("a"), preflighted("a", true), approved("a"), released("a")];
    let all = fold(&[&life[..], &[approved("a"), applied("a", 1)]].concat());
    assert_eq!((state(&all, "a"), all.troubles().len()), (ProposalState::Applied, 0));
}

#[test]
fn an_id_may_be_shortened_while_it_is_the_only_one() {
    let all = fold(&[proposed("abcd12"), proposed("abcd34"), proposed("cdef56"), proposed("cd")]);
    assert_eq!(all.find("cdef").unwrap().new.id, "cdef56");
    assert_eq!(all.find("cd").unwrap().new.id, "cd", "a whole id is one, however short");
    let error = |text: &str| match all.find(text) {
        Err(error) => (error.to_string(), base::Hint::hint(&error).unwrap()),
        Ok(found) => panic!("{found:?}"),
    };
    let (message, hint) = error("abcd");
    assert_eq!(message, "more than one proposal id begins with `abcd`");
    assert_eq!(hint, "use one of abcd34, abcd12");
    assert_eq!(error("xxxx").0, "no proposal has the id `xxxx`");
    // Only one proposal begins with it, but it is no more than a guess.
    for short in ["", "c", "cde"] {
        let (message, hint) = error(short);
        assert_eq!(message, format!("`{short}` has fewer than the 4 characters that name an id"));
        assert!(hint.starts_with("pass at least 4 characters of an id"), "{hint}");
    }
}

#[test]
fn an_entry_that_does_not_fit_is_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let record = Record::at(dir.path().join("record"));
    let write = |entries: Vec<RecordEntry>| {
        record.write(&crate::ctx(), |_| Ok::<_, RecordError>((entries, ())))
    };
    write(vec![proposed("a"), preflighted("a", true)]).unwrap();
    for entries in [vec![applied("a", 1)], vec![rejected("a"), approved("a")]] {
        assert!(matches!(write(entries), Err(RecordError::Illegal { .. })));
    }
    write(vec![approved("a"), applied("a", 1)]).unwrap();
    let (all, troubles) = record.proposals().unwrap();
    assert_eq!((state(&all, "a"), troubles.len()), (ProposalState::Applied, 0));
}

#[test]
fn the_id_of_a_change_is_the_same_in_each_run_and_new_in_each_proposal() {
    let first = Record::fresh_id(&Proposals::default(), hash("change"));
    let mut new = proposed(&first);
    if let RecordEntry::Proposed(new) = &mut new {
        new.patch_set = hash("change");
    }
    let second = Record::fresh_id(&fold(&[new]), hash("change"));
    assert_eq!(first.len(), 8);
    assert_ne!(first, second);
    assert_eq!(first, Record::fresh_id(&Proposals::default(), hash("change")));
}

#[test]
fn entries_are_read_back_as_they_were_written() {
    let entries = [proposed("a"), preflighted("a", true), approved("a"), applied("a", 1)];
    for entry in entries {
        let json = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<RecordEntry>(&json).unwrap(), entry);
        let more = json.replacen('{', "{\"unknown\":1,", 1);
        assert!(serde_json::from_str::<RecordEntry>(&more).is_err(), "{more}");
    }
}

fn any_entry() -> impl Strategy<Value = RecordEntry> {
    let id = prop_oneof!["a", "b"];
    (id, 0..8u8, 1..4u64).prop_map(|(id, what, version)| match what {
        0 => proposed(&id),
        1 => preflighted(&id, true),
        2 => preflighted(&id, false),
        3 => approved(&id),
        4 => applied(&id, version),
        5 => rejected(&id),
        6 => released(&id),
        _ => RecordEntry::Stale { id, file: "src/lib.rs".to_owned(), at: Timestamp(6) },
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn every_prefix_folds_and_entries_that_do_not_fit_change_nothing(
        entries in proptest::collection::vec(any_entry(), 0..40),
    ) {
        let mut legal: Vec<RecordEntry> = Vec::new();
        let mut all = Proposals::default();
        for (length, entry) in entries.iter().enumerate() {
            let before = all.clone();
            match all.apply(entry) {
                Ok(()) => legal.push(entry.clone()),
                Err(_) => prop_assert_eq!(&all, &before),
            }
            let whole = fold(&entries[..=length]);
            prop_assert_eq!(whole.troubles().len(), length + 1 - legal.len());
            prop_assert_eq!(whole.version(), all.version());
            prop_assert!(whole.all().eq(all.all()));
        }
        // An applied proposal was verified and approved, and never changes again.
        for proposal in all.all().filter(|it| it.state == ProposalState::Applied) {
            prop_assert!(proposal.approver.is_some() && proposal.version.is_some());
            prop_assert!(proposal.preflight.as_ref().is_some_and(|it| it.passed));
        }
        prop_assert_eq!(fold(&legal).troubles().len(), 0);
    }
}
