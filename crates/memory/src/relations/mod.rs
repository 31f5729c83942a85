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
pub use file::{DamagedFile, RelationFile, StoredRelations};
pub use node::{Relation, RelationContext, RelationStatus, RelationUpdate};

use std::collections::HashMap;

use base::{Ctx, SortedSet};
use node::check_id;
use order::{Edges, keep, reached};

/// Why a caller's function has not stored the relations.
type StoreFault = Box<dyn std::error::Error + Send + Sync>;

/// Stores all relations, oldest first. The error is reported to the caller of the operation.
pub type OnPersist = Box<dyn FnMut(&[&Relation]) -> Result<(), StoreFault> + Send>;

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
/// Invariants: parents exist and differ, and no relation is its own ancestor. A call that returns an
/// error has changed nothing, except [`RelationError::Persist`]: the change is in memory, not stored.
#[derive(Default)]
pub struct Relations {
    /// Relations by number, oldest first; removed ones are `None` and have no edges.
    relations: Vec<Option<Relation>>,
    numbers: HashMap<String, u32>,
    edges: Edges,
    on_persist: Option<OnPersist>,
    auto_persist: bool,
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
        for child in &self.edges.children[number as usize] {
            if let Some(child) = &mut self.relations[*child as usize] {
                child.parents.retain(|parent| parent != id);
            }
        }
        self.edges.isolate(number);
        self.relations[number as usize] = None;
        if self.relations.len() > 64 && self.relations.len() / 2 > self.numbers.len() {
            self.compact();
        }
        self.persist_changed()?;
        Ok(true)
    }

    /// Stores all relations with the function of the configuration; without one, nothing is done.
    ///
    /// # Errors
    /// The error of that function.
    pub fn persist(&mut self) -> Result<(), RelationError> {
        let Some(mut on_persist) = self.on_persist.take() else { return Ok(()) };
        let stored = on_persist(&self.all());
        self.on_persist = Some(on_persist);
        stored.map_err(|error| RelationError::Persist { reason: error.to_string() })
    }

    /// The relation with this id.
    pub fn get(&self, id: &str) -> Option<&Relation> {
        self.relations[*self.numbers.get(id)? as usize].as_ref()
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
        self.relations.iter().flatten().collect()
    }

    /// The parents of a relation, in the order in which they were named.
    pub fn parents(&self, id: &str) -> Vec<&Relation> {
        self.of(id, |number| self.edges.parents[number as usize].clone())
    }

    /// The relations that have this one as a parent, oldest first.
    pub fn children(&self, id: &str) -> Vec<&Relation> {
        self.of(id, |number| self.edges.children[number as usize].clone())
    }

    /// All relations that are reached over parents, oldest first; without the relation itself.
    pub fn ancestors(&self, id: &str) -> Vec<&Relation> {
        self.of(id, |number| reached(number, &self.edges.parents))
    }

    /// All relations that are reached over children, oldest first; without the relation itself.
    pub fn descendants(&self, id: &str) -> Vec<&Relation> {
        self.of(id, |number| reached(number, &self.edges.children))
    }

    /// The relations without parents, oldest first.
    pub fn roots(&self) -> Vec<&Relation> {
        self.filter(|number, _| self.edges.parents[number].is_empty())
    }

    /// The relations without children, oldest first.
    pub fn leaves(&self) -> Vec<&Relation> {
        self.filter(|number, _| self.edges.children[number].is_empty())
    }

    /// The relations of an edge type, oldest first.
    pub fn by_edge_type(&self, edge_type: &str) -> Vec<&Relation> {
        self.filter(|_, relation| relation.edge_type == edge_type)
    }

    /// The relations with a status, oldest first.
    pub fn by_status(&self, status: RelationStatus) -> Vec<&Relation> {
        self.filter(|_, relation| relation.context.status == Some(status))
    }

    /// Whether the relation `id`, which need not exist yet, would be its own ancestor with `parents`.
    pub fn would_create_cycle(&self, id: &str, parents: &[&str]) -> bool {
        let number = self.numbers.get(id);
        parents.iter().any(|parent| {
            *parent == id
                || number
                    .zip(self.numbers.get(*parent))
                    .is_some_and(|(child, parent)| self.edges.reaches(*child, *parent))
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
        let number = u32::try_from(self.relations.len()).map_err(too_many)?;
        self.numbers.insert(relation.id.clone(), number);
        self.relations.push(Some(relation));
        self.edges.push(parents);
        Ok(())
    }

    /// Numbers the relations again without the removed ones, in the same order.
    fn compact(&mut self) {
        let present: Vec<bool> = self.relations.iter().map(Option::is_some).collect();
        let renumbered = self.edges.compact(&present);
        keep(&mut self.relations, &present);
        for relation in self.relations.iter().flatten() {
            if let Some(number) = self.numbers.get_mut(&relation.id) {
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

    fn filter(&self, fits: impl Fn(usize, &Relation) -> bool) -> Vec<&Relation> {
        let relations = self.relations.iter().enumerate();
        let present = relations.filter_map(|(number, it)| Some((number, it.as_ref()?)));
        present.filter(|(number, it)| fits(*number, it)).map(|(_, it)| it).collect()
    }

    /// The relations that a function finds for the number of `id`.
    fn of(&self, id: &str, find: impl Fn(u32) -> Vec<u32>) -> Vec<&Relation> {
        let Some(number) = self.numbers.get(id) else { return Vec::new() };
        let numbers = find(*number).into_iter();
        numbers.filter_map(|number| self.relations[number as usize].as_ref()).collect()
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
    let mut ready: SortedSet<usize> = (0..relations.len()).filter(|at| waiting[*at] == 0).collect();
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
