//! [`Relations`]: a graph of nodes with several parents and without a cycle, in memory. A plan is a node
//! whose descendants are its steps.
//!
//! `order` has the numbers that make a cycle check short, `tree` prints plans, `file` stores them.

mod error;
mod file;
mod node;
mod order;
mod tree;
mod update;

pub use error::RelationError;
pub use file::{Damage, RelationFile, StoredRelations};
pub use node::{Relation, RelationContext, RelationStatus, RelationUpdate};

use std::collections::{BTreeSet, HashMap};

use base::Ctx;
use node::check_id;
use order::Ranks;

/// Stores all relations, oldest first. The error is reported to the caller of the operation.
pub type OnPersist = Box<dyn FnMut(&[&Relation]) -> Result<(), String> + Send>;

/// How a [`Relations`] begins and where it is stored.
#[derive(Default)]
pub struct RelationsConfig {
    /// Receives all relations when they are to be stored.
    pub on_persist: Option<OnPersist>,
    /// Relations to begin with, in any order.
    pub initial_nodes: Vec<Relation>,
    /// Whether every change is stored at once. Off: [`Relations::persist`] stores.
    pub auto_persist: bool,
}

/// A graph of relations.
///
/// Invariants: parents exist and differ, no relation is its own ancestor, `children` is the inverse of
/// `parents`, and the rank of a relation is larger than those of its parents. A call that returns an
/// error has changed nothing, except [`RelationError::Persist`]: the change is in memory, not stored.
#[derive(Default)]
pub struct Relations {
    /// Relations by number, oldest first; removed ones are `None`.
    slots: Vec<Option<Slot>>,
    numbers: HashMap<String, u32>,
    ranks: Ranks,
    on_persist: Option<OnPersist>,
    auto_persist: bool,
}

/// A relation and its neighbours by number.
struct Slot {
    relation: Relation,
    parents: Vec<u32>,
    children: BTreeSet<u32>,
}

impl Relations {
    /// A graph with the initial relations. They are not stored again.
    ///
    /// # Errors
    /// As [`Relations::add`], for the first of the initial relations that does not fit.
    pub fn new(config: RelationsConfig) -> Result<Self, RelationError> {
        let mut relations = Self::default();
        for relation in in_order(config.initial_nodes)? {
            relations.insert(relation)?;
        }
        relations.on_persist = config.on_persist;
        relations.auto_persist = config.auto_persist;
        Ok(relations)
    }

    /// Adds a relation with these parents, created now.
    ///
    /// # Errors
    /// An id that is taken or not allowed, a parent that does not exist, a cycle: the relation as its
    /// own parent.
    pub fn add(
        &mut self,
        ctx: &Ctx,
        id: &str,
        parents: &[&str],
        edge_type: &str,
        context: RelationContext,
    ) -> Result<(), RelationError> {
        self.insert(Relation {
            id: id.to_owned(),
            parents: parents.iter().map(|parent| (*parent).to_owned()).collect(),
            edge_type: edge_type.to_owned(),
            context,
            created_at: ctx.now(),
        })?;
        self.persist_changed()
    }

    /// Removes a relation, also from the parents of its children; whether it was there.
    ///
    /// # Errors
    /// [`RelationError::Persist`].
    pub fn remove(&mut self, id: &str) -> Result<bool, RelationError> {
        let Some(number) = self.numbers.remove(id) else { return Ok(false) };
        let Some(slot) = self.slots.get_mut(number as usize).and_then(Option::take) else {
            return Ok(false);
        };
        for parent in slot.parents {
            if let Some(parent) = self.slot_mut(parent) {
                parent.children.remove(&number);
            }
        }
        for child in slot.children {
            if let Some(child) = self.slot_mut(child) {
                child.parents.retain(|parent| *parent != number);
                child.relation.parents.retain(|parent| parent != id);
            }
        }
        if self.slots.len() > 64 && self.slots.len() / 2 > self.numbers.len() {
            self.compact();
        }
        self.persist_changed()?;
        Ok(true)
    }

    /// Removes all relations.
    ///
    /// # Errors
    /// [`RelationError::Persist`].
    pub fn clear(&mut self) -> Result<(), RelationError> {
        self.slots.clear();
        self.numbers.clear();
        self.ranks = Ranks::default();
        self.persist_changed()
    }

    /// Stores all relations with the function of the configuration; without one, nothing is done.
    ///
    /// # Errors
    /// The error of that function.
    pub fn persist(&mut self) -> Result<(), RelationError> {
        let Some(mut on_persist) = self.on_persist.take() else { return Ok(()) };
        let stored = on_persist(&self.all());
        self.on_persist = Some(on_persist);
        stored.map_err(|reason| RelationError::Persist { reason })
    }

    /// The relation with this id.
    pub fn get(&self, id: &str) -> Option<&Relation> {
        self.slot(*self.numbers.get(id)?).map(|slot| &slot.relation)
    }

    /// Whether there is a relation with this id.
    pub fn has(&self, id: &str) -> bool {
        self.numbers.contains_key(id)
    }

    /// The number of relations.
    pub fn size(&self) -> usize {
        self.numbers.len()
    }

    /// All relations, oldest first.
    pub fn all(&self) -> Vec<&Relation> {
        self.filter(|_| true)
    }

    /// The parents of a relation, in the order in which they were named.
    pub fn parents(&self, id: &str) -> Vec<&Relation> {
        self.neighbours(id, |slot| slot.parents.clone())
    }

    /// The relations that have this one as a parent, oldest first.
    pub fn children(&self, id: &str) -> Vec<&Relation> {
        self.neighbours(id, |slot| slot.children.iter().copied().collect())
    }

    /// All relations that are reached over parents, oldest first; without the relation itself.
    pub fn ancestors(&self, id: &str) -> Vec<&Relation> {
        self.reached(id, |slot, found| found.extend(&slot.parents))
    }

    /// All relations that are reached over children, oldest first; without the relation itself.
    pub fn descendants(&self, id: &str) -> Vec<&Relation> {
        self.reached(id, |slot, found| found.extend(&slot.children))
    }

    /// The relations without parents, oldest first.
    pub fn roots(&self) -> Vec<&Relation> {
        self.filter(|slot| slot.parents.is_empty())
    }

    /// The relations without children, oldest first.
    pub fn leaves(&self) -> Vec<&Relation> {
        self.filter(|slot| slot.children.is_empty())
    }

    /// The relations of an edge type, oldest first.
    pub fn by_edge_type(&self, edge_type: &str) -> Vec<&Relation> {
        self.filter(|slot| slot.relation.edge_type == edge_type)
    }

    /// The relations with a status, oldest first.
    pub fn by_status(&self, status: RelationStatus) -> Vec<&Relation> {
        self.filter(|slot| slot.relation.context.status == Some(status))
    }

    /// Whether the relation `id`, which need not exist yet, would be its own ancestor with `parents`.
    pub fn would_create_cycle(&self, id: &str, parents: &[&str]) -> bool {
        let number = self.numbers.get(id);
        parents.iter().any(|parent| {
            *parent == id
                || number.zip(self.numbers.get(*parent)).is_some_and(|(child, parent)| {
                    self.ranks.descendants_to(&self.slots, *child, *parent).is_none()
                })
        })
    }

    /// Stores all relations if every change is to be stored.
    fn persist_changed(&mut self) -> Result<(), RelationError> {
        if self.auto_persist { self.persist() } else { Ok(()) }
    }

    fn insert(&mut self, relation: Relation) -> Result<(), RelationError> {
        check_id(&relation.id)?;
        if self.has(&relation.id) {
            return Err(RelationError::Duplicate { id: relation.id });
        }
        let parents = self.numbers_of(&relation.id, &relation.parents)?;
        let too_many = |_| RelationError::TooMany { limit: u32::MAX as usize };
        let number = u32::try_from(self.slots.len()).map_err(too_many)?;
        for parent in &parents {
            if let Some(parent) = self.slot_mut(*parent) {
                parent.children.insert(number);
            }
        }
        self.numbers.insert(relation.id.clone(), number);
        self.slots.push(Some(Slot { relation, parents, children: BTreeSet::new() }));
        // A new relation has no children, so the last rank is right for it.
        self.ranks.push();
        Ok(())
    }

    /// Numbers the relations again without the removed ones, in the same order.
    fn compact(&mut self) {
        let mut renumbered = vec![0; self.slots.len()];
        let mut count = 0;
        for (slot, number) in self.slots.iter().zip(&mut renumbered) {
            *number = count;
            count += u32::from(slot.is_some());
        }
        let present: Vec<bool> = self.slots.iter().map(Option::is_some).collect();
        self.ranks.compact(&present);
        self.slots.retain(Option::is_some);
        for slot in self.slots.iter_mut().flatten() {
            slot.parents.iter_mut().for_each(|number| *number = renumbered[*number as usize]);
            slot.children = slot.children.iter().map(|it| renumbered[*it as usize]).collect();
            if let Some(number) = self.numbers.get_mut(&slot.relation.id) {
                *number = renumbered[*number as usize];
            }
        }
    }

    /// The numbers of the parents of `id`, which must exist and differ.
    fn numbers_of(&self, id: &str, parents: &[String]) -> Result<Vec<u32>, RelationError> {
        let mut numbers = Vec::with_capacity(parents.len());
        for parent in parents {
            if parent == id {
                return Err(RelationError::Cycle { id: id.to_owned(), parent: parent.clone() });
            }
            let Some(number) = self.numbers.get(parent) else {
                let (id, parent) = (id.to_owned(), parent.clone());
                return Err(RelationError::NoParent { id, parent });
            };
            if numbers.contains(number) {
                let (id, parent) = (id.to_owned(), parent.clone());
                return Err(RelationError::ParentTwice { id, parent });
            }
            numbers.push(*number);
        }
        Ok(numbers)
    }

    fn slot(&self, number: u32) -> Option<&Slot> {
        self.slots.get(number as usize).and_then(Option::as_ref)
    }

    fn slot_mut(&mut self, number: u32) -> Option<&mut Slot> {
        self.slots.get_mut(number as usize).and_then(Option::as_mut)
    }

    fn filter(&self, fits: impl Fn(&Slot) -> bool) -> Vec<&Relation> {
        let slots = self.slots.iter().flatten();
        slots.filter(|slot| fits(slot)).map(|slot| &slot.relation).collect()
    }

    fn neighbours(&self, id: &str, of: impl Fn(&Slot) -> Vec<u32>) -> Vec<&Relation> {
        let slot = self.numbers.get(id).and_then(|number| self.slot(*number));
        let numbers = slot.map(of).unwrap_or_default();
        numbers.into_iter().filter_map(|number| Some(&self.slot(number)?.relation)).collect()
    }

    fn reached(&self, id: &str, next: impl Fn(&Slot, &mut Vec<u32>)) -> Vec<&Relation> {
        let Some(start) = self.numbers.get(id).and_then(|number| self.slot(*number)) else {
            return Vec::new();
        };
        let mut seen = vec![false; self.slots.len()];
        let mut open = Vec::new();
        next(start, &mut open);
        while let Some(number) = open.pop() {
            let Some(seen) = seen.get_mut(number as usize) else { continue };
            if !std::mem::replace(seen, true)
                && let Some(slot) = self.slot(number)
            {
                next(slot, &mut open);
            }
        }
        let slots = self.slots.iter().zip(seen).filter(|(_, seen)| *seen);
        slots.filter_map(|(slot, _)| Some(&slot.as_ref()?.relation)).collect()
    }
}

/// Sorts relations so that parents come first, otherwise in their order.
fn in_order(relations: Vec<Relation>) -> Result<Vec<Relation>, RelationError> {
    let numbers: HashMap<&str, usize> =
        relations.iter().enumerate().map(|(at, it)| (it.id.as_str(), at)).collect();
    let mut waiting = vec![0usize; relations.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); relations.len()];
    for (at, relation) in relations.iter().enumerate() {
        // A parent that is missing is reported when the relation is inserted.
        for parent in relation.parents.iter().filter_map(|it| numbers.get(it.as_str())) {
            waiting[at] += 1;
            children[*parent].push(at);
        }
    }
    let mut ready: BTreeSet<usize> = (0..relations.len()).filter(|at| waiting[*at] == 0).collect();
    let mut order = Vec::with_capacity(relations.len());
    while let Some(at) = ready.pop_first() {
        order.push(at);
        for child in &children[at] {
            waiting[*child] -= 1;
            if waiting[*child] == 0 {
                ready.insert(*child);
            }
        }
    }
    if let Some(at) = waiting.iter().position(|waiting| *waiting > 0) {
        let parent = relations[at].parents.first().cloned().unwrap_or_default();
        return Err(RelationError::Cycle { id: relations[at].id.clone(), parent });
    }
    let mut relations: Vec<Option<Relation>> = relations.into_iter().map(Some).collect();
    Ok(order.into_iter().filter_map(|at| relations[at].take()).collect())
}
