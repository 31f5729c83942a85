//! The document of an item of the map: a table that is built on first use.

use base::columns::Column;

/// Marker: the item has no document.
const NONE: u32 = u32::MAX;

/// Maximum number of items per document for which a table is built; a map has a few.
const SPARSE: usize = 64;

/// Document by item number.
#[derive(Debug)]
pub(super) struct ByItem {
    /// Table; empty where it would be much longer than the documents: damaged or forged.
    documents: Vec<u32>,
}

impl ByItem {
    /// Builds the table from the sorted item numbers of the documents.
    pub(super) fn of(items: Column<'_>) -> Self {
        let len = items.len().checked_sub(1).and_then(|last| items.get(last));
        let len = len.map_or(0, |last| last as usize).saturating_add(1);
        if len > items.len().saturating_mul(SPARSE) {
            return Self { documents: Vec::new() };
        }
        let mut documents = vec![NONE; len];
        for (document, item) in (0u32..).zip(items.slice(0, items.len())) {
            if let Some(slot) = documents.get_mut(item as usize) {
                *slot = document;
            }
        }
        Self { documents }
    }

    /// The document of an item; `items` is what the table was built from.
    pub(super) fn get(&self, items: Column<'_>, item: u32) -> Option<u32> {
        if self.documents.is_empty() {
            return items.find(item).map(|at| at as u32);
        }
        self.documents.get(item as usize).copied().filter(|document| *document != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::columns::put_column;

    #[test]
    fn documents_are_found_by_table_and_without() {
        for items in [vec![], vec![0], vec![3], vec![0, 2, 5, 6], vec![1, 4_000_000_000]] {
            let mut bytes = Vec::new();
            put_column(&mut bytes, &items);
            let column = Column::with_width(&bytes);
            let by_item = ByItem::of(column);
            for item in (0..10).chain([4_000_000_000, u32::MAX]) {
                let expected = items.iter().position(|it| *it == item).map(|at| at as u32);
                assert_eq!(by_item.get(column, item), expected, "{items:?} {item}");
            }
        }
    }
}
