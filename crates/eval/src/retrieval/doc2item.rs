//! Set B: from the first sentence of a doc comment to the item that it documents. The product gets
//! sources without any doc comment.

use base::{Ctx, SortedMap, SortedSet};
use code::{Finder, HitCard, SearchRequest};
use search::Intent;

use super::baseline::{PlainSearch, query_words, words};
use super::cases::{CorpusItem, Doc2Item};
use super::corpus::CorpusDir;
use super::diagnosis::diagnose;
use super::metrics::scores;
use super::{note, note_plain};
use crate::{CaseResult, EvalError};

const K: usize = 50;

/// An opened crate, and the plain search over it.
pub(super) struct Corpus<'a> {
    finder: Finder<'a>,
    items: &'a [CorpusItem],
    numbers: SortedMap<&'a str, usize>,
    plain: PlainSearch,
}

impl<'a> Corpus<'a> {
    pub(super) fn open(
        finder: Finder<'a>,
        items: &'a [CorpusItem],
        place: &CorpusDir,
    ) -> Result<Self, EvalError> {
        let mut texts: SortedMap<&str, String> = SortedMap::new();
        let mut documents = Vec::new();
        for item in items {
            if !texts.contains_key(item.file.as_str()) {
                texts.insert(&item.file, place.read(&item.file)?);
            }
            let text = texts.get(item.file.as_str()).map(String::as_bytes).unwrap_or_default();
            let seen = |range: &[usize; 2]| {
                let bytes = text.get(range[0]..range[1]).unwrap_or_default();
                bytes.iter().any(|byte| !byte.is_ascii_whitespace())
            };
            if let Some(range) = item.strip.iter().find(|range| seen(range)) {
                return Err(EvalError::Layout {
                    id: item.id.clone(),
                    reason: format!("there is a doc comment at bytes {}..{}", range[0], range[1]),
                });
            }
            let is_long_block =
                matches!(item.kind.as_str(), "impl" | "trait") && item.end - item.start > 2000;
            let end = if is_long_block { item.start + 300 } else { item.end };
            let body = String::from_utf8_lossy(text.get(item.start..end).unwrap_or_default());
            documents.push(words(&format!("{} {body}", item.path)));
        }
        let numbers = items.iter().enumerate().map(|(at, item)| (item.id.as_str(), at)).collect();
        Ok(Self { finder, items, numbers, plain: PlainSearch::new(documents) })
    }

    /// The corpus's items with these ids.
    pub(super) fn gold(&self, case: &Doc2Item) -> SortedSet<usize> {
        case.gold.iter().filter_map(|id| self.numbers.get(id.as_str()).copied()).collect()
    }

    /// Whether a hit is one of these items.
    pub(super) fn is_hit(&self, hit: &HitCard, gold: &SortedSet<usize>) -> bool {
        gold.iter().filter_map(|at| self.items.get(*at)).any(|item| {
            hit.file.as_deref() == Some(item.file.as_str())
                && (hit.start_line, hit.end_line) == (Some(item.l0), Some(item.l1))
                && (item.kind == "impl" || hit.canon.ends_with(&item.name))
        })
    }

    /// Runs the queries of one case.
    pub(super) fn ask(&self, ctx: &Ctx, case: &Doc2Item) -> Result<CaseResult, EvalError> {
        let mut result = CaseResult {
            id: case.id.clone(),
            groups: vec![case.package()],
            outcome: "answered".to_owned(),
            ..CaseResult::default()
        };
        let gold = self.gold(case);
        for (variant, text) in [("raw", Some(&case.raw)), ("masked", case.masked.as_ref())] {
            let Some(text) = text else { continue };
            let request = SearchRequest {
                intent: Some(Intent::Find),
                explain: true,
                ..SearchRequest::new(text, K)
            };
            let answer = self.finder.search(ctx, &request)?;
            result.product_ms += answer.took_us / 1000;
            let is_hit = |hit: &HitCard| self.is_hit(hit, &gold);
            let hits: Vec<SortedSet<usize>> = answer
                .hits
                .iter()
                .map(|hit| is_hit(hit).then_some(0).into_iter().collect())
                .collect();
            let own = scores(&hits, gold.len());
            note(&mut result.metrics, &own, "item", variant);
            note_plain(&mut result.metrics, &own, variant);
            if !hits.iter().take(10).any(|hit| !hit.is_empty()) {
                let map = self.finder.map();
                let wanted = gold.iter().filter_map(|at| self.items.get(*at));
                let wanted: Vec<&CorpusItem> = wanted.collect();
                let items = map.items().filter(|item| {
                    wanted.iter().any(|it| {
                        item.path() == Some(it.file.as_str())
                            && (item.line, item.end_line) == (it.l0, it.l1)
                            && !matches!(item.kind, base::ItemKind::File)
                    })
                });
                let items: Vec<u32> = items.map(|item| item.number).collect();
                let target = case.gold.join(", ");
                result.missed.push(diagnose(&answer, &items, target, variant));
            }
            let query = query_words(text);
            let rankings =
                [("bm25", self.plain.bm25(&query)), ("keyword", self.plain.keyword(&query))];
            for (method, order) in rankings {
                let hits: Vec<SortedSet<usize>> = order
                    .into_iter()
                    .map(|at| gold.contains(&at).then_some(at).into_iter().collect())
                    .collect();
                let metrics = result.beside.entry(method.to_owned()).or_default();
                note(metrics, &scores(&hits, gold.len()), "item", variant);
                note_plain(metrics, &scores(&hits, gold.len()), variant);
            }
        }
        Ok(result)
    }
}
