//! Answers that a person gave to questions of earlier runs, as far as they are in the project: the change of the run
//! was written, and not undone. What a repository, an agent or a model wrote is none of them.

use base::{SortedMap, SortedSet};
use project::Workspace;
use record::{GivenAnswer, PastRun};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::proposals::undone;

/// Maximum number of runs that are read, the newest ones.
const MOST: usize = 200;

/// The last answer to a question, by what was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RememberedAnswer {
    /// Name and type that were asked for: `name: Type`.
    pub asked: String,
    /// The text that was the answer.
    pub text: String,
    /// Number of runs in a row with this answer, up to the last one.
    pub times: usize,
}

/// The last answers of the runs that were not forgotten.
///
/// # Errors
/// A record or a journal that cannot be read.
pub fn remembered_answers(workspace: &Workspace) -> Result<Vec<RememberedAnswer>, Error> {
    let record = workspace.record();
    let history = record.run_history()?.0;
    let undone: SortedSet<String> = undone(workspace)?.into_iter().collect();
    let counts = |it: &&PastRun| {
        let is_written = it.applied.as_ref().is_some_and(|it| !undone.contains(&it.change));
        is_written && it.run.answers.is_some() && !history.forgotten.contains(&it.run.id)
    };
    let mut runs: Vec<&PastRun> = history.runs.iter().rev().filter(counts).take(MOST).collect();
    runs.sort_by_key(|it| it.applied.as_ref().map(|it| it.at));
    let given = runs.into_iter().map(|it| {
        let text = it.run.answers.and_then(|hash| record.texts().get(hash).ok());
        // Lost texts are no answers.
        text.and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default()
    });
    Ok(last(given))
}

/// The last answer to each question, given those of each run, oldest first.
fn last(runs: impl Iterator<Item = Vec<GivenAnswer>>) -> Vec<RememberedAnswer> {
    let mut found: SortedMap<String, RememberedAnswer> = SortedMap::new();
    for given in runs {
        let mut seen: SortedSet<String> = SortedSet::new();
        for GivenAnswer { asked, text } in given {
            // Of two different answers of one run to the same question neither is the next one.
            let is_first = seen.insert(asked.clone());
            let times = match found.get(&asked) {
                Some(known) if known.text == text => known.times + usize::from(is_first),
                _ if is_first => 1,
                _ => {
                    found.remove(&asked);
                    continue;
                }
            };
            found.insert(asked.clone(), RememberedAnswer { asked, text, times });
        }
    }
    found.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last answers, given those of each run: `limit: u32=1, depth: u8=2`.
    fn check(runs: &[&str], expected: &str) {
        let of_run = |run: &&str| {
            let pairs = run.split(", ").filter_map(|it| it.split_once('='));
            let given = |(asked, text): (&str, &str)| GivenAnswer {
                asked: asked.to_owned(),
                text: text.to_owned(),
            };
            pairs.map(given).collect()
        };
        let found = last(runs.iter().map(of_run));
        let line = |it: RememberedAnswer| format!("{}={} {}", it.asked, it.text, it.times);
        assert_eq!(found.into_iter().map(line).collect::<Vec<_>>().join(", "), expected);
    }

    #[test]
    fn equal_answers_in_a_row_are_counted_and_another_one_begins_anew() {
        check(&["limit: u32=1"], "limit: u32=1 1");
        check(&["limit: u32=1", "depth: u8=2", "limit: u32=1"], "depth: u8=2 1, limit: u32=1 2");
        check(&["limit: u32=1", "limit: u32=1", "limit: u32=7"], "limit: u32=7 1");
        check(&["limit: u32=1", "limit: u64=1"], "limit: u32=1 1, limit: u64=1 1");
    }

    #[test]
    fn one_run_is_one_answer_and_two_different_ones_of_it_are_none() {
        check(&["limit: u32=1, limit: u32=1"], "limit: u32=1 1");
        check(&["limit: u32=1", "limit: u32=1, limit: u32=7"], "");
    }
}
