//! Sources of candidates: lexical search, vectors, names and locations in the query, and the graph
//! neighbourhood of the best of these.

use base::SortedSet;

use super::{CandidateSet, Run, choose};
use crate::answer::Skipped;
use crate::features::{
    COUNT, Candidate, Context, Dense, FEATURES, FeatureGroup, NamedItems, Neighbourhood,
    PlacedItems,
};
use crate::index::{Facts, SearchIndex, TermEntry};
use crate::query::Mode;
use crate::scratch::Scratch;
use crate::top::{Top, better};
use crate::vectors::{Nearest, RowSet};

/// Maximum number of candidates from names and locations in the query.
const MOST_SPELLED: usize = 100;

impl Run<'_, '_> {
    pub(super) fn by_words<'c>(&mut self, context: &Context<'c>, field: &mut CandidateSet<'c>) {
        if self.query.mode == Mode::Dense {
            return self.skip("words", Skipped::SwitchedOff);
        }
        let best = choose::best(context.index, &context.words, self.query.sizes.lexical);
        for (document, _) in &best {
            add(context, field, *document);
        }
        self.report("words", field.all.len(), || {
            let mut best = best;
            best.sort_unstable_by(better);
            best.iter().filter_map(|(document, _)| context.index.item_of(*document)).collect()
        });
    }

    pub(super) fn by_vectors<'c>(
        &mut self,
        context: &mut Context<'c>,
        entries: &[Option<TermEntry>],
        field: &mut CandidateSet<'c>,
    ) where
        Self: 'c,
    {
        if self.query.mode == Mode::Bm25 {
            return self.skip("vectors", Skipped::SwitchedOff);
        }
        let Some(encoder) = self.searcher.encoder else {
            return self.skip("vectors", Skipped::NoEncoder);
        };
        if context.index.encoder_name() != Some(encoder.name()) {
            return self.skip("vectors", Skipped::NoVectors);
        }
        let text = &self.query.text;
        let mut dense = match Dense::new(context.index, encoder, text, context.analysis, entries) {
            Ok(dense) => dense,
            Err(because) => return self.skip("vectors", because),
        };
        let among = context.nearness.as_ref().filter(|near| near.prunes).map(|near| {
            let mut rows = RowSet::new(context.index.document_count() as usize);
            for document in 0..context.index.document_count() {
                let item = context.index.item_of(document).and_then(|item| context.map.item(item));
                if item.is_some_and(|item| near.of_item(&item) > 0.0) {
                    rows.insert(document);
                }
            }
            rows
        });
        let mut wanted = Nearest::new(&dense.query, self.query.sizes.dense);
        wanted.among = among.as_ref();
        let nearest = dense.code.nearest(&wanted);
        dense.max = nearest.first().map_or(1.0, |near| near.score).max(f32::MIN_POSITIVE);
        context.dense = Some(dense);
        for near in &nearest {
            add(context, field, near.row);
        }
        self.report("vectors", nearest.len(), || {
            nearest.iter().filter_map(|near| context.index.item_of(near.row)).collect()
        });
    }

    pub(super) fn by_spelling<'c>(
        &mut self,
        context: &mut Context<'c>,
        field: &mut CandidateSet<'c>,
    ) {
        if !self.query.stages.rules {
            return self.skip("spelling", Skipped::SwitchedOff);
        }
        context.named = NamedItems::of(context.map, context.index, context.analysis);
        context.placed = PlacedItems::of(context.map, context.index, context.analysis);
        let mut top = Top::new(MOST_SPELLED);
        for (document, worth) in context.named.strong().chain(context.placed.strong()) {
            top.push(document, worth);
        }
        if context.analysis.path.is_some() {
            for document in documents_of(context.index, context.placed.files()) {
                top.push(document, context.index.centrality(document));
            }
        }
        let spelled = top.into_sorted();
        for (document, _) in &spelled {
            add(context, field, *document);
        }
        self.report("spelling", field.all.len(), || {
            spelled.iter().filter_map(|(document, _)| context.index.item_of(*document)).collect()
        });
    }

    /// Adds neighbours of the best candidates, and drops what is not near the focus.
    pub(super) fn by_graph<'c>(&mut self, context: &mut Context<'c>, field: &mut CandidateSet<'c>) {
        if !self.query.stages.graph {
            return self.skip("graph", Skipped::SwitchedOff);
        }
        if let Some(near) = context.nearness.as_ref().filter(|near| near.prunes) {
            field.keep(|candidate| candidate.view().is_some_and(|item| near.of_item(&item) > 0.0));
        }
        let max = field.order.first().map_or(0.0, |at| field.scores[*at]);
        if max <= 0.0 {
            return self.skip("graph", Skipped::NothingToDo);
        }
        let best = field.order.iter().take(self.query.sizes.graph_seeds);
        let seeds: Vec<(u32, f32)> =
            best.map(|at| (field.all[*at].item, (field.scores[*at] / max).max(0.0))).collect();
        let mut around = Neighbourhood::of(context.map, &seeds);
        let ranked = field.order.iter().map(|at| (field.all[*at].file_number, field.scores[*at]));
        around.count_files(ranked);
        let is_new = |(item, _): (u32, f32)| {
            context.index.document_of(item).filter(|document| !field.known.contains(*document))
        };
        let new = best_of(around.neighbours().collect(), self.query.sizes.graph_added, is_new);
        context.neighbourhood = Some(around);
        let ranked = field.order.iter().take(self.query.sizes.graph_seeds);
        context
            .history
            .rank(ranked.map(|at| (field.all[*at].file_number, field.scores[*at] / max)));
        let prunes = context.nearness.as_ref().is_some_and(|near| near.prunes);
        for document in new {
            let item = context.index.item_of(document).and_then(|item| context.map.item(item));
            let near = context.nearness.as_ref().zip(item).map(|(near, item)| near.of_item(&item));
            if !(prunes && near == Some(0.0)) {
                add(context, field, document);
            }
        }
        self.report("graph", field.all.len(), || field.numbers());
    }
}

/// The documents of files, by their numbers in the map.
fn documents_of<'i>(
    index: &'i SearchIndex,
    files: &'i SortedSet<u32>,
) -> impl Iterator<Item = u32> + 'i {
    let firsts = index.first_documents();
    let places = files.iter().filter_map(|number| index.place_of(*number));
    places.flat_map(move |place| {
        let of = |at: u32| firsts.get(at as usize).unwrap_or(0);
        of(place)..of(place + 1)
    })
}

/// The first `most` results of `choose` over neighbours, best first. Documents are in the order of
/// their items; ties go to the first.
fn best_of(
    mut neighbours: Vec<(u32, f32)>,
    most: usize,
    choose: impl Fn((u32, f32)) -> Option<u32>,
) -> Vec<u32> {
    let mut chosen = Vec::with_capacity(most);
    // Later neighbours are tried when too many of the first are rejected.
    let middle = most.saturating_mul(2).min(neighbours.len());
    if middle < neighbours.len() {
        neighbours.select_nth_unstable_by(middle, better);
    }
    let (first, behind) = neighbours.split_at_mut(middle);
    for part in [first, behind] {
        if chosen.len() < most {
            part.sort_unstable_by(better);
            let left = most - chosen.len();
            chosen.extend(part.iter().copied().filter_map(&choose).take(left));
        }
    }
    chosen
}

/// Adds a document as a candidate, unless it is one or no item, with all features computed so far.
fn add<'c>(context: &Context<'c>, field: &mut CandidateSet<'c>, document: u32) {
    if field.known.contains(document) {
        return;
    }
    let (map, index) = (context.map, context.index);
    let item = index.item_of(document).filter(|item| *item < map.item_count());
    let (Some(item), Some(file)) = (item, index.file_of(document)) else { return };
    let Some(file_number) = index.files().get(file as usize) else { return };
    // That of a file is known too: the graph does not try it again.
    field.known.insert(document);
    let facts = index.facts(document);
    if facts.has(Facts::FILE) {
        return;
    }
    field.all.push(Candidate { map, document, file, item, file_number, facts });
}

impl<'c> CandidateSet<'c> {
    /// An empty set that reuses the buffers of a query.
    pub(super) fn new(scratch: &mut Scratch) -> Self {
        let mut raw = std::mem::take(&mut scratch.values);
        raw.resize_with(COUNT, Vec::new);
        Self {
            all: Vec::with_capacity(512),
            known: std::mem::take(&mut scratch.known),
            raw,
            scales: [1.0; COUNT],
            scores: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Item numbers in the map, in order of addition.
    pub(super) fn numbers(&self) -> Vec<u32> {
        self.all.iter().map(|candidate| candidate.item).collect()
    }

    /// The scaled value of a feature; 0 where it was not computed.
    pub(super) fn value(&self, feature: usize, at: usize) -> f32 {
        let raw = self.raw.get(feature).and_then(|values| values.get(at));
        raw.map_or(0.0, |raw| raw * self.scales[feature])
    }

    /// All features of a candidate.
    pub(super) fn values(&self, at: usize) -> [f32; COUNT] {
        std::array::from_fn(|feature| self.value(feature, at))
    }

    /// Computes the features for which `is_wanted` is true; those of the groups in `known` are
    /// computed for new candidates only.
    pub(super) fn fill(
        &mut self,
        context: &Context<'_>,
        known: &[FeatureGroup],
        is_wanted: impl Fn(usize) -> bool,
    ) {
        for (at, unit) in FEATURES.iter().enumerate().filter(|(at, _)| is_wanted(*at)) {
            let values = &mut self.raw[at];
            if !known.contains(&unit.part()) {
                values.clear();
            }
            let new = self.all.get(values.len()..).unwrap_or_default();
            unit.append(context, new, values);
            if unit.is_relative() {
                let max = values.iter().fold(0.0f32, |max, raw| max.max(*raw));
                self.scales[at] = if max > 0.0 { 1.0 / max } else { 1.0 };
            }
        }
    }

    /// Drops candidates; the others keep their order.
    fn keep(&mut self, is_kept: impl Fn(&Candidate<'c>) -> bool) {
        let kept: Vec<bool> = self.all.iter().map(is_kept).collect();
        let mut place = vec![0usize; kept.len()];
        let mut next = 0;
        for (at, is_kept) in kept.iter().enumerate() {
            place[at] = next;
            next += usize::from(*is_kept);
        }
        self.order.retain(|at| kept.get(*at) == Some(&true));
        self.order.iter_mut().for_each(|at| *at = place[*at]);
        retain(&mut self.scores, &kept);
        self.raw.iter_mut().for_each(|values| retain(values, &kept));
        for candidate in self.all.iter().zip(&kept).filter(|(_, kept)| !**kept) {
            self.known.remove(candidate.0.document);
        }
        retain(&mut self.all, &kept);
    }
}

/// Keeps the elements that are marked; a vector without values stays empty.
fn retain<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| kept.next() == Some(&true));
}
