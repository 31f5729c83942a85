//! Documents by name, for names that are specific: shared by few documents.
//!
//! Names are stored as half a hash, sorted; names with the same hash are adjacent, and the caller
//! compares the name itself.

use std::borrow::Cow;

use graph::Map;

use super::SearchIndex;
use super::layout::Section;
use base::columns::put_column;

/// Maximum number of documents with a name; a more common name is not specific.
pub(crate) const MOST_NAMESAKES: usize = 100;

/// Columns: hashes, start of each hash's documents, and documents.
pub(super) fn columns(documents: &[u32], map: &Map) -> [Vec<u8>; 3] {
    let mut named: Vec<(u32, Cow<'_, str>, u32)> = (0u32..)
        .zip(documents)
        .filter_map(|(document, item)| {
            let name = map.item(*item)?.name();
            Some((hash(&name), name, document))
        })
        .collect();
    named.sort_unstable();
    let (mut hashes, mut starts, mut all) = (Vec::new(), vec![0u32], Vec::new());
    for own in named.chunk_by(|a, b| a.0 == b.0 && a.1 == b.1) {
        if own.len() <= MOST_NAMESAKES {
            hashes.extend(own.first().map(|(hash, ..)| *hash));
            all.extend(own.iter().map(|(.., document)| *document));
            starts.push(all.len() as u32);
        }
    }
    [hashes, starts, all].map(|values| {
        let mut out = Vec::new();
        put_column(&mut out, &values);
        out
    })
}

impl SearchIndex {
    /// The documents with this name, ascending; none where more than [`MOST_NAMESAKES`] have it.
    pub(crate) fn named(&self, map: &Map, name: &str) -> Vec<u32> {
        let hashes = self.column(Section::NameHashes);
        let starts = self.column(Section::NameStarts);
        let documents = self.column(Section::NameDocuments);
        let wanted = hash(name);
        let mut at = hashes.partition_point(|other| other < wanted);
        while hashes.get(at) == Some(wanted) {
            let (Some(start), Some(end)) = (starts.get(at), starts.get(at + 1)) else { break };
            let is_meant = |document: u32| {
                let item = self.item_of(document).and_then(|item| map.item(item));
                item.is_some_and(|item| item.name() == name)
            };
            if documents.get(start as usize).is_some_and(is_meant) {
                let own = start as usize..(end as usize).min(start as usize + MOST_NAMESAKES);
                return own.filter_map(|at| documents.get(at)).collect();
            }
            at += 1;
        }
        Vec::new()
    }
}

/// FNV-1a folded to half its width.
fn hash(name: &str) -> u32 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ hash >> 32) as u32
}
