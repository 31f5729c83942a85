//! Answers on their way into the attempts of a search, and what became of them.

use base::{SortedMap, SortedSet};
use change::GuessKind;
use repair::{Attempt, Search};
use tools::RememberedAnswer;

use crate::model_answers::AskedModel;
use crate::questions::with_answers;
use crate::task::Task;
use crate::{AgentError, AnswerRow, AnswerSource, Answers, Question};

/// The answers of a run so far.
#[derive(Default)]
pub(crate) struct AnswersSoFar {
    /// The attempts that were looked at.
    seen: SortedSet<usize>,
    /// The answers that attempts have.
    of: SortedMap<usize, Vec<AnswerRow>>,
    /// The answers of earlier runs that may fit.
    pub(crate) memory: Vec<RememberedAnswer>,
    /// The attempts in which these were put, or that have them.
    pub(crate) repeated: SortedSet<usize>,
    /// Notes on answers that fit nothing, with the ids of their questions.
    notes: Vec<(Vec<String>, String)>,
    /// Ids of the questions with whose answers an attempt builds.
    built: SortedSet<String>,
    used: SortedSet<String>,
    /// The first attempt with guesses that was refused for its tests.
    pub(crate) failed: Option<Attempt>,
    /// The attempt with most holes that does not build.
    pub(crate) unbuilt: Option<Attempt>,
    /// The questions to a language model.
    pub(crate) model: AskedModel,
}

impl AnswersSoFar {
    /// Whether an attempt has answers.
    pub(crate) fn has(&self, attempt: usize) -> bool {
        self.of.contains_key(&attempt)
    }

    /// Whether code of a caller, a model or an earlier run may be in an attempt.
    pub(crate) fn have_code(&self, answers: &Answers) -> bool {
        let is_code =
            |it: &AnswerRow| matches!(it.source, AnswerSource::Earlier(_) | AnswerSource::Model);
        answers.have_code() || self.of.values().flatten().any(is_code)
    }

    /// The answers that an attempt has.
    pub(crate) fn rows(&self, attempt: usize) -> &[AnswerRow] {
        self.of.get(&attempt).map_or(&[], |it| it)
    }

    /// Notes that an attempt builds, with its answers.
    pub(crate) fn note_built(&mut self, attempt: usize) {
        let ids: Vec<String> = self.rows(attempt).iter().map(|it| it.id.clone()).collect();
        self.built.extend(ids);
    }

    /// Notes the answers of an attempt.
    pub(crate) fn note(&mut self, attempt: usize, rows: Vec<AnswerRow>) {
        self.of.insert(attempt, rows);
    }

    /// Keeps an attempt with holes that does not build: with answers it may.
    pub(crate) fn keep_unbuilt(&mut self, attempt: &Attempt) {
        let has_holes = attempt.guesses.iter().any(|it| it.kind == GuessKind::Hole);
        let known = self.unbuilt.as_ref().map_or(0, |it| it.guesses.len());
        if has_holes && attempt.guesses.len() > known && !self.has(attempt.id) {
            self.unbuilt = Some(attempt.clone());
        }
    }

    /// Keeps an attempt that tests refused, whose guesses may be wrong.
    pub(crate) fn keep_failed(&mut self, attempt: &Attempt) {
        if self.failed.is_none() && !attempt.guesses.is_empty() && !self.has(attempt.id) {
            self.failed = Some(attempt.clone());
        }
    }
}

impl Task<'_> {
    /// The attempts that build, with the answers that there are for them.
    pub(crate) fn answer(&mut self, search: &mut Search) -> Result<Vec<Attempt>, AgentError> {
        if self.options.answers.all.is_empty() {
            return Ok(Vec::new());
        }
        let open = search.winners().into_iter().cloned().chain(self.answered.unbuilt.clone());
        let mut found = Vec::new();
        for attempt in open.collect::<Vec<Attempt>>() {
            if !self.answered.seen.insert(attempt.id) {
                continue;
            }
            let answers = (&self.options.answers.all, self.answered.memory.as_slice());
            match with_answers(&attempt, answers, &*self.world) {
                Ok(None) => {}
                Ok(Some(answered)) => {
                    let mut rows = self.answered.rows(attempt.id).to_vec();
                    rows.extend(answered.rows.into_iter().map(|it| self.by_person(it)));
                    self.answered.used.extend(rows.iter().map(|it| it.id.clone()));
                    let added = search.add_answered(attempt.id, answered.overlay, answered.guesses);
                    found.extend(added.inspect(|it| self.answered.note(it.id, rows)));
                }
                Err((id, fault)) => {
                    self.answered.used.insert(id.clone());
                    let note = format!("the answer to {id}: {fault}");
                    self.answered.notes.push((vec![id], note));
                }
            }
        }
        Ok(found)
    }

    /// The same with the person as source, if one gave it.
    fn by_person(&self, row: AnswerRow) -> AnswerRow {
        match self.options.answers.own.contains(&row.id) {
            true => AnswerRow { source: AnswerSource::Person, ..row },
            false => row,
        }
    }

    /// Notes that the tree does not build with the answers of an attempt. An earlier one is no option here.
    pub(crate) fn note_unfit_answers(&mut self, attempt: usize, error: Option<&str>) {
        let rows = self.answered.rows(attempt).to_vec();
        let is_earlier = |it: &&AnswerRow| matches!(it.source, AnswerSource::Earlier(_));
        for row in rows.iter().filter(is_earlier) {
            self.answered.memory.retain(|it| Some(&it.asked) != row.asked.as_ref());
        }
        let ids: Vec<String> =
            rows.iter().filter(|it| !is_earlier(it)).map(|it| it.id.clone()).collect();
        if !ids.is_empty() {
            let error = error.unwrap_or("the check fails");
            let note =
                format!("the tree does not build with the answer to {}: {error}", ids.join(", "));
            self.answered.notes.push((ids, note));
        }
    }

    /// The number of the change, from 1, that an answer chooses.
    pub(crate) fn chosen_by_answer(&mut self, question: &Question) -> Option<usize> {
        let answer = self.options.answers.all.change(question)?;
        self.answered.used.insert(question.id.clone());
        let noted = answer.map_err(|fault| {
            let note = format!("the answer to {}: {fault}", question.id);
            self.answered.notes.push((vec![question.id.clone()], note));
        });
        noted.ok().map(|it| it + 1)
    }

    /// Notes on the answers that fit nothing.
    pub(crate) fn answer_notes(&self) -> Vec<String> {
        // An answer may fit one attempt and not another.
        let is_open = |ids: &[String]| !ids.iter().all(|it| self.answered.built.contains(it));
        let open = self.answered.notes.iter().filter(|it| is_open(&it.0));
        let mut notes: Vec<String> = Vec::new();
        for (_, note) in open {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        let ids = self.options.answers.all.0.keys();
        let unknown = ids.filter(|it| !self.answered.used.contains(*it));
        notes.extend(unknown.map(|it| format!("no question of this run has the id {it}")));
        notes
    }
}
