//! Features from item names mentioned in the query.

use super::{Candidate, Context, FeatureGroup, Unit};
use base::ItemKind;

use crate::analyse::Analysis;
use crate::by_number::ByNumber;
use crate::index::SearchIndex;
use crate::query::QueryKind;
use crate::tokenize::fold;

/// Score by document whose name the query mentions.
#[derive(Debug, Default)]
pub(crate) struct NamedItems {
    code: ByNumber<f32>,
    plain: ByNumber<f32>,
    qualified: ByNumber<f32>,
}

impl NamedItems {
    pub(crate) fn of(map: &::graph::Map, index: &SearchIndex, analysis: &Analysis) -> Self {
        let mut named = Self::default();
        for name in &analysis.names {
            let exact = index.named(map, &name.name);
            let is_alone = exact.is_empty() && analysis.kind == QueryKind::Symbol;
            let (documents, trust) = match is_alone {
                true => similar(map, index, &name.name),
                false => (exact, 1.0),
            };
            if documents.is_empty() {
                continue;
            }
            let worth = trust / (documents.len() as f32).sqrt();
            for document in &documents {
                let by = if name.is_code { &mut named.code } else { &mut named.plain };
                let slot = by.entry(*document, || 0.0);
                *slot = slot.max(worth);
            }
            let Some(qualifier) = &name.qualifier else { continue };
            let holders = documents.iter().filter(|document| {
                let item = index.item_of(**document).and_then(|item| map.item(item));
                item.is_some_and(|item| has_word(&item.canon(), qualifier))
            });
            let holders: Vec<u32> = holders.copied().collect();
            let worth = 1.0 / (holders.len().max(1) as f32).sqrt();
            for document in holders {
                let slot = named.qualified.entry(document, || 0.0);
                *slot = slot.max(worth);
            }
        }
        named
    }

    /// All documents whose name the query mentions, with their worth.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, f32)> {
        self.code.iter().chain(self.plain.iter()).map(|(document, worth)| (document, *worth))
    }

    /// The worth of a document by its name; 0 where the query does not mention it. Where the query
    /// qualifies a name (`Type::method`), only its items of that holder are meant.
    pub(crate) fn worth(&self, document: u32) -> f32 {
        let is_qualified = self.qualified.iter().next().is_some();
        let all = if is_qualified { &self.qualified } else { &self.code };
        let worth = all.get(document);
        let plain = || self.plain.get(document).filter(|_| !is_qualified);
        worth.or_else(plain).copied().unwrap_or(0.0)
    }

    /// The documents that become candidates because of their name.
    pub(crate) fn strong(&self) -> impl Iterator<Item = (u32, f32)> {
        self.qualified.iter().chain(self.code.iter()).map(|(document, worth)| (document, *worth))
    }
}

/// Shortest name in which a typing error is looked for.
const MIN_MISTYPED: usize = 4;

/// The documents whose name differs in case and underscores only, else in one typing error; and how
/// much that is worth. Reads the names of all documents.
fn similar(map: &::graph::Map, index: &SearchIndex, name: &str) -> (Vec<u32>, f32) {
    let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
    let wanted = plain(name);
    let (mut folded, mut mistyped) = (Vec::new(), Vec::new());
    for document in 0..index.document_count() {
        let view = index.item_of(document).and_then(|item| map.item(item));
        let Some(view) = view else { continue };
        if matches!(view.kind, ItemKind::Impl | ItemKind::File) {
            continue;
        }
        let own = plain(&view.name());
        if own == wanted {
            folded.push(document);
        } else if wanted.len() >= MIN_MISTYPED && is_one_edit(own.as_bytes(), wanted.as_bytes()) {
            mistyped.push(document);
        }
    }
    if folded.is_empty() { (mistyped, 0.5) } else { (folded, 0.8) }
}

/// Whether one inserted, missing, other or swapped byte makes one text of the other.
fn is_one_edit(a: &[u8], b: &[u8]) -> bool {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let is_swapped = matches!((a, b), ([x, y, ..], [z, w, ..]) if x == w && y == z);
    let rest = |text: &'_ [u8], skipped: usize| text.get(skipped..).unwrap_or_default().to_vec();
    rest(a, 1) == b
        || rest(b, 1) == a
        || rest(a, 1) == rest(b, 1)
        || is_swapped && rest(a, 2) == rest(b, 2)
}

/// Whether a path contains a word as a whole segment.
fn has_word(canon: &str, word: &str) -> bool {
    canon.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
}

pub(super) struct CodeName;

impl Unit for CodeName {
    fn name(&self) -> &'static str {
        "name"
    }
    fn description(&self) -> &'static str {
        "the query mentions its name as code; a rarer name counts more"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Rules
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.named.code.get(candidate.document).copied().unwrap_or(0.0)
    }
}

pub(super) struct PlainName;

impl Unit for PlainName {
    fn name(&self) -> &'static str {
        "name_word"
    }
    fn description(&self) -> &'static str {
        "an ordinary word of the query is its name; a rarer name counts more"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Rules
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.named.plain.get(candidate.document).copied().unwrap_or(0.0)
    }
}

pub(super) struct Qualified;

impl Unit for Qualified {
    fn name(&self) -> &'static str {
        "qualified"
    }
    fn description(&self) -> &'static str {
        "the query mentions its name qualified by its parent"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Rules
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.named.qualified.get(candidate.document).copied().unwrap_or(0.0)
    }
}

pub(super) struct Scope;

impl Unit for Scope {
    fn name(&self) -> &'static str {
        "scope"
    }
    fn description(&self) -> &'static str {
        "the scope of the query's subject line is its file or directory"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Rules
    }
    fn is_of_file(&self) -> bool {
        true
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let scope = &context.analysis.scope;
        if scope.is_empty() {
            return 0.0;
        }
        let path = candidate.path();
        let parts = path.trim_end_matches(".rs").split('/');
        let is_named = parts.map(|part| fold(&part.replace('-', ""))).any(|p| scope.contains(&p));
        f32::from(u8::from(is_named))
    }
}

pub(super) struct ScopeWords;

impl Unit for ScopeWords {
    fn name(&self) -> &'static str {
        "scope_words"
    }
    fn description(&self) -> &'static str {
        "words of the modules, types or traits around it are in the query, weighted by rarity"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Rules
    }
    fn is_relative(&self) -> bool {
        true
    }
    fn is_of_scope(&self) -> bool {
        true
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(scope) = context.index.scope_of(candidate.document) else { return 0.0 };
        let idf = |term: u32| {
            let at = context.own_terms.binary_search(&term).ok()?;
            context.own_idf.get(at).copied()
        };
        context.index.scope_terms(scope).filter_map(idf).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::is_one_edit;

    #[test]
    fn one_typing_error_is_an_edit_and_two_are_not() {
        for (a, b) in [("router", "ruter"), ("router", "routr"), ("router", "routes")] {
            assert!(is_one_edit(a.as_bytes(), b.as_bytes()), "{a} {b}");
            assert!(is_one_edit(b.as_bytes(), a.as_bytes()), "{b} {a}");
        }
        assert!(is_one_edit(b"router", b"rotuer"));
        assert!(!is_one_edit(b"router", b"rotues"));
        assert!(!is_one_edit(b"router", b"root"));
        assert!(!is_one_edit(b"router", b""));
    }
}
