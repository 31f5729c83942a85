//! Test coverage of what a repair guesses. The tests run once more with a probe at the guessed
//! places: a panic, or for a value that only its type suggests another one. A place for which no
//! test fails is not covered, and the repair is a draft.
//!
//! What the tests print is not trusted further than the tests themselves: a project whose tests lie
//! can only approve its own repairs, which passed all other rungs.

use std::time::Duration;

use base::{LineIndex, ProjectPath, SortedSet};
use build::TestReport;
use check::{Checked, Ladder};
use repair::{Attempt, GuessedPlace, ProbeKind, probe, probe_marker};
use serde::Serialize;

use crate::AgentError;
use crate::probed::GuessCoverage;
use crate::task::Task;

/// Most runs of the tests with a probe, for one task.
const MAX_PROBES: usize = 8;

/// A part of a repair that is guessed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GuessRow {
    /// File.
    pub file: String,
    /// Line in the repaired text, from 1.
    pub line: u32,
    /// The guessed text.
    pub text: String,
    /// Whether a test covers it.
    pub tested: bool,
    /// How that was found out, or why no test does.
    pub note: GuessNote,
}

base::named_enum! {
    /// How it was found out whether a test covers a guess, or why none does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum GuessNote {
        /// A test executes it.
        Executed = "and a test executes it",
        /// A test fails with another value.
        Needed = "and a test fails with another value",
        /// No test executes it.
        Idle = "and no test executes it",
        /// No test depends on its value.
        NotNeeded = "and all tests pass with another value",
        /// There was no test.
        WithoutTests = "and no test was run",
        /// The runs with probes showed nothing.
        Unknown = "and whether a test depends on it is not known",
        /// A value is dropped, which no test that passes refutes.
        ThrownAway = "it throws away a value that must be used",
    }
}

impl std::fmt::Display for GuessNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for GuessNote {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl std::fmt::Display for GuessRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, line, text, note, .. } = self;
        write!(f, "{file}:{line}: `{text}` is a guess, {note}")
    }
}

/// Guesses of one text, about which the same was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameGuesses<'a> {
    /// All of them, in their order.
    pub rows: Vec<&'a GuessRow>,
}

impl SameGuesses<'_> {
    /// Whether a test covers them.
    pub fn tested(&self) -> bool {
        self.rows.iter().all(|it| it.tested)
    }

    /// ``src/a.rs:3: `false` is a guess, …``; of several their number.
    fn reason(&self) -> String {
        match self.rows.as_slice() {
            [] => String::new(),
            [one] => one.to_string(),
            [first, ..] => format!(
                "`{}` is a guess in {}, {}",
                first.text,
                base::counted(self.rows.len(), "place"),
                first.note
            ),
        }
    }
}

impl std::fmt::Display for SameGuesses<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason())?;
        if let [_, _, ..] = self.rows.as_slice() {
            let places = self.rows.iter().map(|it| format!("{}:{}", it.file, it.line));
            let (shown, all) = (places.take(SHOWN_PLACES).collect::<Vec<_>>(), self.rows.len());
            let more = all.checked_sub(shown.len()).filter(|it| *it > 0);
            let more = more.map_or_else(String::new, |it| format!(" … and {it} more"));
            write!(f, ": {}{more}", shown.join(", "))?;
        }
        Ok(())
    }
}

/// Maximum number of listed places of one guess.
const SHOWN_PLACES: usize = 3;

/// The guesses by text and by what was found out, in the order of the first of each.
pub fn same_guesses(rows: &[GuessRow]) -> Vec<SameGuesses<'_>> {
    let mut found: Vec<SameGuesses<'_>> = Vec::new();
    for row in rows {
        let is_same =
            |it: &GuessRow| (&it.text, &it.note, it.tested) == (&row.text, &row.note, row.tested);
        match found.iter_mut().find(|it| it.rows.first().is_some_and(|it| is_same(it))) {
            Some(group) => group.rows.push(row),
            None => found.push(SameGuesses { rows: vec![row] }),
        }
    }
    found
}

/// Why a repair with these guesses is a draft.
pub(crate) fn reason(rows: &[GuessRow]) -> String {
    let groups = same_guesses(rows).into_iter().filter(|it| !it.tested());
    groups.map(|it| it.reason()).collect::<Vec<_>>().join("; ")
}

/// What a run of the tests with probes showed.
enum ProbeRun {
    /// It did not build, or there was no time.
    Nothing,
    /// All tests passed as before.
    Passed,
    /// Tests fail that passed before, with this output.
    Failed(String),
}

impl Task<'_> {
    /// The guessed places of an attempt that passed as `checked` with `ladder`, each with whether a
    /// test covers it.
    pub(crate) fn guess_coverage(
        &mut self,
        attempt: &Attempt,
        checked: &Checked,
        ladder: &Ladder,
    ) -> Result<Vec<GuessRow>, AgentError> {
        let mut found = self.known(attempt);
        if let Some(passed) = checked.tests.as_ref().filter(|it| !it.passed.is_empty()) {
            let mut probing = Probing { task: self, attempt, ladder, passed, found: &mut found };
            probing.typed_values()?;
            probing.executed()?;
        }
        let is_without_tests = checked.tests.as_ref().is_none_or(|it| it.passed.is_empty());
        Ok(rows(attempt, &found, is_without_tests))
    }

    /// The guesses of an attempt that is not tried, because no test covers one of its places.
    pub(crate) fn known_guesses(&self, attempt: &Attempt) -> Option<Vec<GuessRow>> {
        let found = self.known(attempt);
        found.iter().any(is_lost).then(|| rows(attempt, &found, false))
    }

    /// What earlier attempts showed about the same places.
    fn known(&self, attempt: &Attempt) -> Vec<Option<GuessCoverage>> {
        let known = |place: &GuessedPlace| {
            let found = self.probed.places.get(&key(attempt, place)?)?;
            let wanted: &[GuessCoverage] = match place.is_only_typed() {
                true => &[GuessCoverage::Idle, GuessCoverage::NotNeeded],
                false => &[GuessCoverage::Idle, GuessCoverage::Executed],
            };
            wanted.iter().find(|it| found.contains(it)).copied()
        };
        attempt.guesses.iter().map(known).collect()
    }
}

/// Whether no test covers a place.
fn is_lost(found: &Option<GuessCoverage>) -> bool {
    matches!(found, Some(GuessCoverage::NotNeeded | GuessCoverage::Idle))
}

/// File and position of a place in the original text.
fn key(attempt: &Attempt, place: &GuessedPlace) -> Option<(ProjectPath, usize)> {
    let map = attempt.overlay.span_map(&place.path)?;
    Some((place.path.clone(), map.span_to_base(place.span).nearest().start))
}

fn rows(
    attempt: &Attempt,
    found: &[Option<GuessCoverage>],
    is_without_tests: bool,
) -> Vec<GuessRow> {
    let row = |(place, found): (&GuessedPlace, &Option<GuessCoverage>)| {
        let text = attempt.overlay.get(&place.path).map_or("", |it| it.after_text());
        let found = found.unwrap_or(GuessCoverage::Unknown);
        GuessRow {
            file: place.path.to_string(),
            line: LineIndex::new(text).line_of(place.span.start.min(text.len())),
            text: place.text.clone(),
            tested: matches!(found, GuessCoverage::Executed | GuessCoverage::Needed),
            note: match found {
                GuessCoverage::Executed => GuessNote::Executed,
                GuessCoverage::Needed => GuessNote::Needed,
                GuessCoverage::Idle => GuessNote::Idle,
                GuessCoverage::NotNeeded => GuessNote::NotNeeded,
                GuessCoverage::Unknown if is_without_tests => GuessNote::WithoutTests,
                GuessCoverage::Unknown => GuessNote::Unknown,
            },
        }
    };
    attempt.guesses.iter().zip(found).map(row).collect()
}

struct Probing<'p, 't> {
    task: &'p mut Task<'t>,
    attempt: &'p Attempt,
    ladder: &'p Ladder,
    passed: &'p TestReport,
    found: &'p mut Vec<Option<GuessCoverage>>,
}

impl Probing<'_, '_> {
    /// The places that no result is known for and that have such a probe.
    fn open(&self, kind: ProbeKind) -> Vec<usize> {
        let places = self.attempt.guesses.iter().enumerate();
        let open = places.filter(|(nth, it)| self.found[*nth].is_none() && it.has_probe(kind));
        open.map(|(nth, _)| nth).collect()
    }

    /// Values that only their type suggests: first all of them changed, then each by itself.
    fn typed_values(&mut self) -> Result<(), AgentError> {
        let kind = ProbeKind::OtherValue;
        let all = self.open(kind);
        if all.is_empty() {
            return Ok(());
        }
        match (self.run(&all, kind)?, all.as_slice()) {
            (ProbeRun::Nothing, _) => return Ok(()),
            (ProbeRun::Passed, _) => {
                all.iter().for_each(|nth| self.learn(*nth, GuessCoverage::NotNeeded));
                return Ok(());
            }
            (ProbeRun::Failed(_), [only]) => {
                self.learn(*only, GuessCoverage::Needed);
                return Ok(());
            }
            (ProbeRun::Failed(_), _) => {}
        }
        for nth in all {
            match self.run(&[nth], kind)? {
                ProbeRun::Nothing => {}
                ProbeRun::Failed(_) => self.learn(nth, GuessCoverage::Needed),
                ProbeRun::Passed => {
                    // One is enough for a draft.
                    self.learn(nth, GuessCoverage::NotNeeded);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The others: all of them panic, those that did not are tried again without those that did.
    fn executed(&mut self) -> Result<(), AgentError> {
        let mut kind = ProbeKind::PanicBefore;
        loop {
            let mut open = self.open(kind);
            // Of a value that only its type suggests, another one was tried.
            open.retain(|nth| !self.attempt.guesses[*nth].is_only_typed());
            if open.is_empty() || self.found.iter().any(is_lost) {
                return Ok(());
            }
            match self.run(&open, kind)? {
                ProbeRun::Nothing if kind == ProbeKind::PanicBefore => {
                    kind = ProbeKind::PanicInstead;
                }
                ProbeRun::Nothing => return Ok(()),
                ProbeRun::Passed => {
                    open.iter().for_each(|nth| self.learn(*nth, GuessCoverage::Idle));
                }
                ProbeRun::Failed(output) => {
                    let reached =
                        |nth: &usize| open.len() == 1 || output.contains(&probe_marker(*nth));
                    let reached: Vec<usize> = open.iter().copied().filter(reached).collect();
                    if reached.is_empty() {
                        return Ok(());
                    }
                    reached.iter().for_each(|nth| self.learn(*nth, GuessCoverage::Executed));
                }
            }
        }
    }

    fn learn(&mut self, nth: usize, coverage: GuessCoverage) {
        self.found[nth] = Some(coverage);
        let key = self.attempt.guesses.get(nth).and_then(|it| key(self.attempt, it));
        if let Some(key) = key {
            self.task.probed.places.entry(key).or_default().insert(coverage);
        }
    }

    /// Runs the tests with a probe at these places.
    fn run(&mut self, places: &[usize], kind: ProbeKind) -> Result<ProbeRun, AgentError> {
        let task = &mut *self.task;
        let Some(left) = task.seconds_left().filter(|_| task.probed.runs < MAX_PROBES) else {
            return Ok(ProbeRun::Nothing);
        };
        let numbered: Vec<(usize, &GuessedPlace)> =
            places.iter().map(|nth| (*nth, &self.attempt.guesses[*nth])).collect();
        let Some(overlay) = probe(&self.attempt.overlay, &numbered, kind, &*task.world) else {
            return Ok(ProbeRun::Nothing);
        };
        task.probed.runs += 1;
        let count = base::counted(places.len(), "guessed place");
        task.enter(crate::TaskStep::Test, format!("whether a test depends on {count}"));
        let ladder = Ladder {
            analyzer: false,
            clippy: false,
            format: false,
            timeout: Some(Duration::from_secs(left)),
            ..self.ladder.clone()
        };
        let checked = task.world.prove(overlay, &ladder)?;
        task.ctx.check_cancelled()?;
        Ok(self.read(&checked))
    }

    fn read(&self, checked: &Checked) -> ProbeRun {
        let Some(tests) = checked.tests.as_ref().filter(|_| !checked.timed_out) else {
            return ProbeRun::Nothing;
        };
        let passed: SortedSet<&str> = self.passed.passed.iter().map(String::as_str).collect();
        let known_failures: SortedSet<&str> =
            self.passed.failed.iter().map(|it| it.name.as_str()).collect();
        // A test binary that did not run to its end is listed by its own name.
        let fails = tests.failed.iter().filter(|it| {
            passed.contains(it.name.as_str())
                || (!tests.complete && !known_failures.contains(it.name.as_str()))
        });
        let outputs: Vec<&str> = fails.map(|it| it.output.as_str()).collect();
        match outputs.is_empty() {
            true if !tests.complete => ProbeRun::Nothing,
            true => ProbeRun::Passed,
            false => ProbeRun::Failed(outputs.join("\n")),
        }
    }
}
