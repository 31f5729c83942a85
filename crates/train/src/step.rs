use crate::math::{add, dot, each_row};
use crate::{Bag, Settings};

/// One side of a batch: texts, the sums of their rows at length 1, and what the length was.
pub(crate) struct Side {
    pub(crate) bags: Vec<Bag>,
    units: Vec<f32>,
    lengths: Vec<f32>,
}

impl Side {
    /// Adds up the rows of each text.
    pub(crate) fn new(bags: Vec<Bag>, rows: &[f32], settings: &Settings) -> Self {
        let width = settings.dims;
        let mut units = vec![0.0; bags.len() * width];
        each_row(&mut units, width, settings.threads, &|at, sum| {
            for (word, weight) in &bags[at] {
                let start = *word as usize * width;
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

/// What a batch teaches: the loss, and how the sum of each text should change.
pub(crate) struct Lesson {
    pub(crate) loss: f32,
    pub(crate) queries: Vec<f32>,
    pub(crate) documents: Vec<f32>,
}

/// Symmetric InfoNCE: each query should know its document among those of the batch, and each
/// document its query. Equal texts are no negatives of each other.
pub(crate) fn lesson(queries: &Side, documents: &Side, settings: &Settings) -> Lesson {
    let (width, threads, heat) = (settings.dims, settings.threads, settings.temperature);
    let count = queries.bags.len();
    let is_masked = |a: usize, b: usize| {
        a != b && (queries.bags[a] == queries.bags[b] || documents.bags[a] == documents.bags[b])
    };
    // Row by query, column by document.
    let mut scores = vec![0.0; count * count];
    each_row(&mut scores, count, threads, &|at, row| {
        for (other, score) in row.iter_mut().enumerate() {
            *score = if is_masked(at, other) {
                f32::NEG_INFINITY
            } else {
                dot(queries.unit(at, width), documents.unit(other, width)) / heat
            };
        }
    });
    let mut turned = vec![0.0; count * count];
    each_row(&mut turned, count, threads, &|at, row| {
        for (other, score) in row.iter_mut().enumerate() {
            *score = scores[other * count + at];
        }
    });
    each_row(&mut scores, count, threads, &|_, row| soft_max(row));
    each_row(&mut turned, count, threads, &|_, row| soft_max(row));
    let mut loss = 0.0;
    for at in 0..count {
        let own = at * count + at;
        loss -= (scores[own].max(1e-12).ln() + turned[own].max(1e-12).ln()) / 2.0;
    }
    // How the loss changes with each score, times temperature and number of texts.
    let slope = |query: usize, document: usize| {
        let both = scores[query * count + document] + turned[document * count + query];
        both / 2.0 - f32::from(u8::from(query == document))
    };
    let factor = 1.0 / (heat * count as f32);
    let back = |own: &Side, other: &Side, slope: &(dyn Fn(usize, usize) -> f32 + Sync)| {
        let mut change = vec![0.0; count * width];
        each_row(&mut change, width, threads, &|at, row| {
            for idx in 0..count {
                let slope = slope(at, idx);
                // What is below this adds up to nothing that is seen, and most of it is.
                if slope.abs() > 1e-6 {
                    add(row, slope * factor, other.unit(idx, width));
                }
            }
            // Only what is across the vector changes one that is brought to length 1.
            let unit = own.unit(at, width);
            let along = dot(row, unit);
            add(row, -along, unit);
            row.iter_mut().for_each(|value| *value /= own.lengths[at]);
        });
        change
    };
    Lesson {
        loss: loss / count.max(1) as f32,
        queries: back(queries, documents, &slope),
        documents: back(documents, queries, &|document, query| slope(query, document)),
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

    /// The slope of the loss by each number of the table, found by trying.
    #[test]
    fn changes_point_where_the_loss_falls() {
        let settings = Settings { dims: 3, threads: 2, temperature: 0.5, ..Settings::default() };
        let mut chance = crate::math::Chance::new(3);
        let rows: Vec<f32> = (0..15).map(|_| chance.normal()).collect();
        let queries = [vec![(0, 1.0), (1, 0.5)], vec![(2, 1.0)], vec![(2, 1.0)], vec![(3, 2.0)]];
        let documents = [vec![(1, 1.0)], vec![(2, 1.0), (4, 1.0)], vec![(0, 1.0)], vec![(4, 1.0)]];
        let sides = |rows: &[f32]| {
            let side = |bags: &[Bag]| Side::new(bags.to_vec(), rows, &settings);
            (side(&queries), side(&documents))
        };
        let (left, right) = sides(&rows);
        let found = lesson(&left, &right, &settings);
        let mut slopes = vec![0.0; rows.len()];
        for (bags, changes) in [(&queries, &found.queries), (&documents, &found.documents)] {
            for (bag, change) in bags.iter().zip(changes.chunks(3)) {
                for (word, weight) in bag {
                    add(&mut slopes[*word as usize * 3..][..3], *weight, change);
                }
            }
        }
        for at in 0..rows.len() {
            let loss = |by: f32| {
                let mut rows = rows.clone();
                rows[at] += by;
                let (left, right) = sides(&rows);
                lesson(&left, &right, &settings).loss
            };
            let tried = (loss(1e-2) - loss(-1e-2)) / 2e-2;
            assert!((tried - slopes[at]).abs() < 2e-3, "{at}: {tried} and {}", slopes[at]);
        }
    }
}
