//! Fills the database with the rows of the map. Start at [`Index::fill_store`].

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use base::{
    ContentHash, Ctx, EdgeKind, ItemId, ItemKind, ProjectPath, Provenance, SortedMap, Tier,
};
use graph::{ItemView, Map};
use serde::{Deserialize, Serialize};
use store::{
    BlobRow, GraphStore, IsgEdgeRow, MapChange, MapRows, NodeDeclaration, NodeLocation, NodeRow,
    StoreError,
};

use crate::macro_items::{MACRO_INTERFACE, MacroItem};
use crate::sealed::{self, Format, SealedFile, seal};
use crate::{Description, Index, IngestError, Signatures};

/// The version must grow whenever the same map would produce other rows.
const FORMAT: Format = Format { kind: *b"fill", version: 7 };

/// The content of the database: for each node the hash of everything its rows are built from.
#[derive(Serialize, Deserialize)]
struct Filled {
    epoch: u64,
    /// Hash of the sources. A lost index restarts its epochs, so the epoch alone is not sufficient.
    sources: ContentHash,
    nodes: SortedMap<[u8; 16], u64>,
    /// The encoder whose vectors of all these nodes are in the database.
    vectors: Option<String>,
}

impl Index {
    /// Updates the map's relations in the database to the state of [`Index::map`]: all of them the
    /// first time, then those of items that changed. Does nothing if they are current.
    ///
    /// # Errors
    ///
    /// [`IngestError::Changed`] if a file differs from the map (call [`Index::refresh`] first);
    /// errors of the database; cancellation.
    pub fn fill_store(&self, ctx: &Ctx, store: &dyn GraphStore) -> Result<(), IngestError> {
        let map = self.map();
        let present = store.epoch()?;
        // Without this record the origin and version of the existing rows are unknown.
        let former = self.read_filled();
        let former = former.filter(|former| present == Some(former.epoch));
        let sources = sources_of(&map);
        let is_now = |it: &Filled| it.epoch == map.epoch() && it.sources == sources;
        if former.as_ref().is_some_and(is_now) {
            return Ok(());
        }
        // A later epoch belongs to an earlier index that was lost.
        let former = former.filter(|former| former.epoch < map.epoch());
        ctx.progress("filling the database", "");
        let texts = self.texts(&map)?;
        let builder = StoreRowBuilder { map: &map, texts, signatures: self.signatures() };
        let nodes = SortedMap::new();
        let mut filled = Filled { epoch: map.epoch(), sources, nodes, vectors: None };
        let mut rows = MapRows::default();
        let mut change = MapChange::default();
        let mut differs = |id: ItemId, digest: u64| {
            filled.nodes.insert(id.to_bytes(), digest);
            match former.as_ref().map(|former| former.nodes.get(&id.to_bytes())) {
                Some(Some(known)) if *known == digest => return false,
                Some(Some(_)) => change.renewed.push(id),
                _ => {}
            }
            true
        };
        let total = u64::from(map.item_count());
        for item in map.items() {
            if item.number.is_multiple_of(512) {
                ctx.check_cancelled()?;
                ctx.count("filling the database", "", u64::from(item.number), total);
            }
            let description = builder.describe(&item);
            if differs(item.id(), builder.digest(&description)) {
                builder.rows(&description, &mut rows);
            }
            for made in description.macro_items() {
                if differs(made.id, first_bytes(made.hash())) {
                    rows.nodes.push(row_of_macro_item(&description, &made));
                }
            }
        }
        let Some(former) = former else {
            store.import(&rows, map.epoch())?;
            return self.write_filled(&filled);
        };
        let removed = former.nodes.keys().filter(|id| !filled.nodes.contains_key(*id));
        change.removed = removed.map(|id| ItemId::from_bytes(*id)).collect();
        change.rows = rows;
        change.from = Some(former.epoch);
        match store.update(&change, map.epoch()) {
            // Another process updated the database meanwhile: compute the difference from its state.
            Err(StoreError::Stale { .. }) => return self.fill_store(ctx, store),
            other => other?,
        }
        self.write_filled(&filled)
    }

    /// Whether the database, just updated by [`Index::fill_store`], contains the vectors of this
    /// encoder.
    pub(crate) fn has_filled_vectors(&self, encoder: &str) -> bool {
        self.read_filled().is_some_and(|filled| filled.vectors.as_deref() == Some(encoder))
    }

    /// Records that the database contains them.
    pub(crate) fn mark_filled_vectors(&self, encoder: &str) -> Result<(), IngestError> {
        match self.read_filled() {
            Some(filled) => {
                self.write_filled(&Filled { vectors: Some(encoder.to_owned()), ..filled })
            }
            None => Ok(()),
        }
    }

    fn read_filled(&self) -> Option<Filled> {
        match sealed::read(FORMAT, &self.folder().join("filled.bin")) {
            SealedFile::Content(content) => postcard::from_bytes(&content).ok(),
            SealedFile::Missing | SealedFile::Damaged(_) => None,
        }
    }

    fn write_filled(&self, filled: &Filled) -> Result<(), IngestError> {
        let content = postcard::to_stdvec(filled)
            .map_err(|err| IngestError::Rows { reason: err.to_string() })?;
        sealed::replace(&self.folder().join("filled.bin"), &[&seal(FORMAT, &content)])
    }

    /// The texts of all files of a map, by number, as they were when it was built.
    fn texts(&self, map: &Map) -> Result<Vec<Arc<str>>, IngestError> {
        let root = self.project().root();
        map.files()
            .map(|file| {
                let changed = || IngestError::Changed { path: file.path.to_owned() };
                let path = ProjectPath::new(file.path).map_err(|_| changed())?;
                if let Some(known) = self.known_text(&path, file.hash) {
                    return Ok(known);
                }
                let bytes = untrusted_fs::read_source(root, path.as_str()).ok_or_else(changed)?;
                if ContentHash::of(&bytes) != file.hash {
                    return Err(changed());
                }
                Ok(String::from_utf8(bytes).map_err(|_| changed())?.into())
            })
            .collect()
    }
}

/// Identifies the sources of a map: its files, and the number of items found in them.
fn sources_of(map: &Map) -> ContentHash {
    let mut hasher = base::Hasher::new();
    for file in map.files() {
        hasher.field(file.path.as_bytes()).field(file.hash.as_bytes());
    }
    for count in [map.item_count(), map.edge_count(), map.crate_count(), map.problem_count()] {
        hasher.field(&count.to_le_bytes());
    }
    hasher.finish()
}

struct StoreRowBuilder<'a> {
    map: &'a Map,
    texts: Vec<Arc<str>>,
    signatures: Signatures,
}

impl StoreRowBuilder<'_> {
    /// Hash of everything that the rows of a node and of its outgoing edges are built from.
    fn digest(&self, description: &Description<'_>) -> u64 {
        let (mut hasher, item) = (base::Hasher::new(), description.item());
        for made in description.generated_items() {
            hasher.field(made.path.as_bytes()).field(made.signature.as_bytes());
        }
        hasher.field(&description.analyzed_at().map_or(0, |at| at.0).to_le_bytes());
        for path in description.resolved_types().into_iter().flatten() {
            hasher.field(path.as_bytes());
        }
        hasher.field(item.key().as_bytes()).field(item.canon().as_bytes());
        hasher.field(self.own_code(&item, description).as_bytes());
        hasher.field(item.visibility().as_bytes());
        hasher.field(description.ra_signature().unwrap_or_default().as_bytes());
        for number in [item.span.0, item.span.1, item.line, item.end_line, item.parse_errors] {
            hasher.field(&number.to_le_bytes());
        }
        let flags = [description.is_for_tests(), item.flags.is_recovered, item.flags.from_macro];
        hasher.field(&flags.map(u8::from)).field(&[description.level()]);
        for edge in self.map.edges_out(item.number) {
            let to = self.map.item(edge.dst).map_or([0; 16], |to| to.id().to_bytes());
            hasher.field(&to).field(&[edge.kind as u8, edge.tier as u8, edge.provenance as u8]);
            hasher.field(&edge.weight.to_le_bytes());
        }
        first_bytes(hasher.finish())
    }

    fn describe<'a>(&'a self, item: &ItemView<'a>) -> Description<'a> {
        let text = self.texts.get(item.file as usize);
        Description::of(self.map, *item, text.map(AsRef::as_ref)).with_ra(&self.signatures)
    }

    /// The code of an item without that of the items in it, which have their own rows: for an impl
    /// its head and the text between its members. Otherwise each text would be stored once per
    /// enclosing item.
    fn own_code<'a>(&self, item: &ItemView<'a>, description: &Description<'a>) -> Cow<'a, str> {
        use ItemKind::{Impl, MacroCall, Module, Trait};
        let code = description.code();
        let (start, end) = item.span;
        if code.is_empty() || !matches!(item.kind, Impl | MacroCall | Module | Trait) {
            return Cow::Borrowed(code);
        }
        let following = (item.number + 1..self.map.item_count()).map_while(|it| self.map.item(it));
        let inside = following.take_while(|it| it.file == item.file && it.span.0 < end);
        let mut own = String::new();
        let mut at = start;
        for member in inside {
            let is_part = member.span.0 >= at && member.span.1 <= end && member.span != item.span;
            if is_part && !self.describe(&member).code().is_empty() {
                own.push_str(slice(code, start, at..member.span.0));
                at = member.span.1;
            }
        }
        if at == start {
            return Cow::Borrowed(code);
        }
        own.push_str(slice(code, start, at..end));
        Cow::Owned(own)
    }

    /// Adds the rows of an item.
    fn rows(&self, description: &Description<'_>, rows: &mut MapRows) {
        let item = &description.item();
        let id = item.id();
        let signature = description.signature();
        let confidence = description.confidence(&signature);
        rows.nodes.push(NodeRow {
            id,
            key: item.key(),
            canon: item.canon(),
            location: location(item),
            krate: item.crate_name().unwrap_or_default().to_owned(),
            module_path: description.module_path(),
            kind: item.kind.as_str().to_owned(),
            name: item.name().into_owned(),
            declaration: NodeDeclaration {
                generics: description.generics(&signature),
                ra_signature: description.ra_signature().map(str::to_owned),
                vis: item.visibility().to_owned(),
                signature_syn: signature.exact().map(str::to_owned),
                signature_ts: signature.written,
                resolved_types: description
                    .resolved_types()
                    .map(|types| serde_json::Value::from(types).to_string()),
                macro_expansion_notes: description.expansion_notes(),
            },
            isgl_level: description.level(),
            parse_error_count: item.parse_errors,
            confidence,
            hash: item.token_hash(),
            ra_hydrated_ts: analyzed_at(description),
            diag_summary: None,
        });
        let code = self.own_code(item, description);
        if !code.is_empty() {
            rows.blobs.push(BlobRow {
                id,
                code: code.into_owned(),
                tdd_classification: description.class().as_str().to_owned(),
                recovered: description.is_recovered(),
            });
        }
        self.edge_rows(description, &mut rows.edges);
    }

    /// Adds the rows of the edges from an item.
    fn edge_rows(&self, description: &Description<'_>, rows: &mut Vec<IsgEdgeRow>) {
        let item = &description.item();
        let id = item.id();
        for edge in self.map.edges_out(item.number) {
            let Some(to) = self.map.item(edge.dst) else { continue };
            rows.push(IsgEdgeRow {
                src: id,
                dst: to.id(),
                kind: edge.kind,
                weight: f64::from(edge.weight),
                provenance: edge.provenance,
                tier: edge.tier,
                sites: self.map.sites(edge).count() as u32,
            });
        }
        rows.extend(description.macro_items().into_iter().map(|made| IsgEdgeRow {
            src: id,
            dst: made.id,
            kind: EdgeKind::Contains,
            weight: 1.0,
            provenance: Provenance::Ra,
            tier: Tier::Proven,
            sites: 0,
        }));
    }
}

fn location(item: &ItemView<'_>) -> NodeLocation {
    NodeLocation {
        file_path: item.path().unwrap_or_default().to_owned(),
        span_start: item.span.0,
        span_end: item.span.1,
        line: item.line,
        end_line: item.end_line,
    }
}

/// The row of an item generated by a macro call: at the position of the call, with the facts from
/// rust-analyzer.
fn row_of_macro_item(call: &Description<'_>, made: &MacroItem<'_>) -> NodeRow {
    let item = call.item();
    NodeRow {
        id: made.id,
        key: made.key.clone(),
        canon: made.canon.clone(),
        location: location(&item),
        krate: item.crate_name().unwrap_or_default().to_owned(),
        module_path: call.module_path(),
        kind: MACRO_INTERFACE.to_owned(),
        name: made.name().to_owned(),
        declaration: NodeDeclaration {
            generics: String::new(),
            ra_signature: Some(made.interface.signature.to_string()),
            vis: String::new(),
            signature_ts: String::new(),
            signature_syn: None,
            resolved_types: None,
            macro_expansion_notes: Some(made.notes()),
        },
        isgl_level: call.level(),
        parse_error_count: 0,
        confidence: made.confidence(),
        hash: made.hash(),
        ra_hydrated_ts: analyzed_at(call),
        diag_summary: None,
    }
}

fn analyzed_at(description: &Description<'_>) -> Option<i64> {
    description.analyzed_at().and_then(|at| i64::try_from(at.0).ok())
}

fn first_bytes(hash: ContentHash) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|at| hash.as_bytes()[at]))
}

/// A part of a code that begins at `start` of its text.
fn slice(code: &str, start: u32, part: Range<u32>) -> &str {
    code.get((part.start - start) as usize..(part.end - start) as usize).unwrap_or_default()
}
