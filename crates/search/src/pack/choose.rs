//! The knapsack: selects the level of detail of each item. A step raises one item to a higher
//! level; the step with the greatest gain per token comes first. Steps follow the upper hull of
//! each item's levels, which is the order of the linear relaxation, so the loss against the optimum
//! is below one step.

use base::SortedMap;

use super::count::CountTokens;
use super::level::PackItem;
use super::{Detail, SnippetRole};

/// Raises item `item` to `level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) item: usize,
    pub(super) level: usize,
}

/// Level by chosen item.
pub(super) type Chosen = SortedMap<usize, usize>;

/// The steps to take, in order, as far as `available` tokens suffice when parts are counted separately.
pub(super) fn steps(
    items: &[PackItem<'_>],
    counter: &dyn CountTokens,
    available: usize,
) -> Vec<Step> {
    let mut knapsack = Knapsack::new(items, counter, available);
    if let Some((step, cost)) = knapsack.best_whole(available / 2) {
        knapsack.take(step, cost);
    }
    while let Some((step, cost)) = knapsack.next() {
        knapsack.take(step, cost);
    }
    knapsack.steps
}

/// The steps so far, and what is left of the budget.
struct Knapsack<'a> {
    items: &'a [PackItem<'a>],
    counter: &'a dyn CountTokens,
    /// Tokens by item and level; counted when a step may be the best.
    costs: Vec<Vec<Option<usize>>>,
    /// Level by item.
    chosen: Vec<Option<usize>>,
    /// Whether an item is inside another that is shown whole.
    inside: Vec<bool>,
    /// The parts of the text that have a line of their file, and the tokens of that line.
    files: SortedMap<(SnippetRole, u32), (bool, usize)>,
    steps: Vec<Step>,
    left: usize,
}

/// A text has at least one token for so many bytes, as a rule: shorter estimates are only counted
/// more often.
const BYTES_PER_TOKEN: usize = 6;

impl<'a> Knapsack<'a> {
    fn new(items: &'a [PackItem<'a>], counter: &'a dyn CountTokens, left: usize) -> Self {
        let head = counter.count("=== \n\n");
        let mut files = SortedMap::new();
        for item in items {
            let path = item.view.path().unwrap_or_default();
            files.entry(part_of(item)).or_insert_with(|| (false, counter.count(path) + head));
        }
        Self {
            items,
            counter,
            costs: items.iter().map(|item| vec![None; item.levels.len()]).collect(),
            chosen: vec![None; items.len()],
            inside: vec![false; items.len()],
            files,
            steps: Vec::new(),
            left,
        }
    }

    /// The tokens of a level.
    fn cost(&mut self, step: Step) -> usize {
        let slot = &mut self.costs[step.item][step.level];
        *slot.get_or_insert_with(|| {
            self.counter.count(&self.items[step.item].levels[step.level].text)
        })
    }

    /// The best item whole, if it costs at most so much: a list of others is worth less than it.
    fn best_whole(&mut self, most: usize) -> Option<(Step, usize)> {
        let best = self.items.first()?;
        let level = best.levels.iter().position(|level| level.detail >= Detail::Code)?;
        let step = Step { item: 0, level };
        let cost = self.cost(step) + self.file_cost(0);
        (cost <= most).then_some((step, cost))
    }

    /// The step with the greatest gain per token that fits, and its cost.
    fn next(&mut self) -> Option<(Step, usize)> {
        loop {
            let (step, cost, is_counted) = self.best()?;
            if is_counted {
                return Some((step, cost));
            }
            self.cost(step);
        }
    }

    /// The step that seems best, its cost, and whether that is counted.
    fn best(&self) -> Option<(Step, usize, bool)> {
        let mut best: Option<(f32, Step, usize, bool)> = None;
        for (item, candidate) in self.items.iter().enumerate() {
            if self.inside[item] {
                continue;
            }
            let at = self.chosen[item];
            let had = at.map_or(0.0, |level| candidate.levels[level].share);
            let paid = at.and_then(|level| self.costs[item][level]).unwrap_or(0);
            let file = if at.is_none() { self.file_cost(item) } else { 0 };
            let above = at.map_or(0, |level| level + 1);
            let higher = candidate.levels.iter().zip(&self.costs[item]).enumerate().skip(above);
            for (level, (text, own)) in higher {
                let gain = (text.share - had) * candidate.worth;
                let tokens = own.unwrap_or(text.text.len() / BYTES_PER_TOKEN);
                let cost = (tokens + file).saturating_sub(paid).max(1);
                if cost > self.left || gain <= 0.0 {
                    continue;
                }
                let density = gain / cost as f32;
                if best.is_none_or(|(other, ..)| density > other) {
                    best = Some((density, Step { item, level }, cost, own.is_some()));
                }
            }
        }
        best.map(|(_, step, cost, is_counted)| (step, cost, is_counted))
    }

    /// The tokens of the line of an item's file; 0 where it is there.
    fn file_cost(&self, item: usize) -> usize {
        let known = self.files.get(&part_of(&self.items[item]));
        known.map_or(0, |(is_there, tokens)| if *is_there { 0 } else { *tokens })
    }

    fn take(&mut self, step: Step, cost: usize) {
        self.chosen[step.item] = Some(step.level);
        if let Some((is_there, _)) = self.files.get_mut(&part_of(&self.items[step.item])) {
            *is_there = true;
        }
        let only = Chosen::from([(step.item, step.level)]);
        for (item, inside) in self.inside.iter_mut().enumerate() {
            *inside |= is_inside(self.items, &only, item);
        }
        self.steps.push(step);
        self.left = self.left.saturating_sub(cost);
    }
}

/// The part of the text that an item is in.
fn part_of(item: &PackItem<'_>) -> (SnippetRole, u32) {
    (item.reason.role, item.view.file)
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
            && outer.levels[*level].detail >= Detail::Code
            && outer.view.file == inner.file
            && outer.view.span.0 <= inner.span.0
            && inner.span.1 <= outer.view.span.1
            // Of two items with the same extent the better one contains the other.
            && (outer.view.span != inner.span || *other < item)
    })
}
