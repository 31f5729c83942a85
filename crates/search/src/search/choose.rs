//! Choice of lexical candidates from the scores of documents and of their files.

use crate::features::Words;
use crate::index::SearchIndex;
use crate::scratch::max_of;
use crate::top::Top;

/// Weight of file scores in the choice of candidates.
const CHOICE_BY_FILE: f32 = 0.3;

/// Number of scores that are compared at once.
const LANES: usize = 8;

/// The `most` best documents by lexical score, with the score, in document order, so that those of
/// a file are adjacent.
///
/// Most documents are skipped by the maximum of their group: first a threshold is computed that
/// enough documents reach, then only files that may contain such documents are scanned.
/// that so many documents reach, then only those files are looked into where one may.
pub(super) fn best(index: &SearchIndex, words: &Words<'_>, most: usize) -> Vec<(u32, f32)> {
    let scale = 1.0 / words.max_item;
    let items = &words.scratch.items;
    let bonuses = bonuses(words);
    let mut top = Top::new(most);
    if let Some(worth) = reached(index, words, &bonuses, most) {
        top.expect(worth);
    }
    let first = index.first_documents();
    let mut starts = first.slice(0, first.len());
    let mut end = starts.next().unwrap_or(0);
    for (bonus, next) in bonuses.iter().zip(starts) {
        let start = std::mem::replace(&mut end, next);
        // Documents come in order: ties go to the first.
        if items.bound(start, end) * scale + bonus <= top.least() {
            continue;
        }
        for (start, scores) in (start..).step_by(LANES).zip(items.slice(start, end).chunks(LANES)) {
            if max_of(scores) * scale + bonus <= top.least() {
                continue;
            }
            for (document, score) in (start..).zip(scores) {
                let worth = score * scale + bonus;
                if *score > 0.0 && worth > top.least() && !index.is_file(document) {
                    top.push(document, worth);
                }
            }
        }
    }
    let mut best = top.into_best();
    best.sort_unstable_by_key(|(document, _)| *document);
    best
}

/// The bonus that the terms of a file and of its path add to its documents.
fn bonuses(words: &Words<'_>) -> Vec<f32> {
    let (texts, paths) = (words.scratch.files.all(), words.scratch.paths.all());
    let bonus = |(text, path): (&f32, &f32)| {
        CHOICE_BY_FILE * (text / words.max_file + path / words.max_path / 2.0)
    };
    texts.iter().zip(paths).map(bonus).collect()
}

/// A score that at least `most` documents reach: the lowest of those with the best own scores.
/// `None` where too few were found.
fn reached(index: &SearchIndex, words: &Words<'_>, bonuses: &[f32], most: usize) -> Option<f32> {
    let items = &words.scratch.items;
    // The best documents of this many groups reach it.
    let floor = nth_greatest(items.greatest().to_vec(), most).filter(|floor| *floor > 0.0)?;
    let scale = 1.0 / words.max_item;
    let mut worths = Vec::with_capacity(4 * most);
    let files = index.document_files();
    for (start, scores, greatest) in items.groups() {
        if greatest < floor {
            continue;
        }
        for (start, scores) in (start..).step_by(LANES).zip(scores.chunks(LANES)) {
            if max_of(scores) < floor {
                continue;
            }
            for (document, score) in (start..).zip(scores) {
                if *score >= floor && !index.is_file(document) {
                    let file = files.get(document as usize)? as usize;
                    worths.push(score * scale + bonuses.get(file)?);
                }
            }
        }
    }
    nth_greatest(worths, most)
}

/// The n-th greatest number; `None` where there are fewer.
fn nth_greatest(mut numbers: Vec<f32>, most: usize) -> Option<f32> {
    if most == 0 || numbers.len() < most {
        return None;
    }
    Some(*numbers.select_nth_unstable_by(most - 1, |a, b| b.total_cmp(a)).1)
}
