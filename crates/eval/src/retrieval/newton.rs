//! Fits the linear scorer: the probability that a candidate is the target is the soft-max of its
//! score over all candidates of the query; Newton steps find the weights that make the targets of the
//! training queries most probable, so that the same suites give the same weights.

use base::SortedMap;

use serde::Serialize;

use super::fit::Example;

/// Parameters of fitting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Recipe {
    /// Penalty for leaving the start.
    pub(super) pull: f32,
    /// Whether manually set weights are the start; else all weights start from 0.
    pub(super) from_manual: bool,
    /// Features that move scores less than this share of what the strongest moves are left out.
    pub(super) floor: f32,
}

/// The recipe where none is chosen.
pub(super) const RECIPE: Recipe = Recipe { pull: 0.003, from_manual: true, floor: 0.0 };
/// Factor of the weights while fitting, which makes the scores of candidates differ enough.
const SHARPNESS: f64 = 8.0;
/// Maximum number of Newton steps, and the gain of a step after which no other follows.
const STEPS: usize = 20;
const GAIN: f64 = 1e-6;
/// Candidates less probable than this do not change the curvature.
const RARE: f64 = 1e-6;

/// Fits weights to the examples, with equal weights for all groups. `start` are the manually set
/// weights.
pub(super) fn fit(examples: &[&Example], start: &[f32], recipe: Recipe) -> Vec<f32> {
    let factor = if recipe.from_manual { 1.0 } else { 0.0 };
    let start: Vec<f32> = start.iter().map(|weight| weight * factor).collect();
    let mut problem = Problem::new(examples, &start, recipe.pull);
    let weights = problem.solve(problem.start.clone());
    if recipe.floor <= 0.0 {
        return scaled(&weights);
    }
    let moved: Vec<f64> =
        spreads(examples, start.len()).iter().zip(&weights).map(|(s, w)| s * w.abs()).collect();
    let least = f64::from(recipe.floor) * moved.iter().copied().fold(0.0, f64::max);
    // Rare features, such as a mentioned line, are set manually and stay.
    let is_kept = |at: usize| moved[at] >= least || problem.start[at] != 0.0 && moved[at] == 0.0;
    problem.free = (0..moved.len()).map(is_kept).collect();
    let first = (0..moved.len()).map(|at| if problem.free[at] { weights[at] } else { 0.0 });
    let first = first.collect();
    scaled(&problem.solve(first))
}

fn scaled(weights: &[f64]) -> Vec<f32> {
    weights.iter().map(|weight| (weight / SHARPNESS) as f32).collect()
}

/// The standard deviation of each feature within a query, as the mean over queries.
fn spreads(examples: &[&Example], features: usize) -> Vec<f64> {
    let mut sums = vec![0.0; features];
    for example in examples.iter().filter(|example| !example.rows.is_empty()) {
        let count = example.rows.len() as f64;
        for (at, sum) in sums.iter_mut().enumerate() {
            let values = || example.rows.iter().map(|row| f64::from(row[at]));
            let mean = values().sum::<f64>() / count;
            *sum += (values().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
        }
    }
    sums
}

/// The mean loss of each group with targets: minus the logarithm of their probability.
pub(super) fn loss(examples: &[&Example], weights: &[f32]) -> f64 {
    let problem = Problem::new(examples, weights, 0.0);
    problem.loss(&problem.start)
}

/// Weighted examples with targets, and the penalty.
struct Problem<'e> {
    /// Examples with their share of the loss.
    examples: Vec<(&'e Example, f64)>,
    start: Vec<f64>,
    pull: f64,
    /// Features that are fitted; the others stay as they are.
    free: Vec<bool>,
}

impl<'e> Problem<'e> {
    fn new(examples: &[&'e Example], start: &[f32], pull: f32) -> Self {
        let has_target = |example: &&&Example| example.hits.iter().any(|hits| !hits.is_empty());
        let mut sizes: SortedMap<(&str, &str), usize> = SortedMap::new();
        for example in examples.iter().filter(has_target) {
            *sizes.entry((&example.group, example.variant)).or_default() += 1;
        }
        let groups = sizes.len().max(1) as f64;
        let share = |example: &Example| {
            let size = sizes.get(&(example.group.as_str(), example.variant)).copied();
            1.0 / (groups * size.unwrap_or(1) as f64)
        };
        Self {
            examples: examples.iter().filter(has_target).map(|it| (*it, share(it))).collect(),
            start: start.iter().map(|weight| f64::from(*weight) * SHARPNESS).collect(),
            pull: f64::from(pull),
            free: vec![true; start.len()],
        }
    }

    /// Newton steps from `weights`, each halved until the loss falls.
    fn solve(&self, mut weights: Vec<f64>) -> Vec<f64> {
        let mut loss = self.loss(&weights);
        for _ in 0..STEPS {
            let (gradient, curvature) = self.slopes(&weights);
            let Some(step) = solve_linear(curvature, gradient) else { break };
            let mut length = 1.0;
            let (next, lower) = loop {
                let next: Vec<f64> = weights
                    .iter()
                    .zip(&step)
                    .map(|(weight, step)| weight - length * step)
                    .collect();
                let lower = self.loss(&next);
                if lower <= loss || length < 1e-3 {
                    break (next, lower);
                }
                length /= 2.0;
            };
            let gain = loss - lower;
            if gain > 0.0 {
                (weights, loss) = (next, lower);
            }
            if gain < GAIN {
                break;
            }
        }
        weights
    }

    fn loss(&self, weights: &[f64]) -> f64 {
        let away: f64 =
            weights.iter().zip(&self.start).map(|(own, start)| (own - start).powi(2)).sum();
        let of = |(example, share): &(&Example, f64)| {
            let (parts, log) = probabilities(example, weights);
            let gold = example.hits.iter().zip(&parts).filter(|(hits, _)| !hits.is_empty());
            let (sum, count) =
                gold.fold((0.0, 0.0), |(sum, count), (_, (score, _))| (sum + score, count + 1.0));
            share * (log - sum / count)
        };
        self.pull * away / 2.0 + self.examples.iter().map(of).sum::<f64>()
    }

    /// The gradient, and the second derivatives row by row.
    fn slopes(&self, weights: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = weights.len();
        let mut gradient: Vec<f64> =
            weights.iter().zip(&self.start).map(|(own, start)| self.pull * (own - start)).collect();
        let mut curvature = vec![vec![0.0; size]; size];
        for (example, share) in &self.examples {
            let (parts, _) = probabilities(example, weights);
            let gold = example.hits.iter().filter(|hits| !hits.is_empty()).count() as f64;
            let mut mean = vec![0.0; size];
            for ((row, hits), (_, part)) in example.rows.iter().zip(&example.hits).zip(&parts) {
                if hits.is_empty() && *part < RARE {
                    continue;
                }
                let wanted = if hits.is_empty() { 0.0 } else { 1.0 / gold };
                let used: Vec<(usize, f64)> = row
                    .iter()
                    .enumerate()
                    .filter(|(_, value)| **value != 0.0)
                    .map(|(at, value)| (at, f64::from(*value)))
                    .collect();
                for (n, (at, value)) in used.iter().enumerate() {
                    gradient[*at] += share * (part - wanted) * value;
                    mean[*at] += part * value;
                    let by = share * part * value;
                    used[..=n]
                        .iter()
                        .for_each(|(other, value)| curvature[*at][*other] += by * value);
                }
            }
            for at in 0..size {
                (0..=at).for_each(|other| curvature[at][other] -= share * mean[at] * mean[other]);
            }
        }
        for at in 0..size {
            curvature[at][at] += self.pull + 1e-9;
            if !self.free[at] {
                gradient[at] = 0.0;
                (0..size).for_each(|other| curvature[at.max(other)][at.min(other)] = 0.0);
                curvature[at][at] = 1.0;
            }
        }
        (gradient, curvature)
    }
}

/// Score and probability of each candidate, and the logarithm of the sum of all.
fn probabilities(example: &Example, weights: &[f64]) -> (Vec<(f64, f64)>, f64) {
    let sum = |row: &Vec<f32>| -> f64 {
        row.iter().zip(weights).map(|(value, weight)| f64::from(*value) * weight).sum()
    };
    let sums: Vec<f64> = example.rows.iter().map(sum).collect();
    let max = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = sums.iter().map(|sum| (sum - max).exp()).collect();
    let all: f64 = parts.iter().sum();
    (sums.into_iter().zip(parts).map(|(sum, part)| (sum, part / all)).collect(), max + all.ln())
}

/// Solves a symmetric positive definite system, of which the lower triangle is given (Cholesky).
fn solve_linear(mut lower: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for at in 0..size {
        for below in at..size {
            let sum: f64 = (0..at).map(|n| lower[at][n] * lower[below][n]).sum();
            let left = lower[below][at] - sum;
            lower[below][at] = match below == at {
                true if left > 0.0 => left.sqrt(),
                true => return None,
                false => left / lower[at][at],
            };
        }
        let sum: f64 = (0..at).map(|n| lower[at][n] * right[n]).sum();
        right[at] = (right[at] - sum) / lower[at][at];
    }
    for at in (0..size).rev() {
        let sum: f64 = (at + 1..size).map(|n| lower[n][at] * right[n]).sum();
        right[at] = (right[at] - sum) / lower[at][at];
    }
    Some(right)
}
