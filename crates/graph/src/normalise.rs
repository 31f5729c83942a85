//! [`MapData::normalise`]: the one order of rows that the format allows.
use crate::data::{EdgeRow, MapData, SiteRow};

impl MapData {
    /// Sorts edges, sites, unresolved sites and problems: edges by source, kind and target. Edges
    /// of one kind between the same items are merged (the better tier wins, weights are summed);
    /// rows that refer to a missing item are dropped. Items, files and crates keep their numbers.
    pub fn normalise(&mut self) {
        let items = self.items.len();
        let mut order: Vec<u32> = (0..self.edges.len() as u32).collect();
        order.retain(|n| is_inside(&self.edges[*n as usize], items));
        order.sort_by_key(|n| self.edges[*n as usize]);
        let mut edges: Vec<EdgeRow> = Vec::with_capacity(order.len());
        let mut new_numbers = vec![None; self.edges.len()];
        for old in order {
            let edge = self.edges[old as usize];
            match edges.last_mut() {
                // Edges are sorted by tier within one connection, so the first has the best.
                Some(last) if name(last) == name(&edge) => {
                    last.weight = last.weight.saturating_add(edge.weight);
                }
                _ => edges.push(edge),
            }
            new_numbers[old as usize] = Some(edges.len() as u32 - 1);
        }
        self.edges = edges;
        let sites = self.sites.iter().filter_map(|site| {
            let edge = new_numbers.get(site.edge as usize).copied().flatten()?;
            Some(SiteRow { edge, ..*site })
        });
        self.sites = sites.collect();
        self.sites.sort_unstable();
        self.unresolved.retain(|row| (row.src as usize) < items);
        self.unresolved.sort();
        self.problems.sort();
    }

    /// Whether the rows are in order already.
    pub(crate) fn is_normal(&self) -> bool {
        let items = self.items.len();
        self.edges.iter().all(|edge| is_inside(edge, items))
            && self.edges.is_sorted_by(|a, b| name(a) < name(b))
            && self.sites.iter().all(|site| (site.edge as usize) < self.edges.len())
            && self.sites.is_sorted()
            && self.unresolved.iter().all(|row| (row.src as usize) < items)
            && self.unresolved.is_sorted()
    }
}

fn is_inside(edge: &EdgeRow, items: usize) -> bool {
    (edge.src as usize) < items && (edge.dst as usize) < items
}

/// The key of an edge: edges with equal keys are merged.
fn name(edge: &EdgeRow) -> (u32, base::EdgeKind, u32) {
    (edge.src, edge.kind, edge.dst)
}
