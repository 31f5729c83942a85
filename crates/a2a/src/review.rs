//! [`Work`]: one message of a task, from its text to a result or a question.

use agent::front::{
    ChangeRequest, JobEnd, JobEvent, JobRequest, OfferId, OfferedChange, ProofCard, RestoreRequest,
    WriteRequest, answer_text, parse_command, placed, report_lines, step_lines,
};
use agent::{Answers, FixEvent, FixOutcome, FixReport};
use base::ContentHash;
use check::Tests;
use edit::Overlay;
use serde_json::json;

use crate::project::{ProjectAgent, Reply};
use crate::task::TaskHandle;
use crate::wire::{A2aArtifact, A2aPart, A2aState};

/// Most bytes of a text in an artifact.
const MOST_TEXT: usize = 4 << 20;

/// Most lines of a log; of more, the newest are left out.
const MOST_LINES: usize = 5_000;

/// Most places that a change leaves in the question about its write.
const LEFT: usize = 5;

/// How a question about a write is answered.
const HOW: &str = "Answer `yes` or `no` on this task";

/// How questions of a search are answered.
const HOW_TO_ANSWER: &str =
    "Answer with a line `ID=ANSWER` for each question, or `no`, on this task";

/// A question that waits for its client.
pub(crate) enum Pending {
    /// The write of a change.
    Write(PendingWrite),
    /// An undo or redo, with its nonce and text.
    Restore(RestoreRequest, String, String),
    /// Which of several changes is meant.
    Choice(Vec<OfferedChange>),
    /// Questions that a search leaves open.
    Questions(PendingQuestions),
}

/// A search that waits for answers.
pub(crate) struct PendingQuestions {
    request: ChangeRequest,
    /// The ids of its questions.
    ids: Vec<String>,
    text: String,
}

/// A proven change that waits for `yes`.
pub(crate) struct PendingWrite {
    offer: OfferId,
    patch_set: ContentHash,
    nonce: String,
    question: String,
    proposal: Option<String>,
    title: String,
    change: Overlay,
}

impl PendingQuestions {
    /// The questions of a search without a verified change; `None` if it has none, or takes no answer.
    fn of(request: ChangeRequest, report: &FixReport, text: &str) -> Option<Self> {
        let is_open = matches!(report.outcome, FixOutcome::Draft | FixOutcome::None);
        let ids: Vec<String> = report.questions.iter().map(|it| it.id.clone()).collect();
        request.with_answers(Answers::default()).filter(|_| is_open && !ids.is_empty())?;
        Some(Self { request, ids, text: format!("{text}\n{HOW_TO_ANSWER}.") })
    }

    /// The search with the answers of a client; a number alone answers a single question.
    fn answered(&self, reply: &Reply) -> Option<ChangeRequest> {
        let answers = match (reply, self.ids.as_slice()) {
            (Reply::Answers(answers), _) => answers.clone(),
            (Reply::Number(number), [only]) => Answers([(only.clone(), number.to_string())].into()),
            _ => return None,
        };
        self.request.with_answers(answers)
    }
}

/// A message of a task that is worked on.
pub(crate) struct Work<'a> {
    agent: &'a ProjectAgent,
    task: &'a TaskHandle<'a>,
    log: Vec<String>,
}

impl<'a> Work<'a> {
    pub(crate) fn new(agent: &'a ProjectAgent, task: &'a TaskHandle<'a>) -> Self {
        Self { agent, task, log: Vec::new() }
    }

    /// Runs the command of a text.
    pub(crate) fn begin(mut self, text: &str) {
        let text = text.trim().trim_start_matches(['/', ':']);
        let line = match text.split_once(' ') {
            Some(("explain", rest)) => format!("context {rest}"),
            _ => text.to_owned(),
        };
        let job = match line.as_str() {
            "check" => Ok(of_tree(Tests::None)),
            "check tests" => Ok(of_tree(Tests::All)),
            line => parse_command(line, self.agent.has_model),
        };
        match job {
            Ok(JobRequest::Change(request)) => self.change(request),
            Ok(JobRequest::AskRestore(request)) => self.ask_restore(request),
            Ok(job @ JobRequest::Inquire(_)) => self.inquire(job),
            Ok(job @ (JobRequest::Open(_) | JobRequest::Restage(_))) => match self.run(job) {
                JobEnd::Opened(id, change) => self.review(*change, Some(id)),
                end => self.unexpected(end),
            },
            Ok(job @ JobRequest::Prove { .. }) => self.check(job),
            // No other command of a text is known; none writes without a question.
            Ok(job) => self.end(A2aState::Rejected, &format!("`{}` is no task", job.title())),
            Err(error) => self.end(A2aState::Rejected, &error.to_string()),
        }
    }

    /// Does what the client answered to a question.
    pub(crate) fn answered(self, pending: Pending, reply: &Reply) {
        match (pending, reply) {
            (Pending::Write(write), Reply::Yes) => self.write(write),
            (Pending::Write(write), Reply::No) => self.keep(write),
            (Pending::Restore(request, nonce, _), Reply::Yes) => self.restore(request, nonce),
            (Pending::Restore(..) | Pending::Choice(_) | Pending::Questions(_), Reply::No) => {
                self.end(A2aState::Canceled, "nothing was written: the answer is `no`");
            }
            (Pending::Choice(mut changes), Reply::Number(number))
                if (1..=changes.len()).contains(number) =>
            {
                let change = changes.swap_remove(number - 1);
                self.review(change, None);
            }
            (Pending::Questions(open), reply) => match open.answered(reply) {
                Some(request) => self.change(request),
                None => {
                    let text = open.text.clone();
                    self.ask(Pending::Questions(open), &text);
                }
            },
            (pending, _) => {
                let text = match &pending {
                    Pending::Write(PendingWrite { question, .. })
                    | Pending::Restore(_, _, question) => {
                        format!("The answer is not understood. {HOW}.\n{question}")
                    }
                    Pending::Choice(changes) => choices(changes),
                    Pending::Questions(open) => open.text.clone(),
                };
                self.ask(pending, &text);
            }
        }
    }

    /// Runs a job; what happens goes to the log, and to the streams of the task.
    fn run(&mut self, job: JobRequest) -> JobEnd {
        let (task, log) = (self.task, &mut self.log);
        let title = job.title();
        let mut on = |event: &JobEvent| match event {
            JobEvent::Began(..) => task.progress(&safe(&title)),
            JobEvent::Step(_, step) if !matches!(**step, FixEvent::Writing { .. }) => {
                for line in step_lines(step) {
                    task.progress(&safe(&line.text));
                    note(log, &line.text);
                }
            }
            JobEvent::Diagnostic(_, found) => note(log, &placed(found)),
            _ => {}
        };
        self.agent.jobs.run(job, &|| task.is_stopped(), &mut on)
    }

    fn inquire(mut self, job: JobRequest) {
        match self.run(job) {
            JobEnd::Answer(answer) => {
                let text = safe(&answer_text(&answer));
                self.text_artifact("answer", "The answer", &text, "text/plain");
                self.end(A2aState::Completed, text.lines().next().unwrap_or("no result"));
            }
            end => self.unexpected(end),
        }
    }

    fn check(mut self, job: JobRequest) {
        match self.run(job) {
            JobEnd::Proven(proof) => {
                self.evidence(&proof);
                for found in &proof.diagnostics {
                    note(&mut self.log, &placed(found));
                }
                let fails = proof.evidence.tests.as_ref().is_some_and(|it| !it.failed.is_empty());
                let state = match proof.evidence.errors_after == 0 && !fails {
                    true => A2aState::Completed,
                    false => A2aState::Failed,
                };
                self.end(state, &proof.summary());
            }
            end => self.unexpected(end),
        }
    }

    /// Searches for a change, and asks about it.
    fn change(mut self, request: ChangeRequest) {
        let (report, mut changes, plan) = match self.run(JobRequest::Change(request.clone())) {
            JobEnd::Changes { report, changes, plan } => (report, changes, plan),
            end => return self.unexpected(end),
        };
        let lines: Vec<String> = report_lines(&report).into_iter().map(|it| it.text).collect();
        let lines = lines.into_iter().chain(plan.into_iter().flat_map(|it| it.lines));
        let text = lines.collect::<Vec<_>>().join("\n");
        if let Some(open) = PendingQuestions::of(request, &report, &text) {
            let text = open.text.clone();
            return self.ask(Pending::Questions(open), &text);
        }
        let is_decided = changes.len() == 1 || changes.first().is_some_and(|it| it.proof.is_some());
        if !changes.is_empty() {
            note(&mut self.log, &text);
        }
        if is_decided {
            return self.review(changes.swap_remove(0), None);
        }
        if changes.is_empty() {
            let state = match report.outcome {
                FixOutcome::Clean => A2aState::Completed,
                _ => A2aState::Failed,
            };
            return self.end(state, &text);
        }
        let question = choices(&changes);
        self.ask(Pending::Choice(changes), &question);
    }

    /// Shows a change, proves it where that is not done, and asks about its write.
    fn review(mut self, offered: OfferedChange, proposal: Option<String>) {
        let diff = offered.change.unified_diff();
        self.text_artifact("patch", &offered.title, &diff, "text/x-diff");
        let proof = match &offered.proof {
            Some(proof) => proof.clone(),
            None => {
                let change = Box::new(offered.change.clone());
                match self.run(JobRequest::Prove { change, tests: None }) {
                    JobEnd::Proven(proof) => proof,
                    end => return self.unexpected(end),
                }
            }
        };
        self.evidence(&proof);
        note(&mut self.log, &format!("proof {}", proof.summary()));
        if !proof.opens() {
            let reasons = proof.refusals.join("; ");
            return self.end(A2aState::Failed, &format!("the gate refuses it: {reasons}"));
        }
        let left = offered.left.iter().take(LEFT).cloned();
        let titles = std::iter::once(offered.title.clone()).chain(left).collect();
        let (nonce, question) = match self.run(JobRequest::Ask { offer: proof.offer, titles }) {
            JobEnd::Question(nonce, question) => (nonce, question),
            end => return self.unexpected(end),
        };
        let text = format!("{question}\n{HOW}.");
        let write = PendingWrite {
            offer: proof.offer,
            patch_set: proof.patch_set,
            nonce,
            question,
            proposal,
            title: offered.title,
            change: offered.change,
        };
        self.ask(Pending::Write(write), &text);
    }

    fn write(mut self, write: PendingWrite) {
        if !self.task.begin_write() {
            return;
        }
        let request = WriteRequest {
            offer: write.offer,
            patch_set: write.patch_set,
            nonce: write.nonce,
            instead: write.proposal,
            rest: Overlay::empty(),
        };
        let end = self.run(JobRequest::Write(Box::new(request)));
        self.task.end_write();
        match end {
            JobEnd::Applied { change, commit, plan, .. } => {
                let commit = commit.map(|it| format!(", commit {it}")).unwrap_or_default();
                let text = format!("applied as {change}{commit}; `undo {change}` reverts it");
                match plan.filter(|it| !it.is_done) {
                    Some(plan) => {
                        note(&mut self.log, &text);
                        self.change(ChangeRequest::Resume(plan.id));
                    }
                    None => self.end(A2aState::Completed, &text),
                }
            }
            end => self.unexpected(end),
        }
    }

    /// Keeps a change that the client does not want now.
    fn keep(mut self, write: PendingWrite) {
        let kept = match write.proposal {
            Some(id) => Some(id),
            None => {
                let change = Box::new(write.change);
                match self.run(JobRequest::Keep { change, instead: None, title: write.title }) {
                    JobEnd::Kept(id, _) => Some(id),
                    _ => None,
                }
            }
        };
        let kept = kept.map(|it| format!("; it is kept as proposal {it}: `open {it}`"));
        let text = format!("nothing was written: the answer is `no`{}", kept.unwrap_or_default());
        self.end(A2aState::Canceled, &text);
    }

    fn ask_restore(mut self, request: RestoreRequest) {
        match self.run(JobRequest::AskRestore(request.clone())) {
            JobEnd::Question(nonce, question) => {
                let text = format!("{question}\n{HOW}.");
                self.ask(Pending::Restore(request, nonce, question), &text);
            }
            end => self.unexpected(end),
        }
    }

    fn restore(mut self, request: RestoreRequest, nonce: String) {
        if !self.task.begin_write() {
            return;
        }
        let verb = if request.redoes { "redo" } else { "undo" };
        let end = self.run(JobRequest::Restore(request, nonce));
        self.task.end_write();
        match end {
            JobEnd::Restored(_, done) => {
                let changed = match done.around_changed {
                    true => "; other files changed since: no check covers the present tree",
                    false => "",
                };
                let files = done.restored.join(", ");
                self.end(A2aState::Completed, &format!("{verb} of {}: {files}{changed}", done.id));
            }
            end => self.unexpected(end),
        }
    }

    /// Asks the client, and ends the work until it answers.
    fn ask(mut self, pending: Pending, text: &str) {
        self.flush();
        self.agent.put(self.task.id(), pending);
        self.task.update(A2aState::InputRequired, Some(&safe(text)));
    }

    fn unexpected(self, end: JobEnd) {
        let text = match end {
            JobEnd::Failed(error, hint) => {
                let hint = hint.map(|it| format!("\nhint: {it}")).unwrap_or_default();
                format!("{error}{hint}")
            }
            JobEnd::Refused(reasons) => format!("the gate refuses it: {}", reasons.join("; ")),
            JobEnd::Cancelled => "it was canceled".to_owned(),
            _ => "it ended without a result".to_owned(),
        };
        self.end(A2aState::Failed, &text);
    }

    fn end(mut self, state: A2aState, text: &str) {
        note(&mut self.log, text);
        self.flush();
        self.task.update(state, Some(&safe(text)));
    }

    /// Adds the log to the artifacts.
    fn flush(&mut self) {
        if !self.log.is_empty() {
            let text = safe(&self.log.join("\n"));
            self.text_artifact("log", "Steps and findings", &text, "text/plain");
        }
    }

    fn text_artifact(&self, name: &str, description: &str, text: &str, media_type: &str) {
        let part = A2aPart::text(shortened(text), media_type);
        let description = Some(base::visible_line(description));
        self.task.artifact(artifact(name, description, part));
    }

    fn evidence(&self, proof: &ProofCard) {
        let data = json!({
            "summary": proof.summary(),
            "opens": proof.opens(),
            "refusals": proof.refusals,
            "notChecked": proof.not_checked,
            "patchSet": proof.patch_set.to_string(),
            "evidence": *proof.evidence,
        });
        let description = Some("What cargo and the tests found with the patch".to_owned());
        self.task.artifact(artifact("evidence", description, A2aPart::data(data)));
    }
}

/// The check of the tree as it is.
fn of_tree(tests: Tests) -> JobRequest {
    JobRequest::Prove { change: Box::new(Overlay::empty()), tests: Some(tests) }
}

fn artifact(name: &str, description: Option<String>, part: A2aPart) -> A2aArtifact {
    A2aArtifact {
        artifact_id: name.to_owned(),
        name: Some(name.to_owned()),
        description,
        parts: vec![part],
    }
}

fn choices(changes: &[OfferedChange]) -> String {
    let line = |(at, it): (usize, &OfferedChange)| {
        format!(
            "{}. {}: {}\n{}",
            at + 1,
            it.title,
            it.rationale.join("; "),
            it.change.unified_diff()
        )
    };
    let lines: Vec<String> = changes.iter().enumerate().map(line).collect();
    let all = lines.join("\n");
    format!("Which of these changes? Answer its number, or `no`.\n{}", shortened(&all))
}

fn note(log: &mut Vec<String>, line: &str) {
    if log.len() < MOST_LINES {
        log.push(line.to_owned());
    }
}

/// A text without what could mislead a reader.
fn safe(text: &str) -> String {
    base::visible(text)
}

/// A text of a bounded length.
fn shortened(text: &str) -> String {
    if text.len() <= MOST_TEXT {
        return text.to_owned();
    }
    let mut end = MOST_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}\n… the rest is left out: it is longer than 4 MiB", &text[..end])
}
