//! Inference variables: bindings with a trail, so that an attempt can be taken back.

use super::Infer;
use super::ty::{Args, Kind, Ty, Types};
use crate::Prim;

/// How deep types may hold each other.
const DEPTH: u32 = 32;

/// What a variable may become.
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
    /// Attempts under way; without one nothing is noted.
    attempts: u32,
    /// How many bindings were made: something may be known now that was not before.
    pub bound: u32,
}

/// The state to go back to.
pub(super) struct Mark(usize);

impl Vars {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.trail.clear();
        self.attempts = 0;
        self.bound = 0;
    }

    fn set(&mut self, var: u32, value: Var) {
        let Some(place) = self.all.get_mut(var as usize) else { return };
        if self.attempts > 0 {
            self.trail.push((var, *place));
        }
        *place = value;
        self.bound += 1;
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Forgets those that came last, which nothing names any more.
    pub(super) fn truncate(&mut self, len: usize) {
        self.all.truncate(len);
    }

    pub(super) fn mark(&mut self) -> Mark {
        self.attempts += 1;
        Mark(self.trail.len())
    }

    pub(super) fn keep(&mut self, _mark: Mark) {
        self.attempts -= 1;
        if self.attempts == 0 {
            self.trail.clear();
        }
    }

    pub(super) fn take_back(&mut self, mark: Mark) {
        self.attempts -= 1;
        while self.trail.len() > mark.0 {
            if let Some((var, value)) = self.trail.pop()
                && let Some(place) = self.all.get_mut(var as usize)
            {
                *place = value;
            }
        }
    }
}

impl Infer<'_> {
    fn new_var(&mut self, var: Var) -> Ty {
        let number = self.vars.all.len() as u32;
        self.vars.all.push(var);
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

    /// The type with its outermost variable looked up.
    pub(super) fn shallow(&self, ty: Ty) -> Ty {
        let mut ty = ty;
        while let Kind::Var(var) = self.types.kind(ty) {
            match self.vars.all.get(*var as usize) {
                Some(Var::Is(is)) => ty = *is,
                _ => break,
            }
        }
        ty
    }

    /// The kind of a type with its outermost variable looked up.
    pub(super) fn kind(&self, ty: Ty) -> &Kind {
        self.types.kind(self.shallow(ty))
    }

    /// A variable that may still become anything.
    pub(super) fn is_open(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            Kind::Var(var) => self.vars.all.get(*var as usize) == Some(&Var::Any),
            _ => false,
        }
    }

    /// A number's variable: whether whole.
    pub(super) fn number_var(&self, ty: Ty) -> Option<bool> {
        match self.kind(ty) {
            Kind::Var(var) => match self.vars.all.get(*var as usize) {
                Some(Var::Int) => Some(true),
                Some(Var::Float) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type with all variables looked up.
    pub(super) fn resolved(&mut self, ty: Ty) -> Ty {
        self.resolved_at(ty, 0)
    }

    fn resolved_at(&mut self, ty: Ty, depth: u32) -> Ty {
        let ty = self.shallow(ty);
        if !self.types.has_var(ty) || matches!(self.types.kind(ty), Kind::Var(_)) {
            return ty;
        }
        if depth > DEPTH {
            return Types::UNKNOWN;
        }
        // The parts need the variables, which `map_parts` does not see.
        let vars = std::mem::take(&mut self.vars.all);
        let ty = look_up(&mut self.types, &vars, ty, 0);
        self.vars.all = vars;
        ty
    }

    /// Makes two types equal; `false`: they cannot be (what was bound on the way stays, so wrap it
    /// in an attempt where that matters).
    pub(super) fn unify(&mut self, a: Ty, b: Ty) -> bool {
        self.unify_at(a, b, 0)
    }

    /// As [`Infer::unify`]; all or nothing.
    pub(super) fn try_unify(&mut self, a: Ty, b: Ty) -> bool {
        let mark = self.vars.mark();
        if self.unify(a, b) {
            self.vars.keep(mark);
            return true;
        }
        self.vars.take_back(mark);
        false
    }

    fn unify_at(&mut self, a: Ty, b: Ty, depth: u32) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b || a == Types::UNKNOWN || b == Types::UNKNOWN || depth > DEPTH {
            return true;
        }
        let (left, right) = (self.types.kind(a).clone(), self.types.kind(b).clone());
        match (left, right) {
            (Kind::Var(var), _) => self.bind(var, b),
            (_, Kind::Var(var)) => self.bind(var, a),
            (Kind::Adt(x, xs), Kind::Adt(y, ys)) => x == y && self.unify_all(&xs, &ys, depth),
            (Kind::Ref(x), Kind::Ref(y))
            | (Kind::Ptr(x), Kind::Ptr(y))
            | (Kind::Slice(x), Kind::Slice(y))
            | (Kind::Array(x), Kind::Array(y)) => self.unify_at(x, y, depth + 1),
            (Kind::Tuple(xs), Kind::Tuple(ys)) => {
                xs.len() == ys.len() && self.unify_all(&xs, &ys, depth)
            }
            (Kind::FnPtr(xs, x), Kind::FnPtr(ys, y)) => {
                xs.len() == ys.len()
                    && self.unify_all(&xs, &ys, depth)
                    && self.unify_at(x, y, depth + 1)
            }
            (Kind::Closure(x, xs, xr), Kind::Closure(y, ys, yr)) => {
                x == y && self.unify_all(&xs, &ys, depth) && self.unify_at(xr, yr, depth + 1)
            }
            (Kind::FnDef(x, xs), Kind::FnDef(y, ys)) => {
                let all = xs.iter().zip(ys.iter());
                x == y
                    && all
                        .collect::<Vec<_>>()
                        .into_iter()
                        .all(|((xo, xs), (yo, ys))| xo == yo && self.unify_all(xs, ys, depth))
            }
            (Kind::Dyn(xs), Kind::Dyn(ys)) | (Kind::Opaque(xs), Kind::Opaque(ys)) => {
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
            (Kind::Projection(x, xs, xn), Kind::Projection(y, ys, yn)) => {
                x == y && xn == yn && self.unify_all(&xs, &ys, depth)
            }
            _ => false,
        }
    }

    /// Whether a type of an impl's header can never be made equal to one at hand, whatever its
    /// parameters become. Says nothing where that takes more than a look.
    pub(super) fn differs(&self, theirs: Ty, ours: Ty, depth: u32) -> bool {
        const FAR: u32 = 4;
        let ours = self.shallow(ours);
        let is_unsure = theirs == Types::UNKNOWN || ours == Types::UNKNOWN;
        if theirs == ours || is_unsure || depth > FAR || self.types.has_projection(theirs) {
            return false;
        }
        let differ =
            |xs: &[Ty], ys: &[Ty]| xs.iter().zip(ys).any(|(x, y)| self.differs(*x, *y, depth + 1));
        match (self.types.kind(theirs), self.types.kind(ours)) {
            (Kind::Adt(x, xs), Kind::Adt(y, ys)) => x != y || differ(xs, ys),
            (Kind::Tuple(xs), Kind::Tuple(ys)) => xs.len() != ys.len() || differ(xs, ys),
            (Kind::Ref(x), Kind::Ref(y))
            | (Kind::Ptr(x), Kind::Ptr(y))
            | (Kind::Slice(x), Kind::Slice(y))
            | (Kind::Array(x), Kind::Array(y)) => self.differs(*x, *y, depth + 1),
            (theirs, Kind::Var(var)) if has_head(theirs) => {
                match self.vars.all.get(*var as usize) {
                    Some(Var::Int) => !matches!(theirs, Kind::Prim(prim) if is_int(*prim)),
                    Some(Var::Float) => !matches!(theirs, Kind::Prim(Prim::F32 | Prim::F64)),
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
        let Some(own) = self.vars.all.get(var as usize).copied() else { return false };
        if let Kind::Var(other) = *self.types.kind(ty) {
            let Some(theirs) = self.vars.all.get(other as usize).copied() else { return false };
            // The one that says less becomes the other.
            return match (own, theirs) {
                (Var::Any, _) => {
                    self.vars.set(var, Var::Is(ty));
                    true
                }
                (_, Var::Any) => {
                    let own = self.types.var(var);
                    self.vars.set(other, Var::Is(own));
                    true
                }
                (Var::Int, Var::Int) | (Var::Float, Var::Float) => {
                    self.vars.set(var, Var::Is(ty));
                    true
                }
                _ => false,
            };
        }
        let fits = match own {
            Var::Int => matches!(self.types.kind(ty), Kind::Prim(prim) if is_int(*prim)),
            Var::Float => matches!(self.types.kind(ty), Kind::Prim(Prim::F32 | Prim::F64)),
            _ => !self.types.has_var(ty) || !self.occurs(var, ty),
        };
        if fits {
            self.vars.set(var, Var::Is(ty));
        }
        fits
    }

    fn occurs(&mut self, var: u32, ty: Ty) -> bool {
        let ty = self.resolved(ty);
        let wanted = self.types.var(var);
        holds(&mut self.types, ty, wanted)
    }

    /// Numbers that nothing else decided get the language's default.
    pub(super) fn settle_numbers(&mut self) {
        for var in &mut self.vars.all {
            match var {
                Var::Int => *var = Var::Is(Types::I32),
                Var::Float => *var = Var::Is(Types::F64),
                _ => {}
            }
        }
        self.vars.bound += 1;
    }
}

fn look_up(types: &mut Types, vars: &[Var], ty: Ty, depth: u32) -> Ty {
    if !types.has_var(ty) {
        return ty;
    }
    if depth > DEPTH {
        return Types::UNKNOWN;
    }
    if let Kind::Var(var) = types.kind(ty) {
        return match vars.get(*var as usize) {
            Some(Var::Is(is)) => look_up(types, vars, *is, depth + 1),
            _ => ty,
        };
    }
    types.map_parts(ty, &mut |types, part| look_up(types, vars, part, depth + 1))
}

/// Whether `part` is in `ty`.
fn holds(types: &mut Types, ty: Ty, part: Ty) -> bool {
    if ty == part {
        return true;
    }
    if !types.has_var(ty) {
        return false;
    }
    let mut found = false;
    types.map_parts(ty, &mut |types, inner| {
        found = found || holds(types, inner, part);
        inner
    });
    found
}

/// What can be made equal to the same alone, its parts aside.
fn has_head(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Adt(..)
            | Kind::Prim(_)
            | Kind::Ref(_)
            | Kind::Ptr(_)
            | Kind::Slice(_)
            | Kind::Array(_)
            | Kind::Tuple(_)
            | Kind::Never
    )
}

fn is_int(prim: Prim) -> bool {
    !matches!(prim, Prim::Bool | Prim::Char | Prim::Str | Prim::F32 | Prim::F64)
}
