//! [`EdgeChunk`]: the encoded outgoing edges of a run of items, reusable from map to map.
use base::{EdgeKind, Provenance, Tier};

/// The outgoing edges of a run of items with their sites, encoded as in a map, but without targets,
/// whose numbers change when other files change. Encoded once and copied into every map until one
/// of its edges changes.
#[derive(Clone, Debug, Default)]
pub struct EdgeChunk {
    /// Cumulative number of edges, by item.
    pub(crate) ends: Vec<u32>,
    pub(crate) kinds: Vec<u8>,
    pub(crate) rules: Vec<u8>,
    /// Edges whose weight differs from the number of their sites: edge, weight.
    pub(crate) weights: Vec<(u32, u32)>,
    /// Cumulative number of sites, by edge.
    pub(crate) site_ends: Vec<u32>,
    pub(crate) offsets: Vec<u32>,
    pub(crate) lines: Vec<u32>,
    /// Sites in another file than the items: site, file.
    pub(crate) other_files: Vec<(u32, u32)>,
    file: u32,
}

/// An edge without source and target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeHead {
    /// Kind.
    pub kind: EdgeKind,
    /// Confidence.
    pub tier: Tier,
    /// Resolver that found it.
    pub provenance: Provenance,
    /// Resolution rule; 0: structural edge.
    pub rule: u8,
    /// Number of sites.
    pub weight: u32,
}

impl EdgeChunk {
    /// An empty chunk for the items of file number `file`; `u32::MAX`: items without a file.
    pub fn new(file: u32) -> Self {
        Self { file, ..Self::default() }
    }

    /// Adds an edge of the current item, and its sites as `(file, offset, line)`. The edges of one
    /// item must come by kind and target, the sites by position.
    pub fn push(&mut self, edge: EdgeHead, sites: impl Iterator<Item = (u32, u32, u32)>) {
        let before = self.offsets.len();
        for (file, offset, line) in sites {
            if file != self.file {
                self.other_files.push((self.offsets.len() as u32, file));
            }
            self.offsets.push(offset);
            self.lines.push(line);
        }
        if edge.weight != (self.offsets.len() - before).max(1) as u32 {
            self.weights.push((self.kinds.len() as u32, edge.weight));
        }
        self.kinds.push(edge.kind as u8 | (edge.tier as u8) << 3 | (edge.provenance as u8) << 4);
        self.rules.push(edge.rule);
        self.site_ends.push(self.offsets.len() as u32);
    }

    /// Ends the current item and begins the next one.
    pub fn end_item(&mut self) {
        self.ends.push(self.kinds.len() as u32);
    }

    /// The number of edges.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }
}
