//! [`Question`]: what a change leaves open and neither a rule nor the proof can decide. A run asks, and a later run
//! of the same tree takes the [`Answers`]; what they give is proven like everything else.

use base::{Hasher, LineIndex, SortedMap, SortedSet};
use change::NeededValue;
use edit::Overlay;
use repair::{Attempt, GuessedPlace, open_places};
use serde::{Deserialize, Serialize};
use syntax::{FragmentKind, is_fragment};
use tools::RememberedAnswer;

use crate::arm_questions::hole_arm;
use crate::remembered::{id_with, offer, remembered};
use crate::report::PassingChange;
use crate::{AnswerRow, AnswerSource, FixReport, GuessRow};

/// Most questions of one run: the others follow once these are answered.
pub(crate) const MAX_QUESTIONS: usize = 5;
/// Maximum length of the line that a question shows, in bytes.
const EXCERPT: usize = 160;

/// Kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// A value for a parameter, a field or a place like these.
    Value,
    /// Code where `todo!()` is: a value, a body or an arm.
    Code,
    /// One of several changes that all pass.
    Change,
}

/// A possible answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerOption {
    /// Text that it puts in the place, or the change that it takes, in one line.
    pub text: String,
    /// Reason why it fits.
    pub evidence: String,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    /// Its name for [`Answers`]: the same in each run on the same tree.
    pub id: String,
    /// Kind.
    pub kind: QuestionKind,
    /// The question in one line.
    pub text: String,
    /// Reason why neither a rule nor the proof decides it.
    pub reason: String,
    /// The line of the change that has the first place.
    pub excerpt: String,
    /// All places that the answer serves: `src/a.rs:3`, in the text with the change.
    pub places: Vec<String>,
    /// Answers that fit, the likeliest first.
    pub options: Vec<AnswerOption>,
    /// Whether an expression of one's own is an answer, too.
    pub is_open: bool,
    /// Result without an answer.
    pub otherwise: &'static str,
}

/// Answers by the id of their question: the number of an option from 1, or an expression, with `=` before one that
/// is a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answers(pub SortedMap<String, String>);

/// The answers that a run gets, and which of them are of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenAnswers {
    /// All of them.
    pub all: Answers,
    /// Ids of those that a person gave, on the command line or a terminal: they are remembered once they are applied.
    #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
    pub own: SortedSet<String>,
}

impl From<Answers> for GivenAnswers {
    fn from(all: Answers) -> Self {
        Self { all, own: SortedSet::new() }
    }
}

impl GivenAnswers {
    /// Adds the answer of a person to a question.
    pub fn add_own(&mut self, id: String, answer: String) {
        self.own.insert(id.clone());
        self.all.0.insert(id, answer);
    }
}

/// Fault of an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AnswerFault {
    #[error("there is no option {0}; `={0}` is the number itself")]
    NoOption(String),
    #[error("`{0}` is not one expression on one line, without comments")]
    NoExpression(String),
    #[error("only one of the options is an answer")]
    Closed,
}

impl Answers {
    /// The id and the answer of `ID=ANSWER`.
    pub fn pair(text: &str) -> Option<(String, String)> {
        let (id, answer) = text.split_once('=')?;
        let (id, answer) = (id.trim().to_owned(), answer.trim().to_owned());
        (!id.is_empty() && !answer.is_empty()).then_some((id, answer))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them may be code of the caller.
    pub(crate) fn have_code(&self) -> bool {
        self.0.values().any(|it| it.trim().parse::<usize>().is_err())
    }

    /// The option, from 0, that is chosen of a question about changes; `None` without an answer.
    pub(crate) fn change(&self, question: &Question) -> Option<Result<usize, AnswerFault>> {
        let answer = self.0.get(&question.id)?.trim();
        Some(option(answer, question).unwrap_or(Err(AnswerFault::Closed)))
    }

    /// The text that a question about a place gets; `None` without an answer.
    pub(crate) fn text(&self, question: &Question) -> Option<Result<String, AnswerFault>> {
        let answer = self.0.get(&question.id)?.trim();
        if let Some(option) = option(answer, question) {
            return Some(option.map(|nth| question.options[nth].text.clone()));
        }
        if !question.is_open {
            return Some(Err(AnswerFault::Closed));
        }
        let text = answer.strip_prefix('=').unwrap_or(answer).trim();
        let fault = || AnswerFault::NoExpression(text.to_owned());
        let is_one = is_fragment(text, FragmentKind::Expression);
        Some(is_one.then(|| text.to_owned()).ok_or_else(fault))
    }
}

/// The option, from 0, that an answer names by its number; `None` if it is no number.
fn option(answer: &str, question: &Question) -> Option<Result<usize, AnswerFault>> {
    let nth = answer.parse::<usize>().ok()?.checked_sub(1);
    let nth = nth.filter(|it| *it < question.options.len());
    Some(nth.ok_or_else(|| AnswerFault::NoOption(answer.to_owned())))
}

/// A question with the places of a change that its answer fills.
pub(crate) struct OpenQuestion {
    pub(crate) question: Question,
    pub(crate) places: Vec<GuessedPlace>,
}

/// The questions of a change with these guesses, given earlier answers.
pub(crate) fn open_questions(
    overlay: &Overlay,
    guesses: &[GuessedPlace],
    memory: &[RememberedAnswer],
) -> Vec<OpenQuestion> {
    let mut groups: Vec<Vec<GuessedPlace>> = Vec::new();
    for place in open_places(overlay, guesses) {
        // Holes that nothing is known of have each an answer of their own.
        let asked = |it: &GuessedPlace| {
            it.need.as_ref().map(|need| {
                (need.name.clone(), need.ty.clone(), need.former.clone(), it.text.clone())
            })
        };
        let is_same = |it: &Vec<GuessedPlace>| {
            it.first().is_some_and(|it| asked(it).is_some() && asked(it) == asked(&place))
        };
        match groups.iter_mut().find(|it| is_same(it)) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    let mut seen: SortedMap<String, usize> = SortedMap::new();
    let question = |places| question(overlay, places, memory, &mut seen);
    groups.into_iter().filter_map(question).collect()
}

fn question(
    overlay: &Overlay,
    places: Vec<GuessedPlace>,
    memory: &[RememberedAnswer],
    seen: &mut SortedMap<String, usize>,
) -> Option<OpenQuestion> {
    let first = places.first()?;
    let text = overlay.get(&first.path)?.after_text();
    let is_hole = first.kind == change::GuessKind::Hole;
    let kind = if is_hole { QuestionKind::Code } else { QuestionKind::Value };
    let need = first.need.as_ref();
    let arm = hole_arm(text, first.span).filter(|_| is_hole && need.is_none());
    let asked = match (need, is_hole) {
        (Some(need), _) if !need.former.is_empty() => instead_of(need),
        (Some(need), _) if is_part(first) => format!("which part of `{}` is meant", need.ty),
        (Some(need), _) if need.name.is_empty() => format!("which value of the type `{}`", need.ty),
        (Some(need), _) => format!("which value has `{}: {}`", need.name, need.ty),
        (None, true) if let Some(arm) = &arm => format!("which code has the arm `{}`", arm.pattern),
        (None, true) => "which code is meant in place of `todo!()`".to_owned(),
        (None, false) => format!("is `{}` what is meant", first.text),
    };
    let mut options = offered(&places);
    options.extend(arm.into_iter().flat_map(|it| it.options));
    if !is_hole {
        // The guess is the first answer, with why it fits where that is known.
        let at = options.iter().position(|it| it.text == first.text);
        let guess = AnswerOption { text: first.text.clone(), evidence: "the guess".to_owned() };
        let guess = at.map_or(guess, |at| options.remove(at));
        options.insert(0, guess);
    }
    let item = format!("{}\0{}\0{asked}", first.path, first.text);
    let nth = seen.entry(item.clone()).and_modify(|it| *it += 1).or_insert(0);
    let mut asked_for = format!("{item}\0{nth}");
    if let Some(known) = remembered(memory, &places)
        && offer(&mut options, known)
    {
        asked_for = id_with(&asked_for, known);
    }
    let question = Question {
        id: id(&asked_for),
        kind,
        text: asked,
        reason: match is_hole {
            true => "no rule knows what belongs there".to_owned(),
            false => "other values compile, too, and no test distinguishes them".to_owned(),
        },
        excerpt: line_of(text, first.span.start),
        places: placed(overlay, &places),
        options,
        is_open: !is_part(first),
        otherwise: "the change is a draft and is not applied",
    };
    Some(OpenQuestion { question, places })
}

/// Whether a field or method of a value is asked for.
fn is_part(place: &GuessedPlace) -> bool {
    place.text.starts_with('.')
}

/// The question about code that no longer fits.
fn instead_of(need: &NeededValue) -> String {
    let former = &need.former[..need.former.floor_char_boundary(EXCERPT)];
    match need.ty.is_empty() {
        true => format!("which code is meant in place of `{former}`"),
        false => format!("which value of the type `{}` is meant in place of `{former}`", need.ty),
    }
}

/// The values that fit at these places, those of most places first.
fn offered(places: &[GuessedPlace]) -> Vec<AnswerOption> {
    let mut found: Vec<(&str, &str, usize)> = Vec::new();
    let needs = places.iter().filter_map(|it| it.need.as_ref());
    for (text, why) in needs.flat_map(|it| &it.options) {
        match found.iter_mut().find(|it| it.0 == text) {
            Some(known) => known.2 += 1,
            None => found.push((text, why, 1)),
        }
    }
    found.sort_by_key(|it| std::cmp::Reverse(it.2));
    let option = |(text, why, count): (&str, &str, usize)| AnswerOption {
        text: text.to_owned(),
        evidence: match places.len() {
            all if count < all => format!("{why}, in {count} of {all} places"),
            _ => why.to_owned(),
        },
    };
    found.into_iter().map(option).collect()
}

/// Whether the value of an answer is in scope at one of its places: one that others offer may be not.
pub(crate) fn is_known_at(place: &GuessedPlace, text: &str, places: &[GuessedPlace]) -> bool {
    let offers = |it: &GuessedPlace| {
        let own = it.need.as_ref().map_or(&[][..], |it| &it.options);
        it.text == text || own.iter().any(|it| it.0 == text)
    };
    offers(place) || !places.iter().any(offers)
}

/// The question which of several changes is meant.
pub(crate) fn change_question(choices: &[PassingChange]) -> Question {
    let option = |it: &PassingChange| AnswerOption {
        text: it.rationale.join("; "),
        evidence: "it passes all checks".to_owned(),
    };
    let all: Vec<&str> = choices.iter().map(|it| it.diff.as_str()).collect();
    Question {
        id: id(&all.join("\0")),
        kind: QuestionKind::Change,
        text: "which change is meant".to_owned(),
        reason: "all of them pass and mean different things".to_owned(),
        excerpt: String::new(),
        places: Vec::new(),
        options: choices.iter().map(option).collect(),
        is_open: false,
        otherwise: "none of them is applied",
    }
}

/// `q` with six digits of the hash of what is asked.
fn id(asked: &str) -> String {
    let hash = Hasher::new().field(asked.as_bytes()).finish().to_string();
    format!("q{}", hash.get(..6).unwrap_or(&hash))
}

/// The places with their lines, each once.
fn placed(overlay: &Overlay, places: &[GuessedPlace]) -> Vec<String> {
    let place = |it: &GuessedPlace| {
        let text = overlay.get(&it.path).map_or("", |it| it.after_text());
        let line = LineIndex::new(text).line_of(it.span.start.min(text.len()));
        format!("{}:{line}", it.path)
    };
    let mut found: Vec<String> = places.iter().map(place).collect();
    found.dedup();
    found
}

fn line_of(text: &str, at: usize) -> String {
    let start = text.get(..at).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
    let line = text.get(start..).and_then(|it| it.lines().next()).unwrap_or_default().trim();
    line[..line.floor_char_boundary(EXCERPT)].to_owned()
}

impl FixReport {
    /// Adds the questions of a draft, whose guesses were found to be covered by tests or not.
    pub(crate) fn ask(&mut self, draft: &Attempt, memory: &[RememberedAnswer]) {
        let is_tested = |place: &GuessedPlace| {
            let at = draft.guesses.iter().position(|it| it == place);
            at.and_then(|at| self.guesses.get(at)).is_some_and(|row: &GuessRow| row.tested)
        };
        let open = open_questions(&draft.overlay, &draft.guesses, memory).into_iter();
        let open = open.filter(|it| !it.places.iter().all(is_tested));
        self.questions = open.map(|it| it.question).take(MAX_QUESTIONS).collect();
    }
}

/// An attempt with the answers that there are for it.
pub(crate) struct AnsweredAttempt {
    pub(crate) overlay: Overlay,
    pub(crate) guesses: Vec<GuessedPlace>,
    /// The answers.
    pub(crate) rows: Vec<AnswerRow>,
}

/// Puts answers in the places of an attempt; `None` if none is for it.
///
/// # Errors
/// An answer that is none.
pub(crate) fn with_answers(
    attempt: &Attempt,
    (answers, memory): (&Answers, &[RememberedAnswer]),
    files: &dyn edit::Files,
) -> Result<Option<AnsweredAttempt>, (String, AnswerFault)> {
    let open = open_questions(&attempt.overlay, &attempt.guesses, memory);
    let mut texts: Vec<(&GuessedPlace, String)> = Vec::new();
    let mut rows = Vec::new();
    for asked in &open {
        let OpenQuestion { question, places } = asked;
        let Some(text) = answers.text(question) else { continue };
        let text = text.map_err(|fault| (question.id.clone(), fault))?;
        let known = places.iter().filter(|it| is_known_at(it, &text, places));
        texts.extend(known.map(|it| (it, text.clone())));
        rows.push(AnswerRow::of(asked, &text, AnswerSource::Caller));
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let texts: Vec<(&GuessedPlace, &str)> = texts.iter().map(|it| (it.0, it.1.as_str())).collect();
    let made = repair::answered(&attempt.overlay, &texts, &attempt.guesses, files);
    Ok(made.map(|(overlay, guesses)| AnsweredAttempt { overlay, guesses, rows }))
}
