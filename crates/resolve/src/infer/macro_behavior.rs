//! The effect of workspace macros such as `tri!`, `ready!` and `pin!`, under any name: a call with
//! names in place of its arguments is expanded, and the expansion is read like any code.

use std::rc::Rc;

use syntax::facts::{Arm, Expr, ExprId, FileFacts, Pat, PatId, PathId, Stmt};

use super::Infer;
use super::body::BodyCtx;
use super::lower::Cx;
use super::ty::{Ty, TyKind, Types};
use crate::defs::sym;
use crate::{DefId, Namespace, Resolution, Symbol};

/// More arguments are not looked at.
const MAX_ARGS: usize = 8;

/// The effect of a macro call with some number of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MacroBehavior {
    /// `match $e { Ok(it) => it, … }` with the name of the constructor: the payload of the only
    /// argument.
    Unwraps(&'static str),
    /// `let mut $x = Pin::new_unchecked(&mut $x)`, with the path before the function's name: the
    /// variables are pinned afterwards.
    Pins(Vec<String>),
    /// Anything else.
    Other,
}

impl<'m> Infer<'m> {
    pub(super) fn macro_behavior(&mut self, of: DefId, args: usize) -> MacroBehavior {
        if let Some(behavior) = self.decls.macro_behaviors.get(&(of, args)) {
            return behavior.clone();
        }
        self.map.signature(&mut self.deps, of);
        let definition = self.map.facts(of).and_then(|(_, item, _)| {
            let text = &self.map.source(self.map.def(of).file).text;
            text.get(item.code_span.start..item.code_span.end)
        });
        let behavior = definition.map_or(MacroBehavior::Other, |text| behavior(text, args));
        self.decls.macro_behaviors.insert((of, args), behavior.clone());
        behavior
    }

    /// The payload of a value of the type with this constructor.
    pub(super) fn payload(&mut self, ty: Ty, constructor: &str) -> Ty {
        self.settle(ty);
        let TyKind::Adt(def, args) = self.kind(ty).clone() else { return Types::UNKNOWN };
        let of = match constructor {
            "Ok" => self.lang.result,
            "Some" => self.lang.option,
            "Ready" => self.lang.poll,
            _ => None,
        };
        if of != Some(def) {
            return Types::UNKNOWN;
        }
        args.first().copied().unwrap_or(Types::UNKNOWN)
    }

    /// The variables among the arguments of a pinning macro, with their new types.
    pub(super) fn pinned_locals(
        &mut self,
        at: &BodyCtx<'m>,
        of: DefId,
        path: &[String],
        args: &[ExprId],
    ) -> Vec<(Symbol, Ty)> {
        let Some(pin) = self.lang.pin.filter(|pin| self.expanded_type(of, path) == Some(*pin))
        else {
            return Vec::new();
        };
        let mut pinned = Vec::new();
        for arg in args {
            let Some(Expr::Path(path)) = at.body.exprs.get(arg.idx()) else { continue };
            let path = self.facts_of(at.file).paths.get(path.idx());
            let Some([only]) = path.map(|path| path.segments.as_slice()) else { continue };
            let name = self.file_symbol(at.file, only.name);
            if let Some(ty) = self.local(name) {
                let to = self.types.reference(ty);
                pinned.push((name, self.types.make(TyKind::Adt(pin, Rc::from([to])))));
            }
        }
        pinned
    }

    /// The type that a path in an expansion refers to.
    fn expanded_type(&mut self, of: DefId, path: &[String]) -> Option<DefId> {
        let mut names: Vec<Symbol> =
            path.iter().map(|name| self.map.symbol(name)).collect::<Option<_>>()?;
        let mut scope = self.cx().map(|Cx { scope, .. }| scope)?;
        if let Some(first) = names.first_mut().filter(|first| **first == sym::DOLLAR_CRATE) {
            *first = sym::CRATE;
            scope = self.map.scope_of(of);
        }
        match self.map.resolve(&mut self.deps, &scope, &names, false, Namespace::Type) {
            Resolution::Def(def) => Some(def),
            _ => None,
        }
    }
}

/// The effect of a definition on a call with this number of arguments.
fn behavior(definition: &str, args: usize) -> MacroBehavior {
    // Expanding is expensive; both effects need one of these words.
    let is_possible = definition.contains("match") || definition.contains("new_unchecked");
    if args == 0 || args > MAX_ARGS || !is_possible {
        return MacroBehavior::Other;
    }
    let names: Vec<String> = (0..args).map(|number| format!("graftage_{number}")).collect();
    let Some(expansion) = syntax::expand(definition, &format!("({})", names.join(", "))) else {
        return MacroBehavior::Other;
    };
    let facts = syntax::read_made(&format!("fn expansion() {{ {} }}", expansion.text));
    let Some(read) = Read::of(&facts) else { return MacroBehavior::Other };
    if let ([name], Some(constructor)) = (names.as_slice(), read.unwrapped())
        && read.matched().is_some_and(|on| read.is_local(on, name))
    {
        return MacroBehavior::Unwraps(constructor);
    }
    let paths: Option<Vec<Vec<String>>> = names.iter().map(|name| read.pin_path(name)).collect();
    match paths.as_deref() {
        Some([first, rest @ ..]) if rest.iter().all(|path| path == first) => {
            MacroBehavior::Pins(first.clone())
        }
        _ => MacroBehavior::Other,
    }
}

/// The body of a read expansion.
struct Read<'a> {
    facts: &'a FileFacts,
    exprs: &'a [Expr],
    pats: &'a [Pat],
    stmts: &'a [Stmt],
    tail: Option<ExprId>,
}

impl<'a> Read<'a> {
    fn of(facts: &'a FileFacts) -> Option<Self> {
        let body = facts.bodies.first()?;
        let Expr::Block(_, stmts, tail) = body.exprs.get(body.root.idx())? else { return None };
        Some(Self { facts, exprs: &body.exprs, pats: &body.pats, stmts, tail: *tail })
    }

    fn expr(&self, id: ExprId) -> Option<&'a Expr> {
        self.exprs.get(id.idx())
    }

    /// The expression inside blocks that contain nothing else.
    fn inner(&self, mut id: ExprId) -> ExprId {
        while let Some(Expr::Block(_, stmts, Some(tail))) = self.expr(id)
            && stmts.is_empty()
        {
            id = *tail;
        }
        id
    }

    /// The value and the arms of the match that is the whole expansion.
    fn whole_match(&self) -> Option<(ExprId, &'a [Arm])> {
        let tail = self.tail.filter(|_| self.stmts.is_empty())?;
        match self.expr(self.inner(tail))? {
            Expr::Match(on, arms) => Some((*on, arms)),
            _ => None,
        }
    }

    fn matched(&self) -> Option<ExprId> {
        self.whole_match().map(|(on, _)| on)
    }

    /// The constructor of the arm whose value is its payload.
    fn unwrapped(&self) -> Option<&'static str> {
        let (_, arms) = self.whole_match()?;
        arms.iter().find_map(|arm| {
            let Pat::TupleStruct { path, pats, rest: None } = self.pat(arm.pat)? else {
                return None;
            };
            let [payload] = pats.as_slice() else { return None };
            let Pat::Bind { name, by_ref: false, sub: None, .. } = self.pat(*payload)? else {
                return None;
            };
            let payload = self.facts.names.get(name.idx())?;
            let constructor = self.path(*path)?.pop()?;
            let known = ["Ok", "Some", "Ready"].into_iter().find(|it| *it == constructor)?;
            self.is_local(self.inner(arm.value), payload).then_some(known)
        })
    }

    /// The path of the type in the last `let name = Type::new_unchecked(&mut name)`.
    fn pin_path(&self, local: &str) -> Option<Vec<String>> {
        let mut found = None;
        for stmt in self.stmts {
            let Stmt::Let { pat, init: Some(init), .. } = stmt else { continue };
            let Some(Pat::Bind { name, .. }) = self.pat(*pat) else { continue };
            if self.facts.names.get(name.idx()).is_some_and(|name| **name == *local) {
                found = self.pinned(self.inner(*init), local);
            }
        }
        found
    }

    fn pinned(&self, init: ExprId, local: &str) -> Option<Vec<String>> {
        let Expr::Call(callee, args) = self.expr(init)? else { return None };
        let (Expr::Path(path), [arg]) = (self.expr(*callee)?, args.as_slice()) else {
            return None;
        };
        let Expr::Ref(to) = self.expr(*arg)? else { return None };
        let mut path = self.path(*path)?;
        let is_pin = path.pop()? == "new_unchecked" && self.is_local(*to, local);
        is_pin.then_some(path)
    }

    fn pat(&self, id: PatId) -> Option<&'a Pat> {
        self.pats.get(id.idx())
    }

    fn path(&self, id: PathId) -> Option<Vec<String>> {
        let path = self.facts.paths.get(id.idx()).filter(|path| path.qself.is_none())?;
        let names = path.segments.iter().map(|it| self.facts.names.get(it.name.idx()));
        names.map(|name| name.map(ToString::to_string)).collect()
    }

    fn is_local(&self, id: ExprId, name: &str) -> bool {
        match self.expr(id) {
            Some(Expr::Path(path)) => self.path(*path).is_some_and(|path| path == [name]),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_that_unwrap_or_return_are_recognized() {
        let check = |text: &str, want| assert_eq!(behavior(text, 1), want, "{text}");
        check(
            "macro_rules! tri { ($expr:expr) => { match $expr { Ok(val) => val, Err(err) => return Err(err), } }; }",
            MacroBehavior::Unwraps("Ok"),
        );
        check(
            "macro_rules! ready { ($e:expr $(,)?) => { match $e { $crate::Poll::Ready(t) => t, // x\n $crate::Poll::Pending => return $crate::Poll::Pending, } }; }",
            MacroBehavior::Unwraps("Ready"),
        );
        check(
            "macro_rules! t { ($e:expr) => { match $e { Ok(val) => Some(val), Err(_) => None } } }",
            MacroBehavior::Other,
        );
        check(
            "macro_rules! t { ($e:expr) => { match $e { Ok(val) => val, Err(_) => return }.f() } }",
            MacroBehavior::Other,
        );
        check(
            "macro_rules! t { ($e:expr) => { match $e { Ok(_) => return, Err(e) => match e { None => return, Some(t) => t } } } }",
            MacroBehavior::Other,
        );
        let two = "macro_rules! t { ($e:expr) => { match $e { Ok(v) => v, Err(_) => return } }; ($e:expr, $f:expr) => { $f } }";
        check(two, MacroBehavior::Unwraps("Ok"));
        assert_eq!(behavior(two, 2), MacroBehavior::Other);
    }

    #[test]
    fn macros_that_pin_their_variables_are_recognized() {
        let path = ["$crate", "Pin"].map(str::to_owned).to_vec();
        let text = "macro_rules! pin { ($($x:ident),*) => { $( let mut $x = $x; let mut $x = unsafe { $crate::Pin::new_unchecked(&mut $x) }; )* } }";
        assert_eq!(behavior(text, 2), MacroBehavior::Pins(path));
        let text = "macro_rules! pin { ($x:ident) => { let mut $x = f(&mut $x); } }";
        assert_eq!(behavior(text, 1), MacroBehavior::Other);
    }
}
