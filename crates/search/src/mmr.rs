//! Maximal marginal relevance: moves hits down that are similar to a better one.

use graph::ItemView;

/// The order of candidates with `scores` between 0 and 1: repeatedly takes the one with the
/// greatest `relevance * score - (1 - relevance) * similarity` to those already taken.
pub(crate) fn order(
    items: &[ItemView<'_>],
    scores: &[f32],
    relevance: f32,
    most: usize,
) -> Vec<usize> {
    let relevance = relevance.clamp(0.0, 1.0);
    let mut likeness = vec![0.0f32; items.len()];
    let mut left: Vec<usize> = (0..items.len()).collect();
    let mut taken = Vec::with_capacity(most.min(items.len()));
    while taken.len() < most && !left.is_empty() {
        let worth = |at: usize| relevance * scores[at] - (1.0 - relevance) * likeness[at];
        let mut best = 0;
        for (place, at) in left.iter().enumerate() {
            if worth(*at).total_cmp(&worth(left[best])).is_gt() {
                best = place;
            }
        }
        let next = left.remove(best);
        for other in &left {
            likeness[*other] = likeness[*other].max(alike(&items[next], &items[*other]));
        }
        taken.push(next);
    }
    taken
}

/// The similarity of two items, from facts of the map.
fn alike(a: &ItemView<'_>, b: &ItemView<'_>) -> f32 {
    if a.token_hash() == b.token_hash() {
        return 1.0;
    }
    let holds = |outer: &ItemView<'_>, inner: &ItemView<'_>| {
        outer.file == inner.file && outer.span.0 <= inner.span.0 && inner.span.1 <= outer.span.1
    };
    if holds(a, b) || holds(b, a) {
        return 0.6;
    }
    if a.kind == b.kind && a.name() == b.name() {
        return 0.5;
    }
    if a.parent == b.parent && a.parent.is_some() {
        return 0.2;
    }
    if a.file == b.file { 0.1 } else { 0.0 }
}
