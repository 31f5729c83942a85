//! Facts without what only the bodies need: what other files can see of a file.

use crate::facts::{
    Body, BodyId, Bound, Decl, Expr, ExprId, Fields, FileFacts, FnDecl, GenericParam, Name, Path,
    PathId, Receiver, Segment, Shape, Stmt, TypeId, TypeRef, Use, UseWhat, Variant,
};

/// The same file without its bodies, and without the names, types and paths that only these
/// named; the numbers of those that remain are others. Of a body that holds items the blocks they
/// stand in remain, because they say where the items are in scope. Applying it again changes
/// nothing.
pub fn interface(facts: &FileFacts) -> FileFacts {
    let mut keep = Keep {
        from: facts,
        names: vec![None; facts.names.len()],
        types: vec![None; facts.types.len()],
        paths: vec![None; facts.paths.len()],
        to: FileFacts {
            file: facts.file.clone(),
            inner_attributes: facts.inner_attributes.clone(),
            ..FileFacts::default()
        },
    };
    for decl in &facts.decls {
        let decl = keep.decl(decl);
        keep.to.decls.push(decl);
    }
    for leaf in &facts.uses {
        let leaf = keep.leaf(leaf);
        keep.to.uses.push(leaf);
    }
    keep.finish()
}

struct Keep<'a> {
    from: &'a FileFacts,
    names: Vec<Option<Name>>,
    types: Vec<Option<TypeId>>,
    paths: Vec<Option<PathId>>,
    to: FileFacts,
}

impl Keep<'_> {
    /// Types and paths are taken when they are met; what they name in turn comes after them, from a
    /// list instead of the stack, for types may nest as deep as the text does.
    fn finish(mut self) -> FileFacts {
        let (mut types, mut paths) = (0, 0);
        while types < self.to.types.len() || paths < self.to.paths.len() {
            if let Some(of) = self.to.types.get(types).cloned() {
                self.to.types[types] = self.type_ref(&of);
                types += 1;
            } else if let Some(of) = self.to.paths.get(paths).cloned() {
                self.to.paths[paths] = self.path(&of);
                paths += 1;
            }
        }
        self.to
    }

    fn name(&mut self, name: Name) -> Name {
        let Some(place) = self.names.get_mut(name.idx()) else { return name };
        *place.get_or_insert_with(|| {
            let text = self.from.names.get(name.idx()).cloned().unwrap_or_default();
            self.to.names.push(text);
            Name(self.to.names.len() as u32 - 1)
        })
    }

    fn ty(&mut self, of: TypeId) -> TypeId {
        let Some(place) = self.types.get_mut(of.idx()) else { return of };
        *place.get_or_insert_with(|| {
            let text = self.from.types.get(of.idx()).cloned().unwrap_or(TypeRef::Unknown);
            self.to.types.push(text);
            TypeId(self.to.types.len() as u32 - 1)
        })
    }

    fn path_id(&mut self, of: PathId) -> PathId {
        let Some(place) = self.paths.get_mut(of.idx()) else { return of };
        *place.get_or_insert_with(|| {
            let path = self.from.paths.get(of.idx()).cloned().unwrap_or_default();
            self.to.paths.push(path);
            PathId(self.to.paths.len() as u32 - 1)
        })
    }

    fn tys(&mut self, all: &[TypeId]) -> Vec<TypeId> {
        all.iter().map(|of| self.ty(*of)).collect()
    }

    fn bounds(&mut self, all: &[Bound]) -> Vec<Bound> {
        all.iter().map(|Bound(path)| Bound(self.path_id(*path))).collect()
    }

    fn type_ref(&mut self, of: &TypeRef) -> TypeRef {
        match of {
            TypeRef::Path(path) => TypeRef::Path(self.path_id(*path)),
            TypeRef::Ref(of) => TypeRef::Ref(self.ty(*of)),
            TypeRef::Ptr(of) => TypeRef::Ptr(self.ty(*of)),
            TypeRef::Slice(of) => TypeRef::Slice(self.ty(*of)),
            TypeRef::Array(of) => TypeRef::Array(self.ty(*of)),
            TypeRef::Tuple(all) => TypeRef::Tuple(self.tys(all)),
            TypeRef::Fn(params, ret) => TypeRef::Fn(self.tys(params), ret.map(|ret| self.ty(ret))),
            TypeRef::Dyn(all) => TypeRef::Dyn(self.bounds(all)),
            TypeRef::Impl(all) => TypeRef::Impl(self.bounds(all)),
            TypeRef::Never => TypeRef::Never,
            TypeRef::Unknown => TypeRef::Unknown,
        }
    }

    fn path(&mut self, path: &Path) -> Path {
        Path {
            qself: path
                .qself
                .map(|(of, as_trait)| (self.ty(of), as_trait.map(|it| self.path_id(it)))),
            is_global: path.is_global,
            segments: path
                .segments
                .iter()
                .map(|segment| Segment {
                    name: self.name(segment.name),
                    offset: segment.offset,
                    args: self.tys(&segment.args),
                    bindings: segment
                        .bindings
                        .iter()
                        .map(|(name, of)| (self.name(*name), self.ty(*of)))
                        .collect(),
                })
                .collect(),
        }
    }

    fn decl(&mut self, decl: &Decl) -> Decl {
        Decl {
            name: decl.name.map(|name| self.name(name)),
            generics: decl
                .generics
                .iter()
                .map(|param| GenericParam {
                    name: self.name(param.name),
                    bounds: self.bounds(&param.bounds),
                    default: param.default.map(|of| self.ty(of)),
                    is_const: param.is_const,
                })
                .collect(),
            wheres: decl
                .wheres
                .iter()
                .map(|(of, bounds)| (self.ty(*of), self.bounds(bounds)))
                .collect(),
            shape: self.shape(&decl.shape),
            body: decl.body.and_then(|body| self.body(body)),
            in_macro_call: decl.in_macro_call,
            cfg: decl.cfg.clone(),
        }
    }

    fn shape(&mut self, shape: &Shape) -> Shape {
        match shape {
            Shape::Fn(decl) => Shape::Fn(FnDecl {
                receiver: decl.receiver.map(|it| match it {
                    Receiver::Typed(of) => Receiver::Typed(self.ty(of)),
                    plain => plain,
                }),
                params: self.tys(&decl.params),
                ret: decl.ret.map(|of| self.ty(of)),
                is_async: decl.is_async,
            }),
            Shape::Struct(fields) => Shape::Struct(self.fields(fields)),
            Shape::Enum(variants) => Shape::Enum(
                variants
                    .iter()
                    .map(|variant| Variant {
                        name: self.name(variant.name),
                        offset: variant.offset,
                        fields: self.fields(&variant.fields),
                    })
                    .collect(),
            ),
            Shape::Trait(bounds) => Shape::Trait(self.bounds(bounds)),
            Shape::Impl { self_type, of_trait, is_negative } => Shape::Impl {
                self_type: self.ty(*self_type),
                of_trait: of_trait.map(|path| self.path_id(path)),
                is_negative: *is_negative,
            },
            Shape::Alias { of, bounds } => {
                Shape::Alias { of: of.map(|of| self.ty(of)), bounds: self.bounds(bounds) }
            }
            Shape::Value(of) => Shape::Value(of.map(|of| self.ty(of))),
            Shape::MacroCall(path) => Shape::MacroCall(self.path_id(*path)),
            Shape::None | Shape::Module { .. } | Shape::MacroDef { .. } | Shape::Import => {
                shape.clone()
            }
        }
    }

    fn fields(&mut self, fields: &Fields) -> Fields {
        match fields {
            Fields::Unit => Fields::Unit,
            Fields::Tuple(all) => Fields::Tuple(self.tys(all)),
            Fields::Named(all) => Fields::Named(
                all.iter().map(|(name, of)| (self.name(*name), self.ty(*of))).collect(),
            ),
        }
    }

    fn leaf(&mut self, leaf: &Use) -> Use {
        Use {
            item: leaf.item,
            path: leaf.path.iter().map(|name| self.name(*name)).collect(),
            is_global: leaf.is_global,
            what: match leaf.what {
                UseWhat::Name(name) => UseWhat::Name(self.name(name)),
                UseWhat::ExternCrate(name) => UseWhat::ExternCrate(self.name(name)),
                UseWhat::Underscore => UseWhat::Underscore,
                UseWhat::Glob => UseWhat::Glob,
            },
            offset: leaf.offset,
        }
    }

    /// Of a body with items the blocks that they stand in.
    fn body(&mut self, body: BodyId) -> Option<BodyId> {
        let body = self.from.bodies.get(body.idx())?;
        let blocks = blocks_with_items(body)?;
        self.to.bodies.push(blocks);
        Some(BodyId(self.to.bodies.len() as u32 - 1))
    }
}

/// The blocks of a body that items stand in, each inside the one around it; `None`: it has none.
fn blocks_with_items(body: &Body) -> Option<Body> {
    let has_items = |expr: &Expr| {
        matches!(expr, Expr::Block(_, stmts, _)
        if stmts.iter().any(|stmt| matches!(stmt, Stmt::Item(_))))
    };
    if !body.exprs.iter().any(has_items) {
        return None;
    }
    let mut exprs: Vec<Expr> = Vec::new();
    // Of each expression the kept ones below it that nothing kept is around of yet.
    let mut below: Vec<Vec<ExprId>> = Vec::with_capacity(body.exprs.len());
    for expr in &body.exprs {
        let mut inner: Vec<ExprId> = Vec::new();
        expr.for_each_child(&mut |child| {
            if let Some(kept) = below.get_mut(child.idx()) {
                inner.append(kept);
            }
        });
        if let Expr::Block(kind, stmts, _) = expr
            && has_items(expr)
        {
            let items = stmts.iter().filter(|stmt| matches!(stmt, Stmt::Item(_))).cloned();
            let stmts = items.chain(inner.drain(..).map(Stmt::Expr)).collect();
            exprs.push(Expr::Block(*kind, stmts, None));
            inner.push(ExprId(exprs.len() as u32 - 1));
        }
        below.push(inner);
    }
    let rest: Vec<ExprId> = below.into_iter().flatten().collect();
    let root = match rest.as_slice() {
        [one] => *one,
        _ => {
            exprs.push(Expr::Other(rest));
            ExprId(exprs.len() as u32 - 1)
        }
    };
    Some(Body { item: body.item, params: Vec::new(), root, exprs, pats: Vec::new() })
}

impl Expr {
    /// Calls for each expression directly inside this one, in the order of the text.
    pub fn for_each_child(&self, each: &mut dyn FnMut(ExprId)) {
        let mut all = |of: &[ExprId]| of.iter().for_each(|it| each(*it));
        match self {
            Expr::Path(_) | Expr::Literal(_) => {}
            Expr::Call(callee, args) => {
                all(&[*callee]);
                all(args);
            }
            Expr::MethodCall { receiver, args, .. } => {
                all(&[*receiver]);
                all(args);
            }
            Expr::Field(of, ..)
            | Expr::Ref(of)
            | Expr::Deref(of)
            | Expr::Unary(_, _, of)
            | Expr::Await(of)
            | Expr::Try(of)
            | Expr::Cast(of, _)
            | Expr::Let(_, of)
            | Expr::Loop(of) => all(&[*of]),
            Expr::Index(a, b)
            | Expr::Binary(_, _, a, b)
            | Expr::Assign(a, b)
            | Expr::While(a, b)
            | Expr::For(_, a, b) => all(&[*a, *b]),
            Expr::Struct { fields, base, .. } => {
                fields.iter().for_each(|(_, it)| all(&[*it]));
                all(base.as_slice());
            }
            Expr::Tuple(parts) | Expr::Array(parts) | Expr::Other(parts) => all(parts),
            Expr::Macro { args, .. } => all(args),
            Expr::Range(from, to) => {
                all(from.as_slice());
                all(to.as_slice());
            }
            Expr::Closure { body, .. } => all(&[*body]),
            Expr::Block(_, stmts, value) => {
                for stmt in stmts {
                    match stmt {
                        Stmt::Let { init, otherwise, .. } => {
                            all(init.as_slice());
                            all(otherwise.as_slice());
                        }
                        Stmt::Expr(it) => all(&[*it]),
                        Stmt::Item(_) => {}
                    }
                }
                all(value.as_slice());
            }
            Expr::If(cond, then, otherwise) => {
                all(&[*cond, *then]);
                all(otherwise.as_slice());
            }
            Expr::Match(on, arms) => {
                all(&[*on]);
                for arm in arms {
                    all(arm.guard.as_slice());
                    all(&[arm.value]);
                }
            }
            Expr::Return(value) | Expr::Break(value) => all(value.as_slice()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
use a::b as c;
pub fn f<T: Clone>(x: Vec<T>) -> Option<T> where Vec<T>: Sized {
    let only_here: HashMap<u8, Elsewhere> = there();
    if y { fn inner() { deep::er() } inner() } else { use q::r; { struct S(Z); } }
    None
}
struct P { n: u32 }
";

    #[test]
    fn what_bodies_alone_name_is_gone() {
        let facts = interface(&crate::read(TEXT));
        let has = |name: &str| facts.names.iter().any(|it| &**it == name);
        for name in
            ["f", "T", "Clone", "Option", "Vec", "Sized", "c", "inner", "q", "r", "S", "Z", "n"]
        {
            assert!(has(name), "{name}");
        }
        for name in ["only_here", "HashMap", "Elsewhere", "there", "deep", "er", "None"] {
            assert!(!has(name), "{name}");
        }
        assert_eq!(facts.decls.len(), facts.file.items.len());
    }

    #[test]
    fn blocks_with_items_keep_their_nesting() {
        let facts = interface(&crate::read(TEXT));
        let body = &facts.bodies[0];
        let blocks = body.exprs.iter().filter(|expr| matches!(expr, Expr::Block(..))).count();
        assert_eq!(blocks, 3);
        let around = body.exprs.iter().find_map(|expr| match expr {
            Expr::Block(_, stmts, _) if stmts.len() == 2 => Some(stmts.clone()),
            _ => None,
        });
        assert!(matches!(around.as_deref(), Some([Stmt::Item(_), Stmt::Expr(_)])));
    }

    #[test]
    fn the_interface_of_an_interface_is_itself() {
        let once = interface(&crate::read(TEXT));
        assert_eq!(interface(&once), once);
    }
}
