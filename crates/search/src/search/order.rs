//! Ranking of candidates: fusion, features, reranker, maximal marginal relevance.

use base::SortedMap;

use super::{CandidateSet, Run};
use crate::answer::{FileHit, Hit, PathStep, Skipped};
use crate::features::{BM25, COUNT, Context, DENSE, FEATURES, FeatureGroup};
use crate::query::Mode;
use crate::ranker::Linear;
use crate::rerank::RerankInput;
use crate::{files, mmr};

/// The usual constant of reciprocal rank fusion.
pub(crate) const RECIPROCAL: f32 = 60.0;

impl Run<'_, '_> {
    /// The first ranking, by all features except those of the graph.
    pub(super) fn fuse(&mut self, context: &Context<'_>, field: &mut CandidateSet<'_>) {
        let linear = self.linear(context, |part| part != FeatureGroup::Graph);
        let is_wanted =
            |at: usize| FEATURES[at].part() != FeatureGroup::Graph && self.wants(&linear, at);
        field.fill(context, &[], is_wanted);
        self.score(field, &linear);
        self.report("fusion", field.all.len(), || field.ranked());
    }

    /// The ranking by all features.
    pub(super) fn rank(&mut self, context: &Context<'_>, field: &mut CandidateSet<'_>) {
        if context.neighbourhood.is_none() && context.nearness.is_none() {
            return;
        }
        let linear = self.linear(context, |_| true);
        let filled =
            [FeatureGroup::Words, FeatureGroup::Files, FeatureGroup::Vectors, FeatureGroup::Rules];
        field.fill(context, &filled, |at| self.wants(&linear, at));
        self.score(field, &linear);
        self.report("ranking", field.all.len(), || field.ranked());
    }

    /// Whether a feature has a weight, or the query asks for explanations.
    pub(super) fn wants(&self, linear: &Linear, at: usize) -> bool {
        at == BM25
            || at == DENSE
            || linear.weight(at) != 0.0
            || self.query.explain
            || self.searcher.ranker.is_some()
    }

    /// The weights; 0 for features that are switched off.
    pub(super) fn linear(
        &self,
        context: &Context<'_>,
        is_wanted: impl Fn(FeatureGroup) -> bool,
    ) -> Linear {
        let stages = self.query.stages;
        let mode = self.query.mode;
        let is_on = |part: FeatureGroup| match part {
            FeatureGroup::Words => mode != Mode::Dense,
            FeatureGroup::Files => stages.files && mode != Mode::Dense,
            FeatureGroup::Vectors => context.dense.is_some(),
            FeatureGroup::Rules => stages.rules,
            FeatureGroup::Graph => stages.graph,
        };
        let on = |at: usize| {
            let part = FEATURES[at].part();
            is_on(part) && is_wanted(part)
        };
        let mut linear = Linear::new(self.weights, on);
        // One source replaces both: the other features keep their relative weight.
        let both = self.weights.of_feature(BM25) + self.weights.of_feature(DENSE);
        if context.dense.is_none() && mode != Mode::Dense {
            linear.set(BM25, both);
        } else if mode == Mode::Dense {
            linear.set(DENSE, both);
        }
        linear
    }

    fn score(&self, field: &mut CandidateSet<'_>, linear: &Linear) {
        field.scores = match self.searcher.ranker.filter(|_| self.query.stages.rules) {
            Some(ranker) => {
                (0..field.all.len()).map(|at| ranker.score(&field.values(at))).collect()
            }
            None => linear.scores(field.all.len(), &field.raw, &field.scales),
        };
        if self.query.stages.reciprocal && linear.weight(DENSE) != 0.0 {
            let ranks = [BM25, DENSE].map(|feature| field.ranks_by(feature));
            let both = linear.weight(BM25) + linear.weight(DENSE);
            let of = |feature| (0..field.all.len()).map(|at| field.value(feature, at)).collect();
            let values: [Vec<f32>; 2] = [of(BM25), of(DENSE)];
            for (at, score) in field.scores.iter_mut().enumerate() {
                let weighted: f32 =
                    [BM25, DENSE].iter().map(|n| linear.weight(*n) * values[*n][at]).sum();
                let rank =
                    |side: &Vec<usize>| (RECIPROCAL + 1.0) / (RECIPROCAL + 1.0 + side[at] as f32);
                let joined = (rank(&ranks[0]) + rank(&ranks[1])) / 2.0;
                *score += both * joined - weighted;
            }
        }
        field.sort();
    }

    pub(super) fn rerank(&mut self, field: &mut CandidateSet<'_>) {
        if !self.query.stages.rerank {
            return self.skip("rerank", Skipped::SwitchedOff);
        }
        let Some(rerank) = self.searcher.rerank else {
            return self.skip("rerank", Skipped::NoReranker);
        };
        let most = self.query.sizes.rerank.min(field.order.len());
        if most == 0 {
            return self.skip("rerank", Skipped::NothingToDo);
        }
        let input = field.order[..most].iter().map(|at| {
            let candidate = &field.all[*at];
            let view = candidate.view();
            let canon = view.map(|view| view.canon()).unwrap_or_default();
            let whole = self.searcher.texts.and_then(|texts| texts.text(candidate.file_number));
            let own = whole
                .as_ref()
                .zip(view)
                .and_then(|(text, view)| text.get(view.span.0 as usize..view.span.1 as usize));
            let text = own.unwrap_or(&canon).to_owned();
            RerankInput { item: candidate.item, canon, text }
        });
        let input: Vec<RerankInput> = input.collect();
        let scores = rerank
            .rerank(&self.query.text, &input)
            .filter(|scores| scores.len() == most && scores.iter().all(|score| score.is_finite()));
        let Some(scores) = scores else { return self.skip("rerank", Skipped::NoAnswer) };
        // The reranked candidates stay above the others: their scores are spread over the same
        // range in the new order.
        let mut new: Vec<usize> = (0..most).collect();
        new.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        let spread: Vec<f32> = field.order[..most].iter().map(|at| field.scores[*at]).collect();
        let order: Vec<usize> = new.iter().map(|n| field.order[*n]).collect();
        for (at, score) in order.iter().zip(spread) {
            field.scores[*at] = score;
        }
        field.order[..most].copy_from_slice(&order);
        self.report("rerank", most, || field.ranked());
    }

    pub(super) fn files(
        &mut self,
        context: &Context<'_>,
        field: &CandidateSet<'_>,
    ) -> Vec<FileHit> {
        let ranked = |at: &usize| files::Ranked {
            document: field.all[*at].document,
            file: field.all[*at].file,
            score: field.scores[*at],
        };
        let candidates: Vec<files::Ranked> = field.order.iter().map(ranked).collect();
        let texts = self.searcher.texts.filter(|_| self.query.by_file);
        let files = files::rank(context, (self.query, texts), self.weights, &candidates);
        self.report("files", files.len(), Vec::new);
        files
    }

    /// The hits, in order.
    pub(super) fn diversify(&mut self, field: &CandidateSet<'_>) -> Vec<usize> {
        let k = self.query.k;
        if !self.query.stages.mmr {
            self.skip("mmr", Skipped::SwitchedOff);
            return field.order.iter().copied().take(k).collect();
        }
        let pool = &field.order[..field.order.len().min(k.saturating_mul(3).max(30))];
        let seen = pool.iter().filter_map(|at| Some((*at, field.all[*at].view()?)));
        let (pool, views): (Vec<usize>, Vec<_>) = seen.unzip();
        let max = pool.first().map_or(0.0, |at| field.scores[*at]).max(f32::MIN_POSITIVE);
        let scores: Vec<f32> = pool.iter().map(|at| field.scores[*at] / max).collect();
        let order = mmr::order(&views, &scores, self.query.sizes.mmr_relevance, k);
        let order: Vec<usize> = order.into_iter().map(|n| pool[n]).collect();
        self.report("mmr", order.len(), || order.iter().map(|at| field.all[*at].item).collect());
        order
    }

    pub(super) fn hits(
        &self,
        context: &Context<'_>,
        field: &CandidateSet<'_>,
        order: &[usize],
    ) -> Vec<Hit> {
        let linear = self.linear(context, |_| true);
        let parts = FEATURES.map(|unit| unit.part());
        let hit = |(rank, at): (usize, &usize)| {
            let candidate = &field.all[*at];
            let values = field.values(*at);
            let sum = |is: fn(FeatureGroup) -> bool| -> f32 {
                (0..COUNT).filter(|n| is(parts[*n])).map(|n| linear.weight(n) * values[n]).sum()
            };
            let mut scores = SortedMap::from([
                ("bm25", values[BM25]),
                ("fused", sum(|part| matches!(part, FeatureGroup::Words | FeatureGroup::Vectors))),
                ("files", sum(|part| part == FeatureGroup::Files)),
                ("rules", sum(|part| part == FeatureGroup::Rules)),
                ("graph", sum(|part| part == FeatureGroup::Graph)),
            ]);
            if context.dense.is_some() {
                scores.insert("dense", values[DENSE]);
            }
            if self.query.explain {
                scores
                    .extend(FEATURES.iter().zip(values).map(|(unit, value)| (unit.name(), value)));
            }
            let item = candidate.item;
            Hit {
                item,
                file: candidate.file_number,
                rank: rank + 1,
                score: field.scores[*at],
                scores,
                path: path_to(context, item),
            }
        };
        order.iter().enumerate().map(hit).collect()
    }
}

/// The path from the focus; without a focus, from the candidate whose neighbour it is.
fn path_to(context: &Context<'_>, item: u32) -> Vec<PathStep> {
    match &context.nearness {
        Some(near) => near.path_to(context.map, item),
        None => {
            let around = context.neighbourhood.as_ref();
            around.and_then(|around| around.path_to(item)).into_iter().collect()
        }
    }
}

impl CandidateSet<'_> {
    fn sort(&mut self) {
        self.order = self.sorted_by(|at| self.scores[at]);
    }

    /// Indices by falling score, ties by document.
    fn sorted_by(&self, value: impl Fn(usize) -> f32) -> Vec<usize> {
        let key = |at: usize| {
            let document = self.all[at].document;
            (u64::from(!rising(value(at))) << 32 | u64::from(document), at)
        };
        let mut keys: Vec<(u64, usize)> = (0..self.all.len()).map(key).collect();
        keys.sort_unstable_by_key(|(key, _)| *key);
        keys.into_iter().map(|(_, at)| at).collect()
    }

    /// Item numbers in the map, best first.
    fn ranked(&self) -> Vec<u32> {
        self.order.iter().map(|at| self.all[*at].item).collect()
    }

    /// The rank of each candidate by one feature, from 0.
    fn ranks_by(&self, feature: usize) -> Vec<usize> {
        let order = self.sorted_by(|at| self.value(feature, at));
        let mut ranks = vec![0; order.len()];
        for (rank, at) in order.into_iter().enumerate() {
            ranks[at] = rank;
        }
        ranks
    }
}

/// An integer with the order of [`f32::total_cmp`].
fn rising(number: f32) -> u32 {
    let bits = number.to_bits() as i32;
    ((bits ^ ((bits >> 31) as u32 >> 1) as i32) as u32) ^ 1 << 31
}

#[cfg(test)]
mod tests {
    use super::rising;

    #[test]
    fn keys_rise_as_numbers_do() {
        let numbers = [f32::NEG_INFINITY, -2.0, -1.0, -0.0, 0.0, 1e-9, 1.0, f32::INFINITY];
        assert!(numbers.map(rising).is_sorted_by(|a, b| a < b));
    }
}
