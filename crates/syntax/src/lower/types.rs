//! Lowers types, paths, generics and bounds.

use super::Lower;
use crate::facts::{Bound, GenericParam, Path, PathId, Segment, TypeId, TypeRef};
use crate::tree::Kind;

impl Lower<'_> {
    pub(super) fn type_ref(&mut self, node: u32) -> TypeId {
        let of = self.deeper(|it| it.type_of(node)).unwrap_or(TypeRef::Unknown);
        self.push_type(of)
    }

    /// The first type among the children.
    pub(super) fn type_in(&mut self, node: u32) -> Option<TypeId> {
        let of = self.tree.types(node).next()?;
        Some(self.type_ref(of))
    }

    /// The type of `-> Type`.
    pub(super) fn return_type(&mut self, node: u32) -> Option<TypeId> {
        let arrow = self.tree.child(node, Kind::RET_TYPE)?;
        self.type_in(arrow)
    }

    fn type_of(&mut self, node: u32) -> TypeRef {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::PATH_TYPE => match tree.child(node, Kind::PATH) {
                Some(path) if self.is_fn_trait(path) => TypeRef::Dyn(vec![Bound(self.path(path))]),
                Some(path) => TypeRef::Path(self.path(path)),
                None => TypeRef::Unknown,
            },
            Kind::FN_PTR_TYPE => {
                let params = tree.child(node, Kind::PARAM_LIST);
                let params = params.map_or_else(Vec::new, |it| self.parameter_types(it));
                TypeRef::Fn(params, self.return_type(node))
            }
            Kind::REF_TYPE => self.wrapped(node, TypeRef::Ref),
            Kind::PTR_TYPE => self.wrapped(node, TypeRef::Ptr),
            Kind::ARRAY_TYPE => self.wrapped(node, TypeRef::Array),
            Kind::SLICE_TYPE => self.wrapped(node, TypeRef::Slice),
            Kind::TUPLE_TYPE => {
                TypeRef::Tuple(tree.types(node).map(|it| self.type_ref(it)).collect())
            }
            Kind::PAREN_TYPE | Kind::FOR_TYPE => {
                let of = tree.types(node).next();
                of.and_then(|of| self.deeper(|it| it.type_of(of))).unwrap_or(TypeRef::Unknown)
            }
            Kind::NEVER_TYPE => TypeRef::Never,
            Kind::IMPL_TRAIT_TYPE => TypeRef::Impl(self.bounds(node)),
            Kind::DYN_TRAIT_TYPE => TypeRef::Dyn(self.bounds(node)),
            _ => TypeRef::Unknown,
        }
    }

    fn wrapped(&mut self, node: u32, wrap: fn(TypeId) -> TypeRef) -> TypeRef {
        self.type_in(node).map_or(TypeRef::Unknown, wrap)
    }

    /// Whether a path ends in `Fn(A)`: as a type it is a trait object.
    fn is_fn_trait(&self, path: u32) -> bool {
        let segment = self.tree.child(path, Kind::PATH_SEGMENT);
        segment.is_some_and(|it| self.tree.has(it, Kind::PARENTHESIZED_ARG_LIST))
    }

    /// The traits in the list of bounds of a node; `?Sized`, lifetimes and `use<…>` are left out.
    pub(super) fn bounds(&mut self, node: u32) -> Vec<Bound> {
        let tree = self.tree;
        let mut bounds = Vec::new();
        let Some(list) = tree.child(node, Kind::TYPE_BOUND_LIST) else { return bounds };
        for bound in tree.children(list).filter(|it| tree.kind(*it) == Kind::TYPE_BOUND) {
            if tree.has(bound, Kind::QUESTION) {
                continue;
            }
            let of = tree.types(bound).next().and_then(|it| self.named_type(it));
            bounds.extend(of.map(|it| Bound(self.path(it))));
        }
        bounds
    }

    /// The path of a path type, `for<…>` before it excepted.
    fn named_type(&self, mut node: u32) -> Option<u32> {
        while self.tree.kind(node) == Kind::FOR_TYPE {
            node = self.tree.types(node).next()?;
        }
        self.tree.child(node, Kind::PATH)
    }

    pub(super) fn path(&mut self, node: u32) -> PathId {
        let path = self.deeper(|it| it.path_of(node)).unwrap_or_default();
        self.push_path(path)
    }

    /// The segments of a path, first to last.
    pub(super) fn segments(&self, mut path: u32) -> Vec<u32> {
        let tree = self.tree;
        let mut segments = Vec::new();
        loop {
            segments.extend(tree.child(path, Kind::PATH_SEGMENT));
            match tree.child(path, Kind::PATH) {
                Some(before) => path = before,
                None => break,
            }
        }
        segments.reverse();
        segments
    }

    fn path_of(&mut self, node: u32) -> Path {
        let tree = self.tree;
        let segments = self.segments(node);
        let mut path = Path::default();
        path.segments.reserve_exact(segments.len());
        for (idx, segment) in segments.into_iter().enumerate() {
            if let Some(anchor) = tree.child(segment, Kind::TYPE_ANCHOR) {
                path.qself = self.qself(anchor);
                continue;
            }
            path.is_global |= idx == 0 && tree.has(segment, Kind::COLON2);
            let Some(name) = tree.child(segment, Kind::NAME_REF) else { continue };
            let (name, offset) = (self.name(name), tree.node(name).start);
            let mut of = Segment { name, offset, args: Vec::new(), bindings: Vec::new() };
            self.arguments_of(segment, &mut of);
            path.segments.push(of);
        }
        path
    }

    /// `<Type as Trait>`.
    fn qself(&mut self, anchor: u32) -> Option<(TypeId, Option<PathId>)> {
        let tree = self.tree;
        let mut types = tree.types(anchor);
        let of = self.type_ref(types.next()?);
        let of_trait = types.next().and_then(|it| tree.child(it, Kind::PATH));
        Some((of, of_trait.map(|it| self.path(it))))
    }

    fn arguments_of(&mut self, node: u32, segment: &mut Segment) {
        let tree = self.tree;
        if let Some(args) = tree.child(node, Kind::PARENTHESIZED_ARG_LIST) {
            let inputs = tree.children(args).filter_map(|it| tree.types(it).next());
            let inputs = inputs.map(|it| self.type_ref(it)).collect();
            segment.args.push(self.push_type(TypeRef::Tuple(inputs)));
            let output = self.return_type(node);
            let output = output.unwrap_or_else(|| self.push_type(TypeRef::Tuple(Vec::new())));
            segment.bindings.push((self.intern("Output"), output));
        } else if let Some(args) = tree.child(node, Kind::GENERIC_ARG_LIST) {
            self.type_arguments(args, segment);
        }
    }

    pub(super) fn type_arguments(&mut self, node: u32, segment: &mut Segment) {
        let tree = self.tree;
        for part in tree.children(node) {
            match tree.kind(part) {
                Kind::TYPE_ARG => segment.args.extend(self.type_in(part)),
                Kind::ASSOC_TYPE_ARG => {
                    let of = self.type_in(part);
                    if let (Some(name), Some(of)) = (tree.child(part, Kind::NAME_REF), of) {
                        segment.bindings.push((self.name(name), of));
                    }
                }
                _ => {}
            }
        }
    }

    /// The types of the parameters of a function pointer.
    fn parameter_types(&mut self, list: u32) -> Vec<TypeId> {
        let tree = self.tree;
        let params = tree.children(list).filter(|&it| tree.kind(it) == Kind::PARAM);
        params.filter_map(|it| self.type_in(it)).collect()
    }

    /// Type and const parameters of an item, and what its where clause requires of other types.
    pub(super) fn generics(&mut self, node: u32) -> (Vec<GenericParam>, Vec<(TypeId, Vec<Bound>)>) {
        let tree = self.tree;
        let mut params: Vec<GenericParam> = Vec::new();
        let mut wheres = Vec::new();
        if let Some(list) = tree.child(node, Kind::GENERIC_PARAM_LIST) {
            for part in tree.children(list) {
                params.extend(self.generic_param(part));
            }
        }
        for clause in tree.children(node).filter(|it| tree.kind(*it) == Kind::WHERE_CLAUSE) {
            for part in tree.children(clause).filter(|it| tree.kind(*it) == Kind::WHERE_PRED) {
                self.predicate(part, &mut params, &mut wheres);
            }
        }
        (params, wheres)
    }

    fn generic_param(&mut self, node: u32) -> Option<GenericParam> {
        let tree = self.tree;
        let is_const = match tree.kind(node) {
            Kind::TYPE_PARAM => false,
            Kind::CONST_PARAM => true,
            _ => return None,
        };
        let name = self.name(tree.child(node, Kind::NAME)?);
        let bounds = self.bounds(node);
        let default = if is_const { None } else { self.type_in(node) };
        Some(GenericParam { name, bounds, default, is_const })
    }

    fn predicate(
        &mut self,
        node: u32,
        params: &mut [GenericParam],
        wheres: &mut Vec<(TypeId, Vec<Bound>)>,
    ) {
        let tree = self.tree;
        let Some(left) = tree.types(node).next() else { return };
        let bounds = self.bounds(node);
        if tree.kind(left) == Kind::PATH_TYPE {
            let name = self.slice(left);
            let names = &self.facts.names;
            let is_named =
                |it: &GenericParam| names.get(it.name.idx()).is_some_and(|it| **it == *name);
            if let Some(param) = params.iter_mut().find(|it| is_named(it)) {
                param.bounds.extend(bounds);
                return;
            }
        }
        let of = self.type_ref(left);
        wheres.push((of, bounds));
    }
}
