//! Answers to what an attempt guesses or leaves open: texts for its places.

use base::{ByteSpan, ProjectPath, Timestamp};
use change::{GuessKind, HOLE};
use edit::{Files, Overlay, Splice};

use crate::combine::Overlaid;
use crate::guessed::{GuessedPlace, moved};

/// Author of the step that answers are.
const AUTHOR: &str = "answers";

/// The places of a change that it guesses or leaves open, in the order of their files: `todo!()` in a text that it
/// inserts is a hole, whichever rule wrote it.
pub fn open_places(overlay: &Overlay, guesses: &[GuessedPlace]) -> Vec<GuessedPlace> {
    let mut found = guesses.to_vec();
    for (path, change) in overlay.changes() {
        let Some(map) = overlay.span_map(path) else { continue };
        for (start, _) in change.after_text().match_indices(HOLE) {
            let span = ByteSpan::new(start, start + HOLE.len());
            let is_known = found.iter().any(|it| it.path == *path && it.span == span);
            if !is_known && map.span_to_base(span).exact().is_none() {
                found.push(hole(path, span));
            }
        }
    }
    found.sort_by(|a, b| (&a.path, a.span.start).cmp(&(&b.path, b.span.start)));
    found
}

fn hole(path: &ProjectPath, span: ByteSpan) -> GuessedPlace {
    let (path, text) = (path.clone(), HOLE.to_owned());
    GuessedPlace { path, span, kind: GuessKind::Hole, text, need: None }
}

/// The change of an attempt with these texts at places of it, and the guesses that are left; `None` if two places
/// overlap.
pub fn answered(
    overlay: &Overlay,
    answers: &[(&GuessedPlace, &str)],
    guesses: &[GuessedPlace],
    files: &dyn Files,
) -> Option<(Overlay, Vec<GuessedPlace>)> {
    let step = Overlay::from_splices(
        AUTHOR,
        Timestamp(0),
        &Overlaid { base: files, overlay },
        &splices(answers),
    );
    let step: Overlay = step.ok()?;
    Some((overlay.compose(&step).ok()?, moved(&others(answers, guesses), &step)))
}

/// A change with answers that are guesses themselves.
pub struct GuessedAnswers {
    /// The texts alone, as a change of the text with the attempt.
    pub step: Overlay,
    /// The whole change.
    pub overlay: Overlay,
    /// Its guesses, those answers included.
    pub guesses: Vec<GuessedPlace>,
}

/// The same with answers that stay guesses, of this kind for the guess in their place.
pub fn guessed_answers(
    overlay: &Overlay,
    answers: &[(&GuessedPlace, &str)],
    kind: fn(&GuessedPlace) -> GuessKind,
    guesses: &[GuessedPlace],
    files: &dyn Files,
) -> Option<GuessedAnswers> {
    let overlaid = Overlaid { base: files, overlay };
    let splices = splices(answers);
    let step = Overlay::from_splices(AUTHOR, Timestamp(0), &overlaid, &splices).ok()?;
    let mut left = moved(&others(answers, guesses), &step);
    for (place, text) in answers {
        let is_before =
            |it: &&(ProjectPath, Splice)| it.0 == place.path && it.1.span.start < place.span.start;
        let grown: isize = splices
            .iter()
            .filter(is_before)
            .map(|(_, it)| it.insert.len() as isize - it.span.len() as isize)
            .sum();
        let start = place.span.start.saturating_add_signed(grown);
        let kind = kind(place);
        let (path, text, need) = (place.path.clone(), (*text).to_owned(), place.need.clone());
        let span = ByteSpan::new(start, start + text.len());
        left.push(GuessedPlace { path, span, kind, text, need });
    }
    left.sort();
    Some(GuessedAnswers { overlay: overlay.compose(&step).ok()?, step, guesses: left })
}

/// The guesses that are not answered.
fn others(answers: &[(&GuessedPlace, &str)], guesses: &[GuessedPlace]) -> Vec<GuessedPlace> {
    let is_answered = |it: &&GuessedPlace| {
        answers.iter().any(|(place, _)| place.path == it.path && place.span == it.span)
    };
    guesses.iter().filter(|it| !is_answered(it)).cloned().collect()
}

fn splices(answers: &[(&GuessedPlace, &str)]) -> Vec<(ProjectPath, Splice)> {
    let splice = |(place, text): &(&GuessedPlace, &str)| {
        (place.path.clone(), Splice { span: place.span, insert: (*text).to_owned() })
    };
    let mut all: Vec<(ProjectPath, Splice)> = answers.iter().map(splice).collect();
    all.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
    all
}
