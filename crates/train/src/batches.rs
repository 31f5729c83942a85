use crate::Dataset;
use crate::math::Chance;

/// Where a pair stands: its crate and its place there.
pub(crate) type Place = (u32, u32);

/// The batches of one pass over all pairs. A batch is made of chunks of one crate each, so that
/// many of a pair's negatives are hard; every other pass takes a crate's pairs in the order of its
/// files, so that some are harder still.
pub(crate) fn batches(
    dataset: &Dataset,
    in_file_order: bool,
    batch: usize,
    chunk: usize,
    chance: &mut Chance,
) -> Vec<Vec<Place>> {
    let mut chunks: Vec<Vec<Place>> = Vec::new();
    for (of, it) in dataset.crates.iter().enumerate() {
        let mut order: Vec<u32> = (0..it.pairs.len() as u32).collect();
        if !in_file_order {
            chance.shuffle(&mut order);
        }
        for part in order.chunks(chunk) {
            chunks.push(part.iter().map(|at| (of as u32, *at)).collect());
        }
    }
    chance.shuffle(&mut chunks);
    let all: Vec<Place> = chunks.concat();
    // What is left over for a last small batch would teach little and weigh as much.
    all.chunks(batch).filter(|it| it.len() * 2 >= batch.min(all.len())).map(<[_]>::to_vec).collect()
}
