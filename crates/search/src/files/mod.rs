//! File ranking. Candidates are the files of the candidate items and those with the best texts and
//! paths; each gets a score by a linear scorer over the features of [`features`], with weights named
//! `files.…` by kind of query.
//!
//! What a file defines counts more than what it mentions: `items` sums `exp(score / T)` over the
//! candidates of a file, so that several good items count more than one, and one excellent item more
//! than many poor ones.

mod features;
mod phrase;

use base::SortedMap;

use crate::answer::FileHit;
use crate::by_number::ByNumber;
use crate::features::{Context, Feature, FeatureGroup};
use crate::index::SearchIndex;
use crate::pack::Texts;
use crate::query::{Query, QueryKind};
use crate::top::Top;
use crate::weights::Weights;

use self::features::{FILE_FEATURES, Field, OfFile, PHRASE};
use self::phrase::Phrase;

/// Number of files that become candidates because of their text, and because of their path.
const MOST_BY_WORDS: usize = 64;
/// Number of files whose texts are read for words in sequence.
const MOST_READ: usize = 12;

/// A candidate item as the file ranking sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked {
    /// Document in the index.
    pub(crate) document: u32,
    /// File index in the search index.
    pub(crate) file: u32,
    /// Score of the item.
    pub(crate) score: f32,
}

/// The features of files. Answers with explanations name them so, weights with `files.` before it.
pub fn file_features() -> impl ExactSizeIterator<Item = Feature> {
    FILE_FEATURES.iter().map(|feature| Feature {
        name: feature.name(),
        meaning: feature.meaning,
        part: FeatureGroup::Files,
    })
}

/// Whether a weight of this name exists.
pub(crate) fn is_weighted(name: &str) -> bool {
    name == TEMPERATURE || FILE_FEATURES.iter().any(|feature| feature.weight == name)
}

/// The weight that is not one of a feature: how much less a worse item of a file counts.
const TEMPERATURE: &str = "files.temperature";

/// The `most` best files. With `texts`, those of the best are searched for words in sequence.
pub(crate) fn rank(
    context: &Context<'_>,
    (query, texts): (&Query, Option<&dyn Texts>),
    weights: &Weights,
    candidates: &[Ranked],
) -> Vec<FileHit> {
    let (has_words, most, explain) = (query.stages.files, query.k, query.explain);
    let temperature = weights.get(TEMPERATURE).max(0.01);
    let mut of_files = collect(context, has_words, candidates, temperature);
    let used: Vec<(usize, f32)> = FILE_FEATURES
        .iter()
        .enumerate()
        .map(|(at, feature)| (at, weights.get(feature.weight)))
        .filter(|(_, weight)| *weight != 0.0)
        .collect();
    let field = Field::new(context, has_words);
    // A path or glob means its files, if there are any.
    let is_path = context.analysis.kind == QueryKind::Path && !context.placed.files().is_empty();
    let best = |of_files: &ByNumber<OfFile>, most: usize| {
        let mut top = Top::new(most);
        let is_left_out = |file| is_path && field.is_placed(file) == 0.0;
        for (file, own) in of_files.iter().filter(|(file, _)| !is_left_out(*file)) {
            let value = |at: usize| (FILE_FEATURES[at].value)(&field, file, own);
            top.push(file, used.iter().map(|(at, weight)| weight * value(*at)).sum());
        }
        top
    };
    let texts = texts.filter(|_| explain || weights.get(PHRASE) != 0.0);
    if let Some((texts, phrase)) = texts.and_then(|it| Some((it, Phrase::of(&query.text)?))) {
        for (file, _) in best(&of_files, MOST_READ).into_sorted() {
            let number = context.index.files().get(file as usize);
            let text = number.and_then(|number| texts.text(number));
            of_files.entry(file, OfFile::default).phrase =
                text.map_or(0.0, |text| phrase.share(&text));
        }
    }
    let top = best(&of_files, most);
    let shown = |at: &usize| explain || FILE_FEATURES[*at].is_always_shown;
    let shown: Vec<usize> = (0..FILE_FEATURES.len()).filter(shown).collect();
    let hit = |(at, (file, score)): (usize, (u32, f32))| {
        let own = of_files.get(file)?;
        let name = |at: usize| FILE_FEATURES[at].name();
        let value = |at: usize| (FILE_FEATURES[at].value)(&field, file, own);
        let scores: SortedMap<_, _> = shown.iter().map(|at| (name(*at), value(*at))).collect();
        let file = context.index.files().get(file as usize)?;
        Some(FileHit { file, rank: at + 1, score, scores })
    };
    top.into_sorted().into_iter().enumerate().filter_map(hit).collect()
}

/// The candidate files with what is known of their items.
fn collect(
    context: &Context<'_>,
    has_words: bool,
    candidates: &[Ranked],
    temperature: f32,
) -> ByNumber<OfFile> {
    let max = candidates.iter().fold(f32::MIN_POSITIVE, |max, it| max.max(it.score));
    let mut files: ByNumber<OfFile> = ByNumber::default();
    for it in candidates {
        let near = (it.score.max(0.0) / max - 1.0) / temperature;
        let own = files.entry(it.file, OfFile::default);
        own.items += near.exp();
        own.best = own.best.max(it.score / max);
        own.add(context, it.document);
    }
    let best = files.iter().fold(f32::MIN_POSITIVE, |max, (_, own)| max.max(own.items));
    for own in files.values_mut().filter(|own| own.items > 0.0) {
        // The logarithm maps the sum to the scale of scores.
        own.items = (1.0 + temperature * (own.items / best).ln()).max(0.0);
    }
    if has_words {
        let scratch = context.words.scratch;
        for scores in [&scratch.files, &scratch.paths] {
            let mut top = Top::new(MOST_BY_WORDS);
            for (start, scores, greatest) in scores.groups() {
                // Most files are below the threshold.
                if greatest <= top.least() {
                    continue;
                }
                for (file, score) in (start..).zip(scores).filter(|(_, score)| **score > 0.0) {
                    top.push(file, *score);
                }
            }
            for (file, _) in top.into_best() {
                files.entry(file, OfFile::default);
            }
        }
    }
    for (document, _) in context.named.all() {
        if let Some(file) = context.index.file_of(document) {
            files.entry(file, OfFile::default).add(context, document);
        }
    }
    let named = files.iter().fold(f32::MIN_POSITIVE, |max, (_, own)| max.max(own.defines));
    files.values_mut().for_each(|own| own.defines /= named);
    let placed = context.placed.files().iter();
    for file in placed.filter_map(|number| context.index.place_of(*number)) {
        files.entry(file, OfFile::default);
    }
    files
}

/// The document of the file itself: its doc comment and the names in it.
fn intro(index: &SearchIndex, file: u32) -> Option<u32> {
    let first = index.first_documents().get(file as usize)?;
    (index.is_file(first) && index.file_of(first) == Some(file)).then_some(first)
}
