use search::TableParts;

use crate::batches::batches;
use crate::math::Chance;
use crate::step::{Side, lesson};
use crate::{Bag, Dataset, TrainError};

/// How a table is learned.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many numbers a vector has.
    pub dims: usize,
    /// Pairs that are each other's negatives.
    pub batch: usize,
    /// Pairs of one crate side by side.
    pub chunk: usize,
    /// Passes over all pairs.
    pub epochs: usize,
    /// The first step size; it falls linearly to nothing.
    pub rate: f32,
    /// Of the soft-max.
    pub temperature: f32,
    /// Share of a query's words that are left out.
    pub dropout: f32,
    /// In how many pairs a word stands at least.
    pub least_count: u32,
    /// How many words there are at most.
    pub most_words: usize,
    /// Where chance begins.
    pub seed: u64,
    /// How many threads work; it changes nothing but the time.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dims: 256,
            batch: 512,
            chunk: 128,
            epochs: 4,
            rate: 0.03,
            temperature: 0.05,
            dropout: 0.1,
            least_count: 10,
            most_words: 24_000,
            seed: 1,
            threads: 2,
        }
    }
}

/// How fast the mean and the square of slopes forget.
const FORGET: (f32, f32) = (0.9, 0.99);

/// Learns a table; `report` hears of pass, share done and loss.
pub fn train(
    dataset: &Dataset,
    settings: &Settings,
    report: &mut dyn FnMut(usize, f32, f32),
) -> Result<TableParts, TrainError> {
    let dataset = dataset.for_the_table();
    let dataset = dataset.with_frequent_words(settings.least_count, settings.most_words);
    let mut chance = Chance::new(settings.seed);
    let plan: Vec<_> = (0..settings.epochs)
        .map(|epoch| batches(&dataset, epoch % 2 == 1, settings.batch, settings.chunk, &mut chance))
        .collect();
    let steps: usize = plan.iter().map(Vec::len).sum();
    if steps == 0 || dataset.pair_count() < 2 {
        return Err(TrainError::TooFew(dataset.pair_count()));
    }
    let mut table = Adam::new(first_rows(&dataset, settings, &mut chance), settings);
    let mut step = 0;
    for (epoch, batches) in plan.iter().enumerate() {
        for (at, batch) in batches.iter().enumerate() {
            let pairs =
                batch.iter().map(|(of, at)| &dataset.crates[*of as usize].pairs[*at as usize]);
            let queries: Vec<Bag> = pairs
                .clone()
                .map(|pair| {
                    let mut kept = pair.query.clone();
                    kept.retain(|_| chance.share() >= settings.dropout);
                    if kept.is_empty() { pair.query.clone() } else { kept }
                })
                .collect();
            let documents: Vec<Bag> = pairs.map(|pair| pair.document.clone()).collect();
            let uses = Uses::of(&queries, &documents);
            let rate = settings.rate * (1.0 - step as f32 / steps as f32);
            table.catch_up(&uses, rate);
            let queries = Side::new(queries, &table.rows, settings);
            let documents = Side::new(documents, &table.rows, settings);
            let lesson = lesson(&queries, &documents, settings);
            table.learn(&uses, [&lesson.queries, &lesson.documents], rate);
            step += 1;
            if at % 50 == 0 {
                report(epoch, at as f32 / batches.len() as f32, lesson.loss);
            }
        }
    }
    let rows = table.rows.chunks(settings.dims).map(<[f32]>::to_vec);
    let words = dataset.words.iter().cloned().zip(rows).collect();
    Ok(TableParts { dims: settings.dims, words, neighbours: 12, least_cos: 0.3 })
}

/// Chance, the rarer a word the longer.
fn first_rows(dataset: &Dataset, settings: &Settings, chance: &mut Chance) -> Vec<f32> {
    let pairs = dataset.pair_count() as f32;
    let mut rows = Vec::with_capacity(dataset.words.len() * settings.dims);
    for count in dataset.pair_counts() {
        let rarity = (pairs / (count.max(1)) as f32).ln().max(0.1);
        let scale = rarity / (settings.dims as f32).sqrt();
        rows.extend((0..settings.dims).map(|_| chance.normal() * scale));
    }
    rows
}

/// Where each word of a batch is used, word by word: side, text, weight.
struct Uses {
    /// Word, and where its uses end in `places`.
    words: Vec<(u32, usize)>,
    places: Vec<(usize, usize, f32)>,
}

impl Uses {
    fn of(queries: &[Bag], documents: &[Bag]) -> Self {
        let mut all: Vec<(u32, usize, usize, f32)> = Vec::new();
        for (side, bags) in [queries, documents].into_iter().enumerate() {
            for (text, bag) in bags.iter().enumerate() {
                all.extend(bag.iter().map(|(word, weight)| (*word, side, text, *weight)));
            }
        }
        all.sort_unstable_by_key(|(word, side, text, _)| (*word, *side, *text));
        let mut words: Vec<(u32, usize)> = Vec::new();
        for (idx, (word, ..)) in all.iter().enumerate() {
            match words.last_mut() {
                Some((last, end)) if last == word => *end = idx + 1,
                _ => words.push((*word, idx + 1)),
            }
        }
        let places = all.into_iter().map(|(_, side, text, weight)| (side, text, weight)).collect();
        Self { words, places }
    }
}

/// Adam over rows of which each step touches a part. A row that rests goes on by what it was
/// moved before, as it would if every step touched all; that is made up for when it is next used.
struct Adam {
    rows: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The step behind which each row is up to date.
    last: Vec<u32>,
    step: u32,
    dims: usize,
    threads: usize,
}

/// What is done to the row of a word, given where a batch uses it and with which weight.
type RowStep<'a> = dyn Fn(&[(usize, usize, f32)], RowMut<'_>) + Sync + 'a;

/// The numbers of one row.
struct RowMut<'a> {
    row: &'a mut [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
    last: &'a mut u32,
}

impl Adam {
    fn new(rows: Vec<f32>, settings: &Settings) -> Self {
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

    /// Makes up for the steps that the words of a batch rested.
    fn catch_up(&mut self, uses: &Uses, rate: f32) {
        let step = self.step;
        self.each(uses, &|_, of| {
            let rested = step - *of.last;
            if *of.last == 0 || rested == 0 {
                return;
            }
            // Each rested step moves by what the last one moved, times this.
            let ratio = FORGET.0 / FORGET.1.sqrt();
            let moves = ratio * (1.0 - ratio.powi(rested as i32)) / (1.0 - ratio);
            let (first, second) = corrections(step);
            let by = rate * moves * first;
            let keep = (FORGET.0.powi(rested as i32), FORGET.1.powi(rested as i32));
            for ((value, mean), square) in
                of.row.iter_mut().zip(of.mean.iter_mut()).zip(of.square.iter_mut())
            {
                *value -= by * *mean / ((*square * second).sqrt() + 1e-8);
                *mean *= keep.0;
                *square *= keep.1;
            }
            *of.last = step;
        });
    }

    fn learn(&mut self, uses: &Uses, changes: [&[f32]; 2], rate: f32) {
        self.step += 1;
        let (step, dims) = (self.step, self.dims);
        let (first, second) = corrections(step);
        self.each(uses, &|places, of| {
            let mut slope = vec![0.0; dims];
            for (side, text, weight) in places {
                let start = text * dims;
                crate::math::add(&mut slope, *weight, &changes[*side][start..start + dims]);
            }
            let numbers = of.row.iter_mut().zip(of.mean.iter_mut()).zip(of.square.iter_mut());
            for (((value, mean), square), slope) in numbers.zip(&slope) {
                *mean = FORGET.0 * *mean + (1.0 - FORGET.0) * slope;
                *square = FORGET.1 * *square + (1.0 - FORGET.1) * slope * slope;
                *value -= rate * *mean * first / ((*square * second).sqrt() + 1e-8);
            }
            *of.last = step;
        });
    }

    /// Does something to the row of each word of a batch; words are shared out among the threads.
    fn each(&mut self, uses: &Uses, act: &RowStep<'_>) {
        let share = uses.words.len().div_ceil(self.threads.max(1)).max(1);
        let dims = self.dims;
        let mut rest = (
            self.rows.as_mut_slice(),
            self.means.as_mut_slice(),
            self.squares.as_mut_slice(),
            self.last.as_mut_slice(),
        );
        let mut cut = 0;
        std::thread::scope(|scope| {
            for (part, words) in uses.words.chunks(share).enumerate() {
                let Some((last, _)) = words.last() else { continue };
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
                    at => uses.words[at - 1].1,
                };
                scope.spawn(move || {
                    for (word, end) in words {
                        let at = *word as usize - first;
                        let numbers = at * dims..(at + 1) * dims;
                        let of = RowMut {
                            row: &mut rows[numbers.clone()],
                            mean: &mut means[numbers.clone()],
                            square: &mut squares[numbers],
                            last: &mut lasts[at],
                        };
                        act(&uses.places[begin..*end], of);
                        begin = *end;
                    }
                });
            }
        });
    }
}

/// Mean and square begin at nothing; these make up for it.
fn corrections(step: u32) -> (f32, f32) {
    let step = step.max(1) as i32;
    (1.0 / (1.0 - FORGET.0.powi(step)), 1.0 / (1.0 - FORGET.1.powi(step)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CratePairs, Pair};

    fn dataset() -> Dataset {
        // Word `n` of queries means word `20 + n` of documents.
        let pair = |n: u32| Pair {
            query: vec![(n % 20, 1.0), ((n + 1) % 20, 1.0)],
            document: vec![(20 + n % 20, 1.0), (20 + (n + 1) % 20, 1.0)],
        };
        let words = (0..40).map(|n| format!("w{n:02}")).collect();
        let of = |name: &str| CratePairs {
            name: name.to_owned(),
            pairs: (0..60).map(|n| pair(n * 7)).collect(),
        };
        Dataset { words, crates: vec![of("a"), of("b")] }
    }

    fn settings(threads: usize) -> Settings {
        Settings {
            dims: 16,
            batch: 32,
            chunk: 8,
            epochs: 20,
            least_count: 1,
            threads,
            ..Settings::default()
        }
    }

    #[test]
    fn words_that_stand_for_each_other_come_near() {
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
    fn the_number_of_threads_changes_no_bit() {
        let one = train(&dataset(), &settings(1), &mut |_, _, _| ()).unwrap();
        let five = train(&dataset(), &settings(5), &mut |_, _, _| ()).unwrap();
        assert_eq!(one.words, five.words);
    }

    #[test]
    fn too_few_pairs_are_an_error() {
        assert!(train(&Dataset::default(), &settings(1), &mut |_, _, _| ()).is_err());
    }
}
