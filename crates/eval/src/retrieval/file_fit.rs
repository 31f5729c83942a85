//! The part of `eval fit` for questions about files.

use base::{Ctx, SortedMap, SortedSet};
use code::{Finder, SearchRequest, SearchUnit};
use search::Weights;

use super::cases::FileQuestion;
use super::fit::{ByGroup, Example, FileWeights, group_metrics, means};
use super::nested::differences;
use super::newton::{RECIPE, fit};
use super::ranker::{CANDIDATES, FittedWeights};
use crate::EvalError;

/// The class of questions that are a name or path.
const NAME: &str = "name";
/// Weight of the feature that a file defines what the query names.
const DEFINES: &str = "files.defines";

/// The weights of the features of files, as lines, and their quality.
pub(super) fn weights(examples: &[&Example], start: &Weights) -> (String, FittedWeights) {
    let names: Vec<String> =
        search::file_features().map(|it| format!("files.{}", it.name)).collect();
    let from: Vec<f32> = names.iter().map(|name| start.get(name)).collect();
    let files = FileWeights::of(start);
    let metrics = |weights: &[f32]| group_metrics(examples, &|_| weights.to_vec(), files);
    let before = metrics(&from);
    let groups: SortedSet<&String> = examples.iter().map(|it| &it.group).collect();
    let mut without: SortedMap<&str, Vec<f32>> = SortedMap::new();
    for group in groups {
        let others: Vec<&Example> =
            examples.iter().filter(|it| it.group != *group).copied().collect();
        without.insert(group, fit(&others, &from, RECIPE));
    }
    // The definition of a name comes first: a rule, whatever the fit gives for what follows it.
    let rule = |mut weights: Vec<f32>| {
        let is_of_names = examples.iter().all(|it| it.variant == NAME);
        if let Some(at) = names.iter().position(|it| is_of_names && it == DEFINES) {
            weights[at] = weights[at].max(1.0);
        }
        weights
    };
    without.values_mut().for_each(|weights| *weights = rule(std::mem::take(weights)));
    let own = |example: &Example| without.get(example.group.as_str()).cloned().unwrap_or_default();
    let left_out: ByGroup = group_metrics(examples, &own, files);
    let weights = rule(fit(examples, &from, RECIPE));
    let after = metrics(&weights);
    let mut ablations = SortedMap::new();
    for at in 0..names.len() {
        let mut left = weights.clone();
        left[at] = 0.0;
        ablations.insert(names[at].clone(), differences(&after, &metrics(&left)));
    }
    let line =
        |(name, weight): (&String, &f32)| format!("{name} = {}\n", (weight * 1e3).round() / 1e3);
    let text = names.iter().zip(&weights).map(line).collect();
    let report = FittedWeights {
        queries: examples.len(),
        before: means(&before),
        left_out: means(&left_out),
        after: means(&after),
        recipes: vec![(format!("{RECIPE:?}"), without.len())],
        compared: SortedMap::from([("manual weights".to_owned(), differences(&before, &left_out))]),
        without: ablations,
    };
    (text, report)
}

/// The candidate files of a question; the example's group is the crate, its variant the class of the
/// question's text: `name`, `question` or `text`.
pub(super) fn example(
    ctx: &Ctx,
    finder: &Finder<'_>,
    case: &FileQuestion,
) -> Result<Example, EvalError> {
    let request = SearchRequest {
        by: SearchUnit::File,
        explain: true,
        ..SearchRequest::new(&case.question, CANDIDATES)
    };
    let answer = finder.answer(ctx, &request)?;
    let map = finder.map();
    let path = |file: u32| map.file(file).map_or("", |file| file.path).to_owned();
    let row = |hit: &search::FileHit| -> Vec<f32> {
        search::file_features().map(|it| hit.scores.get(it.name).copied().unwrap_or(0.0)).collect()
    };
    let variant = match answer.kind {
        search::QueryKind::Symbol => NAME,
        search::QueryKind::Question => "question",
        _ => "text",
    };
    let names: Vec<String> = answer.files.iter().map(|hit| path(hit.file)).collect();
    let gold = |name: &String| case.files.iter().position(|gold| gold == name);
    Ok(Example {
        id: case.id.clone(),
        group: case.package(),
        variant,
        rows: answer.files.iter().map(row).collect(),
        hits: names.iter().map(|name| gold(name).into_iter().collect()).collect(),
        names,
        targets: case.files.len(),
        ..Example::default()
    })
}
