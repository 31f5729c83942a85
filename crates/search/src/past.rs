//! The commit history as a ranking signal: commits with messages similar to the query, files that
//! changed together, files that changed recently. Pure: the caller reads the commits.

use base::SortedMap;

use graph::Map;

use crate::by_number::ByNumber;
use crate::lexical::idf;
use crate::tokenize::tokens;

/// Number of most similar commits that are used.
const MOST_LIKE: usize = 20;
/// Number of commits after which the weight of a change is halved.
const HALF: f32 = 100.0;
/// Parameters of BM25 for messages.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// The last commits, indexed for queries.
///
/// Invariant: files that are not in the map are ignored; the same commits and map give the same
/// results.
#[derive(Clone, Debug, Default)]
pub struct HistoryIndex {
    /// Commits, most recent first.
    commits: Vec<Commit>,
    /// Commits by term of their message, with the term's count; ascending.
    terms: SortedMap<String, Vec<(u32, u32)>>,
    mean: f32,
    /// Commits by file of the map, ascending.
    of_file: ByNumber<Vec<u32>>,
    /// Recency by file of the map, from 0 to 1.
    recent: ByNumber<f32>,
}

#[derive(Clone, Debug, Default)]
struct Commit {
    files: Vec<u32>,
    length: u32,
}

impl HistoryIndex {
    /// Indexes messages and changed paths, most recent commit first.
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

    /// The number of commits.
    pub fn len(&self) -> usize {
        self.commits.len()
    }

    /// Whether there are no commits.
    pub fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }

    fn add(&mut self, message: &str, files: Vec<u32>) {
        let number = self.commits.len() as u32;
        let mut counts: SortedMap<String, u32> = SortedMap::new();
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

    /// How recently and often a file changed, from 0 to 1.
    pub(crate) fn recent(&self, file: u32) -> f32 {
        self.recent.get(file).copied().unwrap_or(0.0)
    }

    /// Score by file from the commits most similar to the query's terms. A commit counts less for
    /// each of its files the more files it has.
    pub(crate) fn like(&self, terms: &[(String, f32)]) -> ByNumber<f32> {
        let mut scores: ByNumber<f32> = ByNumber::default();
        for (term, weight) in terms {
            let Some(list) = self.terms.get(term) else { continue };
            let term_weight = weight * idf(self.commits.len() as u32, list.len() as u32);
            for (number, count) in list {
                let Some(commit) = self.commits.get(*number as usize) else { continue };
                let (count, length) = (*count as f32, commit.length as f32);
                let norm = K1 * (1.0 - B + B * length / self.mean);
                *scores.entry(*number, || 0.0) += term_weight * count * (K1 + 1.0) / (count + norm);
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

    /// Score by file for changing together with the given weighted files. A commit of many files
    /// counts less for each, and a file that changes often is less related to any one.
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

/// The history's scores for one query.
#[derive(Debug, Default)]
pub(crate) struct HistoryScores<'a> {
    pub(crate) past: Option<&'a HistoryIndex>,
    pub(crate) like: ByNumber<f32>,
    pub(crate) together: ByNumber<f32>,
}

impl<'a> HistoryScores<'a> {
    /// The scores for these weighted terms.
    pub(crate) fn of(past: Option<&'a HistoryIndex>, terms: &[(String, f32)]) -> Self {
        let Some(past) = past.filter(|past| !past.is_empty()) else { return Self::default() };
        Self { past: Some(past), like: past.like(terms), together: ByNumber::default() }
    }

    /// Adds scores for the files that rank high: file of the map and its greatest score, best
    /// first.
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
