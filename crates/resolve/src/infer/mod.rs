//! Type inference over the bodies of one file, as far as method calls need it.
//!
//! One pass forward over each body with what is expected where (annotations, parameters, what
//! callees say of closures), variables for what is not known yet, and bounds that wait until it
//! is. Nothing is checked: the code is taken to be right, and where something is not known it
//! stays [`ty::Kind::Unknown`], which fits everything and proves nothing.

mod body;
mod call;
mod expr;
mod hash;
mod items;
mod lang;
mod lower;
mod macros;
mod meaning;
mod method;
mod names;
mod ops;
mod pat;
mod project;
mod projected;
mod select;
mod settle;
mod sites;
mod ty;
mod vars;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use syntax::facts::ExprId;

use self::body::At;
use self::call::Waiting;
use self::hash::FastMap;
use self::items::{FieldTypes, Generics, Sig};
pub(crate) use self::lang::Lang;
use self::meaning::Meaning;
use self::method::TraitMethods;
use self::select::Selection;
use self::settle::Pending;
use self::sites::Site;
use self::ty::{Args, TraitRef, Ty, Types};
use self::vars::Vars;
use crate::{DefId, DefMap, Deps, FileIdx, FoundEdge, Symbol, TypeHead, UnresolvedSite};

/// A trait with its arguments, how deep it is asked for, and whether by code that is on.
type Bound = (DefId, Args, u32, bool);

/// Resolution of one file: tables that hold for all of it, and the state of the body at hand.
pub(crate) struct Infer<'m> {
    map: &'m DefMap,
    pub(crate) deps: Deps,
    pub(crate) edges: Vec<FoundEdge>,
    pub(crate) unresolved: Vec<UnresolvedSite>,
    lang: &'m Lang,
    types: Types,
    /// The file of the workspace that is resolved.
    file: FileIdx,
    /// The text at hand: the file, or an expansion in it.
    source: Option<FileIdx>,
    /// How deep declarations lead through each other right now.
    depth: u32,
    /// How many of these are types that are being read.
    lowering: u32,
    segments: Vec<Symbol>,

    all_generics: FastMap<DefId, Rc<Generics>>,
    all_predicates: FastMap<DefId, Rc<[TraitRef]>>,
    all_fields: FastMap<DefId, FieldTypes>,
    all_derives: FastMap<DefId, Rc<[Symbol]>>,
    meanings: FastMap<DefId, Meaning>,
    sigs: FastMap<DefId, Option<Rc<Sig>>>,
    aliases: FastMap<DefId, Option<Ty>>,
    impl_selves: FastMap<DefId, Ty>,
    impl_traits: FastMap<DefId, Option<TraitRef>>,
    impls_by_head: FastMap<(DefId, Option<TypeHead>), Rc<[DefId]>>,
    /// Methods by head, name, and whether code that is on calls them.
    inherent_by_name: FastMap<(TypeHead, Symbol, bool), Rc<[DefId]>>,
    traits_by_scope: FastMap<(u32, DefId), Rc<[DefId]>>,
    traits_by_name: FastMap<(u32, DefId, Symbol), TraitMethods>,
    bounds_by_type: FastMap<Ty, Rc<[TraitRef]>>,
    /// What meets a bound, of types in which nothing is open.
    selected: FastMap<Bound, Selection>,
    /// The same where it is a matter of the bounds of the item at hand.
    selected_here: FastMap<Bound, Selection>,
    /// Methods by name alone; `None`: too many.
    guesses: FastMap<Symbol, Option<Rc<[DefId]>>>,
    /// The names that the file has, sorted, once they were asked for.
    mentioned: Vec<Symbol>,
    no_bounds: Rc<[TraitRef]>,

    at: Option<At<'m>>,
    /// The item that edges come from.
    src: Option<DefId>,
    /// What is at hand is there for sure.
    is_certain: bool,
    /// It is compiled on this host.
    is_active: bool,
    env: Rc<[TraitRef]>,
    /// Bounds speak of more than parameters and their associated types.
    env_is_wide: bool,
    vars: Vars,
    pending: Vec<Pending>,
    waiting: Vec<Waiting>,
    settled_at: (u32, usize),
    locals: Vec<(Symbol, Ty)>,
    done: Vec<Option<Ty>>,
    /// What `return` gives.
    ret: Ty,
    /// What `break` gives, loop by loop, and whether there was one.
    loops: Vec<(Ty, bool)>,
    sites: Vec<(Site, bool)>,
    nesting: u32,
    too_deep: Vec<ExprId>,
    /// What is around the expression at hand is not known.
    is_lost: bool,
    closures: u32,
}

impl<'m> Infer<'m> {
    /// For a file.
    pub(crate) fn new(map: &'m DefMap, file: FileIdx) -> Self {
        let none: Rc<[TraitRef]> = Rc::from([]);
        Self {
            map,
            deps: Deps::new(),
            edges: Vec::new(),
            unresolved: Vec::new(),
            lang: map.lang.get_or_init(|| Lang::of(map)),
            types: Types::new(),
            file,
            source: None,
            depth: 0,
            lowering: 0,
            segments: Vec::new(),
            all_generics: FastMap::default(),
            all_predicates: FastMap::default(),
            all_fields: FastMap::default(),
            all_derives: FastMap::default(),
            meanings: FastMap::default(),
            sigs: FastMap::default(),
            aliases: FastMap::default(),
            impl_selves: FastMap::default(),
            impl_traits: FastMap::default(),
            impls_by_head: FastMap::default(),
            inherent_by_name: FastMap::default(),
            traits_by_scope: FastMap::default(),
            traits_by_name: FastMap::default(),
            bounds_by_type: FastMap::default(),
            selected: FastMap::default(),
            selected_here: FastMap::default(),
            guesses: FastMap::default(),
            mentioned: Vec::new(),
            no_bounds: none.clone(),
            at: None,
            src: None,
            is_certain: true,
            is_active: true,
            env: none,
            env_is_wide: false,
            vars: Vars::default(),
            pending: Vec::new(),
            waiting: Vec::new(),
            settled_at: (u32::MAX, 0),
            locals: Vec::new(),
            done: Vec::new(),
            ret: Types::UNKNOWN,
            loops: Vec::new(),
            sites: Vec::new(),
            nesting: 0,
            too_deep: Vec::new(),
            is_lost: false,
            closures: 0,
        }
    }

    /// Resolves all of a text: its bodies, and what its items name.
    pub(crate) fn resolve_source(&mut self, source: FileIdx) {
        self.source = Some(source);
        let facts = self.facts_of(source);
        self.item_edges(source);
        for (number, body) in facts.bodies.iter().enumerate() {
            let def = self.map.def_of(source, body.item);
            let existence = self.map.def(def).existence;
            if existence == crate::Existence::No {
                continue;
            }
            self.src = Some(def);
            self.is_certain = existence == crate::Existence::Sure;
            let scope = self.map.scope_of(def);
            self.infer_body(At { file: source, number: number as u32, body, def, scope });
        }
    }
}
