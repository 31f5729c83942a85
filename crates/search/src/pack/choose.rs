//! The knapsack: selects the level of detail of each item. A step raises one item to a higher
//! level; the step with the greatest gain per token comes first. Steps follow the upper hull of
//! each item's levels, which is the order of the linear relaxation, so the loss against the optimum
//! is below one step.

use std::collections::BTreeMap;

use super::count::CountTokens;
use super::level::PackItem;

/// Raises item `item` to `level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) item: usize,
    pub(super) level: usize,
}

/// Level by chosen item.
pub(super) type Chosen = BTreeMap<usize, usize>;

/// The steps to take, in order, as far as `available` tokens suffice when parts are counted separately.
pub(super) fn steps(
    items: &[PackItem<'_>],
    counter: &dyn CountTokens,
    available: usize,
) -> Vec<Step> {
    let costs: Vec<Vec<usize>> = items
        .iter()
        .map(|item| item.levels.iter().map(|level| counter.count(&level.text)).collect())
        .collect();
    let mark = counter.count("@ 10000-10000 in impl x\n");
    let file_cost = |item: &PackItem<'_>| {
        let path = item.view.path().unwrap_or_default();
        counter.count(path) + counter.count("=== \n\n")
    };
    let file_costs: Vec<usize> = items.iter().map(file_cost).collect();
    let mut chosen = Chosen::new();
    let mut steps = Vec::new();
    let mut left = available;
    loop {
        let mut best: Option<(f32, Step, usize)> = None;
        for (item, candidate) in items.iter().enumerate() {
            let at = chosen.get(&item).copied();
            if is_inside(items, &chosen, item) {
                continue;
            }
            let history = at.map_or(0.0, |level| candidate.levels[level].share);
            let paid = at.map_or(0, |level| costs[item][level] + mark);
            let is_new_file = at.is_none()
                && !chosen.keys().any(|other| items[*other].view.file == candidate.view.file);
            let file = if is_new_file { file_costs[item] } else { 0 };
            let above = at.map_or(0, |level| level + 1);
            let higher = candidate.levels.iter().zip(&costs[item]).enumerate().skip(above);
            for (level, (text, own)) in higher {
                let gain = (text.share - history) * candidate.worth;
                let cost = (own + mark + file).saturating_sub(paid).max(1);
                if cost > left || gain <= 0.0 {
                    continue;
                }
                let density = gain / cost as f32;
                if best.is_none_or(|(other, ..)| density > other) {
                    best = Some((density, Step { item, level }, cost));
                }
            }
        }
        let Some((_, step, cost)) = best else { return steps };
        chosen.insert(step.item, step.level);
        steps.push(step);
        left -= cost;
    }
}

/// The levels after some steps.
pub(super) fn after(steps: &[Step]) -> Chosen {
    steps.iter().map(|step| (step.item, step.level)).collect()
}

/// Whether the whole text of another chosen item contains this one.
pub(super) fn is_inside(items: &[PackItem<'_>], chosen: &Chosen, item: usize) -> bool {
    let inner = &items[item].view;
    chosen.iter().any(|(other, level)| {
        let outer = &items[*other];
        *other != item
            && outer.levels[*level].detail >= super::Detail::Body
            && outer.view.file == inner.file
            && outer.view.span.0 <= inner.span.0
            && inner.span.1 <= outer.view.span.1
            // Of two items with the same extent the better one contains the other.
            && (outer.view.span != inner.span || *other < item)
    })
}
