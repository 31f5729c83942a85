//! What the project's past says of its files: which commits said the like of a query, which files
//! changed together, which changed lately. Pure: whoever reads the commits hands them in.

use std::collections::BTreeMap;

use graph::Map;

use crate::by_number::ByNumber;
use crate::lexical::idf;
use crate::tokenize::tokens;

/// So many commits that are most like a query speak for their files.
const MOST_LIKE: usize = 20;
/// After so many commits a change counts half.
const HALF: f32 = 100.0;
/// Saturation and length normalisation of messages, as of any short texts.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// The last commits, ready to be asked.
///
/// Invariant: files that the map does not have count for nothing; the same commits and map give
/// the same answers.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The last one first.
    commits: Vec<Commit>,
    /// Commits by term: which, and how often the message has it; rising.
    terms: BTreeMap<String, Vec<(u32, u32)>>,
    mean: f32,
    /// Commits by file of the map, rising.
    of_file: ByNumber<Vec<u32>>,
    /// By file of the map: how lately it changed, from 0 to 1.
    recent: ByNumber<f32>,
}

#[derive(Clone, Debug, Default)]
struct Commit {
    files: Vec<u32>,
    length: u32,
}

impl Past {
    /// From messages and the paths that each commit changed, the last commit first.
    pub fn new<'c, P: AsRef<str> + 'c>(
        map: &Map,
        commits: impl IntoIterator<Item = (&'c str, &'c [P])>,
    ) -> Self {
        let mut past = Self::default();
        for (message, paths) in commits {
            let mut files: Vec<u32> =
                paths.iter().filter_map(|path| map.file_by_path(path.as_ref())).collect();
            files.sort_unstable();
            files.dedup();
            if !files.is_empty() {
                past.add(message, files);
            }
        }
        let sum: u64 = past.commits.iter().map(|commit| u64::from(commit.length)).sum();
        past.mean = (sum as f32 / past.commits.len().max(1) as f32).max(1.0);
        let most = past.recent.iter().fold(0.0f32, |most, (_, value)| most.max(*value));
        past.recent.values_mut().for_each(|value| *value /= most.max(f32::MIN_POSITIVE));
        past
    }

    /// How many commits it knows.
    pub fn len(&self) -> usize {
        self.commits.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }

    fn add(&mut self, message: &str, files: Vec<u32>) {
        let number = self.commits.len() as u32;
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        tokens(message, &mut |term| *counts.entry(term.to_owned()).or_default() += 1);
        let length = counts.values().sum();
        for (term, count) in counts {
            self.terms.entry(term).or_default().push((number, count));
        }
        let weight = 0.5f32.powf(number as f32 / HALF);
        for file in &files {
            self.of_file.entry(*file, Vec::new).push(number);
            *self.recent.entry(*file, || 0.0) += weight;
        }
        self.commits.push(Commit { files, length });
    }

    /// How lately and often a file changed, from 0 to 1.
    pub(crate) fn recent(&self, file: u32) -> f32 {
        self.recent.get(file).copied().unwrap_or(0.0)
    }

    /// By file: how much the commits that are most like the query's terms speak for it. A commit of
    /// many files says less of each.
    pub(crate) fn like(&self, terms: &[(String, f32)]) -> ByNumber<f32> {
        let mut scores: ByNumber<f32> = ByNumber::default();
        for (term, weight) in terms {
            let Some(list) = self.terms.get(term) else { continue };
            let tells = weight * idf(self.commits.len() as u32, list.len() as u32);
            for (number, count) in list {
                let Some(commit) = self.commits.get(*number as usize) else { continue };
                let (count, length) = (*count as f32, commit.length as f32);
                let norm = K1 * (1.0 - B + B * length / self.mean);
                *scores.entry(*number, || 0.0) += tells * count * (K1 + 1.0) / (count + norm);
            }
        }
        let mut best: Vec<(u32, f32)> = scores.iter().map(|(n, score)| (n, *score)).collect();
        best.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(MOST_LIKE);
        let mut files: ByNumber<f32> = ByNumber::default();
        for (number, score) in best {
            let Some(commit) = self.commits.get(number as usize) else { continue };
            let share = score / (commit.files.len() as f32).sqrt();
            for file in &commit.files {
                *files.entry(*file, || 0.0) += share;
            }
        }
        files
    }

    /// By file: how much it changes together with some files, each with its weight. A commit of many
    /// files says less of each, and a file that changes often is not bound to one for that.
    pub(crate) fn together(&self, with: &[(u32, f32)]) -> ByNumber<f32> {
        let mut files: ByNumber<f32> = ByNumber::default();
        for (file, weight) in with {
            let Some(own) = self.of_file.get(*file) else { continue };
            let share = weight / own.len() as f32;
            for commit in own.iter().filter_map(|number| self.commits.get(*number as usize)) {
                let others = commit.files.len() as f32 - 1.0;
                for other in commit.files.iter().filter(|other| *other != file) {
                    *files.entry(*other, || 0.0) += share / others;
                }
            }
        }
        files
    }
}

/// What the past says to one query.
#[derive(Debug, Default)]
pub(crate) struct Told<'a> {
    pub(crate) past: Option<&'a Past>,
    pub(crate) like: ByNumber<f32>,
    pub(crate) together: ByNumber<f32>,
}

impl<'a> Told<'a> {
    /// To a query of these terms and their weights.
    pub(crate) fn of(past: Option<&'a Past>, terms: &[(String, f32)]) -> Self {
        let Some(past) = past.filter(|past| !past.is_empty()) else { return Self::default() };
        Self { past: Some(past), like: past.like(terms), together: ByNumber::default() }
    }

    /// Learns which files rank high: by file of the map with its greatest score, best first.
    pub(crate) fn rank(&mut self, files: impl Iterator<Item = (u32, f32)>) {
        let Some(past) = self.past else { return };
        let mut best: ByNumber<f32> = ByNumber::default();
        for (file, score) in files {
            let slot = best.entry(file, || 0.0);
            *slot = slot.max(score);
        }
        let best: Vec<(u32, f32)> = best.iter().map(|(file, score)| (file, *score)).collect();
        self.together = past.together(&best);
    }
}
