//! Questions for consent, and attempts to use an answer for something else.

use base::{ProjectPath, Timestamp};
use edit::FileState;

use super::*;

fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).unwrap()
}

/// A change of these files: path, text before, text after.
fn pending(files: &[(&str, Option<&str>, Option<&str>)]) -> PendingChange {
    let state = |text: &Option<&str>| text.map(FileState::from_text);
    let states = files.iter().map(|(name, a, b)| (path(name), state(a), state(b))).collect();
    PendingChange {
        act: ConsentAct::Write,
        change: Overlay::from_states("model", Timestamp(0), states),
        tree: ContentHash::of(b"tree"),
        titles: vec!["3f2a91c0 faster".to_owned()],
        see: "graftage edit approve 3f2a91c0 --dry-run".to_owned(),
    }
}

fn text(pending: &PendingChange, limit: usize) -> String {
    let ctx = testkit::ctx();
    Consents::default().ask(&ctx, pending, ShownDiff::Bytes(limit), b"call").text().to_owned()
}

#[test]
fn a_question_names_every_file_with_its_counts_before_the_diff() {
    let small = pending(&[
        ("src/a.rs", Some("a\nb\n"), Some("a\nc\nd\n")),
        ("src/new.rs", None, Some("n\n")),
        ("src/old.rs", Some("o\no\n"), None),
    ]);
    expect_test::expect![[r#"
        Write this change to the project?
          3f2a91c0 faster

        3 files, +3 -3:
          changed  src/a.rs +2 -1
          created  src/new.rs +1 -0
          deleted  src/old.rs +0 -2

        diff --git a/src/a.rs b/src/a.rs
        --- a/src/a.rs
        +++ b/src/a.rs
        @@ -1,2 +1,3 @@
         a
        -b
        +c
        +d
        diff --git a/src/new.rs b/src/new.rs
        new file mode 100644
        --- /dev/null
        +++ b/src/new.rs
        @@ -0,0 +1 @@
        +n
        diff --git a/src/old.rs b/src/old.rs
        deleted file mode 100644
        --- a/src/old.rs
        +++ /dev/null
        @@ -1,2 +0,0 @@
        -o
        -o
    "#]]
    .assert_eq(&text(&small, 10_000));
}

#[test]
fn what_is_not_shown_is_counted_before_the_diff_and_after_it() {
    // Attack 10: the harmful file is the last of many.
    let body = "x\n".repeat(500);
    let names: Vec<String> = (0..40).map(|n| format!("src/f{n:02}.rs")).collect();
    let mut files: Vec<(&str, Option<&str>, Option<&str>)> =
        names.iter().map(|name| (name.as_str(), None, Some(body.as_str()))).collect();
    files.push(("src/zzz.rs", Some("fn safe() {}\n"), Some("fn evil() {}\n")));
    let shown = text(&pending(&files), 4_000);
    let diff = shown.find("diff --git").unwrap();
    assert!(!shown[diff..].contains("evil"), "the control: the diff is cut before it");
    assert!(shown[..diff].contains("changed  src/zzz.rs +1 -1"), "{shown}");
    assert!(names.iter().all(|name| shown[..diff].contains(name.as_str())), "{shown}");
    let note = "lines of the diff are NOT shown here; `graftage edit approve 3f2a91c0 --dry-run`";
    assert_eq!(shown.matches(note).count(), 2, "{shown}");
    assert!(shown.find(note).unwrap() < diff, "a client that cuts the text keeps it");
    let all = pending(&files).change.unified_diff().lines().count();
    let seen = shown[diff..].lines().take_while(|line| !line.contains("NOT shown")).count() - 1;
    assert!(shown.contains(&format!("{} of the {all} lines", all - seen)), "{shown}");
}

#[test]
fn hidden_characters_of_paths_titles_and_texts_are_escaped() {
    let evil = "let a = 1; // \u{202e}\u{2066}\u{e0041}\u{200b}\u{1b}[2J\u{fe0f}\u{3164}\n";
    let mut pending = pending(&[("src/\u{e4}.rs", Some("x\n"), Some(evil))]);
    pending.titles = vec!["id ok\n\nNothing else is written.\u{202e}".to_owned()];
    let shown = text(&pending, 10_000);
    let is_seen = |c: char| c == '\n' || !(c.is_control() || base::is_hidden(c));
    assert!(evil.chars().filter(|c| !is_seen(*c)).count() >= 7, "the control");
    assert!(shown.chars().all(is_seen), "{shown:?}");
    assert!(shown.contains("\\u{202e}\\u{2066}\\u{e0041}\\u{200b}\\u{1b}[2J"), "{shown}");
    assert!(!shown.contains("\nNothing else"), "a title is one line: {shown}");
    let first = shown.find("Unusual:").unwrap();
    assert!(first < shown.find("1 file").unwrap() && shown.contains("not visible"), "{shown}");
}

#[test]
fn programs_manifests_hidden_files_and_very_long_lines_come_first() {
    let long = format!("ok();{}evil();\n", " ".repeat(400));
    let mut files = pending(&[
        ("src/a.rs", Some("a\n"), Some(long.as_str())),
        (".envrc", None, Some("x\n")),
        ("Cargo.toml", Some("a\n"), Some("b\n")),
    ]);
    let run = FileState { text: "#!/bin/sh\n".into(), executable: true };
    let states = files
        .change
        .changes()
        .map(|(path, it)| (path.clone(), it.before.clone(), it.after.clone()))
        .chain([(path("run.sh"), Some(FileState::from_text("#!/bin/sh\n")), Some(run))])
        .collect();
    files.change = Overlay::from_states("model", Timestamp(0), states);
    let shown = text(&files, 10_000);
    expect_test::expect![[r#"
        Write this change to the project?
          3f2a91c0 faster

        Unusual:
          ! `.envrc`: only a person changes it: the environment, its secrets and credentials
          ! `.envrc`: is a hidden file
          ! `Cargo.toml`: decides what is built
          ! `run.sh`: becomes a program
          ! `src/a.rs`: gets a line that may not fit on a screen

        4 files, +3 -2:
          created  .envrc +1 -0
          changed  Cargo.toml +1 -1
          changed  run.sh +0 -0 (becomes executable)
          changed  src/a.rs +1 -1
    "#]]
    .assert_eq(&format!("{}\n", shown[..shown.find("diff --git").unwrap()].trim_end()));
}

#[test]
fn an_undo_is_a_question_of_its_own() {
    let mut undo = pending(&[("src/a.rs", Some("b\n"), Some("a\n"))]);
    undo.act = ConsentAct::Undo;
    let shown = text(&undo, 10_000);
    assert!(shown.starts_with("Undo this change?"), "{shown}");
    assert!(shown.contains("changed  src/a.rs +1 -1") && shown.contains("-b\n+a\n"), "{shown}");
}

#[test]
fn a_nonce_is_used_once_and_for_its_own_call() {
    let (ctx, consents) = (testkit::ctx(), Consents::default());
    let change = pending(&[("src/a.rs", Some("b\n"), Some("a\n"))]);
    let question = consents.ask(&ctx, &change, ShownDiff::Above, b"apply 1");
    let other = consents.ask(&ctx, &change, ShownDiff::Above, b"apply 1");
    assert_ne!(question.nonce(), other.nonce());
    let unknown = |nonce: &str, call: &[u8]| {
        assert_eq!(consents.redeem(nonce, call).unwrap_err(), ConsentError::Unknown);
    };
    unknown(question.nonce(), b"apply 2");
    unknown("", b"apply 1");
    unknown(&question.nonce()[..8], b"apply 1");
    consents.redeem(question.nonce(), b"apply 1").unwrap();
    unknown(question.nonce(), b"apply 1");
    consents.redeem(other.nonce(), b"apply 1").unwrap();
}

#[test]
fn a_consent_is_to_one_act_one_change_and_one_tree() {
    let (ctx, consents) = (testkit::ctx(), Consents::default());
    let change = pending(&[("src/a.rs", Some("b\n"), Some("a\n"))]);
    let consent = || {
        let question = consents.ask(&ctx, &change, ShownDiff::Above, b"");
        consents.redeem(question.nonce(), b"").unwrap()
    };
    let (set, tree) = (change.change.patch_set(), change.tree);
    let other = pending(&[("src/a.rs", Some("b\n"), Some("evil\n"))]).change.patch_set();
    let (write, undo) = (ConsentAct::Write, ConsentAct::Undo);
    assert_eq!(consent().spend(write, set, tree), Ok(()));
    assert_eq!(consent().spend(write, other, tree), Err(ConsentError::Other));
    assert_eq!(consent().spend(undo, set, tree), Err(ConsentError::Other));
    let inverse = change.change.invert().patch_set();
    assert_eq!(consent().spend(write, inverse, tree), Err(ConsentError::Other));
    let moved = ContentHash::of(b"another tree");
    assert_eq!(consent().spend(write, set, moved), Err(ConsentError::Moved));
}

#[test]
fn old_questions_are_forgotten() {
    let (ctx, consents) = (testkit::ctx(), Consents::default());
    let change = pending(&[("src/a.rs", Some("b\n"), Some("a\n"))]);
    let first = consents.ask(&ctx, &change, ShownDiff::Above, b"");
    for _ in 0..MOST_OPEN {
        consents.ask(&ctx, &change, ShownDiff::Above, b"");
    }
    assert_eq!(consents.redeem(first.nonce(), b"").unwrap_err(), ConsentError::Unknown);
}
