//! [`Edges`]: the edges of the graph by number, and a topological order that is kept while they change.
//!
//! After Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs" (2006): an
//! edge that agrees with the order costs nothing, and any other only the nodes that are between its two
//! ends in that order.

/// Edges and ranks by number of the node.
///
/// Invariants: `children` is the inverse of `parents`, and ascending; `ranks` is a permutation in which
/// parents come before children.
#[derive(Default)]
pub(super) struct Edges {
    pub(super) parents: Vec<Vec<u32>>,
    pub(super) children: Vec<Vec<u32>>,
    ranks: Vec<u32>,
}

/// A direction in which edges are followed.
type Neighbours = [Vec<u32>];

impl Edges {
    /// Adds a node with parents that exist. It has no children, so the last rank is right.
    pub(super) fn push(&mut self, parents: Vec<u32>) {
        let number = self.ranks.len() as u32;
        for parent in &parents {
            self.children[*parent as usize].push(number);
        }
        self.parents.push(parents);
        self.children.push(Vec::new());
        self.ranks.push(number);
    }

    /// Gives a node other parents; none is one of its descendants.
    pub(super) fn set_parents(&mut self, number: u32, parents: Vec<u32>) {
        self.leave_parents(number);
        self.parents[number as usize].clone_from(&parents);
        for parent in parents {
            let siblings = &mut self.children[parent as usize];
            if let Err(at) = siblings.binary_search(&number) {
                siblings.insert(at, number);
            }
            self.restore(parent, number);
        }
    }

    /// Removes all edges of a node.
    pub(super) fn isolate(&mut self, number: u32) {
        self.leave_parents(number);
        for child in std::mem::take(&mut self.children[number as usize]) {
            self.parents[child as usize].retain(|parent| *parent != number);
        }
    }

    fn leave_parents(&mut self, number: u32) {
        for parent in std::mem::take(&mut self.parents[number as usize]) {
            let siblings = &mut self.children[parent as usize];
            if let Ok(at) = siblings.binary_search(&number) {
                siblings.remove(at);
            }
        }
    }

    /// Whether `to` is `from` or one of its descendants. Searches from both ends in turns.
    pub(super) fn reaches(&self, from: u32, to: u32) -> bool {
        let Some(window) = self.window(from, to) else { return false };
        let mut forward = Search::new(from, window, &self.ranks);
        let mut backward = Search::new(to, window, &self.ranks);
        if from == to {
            return true;
        }
        loop {
            match forward.advance(&self.children, Some(&backward)) {
                Advance::Met => return true,
                Advance::Done => return false,
                Advance::Open => {}
            }
            match backward.advance(&self.parents, Some(&forward)) {
                Advance::Met => return true,
                Advance::Done => return false,
                Advance::Open => {}
            }
        }
    }

    /// Restores the order for a new edge from `parent` to `child`, which closes no cycle.
    fn restore(&mut self, parent: u32, child: u32) {
        let Some(window) = self.window(child, parent) else { return };
        let found = |start: u32, edges: &Neighbours| {
            let mut search = Search::new(start, window, &self.ranks);
            let mut numbers = vec![start];
            while let Some(next) = search.pop(edges) {
                numbers.extend(next);
            }
            numbers.sort_by_key(|number| self.ranks[*number as usize]);
            numbers
        };
        let mut moved = found(parent, &self.parents);
        moved.extend(found(child, &self.children));
        let mut free: Vec<u32> = moved.iter().map(|number| self.ranks[*number as usize]).collect();
        free.sort_unstable();
        for (number, rank) in moved.into_iter().zip(free) {
            self.ranks[number as usize] = rank;
        }
    }

    /// The ranks from `from` to `to`; `None` if `to` comes first, so that it cannot be reached.
    fn window(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        let (first, last) = (self.ranks[from as usize], self.ranks[to as usize]);
        (first <= last).then_some((first, last))
    }

    /// Numbers the nodes again without those that are not present; the order of the others stays.
    pub(super) fn compact(&mut self, present: &[bool]) -> Vec<u32> {
        let mut renumbered = vec![0; present.len()];
        let mut count = 0;
        for (number, is_present) in renumbered.iter_mut().zip(present) {
            *number = count;
            count += u32::from(*is_present);
        }
        for lists in [&mut self.parents, &mut self.children] {
            keep(lists, present);
            lists.iter_mut().flatten().for_each(|number| *number = renumbered[*number as usize]);
        }
        keep(&mut self.ranks, present);
        let mut by_rank: Vec<usize> = (0..self.ranks.len()).collect();
        by_rank.sort_unstable_by_key(|at| self.ranks[*at]);
        for (rank, at) in by_rank.into_iter().enumerate() {
            self.ranks[at] = rank as u32;
        }
        renumbered
    }
}

/// Removes the elements that are not present.
pub(super) fn keep<T>(list: &mut Vec<T>, present: &[bool]) {
    let mut present = present.iter();
    list.retain(|_| present.next().is_some_and(|it| *it));
}

/// All nodes that are reached from `start` in one direction, ascending; without `start`.
pub(super) fn reached(start: u32, edges: &Neighbours) -> Vec<u32> {
    let mut seen = Bits::new(edges.len());
    let mut open = vec![start];
    while let Some(number) = open.pop() {
        open.extend(edges[number as usize].iter().filter(|next| seen.insert(**next as usize)));
    }
    seen.ascending()
}

/// A search among the nodes of a window of ranks.
struct Search<'a> {
    ranks: &'a [u32],
    first: u32,
    last: u32,
    seen: Bits,
    open: Vec<u32>,
}

enum Advance {
    /// There is more to search.
    Open,
    /// All is searched.
    Done,
    /// A node of the other search is reached.
    Met,
}

impl<'a> Search<'a> {
    fn new(start: u32, (first, last): (u32, u32), ranks: &'a [u32]) -> Self {
        let mut seen = Bits::new((last - first) as usize + 1);
        seen.insert((ranks[start as usize] - first) as usize);
        Self { ranks, first, last, seen, open: vec![start] }
    }

    /// Follows the edges of one node.
    fn advance(&mut self, edges: &Neighbours, other: Option<&Self>) -> Advance {
        let Some(number) = self.open.pop() else { return Advance::Done };
        for next in &edges[number as usize] {
            let rank = self.ranks[*next as usize];
            if rank < self.first || rank > self.last {
                continue;
            }
            let bit = (rank - self.first) as usize;
            if other.is_some_and(|other| other.seen.contains(bit)) {
                return Advance::Met;
            }
            if self.seen.insert(bit) {
                self.open.push(*next);
            }
        }
        Advance::Open
    }

    /// Follows the edges of one node, and returns the nodes that are new; `None` at the end.
    fn pop(&mut self, edges: &Neighbours) -> Option<Vec<u32>> {
        let before = self.open.len().checked_sub(1)?;
        self.advance(edges, None);
        Some(self.open.get(before..).unwrap_or_default().to_vec())
    }
}

/// A set of small numbers.
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    /// Adds a number; whether it is new.
    fn insert(&mut self, number: usize) -> bool {
        let word = &mut self.0[number / 64];
        let is_new = *word & (1 << (number % 64)) == 0;
        *word |= 1 << (number % 64);
        is_new
    }

    fn contains(&self, number: usize) -> bool {
        self.0[number / 64] & (1 << (number % 64)) != 0
    }

    /// The numbers, ascending.
    fn ascending(&self) -> Vec<u32> {
        let count = self.0.iter().map(|word| word.count_ones() as usize).sum();
        let mut numbers = Vec::with_capacity(count);
        for (at, word) in self.0.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                numbers.push(at as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        numbers
    }
}
