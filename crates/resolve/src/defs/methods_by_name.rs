//! Candidate methods for a call whose receiver type is unknown: all methods with the name.
//!
//! Names like `poll` or `fmt` have dozens of methods. A file then considers only those whose type
//! or trait it mentions, and its result depends on these alone: another `poll` elsewhere does not
//! invalidate it.

use std::sync::{Arc, Mutex};

use base::{ItemKind, SortedMap, SortedSet};
use syntax::facts::Shape;

use super::lookup_key::LookupKind;
use super::{DefId, DefMap, Namespace, Symbol, TypeHead};
use crate::Deps;
use crate::keys::Mix;

/// With more candidates than these there is no guess.
pub(crate) const MAX_GUESSES: usize = 8;

/// The digest of a name with more candidates; those are looked up one by one.
const MANY: u64 = 1;

type Family = Arc<[(DefId, Option<Symbol>)]>;

/// A cache of the methods of frequent names. A cloned map is about to be changed, so its cache
/// starts empty.
#[derive(Debug, Default)]
pub(super) struct MethodsByName(Mutex<SortedMap<Symbol, Family>>);

impl Clone for MethodsByName {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl DefMap {
    /// The methods with a name that a file which mentions these names (sorted) may mean: all of
    /// them if they are few; if there are more, impls of one trait count as that trait's method; if
    /// there are still more, those whose type or trait is mentioned. `None`: still too many, or
    /// none of many.
    pub(crate) fn guesses(
        &self,
        deps: &mut Deps,
        name: Symbol,
        mentioned: &[Symbol],
    ) -> Option<Vec<DefId>> {
        deps.note(self.key(LookupKind::Family(name)));
        let family = self.known_family(name);
        if family.len() <= MAX_GUESSES {
            return Some(family.iter().map(|(def, _)| *def).collect());
        }
        deps.note(self.key(LookupKind::FamilyOf(name, None)));
        for it in mentioned.iter().filter(|it| self.is_type_like(**it)) {
            deps.note(self.key(LookupKind::FamilyOf(name, Some(*it))));
        }
        let is_meant = |owner: &Symbol| mentioned.binary_search(owner).is_ok();
        let found = family.iter().filter(|(_, owner)| owner.as_ref().is_some_and(is_meant));
        let found: Vec<DefId> = found.map(|(def, _)| *def).collect();
        (!found.is_empty() && found.len() <= MAX_GUESSES).then_some(found)
    }

    /// The methods with a name; if they are many, each with the name of its type or trait, computed
    /// once.
    fn known_family(&self, name: Symbol) -> Family {
        if self.members.methods.get(name).len() <= MAX_GUESSES {
            return self.family(name).into_iter().map(|def| (def, None)).collect();
        }
        let all = || base::lock(&self.cached.methods_by_name.0);
        if let Some(known) = all().get(&name) {
            return known.clone();
        }
        let family = self.family(name).into_iter();
        let family: Family = family.map(|def| (def, self.owner_name(def))).collect();
        all().insert(name, family.clone());
        family
    }

    /// The methods with a name; if they are many, impls of one trait count as one.
    fn family(&self, name: Symbol) -> Vec<DefId> {
        let is_method = |def: &DefId| {
            let shape = self.facts(*def).map(|(_, _, decl)| &decl.shape);
            matches!(shape, Some(Shape::Fn(decl)) if decl.receiver.is_some())
        };
        let found: Vec<DefId> =
            self.members.methods.get(name).iter().copied().filter(is_method).collect();
        if found.len() <= MAX_GUESSES {
            return found;
        }
        let mut seen: SortedSet<DefId> = SortedSet::new();
        let heads = found.into_iter().map(|def| self.head_of_family(def, name).unwrap_or(def));
        heads.filter(|head| seen.insert(*head)).collect()
    }

    /// The trait method that an impl's method implements, if the trait is in the workspace.
    fn head_of_family(&self, def: DefId, name: Symbol) -> Option<DefId> {
        let parent = self.def(def).parent?;
        if self.def(parent).kind != ItemKind::Impl {
            return None;
        }
        let [of] = self.impls.traits.get(parent) else { return None };
        let head = self.member(&mut Deps::new(), *of, name, Namespace::Value)?;
        (!self.is_std(head)).then_some(head)
    }

    /// The name of the type or trait of a method.
    fn owner_name(&self, def: DefId) -> Option<Symbol> {
        let parent = self.def(def).parent?;
        let owner = match self.self_head(&mut Deps::new(), parent) {
            TypeHead::Adt(adt) => adt,
            _ if self.def(parent).kind == ItemKind::Trait => parent,
            _ => return None,
        };
        self.def(owner).name
    }

    /// Type names nearly always start with a capital; all others share one key.
    fn is_type_like(&self, name: Symbol) -> bool {
        self.name_of(name).starts_with(char::is_uppercase)
    }

    /// Adds the digests of one name. Keys are made with `names`, which contains all names of this
    /// map.
    pub(super) fn digest_family(&self, name: Symbol, names: &DefMap, pairs: &mut Vec<(u64, u64)>) {
        let family = self.family(name);
        if family.is_empty() {
            return;
        }
        // Indices differ from build to build, and so does their order.
        let mut all: Vec<u64> = family.iter().map(|def| self.digest_of(*def)).collect();
        all.sort_unstable();
        let all = all.into_iter().fold(Mix::new(0), Mix::with);
        let is_many = family.len() > MAX_GUESSES;
        pairs.push((
            names.key(LookupKind::Family(name)).0,
            if is_many { MANY } else { all.finish() },
        ));
        for def in family.into_iter().filter(|_| is_many) {
            let owner = self.owner_name(def);
            let key_owner = owner.filter(|owner| names.is_type_like(*owner));
            let result =
                Mix::new(self.digest_of(def)).with(owner.map_or(0, |owner| names.name_hash(owner)));
            pairs.push((names.key(LookupKind::FamilyOf(name, key_owner)).0, result.finish()));
        }
    }

    /// The names of all methods.
    pub(super) fn method_names(&self) -> Vec<Symbol> {
        let mut names: Vec<Symbol> = self.members.methods.pairs().map(|(name, _)| name).collect();
        names.dedup();
        names
    }

    /// Adds the names of the methods among some definitions and of those in some impls.
    pub(super) fn names_of_methods(
        &self,
        defs: impl Iterator<Item = DefId>,
        impls: &SortedSet<DefId>,
        names: &mut SortedSet<Symbol>,
    ) {
        let inside = impls.iter().flat_map(|of| self.members.children.get(*of)).copied();
        for def in defs.chain(inside).map(|id| self.def(id)) {
            if def.kind == ItemKind::Method {
                names.extend(def.name);
            }
        }
    }

    fn name_hash(&self, name: Symbol) -> u64 {
        self.symbols.hash(name)
    }
}
