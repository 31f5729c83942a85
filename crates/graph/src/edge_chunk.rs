use base::{EdgeKind, Provenance, Tier};

/// The edges that leave a run of items, with their sites, as they stand in a map – but for where
/// they lead, which changes when other files do. It is written once, and taken into every map until
/// one of its edges is another.
#[derive(Clone, Debug, Default)]
pub struct EdgeChunk {
    /// Of each item: how many edges it and those before it have.
    pub(crate) ends: Vec<u32>,
    pub(crate) kinds: Vec<u8>,
    pub(crate) rules: Vec<u8>,
    /// Edges whose weight is not what their sites say.
    pub(crate) weights: Vec<(u32, u32)>,
    /// Of each edge: how many sites it and those before it have.
    pub(crate) site_ends: Vec<u32>,
    pub(crate) offsets: Vec<u32>,
    pub(crate) lines: Vec<u32>,
    /// Sites that stand in another file than the items: which, and in what file.
    pub(crate) elsewhere: Vec<(u32, u32)>,
    file: u32,
}

/// An edge without its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeHead {
    /// What it is.
    pub kind: EdgeKind,
    /// How sure.
    pub tier: Tier,
    /// Who found it.
    pub provenance: Provenance,
    /// By which rule; 0: structure.
    pub rule: u8,
    /// How many sites it has.
    pub weight: u32,
}

impl EdgeChunk {
    /// An empty one, of items of the file of this number; `u32::MAX`: of none.
    pub fn new(file: u32) -> Self {
        Self { file, ..Self::default() }
    }

    /// Adds an edge of the item at hand, and its sites as `(file, offset, line)`. The edges of one
    /// item come by kind and target, sites in their order.
    pub fn push(&mut self, edge: EdgeHead, sites: impl Iterator<Item = (u32, u32, u32)>) {
        let before = self.offsets.len();
        for (file, offset, line) in sites {
            if file != self.file {
                self.elsewhere.push((self.offsets.len() as u32, file));
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

    /// The item at hand has no more edges; the next one comes.
    pub fn end_item(&mut self) {
        self.ends.push(self.kinds.len() as u32);
    }

    /// How many items it has edges of.
    pub fn item_count(&self) -> usize {
        self.ends.len()
    }

    /// How many edges it has.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// It has none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}
