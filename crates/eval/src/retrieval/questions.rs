//! Questions about whole files (`cargo xtask file-questions`): which file is the answer?

use base::{Ctx, SortedSet};
use code::{Finder, SearchRequest, SearchUnit};

use super::baseline::{PlainSearch, query_words, words};
use super::cases::FileQuestion;
use super::corpus::CorpusDir;
use super::metrics::scores;
use super::note;
use crate::{CaseResult, EvalError};

/// Number of answers; metrics use the first ten.
const K: usize = 20;

/// An opened crate, and the plain search over its files.
pub(super) struct Corpus<'a> {
    finder: Finder<'a>,
    files: Vec<String>,
    plain: PlainSearch,
}

impl<'a> Corpus<'a> {
    pub(super) fn open(finder: Finder<'a>, place: &CorpusDir) -> Result<Self, EvalError> {
        let (mut files, mut documents) = (Vec::new(), Vec::new());
        for file in finder.map().files() {
            documents.push(words(&format!("{} {}", file.path, place.read(file.path)?)));
            files.push(file.path.to_owned());
        }
        Ok(Self { finder, files, plain: PlainSearch::new(documents) })
    }

    /// Asks one question as a person does, without an intent.
    pub(super) fn ask(&self, ctx: &Ctx, case: &FileQuestion) -> Result<CaseResult, EvalError> {
        let mut result = CaseResult {
            id: case.id.clone(),
            groups: vec![case.kind.clone()],
            outcome: "answered".to_owned(),
            ..CaseResult::default()
        };
        let request =
            SearchRequest { by: SearchUnit::File, ..SearchRequest::new(&case.question, K) };
        let answer = self.finder.search(ctx, &request)?;
        result.product_ms = answer.took_us / 1000;
        let gold_of = |file: &str| -> SortedSet<usize> {
            case.files.iter().position(|gold| gold == file).into_iter().collect()
        };
        let hits: Vec<SortedSet<usize>> =
            answer.hits.iter().filter_map(|hit| hit.file.as_deref()).map(gold_of).collect();
        note(&mut result.metrics, &scores(&hits, case.files.len()), "file", "raw");
        let query = query_words(&case.question);
        let rankings = [("bm25", self.plain.bm25(&query)), ("keyword", self.plain.keyword(&query))];
        for (method, order) in rankings {
            let files = order.into_iter().filter_map(|at| self.files.get(at));
            let hits: Vec<SortedSet<usize>> = files.map(|file| gold_of(file)).collect();
            let metrics = result.beside.entry(method.to_owned()).or_default();
            note(metrics, &scores(&hits, case.files.len()), "file", "raw");
        }
        Ok(result)
    }
}
