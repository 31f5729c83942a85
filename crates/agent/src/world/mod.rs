//! [`World`]: everything that a run learns from outside itself – the user's files, checks, git,
//! rust-analyzer, the clock – through one type that records each answer, or answers from a record.
//!
//! Invariant: a task asks nothing else, so a run with the same answers takes the same decisions. What
//! comes from a record opens no gate ([`policy::Decision::OnRecord`]).

mod advice;
mod checked;
mod language;
mod tape;

use std::path::PathBuf;
use std::sync::Arc;

use base::{ContentHash, Ctx, ProjectPath, SortedMap, SortedSet, Timestamp};
use change::Library;
use check::{
    Checked, CoverageReport, CoverageRequest, Ladder, Scope, Tests, TrialReport, TrialRequest,
};
use edit::{FileState, Files, Overlay, Unreadable};
use project::{Settings, Workspace};
use repair::{Advisor, LearnedEdit};
use repo::{PastChange, RepoError};
use tools::RememberedAnswer;

use crate::reasoner::ModelReasoner;
use crate::trace::{LadderRecord, Question, Trace, TraceEnd};
use crate::{AgentError, TraceRequest};
use advice::TapedAdvisor;
use checked::CheckRecord;
pub(crate) use language::TapedModel;
pub(crate) use tape::Tape;

/// The outside world of one run.
pub(crate) struct World<'a> {
    pub(crate) ctx: &'a Ctx,
    /// The open project; `None` in a replay.
    live: Option<&'a Workspace>,
    settings: Settings,
    /// Further configurations that every proof builds.
    more: Vec<Scope>,
    tape: Tape,
    /// Hashes of the project's files and of all that proofs depend on when the run began, where it is recorded.
    began_with: Option<(ContentHash, ContentHash)>,
}

impl<'a> World<'a> {
    /// The world as it is, without a record.
    pub(crate) fn live(ctx: &'a Ctx, workspace: &'a Workspace) -> Self {
        let settings = workspace.settings().clone();
        let (more, tape) = (Vec::new(), Tape::off());
        Self { ctx, live: Some(workspace), settings, more, tape, began_with: None }
    }

    /// The world as it is, with a record of all answers in the state directory; the answers of a run
    /// with the same request on the same tree that was cut off are used first.
    pub(crate) fn recorded(
        ctx: &'a Ctx,
        workspace: &'a Workspace,
        request: TraceRequest,
    ) -> Result<Self, AgentError> {
        let mut world = Self { more: request.more(), ..Self::live(ctx, workspace) };
        let tree = workspace.prover(ctx)?.tree(ctx)?;
        world.began_with = Some((tree.files_hash(), tree.hash()));
        let keep = workspace.settings().trace_keep;
        // The sources of dependencies are not recorded.
        let has_libraries = matches!(&request, TraceRequest::Fix(it) if !it.libraries.is_empty());
        if keep > 0 && !has_libraries {
            let folder = workspace.project().state_dir().join("traces");
            let header =
                crate::TraceHeader::new(request, workspace.settings(), tree.hash(), ctx.now());
            world.tape = Tape::open(&folder, &header, ctx, keep);
        }
        Ok(world)
    }

    /// The same with the checks of candidates of an earlier run, if that was on the same tree.
    pub(crate) fn after(self, earlier: Option<&Trace>) -> Self {
        let tree = self.began_with.map(|it| it.1);
        if let Some(earlier) = earlier.filter(|it| Some(it.header.tree) == tree) {
            self.tape.recall_candidates(earlier);
        }
        self
    }

    /// The world of a trace, and of nothing else.
    pub(crate) fn replayed(ctx: &'a Ctx, trace: &Trace) -> Result<Self, AgentError> {
        let settings = trace.header.settings()?;
        let more = trace.header.request.more();
        let tape = Tape::of(trace);
        Ok(Self { ctx, live: None, settings, more, tape, began_with: None })
    }

    /// The settings.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The ladder of the settings; what was formatted before a change is formatted after it.
    pub(crate) fn ladder(&self, tests: Tests, filter: Option<String>) -> Ladder {
        let more = self.more.clone();
        Ladder { reformat: true, more, ..self.settings.ladder(tests, filter) }
    }

    /// The open project.
    ///
    /// # Errors
    /// In a replay, which has none.
    pub(crate) fn workspace(&self) -> Result<&'a Workspace, AgentError> {
        self.live.ok_or_else(|| tape::no_answer("the open project"))
    }

    /// The answer to a question: the recorded one, else that of the open project.
    fn ask<T: serde::Serialize + serde::de::DeserializeOwned>(
        &self,
        question: Question,
        live: impl FnOnce(&'a Workspace) -> Result<T, AgentError>,
    ) -> Result<T, AgentError> {
        self.tape.ask(question, self.live.map(|workspace| || live(workspace)))
    }

    /// The time. After a run that was cut off it continues where that one ended.
    pub(crate) fn now(&self) -> Timestamp {
        self.tape.now(self.live.map(|_| self.ctx.now()))
    }

    /// The files of the project.
    pub(crate) fn files(&self) -> Result<Vec<ProjectPath>, AgentError> {
        self.ask(Question::Files, |workspace| {
            Ok(workspace.project().snapshot(self.ctx)?.files.into_keys().collect())
        })
    }

    /// The change back to a commit; `None` if there is none.
    pub(crate) fn back_to(&self, revision: &str) -> Result<Option<Overlay>, AgentError> {
        let question = Question::Back { revision: revision.to_owned() };
        self.ask(question, |workspace| {
            let (project, sandbox) = (workspace.project(), workspace.sandbox());
            Ok(project.overlay_back_to(self.ctx, sandbox, revision)?)
        })
    }

    /// The changes of recent commits; none if the history cannot be read.
    pub(crate) fn past(&self, most: usize) -> Result<Vec<PastChange>, AgentError> {
        self.ask(Question::Past { most }, |workspace| {
            let (project, sandbox) = (workspace.project(), workspace.sandbox());
            match project.past_changes(self.ctx, sandbox, most) {
                Err(error @ RepoError::Cancelled(_)) => Err(error.into()),
                commits => Ok(commits.unwrap_or_default()),
            }
        })
    }

    /// The texts that both sides of a merge began with, of files with conflicts; none if git has none.
    pub(crate) fn merge_bases(
        &self,
        paths: Vec<ProjectPath>,
    ) -> Result<SortedMap<ProjectPath, Arc<str>>, AgentError> {
        if paths.is_empty() {
            return Ok(SortedMap::new());
        }
        self.ask(Question::MergeBases { paths: paths.clone() }, |workspace| {
            let (project, sandbox) = (workspace.project(), workspace.sandbox());
            match project.merge_bases(self.ctx, sandbox, &paths) {
                Err(error @ RepoError::Cancelled(_)) => Err(error.into()),
                bases => Ok(bases.unwrap_or_default()),
            }
        })
    }

    /// The dependencies that have another version than after the change back to a commit, or that may have
    /// one of the `missed` names behind a feature. Their sources are not recorded: a trace has only how
    /// many there are.
    pub(crate) fn libraries(
        &self,
        back: &Overlay,
        missed: SortedSet<String>,
    ) -> Result<Vec<Library>, AgentError> {
        let read = |workspace| tools::changed_libraries(self.ctx, workspace, back, &missed);
        let found = self.live.map(read).transpose()?;
        let question = Question::Libraries { back: back.patch_set(), missed };
        let count: usize = self.ask(question, |_| Ok(found.as_ref().map_or(0, Vec::len)))?;
        match found {
            Some(found) => Ok(found),
            None if count == 0 => Ok(Vec::new()),
            None => Err(tape::no_answer("the sources of dependencies")),
        }
    }

    /// Checks the tree.
    pub(crate) fn baseline(&self, ladder: &Ladder) -> Result<Checked, AgentError> {
        let question = Question::Tree { ladder: LadderRecord::from(ladder) };
        let live = self.live.map(|workspace| {
            move || Ok(workspace.prover(self.ctx)?.baseline(self.ctx, ladder, &mut |_| {})?)
        });
        let store = |it: &Checked| CheckRecord::of(it, &Overlay::empty());
        let restore = |it: CheckRecord| it.restored(Overlay::empty());
        self.tape.ask_as(question, live, store, restore)
    }

    /// Checks a change.
    pub(crate) fn prove(&self, overlay: Overlay, ladder: &Ladder) -> Result<Checked, AgentError> {
        let question =
            Question::Change { patch_set: overlay.patch_set(), ladder: LadderRecord::from(ladder) };
        let live = self.live.map(|_| {
            let overlay = overlay.clone();
            move || self.prove_live(overlay, ladder)
        });
        let store = |it: &Checked| CheckRecord::of(it, &overlay);
        self.tape.ask_as(question, live, store, |it| it.restored(overlay.clone()))
    }

    /// Checks a change whatever a record has: only that can open the gate.
    pub(crate) fn prove_live(
        &self,
        overlay: Overlay,
        ladder: &Ladder,
    ) -> Result<Checked, AgentError> {
        let prover = self.workspace()?.prover(self.ctx)?;
        Ok(prover.prove(self.ctx, overlay, ladder, &mut |_| {})?)
    }

    /// What failing tests execute.
    pub(crate) fn coverage(&self, request: &CoverageRequest) -> Result<CoverageReport, AgentError> {
        let question = Question::Coverage { request: hash_of(request) };
        self.ask(question, |it| Ok(it.prover(self.ctx)?.coverage_of(self.ctx, request)?))
    }

    /// Tries many candidates that `overlay` compiles in.
    pub(crate) fn trials(
        &self,
        overlay: &Overlay,
        request: &TrialRequest,
    ) -> Result<TrialReport, AgentError> {
        let (patch_set, request_hash) = (overlay.patch_set(), hash_of(request));
        let question = Question::Trials { patch_set, request: request_hash };
        self.ask(question, |it| Ok(it.prover(self.ctx)?.trials_of(self.ctx, overlay, request)?))
    }

    /// Whether answers come from the open project, not from a record alone.
    pub(crate) fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// rust-analyzer's quick fixes; `None` if there is no rust-analyzer.
    pub(crate) fn advisor(&self) -> Result<Option<Box<dyn Advisor>>, AgentError> {
        let live =
            self.live.map(|workspace| tools::advisor(self.ctx, workspace)).transpose()?.flatten();
        let exists = self.ask(Question::Analyzer, |_| Ok(live.is_some()))?;
        Ok(exists.then(|| Box::new(TapedAdvisor::new(self.tape.clone(), live)) as Box<dyn Advisor>))
    }

    /// The edits that were learned from accepted changes; none in traces of earlier versions.
    pub(crate) fn learned(&self) -> Result<Vec<LearnedEdit>, AgentError> {
        match self.ask(Question::Learned, tools::learned_edits) {
            Err(_) if !self.is_live() => Ok(Vec::new()),
            answer => answer,
        }
    }

    /// The answers of earlier runs; none in traces of earlier versions.
    pub(crate) fn answers(&self) -> Result<Vec<RememberedAnswer>, AgentError> {
        match self.ask(Question::Answers, tools::remembered_answers) {
            Err(_) if !self.is_live() => Ok(Vec::new()),
            answer => answer,
        }
    }

    /// Why there is no live rust-analyzer although one was requested.
    pub(crate) fn no_analyzer(&self) -> Result<Option<String>, AgentError> {
        self.ask(Question::NoAnalyzer, |it| Ok(it.no_analyzer()))
    }

    /// A language model.
    pub(crate) fn model(&self, reasoner: &ModelReasoner) -> TapedModel {
        TapedModel::new(self.tape.clone(), reasoner, self.is_live())
    }

    /// What is looked up for a model.
    pub(crate) fn look<T: serde::Serialize + serde::de::DeserializeOwned>(
        &self,
        what: &str,
        query: &str,
        live: impl FnOnce(&'a Workspace) -> Result<T, AgentError>,
    ) -> Result<T, AgentError> {
        let question = Question::Look { what: what.to_owned(), query: query.to_owned() };
        self.ask(question, live)
    }

    /// Hash of the project's files when the run began, where it is recorded.
    pub(crate) fn files_hash(&self) -> Option<ContentHash> {
        self.began_with.map(|it| it.0)
    }

    /// Completes the record, and returns its file.
    pub(crate) fn end(&self, end: TraceEnd) -> Option<PathBuf> {
        self.tape.end(end)
    }

    /// Number of answers that came from a record.
    pub(crate) fn recalled(&self) -> usize {
        self.tape.recalled()
    }
}

/// Identifies a request whose limit of time is the same.
fn hash_of(request: &impl serde::Serialize) -> ContentHash {
    ContentHash::of(&serde_json::to_vec(request).unwrap_or_default())
}

impl Files for World<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        self.tape.read(path, self.live.map(|it| it.project().read(path)))
    }
}
