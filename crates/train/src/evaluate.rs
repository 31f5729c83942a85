//! Measures a table on set B with a simple index of its own: cosine similarity, BM25 and their
//! weighted sum. A development aid; the figures of the product come from `graftage eval run`.
//! Start at [`evaluate`].

use std::path::Path;

use base::{SortedMap, SortedSet};
use search::{Document, Encoder, code_bag, query_bag};
use serde_json::Value;

use crate::extract::{code_of, kind_of, module_of, signature_of};
use crate::sources::{read, sorted_entries};
use crate::{Registry, TrainError};

/// Weight of BM25 in the combined score; both scores are scaled to 0 … 1 first.
const BM25_WEIGHT: f32 = 0.2;

/// MRR@10, mean over crates: for raw queries, and for masked ones (without the names in the item's
/// path).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The table alone.
    pub table: [f32; 2],
    /// BM25 alone.
    pub bm25: [f32; 2],
    /// The weighted sum of both.
    pub both: [f32; 2],
}

/// Runs the queries of set B (`queries_*.jsonl` and `items_*.jsonl` in `folder`, sources from
/// `registry`) against a table: which item of the crate does the sentence document? `report`
/// receives the figures of each crate.
pub fn evaluate(
    table: &dyn Encoder,
    folder: &Path,
    registry: &Registry,
    report: &mut dyn FnMut(&str, &Evaluation),
) -> Result<Evaluation, TrainError> {
    let mut per_crate = Vec::new();
    for path in sorted_entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(crate_name) =
            name.strip_prefix("queries_").and_then(|it| it.strip_suffix(".jsonl"))
        else {
            continue;
        };
        let items = lines(&folder.join(format!("items_{crate_name}.jsonl")))?;
        let corpus = Corpus::new(table, &items, registry, &path)?;
        let figures = corpus.run(table, &lines(&path)?);
        report(crate_name, &figures);
        per_crate.push(figures);
    }
    let mean = |pick: &dyn Fn(&Evaluation) -> [f32; 2]| {
        let sum = per_crate.iter().map(pick).fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        sum.map(|it| it / per_crate.len().max(1) as f32)
    };
    Ok(Evaluation {
        table: mean(&|it| it.table),
        bm25: mean(&|it| it.bm25),
        both: mean(&|it| it.both),
    })
}

/// The items of one crate.
struct Corpus {
    ids: SortedMap<String, usize>,
    vectors: Vec<Vec<f32>>,
    /// Item index and term count, by term.
    postings: SortedMap<String, Vec<(usize, f32)>>,
    lengths: Vec<f32>,
}

impl Corpus {
    fn new(
        table: &dyn Encoder,
        items: &[Value],
        registry: &Registry,
        at: &Path,
    ) -> Result<Self, TrainError> {
        let mut corpus = Self {
            ids: SortedMap::new(),
            vectors: Vec::new(),
            postings: SortedMap::new(),
            lengths: Vec::new(),
        };
        let mut files: SortedMap<String, String> = SortedMap::new();
        let text_of = |item: &Value, name: &str| item.get(name)?.as_str().map(str::to_owned);
        let containers: SortedSet<String> = items
            .iter()
            .filter(|item| {
                text_of(item, "kind").is_some_and(|kind| kind == "impl" || kind == "trait")
            })
            .filter_map(|item| text_of(item, "path"))
            .collect();
        for item in items {
            let field = |name: &str| {
                let field = item.get(name).and_then(Value::as_str);
                field.ok_or_else(|| TrainError::content(at, format!("an item has no `{name}`")))
            };
            let (name, version, file) = (field("crate")?, field("version")?, field("file")?);
            if !files.contains_key(file) {
                let folder = registry
                    .find(name, version)
                    .ok_or_else(|| TrainError::Missing(format!("{name} {version}")))?;
                files.insert(file.to_owned(), read(&folder.join(file))?);
            }
            let text = stripped(item, files.get(file).map(String::as_str).unwrap_or_default())
                .ok_or_else(|| TrainError::content(at, "an item's range is outside its file"))?;
            let parsed = syntax::parse(&text);
            let kind = parsed.items.first().and_then(|it| kind_of(it.kind));
            // A method parsed without its impl looks like a free function.
            let container = field("path")?.rsplit_once("::").map(|(container, _)| container);
            let is_member = container.is_some_and(|container| containers.contains(container));
            let kind = match kind {
                Some(base::ItemKind::Function) if is_member => Some(base::ItemKind::Method),
                kind => kind,
            };
            let code =
                if parsed.items.is_empty() { text.clone() } else { code_of(&text, &parsed, 0) };
            let document = Document {
                item: 0,
                kind: kind.unwrap_or(base::ItemKind::Macro),
                name: field("name")?,
                canon: &format!("{}::{}", module_of(name, file), field("path")?),
                signature: parsed.items.first().map_or("", |it| signature_of(&text, it)),
                doc: "",
                code: &code,
                lines: 1 + text.matches('\n').count() as u32,
                is_test: false,
            };
            let bag = code_bag(&document, file);
            let number = corpus.vectors.len();
            corpus.ids.insert(field("id")?.to_owned(), number);
            corpus.vectors.push(encoded(table, &bag));
            let mut length = 0.0;
            for (term, weight) in bag {
                let count = (weight - 1.0).exp();
                length += count;
                corpus.postings.entry(term).or_default().push((number, count));
            }
            corpus.lengths.push(length);
        }
        Ok(corpus)
    }

    /// Mean figures of the queries of one crate.
    fn run(&self, table: &dyn Encoder, queries: &[Value]) -> Evaluation {
        let mut sums = [[0.0f32; 2]; 3];
        let mut counts = [0.0f32; 2];
        for query in queries {
            let gold: Vec<usize> = query
                .get("gold")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(|id| self.ids.get(id.as_str()?).copied())
                .collect();
            for (form, name) in ["raw", "masked"].into_iter().enumerate() {
                let Some(text) = query.get(name).and_then(Value::as_str) else { continue };
                counts[form] += 1.0;
                let bag = query_bag(text);
                let vector = encoded(table, &bag);
                let cosines: Vec<f32> =
                    self.vectors.iter().map(|it| crate::math::dot(it, &vector)).collect();
                let cosines = min_max_scaled(cosines);
                let bm25 = min_max_scaled(self.bm25(&bag));
                let both: Vec<f32> = cosines
                    .iter()
                    .zip(&bm25)
                    .map(|(cosine, bm25)| (1.0 - BM25_WEIGHT) * cosine + BM25_WEIGHT * bm25)
                    .collect();
                for (sum, scores) in sums.iter_mut().zip([&cosines, &bm25, &both]) {
                    sum[form] += reciprocal_rank(scores, &gold);
                }
            }
        }
        let mean = |sum: [f32; 2]| [sum[0] / counts[0].max(1.0), sum[1] / counts[1].max(1.0)];
        Evaluation { table: mean(sums[0]), bm25: mean(sums[1]), both: mean(sums[2]) }
    }

    fn bm25(&self, bag: &[(String, f32)]) -> Vec<f32> {
        let (k1, b) = (1.5, 0.6);
        let count = self.lengths.len() as f32;
        let mean = self.lengths.iter().sum::<f32>() / count.max(1.0);
        let mut scores = vec![0.0; self.lengths.len()];
        for (term, weight) in bag {
            let Some(postings) = self.postings.get(term) else { continue };
            let df = postings.len() as f32;
            let idf = (1.0 + (count - df + 0.5) / (df + 0.5)).ln();
            for (item, tf) in postings {
                let norm = k1 * (1.0 - b + b * self.lengths[*item] / mean.max(1e-6));
                scores[*item] += weight * idf * tf * (k1 + 1.0) / (tf + norm);
            }
        }
        scores
    }
}

fn encoded(table: &dyn Encoder, bag: &[(String, f32)]) -> Vec<f32> {
    let bag: Vec<(&str, f32)> = bag.iter().map(|(term, weight)| (term.as_str(), *weight)).collect();
    let mut vector = vec![0.0; table.dims()];
    table.encode(&bag, &mut vector);
    vector
}

/// Scales scores linearly to 0 … 1.
fn min_max_scaled(mut scores: Vec<f32>) -> Vec<f32> {
    let least = scores.iter().copied().fold(f32::INFINITY, f32::min);
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if most > least {
        scores.iter_mut().for_each(|it| *it = (*it - least) / (most - least));
    }
    scores
}

/// The reciprocal rank of the best gold item among the first ten; ties rank before it.
fn reciprocal_rank(scores: &[f32], gold: &[usize]) -> f32 {
    let best = gold.iter().map(|it| scores[*it]).fold(f32::NEG_INFINITY, f32::max);
    let rank = 1 + scores
        .iter()
        .enumerate()
        .filter(|(item, score)| **score >= best && !gold.contains(item))
        .count();
    if gold.is_empty() || rank > 10 { 0.0 } else { 1.0 / rank as f32 }
}

/// The text of an item with its doc comments blanked; `None` if its range is outside the file.
fn stripped(item: &Value, file: &str) -> Option<String> {
    let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let mut bytes = file.as_bytes().to_vec();
    for range in item.get("strip").and_then(Value::as_array).into_iter().flatten() {
        let (start, end) = (number(range.get(0)?)?, number(range.get(1)?)?);
        bytes.get_mut(start..end)?.iter_mut().filter(|it| **it != b'\n').for_each(|it| *it = b' ');
    }
    let (start, end) = (number(item.get("start")?)?, number(item.get("end")?)?);
    String::from_utf8(bytes.get(start..end)?.to_vec()).ok()
}

/// The sentences of all queries of set B in a folder. None of them may be trained on.
pub fn evaluation_sentences(folder: &Path) -> Result<SortedSet<String>, TrainError> {
    let mut found = SortedSet::new();
    for path in sorted_entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("queries_") {
            let raw = |query: &Value| Some(query.get("raw")?.as_str()?.to_owned());
            found.extend(lines(&path)?.iter().filter_map(raw));
        }
    }
    Ok(found)
}

fn lines(path: &Path) -> Result<Vec<Value>, TrainError> {
    let text = read(path)?;
    let line =
        |line: &str| serde_json::from_str(line).map_err(|error| TrainError::content(path, error));
    text.lines().filter(|it| !it.trim().is_empty()).map(line).collect()
}
