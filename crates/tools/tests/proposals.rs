//! Proposals by item, typed tools, and kills: after a kill at any point of an approval the tree and
//! the record agree.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use base::{Ctx, Hint};
use check::Tests;
use graftage_tools::{
    ApproveRequest, CodeContextRequest, Error, PreflightRequest, ProposalCard, ProposeRequest,
    RejectRequest, ToolError, Toolbox, approve, list_proposals, pending_approval, preflight_check,
    propose, reject, request_code_context, undo,
};
use project::{Settings, Surroundings, Workspace};
use serde_json::{Value, json};
use testkit::TempProject;

const LIB: &str = "/// A counter.
pub struct Counter {
    n: u8,
}

impl Counter {
    /// Its number.
    pub fn number(&self) -> u8 {
        self.n
    }
}

pub fn double(n: u8) -> u8 {
    n * 2
}
";

fn project() -> TempProject {
    let project = testkit::crate_project("\n//- /src/lib.rs\n");
    project.write("src/lib.rs", LIB);
    project
}

fn open(root: &std::path::Path) -> (Ctx, Workspace) {
    let ctx = testkit::TestHost::new().ctx();
    let dirs = root.with_file_name("graftage");
    let surroundings = Surroundings {
        cache_dir: dirs.join("cache"),
        state_dir: dirs.join("state"),
        config_file: dirs.join("none.toml"),
        ..Surroundings::of_process().unwrap()
    };
    let (settings, sandbox) = (Settings::default(), testkit::inner::sandbox());
    let workspace = Workspace::open(&ctx, root, &settings, &surroundings, sandbox).unwrap();
    (ctx, workspace)
}

/// Proposes another text of `double`.
fn proposed(ctx: &Ctx, workspace: &Workspace, code: &str) -> ProposalCard {
    let edit = json!({
        "mode": "canonical", "file": "src/lib.rs", "canon": "double", "node_type": "function",
        "code": code,
    });
    let text = json!({ "edits": [edit] }).to_string();
    let request = ProposeRequest { text, ..ProposeRequest::default() };
    propose(ctx, workspace, &request).unwrap().proposals.remove(0)
}

fn ids(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

fn ready(ctx: &Ctx, workspace: &Workspace, code: &str) -> String {
    let id = proposed(ctx, workspace, code).id;
    let request = PreflightRequest { ids: ids(&[&id]), tests: Some(Tests::None) };
    let verified = preflight_check(ctx, workspace, &request, &mut |_| {}).unwrap();
    assert!(verified.compile_ok, "{:?}", verified.refusals);
    id
}

fn approval(id: &str) -> ApproveRequest {
    let input = json!({ "ids": [id], "approver": "ann" });
    serde_json::from_value(input).unwrap()
}

#[test]
fn an_edit_of_an_item_is_proposed_verified_and_flipped() {
    let project = project();
    let (ctx, workspace) = open(project.root());
    let code = "pub fn double(n: u8) -> u8 {\n    n + n\n}";
    let card = proposed(&ctx, &workspace, code);
    assert!(card.diff.contains("-    n * 2\n+    n + n\n"), "{}", card.diff);

    // The item names the proposal, too.
    let key = "src-lib.rs-double";
    let request = PreflightRequest { ids: ids(&[key]), tests: Some(Tests::None) };
    let verified = preflight_check(&ctx, &workspace, &request, &mut |_| {}).unwrap();
    assert_eq!((verified.compile_ok, verified.test_ok), (true, None));
    let approved = approve(&ctx, &workspace, &approval(key), &mut None, &mut |_| {}).unwrap();
    assert_eq!((approved.flipped, approved.proposals[0].version), (1, Some(1)));
    assert_eq!(project.read("src/lib.rs"), LIB.replace("n * 2", "n + n"));
}

#[test]
fn a_verification_without_tests_does_not_decide_which_tests_an_approval_runs() {
    let project = project();
    project.write(
        "src/lib.rs",
        format!("{LIB}\n#[test]\nfn doubles() {{\n    assert_eq!(double(2), 4);\n}}\n"),
    );
    let (ctx, workspace) = open(project.root());
    let id = ready(&ctx, &workspace, "pub fn double(n: u8) -> u8 {\n    n * 3\n}");
    let asked = |tests| pending_approval(&ctx, &workspace, &ids(&[&id]), tests).unwrap().titles;
    assert_eq!(asked(None).len(), 1);
    assert_eq!(asked(Some(Tests::None))[1], "! it is verified by a build, and no test runs");
    let approved = approve(&ctx, &workspace, &approval(&id), &mut None, &mut |_| {}).unwrap();
    assert_eq!((approved.change, approved.refusals.len()), (None, 1));
    assert!(project.read("src/lib.rs").contains("n * 2"));
}

#[test]
fn a_rejected_proposal_is_cleared_and_changes_nothing() {
    let project = project();
    let (ctx, workspace) = open(project.root());
    let id = proposed(&ctx, &workspace, "pub fn double(n: u8) -> u8 {\n    n + n\n}").id;
    let request = RejectRequest { ids: vec![id], reason: "no".to_owned() };
    let rejected = reject(&ctx, &workspace, &request).unwrap();
    assert_eq!((rejected.cleared, rejected.proposals[0].state.as_str()), (1, "rejected"));
    assert_eq!(list_proposals(&ctx, &workspace, false).unwrap().proposals.len(), 0);
    assert_eq!(project.read("src/lib.rs"), LIB);
}

fn error<T: std::fmt::Debug>(result: Result<T, ToolError>) -> (String, String) {
    let error = result.unwrap_err();
    (error.to_string(), error.hint().unwrap_or_default())
}

#[test]
fn a_tool_with_wrong_input_names_the_field_and_stages_nothing() {
    let project = project();
    let (ctx, workspace) = open(project.root());
    let toolbox = Toolbox::standard();
    let run = |input: Value| toolbox.call(&ctx, &workspace, "propose_edit", &input);
    let file = json!({ "mode": "file", "file_path": "src/lib.rs", "text": "pub fn f() {}\n" });
    let cases = [
        (json!({ "edits": [], "confidense": 1 }), "confidense: there is no such field"),
        (json!({ "confidence": 1 }), "edits: it is missing"),
        (json!({ "edits": "none", "confidence": 1 }), "edits: it is a string (\"none\")"),
        (json!({ "edits": [file, 3] }), "edits[1]: it is a number (3)"),
        (json!({ "edits": [file], "text": "" }), "text: `edits` has edits, too"),
        (json!({ "edits": [file], "confidence": "high" }), "confidence: it is a string"),
        (json!({ "edits": [file], "confidence": 7 }), "confidence: the number is 7, more than 1"),
        (json!({ "edits": [{ "mode": "file" }] }), "edits[0]"),
        (json!({ "edits": [{ "mode": "file", "file_path": "../x", "text": "" }] }), "edits[0]"),
    ];
    for (input, expected) in cases {
        let (message, hint) = error(run(input.clone()));
        assert!(message.contains(expected), "{input}: {message}");
        assert!(!hint.is_empty(), "{input}: {message}");
    }
    assert!(list_proposals(&ctx, &workspace, true).unwrap().proposals.is_empty());
    let staged = run(json!({ "edits": [file], "confidence": 0.5 })).unwrap();
    assert_eq!((&staged["staged"], &staged["problems"]), (&json!(true), &json!([])), "{staged}");
    let card = &list_proposals(&ctx, &workspace, false).unwrap().proposals[0];
    assert_eq!((card.author.as_str(), card.confidence), ("model", Some(0.5)));
}

#[test]
fn the_context_of_an_item_or_a_task_is_packed() {
    let project = project();
    let (ctx, workspace) = open(project.root());
    let run = |input: Value| -> Result<_, ToolError> {
        let request: CodeContextRequest =
            tool_schema::InputSchema::of::<CodeContextRequest>().read(&input)?;
        Ok(request_code_context(&ctx, &workspace, &request)?)
    };
    for input in [json!({ "item": "double" }), json!({ "task": "double a number", "budget": 500 })]
    {
        let packed = run(input.clone()).unwrap();
        assert!(packed.text.contains("n * 2"), "{input}: {}", packed.text);
    }
    let (message, hint) = error(run(json!({})));
    assert_eq!(
        (message.as_str(), hint.as_str()),
        ("task: it is missing", "pass `task`, `item` or both")
    );
    assert!(error(run(json!({ "task": "x", "budget": 0 }))).0.starts_with("budget: "));
}

#[test]
fn of_two_approvals_at_the_same_time_one_writes_and_the_other_is_refused() {
    let project = project();
    let (ctx, workspace) = open(project.root());
    let id = ready(&ctx, &workspace, "pub fn double(n: u8) -> u8 {\n    n + n\n}");
    let outcomes: Vec<Result<_, Error>> = std::thread::scope(|scope| {
        let approve_it = || {
            let (ctx, workspace) = open(project.root());
            approve(&ctx, &workspace, &approval(&id), &mut None, &mut |_| {})
        };
        let threads = [scope.spawn(approve_it), scope.spawn(approve_it)];
        threads.map(|thread| thread.join().unwrap()).into_iter().collect()
    });
    let written = outcomes.iter().flatten().filter(|it| it.change.is_some()).count();
    assert_eq!(written, 1, "{outcomes:?}");
    let listed = list_proposals(&ctx, &workspace, true).unwrap();
    let card = &listed.proposals[0];
    assert_eq!((card.state.as_str(), card.version), ("applied", Some(1)), "{:?}", listed.notes);
    assert_eq!(project.read("src/lib.rs"), LIB.replace("n * 2", "n + n"));
}

/// Kills an approval at each crash point; returns how often the tree was old and new afterwards.
fn kill_at_each_point(commit: bool) -> Option<(usize, usize)> {
    if let Some(job) = testkit::job() {
        let job: Value = serde_json::from_str(&job).unwrap();
        let (ctx, workspace) = open(job["root"].as_str().unwrap().as_ref());
        let request = ApproveRequest { commit, ..approval(job["id"].as_str().unwrap()) };
        repo::crash_points::arm(job["nth"].as_u64().unwrap());
        approve(&ctx, &workspace, &request, &mut None, &mut |_| {}).unwrap();
        return None;
    }
    let project = project();
    project.git();
    let (ctx, workspace) = open(project.root());
    let changed = |round: usize| format!("pub fn double(n: u8) -> u8 {{\n    n + n + {round}\n}}");
    let (mut old, mut new, mut round) = (0, 0, 0);
    let mut id = ready(&ctx, &workspace, &changed(round));
    for nth in 0.. {
        let job = json!({ "root": project.root(), "id": id, "nth": nth }).to_string();
        let child = testkit::this_test_again(&job).output().unwrap();
        let was_killed = std::os::unix::process::ExitStatusExt::signal(&child.status) == Some(9);
        // Opening recovers the tree, and the first use of the record settles it.
        let (ctx, workspace) = open(project.root());
        let text = project.read("src/lib.rs");
        let listed = list_proposals(&ctx, &workspace, true).unwrap();
        let card = listed.proposals.iter().find(|card| card.id == id).unwrap();
        assert!(listed.notes.is_empty(), "point {nth}: {:?}", listed.notes);
        if text == LIB {
            assert_eq!(card.state, "proven", "point {nth}");
            assert!(was_killed, "point {nth}: {child:?}");
            old += 1;
            continue;
        }
        assert!(text.contains(&format!("n + n + {round}")), "point {nth}: {text}");
        assert_eq!((card.state.as_str(), card.version), ("applied", Some(round as u64 + 1)));
        assert_eq!(card.commit.is_some(), commit, "point {nth}");
        if !was_killed {
            assert!(child.status.success(), "point {nth}: {child:?}");
            return Some((old, new));
        }
        new += 1;
        round += 1;
        undo(&ctx, &workspace, card.change.as_deref()).unwrap();
        if commit {
            testkit::TestGit::at(project.root()).commit_all("undone");
        }
        id = ready(&ctx, &workspace, &changed(round));
    }
    None
}

#[test]
fn after_a_kill_at_any_point_of_an_approval_tree_and_record_agree() {
    if let Some((old, new)) = kill_at_each_point(false) {
        assert!(old >= 4 && new >= 4, "{old} old, {new} new");
    }
}

#[test]
fn after_a_kill_at_any_point_of_an_approval_with_a_commit_they_agree() {
    if let Some((old, new)) = kill_at_each_point(true) {
        assert!(old >= 4 && new >= 4, "{old} old, {new} new");
    }
}
