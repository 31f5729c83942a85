//! [`Trajectory`]: the plays of a run, one JSON value a line, for a reader who ranks runs or learns from them.
//!
//! A line has the file and name of a story, its reward with all parts, and the page after each step. It has no time:
//! the same pages give the same bytes.

use base::SortedMap;
use serde::{Deserialize, Serialize};

use crate::{StoryResult, StoryScore};

/// Version of the format.
const VERSION: u32 = 1;
/// Greatest reward, in thousandths.
const MOST_REWARD: u32 = 1_000;

/// One play of a trajectory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StoryPlay {
    version: u32,
    /// File of the story.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Whether it passed.
    pub passed: bool,
    /// The reward in thousandths.
    pub reward: u32,
    /// The parts of the reward.
    pub score: StoryScore,
    /// The line as it is in the file.
    #[serde(skip)]
    pub line: String,
}

/// The plays of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trajectory {
    /// The plays, in order.
    pub plays: Vec<StoryPlay>,
}

/// Fault of a trajectory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrajectoryError {
    /// A line that is no play.
    #[error("line {line}: {reason}")]
    Line {
        /// Line, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// A second play of a story.
    #[error("line {line}: a second play of `{name}` of {file}")]
    Again {
        /// Line, from 1.
        line: usize,
        /// File of the story.
        file: String,
        /// Its name.
        name: String,
    },
}

/// Numbers of a trajectory; rewards are thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TrajectoryStats {
    /// Plays.
    pub plays: usize,
    /// Plays that passed.
    pub passed: usize,
    /// Mean reward; 0 without plays.
    pub mean: u32,
    /// Least reward.
    pub least: u32,
    /// Greatest reward.
    pub most: u32,
    /// Plays whose expectations on accessibility held, of those that have some.
    pub accessible: usize,
    /// Plays with expectations on accessibility.
    pub with_accessibility: usize,
    /// Plays with a closed gate: another address, an exception, a flood, a broken constraint.
    pub closed_gates: usize,
    /// Expectations that held, of all.
    pub assertions_passed: usize,
    /// Expectations.
    pub assertions: usize,
    /// Steps that were played.
    pub steps: usize,
}

/// Two runs, story by story.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ranking {
    /// Sums of the rewards over the stories of both, in thousandths; a story that a run does not have counts 0 for it.
    pub sums: (u64, u64),
    /// Stories with a higher reward in the first one.
    pub first: Vec<String>,
    /// Stories with a higher reward in the second one.
    pub second: Vec<String>,
    /// Number of the stories with the same reward.
    pub same: usize,
}

/// The results of a run as lines of JSON.
///
/// # Errors
/// Never for results of plays: their values have a JSON form.
pub fn trajectory(results: &[&StoryResult]) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    for result in results {
        let mut value = serde_json::to_value(result)?;
        value["version"] = VERSION.into();
        text.push_str(&value.to_string());
        text.push('\n');
    }
    Ok(text)
}

impl Trajectory {
    /// Reads lines of JSON.
    ///
    /// # Errors
    /// The first line that is no play, or one story twice.
    pub fn parse(text: &str) -> Result<Self, TrajectoryError> {
        let mut seen: SortedMap<(String, String), usize> = SortedMap::new();
        let mut plays = Vec::new();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let fail = |reason: String| TrajectoryError::Line { line, reason };
            let mut play: StoryPlay =
                serde_json::from_str(text).map_err(|error| fail(error.to_string()))?;
            if play.version != VERSION {
                return Err(fail(format!("version {}, not {VERSION}", play.version)));
            }
            if play.reward > MOST_REWARD {
                return Err(fail(format!("the reward {} is over {MOST_REWARD}", play.reward)));
            }
            let key = (play.file.clone(), play.name.clone());
            if seen.insert(key, line).is_some() {
                let StoryPlay { file, name, .. } = play;
                return Err(TrajectoryError::Again { line, file, name });
            }
            text.clone_into(&mut play.line);
            plays.push(play);
        }
        Ok(Self { plays })
    }

    /// The numbers of its plays.
    pub fn stats(&self) -> TrajectoryStats {
        let mut stats = TrajectoryStats { plays: self.plays.len(), ..Default::default() };
        let mut sum = 0_u64;
        stats.least = self.plays.iter().map(|it| it.reward).min().unwrap_or(0);
        for StoryPlay { passed, reward, score, .. } in &self.plays {
            sum += u64::from(*reward);
            stats.most = stats.most.max(*reward);
            stats.passed += usize::from(*passed);
            stats.with_accessibility += usize::from(score.accessibility.is_some());
            stats.accessible += usize::from(score.accessibility == Some(true));
            stats.closed_gates += usize::from(!score.gates);
            stats.assertions_passed += score.assertions_passed;
            stats.assertions += score.assertions;
            stats.steps += score.steps;
        }
        stats.mean = (sum / (stats.plays as u64).max(1)) as u32;
        stats
    }

    /// Compares two runs, story by story.
    pub fn ranked(&self, other: &Self) -> Ranking {
        let mut rewards: SortedMap<(&str, &str), (u32, u32)> = SortedMap::new();
        for it in &self.plays {
            rewards.entry((&it.file, &it.name)).or_default().0 = it.reward;
        }
        for it in &other.plays {
            rewards.entry((&it.file, &it.name)).or_default().1 = it.reward;
        }
        let mut ranking = Ranking::default();
        for ((file, name), (first, second)) in rewards {
            ranking.sums.0 += u64::from(first);
            ranking.sums.1 += u64::from(second);
            match first.cmp(&second) {
                std::cmp::Ordering::Greater => ranking.first.push(format!("{file}: {name}")),
                std::cmp::Ordering::Less => ranking.second.push(format!("{file}: {name}")),
                std::cmp::Ordering::Equal => ranking.same += 1,
            }
        }
        ranking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, reward: u32) -> String {
        format!(
            "{{\"version\": 1, \"file\": \"a.toml\", \"name\": \"{name}\", \"passed\": {}, \"reward\": {reward}, \
             \"more\": [], \"score\": {{\"story\": true, \"assertions_passed\": 1, \"assertions\": 2, \
             \"accessibility\": true, \"constraints\": null, \"gates\": {}, \"steps\": 3}}}}\n",
            reward == 1_000,
            reward > 0
        )
    }

    #[test]
    fn statistics_are_those_of_the_plays() {
        let text = [line("a", 1_000), line("b", 500), line("c", 0)].concat();
        let stats = Trajectory::parse(&text).unwrap().stats();
        let expected = TrajectoryStats {
            plays: 3,
            passed: 1,
            mean: 500,
            least: 0,
            most: 1_000,
            accessible: 3,
            with_accessibility: 3,
            closed_gates: 1,
            assertions_passed: 3,
            assertions: 6,
            steps: 9,
        };
        assert_eq!(stats, expected);
        assert_eq!(Trajectory::parse("").unwrap().stats(), TrajectoryStats::default());
    }

    #[test]
    fn a_run_without_a_story_is_not_better_for_it() {
        let parse = |lines: &[String]| Trajectory::parse(&lines.concat()).unwrap();
        let first = parse(&[line("a", 1_000), line("b", 200)]);
        let second = parse(&[line("a", 1_000)]);
        let ranking = first.ranked(&second);
        assert_eq!(ranking.sums, (1_200, 1_000));
        assert_eq!((ranking.first.as_slice(), ranking.same), (&["a.toml: b".to_owned()][..], 1));
        assert_eq!(second.ranked(&first).second, ["a.toml: b"]);
    }

    #[test]
    fn lines_that_are_no_plays_are_named() {
        let fails = |text: String| Trajectory::parse(&text).unwrap_err().to_string();
        let first = line("a", 7);
        assert!(fails(format!("{first}\nno\n")).starts_with("line 3: expected"));
        let again = fails(format!("{first}{first}"));
        assert_eq!(again, "line 2: a second play of `a` of a.toml");
        assert_eq!(fails(line("a", 1_001)), "line 1: the reward 1001 is over 1000");
        let other = first.replace("\"version\": 1", "\"version\": 2");
        assert_eq!(fails(other), "line 1: version 2, not 1");
    }
}
