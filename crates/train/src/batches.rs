//! Splits the pairs of a [`Dataset`] into batches, epoch by epoch. Start at [`batches`].

use crate::Dataset;
use crate::math::Rng;

/// A pair by the index of its crate and its index in that crate.
pub(crate) type PairIndex = (u32, u32);

/// Returns the batches of one epoch. A batch consists of chunks of one crate each, which gives hard
/// negatives; with `in_file_order` neighbours come from the same file, which gives harder ones.
pub(crate) fn batches(
    dataset: &Dataset,
    in_file_order: bool,
    batch: usize,
    chunk: usize,
    rng: &mut Rng,
) -> Vec<Vec<PairIndex>> {
    let mut chunks: Vec<Vec<PairIndex>> = Vec::new();
    for (crate_idx, it) in dataset.crates.iter().enumerate() {
        let mut order: Vec<u32> = (0..it.pairs.len() as u32).collect();
        if !in_file_order {
            rng.shuffle(&mut order);
        }
        for part in order.chunks(chunk) {
            chunks.push(part.iter().map(|at| (crate_idx as u32, *at)).collect());
        }
    }
    rng.shuffle(&mut chunks);
    let all: Vec<PairIndex> = chunks.concat();
    // A small last batch has few negatives and would weigh as much as a full one.
    all.chunks(batch).filter(|it| it.len() * 2 >= batch.min(all.len())).map(<[_]>::to_vec).collect()
}
