//! Callers through a trait: a call of a trait's method may reach the method of each impl.

use base::{EdgeKind, ItemKind, Tier};
use graph::{Direction, EdgeKinds, EdgeView, ItemView, Map, Traversal, TraversalResult};
use resolve::Rule;

use super::walk::{WalkAnswer, WalkRequest};
use super::{CurrentMap, EdgeCard};

/// The reason for a candidate that calls the trait's method.
const THROUGH_TRAIT: &str = "the call is through the trait, whose method this one implements; the type is known at run time \
     or by the caller";

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
        if !self.declared.is_empty() {
            for edge in &mut answer.edges {
                if self.declared.contains(&edge.dst) {
                    edge.tier = Tier::Candidate;
                }
            }
            let proven = answer.edges.iter().filter(|it| it.tier == Tier::Proven).count();
            answer.counts.proven = proven;
            answer.counts.candidate = answer.edges.len() - proven;
        }
        answer
    }

    /// Gives the calls through the trait their reason.
    pub(super) fn mark(&self, current: &CurrentMap<'_>, answer: &mut WalkAnswer) {
        let ids: Vec<_> = self
            .declared
            .iter()
            .filter_map(|number| current.map().item(*number))
            .map(|item| item.id())
            .collect();
        let through = |edge: &&mut EdgeCard| ids.contains(&edge.dst);
        answer.edges.iter_mut().filter(through).for_each(|edge| edge.rule = Some(THROUGH_TRAIT));
    }
}
