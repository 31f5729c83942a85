//! Names of moved code that no import and no item of its module has: those of the standard prelude, of crates,
//! and what the code itself declares. Another module may have something else of such a name.

use base::{LineIndex, SortedMap, SortedSet};
use syntax::places::{generic_params, places};

use super::Request;
use super::fault::RelocateFault;
use super::modules::ModulePath;
use super::needs::Head;
use super::supply::{Ends, Origin, Supply};
use super::uses::use_items;

impl<'s> Ends<'s> {
    /// The whole paths for names of the prelude that the target has for something else, in moved code with
    /// these texts.
    ///
    /// # Errors
    /// The first name that means something else in the target, and for which no path is known: of a crate,
    /// or by a glob of another crate.
    pub(super) fn hidden(
        &self,
        request: &Request<'_>,
        heads: &SortedMap<String, Head>,
        texts: &[&str],
    ) -> Result<Vec<Supply<'s>>, RelocateFault> {
        let own: SortedSet<String> = texts.iter().flat_map(|it| declared(it)).collect();
        let may_be_variable = |name: &str| {
            let is_path = |text: &&str| {
                base::word_places(text, name).any(|at| text[at + name.len()..].starts_with("::"))
            };
            name.starts_with(|it: char| it.is_lowercase() || it == '_')
                && !texts.iter().any(is_path)
        };
        let mut found = Vec::new();
        for (name, head) in heads {
            let is_open = *name != self.name
                && !head.is_macro
                && !own.contains(name)
                && !may_be_variable(name)
                && self.origin(name).is_none();
            if !is_open || !self.is_other_in_target(name) {
                continue;
            }
            let path = preserve::prelude_path(name, self.has_std());
            let Some(path) = path.filter(|_| !self.may_come_by_glob()) else {
                let file = self.scopes.file(request.file);
                let at = head.spans.first().map_or(0, |it| it.start);
                return Err(RelocateFault::OtherMeaning {
                    name: name.clone(),
                    module: self.to.to_string(),
                    path: file.path.clone(),
                    line: LineIndex::new(&file.text).line_of(at),
                });
            };
            let (name, qualified) = (name.clone(), Some(path));
            found.push(Supply { name, origin: Origin::Prelude, imports: Vec::new(), qualified });
        }
        Ok(found)
    }

    /// Whether the target has a name for something else than the prelude does, or a crate of that name.
    fn is_other_in_target(&self, name: &str) -> bool {
        let is_same = |path: &str| {
            // `use serde;` imports the crate of that name.
            let path = path.trim_start_matches("::");
            path == name || preserve::is_prelude_path(path, name)
        };
        let mut leaves =
            self.scopes.leaves_of(self.to).filter(|(_, it)| it.name == name).peekable();
        if leaves.peek().is_some() {
            return leaves.any(|(_, leaf)| {
                !is_same(&self.scopes.absolute(self.to, &leaf.names(), leaf.is_global))
            });
        }
        self.scopes.member(self.to, name).is_some()
            || self.through_globs(self.to, name, 4).is_some_and(|it| !is_same(&it))
    }

    /// Whether the old module may have a name by a glob whose names are not known.
    fn may_come_by_glob(&self) -> bool {
        self.scopes.leaves_of(self.from).any(|(_, it)| {
            let of = || self.scopes.resolve(self.from, &it.names(), it.is_global);
            let is_enum = it.names().last().is_some_and(|it| it.starts_with(char::is_uppercase));
            it.is_glob() && !is_enum && of().is_none()
        })
    }

    fn has_std(&self) -> bool {
        let root = ModulePath { krate: self.to.krate, names: Vec::new() };
        let text = self.scopes.place(&root).map_or("", |it| &it.1.text);
        !text.contains("no_std]")
    }
}

/// The names that a text declares itself: items, parameters of types and imports.
fn declared(text: &str) -> SortedSet<String> {
    let places = places(text);
    let mut found: SortedSet<String> =
        places.definitions.iter().map(|it| it.name.clone()).collect();
    for (_, _, list) in places.generic_lists() {
        let params = generic_params(list.slice(text).unwrap_or(""), list.start);
        let names = params.iter().filter_map(|it| it.slice(text));
        found.extend(names.map(|it| it.trim_start_matches('\'').to_owned()));
    }
    let items = use_items(text);
    found.extend(items.iter().flat_map(|it| &it.leaves).map(|it| it.name.clone()));
    found
}
