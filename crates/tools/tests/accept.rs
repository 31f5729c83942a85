//! Two changes that were verified on the same tree: the second write checks its change again on the
//! tree with the first change.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use base::{Ctx, ProjectPath, Timestamp};
use check::Ladder;
use edit::{FileState, Files, Overlay};
use graftage_tools::{
    AcceptOutcome, AcceptedChange, ConsentAct, ConsentError, Consents, EditApplyRequest, Error,
    PendingChange, ShownDiff, accept, edit_apply, pending_restore, restore_consented,
};
use policy::{Approval, Decision, GateRules, Keep};
use project::{ProjectError, Settings, Surroundings, Workspace};
use repo::{ApplyOptions, CommitMessage, RepoError};
use testkit::TempProject;

fn project() -> TempProject {
    testkit::crate_project(
        "
//- /src/lib.rs
mod a;
mod b;
//- /src/a.rs
pub fn f() -> u8 {
    1
}
//- /src/b.rs
pub fn g() -> u8 {
    2
}

#[test]
fn is_two() {
    assert_eq!(g(), 2);
}
",
    )
}

fn workspace(project: &TempProject) -> (Ctx, Workspace) {
    workspace_with(project, &Settings::default())
}

fn workspace_with(project: &TempProject, settings: &Settings) -> (Ctx, Workspace) {
    let ctx = testkit::ctx();
    let dirs = project.beside("graftage");
    let surroundings = Surroundings {
        cache_dir: dirs.join("cache"),
        state_dir: dirs.join("state"),
        config_file: dirs.join("none.toml"),
        ..Surroundings::of_process().unwrap()
    };
    let sandbox = testkit::inner::sandbox();
    let root = project.root();
    let workspace = Workspace::open(&ctx, root, settings, &surroundings, sandbox).unwrap();
    (ctx, workspace)
}

/// An edit of one file that is verified and has a permit, but is not written yet.
fn verified(ctx: &Ctx, workspace: &Workspace, file: &str, from: &str, to: &str) -> AcceptedChange {
    let path = ProjectPath::new(file).unwrap();
    let before = workspace.project().read(&path).unwrap().unwrap();
    let after = FileState::from_text(before.text.replace(from, to));
    let overlay =
        Overlay::from_states("test", Timestamp::default(), vec![(path, Some(before), Some(after))]);
    let ladder = Ladder::default();
    let rules = GateRules { keep: Keep::Tests, ..GateRules::default() };
    let prover = workspace.prover(ctx).unwrap();
    let checked = prover.prove(ctx, overlay, &ladder, &mut |_| {}).unwrap();
    let decision = policy::decide(&rules, checked.evidence, &Approval::default());
    let Decision::Open(permit) = decision else { panic!("{decision:?}") };
    AcceptedChange {
        overlay: checked.overlay,
        permit,
        ladder,
        rules,
        approval: Approval::default(),
        before: None,
        consent: None,
    }
}

fn replace(file: &str, from: &str, to: &str) -> EditApplyRequest {
    let text = format!("{file}\n<<<<<<< SEARCH\n{from}\n=======\n{to}\n>>>>>>> REPLACE\n");
    EditApplyRequest { text, tests: Some(check::Tests::None), ..EditApplyRequest::default() }
}

#[test]
fn two_edits_that_only_pass_alone_are_not_both_written() {
    let project = project();
    let (ctx, workspace) = workspace(&project);
    let renamed = verified(&ctx, &workspace, "src/a.rs", "f()", "h()");
    let call = replace("src/b.rs", "    2", "    crate::a::f() + 1");
    let applied = edit_apply(&ctx, &workspace, &call, &mut |_| {}).unwrap();
    assert_eq!(applied.proposals[0].state, "applied", "{:?}", applied.refusals);

    let before = project.digest();
    let acceptance = accept(&ctx, &workspace, renamed, &ApplyOptions::default()).unwrap();
    let AcceptOutcome::Refused { checked, refusals, moved } = acceptance else {
        panic!("the rename was written")
    };
    assert_eq!(moved, ["src/b.rs"]);
    assert_eq!((checked.errors(), refusals[0].rule.as_str()), (1, "compile"));
    assert_eq!(project.digest(), before, "nothing is written");
}

#[test]
fn two_edits_that_pass_together_are_both_written() {
    let project = project();
    let (ctx, workspace) = workspace(&project);
    let first = verified(&ctx, &workspace, "src/a.rs", "    1\n", "    0 + 1\n");
    let tree = first.permit.tree().hash();
    let second = replace("src/b.rs", "    2", "    1 + 1");
    edit_apply(&ctx, &workspace, &second, &mut |_| {}).unwrap();
    let acceptance = accept(&ctx, &workspace, first, &ApplyOptions::default()).unwrap();
    let AcceptOutcome::Written { evidence, .. } = acceptance else { panic!("refused") };
    assert_ne!(
        evidence.tree.as_ref().unwrap().hash(),
        tree,
        "the evidence is that of the new tree"
    );
    assert!(project.read("src/a.rs").contains("0 + 1"));
    assert!(project.read("src/b.rs").contains("1 + 1"));
}

/// The change as a person is asked about it.
fn pending(change: &AcceptedChange) -> PendingChange {
    PendingChange {
        act: ConsentAct::Write,
        change: change.overlay.clone(),
        tree: change.permit.tree().files_hash(),
        titles: Vec::new(),
        see: String::new(),
    }
}

#[test]
fn a_consent_is_to_the_change_and_the_tree_that_were_shown() {
    let project = project();
    let (ctx, workspace) = workspace(&project);
    let consents = Consents::default();
    let consent_to = |pending: &PendingChange| {
        let question = consents.ask(&ctx, pending, ShownDiff::Above, b"");
        Some(consents.redeem(question.nonce(), b"").unwrap())
    };
    let write = |change| accept(&ctx, &workspace, change, &ApplyOptions::default());
    // Of another change.
    let mut change = verified(&ctx, &workspace, "src/a.rs", "    1\n", "    0 + 1\n");
    let other = verified(&ctx, &workspace, "src/a.rs", "    1\n", "    2\n");
    change.consent = consent_to(&pending(&other));
    let before = project.digest();
    let error = write(change).unwrap_err();
    assert!(matches!(error, Error::Consent(ConsentError::Other)), "{error}");
    // Of another tree: without a consent it would be verified again and written.
    let mut change = verified(&ctx, &workspace, "src/a.rs", "    1\n", "    0 + 1\n");
    change.consent = consent_to(&pending(&change));
    project.write("src/b.rs", project.read("src/b.rs").replace("    2\n", "    1 + 1\n"));
    let error = write(change).unwrap_err();
    assert!(matches!(error, Error::Consent(ConsentError::Moved)), "{error}");
    assert_eq!(before.without("src/b.rs"), project.digest().without("src/b.rs"));
    assert!(workspace.project().history().unwrap().is_empty());
    // Of this one.
    let mut change = verified(&ctx, &workspace, "src/a.rs", "    1\n", "    0 + 1\n");
    change.consent = consent_to(&pending(&change));
    let AcceptOutcome::Written { applied, .. } = write(change).unwrap() else { panic!("refused") };
    assert!(!applied.id.is_empty());

    let (id, undo) = pending_restore(&ctx, &workspace, false, None).unwrap();
    assert_eq!(id, *applied.id);
    let consent = || consent_to(&undo).unwrap();
    project.write("src/b.rs", project.read("src/b.rs").replace("1 + 1", "2"));
    let error = restore_consented(&ctx, &workspace, false, None, consent()).unwrap_err();
    assert!(matches!(error, Error::Consent(ConsentError::Moved)), "{error}");
    project.write("src/b.rs", project.read("src/b.rs").replace("    2\n", "    1 + 1\n"));
    restore_consented(&ctx, &workspace, false, Some(&id), consent()).unwrap();
    assert!(project.read("src/a.rs").contains("    1\n"));
    let error = restore_consented(&ctx, &workspace, true, None, consent()).unwrap_err();
    assert!(matches!(error, Error::Consent(ConsentError::Other)), "undo is not redo: {error}");
}

#[test]
fn an_edit_that_weakens_a_test_is_refused_until_the_rule_is_allowed_by_name() {
    let project = project();
    let (ctx, workspace) = workspace(&project);
    let mut request = replace("src/b.rs", "    assert_eq!(g(), 2);", "    g();");
    let refused = edit_apply(&ctx, &workspace, &request, &mut |_| {}).unwrap();
    assert_eq!(refused.proposals[0].state, "rejected");
    let hint = &refused.refusals[0].hint;
    assert!(hint.contains("--allow preservation:assertion-removed"), "{hint}");
    request.approval = Approval {
        who: "ann".to_owned(),
        allow: refused.proposals[0].evidence.violations.iter().map(|it| it.rule.clone()).collect(),
        override_reason: None,
    };
    let applied = edit_apply(&ctx, &workspace, &request, &mut |_| {}).unwrap();
    assert_eq!(applied.proposals[0].state, "applied", "{:?}", applied.refusals);
    let entry = workspace.project().history().unwrap().pop().unwrap();
    assert_eq!(entry.permit["approval"]["who"], "ann");
}

#[test]
fn a_commit_whose_tree_fails_the_check_is_reverted() {
    let project = project();
    let git = project.git();
    let head = git.head();
    let mut settings = Settings::default();
    settings.commit_verify = true;
    let (ctx, workspace) = workspace_with(&project, &settings);
    let before = project.digest().without(".git");
    // The tests fail with this edit, but only the check after the commit runs them.
    let mut change = verified(&ctx, &workspace, "src/b.rs", "    2", "    3");
    change.ladder.tests = check::Tests::All;
    let message = CommitMessage {
        kind: "fix".to_owned(),
        summary: "three".to_owned(),
        scope: None,
        body: Vec::new(),
    };
    let options = ApplyOptions { commit: Some(message), ..ApplyOptions::default() };
    let error = accept(&ctx, &workspace, change, &options).unwrap_err();
    assert!(
        matches!(error, Error::Project(ProjectError::Repo(RepoError::Reverted { .. }))),
        "{error}"
    );
    assert_eq!(git.run(&["rev-list", "--count", &format!("{head}..HEAD")]), "2");
    assert_eq!(project.digest().without(".git"), before);
}
