//! [`Turn`]: one prompt, from its text to the end of its last job.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use agent::front::{
    ChangeRequest, Inquiry, JobEnd, JobEvent, JobRequest, OfferedChange, PlanCard, RestoreRequest,
    Weight, answer_text, parse_command, placed, report_lines, step_lines,
};
use agent::{FixEvent, FixReport, TaskStep};
use base::{Progress, ProjectPath, SortedSet};
use edit::Overlay;

use crate::buffers::Buffers;
use crate::review::Reviewed;
use crate::session::Session;
use crate::wire::{
    AcpMode, PlanStatus, StopReason, ToolFields, ToolKind, ToolStatus, path_of, update,
};

/// Longest time between two looks at whether the prompt was cancelled.
const LOOK: Duration = Duration::from_millis(15);

/// Longest time that a cancelled job may take to end before the prompt ends without it.
const ENDING: Duration = Duration::from_millis(700);

/// Time between two updates about progress.
const PROGRESS: Duration = Duration::from_millis(250);

/// Tokens of a model's context, which providers do not report.
const CONTEXT_TOKENS: u64 = 200_000;

/// Most errors of the tree that are shown.
const MOST_ERRORS: usize = 30;

/// Most times that a search starts again because it touches files with unsaved texts.
const AGAIN: usize = 3;

/// The stages of a change, as the editor's plan.
const STAGES: [&str; 5] = [
    "Check the tree as it is",
    "Propose changes and build them",
    "Run the tests",
    "Let the gate decide",
    "Write it after your answer",
];

/// A prompt that runs.
pub(crate) struct Turn<'a> {
    pub(crate) session: &'a Session,
    stop: &'a AtomicBool,
    pub(crate) buffers: Buffers<'a>,
}

/// A call that is shown to the editor while a job runs.
struct ShownCall {
    id: String,
    title: String,
    stage: Option<usize>,
    reported: Option<Instant>,
    /// The errors that were shown: a macro can have the same one many times.
    errors: SortedSet<String>,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(session: &'a Session, stop: &'a AtomicBool) -> Self {
        Self { session, stop, buffers: Buffers::new(session, stop) }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Shows a text to the person. Editors read messages as Markdown, which joins lines that have no break.
    pub(crate) fn say(&self, text: &str) {
        let lines: Vec<String> = safe(text).lines().map(|it| it.trim_end().to_owned()).collect();
        self.session.send(update::message(&format!("{}\n\n", lines.join("  \n"))));
    }

    /// Runs a prompt; `files` are the addresses of files that it names.
    pub(crate) fn run(mut self, text: &str, files: &[String]) -> StopReason {
        let root = &self.session.root;
        let paths = files.iter().filter_map(|it| path_of(it));
        let paths = paths.filter_map(|it| {
            let inner = it.strip_prefix(root).ok()?.to_str()?.to_owned();
            ProjectPath::new(&inner).ok()
        });
        let named: Vec<ProjectPath> = paths.collect();
        match parse_command(text, self.session.has_model) {
            Ok(job) => self.job(job, &named),
            Err(error) => self.say(&error.to_string()),
        }
        match self.is_stopped() {
            true => StopReason::Cancelled,
            false => StopReason::EndTurn,
        }
    }

    fn job(&mut self, job: JobRequest, named: &[ProjectPath]) {
        match job {
            JobRequest::Inquire(view) => self.inquire(view),
            JobRequest::Change(request) => self.change(request, named),
            JobRequest::AskRestore(request) => self.restore(request),
            job @ (JobRequest::Open(_) | JobRequest::Restage(_)) => self.open(job),
            other => {
                let title = other.title();
                match self.run_job(other, ToolKind::Execute) {
                    JobEnd::Failed(error, hint) => self.failed(&title, &error, hint.as_deref()),
                    JobEnd::Cancelled => {}
                    _ => self.say(&format!("{title}: done")),
                }
            }
        }
    }

    /// Runs a job; shows it as a call of the agent.
    pub(crate) fn run_job(&self, job: JobRequest, kind: ToolKind) -> JobEnd {
        let call = self.session.next_call();
        let title = job.title();
        self.session.send(update::tool_call(&call, &safe(&title), kind));
        let mut shown = ShownCall {
            id: call.clone(),
            title,
            stage: None,
            reported: None,
            errors: SortedSet::new(),
        };
        let end = self.follow(job, |turn, event| turn.happened(&mut shown, event));
        let status = match end {
            JobEnd::Failed(..) | JobEnd::Cancelled | JobEnd::Refused(_) => ToolStatus::Failed,
            _ => ToolStatus::Completed,
        };
        self.session.send(update::tool_call_update(&call, &ToolFields::status(status)));
        end
    }

    /// Runs a job that is not shown.
    pub(crate) fn run_quietly(&self, job: JobRequest) -> JobEnd {
        self.follow(job, |_, _| {})
    }

    fn follow(&self, job: JobRequest, mut on: impl FnMut(&Self, &JobEvent)) -> JobEnd {
        // A write is past the point of no return once it began: its result is waited for.
        let waits = matches!(job, JobRequest::Write(_) | JobRequest::Restore(..));
        let id = self.session.runner.submit(job);
        let mut stopped: Option<Instant> = None;
        loop {
            match self.session.events.receive(Some(LOOK)) {
                Some(JobEvent::Ended(of, end)) if of == id => return *end,
                Some(event) if event.job() == Some(id) => on(self, &event),
                _ => {}
            }
            if self.is_stopped() && stopped.is_none() {
                self.session.runner.cancel(id);
                stopped = Some(Instant::now());
            }
            if stopped.is_some_and(|it| it.elapsed() > ENDING) && !waits {
                return JobEnd::Cancelled;
            }
        }
    }

    fn happened(&self, shown: &mut ShownCall, event: &JobEvent) {
        match event {
            JobEvent::Step(_, step) => self.step(shown, step),
            JobEvent::Progress(_, progress) => self.progress(shown, progress),
            _ => {}
        }
    }

    fn step(&self, shown: &mut ShownCall, event: &FixEvent) {
        match event {
            FixEvent::Writing { text } => self.session.send(update::thought(&safe(text))),
            FixEvent::Entered { step, .. } => self.stage(shown, stage_of(*step)),
            FixEvent::InitialError { diagnostic } => {
                if shown.errors.len() >= MOST_ERRORS || !shown.errors.insert(placed(diagnostic)) {
                    return;
                }
                let file = diagnostic.file.as_ref().map(|it| self.session.root.join(it));
                let fields = ToolFields {
                    locations: file.into_iter().zip(diagnostic.line).collect(),
                    ..ToolFields::default()
                };
                self.session.send(update::tool_call_update(&shown.id, &fields));
            }
            _ => {}
        }
        for line in step_lines(event) {
            self.session.send(update::thought(&format!("{}\n", safe(&line.text))));
        }
    }

    fn stage(&self, shown: &mut ShownCall, stage: Option<usize>) {
        let Some(stage) = stage.filter(|it| shown.stage != Some(*it)) else { return };
        shown.stage = Some(stage);
        self.plan(stage);
    }

    /// Shows the plan with this stage in progress; with the number of stages, all are done.
    pub(crate) fn plan(&self, stage: usize) {
        let entry = |(at, text): (usize, &&str)| {
            let status = match at.cmp(&stage) {
                std::cmp::Ordering::Less => PlanStatus::Completed,
                std::cmp::Ordering::Equal => PlanStatus::InProgress,
                std::cmp::Ordering::Greater => PlanStatus::Pending,
            };
            ((*text).to_owned(), status)
        };
        let entries: Vec<_> = STAGES.iter().enumerate().map(entry).collect();
        self.session.send(update::plan(&entries));
    }

    fn progress(&self, shown: &mut ShownCall, progress: &Progress) {
        if shown.reported.is_some_and(|it| it.elapsed() < PROGRESS) {
            return;
        }
        shown.reported = Some(Instant::now());
        let count = match progress.total {
            0 => String::new(),
            total => format!(" {}/{total}", progress.done),
        };
        let title = format!("{}: {}{count} {}", shown.title, progress.stage, progress.detail);
        let fields = ToolFields { title: Some(safe(title.trim())), ..ToolFields::default() };
        // What passes by is no history.
        self.session.show(&update::tool_call_update(&shown.id, &fields));
    }

    pub(crate) fn failed(&self, title: &str, error: &str, hint: Option<&str>) {
        let hint = hint.map(|it| format!("\nhint: {it}")).unwrap_or_default();
        self.say(&format!("{title}: {error}{hint}"));
    }

    fn inquire(&self, view: Inquiry) {
        let job = JobRequest::Inquire(view);
        let title = job.title();
        match self.run_job(job, ToolKind::Search) {
            JobEnd::Answer(answer) => self.say(&answer_text(&answer)),
            JobEnd::Failed(error, hint) => self.failed(&title, &error, hint.as_deref()),
            _ => {}
        }
    }

    /// Searches for a change, step by step where it is a plan.
    fn change(&mut self, request: ChangeRequest, named: &[ProjectPath]) {
        if self.session.mode() == AcpMode::Ask {
            let text = "the mode is `ask`: nothing is changed. Switch to `propose` or `apply`, and send it again";
            return self.say(text);
        }
        let mut next = Some(with_files(request, named));
        while let Some(request) = next.take() {
            let Some((report, changes, plan)) = self.search(&request, named) else { return };
            for line in report_lines(&report) {
                let mark = if line.weight == Weight::Warn { "⚠ " } else { "" };
                self.say(&format!("{mark}{}", line.text));
            }
            for line in plan.iter().flat_map(|it| &it.lines) {
                self.say(line);
            }
            self.usage(&report);
            let written = match self.chosen(changes) {
                Some(change) => Reviewed::new(self, change).settle(),
                None => None,
            };
            let plan = written.and_then(|it| it.plan).filter(|it| !it.is_done);
            next = plan.map(|it| ChangeRequest::Resume(it.id)).filter(|_| !self.is_stopped());
        }
    }

    /// Searches for a change; starts again with the unsaved texts of the files that it touches.
    fn search(
        &mut self,
        request: &ChangeRequest,
        named: &[ProjectPath],
    ) -> Option<(FixReport, Vec<OfferedChange>, Option<PlanCard>)> {
        let title = request.title();
        self.buffers.look(named);
        for _ in 0..AGAIN {
            let unsaved = match self.buffers.unsaved() {
                Ok(unsaved) => unsaved,
                Err(error) => {
                    self.failed(&title, &error.to_string(), None);
                    return None;
                }
            };
            let (own, unsaved_is_empty) = (unsaved.patch_set(), unsaved.is_empty());
            let job = match unsaved.is_empty() {
                true => JobRequest::Change(request.clone()),
                false => JobRequest::ChangeOn(request.clone(), Box::new(unsaved)),
            };
            let (report, changes, plan) = match self.run_job(job, ToolKind::Edit) {
                JobEnd::Changes { report, changes, plan } => (*report, changes, plan),
                JobEnd::Failed(error, hint) => {
                    self.failed(&title, &error, hint.as_deref());
                    return None;
                }
                _ => return None,
            };
            // The unsaved text alone is no change of ours.
            let is_new = |it: &OfferedChange| unsaved_is_empty || it.change.patch_set() != own;
            let changes: Vec<OfferedChange> = changes.into_iter().filter(is_new).collect();
            let touched = changes.iter().flat_map(|it| paths(&it.change));
            let found = self.buffers.look(&touched.collect::<Vec<_>>());
            if found.is_empty() || self.is_stopped() {
                return Some((report, changes, plan));
            }
            if !request.starts_from_unsaved() {
                let files = found.join(", ");
                self.say(&format!("{title}: {files} would change, and has text that is not saved: save it, and send this again"));
                return None;
            }
            self.say(&format!(
                "{} has text that is not saved: once more with it",
                found.join(", ")
            ));
        }
        self.say(&format!("{title}: the files are edited meanwhile; send it again"));
        None
    }

    fn usage(&self, report: &FixReport) {
        if report.tokens > 0 {
            let size = CONTEXT_TOKENS.max(report.tokens);
            self.session.send(update::usage(report.tokens, size, report.cost));
        }
    }

    fn open(&mut self, job: JobRequest) {
        let title = job.title();
        match self.run_job(job, ToolKind::Edit) {
            JobEnd::Opened(id, change) => {
                Reviewed::new(self, *change).of_proposal(id).settle();
            }
            JobEnd::Failed(error, hint) => self.failed(&title, &error, hint.as_deref()),
            _ => {}
        }
    }

    fn restore(&mut self, request: RestoreRequest) {
        let verb = if request.redoes { "redo" } else { "undo" };
        if self.session.mode() == AcpMode::Ask {
            return self.say("the mode is `ask`: nothing is changed");
        }
        match self.run_quietly(JobRequest::AskRestore(request.clone())) {
            JobEnd::Question(nonce, text) => {
                if !self.agreed_to_restore(verb, &text) {
                    return;
                }
                match self.run_job(JobRequest::Restore(request, nonce), ToolKind::Edit) {
                    JobEnd::Restored(_, done) => {
                        self.say(&format!("{verb} of {}: {}", done.id, done.restored.join(", ")));
                        if done.around_changed {
                            self.say("other files changed since: no check covers the present tree");
                        }
                    }
                    JobEnd::Failed(error, hint) => self.failed(verb, &error, hint.as_deref()),
                    _ => {}
                }
            }
            JobEnd::Failed(error, hint) => self.failed(verb, &error, hint.as_deref()),
            _ => {}
        }
    }
}

/// A task with the files that the person added to the prompt.
fn with_files(request: ChangeRequest, named: &[ProjectPath]) -> ChangeRequest {
    match request {
        ChangeRequest::Task(text) if !named.is_empty() => {
            let files: Vec<String> = named.iter().map(|it| format!("`{it}`")).collect();
            ChangeRequest::Task(format!("{text}\n\nSee {}", files.join(", ")))
        }
        request => request,
    }
}

/// The files of a change.
pub(crate) fn paths(change: &Overlay) -> Vec<ProjectPath> {
    change.changes().map(|(path, _)| path.clone()).collect()
}

/// A text as a block of Markdown whose lines stay as they are.
pub(crate) fn fenced(text: &str) -> String {
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", safe(text).trim_end())
}

/// A text for an editor: what a terminal or a reader could be misled by is visible.
pub(crate) fn safe(text: &str) -> String {
    base::visible(text)
}

fn stage_of(step: TaskStep) -> Option<usize> {
    match step {
        TaskStep::Ready | TaskStep::Abort => None,
        TaskStep::Check => Some(0),
        TaskStep::Propose | TaskStep::Materialize | TaskStep::Score | TaskStep::Refine => Some(1),
        TaskStep::Test => Some(2),
        TaskStep::Decide => Some(3),
        TaskStep::Apply => Some(4),
    }
}
