//! Answers on their way into the attempts of a search, and what became of them.

use base::{SortedMap, SortedSet};
use repair::{Attempt, Search};

use crate::model_answers::AskedModel;
use crate::questions::with_answers;
use crate::task::Task;
use crate::{AgentError, Answers, Question};

/// The answers of a run so far.
#[derive(Default)]
pub(crate) struct AnswersSoFar {
    /// The attempts that were looked at.
    seen: SortedSet<usize>,
    /// The questions that attempts have answers to.
    of: SortedMap<usize, Vec<String>>,
    /// Notes on answers that fit nothing.
    notes: Vec<String>,
    used: SortedSet<String>,
    /// The first attempt with guesses that was refused for its tests.
    pub(crate) failed: Option<Attempt>,
    /// The questions to a language model.
    pub(crate) model: AskedModel,
}

impl AnswersSoFar {
    /// Whether an attempt has answers.
    pub(crate) fn has(&self, attempt: usize) -> bool {
        self.of.contains_key(&attempt)
    }

    /// Whether code of a caller or of a model may be in an attempt.
    pub(crate) fn have_code(&self, answers: &Answers) -> bool {
        answers.have_code() || self.model.has_answered
    }

    /// Notes which questions an attempt answers.
    pub(crate) fn note_questions(&mut self, attempt: usize, ids: Vec<String>) {
        self.of.insert(attempt, ids);
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
        if self.options.answers.is_empty() {
            return Ok(Vec::new());
        }
        let open: Vec<Attempt> = search.winners().into_iter().cloned().collect();
        let mut found = Vec::new();
        for attempt in open.into_iter().filter(|it| self.answered.seen.insert(it.id)) {
            match with_answers(&attempt, &self.options.answers, &*self.world) {
                Ok(None) => {}
                Ok(Some(answered)) => {
                    self.answered.used.extend(answered.ids.iter().cloned());
                    let added = search.add_answered(attempt.id, answered.overlay, answered.guesses);
                    found.extend(added.inspect(|it| {
                        self.answered.of.insert(it.id, answered.ids);
                    }));
                }
                Err((id, fault)) => {
                    self.answered.used.insert(id.clone());
                    self.answered.notes.push(format!("the answer to {id}: {fault}"));
                }
            }
        }
        Ok(found)
    }

    /// Notes that the tree does not build with the answers of an attempt.
    pub(crate) fn note_unfit_answers(&mut self, attempt: usize, error: Option<&str>) {
        if let Some(ids) = self.answered.of.get(&attempt) {
            let error = error.unwrap_or("the check fails");
            let note =
                format!("the tree does not build with the answer to {}: {error}", ids.join(", "));
            self.answered.notes.push(note);
        }
    }

    /// The number of the change, from 1, that an answer chooses.
    pub(crate) fn chosen_by_answer(&mut self, question: &Question) -> Option<usize> {
        let answer = self.options.answers.change(question)?;
        self.answered.used.insert(question.id.clone());
        let noted = answer.map_err(|fault| {
            self.answered.notes.push(format!("the answer to {}: {fault}", question.id));
        });
        noted.ok().map(|it| it + 1)
    }

    /// Notes on the answers that fit nothing.
    pub(crate) fn answer_notes(&self) -> Vec<String> {
        let mut notes = self.answered.notes.clone();
        let ids = self.options.answers.0.keys();
        let unknown = ids.filter(|it| !self.answered.used.contains(*it));
        notes.extend(unknown.map(|it| format!("no question of this run has the id {it}")));
        notes
    }
}
