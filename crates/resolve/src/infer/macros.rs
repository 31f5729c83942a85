//! Inference of macro calls in bodies: arguments are walked as expressions; macros of the standard
//! library have known types.

use std::rc::Rc;

use base::ItemKind;
use syntax::facts::{ExprId, PathId};

use super::Infer;
use super::body::BodyCtx;
use super::macro_behavior::MacroBehavior;
use super::sites::{CallSite, CallTarget};
use super::ty::{Ty, TyKind, Types};
use crate::{DefId, Namespace, Resolution, Symbol};

impl<'m> Infer<'m> {
    pub(super) fn macro_expr(
        &mut self,
        at: &BodyCtx<'m>,
        path: PathId,
        args: &'m [ExprId],
        is_complete: bool,
        tokens: (u32, u32),
        expected: Option<Ty>,
    ) -> Ty {
        let Some(cx) = self.cx() else { return Types::UNKNOWN };
        let facts = self.facts_of(at.file);
        let last = facts.paths.get(path.idx()).and_then(|path| path.segments.last());
        let Some(last) = last else { return Types::UNKNOWN };
        let name = self.file_symbol(at.file, last.name);
        let found = self.resolve_path(&cx, path, Namespace::Macro);
        let (offset, copied_from) = self.position(last.offset);
        let site = |target| CallSite {
            offset,
            name,
            is_method: false,
            target,
            copied_from,
            is_value: false,
        };
        let mut of = None;
        let mut std_name: Option<String> = None;
        match found {
            Resolution::Def(def) if self.map.def(def).kind != ItemKind::Macro => {}
            Resolution::Def(def) if self.is_local(def) => {
                self.push_call_site(site(CallTarget::Macro(def)));
                of = Some(def);
            }
            Resolution::Def(def) => {
                self.push_call_site(site(CallTarget::External));
                let name = self.map.def(def).name;
                std_name = name.map(|name| self.map.name_of(name).to_owned());
            }
            Resolution::Ambiguous(defs) => self.push_call_site(site(CallTarget::Several(defs))),
            Resolution::External(path) => {
                self.push_call_site(site(CallTarget::External));
                let path = path.strip_prefix("std::");
                std_name = path.and_then(|it| it.rsplit("::").next()).map(str::to_owned);
            }
            _ => {}
        }
        // The text of another file takes its place.
        let is_included = std_name.as_deref() == Some("include");
        let mark = self.body.locals.len();
        let mut pinned = Vec::new();
        let expansion = of.and_then(|of| self.expansion_of(at, of, last.offset, tokens));
        let ty = if let Some(name) = std_name {
            self.std_macro(at, &name, args, expected)
        } else {
            let (ty, new) = self.known_macro(at, of, args);
            pinned = new;
            ty
        };
        let ty = match expansion {
            Some(expansion) => {
                let whole = self.walk_expansion(at, expansion, expected);
                if ty == Types::UNKNOWN { whole } else { ty }
            }
            None => ty,
        };
        self.body.locals.truncate(mark);
        self.body.locals.extend(pinned);
        if is_included || !is_complete && expansion.is_none() && tokens.1 > tokens.0 + 2 {
            self.push_call_site(site(CallTarget::Unread));
        }
        ty
    }

    /// The type of a call of a macro whose effect is known, and the variables that it pins.
    fn known_macro(
        &mut self,
        at: &BodyCtx<'m>,
        of: Option<DefId>,
        args: &'m [ExprId],
    ) -> (Ty, Vec<(Symbol, Ty)>) {
        let types: Vec<Ty> = args.iter().map(|arg| self.expr(*arg, None)).collect();
        let behavior = of.map_or(MacroBehavior::Other, |of| self.macro_behavior(of, args.len()));
        match (behavior, of) {
            (MacroBehavior::Unwraps(constructor), _) => {
                let ty = types.first().map_or(Types::UNKNOWN, |ty| self.payload(*ty, constructor));
                (ty, Vec::new())
            }
            (MacroBehavior::Pins(path), Some(of)) => {
                (Types::UNIT, self.pinned_locals(at, of, &path, args))
            }
            _ => (Types::UNKNOWN, Vec::new()),
        }
    }

    fn std_macro(
        &mut self,
        at: &BodyCtx<'m>,
        name: &str,
        args: &'m [ExprId],
        expected: Option<Ty>,
    ) -> Ty {
        if name == "vec" {
            let hint = expected.and_then(|ty| match self.kind(ty) {
                TyKind::Adt(def, args) if Some(*def) == self.lang.vec => args.first().copied(),
                _ => None,
            });
            let of = self.fresh();
            for arg in args {
                let ty = self.expr(*arg, hint);
                // `vec![value; count]`: the count is among the arguments.
                if args.len() != 2 || !self.is_open(of) || arg == &args[0] {
                    self.coerce(ty, of);
                }
            }
            return match self.lang.vec {
                Some(def) => self.types.make(TyKind::Adt(def, Rc::from([of]))),
                None => Types::UNKNOWN,
            };
        }
        let types: Vec<Ty> = args.iter().map(|arg| self.expr(*arg, None)).collect();
        match name {
            "format" => self.adt_without_args(self.lang.string),
            "format_args" => self.adt_without_args(self.lang.arguments),
            "println" | "print" | "eprintln" | "eprint" | "assert" | "assert_eq" | "assert_ne"
            | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => Types::UNIT,
            "panic" | "todo" | "unimplemented" | "unreachable" | "compile_error" => Types::NEVER,
            "matches" | "cfg" | "is_x86_feature_detected" => Types::BOOL,
            "concat" | "stringify" | "env" | "include_str" | "file" | "module_path" => {
                Types::STR_REF
            }
            "line" | "column" => self.types.prim(crate::Prim::U32),
            "dbg" => match types.as_slice() {
                [] => Types::UNIT,
                [only] => *only,
                _ => self.types.tuple(types),
            },
            "write" | "writeln" => self.written_to(at, types.first().copied()),
            "ready" => match types.first().map(|ty| self.kind(*ty).clone()) {
                Some(TyKind::Adt(def, args)) if Some(def) == self.lang.poll => {
                    args.first().copied().unwrap_or(Types::UNKNOWN)
                }
                _ => Types::UNKNOWN,
            },
            "try" => types.first().map_or(Types::UNKNOWN, |ty| self.try_type(*ty)),
            "pin" => match (self.lang.pin, types.first()) {
                (Some(def), Some(ty)) => {
                    let to = self.types.reference(*ty);
                    self.types.make(TyKind::Adt(def, Rc::from([to])))
                }
                _ => Types::UNKNOWN,
            },
            "addr_of" | "addr_of_mut" => match types.first() {
                Some(ty) => self.types.make(TyKind::Ptr(*ty)),
                None => Types::UNKNOWN,
            },
            "option_env" => match self.lang.option {
                Some(def) => self.types.make(TyKind::Adt(def, Rc::from([Types::STR_REF]))),
                None => Types::UNKNOWN,
            },
            _ => Types::UNKNOWN,
        }
    }

    fn adt_without_args(&mut self, def: Option<crate::DefId>) -> Ty {
        match def {
            Some(def) => {
                let args = self.types.no_args();
                self.types.make(TyKind::Adt(def, args))
            }
            None => Types::UNKNOWN,
        }
    }

    /// The type of `write!(to, …)`: the return type of `write_fmt`.
    fn written_to(&mut self, at: &BodyCtx<'m>, to: Option<Ty>) -> Ty {
        let (Some(to), Some(name)) = (to, self.map.symbol("write_fmt")) else {
            return Types::UNKNOWN;
        };
        match self.lookup_method(to, name, at.scope) {
            super::method::Lookup::One(picked) => {
                self.instance_of(&picked, &[]).map_or(Types::UNKNOWN, |(_, ret)| ret)
            }
            _ => Types::UNKNOWN,
        }
    }
}
