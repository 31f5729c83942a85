//! The jobs of a front end, their events and their results.

use base::{ContentHash, Progress};
use check::Tests;
use code::{SearchAnswer, SearchRequest};
use edit::Overlay;
use tools::{ProposalCard, ReportedDiagnostic, RestoreSummary};

use super::mail::{Delivery, Mail};
use super::review::{OfferId, ProofCard};
use crate::{Answers, FixEvent, FixReport, RefactorRequest};

/// Number of a job, unique in its runner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// A search for a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeRequest {
    /// Repair of the errors of the tree, with answers to questions of an earlier run.
    Fix(Answers),
    /// Repair of the failing tests, once the tree builds.
    FixTests,
    /// Completion of the in-progress change, with such answers.
    Finish(Answers),
    /// Another version of a dependency; `None`: the newest.
    Upgrade {
        /// The package.
        package: String,
        /// The version, as in a manifest.
        version: Option<String>,
    },
    /// Another edition.
    Edition(String),
    /// A change in phrases that rules understand.
    Refactor(RefactorRequest),
    /// A task in a person's words.
    Task(String),
    /// The next step of the plan with this id.
    Resume(String),
}

/// A question to the project that changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Inquiry {
    /// Items or files by a query.
    Search(SearchRequest),
    /// One item with its code and edges.
    Show(String),
    /// Callers of an item.
    Callers(String),
    /// Items that an item calls.
    Callees(String),
    /// Items and tests that a change of an item affects.
    Impact(String),
    /// The shortest path between two items.
    Path(String, String),
    /// Code of a task within a budget of tokens.
    Context(String, usize),
    /// Makes map and search index again.
    Rebuild,
    /// The proposals; with `true` those that were decided, too.
    Proposals(bool),
    /// The written changes, newest first.
    History,
    /// The difference of a written change.
    Written(String),
    /// The plans.
    Plans,
    /// The rules of the gate.
    Policy,
    /// Why the gate is closed for a proposal.
    Blocked(String),
    /// Totals of runs, tokens and retrievals.
    Stats,
}

/// Answer to a [`Inquiry`].
#[derive(Clone, Debug)]
pub enum InquiryAnswer {
    /// Hits of a search, with the query.
    Hits(String, Box<SearchAnswer>),
    /// Proposals, newest first.
    Proposals(Vec<ProposalCard>),
    /// Written changes, newest first: id, whether it is applied now, one line.
    History(Vec<(String, bool, String)>),
    /// Text for a reader: a title and lines.
    Text(String, Vec<AnswerLine>),
}

/// A line of an answer.
#[derive(Clone, Debug, Default)]
pub struct AnswerLine {
    /// The text.
    pub text: String,
    /// The job that shows more of it, or continues it.
    pub opens: Option<JobRequest>,
}

/// A plan after a job worked on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCard {
    /// Its id.
    pub id: String,
    /// Its tree, one line for each step, with its status.
    pub lines: Vec<String>,
    /// Whether no step is left.
    pub is_done: bool,
}

/// A write that was asked about.
#[derive(Clone, Debug)]
pub struct WriteRequest {
    /// The verified change.
    pub offer: OfferId,
    /// Hash of the change that the person has seen.
    pub patch_set: ContentHash,
    /// Nonce of the question that the person has answered with yes.
    pub nonce: String,
    /// The open proposal that the change is, or is a part of.
    pub instead: Option<String>,
    /// The part that stays a proposal.
    pub rest: Overlay,
}

/// An undo or a redo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreRequest {
    /// Whether an undone change is applied again.
    pub redoes: bool,
    /// Id of the change; `None`: the newest.
    pub id: Option<String>,
}

/// Work for a [`super::JobRunner`].
#[derive(Clone, Debug)]
pub enum JobRequest {
    /// Searches for a change, and proves it.
    Change(ChangeRequest),
    /// The same on texts that are not saved yet: they are a part of every change that is found. Only repairs and
    /// completions start from such texts.
    ChangeOn(ChangeRequest, Box<Overlay>),
    /// Reads a change from a proposal.
    Open(String),
    /// Proves a change as it is.
    Prove {
        /// The change.
        change: Box<Overlay>,
        /// Tests that must pass; `None`: the setting `check.tests`.
        tests: Option<Tests>,
    },
    /// Keeps a change as a proposal, in place of another one.
    Keep {
        /// The change.
        change: Box<Overlay>,
        /// The proposal that it replaces.
        instead: Option<String>,
        /// One line about it.
        title: String,
    },
    /// Closes a proposal.
    Reject(String),
    /// Makes the question about the write of a proven change.
    Ask {
        /// The change.
        offer: OfferId,
        /// Description: a title, and lines about what it leaves.
        titles: Vec<String>,
    },
    /// Stages the request of a proposal again on the present tree, and reads the change from the new one.
    Restage(String),
    /// Writes a proven change after the question was answered with yes.
    Write(Box<WriteRequest>),
    /// Makes the question about an undo or redo.
    AskRestore(RestoreRequest),
    /// Undoes or redoes after the question was answered with yes.
    Restore(RestoreRequest, String),
    /// Answers a question.
    Inquire(Inquiry),
}

impl JobRequest {
    /// Whether it only reads, and so runs beside other work.
    pub(crate) fn only_reads(&self) -> bool {
        matches!(self, Self::Inquire(_))
    }

    /// Description, one line.
    pub fn title(&self) -> String {
        match self {
            Self::Change(request) | Self::ChangeOn(request, _) => request.title(),
            Self::Open(id) => format!("open {id}"),
            Self::Restage(id) => format!("restage {id}"),
            Self::Prove { tests: Some(Tests::None), .. } => "check".to_owned(),
            Self::Prove { .. } => "check and test".to_owned(),
            Self::Keep { .. } => "keep".to_owned(),
            Self::Reject(id) => format!("reject {id}"),
            Self::Ask { .. } | Self::AskRestore(_) => "ask".to_owned(),
            Self::Write(_) => "apply".to_owned(),
            Self::Restore(RestoreRequest { redoes: true, .. }, _) => "redo".to_owned(),
            Self::Restore(..) => "undo".to_owned(),
            Self::Inquire(view) => view.title(),
        }
    }
}

/// Answers as words of a command.
fn words_of(answers: &Answers) -> String {
    answers.0.iter().map(|(id, answer)| format!(" --answer {id}={answer}")).collect()
}

impl ChangeRequest {
    /// The same with more answers; `None` if it takes none.
    pub fn with_answers(&self, more: Answers) -> Option<Self> {
        let all = |known: &Answers| {
            let mut known = known.clone();
            known.0.extend(more.0);
            known
        };
        match self {
            Self::Fix(known) => Some(Self::Fix(all(known))),
            Self::Finish(known) => Some(Self::Finish(all(known))),
            _ => None,
        }
    }

    /// Whether it can start from texts that are not saved yet.
    pub fn starts_from_unsaved(&self) -> bool {
        matches!(self, Self::Fix(_) | Self::FixTests | Self::Finish(_))
    }

    /// The command, as on the command line.
    pub fn title(&self) -> String {
        match self {
            Self::Fix(answers) => format!("fix{}", words_of(answers)),
            Self::FixTests => "fix --failing-tests".to_owned(),
            Self::Finish(answers) => format!("finish{}", words_of(answers)),
            Self::Upgrade { package, version: Some(version) } => {
                format!("upgrade {package}@{version}")
            }
            Self::Upgrade { package, version: None } => format!("upgrade {package}"),
            Self::Edition(edition) => format!("upgrade --edition {edition}"),
            Self::Refactor(request) => request.command(),
            Self::Task(text) => format!("task {text}"),
            Self::Resume(id) => format!("task --resume {id}"),
        }
    }
}

impl Inquiry {
    fn title(&self) -> String {
        match self {
            Self::Search(request) => format!("search {}", request.query),
            Self::Show(item) => format!("show {item}"),
            Self::Callers(item) => format!("callers {item}"),
            Self::Callees(item) => format!("callees {item}"),
            Self::Impact(item) => format!("impact {item}"),
            Self::Path(from, to) => format!("path {from} {to}"),
            Self::Context(task, budget) => format!("context {task} ({budget} tokens)"),
            Self::Rebuild => "index".to_owned(),
            Self::Proposals(_) => "proposals".to_owned(),
            Self::History => "history".to_owned(),
            Self::Written(id) => format!("history {id}"),
            Self::Plans => "plans".to_owned(),
            Self::Policy => "policy".to_owned(),
            Self::Blocked(id) => format!("policy explain {id}"),
            Self::Stats => "stats".to_owned(),
        }
    }
}

/// One event of a runner.
#[derive(Clone, Debug)]
pub enum JobEvent {
    /// A job began.
    Began(JobId, String),
    /// A state of a search for a change.
    Step(JobId, Box<FixEvent>),
    /// The present work of a job.
    Progress(JobId, Progress),
    /// A diagnostic of a proof that runs.
    Diagnostic(JobId, Box<ReportedDiagnostic>),
    /// A job ended.
    Ended(JobId, Box<JobEnd>),
    /// Something happened to a change under review.
    Overlay(OverlayEvent),
}

impl JobEvent {
    /// The job that it is about.
    pub fn job(&self) -> Option<JobId> {
        match self {
            Self::Began(id, _)
            | Self::Step(id, _)
            | Self::Progress(id, _)
            | Self::Diagnostic(id, _)
            | Self::Ended(id, _) => Some(*id),
            Self::Overlay(_) => None,
        }
    }
}

impl Mail for JobEvent {
    fn delivery(&self) -> Delivery {
        match self {
            Self::Progress(..) => Delivery::Latest,
            Self::Step(_, step) if matches!(**step, FixEvent::Writing { .. }) => Delivery::Joined,
            _ => Delivery::Every,
        }
    }

    fn absorb(&mut self, later: Self) -> Option<Self> {
        match (self, later) {
            (Self::Progress(of, progress), Self::Progress(by, newer)) if *of == by => {
                *progress = newer;
                None
            }
            (Self::Step(of, step), Self::Step(by, newer)) if *of == by => {
                match (&mut **step, *newer) {
                    (FixEvent::Writing { text }, FixEvent::Writing { text: more }) => {
                        text.push_str(&more);
                        None
                    }
                    (_, newer) => Some(Self::Step(by, Box::new(newer))),
                }
            }
            (_, later) => Some(later),
        }
    }
}

/// Event of a change under review, which is named by its proposal or hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OverlayEvent {
    /// Its content was stored.
    Updated(String),
    /// It was proven: number of errors, and whether the gate opens.
    Diagnostics(ContentHash, usize, bool),
    /// It was written, as the change with this id.
    Accepted(String),
    /// It was rejected.
    Rejected(String),
    /// Its review ended without a decision.
    Closed(String),
}

/// A change that a job found.
#[derive(Clone, Debug)]
pub struct OfferedChange {
    /// Description, one line: the command, and `draft` or `choice 1` where it is not verified.
    pub title: String,
    /// Description of its parts, one line each.
    pub rationale: Vec<String>,
    /// The change.
    pub change: Overlay,
    /// The places that it leaves, one line each.
    pub left: Vec<String>,
    /// Its proof; `None`: it is not verified.
    pub proof: Option<ProofCard>,
}

/// How a job ended.
#[derive(Clone, Debug)]
pub enum JobEnd {
    /// A search for a change ended, with the changes that it found, best first.
    Changes {
        /// The report.
        report: Box<FixReport>,
        /// The changes, each to be reviewed.
        changes: Vec<OfferedChange>,
        /// The plan of a task.
        plan: Option<PlanCard>,
    },
    /// A proposal was opened.
    Opened(String, Box<OfferedChange>),
    /// A change was proven, or refused.
    Proven(ProofCard),
    /// A change is kept as this proposal.
    Kept(String, ContentHash),
    /// A proposal was rejected.
    Rejected(String),
    /// A question to the person: its nonce, and its text.
    Question(String, String),
    /// A change was written.
    Applied {
        /// Id for `undo`.
        change: String,
        /// Commit id, if a commit was made.
        commit: Option<String>,
        /// The proposal that keeps what was left out.
        rest: Option<String>,
        /// Reason why what was left out could not be kept.
        lost: Option<String>,
        /// The plan of which it was a step.
        plan: Option<PlanCard>,
    },
    /// The gate refused a write on the present tree, for these reasons.
    Refused(Vec<String>),
    /// A change was undone or applied again.
    Restored(RestoreRequest, RestoreSummary),
    /// Answer to a view.
    Answer(InquiryAnswer),
    /// It was cancelled.
    Cancelled,
    /// It failed: the error, and its hint.
    Failed(String, Option<String>),
}
