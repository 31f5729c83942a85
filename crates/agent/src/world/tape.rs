//! [`Tape`]: answers, recorded while they are given or given from a record.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::{Ctx, ProjectPath, SortedMap, Timestamp};
use edit::{FileState, Unreadable};
use project::ProjectError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::AgentError;
use crate::trace::{
    Question, RecordedError, Trace, TraceAnswer, TraceEnd, TraceFile, TraceHeader, TraceLine,
    newest_traces,
};

/// Recorded answers, and the file for new ones. Copies share both.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    /// `None`: nothing is recorded or recalled.
    state: Option<Arc<Mutex<TapeState>>>,
}

#[derive(Debug, Default)]
struct TapeState {
    /// Recorded answers not yet given, those of each question in order.
    known: SortedMap<Question, VecDeque<TraceAnswer>>,
    /// Those of an earlier run, which this record does not have yet.
    earlier: SortedMap<Question, TraceAnswer>,
    /// Recorded texts of files, each from its nth reading on.
    texts: SortedMap<ProjectPath, Vec<(u64, TextRecord)>>,
    /// Number of readings of each file.
    reads: SortedMap<ProjectPath, u64>,
    out: Option<TraceFile>,
    recalled: usize,
    clock: TapeClock,
}

/// A clock that continues where a record ends.
#[derive(Debug, Default)]
struct TapeClock {
    last: Option<Timestamp>,
    /// By how much the clock of the host is ahead, once the record has ended.
    ahead: Option<u64>,
}

/// A file as a trace keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TextRecord {
    Missing,
    Text { text: String, executable: bool },
    NotUtf8,
    Symlink,
    NotAFile,
    Io(String),
}

/// The error of a record that lacks an answer.
pub(crate) fn no_answer(question: &str) -> AgentError {
    AgentError::NoAnswer { question: question.to_owned() }
}

impl Tape {
    /// No record.
    pub(crate) fn off() -> Self {
        Self { state: None }
    }

    /// A record in `folder`, of which the newest `keep` remain. Without a record if it cannot be
    /// written: that must not prevent the run.
    pub(crate) fn open(folder: &Path, header: &TraceHeader, ctx: &Ctx, keep: usize) -> Self {
        let mut name = ctx.fresh_name();
        name.truncate(8);
        match TraceFile::open(folder, header, &name) {
            Ok((out, known)) => {
                for old in newest_traces(folder).iter().skip(keep) {
                    // One that is left is removed by a later run.
                    let _ = std::fs::remove_file(old);
                }
                let state = known.as_ref().map(TapeState::of).unwrap_or_default();
                Self::with(TapeState { out: Some(out), ..state })
            }
            Err(error) => {
                ctx.progress("no trace", error.to_string());
                Self::off()
            }
        }
    }

    /// The answers of a trace.
    pub(crate) fn of(trace: &Trace) -> Self {
        Self::with(TapeState::of(trace))
    }

    /// Uses what an earlier run on the same tree found out about candidates. Its tests and its view of the tree are
    /// not used: they decide, and so are found out again.
    pub(crate) fn recall_candidates(&self, trace: &Trace) {
        let Some(state) = &self.state else { return };
        let mut state = base::lock(state);
        for answer in trace.answers.iter().filter(|it| it.ask.is_about_candidates()) {
            state.earlier.insert(answer.ask.clone(), answer.clone());
        }
    }

    fn with(state: TapeState) -> Self {
        Self { state: Some(Arc::new(Mutex::new(state))) }
    }

    /// The recorded answer, else the live one, which is recorded.
    pub(crate) fn ask<T: Serialize + DeserializeOwned>(
        &self,
        question: Question,
        live: Option<impl FnOnce() -> Result<T, AgentError>>,
    ) -> Result<T, AgentError> {
        let Some(state) = &self.state else { return given(&question, live) };
        if let Some(answer) = base::lock(state).recall(&question) {
            return value_of(answer);
        }
        let answer = given(&question, live);
        base::lock(state).record(question, answer.as_ref());
        answer
    }

    /// The same for what has another form in a trace.
    pub(crate) fn ask_as<T, S: Serialize + DeserializeOwned>(
        &self,
        question: Question,
        live: Option<impl FnOnce() -> Result<T, AgentError>>,
        store: impl FnOnce(&T) -> S,
        restore: impl FnOnce(S) -> T,
    ) -> Result<T, AgentError> {
        let Some(state) = &self.state else { return given(&question, live) };
        if let Some(answer) = base::lock(state).recall(&question) {
            return value_of(answer).map(restore);
        }
        let answer = given(&question, live);
        let stored = answer.as_ref().map(store);
        base::lock(state).record(question, stored.as_ref().map_err(|error| *error));
        answer
    }

    /// The time: recorded, else that of the host, which is recorded.
    pub(crate) fn now(&self, live: Option<Timestamp>) -> Timestamp {
        let Some(state) = &self.state else { return live.unwrap_or_default() };
        let mut state = base::lock(state);
        if let Some(answer) = state.recall(&Question::Now)
            && let Ok(at) = value_of(answer)
        {
            state.clock.last = Some(at);
            return at;
        }
        let now = state.clock.now(live);
        state.record(Question::Now, Ok(&now));
        now
    }

    /// A file: as it is, and recorded if it differs from its last reading; or as recorded.
    pub(crate) fn read(
        &self,
        path: &ProjectPath,
        live: Option<Result<Option<FileState>, Unreadable>>,
    ) -> Result<Option<FileState>, Unreadable> {
        let missing = || Unreadable::Io("the trace does not have it".to_owned());
        let Some(state) = &self.state else { return live.unwrap_or_else(|| Err(missing())) };
        let mut state = base::lock(state);
        let nth = state.reads.entry(path.clone()).or_default();
        *nth += 1;
        let nth = *nth;
        match live {
            Some(found) => {
                state.record_text(path, nth, &found);
                found
            }
            None => {
                let texts = state.texts.get(path).into_iter().flatten();
                let known = texts.rev().find(|(from, _)| *from <= nth);
                known.map_or_else(|| Err(missing()), |(_, text)| text.clone().restored())
            }
        }
    }

    /// Completes the record, and returns its file.
    pub(crate) fn end(&self, end: TraceEnd) -> Option<PathBuf> {
        let mut state = base::lock(self.state.as_ref()?);
        state.write(&TraceLine::End(end));
        Some(state.out.take()?.path().to_path_buf())
    }

    /// Number of answers that were given from a record.
    pub(crate) fn recalled(&self) -> usize {
        self.state.as_ref().map_or(0, |state| base::lock(state).recalled)
    }
}

/// The live answer.
fn given<T>(
    question: &Question,
    live: Option<impl FnOnce() -> Result<T, AgentError>>,
) -> Result<T, AgentError> {
    match live {
        Some(live) => live(),
        None => Err(no_answer(
            &serde_json::to_string(question).unwrap_or_else(|_| format!("{question:?}")),
        )),
    }
}

fn value_of<T: DeserializeOwned>(answer: TraceAnswer) -> Result<T, AgentError> {
    if let Some(error) = answer.error {
        return Err(error.into());
    }
    let got = answer.got.unwrap_or_default();
    serde_json::from_value(got).map_err(|error| {
        let question = serde_json::to_string(&answer.ask).unwrap_or_default();
        no_answer(&format!("{question} ({error})"))
    })
}

impl TapeState {
    fn of(trace: &Trace) -> Self {
        let mut state = Self::default();
        for answer in &trace.answers {
            if let Question::Read { path, nth } = &answer.ask {
                if let Ok(text) = value_of(answer.clone()) {
                    state.texts.entry(path.clone()).or_default().push((*nth, text));
                }
            } else {
                state.known.entry(answer.ask.clone()).or_default().push_back(answer.clone());
            }
        }
        state
    }

    fn recall(&mut self, question: &Question) -> Option<TraceAnswer> {
        let known = self.known.get_mut(question).and_then(VecDeque::pop_front);
        let answer = match known {
            Some(answer) => answer,
            None => {
                let answer = self.earlier.get(question)?.clone();
                self.write(&TraceLine::Answer(answer.clone()));
                answer
            }
        };
        self.recalled += 1;
        Some(answer)
    }

    fn record<T: Serialize>(&mut self, question: Question, answer: Result<&T, &AgentError>) {
        if self.out.is_none() {
            return;
        }
        let (got, error) = match answer {
            Ok(value) => (serde_json::to_value(value).ok(), None),
            // A run that was cancelled continues: nothing was learned.
            Err(AgentError::Project(ProjectError::Cancelled(_))) => return,
            Err(error) if error.exit_kind() == project::ExitKind::Interrupted => return,
            Err(error) => (None, Some(RecordedError::from(error))),
        };
        self.write(&TraceLine::Answer(TraceAnswer { ask: question, got, error }));
    }

    fn record_text(
        &mut self,
        path: &ProjectPath,
        nth: u64,
        found: &Result<Option<FileState>, Unreadable>,
    ) {
        if self.out.is_none() {
            return;
        }
        let texts = self.texts.entry(path.clone()).or_default();
        // A file is read often, so that its text is copied only where it is new.
        if texts.last().is_some_and(|(_, last)| last.is(found)) {
            return;
        }
        let text = TextRecord::of(found);
        texts.push((nth, text.clone()));
        self.record(Question::Read { path: path.clone(), nth }, Ok(&text));
    }

    fn write(&mut self, line: &TraceLine) {
        let written = self.out.as_mut().map(|out| out.write(line));
        // A trace that lacks a line is none.
        if let Some(Err(_)) = written
            && let Some(out) = self.out.take()
        {
            out.discard();
        }
    }
}

impl TapeClock {
    fn now(&mut self, live: Option<Timestamp>) -> Timestamp {
        let Some(live) = live else { return self.last.unwrap_or_default() };
        let last = self.last;
        let ahead =
            *self.ahead.get_or_insert_with(|| last.map_or(0, |last| live.0.saturating_sub(last.0)));
        Timestamp(live.0.saturating_sub(ahead))
    }
}

impl TextRecord {
    fn of(found: &Result<Option<FileState>, Unreadable>) -> Self {
        match found {
            Ok(None) => Self::Missing,
            Ok(Some(state)) => {
                Self::Text { text: state.text.to_string(), executable: state.executable }
            }
            Err(Unreadable::NotUtf8) => Self::NotUtf8,
            Err(Unreadable::Symlink) => Self::Symlink,
            Err(Unreadable::NotAFile) => Self::NotAFile,
            Err(Unreadable::Closed { reason }) => Self::Io((*reason).to_owned()),
            Err(Unreadable::Io(why)) => Self::Io(why.clone()),
        }
    }

    /// Whether it is the record of this answer.
    fn is(&self, found: &Result<Option<FileState>, Unreadable>) -> bool {
        match (self, found) {
            (Self::Text { text, executable }, Ok(Some(state))) => {
                **text == *state.text && *executable == state.executable
            }
            (Self::Text { .. }, _) | (_, Ok(Some(_))) => false,
            _ => *self == Self::of(found),
        }
    }

    fn restored(self) -> Result<Option<FileState>, Unreadable> {
        match self {
            Self::Missing => Ok(None),
            Self::Text { text, executable } => {
                Ok(Some(FileState { text: text.into(), executable }))
            }
            Self::NotUtf8 => Err(Unreadable::NotUtf8),
            Self::Symlink => Err(Unreadable::Symlink),
            Self::NotAFile => Err(Unreadable::NotAFile),
            Self::Io(why) => Err(Unreadable::Io(why)),
        }
    }
}
