//! Places that call something, and what they turn out to call once the body's types are known.

use std::rc::Rc;

use base::{EdgeKind, Tier};
use syntax::facts::Name;

use super::Infer;
use super::select::Selection;
use super::ty::{Args, Kind, TraitRef, Ty};
use crate::defs::MOST_GUESSES;
use crate::{
    DefId, Existence, FoundEdge, Namespace, Rule, SiteShape, Symbol, Unresolved, UnresolvedSite,
};

/// More targets than this are no help to anybody.
const MOST: usize = MOST_GUESSES;

/// One place.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub offset: u32,
    pub name: Symbol,
    /// `receiver.name()`.
    pub is_method: bool,
    pub what: What,
}

/// What a place calls, as far as it showed when it was passed.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// A function that a path leads to.
    Function(DefId),
    /// A function of a type's own impl.
    Inherent(DefId),
    /// A function of a type's impl of a trait from outside.
    OfImpl(DefId),
    /// A trait's function, for this `Self` and these arguments.
    OfTrait { method: DefId, args: Args, is_sure: bool },
    /// An operator's trait method.
    Operator { method: DefId, args: Args },
    /// A macro.
    Macro(DefId),
    /// Several that could not be told apart.
    Several(Vec<DefId>),
    /// A method that the receiver's type, which is known, does not have.
    NoMethod(Ty),
    /// The receiver is not known.
    Guess,
    /// The path leads nowhere.
    Missing,
    /// The arguments of a macro call that could not be read.
    Unread,
}

impl Infer<'_> {
    pub(super) fn push_site(&mut self, site: Site) {
        self.sites.push((site, self.is_lost));
    }

    /// Turns the sites of the body at hand into edges.
    pub(super) fn finish_sites(&mut self) {
        for (site, is_lost) in std::mem::take(&mut self.sites) {
            self.finish_site(&site, is_lost);
        }
    }

    fn finish_site(&mut self, site: &Site, is_lost: bool) {
        match &site.what {
            What::Function(def) => self.edge_to(site, *def, Rule::PathCall, !is_lost),
            What::Inherent(def) => {
                let rule = if site.is_method { Rule::InherentMethod } else { Rule::TypePath };
                self.edge_to(site, *def, rule, !is_lost);
            }
            What::OfImpl(def) => self.edge_to(site, *def, Rule::TraitImpl, !is_lost),
            What::Macro(def) => self.edge_to(site, *def, Rule::MacroCall, true),
            What::OfTrait { method, args, is_sure } => {
                self.finish_of_trait(site, *method, args, *is_sure && !is_lost);
            }
            What::Operator { method, args } => self.finish_operator(site, *method, args),
            What::Several(defs) => self.candidates(site, defs.clone(), Rule::SeveralTargets),
            What::NoMethod(receiver) => self.finish_no_method(site, *receiver),
            What::Guess if site.is_method => self.guess(site),
            What::Guess => self.unresolved(site, Unresolved::UnknownReceiver),
            What::Missing => self.unresolved(site, Unresolved::NotFound),
            What::Unread => self.unresolved(site, Unresolved::InMacro),
        }
    }

    /// An edge to one definition.
    fn edge_to(&mut self, site: &Site, to: DefId, rule: Rule, is_sure: bool) {
        if !self.is_ours(to) {
            return;
        }
        let Some(src) = self.src else { return };
        let def = self.map.def(to);
        let exists = def.existence == Existence::Sure && (def.is_active || !self.is_active);
        let is_sure = is_sure && exists && self.is_certain;
        let tier = if is_sure { Tier::Proven } else { Tier::Candidate };
        let offset = self.site_offset(site.offset);
        self.edges.push(FoundEdge { src, kind: EdgeKind::Calls, to, tier, rule, offset });
    }

    fn candidates(&mut self, site: &Site, mut defs: Vec<DefId>, rule: Rule) {
        defs.sort_unstable();
        defs.dedup();
        defs.retain(|def| self.is_ours(*def));
        if defs.len() > MOST {
            return self.unresolved(site, Unresolved::TooMany);
        }
        for def in defs {
            self.edge_to(site, def, rule, false);
        }
    }

    fn unresolved(&mut self, site: &Site, reason: Unresolved) {
        let Some(src) = self.src else { return };
        let shape = if site.is_method { SiteShape::Method } else { SiteShape::Path };
        let offset = self.site_offset(site.offset);
        self.unresolved.push(UnresolvedSite { src, offset, name: site.name, reason, shape });
    }

    fn finish_of_trait(&mut self, site: &Site, method: DefId, args: &Args, is_sure: bool) {
        let Some(of) = self.map.def(method).parent else { return };
        let args: Args = args.iter().map(|ty| self.resolved(*ty)).collect();
        let Some(self_ty) = args.first().copied() else { return };
        let bound = TraitRef { of, args, bindings: Rc::from([]) };
        let rule = match self.types.kind(self_ty) {
            Kind::Param(..) | Kind::Projection(..) => Some(Rule::BoundedParameter),
            Kind::Dyn(_) => Some(Rule::TraitObject),
            Kind::Opaque(_) => Some(Rule::ImplTrait),
            Kind::Unknown | Kind::Var(_) => {
                let family = self.family(method);
                if !site.is_method && family.iter().all(|def| *def == method) {
                    // `Trait::name(…)`, and no impl has another.
                    return self.edge_to(site, method, Rule::PathCall, is_sure);
                }
                return self.candidates(site, family, Rule::UnknownSelf);
            }
            _ => None,
        };
        if let Some(rule) = rule
            && self.bounds_of(self_ty).iter().any(|known| known.of == of)
        {
            return self.edge_to(site, method, rule, is_sure);
        }
        let Some(name) = self.map.def(method).name else { return };
        match self.select(&bound, 0) {
            Selection::One(def) => {
                // An impl for every type may stand beside one that was not seen.
                let member = self.map.member(&mut self.deps, def, name, Namespace::Value);
                match member {
                    Some(member) => self.edge_to(site, member, Rule::TraitImpl, is_sure),
                    None => self.edge_to(site, method, Rule::TraitDefault, is_sure),
                }
            }
            Selection::Several(all) => {
                let defs = self.members_of(&all, method, name);
                match defs.as_slice() {
                    [only] => self.edge_to(site, *only, Rule::TraitImpl, is_sure),
                    _ => self.candidates(site, defs, Rule::SeveralTargets),
                }
            }
            Selection::None | Selection::Unknown => {
                let derived = match self.types.kind(self_ty) {
                    Kind::Adt(def, _) => {
                        let def = *def;
                        self.derives(def, of)
                    }
                    _ => false,
                };
                if !derived {
                    self.edge_to(site, method, Rule::UnknownSelf, false);
                }
            }
        }
    }

    /// The function in each of some impls, or the trait's where an impl inherits it.
    fn members_of(&mut self, impls: &[DefId], method: DefId, name: Symbol) -> Vec<DefId> {
        let mut defs: Vec<DefId> = (impls.iter())
            .map(|def| {
                self.map.member(&mut self.deps, *def, name, Namespace::Value).unwrap_or(method)
            })
            .collect();
        defs.sort_unstable();
        defs.dedup();
        defs
    }

    /// A trait's method and those of its impls; where they are many, the trait's alone.
    fn family(&mut self, method: DefId) -> Vec<DefId> {
        let (Some(of), Some(name)) = (self.map.def(method).parent, self.map.def(method).name)
        else {
            return vec![method];
        };
        let impls = self.map.impls_of_trait(&mut self.deps, of).to_vec();
        let mut all = self.members_of(&impls, method, name);
        all.retain(|def| self.is_ours(*def));
        if all.len() > MOST {
            return vec![method];
        }
        all.push(method);
        all
    }

    fn finish_operator(&mut self, site: &Site, method: DefId, args: &Args) {
        let Some(of) = self.map.def(method).parent else { return };
        let Some(name) = self.map.def(method).name else { return };
        let mut args: Vec<Ty> = args.iter().map(|ty| self.resolved(*ty)).collect();
        // Impls for references are those of what they point to.
        loop {
            let bound = TraitRef { of, args: args.clone().into(), bindings: Rc::from([]) };
            if let Selection::One(def) = self.select(&bound, 0)
                && let Some(member) = self.map.member(&mut self.deps, def, name, Namespace::Value)
                && self.is_ours(member)
            {
                return self.edge_to(site, member, Rule::Operator, true);
            }
            let mut peeled = false;
            for ty in &mut args {
                if let Kind::Ref(to) = *self.types.kind(*ty) {
                    *ty = to;
                    peeled = true;
                }
            }
            if !peeled {
                return;
            }
        }
    }

    /// A method that a known type does not have: what made it was not seen (a macro, a derive), or
    /// it is one of the standard library's that is not declared here.
    fn finish_no_method(&mut self, site: &Site, receiver: Ty) {
        let steps = self.deref_steps(receiver);
        let has_ours = steps.iter().any(|step| match self.types.kind(*step) {
            Kind::Adt(def, _) => {
                let def = *def;
                self.is_ours(def)
            }
            Kind::Param(..) | Kind::Projection(..) | Kind::Opaque(_) | Kind::Dyn(_) => true,
            _ => false,
        });
        if has_ours { self.guess(site) } else { self.unresolved(site, Unresolved::NotFound) }
    }

    /// Candidates by name alone.
    fn guess(&mut self, site: &Site) {
        let guesses = match self.guesses.get(&site.name) {
            Some(known) => known.clone(),
            None => {
                let guesses = self.guesses_of(site.name);
                self.guesses.insert(site.name, guesses.clone());
                guesses
            }
        };
        match guesses {
            Some(found) if found.is_empty() => {}
            Some(found) => self.candidates(site, found.to_vec(), Rule::NameOnly),
            None => self.unresolved(site, Unresolved::TooMany),
        }
    }

    /// The methods of a name that the file at hand may mean; `None`: too many.
    fn guesses_of(&mut self, name: Symbol) -> Option<Rc<[DefId]>> {
        if self.mentioned.is_empty() {
            let count = self.facts_of(self.file).names.len() as u32;
            let all = (0..count).map(|it| self.map.file_symbol(self.file, Name(it)));
            self.mentioned = all.collect();
            self.mentioned.sort_unstable();
        }
        self.map.guesses(&mut self.deps, name, &self.mentioned).map(Into::into)
    }

    /// Where a place of the text at hand shows in the file.
    pub(super) fn site_offset(&self, offset: u32) -> u32 {
        match self.source {
            Some(source) if source != self.file => self.map.site(source, offset).1,
            _ => offset,
        }
    }
}
