use base::{ContentHash, EdgeKind, ItemId, Provenance, Tier};
use graph::{EdgeCounts, EdgeView, ItemKind, ItemView, UnresolvedReason};
use serde::Serialize;

/// One item, as answers show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemCard {
    /// Its lasting id.
    pub id: ItemId,
    /// `crates/io/src-lib.rs-Reader::read`.
    pub key: String,
    /// `package/target::module::Item`.
    pub canon: String,
    /// What it is.
    pub kind: ItemKind,
    /// Its name; of an impl its header.
    pub name: String,
    /// As written, in one line; empty where its file has none to show.
    pub signature: String,
    /// `pub`, `pub(crate)` …; empty: private.
    pub visibility: String,
    /// `package/target`; `None`: outside of all crates.
    #[serde(rename = "crate")]
    pub krate: Option<String>,
    /// Its file.
    pub file: Option<String>,
    /// Where it begins, behind doc comments and attributes; from 1.
    pub start_line: Option<u32>,
    /// Its last line.
    pub end_line: Option<u32>,
    /// How sure the map is of it: 0 to 1.
    pub confidence: f64,
    /// A test, or code that is there for tests alone.
    pub is_test: bool,
    /// The cfg it stands behind is off on this host.
    pub is_inactive: bool,
    /// Of its tokens.
    pub hash: ContentHash,
    /// In how many steps it was reached, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

/// One edge, as answers show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EdgeCard {
    /// From.
    pub src: ItemId,
    /// To.
    pub dst: ItemId,
    /// From, by its canonical path.
    pub src_canon: String,
    /// To, by its canonical path.
    pub dst_canon: String,
    /// What it is.
    pub kind: EdgeKind,
    /// How sure.
    pub tier: Tier,
    /// Who found it.
    pub provenance: Provenance,
    /// By which rule, in words; `None`: it follows from the structure.
    pub rule: Option<&'static str>,
    /// How many sites it has.
    pub weight: u32,
    /// The file of its first site, else that of its source.
    pub file: Option<String>,
    /// The line there.
    pub line: Option<u32>,
    /// All its sites.
    pub sites: Vec<SiteCard>,
}

/// One place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SiteCard {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// One site without a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnresolvedCard {
    /// The item it stands in.
    pub src_canon: String,
    /// What is named there.
    pub name: String,
    /// Why nothing was found.
    pub reason: UnresolvedReason,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
}

/// How sure an answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CountsCard {
    /// Edges of the answer that are proven.
    pub proven: usize,
    /// Edges of the answer that are candidates.
    pub candidate: usize,
    /// Sites without a target that could be more of it.
    pub unresolved: usize,
    /// Files that changed since rust-analyzer was asked: syntax alone serves there. `None`: it was
    /// never asked, or of another state of the dependencies.
    pub analyzer_behind: Option<u64>,
}

impl super::Fresh<'_> {
    /// How sure an answer of this map is.
    pub(crate) fn counts(&self, counts: EdgeCounts) -> CountsCard {
        CountsCard {
            proven: counts.proven,
            candidate: counts.candidate,
            unresolved: counts.unresolved,
            analyzer_behind: self.report().analyzer.as_ref().map(|it| it.stale_files),
        }
    }

    /// The item as answers show it.
    pub fn card(&self, item: &ItemView<'_>) -> ItemCard {
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

    /// The items of these numbers.
    pub(crate) fn cards(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<ItemCard> {
        let items = numbers.into_iter().filter_map(|number| self.map().item(number));
        items.map(|item| self.card(&item)).collect()
    }

    /// The edge as answers show it.
    pub fn edge_card(&self, edge: EdgeView) -> EdgeCard {
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
            rule: super::fresh::rule(edge.rule),
            weight: edge.weight,
            file: first.as_ref().map(|site| site.file.clone()),
            line: first.map(|site| site.line),
            sites,
        }
    }

    pub(crate) fn edge_cards(&self, edges: &[EdgeView]) -> Vec<EdgeCard> {
        edges.iter().map(|edge| self.edge_card(*edge)).collect()
    }

    /// The sites without a target that `is_asked` for, by number of the source and by name.
    pub(crate) fn unresolved(&self, is_asked: impl Fn(u32, &str) -> bool) -> Vec<UnresolvedCard> {
        let map = self.map();
        (0..map.unresolved_count())
            .filter_map(|number| map.unresolved(number))
            .filter(|site| is_asked(site.src, site.name))
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
