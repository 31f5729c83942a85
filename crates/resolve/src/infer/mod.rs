//! Type inference over the bodies of one file, as far as method calls need it.
//!
//! One forward pass over each body with expected types (annotations, parameters, closure signatures
//! of callees), inference variables for unknown types, and obligations that wait until types are
//! known. Nothing is checked: the code is assumed to compile. A type that cannot be inferred is
//! [`ty::TyKind::Unknown`], which unifies with everything and proves nothing. Start at
//! [`Infer::resolve_source`].

mod assume;
mod body;
mod call;
mod expr;
mod items;
mod lang;
mod lower;
mod macro_behavior;
mod macros;
mod method;
mod names;
mod obligations;
mod ops;
mod pat;
mod pin_project;
mod project;
mod select;
mod sites;
mod ty;
mod vars;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use syntax::facts::ExprId;

use self::assume::Assumptions;
use self::body::BodyCtx;
use self::call::DeferredCall;
use self::items::{FieldTypes, Generics, Sig};
pub(crate) use self::lang::Lang;
use self::macro_behavior::MacroBehavior;
use self::method::TraitMethods;
use self::obligations::Obligation;
use self::select::Selection;
use self::sites::CallSite;
use self::ty::{Args, TraitRef, Ty, Types};
use self::vars::Vars;
use crate::hash::FastMap;
use crate::{DefId, DefMap, Deps, FileIdx, FoundEdge, Symbol, TypeHead, UnresolvedSite};

/// A trait with its arguments, the depth of the query, and whether active code asks.
type Bound = (DefId, Args, u32, bool);

/// Resolution of one file: tables that are valid for the whole file, and the state of the current
/// body.
pub(crate) struct Infer<'m> {
    map: &'m DefMap,
    pub(crate) deps: Deps,
    pub(crate) edges: Vec<FoundEdge>,
    pub(crate) unresolved: Vec<UnresolvedSite>,
    /// The number of call sites whose target is outside the workspace.
    pub(crate) external: u32,
    lang: &'m Lang,
    types: Types,
    /// The workspace file that is resolved.
    file: FileIdx,
    /// The current source: the file, or an expansion in it.
    source: Option<FileIdx>,
    /// The current depth of the chain of declarations.
    depth: u32,
    /// The number of types among these that are being lowered.
    lowering: u32,
    segments: Vec<Symbol>,

    all_generics: FastMap<DefId, Rc<Generics>>,
    all_predicates: FastMap<DefId, Rc<[TraitRef]>>,
    all_fields: FastMap<DefId, FieldTypes>,
    all_derives: FastMap<DefId, Rc<[Symbol]>>,
    /// By macro and number of arguments.
    macro_behaviors: FastMap<(DefId, usize), MacroBehavior>,
    sigs: FastMap<DefId, Option<Rc<Sig>>>,
    aliases: FastMap<DefId, Option<Ty>>,
    impl_selves: FastMap<DefId, Ty>,
    impl_traits: FastMap<DefId, Option<TraitRef>>,
    impls_by_head: FastMap<(DefId, Option<TypeHead>), Rc<[DefId]>>,
    /// Methods by type head, name, and whether active code calls them.
    inherent_by_name: FastMap<(TypeHead, Symbol, bool), Rc<[DefId]>>,
    traits_by_scope: FastMap<(u32, DefId), Rc<[DefId]>>,
    traits_by_name: FastMap<(u32, DefId, Symbol), TraitMethods>,
    bounds_by_type: FastMap<Ty, Rc<[TraitRef]>>,
    /// Selections for bounds without variables.
    selected: FastMap<Bound, Selection>,
    /// The same for selections that depend on the bounds of the current item.
    selected_in_item: FastMap<Bound, Selection>,
    /// Methods by name alone; `None`: too many.
    guesses: FastMap<Symbol, Option<Rc<[DefId]>>>,
    /// The names that occur in the file, sorted; filled on first use.
    mentioned: Vec<Symbol>,
    no_bounds: Rc<[TraitRef]>,
    assumptions: Assumptions,

    at: Option<BodyCtx<'m>>,
    /// The source item of the edges.
    src: Option<DefId>,
    /// The current item exists for certain.
    item_exists: bool,
    /// The current item is compiled on this host.
    is_active: bool,
    env: Rc<[TraitRef]>,
    /// Some bounds are on more than parameters and their associated types.
    env_is_wide: bool,
    vars: Vars,
    obligations: Vec<Obligation>,
    deferred_calls: Vec<DeferredCall>,
    solved_at: (u32, usize),
    locals: Vec<(Symbol, Ty)>,
    done: Vec<Option<Ty>>,
    /// The type of `return`.
    ret: Ty,
    /// The type of `break` for each enclosing loop, and whether there was one.
    loops: Vec<(Ty, bool)>,
    sites: Vec<(CallSite, bool)>,
    nesting: u32,
    too_deep: Vec<ExprId>,
    /// The context of the current expression is unknown.
    context_unknown: bool,
    closures: u32,
}

impl<'m> Infer<'m> {
    /// Creates the state for a file.
    pub(crate) fn new(map: &'m DefMap, file: FileIdx) -> Self {
        let none: Rc<[TraitRef]> = Rc::from([]);
        Self {
            map,
            deps: Deps::new(),
            edges: Vec::new(),
            unresolved: Vec::new(),
            external: 0,
            lang: map.cached.lang.get_or_init(|| Lang::of(map)),
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
            macro_behaviors: FastMap::default(),
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
            selected_in_item: FastMap::default(),
            guesses: FastMap::default(),
            mentioned: Vec::new(),
            no_bounds: none.clone(),
            assumptions: Assumptions::default(),
            at: None,
            src: None,
            item_exists: true,
            is_active: true,
            env: none,
            env_is_wide: false,
            vars: Vars::default(),
            obligations: Vec::new(),
            deferred_calls: Vec::new(),
            solved_at: (u32::MAX, 0),
            locals: Vec::new(),
            done: Vec::new(),
            ret: Types::UNKNOWN,
            loops: Vec::new(),
            sites: Vec::new(),
            nesting: 0,
            too_deep: Vec::new(),
            context_unknown: false,
            closures: 0,
        }
    }

    /// Resolves a whole source: its bodies, and the names in its items.
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
            self.item_exists = existence == crate::Existence::Sure;
            let scope = self.map.scope_of(def);
            self.resolve_body(BodyCtx { file: source, number: number as u32, body, def, scope });
        }
    }
}
