//! The training loop: mini-batches, symmetric InfoNCE and a sparse Adam optimiser. Start at
//! [`train`].

use search::TableParts;

use crate::batches::batches;
use crate::math::Rng;
use crate::step::{EncodedTexts, gradients};
use crate::{Bag, Dataset, TrainError};

/// The hyperparameters of a training run.
#[derive(Clone, Debug)]
pub struct TrainSettings {
    /// Dimensions of a vector.
    pub dims: usize,
    /// Pairs per batch, which are each other's negatives.
    pub batch: usize,
    /// Consecutive pairs of one crate in a batch.
    pub chunk: usize,
    /// Passes over all pairs.
    pub epochs: usize,
    /// Initial learning rate; it falls linearly to zero.
    pub rate: f32,
    /// Temperature of the soft-max.
    pub temperature: f32,
    /// Share of a query's terms that are dropped at random.
    pub dropout: f32,
    /// Fewest pairs that contain a term of the table.
    pub min_count: u32,
    /// Most terms of the table.
    pub max_terms: usize,
    /// Seed of the random number generator.
    pub seed: u64,
    /// Worker threads; the result does not depend on them.
    pub threads: usize,
}

impl Default for TrainSettings {
    fn default() -> Self {
        Self {
            dims: 256,
            batch: 512,
            chunk: 128,
            epochs: 4,
            rate: 0.03,
            temperature: 0.05,
            dropout: 0.1,
            min_count: 10,
            max_terms: 24_000,
            seed: 1,
            threads: 2,
        }
    }
}

/// Adam's decay rates of the mean and of the squared gradient.
const DECAY: (f32, f32) = (0.9, 0.99);

/// Learns a table; `report` receives the epoch, the share of it that is done, and the loss.
pub fn train(
    dataset: &Dataset,
    settings: &TrainSettings,
    report: &mut dyn FnMut(usize, f32, f32),
) -> Result<TableParts, TrainError> {
    let dataset = dataset.without_ranking_crates();
    let dataset = dataset.with_frequent_terms(settings.min_count, settings.max_terms);
    let mut rng = Rng::new(settings.seed);
    let plan: Vec<_> = (0..settings.epochs)
        .map(|epoch| batches(&dataset, epoch % 2 == 1, settings.batch, settings.chunk, &mut rng))
        .collect();
    let steps: usize = plan.iter().map(Vec::len).sum();
    if steps == 0 || dataset.pair_count() < 2 {
        return Err(TrainError::TooFew(dataset.pair_count()));
    }
    let mut table = Adam::new(first_rows(&dataset, settings, &mut rng), settings);
    let mut step = 0;
    for (epoch, batches) in plan.iter().enumerate() {
        for (at, batch) in batches.iter().enumerate() {
            let pairs = (batch.iter())
                .map(|(crate_idx, at)| &dataset.crates[*crate_idx as usize].pairs[*at as usize]);
            let queries: Vec<Bag> = pairs
                .clone()
                .map(|pair| {
                    let mut kept = pair.query.clone();
                    kept.retain(|_| rng.uniform() >= settings.dropout);
                    if kept.is_empty() { pair.query.clone() } else { kept }
                })
                .collect();
            let documents: Vec<Bag> = pairs.map(|pair| pair.document.clone()).collect();
            let uses = TermUses::new(&queries, &documents);
            let rate = settings.rate * (1.0 - step as f32 / steps as f32);
            table.catch_up(&uses, rate);
            let queries = EncodedTexts::new(queries, &table.rows, settings);
            let documents = EncodedTexts::new(documents, &table.rows, settings);
            let found = gradients(&queries, &documents, settings);
            table.learn(&uses, [&found.queries, &found.documents], rate);
            step += 1;
            if at % 50 == 0 {
                report(epoch, at as f32 / batches.len() as f32, found.loss);
            }
        }
    }
    let rows = table.rows.chunks(settings.dims).map(<[f32]>::to_vec);
    let words = dataset.terms.iter().cloned().zip(rows).collect();
    Ok(TableParts { dims: settings.dims, words, neighbours: 12, least_cos: 0.3 })
}

/// Random initial rows; a rarer term gets a longer vector.
fn first_rows(dataset: &Dataset, settings: &TrainSettings, rng: &mut Rng) -> Vec<f32> {
    let pairs = dataset.pair_count() as f32;
    let mut rows = Vec::with_capacity(dataset.terms.len() * settings.dims);
    for count in dataset.pair_counts() {
        let rarity = (pairs / (count.max(1)) as f32).ln().max(0.1);
        let scale = rarity / (settings.dims as f32).sqrt();
        rows.extend((0..settings.dims).map(|_| rng.normal() * scale));
    }
    rows
}

/// The uses of each term in a batch, grouped by term.
struct TermUses {
    /// Each term id with the end of its range in `places`.
    terms: Vec<(u32, usize)>,
    /// EncodedTexts (0: queries, 1: documents), index of the text, weight.
    places: Vec<(usize, usize, f32)>,
}

impl TermUses {
    fn new(queries: &[Bag], documents: &[Bag]) -> Self {
        let mut all: Vec<(u32, usize, usize, f32)> = Vec::new();
        for (side, bags) in [queries, documents].into_iter().enumerate() {
            for (text, bag) in bags.iter().enumerate() {
                all.extend(bag.iter().map(|(term, weight)| (*term, side, text, *weight)));
            }
        }
        all.sort_unstable_by_key(|(term, side, text, _)| (*term, *side, *text));
        let mut terms: Vec<(u32, usize)> = Vec::new();
        for (idx, (term, ..)) in all.iter().enumerate() {
            match terms.last_mut() {
                Some((last, end)) if last == term => *end = idx + 1,
                _ => terms.push((*term, idx + 1)),
            }
        }
        let places = all.into_iter().map(|(_, side, text, weight)| (side, text, weight)).collect();
        Self { terms, places }
    }
}

/// Lazy Adam: each step updates only the rows of the batch. The updates that dense Adam would make
/// to an unused row from its momentum are applied when the row is next used.
struct Adam {
    rows: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The last step that each row includes.
    last: Vec<u32>,
    step: u32,
    dims: usize,
    threads: usize,
}

/// An update of a term's row; the first argument is the term's uses in the batch.
type RowUpdate<'a> = dyn Fn(&[(usize, usize, f32)], RowMut<'_>) + Sync + 'a;

/// The value and the optimiser state of one row.
struct RowMut<'a> {
    row: &'a mut [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
    last: &'a mut u32,
}

impl Adam {
    fn new(rows: Vec<f32>, settings: &TrainSettings) -> Self {
        let count = rows.len() / settings.dims;
        Self {
            means: vec![0.0; rows.len()],
            squares: vec![0.0; rows.len()],
            last: vec![0; count],
            rows,
            step: 0,
            dims: settings.dims,
            threads: settings.threads,
        }
    }

    /// Applies the momentum updates that the rows of a batch missed.
    fn catch_up(&mut self, uses: &TermUses, rate: f32) {
        let step = self.step;
        self.each(uses, &|_, state| {
            let missed = step - *state.last;
            if *state.last == 0 || missed == 0 {
                return;
            }
            // Each missed step moves a row by this factor of the step before.
            let ratio = DECAY.0 / DECAY.1.sqrt();
            let moves = ratio * (1.0 - ratio.powi(missed as i32)) / (1.0 - ratio);
            let (first, second) = corrections(step);
            let by = rate * moves * first;
            let keep = (DECAY.0.powi(missed as i32), DECAY.1.powi(missed as i32));
            for ((value, mean), square) in
                state.row.iter_mut().zip(state.mean.iter_mut()).zip(state.square.iter_mut())
            {
                *value -= by * *mean / ((*square * second).sqrt() + 1e-8);
                *mean *= keep.0;
                *square *= keep.1;
            }
            *state.last = step;
        });
    }

    /// One Adam step on the rows of a batch.
    fn learn(&mut self, uses: &TermUses, changes: [&[f32]; 2], rate: f32) {
        self.step += 1;
        let (step, dims) = (self.step, self.dims);
        let (first, second) = corrections(step);
        self.each(uses, &|places, state| {
            let mut slope = vec![0.0; dims];
            for (side, text, weight) in places {
                let start = text * dims;
                crate::math::add(&mut slope, *weight, &changes[*side][start..start + dims]);
            }
            let numbers =
                state.row.iter_mut().zip(state.mean.iter_mut()).zip(state.square.iter_mut());
            for (((value, mean), square), slope) in numbers.zip(&slope) {
                *mean = DECAY.0 * *mean + (1.0 - DECAY.0) * slope;
                *square = DECAY.1 * *square + (1.0 - DECAY.1) * slope * slope;
                *value -= rate * *mean * first / ((*square * second).sqrt() + 1e-8);
            }
            *state.last = step;
        });
    }

    /// Calls `update` for the row of each term of a batch; the terms are divided among the threads.
    fn each(&mut self, uses: &TermUses, update: &RowUpdate<'_>) {
        let share = uses.terms.len().div_ceil(self.threads.max(1)).max(1);
        let dims = self.dims;
        let mut rest = (
            self.rows.as_mut_slice(),
            self.means.as_mut_slice(),
            self.squares.as_mut_slice(),
            self.last.as_mut_slice(),
        );
        let mut cut = 0;
        std::thread::scope(|scope| {
            for (part, terms) in uses.terms.chunks(share).enumerate() {
                let Some((last, _)) = terms.last() else { continue };
                let count = *last as usize + 1 - cut;
                let taken = std::mem::take(&mut rest);
                let (rows, more_rows) = taken.0.split_at_mut(count * dims);
                let (means, more_means) = taken.1.split_at_mut(count * dims);
                let (squares, more_squares) = taken.2.split_at_mut(count * dims);
                let (lasts, more_lasts) = taken.3.split_at_mut(count);
                rest = (more_rows, more_means, more_squares, more_lasts);
                let first = cut;
                cut += count;
                let mut begin = match part * share {
                    0 => 0,
                    at => uses.terms[at - 1].1,
                };
                scope.spawn(move || {
                    for (term, end) in terms {
                        let at = *term as usize - first;
                        let numbers = at * dims..(at + 1) * dims;
                        let state = RowMut {
                            row: &mut rows[numbers.clone()],
                            mean: &mut means[numbers.clone()],
                            square: &mut squares[numbers],
                            last: &mut lasts[at],
                        };
                        update(&uses.places[begin..*end], state);
                        begin = *end;
                    }
                });
            }
        });
    }
}

/// Adam's bias corrections of mean and square.
fn corrections(step: u32) -> (f32, f32) {
    let step = step.max(1) as i32;
    (1.0 / (1.0 - DECAY.0.powi(step)), 1.0 / (1.0 - DECAY.1.powi(step)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CratePairs, Pair};

    fn dataset() -> Dataset {
        // Term `n` of queries corresponds to term `20 + n` of documents.
        let pair = |n: u32| Pair {
            query: vec![(n % 20, 1.0), ((n + 1) % 20, 1.0)],
            document: vec![(20 + n % 20, 1.0), (20 + (n + 1) % 20, 1.0)],
        };
        let terms = (0..40).map(|n| format!("w{n:02}")).collect();
        let pairs_of = |name: &str| CratePairs {
            name: name.to_owned(),
            pairs: (0..60).map(|n| pair(n * 7)).collect(),
        };
        Dataset { terms, crates: vec![pairs_of("a"), pairs_of("b")] }
    }

    fn settings(threads: usize) -> TrainSettings {
        TrainSettings {
            dims: 16,
            batch: 32,
            chunk: 8,
            epochs: 20,
            min_count: 1,
            threads,
            ..TrainSettings::default()
        }
    }

    #[test]
    fn terms_of_matching_pairs_get_similar_vectors() {
        let mut losses = Vec::new();
        let parts = train(&dataset(), &settings(2), &mut |_, _, loss| losses.push(loss)).unwrap();
        assert!(losses.last().unwrap() < &(losses[0] / 2.0), "{losses:?}");
        let cos = |a: usize, b: usize| {
            let (a, b) = (&parts.words[a].1, &parts.words[b].1);
            crate::math::dot(a, b) / (crate::math::dot(a, a) * crate::math::dot(b, b)).sqrt()
        };
        assert!((0..20).all(|n| cos(n, 20 + n) > cos(n, 20 + (n + 10) % 20)));
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        let one = train(&dataset(), &settings(1), &mut |_, _, _| ()).unwrap();
        let five = train(&dataset(), &settings(5), &mut |_, _, _| ()).unwrap();
        assert_eq!(one.words, five.words);
    }

    #[test]
    fn too_few_pairs_are_an_error() {
        assert!(train(&Dataset::default(), &settings(1), &mut |_, _, _| ()).is_err());
    }
}
