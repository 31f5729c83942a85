//! Centrality of items: PageRank over calls, uses and implementations of the whole map.

use base::EdgeKind;

const ROUNDS: usize = 12;
const DAMPING: f32 = 0.85;

/// Centrality by item, 0 to 255: the logarithm of its rank over the minimum.
pub(crate) fn of_map(map: &graph::Map) -> Vec<u8> {
    let items = map.item_count() as usize;
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut out_degree = vec![0u32; items];
    for edge in map.edges().filter(|edge| is_followed(edge.kind) && edge.src != edge.dst) {
        edges.push((edge.src, edge.dst));
        out_degree[edge.src as usize] += 1;
    }
    let mut rank = vec![1.0f32; items];
    let mut next = vec![0.0f32; items];
    for _ in 0..ROUNDS {
        next.fill(1.0 - DAMPING);
        for (src, dst) in &edges {
            let share = rank[*src as usize] / out_degree[*src as usize] as f32;
            next[*dst as usize] += DAMPING * share;
        }
        std::mem::swap(&mut rank, &mut next);
    }
    // A rank of 1 - DAMPING is that of an item without incoming edges; ranks above 64 times that
    // are cut off.
    let scale = 255.0 / 64f32.ln();
    rank.iter()
        .map(|rank| ((rank / (1.0 - DAMPING)).ln() * scale).clamp(0.0, 255.0) as u8)
        .collect()
}

fn is_followed(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Calls | EdgeKind::Uses | EdgeKind::Implements)
}
