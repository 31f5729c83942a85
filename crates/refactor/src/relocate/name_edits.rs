//! Text of one module in another one: what its names have to become there.

use std::sync::Arc;

use base::{ProjectPath, SortedMap};
use preserve::outline::tokens;
use syntax::places::{Definition, DefinitionKind};

use super::fault::NameFault;
use super::modules::{CrateRoot, ModulePath, visibility};
use super::needs::heads;
use super::scope::Scopes;
use super::supply::{Ends, Origin};
use super::{SiteKey, public};

/// Replacements in a text by start and end.
pub(crate) type NameEdits = SortedMap<(usize, usize), String>;

/// The modules of the project.
pub(crate) struct Modules {
    scopes: Scopes,
}

impl Modules {
    pub(crate) fn of(files: &[(ProjectPath, Arc<str>)], roots: &[CrateRoot]) -> Self {
        Self { scopes: Scopes::of(files, roots) }
    }

    /// The names that a text takes from the module around it.
    pub(crate) fn free_names(text: &str) -> Vec<String> {
        heads(text).into_keys().collect()
    }

    /// Whether code outside of the workspace may name a definition.
    pub(crate) fn is_public(&self, path: &ProjectPath, of: &Definition) -> bool {
        let Some((file, text)) = self.scopes.tree.file(path) else { return true };
        if visibility(text, of).as_deref() != Some("pub") {
            return false;
        }
        let modules = self.scopes.tree.modules_at(file, of.name_span.start);
        let mut libraries = modules.iter().filter(|it| self.is_library(it));
        if of.owner.is_empty() {
            return libraries.any(|from| {
                let ends = Ends { scopes: &self.scopes, from, to: from, name: &of.name };
                public(&ends, of, file).old_stays || self.is_exported(from, &of.name)
            });
        }
        // A member is as public as its type; what is not found counts as public.
        let owners = self.scopes.tree.files.iter().flat_map(|it| {
            let own = it.places.definitions.iter();
            own.filter(|it| it.owner.is_empty() && it.name == of.owner).map(move |d| (it, d))
        });
        let mut owners = owners.filter(|(_, it)| it.kind != DefinitionKind::Function).peekable();
        let is_known = owners.peek().is_some();
        let is_pub = owners.any(|(text, it)| visibility(text, it).as_deref() == Some("pub"));
        libraries.next().is_some() && (!is_known || is_pub)
    }

    fn is_library(&self, module: &ModulePath) -> bool {
        self.scopes.tree.roots.get(module.krate).is_some_and(|it| it.is_library)
    }

    /// Whether a `pub use` of the same crate leads to a member of a module.
    fn is_exported(&self, from: &ModulePath, name: &str) -> bool {
        let mut all = self.scopes.tree.modules.keys().filter(|it| it.krate == from.krate);
        all.any(|module| {
            self.scopes.leaves_of(module).any(|(item, leaf)| {
                let names = leaf.names();
                let Some((last, before)) = names.split_last() else { return false };
                item.visibility.trim() == "pub"
                    && *last == name
                    && self.scopes.resolve(module, before, leaf.is_global).as_ref() == Some(from)
            })
        })
    }

    /// The edits by which a text of one place has the same names in another place.
    ///
    /// # Errors
    /// Why a name cannot mean the same there.
    pub(crate) fn name_edits(
        &self,
        text: &str,
        from: &SiteKey,
        to: &SiteKey,
    ) -> Result<NameEdits, NameFault> {
        let (from, to) = (self.modules_of(from), self.modules_of(to));
        if from == to {
            return Ok(NameEdits::new());
        }
        let mut all: Vec<NameEdits> = Vec::new();
        for to in &to {
            let Some(from) = from.iter().find(|it| it.krate == to.krate) else {
                return Err(NameFault::OtherCrate);
            };
            all.push(self.between(text, from, to)?);
        }
        all.dedup();
        match (all.pop(), all.is_empty()) {
            (Some(edits), true) => Ok(edits),
            _ => Err(NameFault::NoModule),
        }
    }

    fn modules_of(&self, (path, at): &SiteKey) -> Vec<ModulePath> {
        let file = self.scopes.tree.file(path);
        file.map_or_else(Vec::new, |(file, _)| self.scopes.tree.modules_at(file, *at))
    }

    fn between(
        &self,
        text: &str,
        from: &ModulePath,
        to: &ModulePath,
    ) -> Result<NameEdits, NameFault> {
        let ends = Ends { scopes: &self.scopes, from, to, name: "" };
        let relative = tokens(text)
            .windows(2)
            .any(|it| matches!(it[0].text, "self" | "super") && it[1].is("::"));
        if relative {
            return Err(NameFault::RelativePath);
        }
        let heads = heads(text);
        let supplies = ends.supplies(&heads);
        for (name, head) in &heads {
            let is_supplied = supplies.iter().any(|it| it.name == *name);
            let has_local = self.scopes.member(from, name).is_some();
            let is_other = self.scopes.member(to, name).is_some()
                || self.scopes.leaves_of(to).any(|(_, it)| it.name == *name);
            if !is_supplied && (is_other || head.is_macro && has_local) {
                let (name, module) = (name.clone(), to.to_string());
                return Err(NameFault::OtherMeaning { name, module });
            }
        }
        let mut edits = NameEdits::new();
        for supply in &supplies {
            let first = supply.imports.first();
            let path = first.map(|it| it.tree.as_str()).or(supply.qualified.as_deref());
            let Some(path) = path else { continue };
            let has_cfg = first.is_some_and(|it| !it.attributes.is_empty());
            let is_member = matches!(supply.origin, Origin::Member(_));
            if has_cfg || is_member && !ends.is_visible(from, &supply.name) {
                return Err(NameFault::Private(supply.name.clone()));
            }
            let path = path.split(" as ").next().unwrap_or(path);
            for span in heads.get(&supply.name).into_iter().flat_map(|it| &it.spans) {
                edits.insert((span.start, span.end), path.to_owned());
            }
        }
        Ok(edits)
    }
}
