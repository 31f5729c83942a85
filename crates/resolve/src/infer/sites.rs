//! Call sites, and the edges that they become when the types of the body are known.

use std::rc::Rc;

use base::{EdgeKind, Tier};
use syntax::TokenSource;
use syntax::facts::Name;

use super::Infer;
use super::select::Selection;
use super::ty::{Args, TraitRef, Ty, TyKind};
use crate::defs::MAX_GUESSES;
use crate::{
    CallShape, DefId, Existence, FoundEdge, Namespace, Rule, Symbol, Unresolved, UnresolvedSite,
};

/// More targets than this are not useful.
const MAX_TARGETS: usize = MAX_GUESSES;

/// A call site.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    pub offset: u32,
    pub name: Symbol,
    /// `receiver.name()`.
    pub is_method: bool,
    pub target: CallTarget,
    /// In the expansion of a macro call: the text that its name was copied from.
    pub copied_from: Option<TokenSource>,
    /// The function is used as a value.
    pub is_value: bool,
}

/// The callee, as far as it was known when the site was walked.
#[derive(Clone, Debug)]
pub(super) enum CallTarget {
    /// A function resolved from a path.
    Function(DefId),
    /// A function of an inherent impl.
    Inherent(DefId),
    /// A function of an impl of an external trait.
    OfImpl(DefId),
    /// A trait's function, with `Self` and the trait's arguments.
    OfTrait { method: DefId, args: Args, is_sure: bool },
    /// An operator's trait method.
    Operator { method: DefId, args: Args },
    /// A macro.
    Macro(DefId),
    /// Several candidates.
    Several(Vec<DefId>),
    /// A function or macro outside the workspace.
    External,
    /// A method that the known receiver type does not have.
    NoMethod(Ty),
    /// An unknown receiver.
    Guess,
    /// An unresolved path.
    Missing,
    /// The unparsed arguments of a macro call.
    Unread,
}

/// A call site whose edges are found when the types of the body are known.
pub(super) struct WaitingSite {
    site: CallSite,
    /// The context of the call is unknown.
    context_unknown: bool,
}

impl Infer<'_> {
    /// A site in the source that is being walked.
    pub(super) fn call_site(
        &self,
        offset: u32,
        name: Symbol,
        is_method: bool,
        target: CallTarget,
    ) -> CallSite {
        let (offset, copied_from) = self.position(offset);
        CallSite { offset, name, is_method, target, copied_from, is_value: false }
    }

    pub(super) fn push_call_site(&mut self, mut site: CallSite) {
        match (site.copied_from, &site.target) {
            // The arguments of a macro call are walked without the macro too.
            (
                Some(TokenSource::Call),
                CallTarget::Several(_)
                | CallTarget::External
                | CallTarget::NoMethod(_)
                | CallTarget::Guess
                | CallTarget::Missing
                | CallTarget::Unread,
            )
            | (Some(TokenSource::Definition), CallTarget::External) => return,
            (
                Some(TokenSource::Definition),
                CallTarget::NoMethod(_) | CallTarget::Guess | CallTarget::Missing,
            ) => site.target = CallTarget::Unread,
            _ => {}
        }
        self.body.sites.push(WaitingSite { site, context_unknown: self.body.context_unknown });
    }

    /// Turns the call sites of the current body into edges.
    pub(super) fn finish_sites(&mut self) {
        for WaitingSite { site, context_unknown } in std::mem::take(&mut self.body.sites) {
            let first = self.found.edges.len();
            self.finish_site(&site, context_unknown);
            if site.is_value {
                for edge in self.found.edges.iter_mut().skip(first) {
                    edge.kind = EdgeKind::Uses;
                    if edge.tier == Tier::Proven {
                        edge.rule = Rule::FunctionValue;
                    }
                }
            }
            if site.copied_from == Some(TokenSource::Definition) {
                let new = self.found.edges.iter_mut().skip(first);
                new.filter(|it| it.tier == Tier::Proven && it.rule != Rule::MacroCall)
                    .for_each(|it| it.rule = Rule::MacroExpansion);
            }
        }
    }

    fn finish_site(&mut self, site: &CallSite, context_unknown: bool) {
        match &site.target {
            CallTarget::Function(def) => self.edge_to(site, *def, Rule::PathCall, !context_unknown),
            CallTarget::Inherent(def) => {
                let rule = if site.is_method { Rule::InherentMethod } else { Rule::TypePath };
                self.edge_to(site, *def, rule, !context_unknown);
            }
            CallTarget::OfImpl(def) => self.edge_to(site, *def, Rule::TraitImpl, !context_unknown),
            CallTarget::Macro(def) => self.edge_to(site, *def, Rule::MacroCall, true),
            CallTarget::OfTrait { method, args, is_sure } => {
                self.finish_of_trait(site, *method, args, *is_sure && !context_unknown);
            }
            CallTarget::Operator { method, args } => self.finish_operator(site, *method, args),
            CallTarget::Several(defs) => self.candidates(site, defs.clone(), Rule::SeveralTargets),
            CallTarget::External => self.found.external += 1,
            CallTarget::NoMethod(receiver) => self.finish_no_method(site, *receiver),
            CallTarget::Guess if site.is_method => self.guess(site),
            CallTarget::Guess => self.unresolved(site, Unresolved::UnknownReceiver),
            CallTarget::Missing => self.unresolved(site, Unresolved::NotFound),
            CallTarget::Unread => self.unresolved(site, Unresolved::InMacro),
        }
    }

    /// Adds an edge to one definition.
    fn edge_to(&mut self, site: &CallSite, to: DefId, rule: Rule, is_sure: bool) {
        if !self.is_local(to) {
            self.found.external += 1;
            return;
        }
        let Some(src) = self.item.src else { return };
        let def = self.map.def(to);
        let exists = def.existence == Existence::Sure && (def.is_active || !self.item.is_active);
        let is_sure = is_sure && exists && self.item.exists;
        let tier = if is_sure { Tier::Proven } else { Tier::Candidate };
        let offset = self.site_offset(site.offset);
        self.found.edges.push(FoundEdge { src, kind: EdgeKind::Calls, to, tier, rule, offset });
    }

    fn candidates(&mut self, site: &CallSite, mut defs: Vec<DefId>, rule: Rule) {
        defs.sort_unstable();
        defs.dedup();
        defs.retain(|def| self.is_local(*def));
        self.found.external += u32::from(defs.is_empty());
        if defs.len() > MAX_TARGETS {
            return self.unresolved(site, Unresolved::TooMany);
        }
        for def in defs {
            self.edge_to(site, def, rule, false);
        }
    }

    fn unresolved(&mut self, site: &CallSite, reason: Unresolved) {
        let Some(src) = self.item.src else { return };
        let shape = if site.is_method { CallShape::Method } else { CallShape::Path };
        let offset = self.site_offset(site.offset);
        self.found.unresolved.push(UnresolvedSite { src, offset, name: site.name, reason, shape });
    }

    fn finish_of_trait(&mut self, site: &CallSite, method: DefId, args: &Args, is_sure: bool) {
        let Some(of) = self.map.def(method).parent else { return };
        let args: Args = args.iter().map(|ty| self.resolved(*ty)).collect();
        let Some(self_ty) = args.first().copied() else { return };
        let bound = TraitRef { of, args, bindings: Rc::from([]) };
        let rule = match self.types.kind(self_ty) {
            TyKind::Param(..) | TyKind::Projection(..) => Some(Rule::BoundedParameter),
            TyKind::Dyn(_) => Some(Rule::TraitObject),
            TyKind::Opaque(_) => Some(Rule::ImplTrait),
            TyKind::Unknown | TyKind::Var(_) => {
                let methods = self.trait_method_and_impls(method);
                if !site.is_method && methods.iter().all(|def| *def == method) {
                    // `Trait::name(…)` without overriding impls.
                    return self.edge_to(site, method, Rule::PathCall, is_sure);
                }
                return self.candidates(site, methods, Rule::UnknownSelf);
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
                // A blanket impl may coexist with one that is not visible here.
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
                    TyKind::Adt(def, _) => {
                        let def = *def;
                        self.derives(def, of)
                    }
                    _ => false,
                };
                if derived {
                    self.found.external += 1;
                } else {
                    self.edge_to(site, method, Rule::UnknownSelf, false);
                }
            }
        }
    }

    /// The function in each of some impls, or the trait's if an impl inherits it.
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

    /// A trait's method and those of its impls; if they are many, the trait's alone.
    fn trait_method_and_impls(&mut self, method: DefId) -> Vec<DefId> {
        let (Some(of), Some(name)) = (self.map.def(method).parent, self.map.def(method).name)
        else {
            return vec![method];
        };
        let impls = self.map.impls_of_trait(&mut self.deps, of).to_vec();
        let mut all = self.members_of(&impls, method, name);
        all.retain(|def| self.is_local(*def));
        if all.len() > MAX_TARGETS {
            return vec![method];
        }
        all.push(method);
        all
    }

    fn finish_operator(&mut self, site: &CallSite, method: DefId, args: &Args) {
        let Some(of) = self.map.def(method).parent else { return };
        let Some(name) = self.map.def(method).name else { return };
        let mut args: Vec<Ty> = args.iter().map(|ty| self.resolved(*ty)).collect();
        // Operators on references use the impls of the referenced types.
        loop {
            let bound = TraitRef { of, args: args.clone().into(), bindings: Rc::from([]) };
            if let Selection::One(def) = self.select(&bound, 0)
                && let Some(member) = self.map.member(&mut self.deps, def, name, Namespace::Value)
                && self.is_local(member)
            {
                return self.edge_to(site, member, Rule::Operator, true);
            }
            let mut peeled = false;
            for ty in &mut args {
                if let TyKind::Ref(to) = *self.types.kind(*ty) {
                    *ty = to;
                    peeled = true;
                }
            }
            if !peeled {
                return;
            }
        }
    }

    /// A method that a known type does not have: it is generated (by a macro, a derive), or belongs
    /// to the standard library and is not declared here.
    fn finish_no_method(&mut self, site: &CallSite, receiver: Ty) {
        let steps = self.deref_steps(receiver);
        let has_ours = steps.iter().any(|step| match self.types.kind(*step) {
            TyKind::Adt(def, _) => {
                let def = *def;
                self.is_local(def)
            }
            TyKind::Param(..) | TyKind::Projection(..) | TyKind::Opaque(_) | TyKind::Dyn(_) => true,
            _ => false,
        });
        if has_ours { self.guess(site) } else { self.unresolved(site, Unresolved::NotFound) }
    }

    /// Adds candidates by name alone.
    fn guess(&mut self, site: &CallSite) {
        let guesses = match self.lookups.guesses.get(&site.name) {
            Some(known) => known.clone(),
            None => {
                let guesses = self.guesses_of(site.name);
                self.lookups.guesses.insert(site.name, guesses.clone());
                guesses
            }
        };
        match guesses {
            // No method of the workspace has the name.
            Some(found) if found.is_empty() => self.found.external += 1,
            Some(found) => self.candidates(site, found.to_vec(), Rule::NameOnly),
            None => self.unresolved(site, Unresolved::TooMany),
        }
    }

    /// The methods with a name that the current file may mean; `None`: too many.
    pub(super) fn guesses_of(&mut self, name: Symbol) -> Option<Rc<[DefId]>> {
        if self.lookups.mentioned.is_empty() {
            let count = self.facts_of(self.file).names.len() as u32;
            let all = (0..count).map(|it| self.map.file_symbol(self.file, Name(it)));
            self.lookups.mentioned = all.collect();
            self.lookups.mentioned.sort_unstable();
        }
        self.map.guesses(&mut self.deps, name, &self.lookups.mentioned).map(Into::into)
    }

    /// Maps an offset of the current source to the file.
    pub(super) fn site_offset(&self, offset: u32) -> u32 {
        match self.source {
            Some(source) if source != self.file => self.map.site(source, offset).1,
            _ => offset,
        }
    }
}
