//! Set A: from a commit message to the files and items that the commit changed.

use base::{Ctx, ItemKind, SortedSet};
use code::{ContextRequest, Finder, HitCard, SearchRequest, SearchUnit};
use graph::{ItemView, Map};
use search::{CountTokens, Detail, Intent, UpperBound};

use super::baseline::{PlainSearch, query_words, words};
use super::cases::{GoldItem, Localise};
use super::corpus::CorpusDir;
use super::diagnosis::{MissedTarget, diagnose};
use super::metrics::scores;
use super::{Beside, note};
use crate::{CaseResult, EvalError};

/// Number of answers; metrics use the first ten.
const K: usize = 50;
const BUDGETS: [usize; 3] = [500, 1000, 2000];

/// An opened crate, and the plain search over it.
pub(super) struct Corpus<'a> {
    finder: Finder<'a>,
    files: Vec<String>,
    items: Vec<Item>,
    plain_files: PlainSearch,
    plain_items: PlainSearch,
}

/// An item outside of tests.
struct Item {
    file: String,
    start_line: u32,
    end_line: u32,
    /// Tokens of the whole item.
    tokens: usize,
}

impl<'a> Corpus<'a> {
    pub(super) fn open(finder: Finder<'a>, place: &CorpusDir) -> Result<Self, EvalError> {
        let map = finder.map();
        let (mut files, mut items) = (Vec::new(), Vec::new());
        let (mut file_words, mut item_words) = (Vec::new(), Vec::new());
        for file in map.files() {
            let text = place.read(file.path)?;
            file_words.push(words(&format!("{} {text}", file.path)));
            files.push(file.path.to_owned());
        }
        for item in map.items().filter(|item| is_in_corpus(map, item)) {
            let Some(file) = item.path() else { continue };
            let text = place.read(file)?;
            let whole = text.get(item.span.0 as usize..item.span.1 as usize).unwrap_or_default();
            let is_block = matches!(item.kind, ItemKind::Impl | ItemKind::Trait);
            let len =
                if is_block { (item.code_start - item.span.0) as usize + 300 } else { whole.len() };
            let body = String::from_utf8_lossy(&whole.as_bytes()[..len.min(whole.len())]);
            let canon = item.canon();
            let path = canon.split_once("::").map_or("", |(_, path)| path);
            item_words.push(words(&format!("{path} {body}")));
            items.push(Item {
                file: file.to_owned(),
                start_line: item.line,
                end_line: item.end_line,
                tokens: UpperBound.count(whole),
            });
        }
        let (plain_files, plain_items) =
            (PlainSearch::new(file_words), PlainSearch::new(item_words));
        Ok(Self { finder, files, items, plain_files, plain_items })
    }

    /// Runs the queries of one case.
    pub(super) fn ask(&self, ctx: &Ctx, case: &Localise) -> Result<CaseResult, EvalError> {
        let mut result = CaseResult {
            id: case.id.clone(),
            groups: vec![case.repo.clone()],
            is_weak: !case.is_strong(),
            outcome: "answered".to_owned(),
            ..CaseResult::default()
        };
        for (variant, text) in [("raw", Some(&case.raw)), ("masked", case.masked.as_ref())] {
            if let Some(text) = text {
                self.variant(ctx, case, variant, text, &mut result)?;
            }
        }
        Ok(result)
    }

    fn variant(
        &self,
        ctx: &Ctx,
        case: &Localise,
        variant: &str,
        text: &str,
        result: &mut CaseResult,
    ) -> Result<(), EvalError> {
        let request = SearchRequest {
            intent: Some(Intent::Locate),
            explain: true,
            ..SearchRequest::new(text, K)
        };
        let answer = self.finder.search(ctx, &request)?;
        result.product_ms += answer.took_us / 1000;
        let hits: Vec<SortedSet<usize>> =
            answer.hits.iter().map(|hit| gold_of(hit, &case.gold_items)).collect();
        let found: SortedSet<usize> = hits.iter().take(10).flatten().copied().collect();
        note(&mut result.metrics, &scores(&hits, case.gold_items.len()), "item", variant);
        for (at, gold) in case.gold_items.iter().enumerate().filter(|(at, _)| !found.contains(at)) {
            result.missed.push(self.diagnosis(&answer, gold, at, variant));
        }
        let by_file = SearchRequest { by: SearchUnit::File, explain: false, ..request };
        let answer = self.finder.search(ctx, &by_file)?;
        let names: Vec<&str> = answer.hits.iter().filter_map(|hit| hit.file.as_deref()).collect();
        let golds = |files: &[&str]| -> Vec<SortedSet<usize>> {
            let gold = |file: &&str| case.gold_files.iter().position(|gold| gold == file);
            files.iter().map(|file| gold(file).into_iter().collect()).collect()
        };
        let own = scores(&golds(&names), case.gold_files.len());
        note(&mut result.metrics, &own, "file", variant);
        self.beside(case, variant, text, &mut result.beside, &golds);
        self.context(ctx, case, variant, text, result)
    }

    fn diagnosis(
        &self,
        answer: &code::SearchAnswer,
        gold: &GoldItem,
        at: usize,
        variant: &str,
    ) -> MissedTarget {
        let map = self.finder.map();
        let items = map.items().filter(|item| {
            let is_code = !matches!(item.kind, ItemKind::File | ItemKind::Crate);
            is_code && item.path().is_some_and(|file| gold.is_hit(file, item.line, item.end_line))
        });
        let items: Vec<u32> = items.map(|item| item.number).collect();
        let target = format!("{}. {}:{}-{}", at + 1, gold.file, gold.start_line, gold.end_line);
        diagnose(answer, &items, target, variant)
    }

    /// Results of a plain search for the same query.
    fn beside(
        &self,
        case: &Localise,
        variant: &str,
        text: &str,
        beside: &mut Beside,
        golds: &dyn Fn(&[&str]) -> Vec<SortedSet<usize>>,
    ) {
        let query = query_words(text);
        let name = |numbers: Vec<usize>| -> Vec<&str> {
            numbers
                .into_iter()
                .filter_map(|number| self.files.get(number))
                .map(String::as_str)
                .collect()
        };
        let items = |numbers: Vec<usize>| -> Vec<SortedSet<usize>> {
            let items = numbers.into_iter().filter_map(|number| self.items.get(number));
            items.map(|item| self.gold_of_item(item, &case.gold_items)).collect()
        };
        let (files, gold) = (case.gold_files.len(), case.gold_items.len());
        let rankings = [
            ("bm25", self.plain_files.bm25(&query), self.plain_items.bm25(&query)),
            ("keyword", self.plain_files.keyword(&query), self.plain_items.keyword(&query)),
        ];
        for (method, by_file, by_item) in rankings {
            let metrics = beside.entry(method.to_owned()).or_default();
            note(metrics, &scores(&golds(&name(by_file)), files), "file", variant);
            note(metrics, &scores(&items(by_item), gold), "item", variant);
        }
    }

    fn gold_of_item(&self, item: &Item, gold: &[GoldItem]) -> SortedSet<usize> {
        let is_hit = |gold: &GoldItem| gold.is_hit(&item.file, item.start_line, item.end_line);
        (0..gold.len()).filter(|at| is_hit(&gold[*at])).collect()
    }

    /// Number of gold items that a packed context covers, compared with whole bodies in BM25's
    /// order.
    fn context(
        &self,
        ctx: &Ctx,
        case: &Localise,
        variant: &str,
        text: &str,
        result: &mut CaseResult,
    ) -> Result<(), EvalError> {
        let gold = &case.gold_items;
        let share = |found: &SortedSet<usize>| found.len() as f64 / gold.len().max(1) as f64;
        let order = self.plain_items.bm25(&query_words(text));
        for budget in BUDGETS {
            let request = ContextRequest {
                intent: Some(Intent::Locate),
                ..ContextRequest::new(text, budget)
            };
            let packed = self.finder.context(ctx, &request)?;
            let (mut shown, mut signed, mut whole) =
                (SortedSet::new(), SortedSet::new(), SortedSet::new());
            for snippet in &packed.snippets {
                let golds = gold_of(&snippet.hit, gold);
                if snippet.level >= Detail::Signature {
                    signed.extend(golds.iter().copied());
                }
                if snippet.level >= Detail::Code {
                    whole.extend(golds.iter().copied());
                }
                shown.extend(golds);
            }
            let name = |kind: &str| format!("recall@{budget}t.{kind}.{variant}");
            result.metric(&name("context"), share(&shown));
            result.metric(&name("context_signature"), share(&signed));
            result.metric(&name("context_body"), share(&whole));
            let mut left = budget;
            let mut covered = SortedSet::new();
            for item in order.iter().filter_map(|number| self.items.get(*number)) {
                if item.tokens <= left {
                    left -= item.tokens;
                    covered.extend(self.gold_of_item(item, gold));
                }
            }
            let beside = result.beside.entry("bm25".to_owned()).or_default();
            beside.insert(name("context"), share(&covered));
            beside.insert(name("context_signature"), share(&covered));
            beside.insert(name("context_body"), share(&covered));
        }
        Ok(())
    }
}

/// The gold items that a hit covers.
fn gold_of(hit: &HitCard, gold: &[GoldItem]) -> SortedSet<usize> {
    let (Some(file), Some(start), Some(end)) = (&hit.file, hit.start_line, hit.end_line) else {
        return SortedSet::new();
    };
    (0..gold.len()).filter(|at| gold[*at].is_hit(file, start, end)).collect()
}

/// Whether the suite ranks the item: it has a head of its own and is outside of tests.
fn is_in_corpus(map: &Map, item: &ItemView<'_>) -> bool {
    use ItemKind::{
        Const, Enum, Function, Impl, Macro, Method, Static, Struct, Trait, TypeAlias, Union,
    };
    let is_kind = matches!(
        item.kind,
        Function
            | Method
            | Struct
            | Enum
            | Union
            | Trait
            | Impl
            | Const
            | Static
            | TypeAlias
            | Macro
    );
    let mut holder = Some(*item);
    let mut is_test = false;
    let mut steps = 0;
    while let Some(it) = holder.filter(|_| steps < 64) {
        is_test |= it.flags.is_test;
        holder = it.parent.and_then(|parent| map.item(parent));
        steps += 1;
    }
    is_kind && !is_test && !item.flags.is_local && !item.flags.from_macro
}
