//! Answers of earlier runs ([`tools::remembered_answers`]) in the next one: offered first for a question of their kind,
//! and taken without a question after two equal ones. What is taken so stays a guess that a test has to execute, and
//! the report names it. Start at [`Task::repeat_answers`].

use change::{GuessKind, NeededValue};
use repair::{Attempt, GuessedPlace, Search, guessed_answers};
use serde::Serialize;
use tools::RememberedAnswer;

use crate::FixReport;
use crate::questions::{AnswerOption, OpenQuestion, is_known_at, open_questions};
use crate::task::Task;

/// Number of equal answers in a row after which the next one is not asked for.
const ENOUGH: usize = 2;

/// An answer that a change has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerRow {
    /// Id of the question.
    pub id: String,
    /// The question in one line.
    pub question: String,
    /// Text that the answer put in its places.
    pub text: String,
    /// Source of the answer.
    pub source: AnswerSource,
    /// Name and type that were asked for, `name: Type`, by which an answer is remembered.
    #[serde(skip)]
    pub(crate) asked: Option<String>,
}

/// Source of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerSource {
    /// A person, on the command line or a terminal.
    Person,
    /// Another caller, such as an agent.
    Caller,
    /// Equal answers of a person in earlier runs, this many.
    Earlier(usize),
    /// A language model.
    Model,
}

impl AnswerRow {
    pub(crate) fn of(question: &OpenQuestion, text: &str, source: AnswerSource) -> Self {
        let OpenQuestion { question, places } = question;
        Self {
            id: question.id.clone(),
            question: question.text.clone(),
            text: text.to_owned(),
            source,
            asked: places.first().and_then(|it| asked(it.need.as_ref())),
        }
    }
}

/// Name and type that a place asks for, by which its answer is remembered; `None` where it has no name.
fn asked(need: Option<&NeededValue>) -> Option<String> {
    need.filter(|it| !it.name.is_empty()).map(|it| format!("{}: {}", it.name, it.ty))
}

/// The earlier answer to the same question, if its names may be known at these places.
pub(crate) fn remembered<'a>(
    memory: &'a [RememberedAnswer],
    places: &[GuessedPlace],
) -> Option<&'a RememberedAnswer> {
    let asked = asked(places.first()?.need.as_ref())?;
    let known = memory.iter().find(|it| it.asked == asked)?;
    let mut offered = places.iter().filter_map(|it| it.need.as_ref()).flat_map(|it| &it.options);
    (!names_variable(&known.text) || offered.any(|it| it.0 == known.text)).then_some(known)
}

/// Whether a text begins with a variable, which another function need not have.
fn names_variable(text: &str) -> bool {
    let text = text.trim_start_matches(['&', '*', ' ']);
    let text = text.strip_prefix("mut ").unwrap_or(text);
    let end = text.find(|it: char| !base::is_word(it)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let is_call = rest.starts_with(['(', '!']) || rest.starts_with("::");
    let begins = name.starts_with(|it: char| it.is_lowercase() || it == '_');
    begins && !is_call && !matches!(name, "true" | "false")
}

/// Puts an earlier answer first among the options; whether that is another one than before.
pub(crate) fn offer(options: &mut Vec<AnswerOption>, known: &RememberedAnswer) -> bool {
    let so = match known.times {
        1 => "answered so before".to_owned(),
        times => format!("answered so {times} times before"),
    };
    let at = options.iter().position(|it| it.text == known.text);
    let evidence = match at {
        Some(at) => format!("{}; {so}", options.remove(at).evidence),
        None => so,
    };
    options.insert(0, AnswerOption { text: known.text.clone(), evidence });
    at != Some(0)
}

impl Task<'_> {
    /// The attempts that build, with answers that were given often enough in place of their guesses.
    pub(crate) fn repeat_answers(&mut self, search: &mut Search) -> Vec<Attempt> {
        if !self.answered.memory.iter().any(|it| it.times >= ENOUGH) {
            return Vec::new();
        }
        let open: Vec<Attempt> = search.winners().into_iter().cloned().collect();
        let open = open.into_iter().filter(|it| self.answered.repeated.insert(it.id));
        let open: Vec<Attempt> = open.collect();
        open.iter().filter_map(|it| self.repeated(it, search)).collect()
    }

    fn repeated(&mut self, attempt: &Attempt, search: &mut Search) -> Option<Attempt> {
        let memory = &self.answered.memory;
        let open = open_questions(&attempt.overlay, &attempt.guesses, memory);
        let mut rows = self.answered.rows(attempt.id).to_vec();
        let mut texts: Vec<(&GuessedPlace, &str)> = Vec::new();
        for question in &open {
            let known = remembered(memory, &question.places).filter(|it| it.times >= ENOUGH);
            let is_given = self.options.answers.all.0.contains_key(&question.question.id);
            let Some(known) = known.filter(|_| !is_given) else { continue };
            let places = question.places.iter();
            let places = places.filter(|it| is_known_at(it, &known.text, &question.places));
            texts.extend(places.map(|it| (it, known.text.as_str())));
            rows.push(AnswerRow::of(question, &known.text, AnswerSource::Earlier(known.times)));
        }
        if texts.is_empty() {
            return None;
        }
        let (overlay, guesses) = (&attempt.overlay, &attempt.guesses);
        let kind = |_: &GuessedPlace| GuessKind::Value;
        let made = guessed_answers(overlay, &texts, kind, guesses, &*self.world)?;
        let added = search.add_answered(attempt.id, made.overlay, made.guesses)?;
        self.answered.repeated.insert(added.id);
        self.answered.note(added.id, rows);
        Some(added)
    }
}

impl FixReport {
    /// Adds the answers that its change has, with a note on those that were not given in this run.
    pub(crate) fn keep_answers(&mut self, rows: &[AnswerRow]) {
        for row in rows {
            let AnswerSource::Earlier(times) = row.source else { continue };
            let so = match times {
                ENOUGH => "as twice before".to_owned(),
                times => format!("as {times} times before"),
            };
            let AnswerRow { id, question, text, .. } = row;
            self.notes
                .push(format!("{question}: `{text}`, {so} (`--answer {id}=…` gives another)"));
        }
        self.answers = rows.to_vec();
    }
}

/// The id of a question that has an earlier answer as first option: the number of an option means the same as when it
/// was shown, or nothing.
pub(crate) fn id_with(question: &str, known: &RememberedAnswer) -> String {
    format!("{question}\0{}", known.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_begins_with_a_variable_is_offered_only_where_it_is_known() {
        for text in ["limit", "&limit", "self.config", "*level + 1", "&mut door", "_rest.len()"] {
            assert!(names_variable(text), "{text}");
        }
        let elsewhere =
            ["7", "true", "None", "\"a\"", "Level::Low", "open(7)", "vec![1]", "config::level()"];
        for text in elsewhere {
            assert!(!names_variable(text), "{text}");
        }
    }
}
