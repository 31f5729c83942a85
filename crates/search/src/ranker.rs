//! [`Ranker`]: scoring of candidates by their features, and the linear scorer.

use crate::features::COUNT;
use crate::weights::Weights;

/// Scores a candidate from its feature values.
pub trait Ranker: Send + Sync {
    /// The name.
    fn name(&self) -> &str;

    /// The score for the values of all [`crate::features()`], in their order; greater is better.
    fn score(&self, values: &[f32]) -> f32;
}

/// The linear scorer: [`Weights`] in the order of the features. A score is a sum of products.
pub(crate) struct Linear {
    weights: [f32; COUNT],
}

impl Linear {
    /// The scores of `count` candidates from the values by feature (empty where a feature was not
    /// computed) and the scale of each feature.
    pub(crate) fn scores(
        &self,
        count: usize,
        values: &[Vec<f32>],
        scales: &[f32; COUNT],
    ) -> Vec<f32> {
        let mut scores = vec![0.0; count];
        for ((values, scale), weight) in values.iter().zip(scales).zip(&self.weights) {
            if *weight != 0.0 {
                for (score, value) in scores.iter_mut().zip(values) {
                    *score += value * scale * weight;
                }
            }
        }
        scores
    }

    /// A scorer with the weights of the features for which `is_on` is true.
    pub(crate) fn new(weights: &Weights, is_on: impl Fn(usize) -> bool) -> Self {
        let weight = |at: usize| if is_on(at) { weights.of_feature(at) } else { 0.0 };
        Self { weights: std::array::from_fn(weight) }
    }

    pub(crate) fn weight(&self, at: usize) -> f32 {
        self.weights[at]
    }

    pub(crate) fn set(&mut self, at: usize, weight: f32) {
        self.weights[at] = weight;
    }
}
