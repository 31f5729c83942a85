//! The examples of a text before and after a change, in pairs. Start at [`Matches`].

use std::collections::VecDeque;

use super::examples::Example;
use base::{SortedMap, SortedSet};

/// Most candidates that an example is compared with by its lines.
const WINDOW: usize = 8;

/// The tested examples of the old text with those of the new one.
#[derive(Default)]
pub(super) struct Matches<'e> {
    /// With the same text.
    pub(super) same: Vec<(&'e Example, &'e Example)>,
    /// With another text.
    pub(super) changed: Vec<(&'e Example, &'e Example)>,
    /// Without an example of the new text that is tested.
    pub(super) removed: Vec<&'e Example>,
}

impl<'e> Matches<'e> {
    /// The pairs: first by text, then by assertions, by item, and by order.
    pub(super) fn of(old: &'e [Example], new: &'e [Example]) -> Self {
        let mut found = Self::default();
        let mut left = found.add_same(old, new);
        let by_assertions = |it: &Example| it.assertions().join("\n");
        left.pair(&mut found, &|it| {
            let key = by_assertions(it);
            (!key.is_empty()).then(|| format!("{}\n{key}", it.item))
        });
        left.pair(&mut found, &|it| Some(by_assertions(it)).filter(|it| !it.is_empty()));
        left.pair(&mut found, &|it| Some(it.item.clone()));
        left.pair(&mut found, &|_| Some(String::new()));
        found.removed = left.old;
        found
    }

    /// Adds the pairs with the same text, those that are tested most first; returns the others.
    fn add_same(&mut self, old: &'e [Example], new: &'e [Example]) -> Unmatched<'e> {
        let mut by_text: SortedMap<&str, Vec<usize>> = SortedMap::new();
        for (at, example) in new.iter().enumerate() {
            by_text.entry(&example.text).or_default().push(at);
        }
        for list in by_text.values_mut() {
            // The last one is taken first.
            list.sort_by_key(|at| (new[*at].is_tested(), new[*at].testing.level, usize::MAX - at));
        }
        let mut left = Unmatched::default();
        let mut taken = SortedSet::new();
        for example in old.iter().filter(|it| it.is_tested()) {
            match by_text.get_mut(example.text.as_str()).and_then(Vec::pop) {
                Some(at) => {
                    taken.insert(at);
                    self.same.push((example, &new[at]));
                }
                None => left.old.push(example),
            }
        }
        let others = new.iter().enumerate().filter(|it| !taken.contains(&it.0));
        left.new = others.map(|it| it.1).filter(|it| it.is_tested()).collect();
        left
    }
}

/// Examples without a pair, in order.
#[derive(Default)]
struct Unmatched<'e> {
    old: Vec<&'e Example>,
    new: Vec<&'e Example>,
}

impl<'e> Unmatched<'e> {
    /// Pairs examples with the same key, in order; of the next few, the one with most of its lines.
    fn pair(&mut self, found: &mut Matches<'e>, key: &dyn Fn(&Example) -> Option<String>) {
        if self.old.is_empty() || self.new.is_empty() {
            return;
        }
        let mut by_key: SortedMap<String, VecDeque<usize>> = SortedMap::new();
        for (at, example) in self.new.iter().enumerate() {
            if let Some(key) = key(example) {
                by_key.entry(key).or_default().push_back(at);
            }
        }
        let mut taken = SortedSet::new();
        let mut left = Vec::new();
        for example in std::mem::take(&mut self.old) {
            let candidates = key(example).and_then(|it| by_key.get_mut(&it));
            let nearest = candidates.and_then(|it| {
                let index = self.nearest(example, it)?;
                it.remove(index)
            });
            match nearest {
                Some(at) => {
                    taken.insert(at);
                    found.changed.push((example, self.new[at]));
                }
                None => left.push(example),
            }
        }
        self.old = left;
        let new = std::mem::take(&mut self.new).into_iter().enumerate();
        self.new = new.filter(|it| !taken.contains(&it.0)).map(|it| it.1).collect();
    }

    /// Index of the first candidate that has most lines of an example.
    fn nearest(&self, example: &Example, candidates: &VecDeque<usize>) -> Option<usize> {
        if candidates.len() < 2 {
            return (!candidates.is_empty()).then_some(0);
        }
        let lines: SortedSet<&str> = example.text.lines().map(str::trim).collect();
        let shared = |at: usize| {
            self.new[at].text.lines().filter(|line| lines.contains(line.trim())).count()
        };
        let first = candidates.iter().take(WINDOW).enumerate();
        let counts = first.map(|(index, at)| (shared(*at), usize::MAX - index));
        counts.max().map(|(_, index)| usize::MAX - index)
    }
}
