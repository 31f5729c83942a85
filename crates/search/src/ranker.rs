use crate::features::{COUNT, features};
use crate::weights::Weights;

/// Scores a candidate by its features.
pub trait Ranker: Send + Sync {
    /// Which one.
    fn name(&self) -> &str;

    /// One number from the values of all [`features`], in their order; greater is better.
    fn score(&self, values: &[f32]) -> f32;
}

/// [`Weights`] in the order of the features: the whole of the scorer is a sum of products.
pub(crate) struct Linear {
    weights: [f32; COUNT],
}

impl Linear {
    /// The sums of all of `count` candidates: by feature their values – none at all where nobody
    /// asked for them – and what these are to be multiplied by.
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

    /// With the weights of those features that `is_on`.
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

/// Whether weights may be set for this name: a feature's, or one of the file ranking's.
pub(crate) fn is_weighted(name: &str) -> bool {
    features().any(|feature| feature.name == name) || crate::files::WEIGHTS.contains(&name)
}
