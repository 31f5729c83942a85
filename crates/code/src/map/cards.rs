//! Items, edges and sites as `--json` prints them.

use base::{ContentHash, EdgeKind, ItemId, ItemKind, Provenance, Tier};
use graph::{EdgeCounts, EdgeView, ItemView, UnresolvedReason};
use serde::Serialize;

/// One item, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemCard {
    /// Stable id.
    pub id: ItemId,
    /// Readable key: `crates/io/src-lib.rs-Reader::read`.
    pub key: String,
    /// Canonical path: `package/target::module::Item`.
    pub canon: String,
    /// Item kind.
    pub kind: ItemKind,
    /// Name; for an impl, its header.
    pub name: String,
    /// Signature as written, one line; empty if the file changed since.
    pub signature: String,
    /// Visibility: `pub`, `pub(crate)` …; empty: private.
    pub visibility: String,
    /// Crate as `package/target`; `None`: outside all crates.
    #[serde(rename = "crate")]
    pub krate: Option<String>,
    /// File, relative to the project.
    pub file: Option<String>,
    /// First line after doc comments and attributes, from 1.
    pub start_line: Option<u32>,
    /// Last line.
    pub end_line: Option<u32>,
    /// Confidence of the map in the item, 0 to 1.
    pub confidence: f64,
    /// Whether it is a test or code for tests only.
    pub is_test: bool,
    /// Whether its cfg is disabled on this host.
    pub is_inactive: bool,
    /// Hash of its tokens.
    pub hash: ContentHash,
    /// Number of edges from the start item, in results of a traversal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

/// One edge, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EdgeCard {
    /// Id of the source item.
    pub src: ItemId,
    /// Id of the target item.
    pub dst: ItemId,
    /// Canonical path of the source item.
    pub src_canon: String,
    /// Canonical path of the target item.
    pub dst_canon: String,
    /// Edge kind.
    pub kind: EdgeKind,
    /// Certainty: proven or candidate.
    pub tier: Tier,
    /// Source of the edge: resolver or rust-analyzer.
    pub provenance: Provenance,
    /// Description of the resolver rule; `None`: the edge follows from the syntax tree.
    pub rule: Option<&'static str>,
    /// Number of sites.
    pub weight: u32,
    /// File of the first site, else of the source item.
    pub file: Option<String>,
    /// Line in that file, from 1.
    pub line: Option<u32>,
    /// All sites.
    pub sites: Vec<SiteCard>,
}

/// One source location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SiteCard {
    /// File, relative to the project.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

/// One unresolved site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnresolvedCard {
    /// Canonical path of the enclosing item.
    pub src_canon: String,
    /// Name at the site.
    pub name: String,
    /// Reason why it is not resolved.
    pub reason: UnresolvedReason,
    /// File, relative to the project.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: u32,
}

/// Numbers of proven, candidate and unresolved sites of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CountsCard {
    /// Number of proven edges.
    pub proven: usize,
    /// Number of candidate edges.
    pub candidate: usize,
    /// Number of unresolved sites that may be further edges.
    pub unresolved: usize,
    /// Number of files that changed since the last run of rust-analyzer, where only the resolver's
    /// results are used. `None`: there was no run for the present dependencies.
    pub analyzer_behind: Option<u64>,
}

impl super::CurrentMap<'_> {
    /// The counts of a result.
    pub(crate) fn counts(&self, counts: EdgeCounts) -> CountsCard {
        CountsCard {
            proven: counts.proven,
            candidate: counts.candidate,
            unresolved: counts.unresolved,
            analyzer_behind: self.report().analyzer.as_ref().map(|it| it.stale_files),
        }
    }

    /// The card of an item.
    pub(crate) fn card(&self, item: &ItemView<'_>) -> ItemCard {
        let has_file = item.path().is_some();
        let (signature, confidence, is_test) = self.describe(item, |it| {
            let signature = it.signature();
            let confidence = it.confidence(&signature);
            (it.best_of(signature), confidence, it.is_for_tests())
        });
        ItemCard {
            id: item.id(),
            key: item.key(),
            canon: item.canon(),
            kind: item.kind,
            name: item.name().into_owned(),
            visibility: item.visibility().to_owned(),
            krate: item.crate_name().map(str::to_owned),
            file: item.path().map(str::to_owned),
            start_line: has_file.then_some(item.line),
            end_line: has_file.then_some(item.end_line),
            confidence,
            signature,
            is_test,
            is_inactive: item.flags.is_inactive,
            hash: item.token_hash(),
            depth: None,
        }
    }

    /// The cards of the items with these numbers.
    pub(crate) fn cards(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<ItemCard> {
        let items = numbers.into_iter().filter_map(|number| self.map().item(number));
        items.map(|item| self.card(&item)).collect()
    }

    /// The card of an edge.
    pub(crate) fn edge_card(&self, edge: EdgeView) -> EdgeCard {
        let map = self.map();
        let (src, dst) = (map.item(edge.src), map.item(edge.dst));
        let sites: Vec<SiteCard> = map
            .sites(edge)
            .filter_map(|site| {
                let file = map.file(site.file)?.path.to_owned();
                Some(SiteCard { file, line: site.line })
            })
            .collect();
        let first = sites.first().cloned().or_else(|| {
            let src = src.as_ref()?;
            Some(SiteCard { file: src.path()?.to_owned(), line: src.line })
        });
        let none = ItemId::from_bytes([0; 16]);
        EdgeCard {
            src: src.as_ref().map_or(none, ItemView::id),
            dst: dst.as_ref().map_or(none, ItemView::id),
            src_canon: src.as_ref().map(ItemView::canon).unwrap_or_default(),
            dst_canon: dst.as_ref().map(ItemView::canon).unwrap_or_default(),
            kind: edge.kind,
            tier: edge.tier,
            provenance: edge.provenance,
            rule: super::current::rule(edge.rule),
            weight: edge.weight,
            file: first.as_ref().map(|site| site.file.clone()),
            line: first.map(|site| site.line),
            sites,
        }
    }

    pub(crate) fn edge_cards(&self, edges: &[EdgeView]) -> Vec<EdgeCard> {
        edges.iter().map(|edge| self.edge_card(*edge)).collect()
    }

    /// The unresolved sites that match `filter`, a predicate on source item number and name.
    pub(crate) fn unresolved(&self, filter: impl Fn(u32, &str) -> bool) -> Vec<UnresolvedCard> {
        let map = self.map();
        (0..map.unresolved_count())
            .filter_map(|number| map.unresolved(number))
            .filter(|site| filter(site.src, site.name))
            .map(|site| UnresolvedCard {
                src_canon: map.item(site.src).map(|item| item.canon()).unwrap_or_default(),
                name: site.name.to_owned(),
                reason: site.reason,
                file: map.file(site.file).map(|file| file.path.to_owned()),
                line: site.line,
            })
            .collect()
    }
}
