//! Tasks in a person's words: by rules, by a model, and as a plan.

use std::sync::Arc;

use graftage_agent::{
    Advanced, Agent, AgentLimits, Doer, FixOutcome, ModelReasoner, ModelSource, Plan, ReasonLimits,
    SubgoalStatus,
};
use model::language::{MessagePart, Scripted, StopReason, Turn, TurnRequest, Usage};
use testkit::TempProject;

use crate::support::workspace;

fn project() -> TempProject {
    testkit::crate_project(
        "
//- /src/lib.rs
//! Words.

pub mod count;

/// The longest word.
pub fn longest(words: &[&str]) -> usize {
    words.iter().map(|it| it.len()).max().unwrap_or(0)
}

#[cfg(test)]
mod checks {
    #[test]
    fn the_longest_is_found() {
        assert_eq!(super::longest(&[\"a\", \"bb\"]), 2);
    }
}
//- /src/count.rs
/// The number of words.
pub fn count(words: &[&str]) -> usize {
    words.len()
}

/// The number of letters.
pub fn letters(words: &[&str]) -> usize {
    words.iter().map(|it| it.chars().count()).sum()
}
",
    )
}

fn answer(text: &str) -> Turn {
    let parts = vec![MessagePart::Text { text: text.to_owned() }];
    let usage = Usage { input_tokens: 1_000, output_tokens: 100, ..Usage::default() };
    Turn { parts, stop: StopReason::EndTurn, usage, model: "scripted".to_owned() }
}

fn edit(path: &str, search: &str, replace: &str) -> Turn {
    answer(&format!("{path}\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n"))
}

struct Run {
    plan: Plan,
    advanced: Option<Advanced>,
    requests: Vec<TurnRequest>,
}

impl Run {
    fn outcome(&self) -> FixOutcome {
        self.advanced.as_ref().expect("a subgoal").fixed.report.outcome
    }
}

/// Begins a task and takes it as far as it goes; nothing is written.
fn run(goal: &str, turns: Option<Vec<Turn>>) -> Run {
    let project = project();
    let before = project.digest();
    let (ctx, workspace) = workspace(&project);
    let scripted = turns.map(|turns| Arc::new(Scripted::new(turns)));
    let reasoner = |it: &Arc<Scripted>| ModelReasoner::new(it.clone(), ReasonLimits::default());
    let model = scripted.as_ref().map_or(ModelSource::None, |it| ModelSource::Given(reasoner(it)));
    let agent = Agent::compose(workspace, model, policy::Approval::default());
    let limits = AgentLimits::default();
    let mut plan = agent.plan(&ctx, goal, limits).expect("a plan");
    let advanced = agent.advance(&ctx, &mut plan, limits, &mut |_| {}).expect("no fault");
    before.assert_same(&project.digest());
    let requests = scripted.map_or_else(Vec::new, |it| it.requests());
    // Every step that a model was asked for replays without it.
    let report = advanced.as_ref().map(|it| &it.fixed.report);
    if let Some(trace) = report.filter(|it| it.tokens > 0).and_then(|it| it.trace.as_ref()) {
        let trace = graftage_agent::read_trace(trace.as_ref()).expect("a trace");
        let again = graftage_agent::replay(&ctx, &trace).expect("replays");
        assert_eq!((again.identical, again.difference), (true, None));
    }
    Run { plan, advanced, requests }
}

#[test]
fn rules_make_what_they_understand_without_a_model() {
    let run = run("please rename the function `count::letters` to `characters`", None);
    assert_eq!(run.outcome(), FixOutcome::Proven, "{:#?}", run.advanced);
    assert_eq!(run.plan.subgoals[0].by, Doer::Rules);
    assert_eq!(run.plan.subgoals[0].status, SubgoalStatus::Proven);
    assert!(run.plan.subgoals[0].diff.contains("+pub fn characters("));
}

#[test]
fn without_a_model_the_context_is_prepared() {
    let run = run("make `longest` return the length of the first word if all are empty", None);
    assert_eq!(run.outcome(), FixOutcome::None);
    let advanced = run.advanced.expect("a subgoal");
    let prompt = advanced.prompt.expect("a prompt");
    assert!(prompt.contains("pub fn longest(words: &[&str]) -> usize {"), "{prompt}");
    assert!(prompt.contains("<<<<<<< SEARCH"), "the format of edits");
    let reason = advanced.fixed.report.reason.expect("a reason");
    assert!(reason.contains("model.provider"), "{reason}");
}

#[test]
fn a_model_makes_the_rest_and_rules_complete_it() {
    let added = edit(
        "src/count.rs",
        "/// The number of letters.",
        "/// The number of different words.\npub fn distinct(words: &[&str]) -> usize {\n    \
         words.iter().collect::<HashSet<_>>().len()\n}\n\n/// The number of letters.",
    );
    let run = run("count different words in `count.rs`: a function `distinct`", Some(vec![added]));
    assert_eq!(run.outcome(), FixOutcome::Proven, "{:#?}", run.advanced);
    let report = &run.advanced.as_ref().unwrap().fixed.report;
    assert!(report.diff.contains("+use std::collections::HashSet;"), "{}", report.diff);
    assert_eq!(report.tokens, 1_100);
    assert_eq!(run.plan.tokens, 1_100);
}

#[test]
fn what_a_model_removes_is_refused_and_it_may_try_again() {
    let removes = edit("src/count.rs", "    words.len()", "    0");
    let keeps = edit(
        "src/count.rs",
        "    words.len()",
        "    words.iter().filter(|it| !it.is_empty()).count().min(words.len())",
    );
    let run = run("ignore empty words in `count`", Some(vec![removes, keeps]));
    assert_eq!(run.outcome(), FixOutcome::Proven, "{:#?}", run.advanced);
    let texts = run.requests[1].texts().concat();
    assert!(texts.contains("preservation"), "{texts}");
}

#[test]
fn a_change_that_breaks_a_test_is_refused() {
    let wrong = edit(
        "src/lib.rs",
        "    words.iter().map(|it| it.len()).max().unwrap_or(0)",
        "    words.iter().map(|it| it.len()).max().unwrap_or(0) + 1",
    );
    let give_up = answer("NO EDIT: no idea");
    let run = run("round up in `longest`", Some(vec![wrong, give_up]));
    assert_eq!(run.outcome(), FixOutcome::None, "{:#?}", run.advanced);
    assert!(run.advanced.unwrap().fixed.accepted.is_none());
    assert_eq!(run.plan.subgoals[0].status, SubgoalStatus::Failed);
    let texts = run.requests[1].texts().concat();
    assert!(texts.contains("the_longest_is_found"), "{texts}");
}

#[test]
fn the_steps_of_a_list_are_made_in_order_and_composed() {
    let first = edit(
        "src/count.rs",
        "/// The number of letters.",
        "/// Whether there is none.\npub fn is_empty(words: &[&str]) -> bool {\n    \
         words.is_empty()\n}\n\n/// The number of letters.",
    );
    let second = edit(
        "src/lib.rs",
        "/// The longest word.",
        "/// Whether there is a word.\npub fn any(words: &[&str]) -> bool {\n    \
         !count::is_empty(words)\n}\n\n/// The longest word.",
    );
    let goal = "- write `is_empty` beside `count`\n- use it in a new function `any` of lib.rs";
    let run = run(goal, Some(vec![first, second]));
    assert_eq!(run.outcome(), FixOutcome::Proven, "{:#?}", run.advanced);
    let report = &run.advanced.as_ref().unwrap().fixed.report;
    assert!(report.diff.contains("+pub fn is_empty") && report.diff.contains("+pub fn any"));
    assert!(run.plan.subgoals.iter().all(|it| it.status == SubgoalStatus::Proven));
}

#[test]
fn a_model_divides_a_long_task() {
    let goal = "First we need a function that reports whether there are no words.\nThen a function in \
                lib.rs has to use it, so that callers need not know about the module.";
    let plan = answer("Add `is_empty` to `count`.\nAdd `any` to the crate.\n");
    let run = run(goal, Some(vec![plan, answer("NO EDIT: a test")]));
    let texts: Vec<&str> = run.plan.subgoals.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["Add `is_empty` to `count`.", "Add `any` to the crate."]);
    assert!(run.requests[0].system.contains("Divide the task"));
    assert!(run.requests[0].tools.is_empty());
}

#[test]
fn an_ambiguous_name_lists_the_candidates() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
pub struct A;
pub struct B;
impl A {
    pub fn size(&self) -> u8 {
        1
    }
}
impl B {
    pub fn size(&self) -> u8 {
        2
    }
}
",
    );
    let (ctx, workspace) = workspace(&project);
    let agent = Agent::compose(workspace, ModelSource::None, policy::Approval::default());
    let limits = AgentLimits::default();
    let mut plan = agent.plan(&ctx, "rename size to len", limits).expect("a plan");
    let error = agent.advance(&ctx, &mut plan, limits, &mut |_| {}).expect_err("two");
    let hint = base::Hint::hint(&error).expect("candidates");
    assert!(hint.contains("`A::size`") && hint.contains("`B::size`"), "{error} {hint}");
}
