//! Macro calls in bodies: their arguments are walked, the standard library's give types.

use std::rc::Rc;

use syntax::facts::{ExprId, PathId};

use super::Infer;
use super::body::At;
use super::meaning::Meaning;
use super::sites::{Site, What};
use super::ty::{Kind, Ty, Types};
use crate::{DefKind, Namespace, Resolution};

impl<'m> Infer<'m> {
    pub(super) fn macro_expr(
        &mut self,
        at: &At<'m>,
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
        let text = self.name(at, last.name);
        let name = self.map.file_symbol(at.file, last.name);
        let found = self.resolve_path(&cx, path, Namespace::Macro);
        let site = |what| Site { offset: last.offset, name, is_method: false, what };
        let mut of = None;
        let ours = match found {
            Resolution::Def(def) if self.is_ours(def) => {
                if self.map.def(def).kind == DefKind::Macro {
                    self.push_site(site(What::Macro(def)));
                    of = Some(def);
                }
                true
            }
            Resolution::Ambiguous(defs) => {
                let ours = defs.iter().any(|def| self.is_ours(*def));
                self.push_site(site(What::Several(defs)));
                ours
            }
            // What of the standard library is not declared means what it is called.
            Resolution::External(path) => !path.starts_with("std::"),
            _ => false,
        };
        let mark = self.locals.len();
        let mut pinned = Vec::new();
        let ty = if ours {
            let types: Vec<Ty> = args.iter().map(|arg| self.expr(*arg, None)).collect();
            match of.map_or(Meaning::Other, |of| self.meaning(of)) {
                Meaning::Unwraps => types.first().map_or(Types::UNKNOWN, |ty| self.payload(*ty)),
                Meaning::Pins => {
                    pinned = self.pinned_locals(at, args);
                    Types::UNIT
                }
                Meaning::Other => Types::UNKNOWN,
            }
        } else {
            self.std_macro(at, text, args, expected)
        };
        self.locals.truncate(mark);
        self.locals.extend(pinned);
        if !is_complete && tokens.1 > tokens.0 + 2 {
            self.push_site(site(What::Unread));
        }
        ty
    }

    fn std_macro(
        &mut self,
        at: &At<'m>,
        name: &str,
        args: &'m [ExprId],
        expected: Option<Ty>,
    ) -> Ty {
        if name == "vec" {
            let hint = expected.and_then(|ty| match self.kind(ty) {
                Kind::Adt(def, args) if Some(*def) == self.lang.vec => args.first().copied(),
                _ => None,
            });
            let of = self.fresh();
            for arg in args {
                let ty = self.expr(*arg, hint);
                // `vec![value; count]` has its count among the arguments.
                if args.len() != 2 || !self.is_open(of) || arg == &args[0] {
                    self.coerce(ty, of);
                }
            }
            return match self.lang.vec {
                Some(def) => self.types.make(Kind::Adt(def, Rc::from([of]))),
                None => Types::UNKNOWN,
            };
        }
        let types: Vec<Ty> = args.iter().map(|arg| self.expr(*arg, None)).collect();
        match name {
            "format" => self.plain(self.lang.string),
            "format_args" => self.plain(self.lang.arguments),
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
                Some(Kind::Adt(def, args)) if Some(def) == self.lang.poll => {
                    args.first().copied().unwrap_or(Types::UNKNOWN)
                }
                _ => Types::UNKNOWN,
            },
            "try" => types.first().map_or(Types::UNKNOWN, |ty| self.tried(*ty)),
            "pin" => match (self.lang.pin, types.first()) {
                (Some(def), Some(ty)) => {
                    let to = self.types.reference(*ty);
                    self.types.make(Kind::Adt(def, Rc::from([to])))
                }
                _ => Types::UNKNOWN,
            },
            "addr_of" | "addr_of_mut" => match types.first() {
                Some(ty) => self.types.make(Kind::Ptr(*ty)),
                None => Types::UNKNOWN,
            },
            "option_env" => match self.lang.option {
                Some(def) => self.types.make(Kind::Adt(def, Rc::from([Types::STR_REF]))),
                None => Types::UNKNOWN,
            },
            _ => Types::UNKNOWN,
        }
    }

    fn plain(&mut self, def: Option<crate::DefId>) -> Ty {
        match def {
            Some(def) => {
                let args = self.types.no_args();
                self.types.make(Kind::Adt(def, args))
            }
            None => Types::UNKNOWN,
        }
    }

    /// What `write!(to, …)` gives: what the target's `write_fmt` gives.
    fn written_to(&mut self, at: &At<'m>, to: Option<Ty>) -> Ty {
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
