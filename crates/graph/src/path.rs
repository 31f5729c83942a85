//! [`Map::path`]: the shortest path between two items.
use crate::edge::EdgeView;
use crate::map::Map;
use crate::query::{EdgeCounts, Traversal, counts};

/// A path from one item to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Items, both ends included.
    pub items: Vec<u32>,
    /// Edges between them, in order.
    pub edges: Vec<EdgeView>,
    /// Confidence; `unresolved` counts the unresolved sites of all visited items: a shorter path
    /// may lead through them.
    pub counts: EdgeCounts,
}

impl Map {
    /// The shortest path along the edges, `None` where there is none. Of several, the one whose
    /// items have the smallest numbers, from the start on.
    pub fn path(&self, from: u32, to: u32, query: &Traversal) -> Option<Route> {
        let count = self.item_count();
        if from >= count || to >= count {
            return None;
        }
        // The edge by which each item was reached first.
        let mut reached: Vec<Option<EdgeView>> = vec![None; count as usize];
        let mut frontier = vec![from];
        let mut visited = Vec::new();
        let mut depth = 0;
        while reached.get(to as usize)?.is_none() && from != to && depth < query.depth {
            depth += 1;
            let mut next = Vec::new();
            for item in frontier {
                visited.push(item);
                let mut edges: Vec<EdgeView> =
                    self.edges_out(item).filter(|edge| query.follows(edge)).collect();
                edges.sort_by_key(|edge| (edge.dst, edge.tier, edge.kind));
                for edge in edges {
                    match reached.get_mut(edge.dst as usize) {
                        Some(slot @ None) if edge.dst != from => {
                            *slot = Some(edge);
                            next.push(edge.dst);
                        }
                        _ => {}
                    }
                }
            }
            if next.is_empty() {
                return None;
            }
            frontier = next;
        }
        let mut edges = Vec::new();
        let mut at = to;
        while at != from {
            let edge = reached.get(at as usize).copied().flatten()?;
            at = edge.src;
            edges.push(edge);
        }
        edges.reverse();
        let mut counts = counts(&edges);
        counts.unresolved = visited.iter().map(|item| self.unresolved_in(*item).count()).sum();
        let items = [from].into_iter().chain(edges.iter().map(|edge| edge.dst)).collect();
        Some(Route { items, edges, counts })
    }
}
