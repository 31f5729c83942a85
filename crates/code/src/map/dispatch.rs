//! Callers through a trait: a call of a trait's method may reach the method of each impl.

use base::{EdgeKind, ItemKind, Tier};
use graph::{
    Direction, EdgeKinds, EdgeView, ItemView, Map, ReachedItem, Traversal, TraversalResult,
};
use resolve::Rule;

use super::walk::{WalkAnswer, WalkRequest};

/// The reasons for a candidate that is an edge to the trait's method, by what the map knows of it.
const BY_CALLER: &str = "the call is through the trait, whose method this one implements; the type is known at run time \
     or by the caller";
const BY_NAME: &str = "the receiver's type is unknown, and the trait's method, which this one implements, has that name";
const BY_PATH: &str = "the place names the trait's method, which this one implements";

/// Whether items of this kind are called.
pub(super) fn can_be_called(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Function | ItemKind::Method | ItemKind::Macro)
}

/// The methods that a call of an item may also mean, or be meant by.
pub(super) struct Dispatch {
    /// Methods of the trait that the item implements.
    declared: Vec<u32>,
    /// Methods of impls that implement the item.
    implementing: Vec<u32>,
}

impl Dispatch {
    /// The methods related to an item; none where certain edge kinds or proven edges only were
    /// requested for an impl's method.
    pub(super) fn of(map: &Map, item: &ItemView<'_>, request: &WalkRequest) -> Self {
        if !request.kinds.is_empty() || item.kind != ItemKind::Method {
            return Self { declared: Vec::new(), implementing: Vec::new() };
        }
        let is_method =
            |number: u32| map.item(number).is_some_and(|it| it.kind == ItemKind::Method);
        let implements = |edge: &EdgeView| edge.kind == EdgeKind::Implements;
        let declared = map.edges_out(item.number).filter(implements).map(|edge| edge.dst);
        let implementing = map.edges_in(item.number).filter(implements).map(|edge| edge.src);
        Self {
            declared: declared.filter(|it| !request.only_proven && is_method(*it)).collect(),
            implementing: implementing.filter(|it| is_method(*it)).collect(),
        }
    }

    /// The callers of the item and of the related methods.
    pub(super) fn walk(
        &self,
        map: &Map,
        item: &ItemView<'_>,
        request: &WalkRequest,
    ) -> TraversalResult {
        let mut query = super::walk::query(item, request);
        let with_values = request.kinds.is_empty() && can_be_called(item.kind);
        if with_values {
            query = Traversal { kinds: EdgeKinds::of(&[EdgeKind::Calls, EdgeKind::Uses]), ..query };
        }
        let seeds: Vec<u32> = [item.number]
            .into_iter()
            .chain(self.declared.iter().chain(&self.implementing).copied())
            .collect();
        let accepts = |_: u32, edge: &EdgeView| {
            // A type that inherits the trait's own method does not call the impl's.
            let inherits = self.declared.contains(&edge.dst)
                && Rule::of_number(edge.rule) == Some(Rule::TraitDefault);
            let is_mention = || {
                with_values
                    && edge.kind == EdgeKind::Uses
                    && map.item(edge.src).is_none_or(|it| it.kind == ItemKind::Import)
            };
            !inherits && !is_mention()
        };
        let mut answer = map.walk(&seeds, Direction::In, &query, &accepts);
        let among = map.edges_among(&seeds, &query).into_iter().filter(|it| accepts(it.dst, it));
        add_among(&mut answer, item.number, query.cap, among);
        for edge in &mut answer.edges {
            if self.declared.contains(&edge.dst) {
                edge.tier = Tier::Candidate;
            }
        }
        let proven = answer.edges.iter().filter(|it| it.tier == Tier::Proven).count();
        answer.counts.proven = proven;
        answer.counts.candidate = answer.edges.len() - proven;
        answer
    }

    /// Gives the calls through the trait their reason; `edges`: those of the answer, in its order.
    pub(super) fn mark(&self, edges: &[EdgeView], answer: &mut WalkAnswer) {
        for (edge, card) in edges.iter().zip(&mut answer.edges) {
            if self.declared.contains(&edge.dst) {
                card.rule = Some(through_trait(edge));
            }
        }
    }
}

/// Adds the edges between an item and its related methods: one of them that calls another is a caller
/// like any other.
fn add_among(
    answer: &mut TraversalResult,
    item: u32,
    cap: usize,
    among: impl Iterator<Item = EdgeView>,
) {
    for edge in among {
        let is_known = edge.src == item || answer.items.iter().any(|it| it.item == edge.src);
        if !is_known && answer.items.len() >= cap {
            answer.is_complete = false;
            continue;
        }
        if !is_known {
            answer.items.push(ReachedItem { depth: 1, item: edge.src });
        }
        answer.edges.push(edge);
    }
    answer.items.sort_unstable();
    answer.edges.sort_by_key(|edge| edge.number);
}

/// The reason for a candidate that is an edge to the trait's method.
fn through_trait(edge: &EdgeView) -> &'static str {
    match Rule::of_number(edge.rule) {
        Some(Rule::BoundedParameter | Rule::TraitObject | Rule::ImplTrait) => BY_CALLER,
        Some(Rule::NameOnly) => BY_NAME,
        _ => BY_PATH,
    }
}
