//! Trials of many candidates at once: those in functions that run only while the tests run are compiled
//! into one build, in batches, the best first. What does not compile is left out and the rest built
//! again; what can be no part of such a build is verified by itself.

use std::sync::Arc;

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath, SortedMap, SortedSet, Timestamp};
use build::CANDIDATE_VARIABLE;
use check::{TrialReport, TrialRequest};
use edit::{FileState, Overlay};
use repair::Attempt;
use repair::mutate::{Mutation, Operator, Schema};

use super::{AUTHOR, Failing};
use crate::task::Task;
use crate::{AgentError, TaskStep};

/// Number of candidates in one build.
const BATCH: usize = 250;
/// Maximum size of the candidates of one build, in bytes.
const BATCH_BYTES: usize = 1_500_000;
/// Maximum number of builds of one batch: each leaves out what did not compile.
const ROUNDS: usize = 8;
/// Maximum number of passing candidates of one batch.
const PASSED: usize = 24;
/// Time limit of one batch in seconds.
const SECONDS: u64 = 90;
/// Number of passing candidates after which no further batch is tried.
const ENOUGH: usize = 6;
/// Maximum number of candidates that are verified without a trial.
const ALONE: usize = 6;

impl Failing {
    /// The candidates that pass the trials as attempts, best first.
    pub(super) fn tried_at_once(
        &mut self,
        task: &mut Task<'_>,
        mutations: &[Mutation],
        reverts: &[Attempt],
    ) -> Result<Vec<Attempt>, AgentError> {
        let takes =
            |it: &Mutation| self.texts.get(&it.path).is_some_and(|text| Schema::takes(text, it));
        let (together, alone): (Vec<usize>, Vec<usize>) =
            (0..mutations.len()).partition(|nth| takes(&mutations[*nth]));
        let mut passed = Vec::new();
        let mut rest = together.as_slice();
        while !rest.is_empty() && task.has_time() && passed.len() < ENOUGH {
            let batch = self.batch(rest, mutations);
            rest = rest.get(batch..).unwrap_or_default();
            let numbers = &together[together.len() - rest.len() - batch..][..batch];
            let report = self.trial(task, mutations, numbers.to_vec())?;
            self.tried += report.tried;
            passed.extend(report.passed);
        }
        if passed.is_empty() {
            passed.extend(alone.into_iter().take(ALONE));
            self.tried += passed.len();
        }
        let mut attempts: Vec<Attempt> = Vec::new();
        for number in passed {
            let mutation = &mutations[number];
            let overlay = self.overlay(&[(number, mutation)], |text, of| {
                edit::TextEdit::new(text, &of[0].1.splices).ok().and_then(|it| it.apply(text))
            });
            let Some(overlay) = overlay else { continue };
            let known = reverts.iter().chain(&attempts);
            if known.map(|it| it.overlay.patch_set()).any(|it| it == overlay.patch_set()) {
                continue;
            }
            let rationale = format!("{}:{}: {}", mutation.path, mutation.line, mutation.rationale);
            let attempt = Self::attempt(reverts.len() + number, overlay, rationale);
            if mutation.operator == Operator::Insertion || mutation.settles {
                self.uncovered.push(attempt.id);
            }
            attempts.push(attempt);
        }
        Ok(attempts)
    }

    /// The number of candidates of the next batch.
    fn batch(&self, rest: &[usize], mutations: &[Mutation]) -> usize {
        let mut size = 0;
        let fits = |nth: &&usize| {
            size += mutations[**nth].body.map_or(0, ByteSpan::len);
            size <= BATCH_BYTES
        };
        rest.iter().take(BATCH).take_while(fits).count().max(1)
    }

    /// One batch: builds until what is left compiles, then tries each.
    fn trial(
        &self,
        task: &mut Task<'_>,
        mutations: &[Mutation],
        mut numbers: Vec<usize>,
    ) -> Result<TrialReport, AgentError> {
        let targets: SortedSet<_> =
            self.coverage.tests.iter().filter(|it| it.fails).map(|it| &it.target).collect();
        for _ in 0..ROUNDS {
            let Some(left) = task.seconds_left().filter(|_| !numbers.is_empty()) else { break };
            let count = base::counted(numbers.len(), "candidate");
            task.enter(TaskStep::Check, format!("{count} at once"));
            let mut schemas: Vec<Schema> = Vec::new();
            let numbered: Vec<(usize, &Mutation)> =
                numbers.iter().map(|nth| (*nth + 1, &mutations[*nth])).collect();
            let overlay = self.overlay(&numbered, |text, of| {
                let path = &of.first()?.1.path;
                let schema = Schema::of(path, text, of, CANDIDATE_VARIABLE);
                let text = schema.text.clone();
                schemas.push(schema);
                Some(text)
            });
            let Some(overlay) = overlay else { break };
            let request = TrialRequest {
                targets: targets.iter().map(|it| (*it).clone()).collect(),
                failing: self.targets.iter().map(|it| it.name.clone()).collect(),
                candidates: numbered.iter().map(|(candidate, _)| *candidate).collect(),
                most: PASSED,
                seconds: SECONDS.min(left),
            };
            let mut report = task.world.trials(&overlay, &request)?;
            task.ctx.check_cancelled()?;
            if report.built {
                report.passed.iter_mut().for_each(|it| *it -= 1);
                return Ok(report);
            }
            let wrong = wrong_candidates(&schemas, &report.errors);
            let before = numbers.len();
            numbers.retain(|nth| !wrong.contains(&(nth + 1)));
            if numbers.len() == before {
                break;
            }
        }
        Ok(TrialReport::default())
    }

    /// The change of each file of these mutations; `None` if one cannot be made.
    fn overlay(
        &self,
        mutations: &[(usize, &Mutation)],
        mut made: impl FnMut(&str, &[(usize, &Mutation)]) -> Option<String>,
    ) -> Option<Overlay> {
        let mut by_file: SortedMap<&ProjectPath, Vec<(usize, &Mutation)>> = SortedMap::new();
        for (number, mutation) in mutations {
            by_file.entry(&mutation.path).or_default().push((*number, mutation));
        }
        let mut states = Vec::new();
        for (path, of_file) in by_file {
            let text = self.texts.get(path)?;
            let after = made(text, &of_file)?;
            let (before, after) =
                (FileState::from_text(Arc::clone(text)), FileState::from_text(after));
            states.push((path.clone(), Some(before), Some(after)));
        }
        Some(Overlay::from_states(AUTHOR, Timestamp(0), states))
    }
}

/// The candidates that errors are about; where an error is about none, all of its function.
fn wrong_candidates(schemas: &[Schema], errors: &[Diagnostic]) -> SortedSet<usize> {
    let mut wrong = SortedSet::new();
    for error in errors {
        let primary = error.spans.iter().filter(|it| it.primary);
        let found = at(schemas, primary);
        if !found.is_empty() {
            wrong.extend(found);
            continue;
        }
        let children = error.children.iter().flat_map(|it| &it.spans);
        wrong.extend(at(schemas, error.spans.iter().chain(children)));
    }
    wrong
}

fn at<'s>(schemas: &[Schema], spans: impl Iterator<Item = &'s DiagnosticSpan>) -> SortedSet<usize> {
    let mut found = SortedSet::new();
    for span in spans {
        let mut span = Some(span);
        while let Some(it) = span {
            let path = it.place.project();
            for schema in schemas.iter().filter(|schema| Some(&schema.path) == path) {
                found.extend(schema.at(&[it.bytes]));
            }
            span = it.expansion.as_ref().map(|it| &it.call_site);
        }
    }
    found
}
