//! [`JobRunner`]: runs jobs on two threads, one for what builds and writes, one for what only reads.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use base::{Ctx, Hint as _, ProjectPath, SortedSet};
use code::Follower;
use edit::{FileState, Files as _, Overlay};
use policy::Approval;
use project::{ExitKind, SettingOrigin, Settings, Surroundings, SystemHost, Workspace};
use record::RecordError;
use sandbox::Sandbox;
use tools::{ProposalCard, ProvenChange, RejectRequest, ShownDiff};

use super::job::{
    JobEnd, JobEvent, JobId, JobRequest, OfferedChange, OverlayEvent, RestoreRequest,
};
use super::offers::Offers;
use super::{changes, views};
use crate::{Agent, AgentError, FixEvent, ModelSource};

/// Most bytes of the diff in the question about an undo or redo.
const RESTORE_BYTES: usize = 4_000;

/// A project and how it is opened.
#[derive(Clone)]
pub struct ProjectSource {
    /// Root directory of the project.
    pub root: PathBuf,
    /// Directory of the command, in which places such as `file.rs:7` are read.
    pub directory: PathBuf,
    /// The settings of the project.
    pub settings: Settings,
    /// The environment.
    pub surroundings: Surroundings,
    /// The sandbox for foreign code.
    pub sandbox: Sandbox,
    /// Whether an agent uses the front end and not a person: what agents may not read is closed to its jobs, it
    /// undoes its own changes only, and stages nothing again.
    pub for_agents: bool,
}

impl ProjectSource {
    /// An agent for one job, with settings of that job.
    pub(super) fn agent(&self, ctx: &Ctx, flags: &[(&str, &str)]) -> Result<Agent, AgentError> {
        Ok(self.agent_of(self.open(ctx, flags)?))
    }

    /// The same of an open project.
    pub(super) fn agent_of(&self, workspace: Workspace) -> Agent {
        let model = ModelSource::Settings(Box::new(self.surroundings.clone()));
        Agent::compose(workspace, model, self.approval())
    }

    /// Opens the project with settings of one job.
    pub(super) fn open(&self, ctx: &Ctx, flags: &[(&str, &str)]) -> Result<Workspace, AgentError> {
        let mut settings = self.settings.clone();
        for (key, value) in flags {
            settings.put(key, value, SettingOrigin::Flag)?;
        }
        let (root, sandbox) = (self.root.as_path(), self.sandbox.clone());
        let workspace = Workspace::open(ctx, root, &settings, &self.surroundings, sandbox)?;
        let workspace = workspace.in_directory(Path::new(&self.directory));
        Ok(if self.for_agents { workspace.for_agents() } else { workspace })
    }

    /// The approval of the person who uses the front end.
    pub(super) fn approval(&self) -> Approval {
        Approval { who: self.surroundings.user.clone(), ..Approval::default() }
    }
}

/// Receives the events of a runner. It may wait, which makes the sender wait.
type Subscriber = Arc<dyn Fn(JobEvent) + Send + Sync>;

/// Runs the jobs of a front end. Work that builds or writes is done in order, one job at a time; questions
/// are answered beside it, and a newer one cancels an older one of its kind.
///
/// A runner that is dropped cancels its jobs and waits for them.
pub struct JobRunner {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

pub(super) struct Shared {
    pub(super) source: ProjectSource,
    pub(super) offers: Offers,
    subscribers: Mutex<Vec<Subscriber>>,
    work: Lane,
    reads: Lane,
    next: AtomicU64,
    /// The project as it is opened for proofs and questions.
    workspace: OnceLock<Arc<Workspace>>,
    /// Keeps the map and the index of that project open, from the first search on; `None`: it cannot.
    follower: OnceLock<Option<Follower>>,
    /// Ids of the changes that this runner wrote.
    written: Mutex<SortedSet<String>>,
    ctx: Ctx,
}

/// The jobs of one thread.
#[derive(Default)]
struct Lane {
    queue: Mutex<LaneQueue>,
    filled: Condvar,
}

#[derive(Default)]
struct LaneQueue {
    waiting: VecDeque<(JobId, JobRequest, Arc<AtomicBool>)>,
    running: Option<(JobId, Arc<AtomicBool>)>,
    is_closed: bool,
}

impl JobRunner {
    /// A runner for a project. `ctx` is the context of what outlives a job.
    ///
    /// # Errors
    /// Threads that cannot be started.
    pub fn start(ctx: &Ctx, source: ProjectSource) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            source,
            offers: Offers::default(),
            subscribers: Mutex::default(),
            work: Lane::default(),
            reads: Lane::default(),
            next: AtomicU64::new(1),
            workspace: OnceLock::new(),
            follower: OnceLock::new(),
            written: Mutex::default(),
            ctx: ctx.clone(),
        });
        let thread = |name: &str, lane: fn(&Shared) -> &Lane| {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name(name.to_owned()).spawn(move || shared.serve(lane(&shared)))
        };
        let threads = vec![thread("work", |it| &it.work)?, thread("reads", |it| &it.reads)?];
        Ok(Self { shared, threads })
    }

    /// Sends all later events to `receiver`, too.
    pub fn subscribe(&self, receiver: impl Fn(JobEvent) + Send + Sync + 'static) {
        base::lock(&self.shared.subscribers).push(Arc::new(receiver));
    }

    /// Starts a job, once those before it have ended.
    pub fn submit(&self, job: JobRequest) -> JobId {
        let shared = &self.shared;
        let id = JobId(shared.next.fetch_add(1, Ordering::Relaxed));
        let lane = if job.only_reads() { &shared.reads } else { &shared.work };
        let mut queue = base::lock(&lane.queue);
        if let JobRequest::Inquire(view) = &job {
            queue.supersede(view);
        }
        queue.waiting.push_back((id, job, Arc::default()));
        drop(queue);
        lane.filled.notify_one();
        id
    }

    /// Cancels a job. It ends with [`JobEnd::Cancelled`], unless it is past the point of no return.
    pub fn cancel(&self, id: JobId) {
        for lane in [&self.shared.work, &self.shared.reads] {
            let queue = base::lock(&lane.queue);
            let waiting = queue.waiting.iter().map(|(id, _, flag)| (*id, flag));
            let running = queue.running.iter().map(|(id, flag)| (*id, flag));
            for (_, flag) in waiting.chain(running).filter(|it| it.0 == id) {
                flag.store(true, Ordering::SeqCst);
            }
        }
    }

    /// The texts that differ from the files on the disk, as a change of these. A path that names no file of the
    /// project that can be read, or one that only a person opens, is left out.
    ///
    /// # Errors
    /// A project that cannot be opened.
    pub fn unsaved(&self, texts: Vec<(ProjectPath, String)>) -> Result<Overlay, AgentError> {
        let workspace = self.shared.workspace()?;
        let mut states = Vec::new();
        for (path, text) in texts {
            // What no build sees on the disk, none sees unsaved.
            if project::closed_to_agents(&self.shared.ctx, &workspace, &path).is_some() {
                continue;
            }
            let Ok(Some(before)) = workspace.project().read(&path) else { continue };
            if *before.text != *text {
                let after = FileState { text: text.into(), executable: before.executable };
                states.push((path, Some(before), Some(after)));
            }
        }
        Ok(Overlay::from_states("editor", self.shared.ctx.now(), states))
    }

    /// Reports that the review of a change ended without a decision.
    pub fn close_review(&self, name: &str) {
        self.shared.send(JobEvent::Overlay(OverlayEvent::Closed(name.to_owned())));
    }
}

impl Drop for JobRunner {
    fn drop(&mut self) {
        for lane in [&self.shared.work, &self.shared.reads] {
            let mut queue = base::lock(&lane.queue);
            queue.is_closed = true;
            queue.waiting.clear();
            if let Some((_, flag)) = &queue.running {
                flag.store(true, Ordering::SeqCst);
            }
            drop(queue);
            lane.filled.notify_all();
        }
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing to end.
            let _ = thread.join();
        }
    }
}

impl LaneQueue {
    /// Cancels the searches that a newer one replaces.
    fn supersede(&mut self, newer: &super::Inquiry) {
        if !matches!(newer, super::Inquiry::Search(_)) {
            return;
        }
        for (_, job, flag) in &self.waiting {
            if matches!(job, JobRequest::Inquire(super::Inquiry::Search(_))) {
                flag.store(true, Ordering::SeqCst);
            }
        }
    }
}

impl Shared {
    /// Takes jobs until the runner ends.
    fn serve(&self, lane: &Lane) {
        loop {
            let mut queue = base::lock(&lane.queue);
            let (id, job, flag) = loop {
                if queue.is_closed {
                    return;
                }
                if let Some(next) = queue.waiting.pop_front() {
                    break next;
                }
                queue = lane.filled.wait(queue).unwrap_or_else(PoisonError::into_inner);
            };
            queue.running = Some((id, Arc::clone(&flag)));
            drop(queue);
            self.send(JobEvent::Began(id, job.title()));
            let end = self.run(id, job, &flag);
            base::lock(&lane.queue).running = None;
            self.send(JobEvent::Ended(id, Box::new(end)));
        }
    }

    pub(super) fn send(&self, event: JobEvent) {
        let subscribers = base::lock(&self.subscribers).clone();
        for subscriber in subscribers {
            subscriber(event.clone());
        }
    }

    fn run(&self, id: JobId, job: JobRequest, flag: &Arc<AtomicBool>) -> JobEnd {
        if flag.load(Ordering::SeqCst) {
            return JobEnd::Cancelled;
        }
        let sender = JobSender { shared: self, id };
        let progress = {
            let subscribers = base::lock(&self.subscribers).clone();
            move |it: &base::Progress| {
                for subscriber in &subscribers {
                    subscriber(JobEvent::Progress(id, it.clone()));
                }
            }
        };
        let host = SystemHost::new(Arc::clone(flag), progress).with_log(self.ctx.log());
        let ctx = Ctx::new(Arc::new(host));
        match self.run_job(&ctx, &sender, job) {
            Ok(end) => end,
            Err(error) if error.exit_kind() == ExitKind::Interrupted => JobEnd::Cancelled,
            Err(error) => JobEnd::Failed(error.to_string(), error.hint()),
        }
    }

    /// The project for proofs, writes and questions.
    pub(super) fn workspace(&self) -> Result<Arc<Workspace>, AgentError> {
        if let Some(open) = self.workspace.get() {
            return Ok(Arc::clone(open));
        }
        let opened = Arc::new(self.source.open(&self.ctx, &[])?);
        Ok(Arc::clone(self.workspace.get_or_init(|| opened)))
    }

    fn run_job(
        &self,
        ctx: &Ctx,
        sender: &JobSender<'_>,
        job: JobRequest,
    ) -> Result<JobEnd, AgentError> {
        let workspace = self.workspace()?;
        let approval = self.source.approval();
        Ok(match job {
            JobRequest::Change(request) => {
                changes::run(ctx, self, (request, None), &mut |event| sender.step(event))?
            }
            JobRequest::ChangeOn(request, begin) => {
                let begin = Some(*begin).filter(|it| !it.is_empty());
                changes::run(ctx, self, (request, begin), &mut |event| sender.step(event))?
            }
            JobRequest::Inquire(view) => {
                if matches!(view, super::Inquiry::Search(_)) {
                    // Without it each search opens the index itself.
                    self.follower.get_or_init(|| Follower::start(&self.ctx, &workspace).ok());
                }
                JobEnd::Answer(views::answer(ctx, self, &workspace, view)?)
            }
            JobRequest::Open(id) => {
                let card = tools::proposal(ctx, &workspace, &id)?;
                match opened(ctx, &workspace, &card)? {
                    JobEnd::Opened(_, it)
                        if self.source.for_agents
                            && let Some(path) =
                                project::closed_file(ctx, &workspace, &it.change) =>
                    {
                        only_a_person(&format!("opens it: it changes {path}"))
                    }
                    end => end,
                }
            }
            JobRequest::Restage(_) if self.source.for_agents => only_a_person("stages it again"),
            JobRequest::Restage(id) => {
                let staged = tools::propose_again(ctx, &workspace, &id)?;
                let card = staged.proposals.first();
                let missing =
                    || RecordError::NoProposal { id, is_ambiguous: false, candidates: Vec::new() };
                opened(ctx, &workspace, card.ok_or_else(missing).map_err(tools::Error::from)?)?
            }
            JobRequest::Prove { change, tests } => {
                let mut on = |it: &tools::ReportedDiagnostic| {
                    self.send(JobEvent::Diagnostic(sender.id, Box::new(it.clone())));
                };
                let proven = ProvenChange::of(ctx, &workspace, *change, tests, &mut on)?;
                let card = self.offers.of_part(&workspace, proven);
                let errors = card.evidence.errors_after;
                let event = OverlayEvent::Diagnostics(card.patch_set, errors, card.opens());
                self.send(JobEvent::Overlay(event));
                JobEnd::Proven(card)
            }
            JobRequest::Keep { change, instead, title } => {
                let id = tools::keep(ctx, &workspace, &change, &title, instead.as_deref())?;
                self.send(JobEvent::Overlay(OverlayEvent::Updated(id.clone())));
                JobEnd::Kept(id, change.patch_set())
            }
            JobRequest::Reject(id) => {
                let reason = format!("rejected by {}", approval.who);
                let request = RejectRequest { ids: vec![id.clone()], reason };
                tools::reject(ctx, &workspace, &request)?;
                self.send(JobEvent::Overlay(OverlayEvent::Rejected(id.clone())));
                JobEnd::Rejected(id)
            }
            JobRequest::Ask { offer, titles } => {
                self.offers.ask(ctx, (offer, titles), &approval)?
            }
            JobRequest::Write(request) => {
                let end = self.offers.write(ctx, &request, &approval)?;
                if let JobEnd::Applied { change, .. } = &end {
                    base::lock(&self.written).insert(change.clone());
                    self.send(JobEvent::Overlay(OverlayEvent::Accepted(change.clone())));
                }
                end
            }
            JobRequest::AskRestore(request) => {
                let id = request.id.as_deref();
                let (id, pending) = tools::pending_restore(ctx, &workspace, request.redoes, id)?;
                if self.is_of_others(&request, &id) {
                    return Ok(only_a_person("undoes changes of others, or applies one again"));
                }
                // No other place shows what it changes.
                let shown = ShownDiff::Bytes(RESTORE_BYTES);
                self.offers.question(ctx, (&pending, shown), &call_of_restore(request.redoes, &id))
            }
            JobRequest::Restore(request, nonce) => {
                self.restore(ctx, &workspace, request, &nonce)?
            }
        })
    }

    /// Whether an agent asks for the undo of what it did not write, or for a redo.
    fn is_of_others(&self, request: &RestoreRequest, id: &str) -> bool {
        let is_own = || base::lock(&self.written).contains(id);
        self.source.for_agents && (request.redoes || !is_own())
    }

    fn restore(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        request: RestoreRequest,
        nonce: &str,
    ) -> Result<JobEnd, AgentError> {
        let redoes = request.redoes;
        let (id, _) = tools::pending_restore(ctx, workspace, redoes, request.id.as_deref())?;
        if self.is_of_others(&request, &id) {
            return Ok(only_a_person("undoes changes of others, or applies one again"));
        }
        let consent = self.offers.redeem(nonce, &call_of_restore(redoes, &id))?;
        let done = tools::restore_consented(ctx, workspace, redoes, Some(&id), consent)?;
        Ok(JobEnd::Restored(RestoreRequest { redoes, id: Some(id) }, done))
    }
}

/// The end of a job that an agent may not do.
fn only_a_person(does: &str) -> JobEnd {
    let hint = "ask the user to do it with `graftage`".to_owned();
    JobEnd::Failed(format!("only a person {does}"), Some(hint))
}

/// A proposal that was opened for review.
fn opened(ctx: &Ctx, workspace: &Workspace, card: &ProposalCard) -> Result<JobEnd, AgentError> {
    let (id, change) = tools::reviewed(ctx, workspace, &card.id)?;
    let offered = OfferedChange {
        title: format!("proposal {id}: {}", card.summary),
        rationale: Vec::new(),
        change,
        left: Vec::new(),
        proof: None,
    };
    Ok(JobEnd::Opened(id, Box::new(offered)))
}

fn call_of_restore(redoes: bool, id: &str) -> Vec<u8> {
    format!("restore {redoes} {id}").into_bytes()
}

/// Sends the events of one job.
struct JobSender<'a> {
    shared: &'a Shared,
    id: JobId,
}

impl JobSender<'_> {
    fn step(&self, event: &FixEvent) {
        self.shared.send(JobEvent::Step(self.id, Box::new(event.clone())));
    }
}
