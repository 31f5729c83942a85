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
        let relation = self.relations[number as usize].as_mut().ok_or_else(missing)?;
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
            if self.edges.reaches(number, *parent) {
                let (id, parent) = (id.to_owned(), name.clone());
                return Err(RelationError::Cycle { id, parent });
            }
        }
        self.edges.set_parents(number, numbers);
        if let Some(relation) = &mut self.relations[number as usize] {
            relation.parents = parents;
        }
        Ok(())
    }
}
