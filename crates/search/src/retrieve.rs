//! Two basic retrievers as functions: the graph neighbourhood of items, and the items whose vectors
//! are nearest to an item or a text.

use std::collections::BTreeSet;

use graph::{HopQuery, Map, ReachedItem};

use crate::encoder::Encoder;
use crate::index::SearchIndex;
use crate::terms::doc_bag;
use crate::vectors::Nearest;

/// Default number of results of [`nearest`].
pub const NEAREST: usize = 15;

/// The query of [`nearest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe<'a> {
    /// Items similar to this one, by its number in the map.
    Item(u32),
    /// Items that a text describes.
    Text(&'a str),
}

/// An item and its similarity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Item number in the map.
    pub item: u32,
    /// Cosine similarity.
    pub score: f32,
}

/// The exact retriever: everything that some items reach or that reaches them, hop by hop, within
/// the kinds and limits of `hops` ([`HopQuery::NEAR`]: two hops over calls and dependencies, 30
/// neighbours per item).
pub fn surroundings(map: &Map, seeds: &[u32], hops: &HopQuery) -> Vec<ReachedItem> {
    map.hops(seeds, hops)
}

/// The vector retriever: the `most` items nearest to a probe, without those in `known`, which the
/// exact retriever has found, and without the probe itself. Empty where the index has no vectors
/// of this encoder, or the probe has none.
pub fn nearest(
    index: &SearchIndex,
    encoder: &dyn Encoder,
    probe: Probe<'_>,
    most: usize,
    known: &BTreeSet<u32>,
) -> Vec<Neighbour> {
    let is_its = index.encoder_name() == Some(encoder.name());
    let Some((code, _)) = index.stored_vectors().filter(|_| is_its) else { return Vec::new() };
    let vector = match probe {
        Probe::Item(item) => index.document_of(item).and_then(|document| code.vector(document)),
        Probe::Text(text) => match encoder.reader() {
            Some(reader) => reader.read(&[text]).ok().and_then(|mut vectors| vectors.pop()),
            None => {
                let bag = doc_bag(text);
                let bag: Vec<(&str, f32)> =
                    bag.iter().map(|(term, weight)| (term.as_str(), *weight)).collect();
                let mut vector = vec![0.0; encoder.dims()];
                encoder.encode(&bag, &mut vector);
                vector.iter().any(|number| *number != 0.0).then_some(vector)
            }
        },
    };
    let Some(vector) = vector.filter(|vector| vector.len() == code.dims()) else {
        return Vec::new();
    };
    // All known items may be nearer than the others.
    let wanted = Nearest::new(&vector, most.saturating_add(known.len()).saturating_add(1));
    let found = code.nearest(&wanted).into_iter().filter_map(|near| {
        let item = index.item_of(near.row)?;
        let is_new = !known.contains(&item) && probe != Probe::Item(item);
        is_new.then_some(Neighbour { item, score: near.score })
    });
    found.take(most).collect()
}
