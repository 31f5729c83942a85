//! The guessed places of an attempt, and the probes that show whether a test covers them.

use base::{ByteSpan, ProjectPath, Timestamp};
use change::{GuessKind, NeededValue};
use edit::{EditError, Files, Overlay, Side, Splice};
use preserve::outline::{ElementKind, Outline};

use crate::combine::{Overlaid, taken};
use crate::fix::{Fix, text_of};

/// A guessed part of the text that an attempt makes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GuessedPlace {
    /// File.
    pub path: ProjectPath,
    /// Span in the text that the attempt makes.
    pub span: ByteSpan,
    /// What is guessed.
    pub kind: GuessKind,
    /// The guessed text.
    pub text: String,
    /// The value that is needed there, where that is known.
    pub need: Option<NeededValue>,
}

/// How a probe changes a guessed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeKind {
    /// Another value of the same type.
    OtherValue,
    /// A panic before the place is evaluated.
    PanicBefore,
    /// A panic in place of the value, where the other form does not compile.
    PanicInstead,
}

impl GuessedPlace {
    /// Whether a test has to fail with another value.
    pub fn is_only_typed(&self) -> bool {
        self.has_probe(ProbeKind::OtherValue)
    }

    /// Whether this probe can be made of it.
    pub fn has_probe(&self, kind: ProbeKind) -> bool {
        match kind {
            ProbeKind::OtherValue => {
                matches!(&self.kind, GuessKind::Typed { other: Some(_) })
            }
            ProbeKind::PanicBefore => self.kind != GuessKind::Hole,
            ProbeKind::PanicInstead => !matches!(self.kind, GuessKind::Name | GuessKind::Hole),
        }
    }
}

/// The message with which the probe of place `number` panics.
pub fn probe_marker(number: usize) -> String {
    format!("graftage probe {number};")
}

/// The change of `attempt` with a probe at each of these places, which have numbers; `None` if one
/// of them has no such probe.
pub fn probe(
    attempt: &Overlay,
    places: &[(usize, &GuessedPlace)],
    kind: ProbeKind,
    files: &dyn Files,
) -> Option<Overlay> {
    let overlaid = Overlaid { base: files, overlay: attempt };
    let mut splices: Vec<(ProjectPath, Splice)> = Vec::new();
    for (number, place) in places {
        let text = text_of(&overlaid, &place.path)?;
        for splice in splices_of(&text, place, *number, kind)? {
            splices.push((place.path.clone(), splice));
        }
    }
    splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
    let author = "graftage probe";
    let probe = Overlay::from_splices(author, Timestamp(0), &overlaid, &splices);
    probe.and_then(|it: Overlay| -> Result<Overlay, EditError> { attempt.compose(&it) }).ok()
}

fn splices_of(
    text: &str,
    place: &GuessedPlace,
    number: usize,
    kind: ProbeKind,
) -> Option<Vec<Splice>> {
    let panic = format!("panic!(\"{}\")", probe_marker(number));
    // The condition keeps the rest reachable for lints, and the type of the value.
    let before = format!("if true {{ {panic} }}");
    let span = place.span;
    let at = |at: usize, insert: String| Splice { span: ByteSpan::new(at, at), insert };
    Some(match (kind, &place.kind) {
        (ProbeKind::OtherValue, GuessKind::Typed { other: Some(other) }) => {
            vec![Splice { span, insert: other.clone() }]
        }
        (_, GuessKind::Hole) | (ProbeKind::OtherValue, _) => return None,
        (ProbeKind::PanicInstead, GuessKind::Name) => return None,
        (ProbeKind::PanicInstead, _) => vec![Splice { span, insert: panic }],
        (ProbeKind::PanicBefore, GuessKind::Name) => match around(text, span)? {
            Around::Statement(start) => vec![at(start, format!("{before} "))],
            Around::Value(value) => wrapped(value, &before),
        },
        (ProbeKind::PanicBefore, _) => wrapped(span, &before),
    })
}

fn wrapped(span: ByteSpan, before: &str) -> Vec<Splice> {
    let at = |at: usize, insert: String| Splice { span: ByteSpan::new(at, at), insert };
    vec![at(span.start, format!("{{ {before} ")), at(span.end, " }".to_owned())]
}

/// What is evaluated with a name.
enum Around {
    /// A statement that starts here.
    Statement(usize),
    /// The value of an arm.
    Value(ByteSpan),
}

/// The innermost statement or arm around a span; `None` outside of bodies and in patterns of arms.
fn around(text: &str, span: ByteSpan) -> Option<Around> {
    let outline = Outline::of(text);
    let bytes = |start: usize, end: usize| -> Option<ByteSpan> {
        let (first, last) = (outline.tokens.get(start)?, outline.tokens.get(end.checked_sub(1)?)?);
        Some(ByteSpan::new(first.span.start, last.span.end))
    };
    // Inner elements come first.
    let element = outline.elements.iter().find(|it| {
        it.kind != ElementKind::Field
            && bytes(it.start, it.end).is_some_and(|all| all.contains(span))
    })?;
    match element.kind {
        ElementKind::Statement => {
            outline.tokens.get(element.start).map(|it| Around::Statement(it.span.start))
        }
        ElementKind::Arm => {
            let mut at = element.start;
            while at < element.end && outline.text(at) != "=>" {
                at = match outline.text(at) {
                    "(" | "[" | "{" => outline.close.get(at)?.max(&at) + 1,
                    _ => at + 1,
                };
            }
            let end = element.end - usize::from(outline.before(element.end, 1) == ",");
            let value = bytes(at + 1, end)?;
            value.contains(span).then_some(Around::Value(value))
        }
        _ => None,
    }
}

/// The guesses of `fixes`, in the text that `step` makes of them.
pub(crate) fn guessed(fixes: &[&Fix], step: &Overlay) -> Vec<GuessedPlace> {
    if fixes.iter().all(|it| it.guesses.is_empty()) {
        return Vec::new();
    }
    let (splices, used) = taken(fixes);
    let mut found = Vec::new();
    for guess in used.iter().flat_map(|idx| &fixes[*idx].guesses) {
        let mut shift = 0_isize;
        let own = splices.iter().filter(|(path, _)| *path == guess.path);
        for (path, splice) in own {
            let start = splice.span.start.saturating_add_signed(shift);
            if splice.span == guess.splice
                && let Some(text) = guess.part.slice(&splice.insert)
            {
                let span = ByteSpan::new(start + guess.part.start, start + guess.part.end);
                let (path, text) = (path.clone(), text.to_owned());
                let (kind, need) = (guess.kind.clone(), guess.need.clone());
                found.push(GuessedPlace { path, span, kind, text, need });
                break;
            }
            shift += splice.insert.len() as isize - splice.span.len() as isize;
        }
    }
    found.retain(|it| is_text_of(it, step));
    distinct(found)
}

/// The places of the text before `step`, in the text after it.
pub(crate) fn moved(places: &[GuessedPlace], step: &Overlay) -> Vec<GuessedPlace> {
    let move_one = |place: &GuessedPlace| {
        let Some(change) = step.get(&place.path) else { return Some(place.clone()) };
        let start = change.edit.map_pos(place.span.start, Side::After);
        let end = change.edit.map_pos(place.span.end, Side::Before);
        let span = ByteSpan::new(start, end.max(start));
        let text = span.slice(change.after_text()).filter(|it| !it.is_empty())?;
        let kind = match &place.kind {
            // The other value was one for the old text.
            GuessKind::Typed { .. } if text != place.text => GuessKind::Value,
            kind => kind.clone(),
        };
        let (path, text, need) = (place.path.clone(), text.to_owned(), place.need.clone());
        Some(GuessedPlace { path, span, kind, text, need })
    };
    distinct(places.iter().filter_map(move_one).collect())
}

fn is_text_of(place: &GuessedPlace, step: &Overlay) -> bool {
    let text = step.get(&place.path).map(|it| it.after_text());
    text.and_then(|it| place.span.slice(it)) == Some(&place.text)
}

fn distinct(mut places: Vec<GuessedPlace>) -> Vec<GuessedPlace> {
    places.sort();
    places.dedup_by(|a, b| a.path == b.path && a.span == b.span);
    places
}

#[cfg(test)]
mod tests {
    use base::{Applicability, ProjectPath};
    use change::Guess;

    use super::*;
    use crate::fake::OneFile;

    fn path() -> ProjectPath {
        ProjectPath::new("src/lib.rs").unwrap()
    }

    /// A fix that inserts a text at `|`, of which `guess` is a guess.
    fn fix(text: &str, insert: &str, guess: &str, kind: GuessKind) -> Fix {
        let at = text.find('|').unwrap();
        let splice = Splice { span: ByteSpan::new(at, at + 1), insert: insert.to_owned() };
        Fix {
            guesses: Guess::of(&path(), &splice, guess, kind).into_iter().collect(),
            splices: vec![(path(), splice)],
            rationale: String::new(),
            applicability: Applicability::Unspecified,
            reasoner: "test",
            seed: 0,
        }
    }

    /// The text with the fix, and with a probe of it.
    fn probed(text: &'static str, fix: &Fix, kind: ProbeKind) -> Option<String> {
        let files = OneFile(text.to_owned());
        let step = Overlay::from_splices("t", Timestamp(0), &files, &fix.splices).unwrap();
        let places = guessed(&[fix], &step);
        let numbered: Vec<(usize, &GuessedPlace)> = places.iter().enumerate().collect();
        let probe = probe(&step, &numbered, kind, &files)?;
        Some(probe.get(&path())?.after_text().to_owned())
    }

    #[test]
    fn a_value_is_probed_with_a_panic_or_another_value() {
        let text = "fn f() { g(1|) }";
        let empty = GuessKind::Typed { other: Some("1".to_owned()) };
        let guess = fix(text, ", 0", "0", empty);
        let other = probed(text, &guess, ProbeKind::OtherValue);
        assert_eq!(other.as_deref(), Some("fn f() { g(1, 1) }"));
        let before = probed(text, &guess, ProbeKind::PanicBefore);
        assert_eq!(
            before.as_deref(),
            Some("fn f() { g(1, { if true { panic!(\"graftage probe 0;\") } 0 }) }")
        );
        let instead = probed(text, &guess, ProbeKind::PanicInstead);
        assert_eq!(instead.as_deref(), Some("fn f() { g(1, panic!(\"graftage probe 0;\")) }"));
    }

    #[test]
    fn a_name_is_probed_before_its_statement_or_in_its_arm() {
        let probe = "if true { panic!(\"graftage probe 0;\") }";
        let check = |text: &'static str, expected: &str| {
            let guess = fix(text, "name", "name", GuessKind::Name);
            let found = probed(text, &guess, ProbeKind::PanicBefore);
            assert_eq!(found.unwrap_or_default(), expected.replace("PROBE", probe));
            assert_eq!(probed(text, &guess, ProbeKind::PanicInstead), None);
        };
        check(
            "fn f() { g(); let a = S { a: x.|() }; }",
            "fn f() { g(); PROBE let a = S { a: x.name() }; }",
        );
        check(
            "fn f() { match x { A { .. } => x.|, _ => {} } }",
            "fn f() { match x { A { .. } => { PROBE x.name }, _ => {} } }",
        );
        // A pattern or a type is not executed.
        check("fn f() { match x { A(|) => 1, _ => {} } }", "");
        check("fn f(a: |) {}", "");
    }

    #[test]
    fn a_place_moves_with_later_changes() {
        let text = "fn f() { g(1|) }";
        let guess = fix(text, ", 0", "0", GuessKind::Typed { other: Some("1".to_owned()) });
        let files = OneFile(text.to_owned());
        let step = Overlay::from_splices("t", Timestamp(0), &files, &guess.splices).unwrap();
        let places = guessed(&[&guess], &step);
        let overlaid = Overlaid { base: &files, overlay: &step };
        let next = |from: usize, to: usize, insert: &str| {
            let splice = Splice { span: ByteSpan::new(from, to), insert: insert.to_owned() };
            let splices = [(path(), splice)];
            let next = Overlay::from_splices("t", Timestamp(0), &overlaid, &splices).unwrap();
            let found = moved(&places, &next);
            found.iter().map(|it| format!("{:?} {}", it.span, it.text)).collect::<Vec<_>>()
        };
        assert_eq!(places[0].span, ByteSpan::new(14, 15));
        assert_eq!(next(0, 0, "pub "), ["ByteSpan { start: 18, end: 19 } 0"]);
        assert_eq!(next(14, 14, "&"), ["ByteSpan { start: 15, end: 16 } 0"]);
        assert_eq!(next(14, 15, "n"), ["ByteSpan { start: 14, end: 15 } n"]);
        assert_eq!(next(12, 15, ""), [""; 0]);
    }
}
