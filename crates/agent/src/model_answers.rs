//! A language model as answerer (`model.answers`): it gets one question with its excerpt and options, and answers
//! with a number or an expression. Its answer is a guess: kept to what a model may change, built, tested, and applied
//! only if a test fails with the guess that it replaces. Start at [`Task::answers_of_model`].

use base::LineIndex;
use change::GuessKind;
use edit::Overlay;
use model::language::{TurnError, fence};
use repair::{Attempt, GuessedPlace, Overlaid, Search, guessed_answers};

use crate::questions::{MAX_QUESTIONS, OpenQuestion, open_questions};
use crate::reason::{
    ANSWER, Conversation, ModelNote, ModelNoteKind, ModelReasoner, ReasonLimits, Scope, one_line,
};
use crate::task::Task;
use crate::{AgentError, AnswerRow, AnswerSource, Answers, FixEvent, Question, TaskStep};

/// Maximum number of tokens of an answer.
const MAX_TOKENS: u32 = 256;
/// Lines of the excerpt before and after the place.
const AROUND: u32 = 8;
/// Maximum length of the excerpt in bytes.
const MAX_EXCERPT: usize = 1_500;

/// Questions to a model in a run, and their cost.
#[derive(Default)]
pub(crate) struct AskedModel {
    /// The attempts that it was asked about, or that have its answers.
    attempts: base::SortedSet<usize>,
    /// Number of questions.
    asked: usize,
    /// Tokens of all questions.
    pub(crate) tokens: u64,
    /// Cost of the run in micro-dollars after the last question.
    pub(crate) spent: u64,
    pub(crate) notes: Vec<ModelNote>,
}

impl Task<'_> {
    /// The best draft with answers of the model to what it leaves open; none without a model that answers.
    pub(crate) fn answers_of_model(
        &mut self,
        search: &mut Search,
    ) -> Result<Vec<Attempt>, AgentError> {
        let reasoner = self.options.model.clone().filter(|it| it.limits.answers);
        let Some(reasoner) = reasoner.filter(|_| !self.has_choice() && self.has_time()) else {
            return Ok(Vec::new());
        };
        let winners = search.winners().into_iter().cloned();
        for draft in winners.chain(self.answered.failed.clone()).collect::<Vec<Attempt>>() {
            let is_new = self.answered.model.attempts.insert(draft.id);
            if is_new
                && !draft.reverts
                && let Some(attempt) = self.asked_of(&reasoner, &draft, search)?
            {
                return Ok(vec![attempt]);
            }
        }
        Ok(Vec::new())
    }

    /// A draft with the answers of the model; `None` if it has none.
    fn asked_of(
        &mut self,
        reasoner: &ModelReasoner,
        draft: &Attempt,
        search: &mut Search,
    ) -> Result<Option<Attempt>, AgentError> {
        let rows = self.guessed.get(&draft.id).map_or(&[][..], |it| it);
        let is_tested = |place: &GuessedPlace| {
            let at = draft.guesses.iter().position(|it| it == place);
            at.and_then(|at| rows.get(at)).is_some_and(|it| it.tested)
        };
        let memory = &self.answered.memory;
        let mut open = open_questions(&draft.overlay, &draft.guesses, memory);
        open.retain(|it| !it.places.iter().all(is_tested));
        let (mut answers, mut rows) = (Vec::new(), self.answered.rows(draft.id).to_vec());
        for asked in &open {
            let OpenQuestion { question, places } = asked;
            if self.answered.model.asked >= MAX_QUESTIONS {
                break;
            }
            self.answered.model.asked += 1;
            let Some(text) = self.ask_question(reasoner, (question, places), &draft.overlay)?
            else {
                continue;
            };
            let other = places.iter().filter(|it| it.text != text);
            let known = other.filter(|it| crate::questions::is_known_at(it, &text, places));
            answers.extend(known.map(|it| (it, text.clone())));
            rows.push(AnswerRow::of(asked, &text, AnswerSource::Model));
        }
        if answers.is_empty() {
            return Ok(None);
        }
        let texts: Vec<(&GuessedPlace, &str)> =
            answers.iter().map(|(place, text)| (*place, text.as_str())).collect();
        let made = guessed_answers(
            &draft.overlay,
            &texts,
            other_than_before,
            &draft.guesses,
            &*self.world,
        );
        let Some(made) = made else { return Ok(None) };
        if let Some(fault) = self.fault_of(draft, &texts, &made.step, search) {
            self.note_of_model(ModelNoteKind::Refused, &fault);
            return Ok(None);
        }
        let added = search.add_answered(draft.id, made.overlay, made.guesses);
        Ok(added.inspect(|it| {
            self.answered.model.attempts.insert(it.id);
            self.answered.note(it.id, rows);
        }))
    }

    /// Why a model may not write these texts; `None` if it may.
    fn fault_of(
        &self,
        draft: &Attempt,
        texts: &[(&GuessedPlace, &str)],
        step: &Overlay,
        search: &Search,
    ) -> Option<String> {
        let mut scope = Scope::default();
        for (place, _) in texts {
            scope.add_item(place.path.clone(), place.span);
        }
        let files = Overlaid { base: &*self.world, overlay: &draft.overlay };
        let fault = scope.fault(&files, step, search.errors(), &self.options.approval);
        fault.map(|it| it.to_string())
    }

    /// The text that the model answers; `None` if it has no answer, or one that is none.
    fn ask_question(
        &mut self,
        reasoner: &ModelReasoner,
        (question, places): (&Question, &[GuessedPlace]),
        overlay: &Overlay,
    ) -> Result<Option<String>, AgentError> {
        self.enter(TaskStep::Propose, format!("asking {}: {}", reasoner.name, question.text));
        let limits = ReasonLimits { max_tokens: MAX_TOKENS, ..reasoner.limits.clone() };
        let text = asked(question, places, overlay);
        let mut conversation = Conversation::new(limits, &text).with_system(ANSWER);
        let model = self.world.model(reasoner);
        let answer = conversation.text_answer(self.ctx, &model);
        let asked = &mut self.answered.model;
        asked.tokens += conversation.usage.total();
        asked.spent = asked.spent.max(model.spent());
        for note in std::mem::take(&mut conversation.notes) {
            self.keep_note(note);
        }
        let answer = match answer {
            Ok(answer) => one_line(&answer),
            Err(TurnError::Cancelled) => return Err(base::Cancelled.into()),
            Err(error) => {
                self.note_of_model(ModelNoteKind::Ended, &error.to_string());
                return Ok(None);
            }
        };
        let answer = answer.trim_matches('`').trim();
        if answer.is_empty() || answer == "none" {
            self.note_of_model(ModelNoteKind::Ended, &format!("{}: no answer", question.id));
            return Ok(None);
        }
        let answers = Answers([(question.id.clone(), answer.to_owned())].into());
        match answers.text(question) {
            Some(Ok(text)) => {
                let line = format!("{}: `{text}` for: {}", question.id, question.text);
                self.note_of_model(ModelNoteKind::Proposed, &line);
                Ok(Some(text))
            }
            Some(Err(fault)) => {
                self.note_of_model(ModelNoteKind::Refused, &format!("{}: {fault}", question.id));
                Ok(None)
            }
            None => Ok(None),
        }
    }

    fn note_of_model(&mut self, kind: ModelNoteKind, text: &str) {
        let round = self.answered.model.asked;
        self.keep_note(ModelNote { round, kind, text: one_line(text) });
    }

    fn keep_note(&mut self, note: ModelNote) {
        (self.on)(&FixEvent::Model { note: note.clone() });
        self.answered.model.notes.push(note);
    }
}

/// A guess for which a test has to fail with the former guess in its place.
fn other_than_before(place: &GuessedPlace) -> GuessKind {
    match &place.kind {
        GuessKind::Hole => GuessKind::Value,
        _ => GuessKind::Typed { other: Some(place.text.clone()) },
    }
}

/// The message to the model: the question, its options, and the lines around its first place.
fn asked(question: &Question, places: &[GuessedPlace], overlay: &Overlay) -> String {
    let mut text = format!("{}?\n{}", question.text, question.reason);
    for (nth, option) in question.options.iter().enumerate() {
        text.push_str(&format!("\n{}. {} ({})", nth + 1, option.text, option.evidence));
    }
    let mut message = fence("question", &text);
    if let Some(place) = places.first() {
        let code = overlay.get(&place.path).map_or("", |it| it.after_text());
        let name = question.places.first().map_or("", String::as_str);
        message.push_str(&fence(&format!("code around {name}"), around(code, place.span.start)));
    }
    message
}

/// The lines around a place.
fn around(code: &str, at: usize) -> &str {
    let lines = LineIndex::new(code);
    let line = lines.line_of(at.min(code.len()));
    let first = lines.line_span(line.saturating_sub(AROUND).max(1)).map_or(0, |it| it.start);
    let last = (line..=line + AROUND).rev().find_map(|it| lines.line_span(it));
    let excerpt = code.get(first..last.map_or(code.len(), |it| it.end)).unwrap_or_default();
    &excerpt[..excerpt.floor_char_boundary(MAX_EXCERPT)]
}
