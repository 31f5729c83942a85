//! Inference variables with an undo log, so that an attempt can be rolled back.

use super::Infer;
use super::ty::{Args, Ty, TyKind, Types};
use crate::Prim;

/// The maximum nesting of types.
const DEPTH: u32 = 32;

/// The state of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Var {
    Any,
    Int,
    Float,
    Is(Ty),
}

/// The variables of one body.
#[derive(Debug, Default)]
pub(super) struct Vars {
    all: Vec<Var>,
    trail: Vec<(u32, Var)>,
    /// Open snapshots; without one nothing is logged.
    attempts: u32,
    /// The number of bindings made: a change means that obligations may be solvable.
    pub bound: u32,
}

/// A state to roll back to.
pub(super) struct Snapshot(usize);

impl Vars {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.trail.clear();
        self.attempts = 0;
        self.bound = 0;
    }

    fn set(&mut self, var: u32, value: Var) {
        let Some(slot) = self.all.get_mut(var as usize) else { return };
        if self.attempts > 0 {
            self.trail.push((var, *slot));
        }
        *slot = value;
        self.bound += 1;
    }

    /// The number of variables.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Removes the newest variables, which must not be referenced any more.
    pub(super) fn truncate(&mut self, len: usize) {
        self.all.truncate(len);
    }

    pub(super) fn snapshot(&mut self) -> Snapshot {
        self.attempts += 1;
        Snapshot(self.trail.len())
    }

    pub(super) fn commit(&mut self, _mark: Snapshot) {
        self.attempts -= 1;
        if self.attempts == 0 {
            self.trail.clear();
        }
    }

    pub(super) fn rollback(&mut self, mark: Snapshot) {
        self.attempts -= 1;
        while self.trail.len() > mark.0 {
            if let Some((var, value)) = self.trail.pop()
                && let Some(slot) = self.all.get_mut(var as usize)
            {
                *slot = value;
            }
        }
    }
}

impl Infer<'_> {
    fn new_var(&mut self, var: Var) -> Ty {
        let number = self.body.vars.all.len() as u32;
        self.body.vars.all.push(var);
        self.types.var(number)
    }

    pub(super) fn fresh(&mut self) -> Ty {
        self.new_var(Var::Any)
    }

    pub(super) fn fresh_int(&mut self) -> Ty {
        self.new_var(Var::Int)
    }

    pub(super) fn fresh_float(&mut self) -> Ty {
        self.new_var(Var::Float)
    }

    pub(super) fn fresh_args(&mut self, count: usize) -> Args {
        (0..count).map(|_| self.fresh()).collect()
    }

    /// The type with its outermost variable resolved.
    pub(super) fn shallow(&self, ty: Ty) -> Ty {
        let mut ty = ty;
        while let TyKind::Var(var) = self.types.kind(ty) {
            match self.body.vars.all.get(*var as usize) {
                Some(Var::Is(is)) => ty = *is,
                _ => break,
            }
        }
        ty
    }

    /// The kind of a type with its outermost variable resolved.
    pub(super) fn kind(&self, ty: Ty) -> &TyKind {
        self.types.kind(self.shallow(ty))
    }

    /// Whether a type is an unbound variable without restrictions.
    pub(super) fn is_open(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Var(var) => self.body.vars.all.get(*var as usize) == Some(&Var::Any),
            _ => false,
        }
    }

    /// For an unbound number variable: whether it is an integer.
    pub(super) fn number_var(&self, ty: Ty) -> Option<bool> {
        match self.kind(ty) {
            TyKind::Var(var) => match self.body.vars.all.get(*var as usize) {
                Some(Var::Int) => Some(true),
                Some(Var::Float) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type with all variables resolved.
    pub(super) fn resolved(&mut self, ty: Ty) -> Ty {
        self.resolved_at(ty, 0)
    }

    fn resolved_at(&mut self, ty: Ty, depth: u32) -> Ty {
        let ty = self.shallow(ty);
        if !self.types.has_var(ty) || matches!(self.types.kind(ty), TyKind::Var(_)) {
            return ty;
        }
        if depth > DEPTH {
            return Types::UNKNOWN;
        }
        // `map_parts` borrows the types, so the variables are moved out.
        let vars = std::mem::take(&mut self.body.vars.all);
        let ty = resolve_vars(&mut self.types, &vars, ty, 0);
        self.body.vars.all = vars;
        ty
    }

    /// Unifies two types; `false`: they are not equal. Bindings made before a failure stay, so use
    /// a snapshot where that matters.
    pub(super) fn unify(&mut self, a: Ty, b: Ty) -> bool {
        self.unify_at(a, b, 0)
    }

    /// The same as [`Infer::unify`], without bindings on failure.
    pub(super) fn try_unify(&mut self, a: Ty, b: Ty) -> bool {
        let mark = self.body.vars.snapshot();
        if self.unify(a, b) {
            self.body.vars.commit(mark);
            return true;
        }
        self.body.vars.rollback(mark);
        false
    }

    fn unify_at(&mut self, a: Ty, b: Ty, depth: u32) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b || a == Types::UNKNOWN || b == Types::UNKNOWN || depth > DEPTH {
            return true;
        }
        let (left, right) = (self.types.kind(a).clone(), self.types.kind(b).clone());
        match (left, right) {
            (TyKind::Var(var), _) => self.bind(var, b),
            (_, TyKind::Var(var)) => self.bind(var, a),
            (TyKind::Adt(x, xs), TyKind::Adt(y, ys)) => x == y && self.unify_all(&xs, &ys, depth),
            (TyKind::Ref(x), TyKind::Ref(y))
            | (TyKind::Ptr(x), TyKind::Ptr(y))
            | (TyKind::Slice(x), TyKind::Slice(y))
            | (TyKind::Array(x), TyKind::Array(y)) => self.unify_at(x, y, depth + 1),
            (TyKind::Tuple(xs), TyKind::Tuple(ys)) => {
                xs.len() == ys.len() && self.unify_all(&xs, &ys, depth)
            }
            (TyKind::FnPtr(xs, x), TyKind::FnPtr(ys, y)) => {
                xs.len() == ys.len()
                    && self.unify_all(&xs, &ys, depth)
                    && self.unify_at(x, y, depth + 1)
            }
            (TyKind::Closure(x, xs, xr), TyKind::Closure(y, ys, yr)) => {
                x == y && self.unify_all(&xs, &ys, depth) && self.unify_at(xr, yr, depth + 1)
            }
            (TyKind::FnDef(x, xs), TyKind::FnDef(y, ys)) => {
                let all = xs.iter().zip(ys.iter());
                x == y
                    && all
                        .collect::<Vec<_>>()
                        .into_iter()
                        .all(|((xo, xs), (yo, ys))| xo == yo && self.unify_all(xs, ys, depth))
            }
            (TyKind::Dyn(xs), TyKind::Dyn(ys)) | (TyKind::Opaque(xs), TyKind::Opaque(ys)) => {
                let (Some(x), Some(y)) = (xs.first(), ys.first()) else { return true };
                x.of == y.of && {
                    let parts = x.args.iter().zip(y.args.iter()).skip(1);
                    let parts: Vec<_> = parts.map(|(x, y)| (*x, *y)).collect();
                    let bindings: Vec<_> = (x.bindings.iter())
                        .filter_map(|(name, ty)| {
                            let other = y.bindings.iter().find(|(of, _)| of == name)?;
                            Some((*ty, other.1))
                        })
                        .collect();
                    parts.into_iter().chain(bindings).all(|(x, y)| self.unify_at(x, y, depth + 1))
                }
            }
            (TyKind::Projection(x, xs, xn), TyKind::Projection(y, ys, yn)) => {
                x == y && xn == yn && self.unify_all(&xs, &ys, depth)
            }
            _ => false,
        }
    }

    /// Fast check whether a type of an impl's header can never be unified with a type, for any
    /// arguments of the impl. `false` means unknown.
    pub(super) fn differs(&self, theirs: Ty, ours: Ty, depth: u32) -> bool {
        const MAX_DEPTH: u32 = 4;
        let ours = self.shallow(ours);
        let is_unknown = theirs == Types::UNKNOWN || ours == Types::UNKNOWN;
        if theirs == ours || is_unknown || depth > MAX_DEPTH || self.types.has_projection(theirs) {
            return false;
        }
        let differ =
            |xs: &[Ty], ys: &[Ty]| xs.iter().zip(ys).any(|(x, y)| self.differs(*x, *y, depth + 1));
        match (self.types.kind(theirs), self.types.kind(ours)) {
            (TyKind::Adt(x, xs), TyKind::Adt(y, ys)) => x != y || differ(xs, ys),
            (TyKind::Tuple(xs), TyKind::Tuple(ys)) => xs.len() != ys.len() || differ(xs, ys),
            (TyKind::Ref(x), TyKind::Ref(y))
            | (TyKind::Ptr(x), TyKind::Ptr(y))
            | (TyKind::Slice(x), TyKind::Slice(y))
            | (TyKind::Array(x), TyKind::Array(y)) => self.differs(*x, *y, depth + 1),
            (theirs, TyKind::Var(var)) if has_head(theirs) => {
                match self.body.vars.all.get(*var as usize) {
                    Some(Var::Int) => !matches!(theirs, TyKind::Prim(prim) if is_int(*prim)),
                    Some(Var::Float) => !matches!(theirs, TyKind::Prim(Prim::F32 | Prim::F64)),
                    _ => false,
                }
            }
            (theirs, ours) => has_head(theirs) && has_head(ours),
        }
    }

    fn unify_all(&mut self, xs: &[Ty], ys: &[Ty], depth: u32) -> bool {
        xs.iter().zip(ys).all(|(x, y)| self.unify_at(*x, *y, depth + 1))
    }

    fn bind(&mut self, var: u32, ty: Ty) -> bool {
        let Some(own) = self.body.vars.all.get(var as usize).copied() else { return false };
        if let TyKind::Var(other) = *self.types.kind(ty) {
            let Some(theirs) = self.body.vars.all.get(other as usize).copied() else {
                return false;
            };
            // The less restricted variable is bound to the other.
            return match (own, theirs) {
                (Var::Any, _) => {
                    self.body.vars.set(var, Var::Is(ty));
                    true
                }
                (_, Var::Any) => {
                    let own = self.types.var(var);
                    self.body.vars.set(other, Var::Is(own));
                    true
                }
                (Var::Int, Var::Int) | (Var::Float, Var::Float) => {
                    self.body.vars.set(var, Var::Is(ty));
                    true
                }
                _ => false,
            };
        }
        let fits = match own {
            Var::Int => matches!(self.types.kind(ty), TyKind::Prim(prim) if is_int(*prim)),
            Var::Float => matches!(self.types.kind(ty), TyKind::Prim(Prim::F32 | Prim::F64)),
            _ => !self.types.has_var(ty) || !self.occurs(var, ty),
        };
        if fits {
            self.body.vars.set(var, Var::Is(ty));
        }
        fits
    }

    fn occurs(&mut self, var: u32, ty: Ty) -> bool {
        let ty = self.resolved(ty);
        let wanted = self.types.var(var);
        contains(&mut self.types, ty, wanted)
    }

    /// Binds undecided number variables to the language's defaults.
    pub(super) fn default_numbers(&mut self) {
        for var in &mut self.body.vars.all {
            match var {
                Var::Int => *var = Var::Is(Types::I32),
                Var::Float => *var = Var::Is(Types::F64),
                _ => {}
            }
        }
        self.body.vars.bound += 1;
    }
}

fn resolve_vars(types: &mut Types, vars: &[Var], ty: Ty, depth: u32) -> Ty {
    if !types.has_var(ty) {
        return ty;
    }
    if depth > DEPTH {
        return Types::UNKNOWN;
    }
    if let TyKind::Var(var) = types.kind(ty) {
        return match vars.get(*var as usize) {
            Some(Var::Is(is)) => resolve_vars(types, vars, *is, depth + 1),
            _ => ty,
        };
    }
    types.map_parts(ty, &mut |types, part| resolve_vars(types, vars, part, depth + 1))
}

/// Whether `ty` contains `part`.
fn contains(types: &mut Types, ty: Ty, part: Ty) -> bool {
    if ty == part {
        return true;
    }
    if !types.has_var(ty) {
        return false;
    }
    let mut found = false;
    types.map_parts(ty, &mut |types, inner| {
        found = found || contains(types, inner, part);
        inner
    });
    found
}

/// Whether a kind unifies only with the same kind, apart from its parts.
fn has_head(kind: &TyKind) -> bool {
    matches!(
        kind,
        TyKind::Adt(..)
            | TyKind::Prim(_)
            | TyKind::Ref(_)
            | TyKind::Ptr(_)
            | TyKind::Slice(_)
            | TyKind::Array(_)
            | TyKind::Tuple(_)
            | TyKind::Never
    )
}

fn is_int(prim: Prim) -> bool {
    !matches!(prim, Prim::Bool | Prim::Char | Prim::Str | Prim::F32 | Prim::F64)
}
