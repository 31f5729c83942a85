//! The state of [`super::Infer`], by how long it is valid: what the declarations of all files mean
//! and what was looked up (for the whole file), the current item, the current body.

use std::rc::Rc;

use syntax::facts::ExprId;

use super::body::BodyCtx;
use super::call::DeferredCall;
use super::items::{FieldTypes, Generics, Sig};
use super::macro_behavior::MacroBehavior;
use super::method::TraitMethods;
use super::obligations::Obligation;
use super::select::Selection;
use super::sites::WaitingSite;
use super::ty::{Args, TraitRef, Ty, Types};
use super::vars::Vars;
use crate::hash::FastMap;
use crate::{DefId, Symbol, TypeHead};

/// A trait with its arguments, the depth of the query, and whether active code asks.
pub(super) type Bound = (DefId, Args, u32, bool);

/// Declarations of any file, each lowered once.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) generics: FastMap<DefId, Rc<Generics>>,
    pub(super) predicates: FastMap<DefId, Rc<[TraitRef]>>,
    pub(super) fields: FastMap<DefId, FieldTypes>,
    pub(super) derives: FastMap<DefId, Rc<[Symbol]>>,
    pub(super) sigs: FastMap<DefId, Option<Rc<Sig>>>,
    pub(super) aliases: FastMap<DefId, Option<Ty>>,
    pub(super) impl_selves: FastMap<DefId, Ty>,
    pub(super) impl_traits: FastMap<DefId, Option<TraitRef>>,
    /// The bounds of types that have none.
    pub(super) no_bounds: Rc<[TraitRef]>,
    /// By macro and number of arguments.
    pub(super) macro_behaviors: FastMap<(DefId, usize), MacroBehavior>,
}

/// Results of lookups in the map.
#[derive(Default)]
pub(super) struct Lookups {
    pub(super) impls_by_head: FastMap<(DefId, Option<TypeHead>), Rc<[DefId]>>,
    /// Methods by type head, name, and whether active code calls them.
    pub(super) inherent_by_name: FastMap<(TypeHead, Symbol, bool), Rc<[DefId]>>,
    pub(super) traits_by_scope: FastMap<(u32, DefId), Rc<[DefId]>>,
    pub(super) traits_by_name: FastMap<(u32, DefId, Symbol), TraitMethods>,
    /// Selections for bounds without variables.
    pub(super) selected: FastMap<Bound, Selection>,
    /// Methods by name alone; `None`: too many.
    pub(super) guesses: FastMap<Symbol, Option<Rc<[DefId]>>>,
    /// The names that occur in the file, sorted; filled on first use.
    pub(super) mentioned: Vec<Symbol>,
}

/// The current item.
#[derive(Default)]
pub(super) struct ItemState {
    /// The source item of the edges.
    pub(super) src: Option<DefId>,
    /// It exists for certain.
    pub(super) exists: bool,
    /// It is compiled on this host.
    pub(super) is_active: bool,
    /// The bounds in it.
    pub(super) env: Rc<[TraitRef]>,
    /// Some bounds are on more than parameters and their associated types.
    pub(super) env_is_wide: bool,
    /// Selections for bounds without variables that depend on the bounds in it.
    pub(super) selected: FastMap<Bound, Selection>,
}

/// The current body.
pub(super) struct BodyState<'m> {
    pub(super) at: Option<BodyCtx<'m>>,
    pub(super) vars: Vars,
    pub(super) obligations: Vec<Obligation>,
    pub(super) deferred_calls: Vec<DeferredCall>,
    /// The bindings and obligations when the obligations were solved last.
    pub(super) solved_at: (u32, usize),
    /// The local variables in scope, the latest last.
    pub(super) locals: Vec<(Symbol, Ty)>,
    /// How many of them are outside the expansion that is walked.
    pub(super) outer_locals: usize,
    /// The number of expansions around the current expression.
    pub(super) expansion_depth: u32,
    /// The types of the expressions that have been walked.
    pub(super) done: Vec<Option<Ty>>,
    /// The type of `return`.
    pub(super) ret: Ty,
    /// The enclosing loops, the innermost last.
    pub(super) loops: Vec<Loop>,
    pub(super) sites: Vec<WaitingSite>,
    /// The nesting of the current expression.
    pub(super) nesting: u32,
    /// Expressions nested too deeply, which are walked later.
    pub(super) too_deep: Vec<ExprId>,
    /// The context of the current expression is unknown.
    pub(super) context_unknown: bool,
    /// The number of closures so far.
    pub(super) closures: u32,
    pub(super) bounds_by_type: FastMap<Ty, Rc<[TraitRef]>>,
}

/// A loop.
pub(super) struct Loop {
    /// The type of `break`.
    pub(super) ty: Ty,
    /// Whether there was a `break`.
    pub(super) has_break: bool,
}

/// Nothing was solved yet.
const NEVER_SOLVED: (u32, usize) = (u32::MAX, 0);

impl Default for BodyState<'_> {
    fn default() -> Self {
        Self {
            at: None,
            vars: Vars::default(),
            obligations: Vec::new(),
            deferred_calls: Vec::new(),
            solved_at: NEVER_SOLVED,
            locals: Vec::new(),
            outer_locals: 0,
            expansion_depth: 0,
            done: Vec::new(),
            ret: Types::UNKNOWN,
            loops: Vec::new(),
            sites: Vec::new(),
            nesting: 0,
            too_deep: Vec::new(),
            context_unknown: false,
            closures: 0,
            bounds_by_type: FastMap::default(),
        }
    }
}

impl<'m> BodyState<'m> {
    /// Empties the state for the next body; buffers keep their capacity.
    pub(super) fn enter(&mut self, at: BodyCtx<'m>) {
        self.at = Some(at);
        self.vars.clear();
        self.obligations.clear();
        self.deferred_calls.clear();
        self.solved_at = NEVER_SOLVED;
        self.locals.clear();
        self.outer_locals = 0;
        self.expansion_depth = 0;
        self.done.clear();
        self.done.resize(at.body.exprs.len(), None);
        self.loops.clear();
        self.nesting = 0;
        self.too_deep.clear();
        self.context_unknown = false;
        self.closures = 0;
        self.bounds_by_type.clear();
    }
}
