//! Figures of queries that nothing was chosen on: each group is left out in turn, recipe and weights
//! come from the others, where the recipe is chosen by leaving out one more. Differences between two
//! rankings of the same queries have an interval by bootstrap over groups.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::{SortedMap, SortedSet};
use serde::Serialize;

use super::fit::{ByGroup, Example, FileWeights, group_metrics};
use super::newton::{Recipe, fit, loss};

/// The recipes to choose among: start, penalty, and which features are left out.
fn recipes() -> Vec<Recipe> {
    let mut all = Vec::new();
    for from_manual in [true, false] {
        for pull in [0.003, 0.03] {
            for floor in [0.0, 0.03] {
                all.push(Recipe { pull, from_manual, floor });
            }
        }
    }
    all
}

/// What leaving out gives.
pub(super) struct Nested {
    /// Metrics of each group with recipe and weights from the others.
    pub(super) metrics: ByGroup,
    /// For each group, weights from the others.
    pub(super) weights: SortedMap<String, (Vec<f32>, FileWeights)>,
    /// How many groups each recipe was chosen for.
    pub(super) chosen: Vec<(Recipe, usize)>,
    /// The recipe for all groups: that with the least loss on what was left out once.
    pub(super) recipe: Recipe,
}

/// Maximum number of groups that are left out one by one; more are left out in `FOLDS` parts.
const MAX_FOLDS: usize = 12;
const FOLDS: usize = 4;

/// Leaves out each group, or each part of them where there are many.
pub(super) fn nested(
    examples: &[&Example],
    start: &[f32],
    files: FileWeights,
    jobs: usize,
) -> Nested {
    let groups: SortedSet<&str> = examples.iter().map(|it| it.group.as_str()).collect();
    let folds = if groups.len() > MAX_FOLDS { FOLDS } else { groups.len() };
    let fold_of: SortedMap<&str, usize> =
        groups.iter().enumerate().map(|(at, group)| (*group, at % folds.max(1))).collect();
    let fold = |example: &Example| fold_of.get(example.group.as_str()).copied().unwrap_or(0);
    let recipes = recipes();
    let losses = losses(examples, start, &recipes, folds, &fold, jobs);
    let best = |of: &dyn Fn(usize) -> f64| {
        (0..recipes.len()).min_by(|a, b| of(*a).total_cmp(&of(*b))).unwrap_or(0)
    };
    let choose = |out: usize| {
        let others = || (0..folds).filter(move |it| *it != out);
        (out, best(&|recipe| others().map(|it| losses[recipe][out][it]).sum()))
    };
    let outer: Vec<(usize, usize)> = (0..folds).map(choose).collect();
    let mut counts = vec![0; recipes.len()];
    for (out, chosen) in &outer {
        counts[*chosen] += fold_of.values().filter(|fold| *fold == out).count();
    }
    let fitted = side_by_side(&outer, jobs, &|(out, chosen)| {
        let others: Vec<&Example> =
            examples.iter().filter(|it| fold(it) != *out).copied().collect();
        let weights = fit(&others, start, recipes[*chosen]);
        let files = FileWeights::best(&others, &|_| weights.clone(), files);
        (weights, files)
    });
    let mut metrics = ByGroup::new();
    let mut weights = SortedMap::new();
    for (out, (own, files)) in fitted.into_iter().enumerate() {
        let left_out: Vec<&Example> =
            examples.iter().filter(|it| fold(it) == out).copied().collect();
        merge(&mut metrics, group_metrics(&left_out, &|_| own.clone(), files));
        for group in groups.iter().filter(|group| fold_of[**group] == out) {
            weights.insert((*group).to_owned(), (own.clone(), files));
        }
    }
    let all = best(&|recipe| (0..folds).map(|it| losses[recipe][it][it]).sum());
    let recipe = recipes.get(all).copied().unwrap_or(super::newton::RECIPE);
    let chosen = recipes.iter().copied().zip(counts).filter(|(_, count)| *count > 0).collect();
    Nested { metrics, weights, chosen, recipe }
}

/// The loss on fold `b` of weights fitted without the folds `a` and `b`, by recipe, `a` and `b`.
fn losses(
    examples: &[&Example],
    start: &[f32],
    recipes: &[Recipe],
    folds: usize,
    fold: &(dyn Fn(&Example) -> usize + Sync),
    jobs: usize,
) -> Vec<Vec<Vec<f64>>> {
    let mut tasks = Vec::new();
    for recipe in 0..recipes.len() {
        for a in 0..folds {
            tasks.extend((a..folds).map(|b| (recipe, a, b)));
        }
    }
    let found = side_by_side(&tasks, jobs, &|(recipe, a, b)| {
        let others: Vec<&Example> =
            examples.iter().filter(|it| ![*a, *b].contains(&fold(it))).copied().collect();
        let weights = fit(&others, start, recipes[*recipe]);
        [a, b].map(|fold_number| {
            let own: Vec<&Example> =
                examples.iter().filter(|it| fold(it) == *fold_number).copied().collect();
            loss(&own, &weights)
        })
    });
    let mut losses = vec![vec![vec![0.0; folds]; folds]; recipes.len()];
    for ((recipe, a, b), [of_a, of_b]) in tasks.into_iter().zip(found) {
        losses[recipe][a][b] = of_b;
        losses[recipe][b][a] = of_a;
    }
    losses
}

/// The results of `work` in order, computed by several threads.
fn side_by_side<T: Sync, R: Send>(
    tasks: &[T],
    jobs: usize,
    work: &(dyn Fn(&T) -> R + Sync),
) -> Vec<R> {
    let slots: Vec<Mutex<Option<R>>> = tasks.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, tasks.len().max(1)) {
            scope.spawn(|| {
                while let Some((slot, task)) = {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    slots.get(at).zip(tasks.get(at))
                } {
                    *base::lock(slot) = Some(work(task));
                }
            });
        }
    });
    slots.iter().filter_map(|slot| base::lock(slot).take()).collect()
}

/// Adds the groups of one set of metrics to another.
pub(super) fn merge(to: &mut ByGroup, from: ByGroup) {
    for (name, values) in from {
        to.entry(name).or_default().extend(values);
    }
}

/// A difference between two means over groups, with the interval in which 95 % of the means over
/// groups drawn at random lie.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanDifference {
    /// The difference.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Number of draws of the bootstrap.
const DRAWS: usize = 4000;

/// What `after` has more than `before`, by metric; the groups are those of both.
pub(super) fn differences(before: &ByGroup, after: &ByGroup) -> SortedMap<String, MeanDifference> {
    let of = |(name, before): (&String, &SortedMap<String, f64>)| {
        let after = after.get(name)?;
        let own = before.iter().filter_map(|(group, value)| Some(after.get(group)? - value));
        Some((name.clone(), difference(&own.collect::<Vec<f64>>())?))
    };
    before.iter().filter_map(of).collect()
}

fn difference(values: &[f64]) -> Option<MeanDifference> {
    let count = values.len();
    if count == 0 {
        return None;
    }
    // A fixed sequence of numbers (splitmix64): the same suites give the same interval.
    let mut state = 0u64;
    let mut draw = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) >> 33) as usize % count
    };
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| (0..count).map(|_| values[draw()]).sum::<f64>() / count as f64)
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    let round = |value: f64| (value * 1e4).round() / 1e4;
    Some(MeanDifference {
        mean: round(values.iter().sum::<f64>() / count as f64),
        low: round(means[DRAWS * 25 / 1000]),
        high: round(means[DRAWS * 975 / 1000 - 1]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_contains_the_mean_and_shrinks_where_groups_agree() {
        let same = difference(&[0.1; 8]).unwrap();
        assert_eq!((same.mean, same.low, same.high), (0.1, 0.1, 0.1));
        let wide = difference(&[0.5, -0.3, 0.1, 0.2, -0.2, 0.3]).unwrap();
        assert!(wide.low < wide.mean && wide.mean < wide.high, "{wide:?}");
        assert!(wide.low < 0.0 && wide.high > 0.0, "{wide:?}");
        assert_eq!(difference(&[]), None);
    }

    #[test]
    fn results_keep_the_order_of_tasks() {
        let tasks: Vec<usize> = (0..50).collect();
        assert_eq!(side_by_side(&tasks, 4, &|n| n * 2), (0..50).map(|n| n * 2).collect::<Vec<_>>());
    }
}
