//! [`Relations::update`]: changes a relation and, with its parents, the order of the graph.

use serde_json::Value;

use super::{RelationError, RelationUpdate, Relations};

impl Relations {
    /// Changes the parts of a relation that the update names.
    ///
    /// # Errors
    /// An id without a relation, a parent that does not exist or is named twice, a cycle.
    pub fn update(&mut self, id: &str, update: RelationUpdate) -> Result<(), RelationError> {
        let missing = || RelationError::NoRelation { id: id.to_owned() };
        let number = *self.numbers.get(id).ok_or_else(missing)?;
        if let Some(parents) = update.parents {
            self.set_parents(number, id, parents)?;
        }
        let slot = self.slot_mut(number).ok_or_else(missing)?;
        let relation = &mut slot.relation;
        if let Some(edge_type) = update.edge_type {
            relation.edge_type = edge_type;
        }
        if let Some(description) = update.description {
            relation.context.description = description;
        }
        if let Some(status) = update.status {
            relation.context.status = status;
        }
        for (name, value) in update.fields {
            match value {
                Value::Null => relation.context.fields.remove(&name),
                value => relation.context.fields.insert(name, value),
            };
        }
        self.persist_changed()
    }

    fn set_parents(
        &mut self,
        number: u32,
        id: &str,
        parents: Vec<String>,
    ) -> Result<(), RelationError> {
        let numbers = self.numbers_of(id, &parents)?;
        // The old edges lead to the relation, so they are part of no path from it to a parent.
        for (parent, name) in numbers.iter().zip(&parents) {
            if self.ranks.descendants_to(&self.slots, number, *parent).is_none() {
                let (id, parent) = (id.to_owned(), name.clone());
                return Err(RelationError::Cycle { id, parent });
            }
        }
        let Some(slot) = self.slot_mut(number) else { return Ok(()) };
        let before = std::mem::replace(&mut slot.parents, numbers.clone());
        slot.relation.parents = parents;
        for parent in before {
            if let Some(parent) = self.slot_mut(parent) {
                parent.children.remove(&number);
            }
        }
        for parent in numbers {
            if let Some(parent) = self.slot_mut(parent) {
                parent.children.insert(number);
            }
            self.ranks.after(&self.slots, parent, number);
        }
        Ok(())
    }
}
