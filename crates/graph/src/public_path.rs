//! Paths as users of a crate write them: through its re-exports, also those of globs and of other
//! crates of the workspace (`facade::Command::arg` for `builder::command::Command::arg`).

use base::{EdgeKind, ItemKind, SortedSet, Tier};

use crate::item::ItemView;
use crate::map::Map;
use crate::path_match::{is_crate, segments};

/// The maximum number of containers that are searched for one name: globs may lead in circles.
const MAX_VISITED: usize = 2_000;

impl Map {
    /// The items that a path means whose first segment is a crate, or else a module; empty where a segment is
    /// not found. `members` finds the members of a type by their canonical path.
    pub(crate) fn through_reexports(
        &self,
        query: &str,
        members: impl Fn(&str) -> Vec<u32>,
    ) -> Vec<u32> {
        let parts = segments(query);
        let Some((head, rest)) = parts.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return Vec::new();
        };
        let crates = self.items().filter(|item| item.kind == ItemKind::Crate);
        let crates: SortedSet<u32> =
            crates.filter(|item| is_crate(head, &item.canon())).map(|item| item.number).collect();
        let found = self.named_below(crates, rest, &members);
        if !found.is_empty() {
            return found;
        }
        let modules = self.named(head).filter_map(|it| self.item(it));
        let modules = modules.filter(|it| it.kind == ItemKind::Module && !it.flags.is_inactive);
        self.named_below(modules.map(|it| it.number).collect(), rest, &members)
    }

    /// The items that the rest of a path means in one of these crates or modules.
    fn named_below(
        &self,
        mut at: SortedSet<u32>,
        rest: &[&str],
        members: &impl Fn(&str) -> Vec<u32>,
    ) -> Vec<u32> {
        for (number, name) in rest.iter().enumerate() {
            let mut next = SortedSet::new();
            let mut visited = SortedSet::new();
            for container in &at {
                self.named_in(*container, name, &mut visited, &mut next);
            }
            if next.is_empty() {
                let tail = rest.get(number..).unwrap_or_default().join("::");
                let types = at.iter().filter_map(|item| self.item(*item));
                let types = types.filter(|item| is_type(item.kind));
                return types
                    .flat_map(|item| members(&format!("{}::{tail}", item.canon())))
                    .collect();
            }
            at = next;
        }
        at.into_iter().collect()
    }

    /// The `pub use` items that name an item.
    pub fn exports<'m>(&'m self, item: &ItemView<'m>) -> impl Iterator<Item = ItemView<'m>> {
        let uses = self.edges_in(item.number).filter(|edge| edge.kind == EdgeKind::Uses);
        let imports = uses.filter_map(|edge| self.item(edge.src));
        imports.filter(|it| it.kind == ItemKind::Import && it.visibility() == "pub")
    }

    /// The modules and crates to which `pub use` passes an item on under its own name.
    pub fn passed_on_to<'m>(&'m self, item: &ItemView<'m>) -> impl Iterator<Item = ItemView<'m>> {
        let name = item.name().trim_end_matches('!').to_owned();
        let own = self.exports(item).filter(move |it| renamed(&it.name(), &name).is_none());
        own.filter_map(|it| self.item(it.parent?))
    }

    /// Adds the items that a module, crate or enum has under a name: its own, else what its imports
    /// bring.
    fn named_in(
        &self,
        container: u32,
        name: &str,
        visited: &mut SortedSet<u32>,
        found: &mut SortedSet<u32>,
    ) {
        if visited.len() >= MAX_VISITED || !visited.insert(container) {
            return;
        }
        let inside = self.edges_out(container).filter(|edge| edge.kind == EdgeKind::Contains);
        let inside: Vec<_> = inside.filter_map(|edge| self.item(edge.dst)).collect();
        let before = found.len();
        let is_own = |kind: ItemKind| {
            !matches!(kind, ItemKind::Import | ItemKind::Impl | ItemKind::MacroCall)
        };
        for item in inside.iter().filter(|item| is_own(item.kind)) {
            let own = item.name();
            if own == name || own.strip_suffix('!') == Some(name) {
                found.insert(item.number);
            }
        }
        if found.len() > before {
            return;
        }
        for import in inside.iter().filter(|item| item.kind == ItemKind::Import) {
            let written = import.name().into_owned();
            let targets = self.edges_out(import.number);
            let targets = targets.filter(|it| it.kind == EdgeKind::Uses && it.tier == Tier::Proven);
            for target in targets.filter_map(|edge| self.item(edge.dst)) {
                let own = target.name();
                let is_container =
                    matches!(target.kind, ItemKind::Module | ItemKind::Crate | ItemKind::Enum);
                match renamed(&written, &own) {
                    Some(new) if new == name => drop(found.insert(target.number)),
                    Some(_) => {}
                    None if own == name => drop(found.insert(target.number)),
                    None if is_container && written.contains('*') => {
                        self.named_in(target.number, name, visited, found);
                    }
                    None => {}
                }
            }
        }
    }
}

/// The new name of `name` in an import that renames it (`name as new`).
fn renamed<'t>(import: &'t str, name: &str) -> Option<&'t str> {
    let mut words = import.split(|ch: char| !base::is_word(ch)).filter(|it| !it.is_empty());
    while let Some(word) = words.next() {
        if word == name && words.clone().next() == Some("as") {
            return words.nth(1);
        }
    }
    None
}

fn is_type(kind: ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Struct | ItemKind::Enum | ItemKind::Union | ItemKind::Trait | ItemKind::TypeAlias
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames_of_imports_are_read() {
        assert_eq!(renamed("pub use a::{b, ten as dozen}", "ten"), Some("dozen"));
        assert_eq!(renamed("use a::ten", "ten"), None);
        assert_eq!(renamed("use a::Tr as _", "Tr"), Some("_"));
    }
}
