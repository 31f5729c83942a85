//! The search index as relations, for scripts that join vectors with facts.

use base::Ctx;
use graph::Map;
use search::{SearchIndex, TOKENIZER_VERSION};
use store::{DocMetaRow, EmbeddingRow, GraphStore, MapChange, MapRows};

use crate::{Index, IngestError};

impl Index {
    /// Updates the relations of the map, and adds the vectors of `search` and the lengths of its
    /// documents if they are missing. Returns the number of vectors. Rows that
    /// [`Index::fill_store`] later replaces have no vectors until this is called again.
    ///
    /// # Errors
    ///
    /// As [`Index::fill_store`]; [`IngestError::Rows`] if `search` belongs to another state of the
    /// map.
    pub fn fill_vectors(
        &self,
        ctx: &Ctx,
        search: &SearchIndex,
        store: &dyn GraphStore,
    ) -> Result<usize, IngestError> {
        let map = self.map();
        if search.epoch() != map.epoch() {
            let reason = "the search index belongs to another state of the map".to_owned();
            return Err(IngestError::Rows { reason });
        }
        self.fill_store(ctx, store)?;
        let encoder = search.encoder_name().unwrap_or_default();
        // Writing them rebuilds the index over them, which takes long.
        if self.has_filled_vectors(encoder) {
            return Ok(search.vector_count() as usize);
        }
        ctx.progress("filling the database", "vectors");
        let rows = rows(&map, search);
        let count = rows.embeddings.len();
        let from = Some(map.epoch());
        store.update(&MapChange { from, rows, ..MapChange::default() }, map.epoch())?;
        self.mark_filled_vectors(encoder)?;
        Ok(count)
    }
}

fn rows(map: &Map, search: &SearchIndex) -> MapRows {
    let model = search.encoder_name().unwrap_or_default();
    let embeddings = search.vectors().filter_map(|(item, vec)| {
        Some(EmbeddingRow { id: map.item(item)?.id(), model: model.to_owned(), vec })
    });
    let doc_meta = search.document_lengths().filter_map(|(item, token_length)| {
        let item = map.item(item)?;
        Some(DocMetaRow {
            id: item.id(),
            tracking_hash: item.token_hash(),
            tokenizer_version: TOKENIZER_VERSION,
            token_length,
        })
    });
    MapRows { embeddings: embeddings.collect(), doc_meta: doc_meta.collect(), ..MapRows::default() }
}
