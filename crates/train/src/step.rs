//! The loss of one batch and its gradients: symmetric InfoNCE over sums of term vectors. Start at
//! [`gradients`].

use crate::math::{add, dot, each_row};
use crate::{Bag, TrainSettings};

/// The queries or the documents of a batch: their bags, their normalised vectors, and the lengths
/// before normalisation.
pub(crate) struct EncodedTexts {
    pub(crate) bags: Vec<Bag>,
    units: Vec<f32>,
    lengths: Vec<f32>,
}

impl EncodedTexts {
    /// Sums the table rows of each bag and normalises the sum.
    pub(crate) fn new(bags: Vec<Bag>, rows: &[f32], settings: &TrainSettings) -> Self {
        let width = settings.dims;
        let mut units = vec![0.0; bags.len() * width];
        each_row(&mut units, width, settings.threads, &|at, sum| {
            for (term, weight) in &bags[at] {
                let start = *term as usize * width;
                add(sum, *weight, &rows[start..start + width]);
            }
        });
        let mut lengths = Vec::with_capacity(bags.len());
        for unit in units.chunks_mut(width) {
            let length = dot(unit, unit).sqrt().max(1e-6);
            unit.iter_mut().for_each(|value| *value /= length);
            lengths.push(length);
        }
        Self { bags, units, lengths }
    }

    fn unit(&self, at: usize, width: usize) -> &[f32] {
        &self.units[at * width..(at + 1) * width]
    }
}

/// The loss of a batch and its gradients with respect to the unnormalised vector of each text.
pub(crate) struct Gradients {
    pub(crate) loss: f32,
    pub(crate) queries: Vec<f32>,
    pub(crate) documents: Vec<f32>,
}

/// Symmetric InfoNCE: queries against the documents of the batch and documents against its queries.
/// Equal texts are not negatives of each other.
pub(crate) fn gradients(
    queries: &EncodedTexts,
    documents: &EncodedTexts,
    settings: &TrainSettings,
) -> Gradients {
    let (width, threads, temperature) = (settings.dims, settings.threads, settings.temperature);
    let count = queries.bags.len();
    let is_masked = |a: usize, b: usize| {
        a != b && (queries.bags[a] == queries.bags[b] || documents.bags[a] == documents.bags[b])
    };
    // One row per query, one column per document.
    let mut scores = vec![0.0; count * count];
    each_row(&mut scores, count, threads, &|at, row| {
        for (other, score) in row.iter_mut().enumerate() {
            *score = if is_masked(at, other) {
                f32::NEG_INFINITY
            } else {
                dot(queries.unit(at, width), documents.unit(other, width)) / temperature
            };
        }
    });
    let mut transposed = vec![0.0; count * count];
    each_row(&mut transposed, count, threads, &|at, row| {
        for (other, score) in row.iter_mut().enumerate() {
            *score = scores[other * count + at];
        }
    });
    each_row(&mut scores, count, threads, &|_, row| soft_max(row));
    each_row(&mut transposed, count, threads, &|_, row| soft_max(row));
    let mut loss = 0.0;
    for at in 0..count {
        let own = at * count + at;
        loss -= (scores[own].max(1e-12).ln() + transposed[own].max(1e-12).ln()) / 2.0;
    }
    // The derivative of the loss with respect to a score, times temperature and batch size.
    let slope = |query: usize, document: usize| {
        let both = scores[query * count + document] + transposed[document * count + query];
        both / 2.0 - f32::from(u8::from(query == document))
    };
    let factor = 1.0 / (temperature * count as f32);
    let gradient =
        |own: &EncodedTexts, other: &EncodedTexts, slope: &(dyn Fn(usize, usize) -> f32 + Sync)| {
            let mut change = vec![0.0; count * width];
            each_row(&mut change, width, threads, &|at, row| {
                for idx in 0..count {
                    let slope = slope(at, idx);
                    // Most derivatives are below this and have no visible effect; skipping saves time.
                    if slope.abs() > 1e-6 {
                        add(row, slope * factor, other.unit(idx, width));
                    }
                }
                // Normalisation removes the component along the vector.
                let unit = own.unit(at, width);
                let along = dot(row, unit);
                add(row, -along, unit);
                row.iter_mut().for_each(|value| *value /= own.lengths[at]);
            });
            change
        };
    Gradients {
        loss: loss / count.max(1) as f32,
        queries: gradient(queries, documents, &slope),
        documents: gradient(documents, queries, &|document, query| slope(query, document)),
    }
}

fn soft_max(row: &mut [f32]) {
    let most = row.iter().fold(f32::NEG_INFINITY, |most, value| most.max(*value));
    let mut sum = 0.0;
    for value in row.iter_mut() {
        *value = (*value - most).exp();
        sum += *value;
    }
    row.iter_mut().for_each(|value| *value /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_agree_with_finite_differences() {
        let settings =
            TrainSettings { dims: 3, threads: 2, temperature: 0.5, ..TrainSettings::default() };
        let mut rng = crate::math::Rng::new(3);
        let rows: Vec<f32> = (0..15).map(|_| rng.normal()).collect();
        let queries = [vec![(0, 1.0), (1, 0.5)], vec![(2, 1.0)], vec![(2, 1.0)], vec![(3, 2.0)]];
        let documents = [vec![(1, 1.0)], vec![(2, 1.0), (4, 1.0)], vec![(0, 1.0)], vec![(4, 1.0)]];
        let sides = |rows: &[f32]| {
            let side = |bags: &[Bag]| EncodedTexts::new(bags.to_vec(), rows, &settings);
            (side(&queries), side(&documents))
        };
        let (left, right) = sides(&rows);
        let found = gradients(&left, &right, &settings);
        let mut slopes = vec![0.0; rows.len()];
        for (bags, changes) in [(&queries, &found.queries), (&documents, &found.documents)] {
            for (bag, change) in bags.iter().zip(changes.chunks(3)) {
                for (term, weight) in bag {
                    add(&mut slopes[*term as usize * 3..][..3], *weight, change);
                }
            }
        }
        for at in 0..rows.len() {
            let loss = |by: f32| {
                let mut rows = rows.clone();
                rows[at] += by;
                let (left, right) = sides(&rows);
                gradients(&left, &right, &settings).loss
            };
            let numeric = (loss(1e-2) - loss(-1e-2)) / 2e-2;
            assert!((numeric - slopes[at]).abs() < 2e-3, "{at}: {numeric} and {}", slopes[at]);
        }
    }
}
