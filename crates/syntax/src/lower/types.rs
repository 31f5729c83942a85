//! Types, paths, generics and bounds.

use super::Lower;
use crate::facts::{Bound, GenericParam, Path, PathId, Segment, TypeId, TypeRef};
use crate::tree::{Field, Kind};

impl Lower<'_> {
    pub(super) fn type_ref(&mut self, node: u32) -> TypeId {
        let of = self.deeper(|it| it.type_of(node)).unwrap_or(TypeRef::Unknown);
        self.push_type(of)
    }

    pub(super) fn type_field(&mut self, node: u32, field: Field) -> Option<TypeId> {
        let of = self.tree.field(node, field)?;
        Some(self.type_ref(of))
    }

    fn type_of(&mut self, node: u32) -> TypeRef {
        let tree = self.tree;
        match tree.node(node).kind {
            _ if tree.node(node).is_missing() => TypeRef::Unknown,
            Kind::TypeIdentifier | Kind::Identifier if self.slice(node) == "_" => TypeRef::Unknown,
            Kind::TypeIdentifier
            | Kind::Identifier
            | Kind::PrimitiveType
            | Kind::Metavariable
            | Kind::SelfWord
            | Kind::ScopedTypeIdentifier
            | Kind::ScopedIdentifier
            | Kind::GenericTypeWithTurbofish
            | Kind::GenericType => TypeRef::Path(self.path(node)),
            Kind::FunctionType if tree.field(node, Field::Trait).is_some() => {
                TypeRef::Dyn(vec![Bound(self.path(node))])
            }
            Kind::FunctionType => {
                let params = self.parameter_types(node);
                TypeRef::Fn(params, self.type_field(node, Field::ReturnType))
            }
            Kind::ReferenceType => self.inner_type(node, Field::Type, TypeRef::Ref),
            Kind::PointerType => self.inner_type(node, Field::Type, TypeRef::Ptr),
            Kind::ArrayType if tree.child(node, Kind::Semicolon).is_some() => {
                self.inner_type(node, Field::Element, TypeRef::Array)
            }
            Kind::ArrayType => self.inner_type(node, Field::Element, TypeRef::Slice),
            Kind::TupleType => {
                let parts: Vec<u32> = tree.parts(node).collect();
                match parts.as_slice() {
                    // Parentheses alone.
                    &[only] if tree.child(node, Kind::Comma).is_none() => {
                        self.deeper(|it| it.type_of(only)).unwrap_or(TypeRef::Unknown)
                    }
                    parts => TypeRef::Tuple(parts.iter().map(|&it| self.type_ref(it)).collect()),
                }
            }
            Kind::UnitType => TypeRef::Tuple(Vec::new()),
            Kind::NeverType => TypeRef::Never,
            Kind::AbstractType | Kind::DynamicType | Kind::BoundedType => {
                let is_impl = self.first_of_bounded(node) == Kind::AbstractType;
                let mut bounds = Vec::new();
                self.bound(node, &mut bounds);
                if is_impl { TypeRef::Impl(bounds) } else { TypeRef::Dyn(bounds) }
            }
            _ => TypeRef::Unknown,
        }
    }

    fn inner_type(&mut self, node: u32, field: Field, wrap: fn(TypeId) -> TypeRef) -> TypeRef {
        self.type_field(node, field).map_or(TypeRef::Unknown, wrap)
    }

    /// Whether `A + B` begins with `impl` or `dyn`.
    fn first_of_bounded(&self, mut node: u32) -> Kind {
        while self.tree.node(node).kind == Kind::BoundedType {
            match self.tree.parts(node).next() {
                Some(first) => node = first,
                None => break,
            }
        }
        self.tree.node(node).kind
    }

    /// The traits that a bound names.
    pub(super) fn bound(&mut self, node: u32, bounds: &mut Vec<Bound>) {
        let tree = self.tree;
        match tree.node(node).kind {
            Kind::TypeIdentifier
            | Kind::Identifier
            | Kind::ScopedTypeIdentifier
            | Kind::GenericType
            | Kind::Metavariable => {
                bounds.push(Bound(self.path(node)));
            }
            Kind::FunctionType if tree.field(node, Field::Trait).is_some() => {
                bounds.push(Bound(self.path(node)));
            }
            Kind::HigherRankedTraitBound => {
                if let Some(of) = tree.field(node, Field::Type) {
                    self.deeper(|it| it.bound(of, bounds));
                }
            }
            Kind::AbstractType | Kind::DynamicType => {
                if let Some(of) = tree.field(node, Field::Trait) {
                    self.deeper(|it| it.bound(of, bounds));
                }
            }
            Kind::BoundedType | Kind::TupleType => {
                self.deeper(|it| {
                    for part in tree.parts(node) {
                        it.bound(part, bounds);
                    }
                });
            }
            // `?Sized`, lifetimes, `use<…>`, and what did not parse.
            _ => {}
        }
    }

    /// The bounds behind a colon.
    pub(super) fn bounds(&mut self, node: Option<u32>) -> Vec<Bound> {
        let mut bounds = Vec::new();
        if let Some(node) = node {
            for part in self.tree.parts(node) {
                self.bound(part, &mut bounds);
            }
        }
        bounds
    }

    pub(super) fn path(&mut self, node: u32) -> PathId {
        let mut path = Path::default();
        if self.deeper(|it| it.path_into(node, &mut path)).is_none() {
            path.segments.clear();
        }
        self.push_path(path)
    }

    fn path_into(&mut self, mut node: u32, path: &mut Path) {
        let tree = self.tree;
        // From the last segment to the first, each with its arguments' holder.
        let mut spine: Vec<(u32, Option<u32>)> = Vec::new();
        let mut holder = None;
        loop {
            match tree.node(node).kind {
                Kind::ScopedIdentifier | Kind::ScopedTypeIdentifier => {
                    if let Some(name) = tree.field(node, Field::Name) {
                        spine.push((name, holder.take()));
                    }
                    match tree.field(node, Field::Path) {
                        Some(of) => node = of,
                        None => {
                            path.is_global = true;
                            break;
                        }
                    }
                }
                Kind::GenericType
                | Kind::GenericFunction
                | Kind::GenericTypeWithTurbofish
                | Kind::GenericPattern
                | Kind::FunctionType => {
                    holder = Some(node);
                    let of = tree
                        .field(node, Field::Type)
                        .or_else(|| tree.field(node, Field::Function))
                        .or_else(|| tree.field(node, Field::Trait))
                        .or_else(|| tree.parts(node).next());
                    match of {
                        Some(of) => node = of,
                        None => break,
                    }
                }
                Kind::BracketedType => {
                    path.qself = self.qself(node);
                    break;
                }
                _ => {
                    spine.push((node, holder.take()));
                    break;
                }
            }
        }
        path.segments.reserve_exact(spine.len());
        for (node, holder) in spine.into_iter().rev() {
            let name = self.name(node);
            let offset = tree.node(node).start;
            let mut segment = Segment { name, offset, args: Vec::new(), bindings: Vec::new() };
            if let Some(holder) = holder {
                self.arguments_of(holder, &mut segment);
            }
            path.segments.push(segment);
        }
    }

    fn qself(&mut self, node: u32) -> Option<(TypeId, Option<PathId>)> {
        let tree = self.tree;
        let of = tree.parts(node).next()?;
        if tree.node(of).kind != Kind::QualifiedType {
            return Some((self.type_ref(of), None));
        }
        let of_type = self.type_field(of, Field::Type)?;
        let of_trait = tree.field(of, Field::Alias).map(|it| self.path(it));
        Some((of_type, of_trait))
    }

    fn arguments_of(&mut self, holder: u32, segment: &mut Segment) {
        let tree = self.tree;
        if tree.node(holder).kind == Kind::FunctionType {
            let inputs = self.parameter_types(holder);
            let inputs = self.push_type(TypeRef::Tuple(inputs));
            segment.args.push(inputs);
            let output = self.type_field(holder, Field::ReturnType);
            let output = output.unwrap_or_else(|| self.push_type(TypeRef::Tuple(Vec::new())));
            let name = self.intern("Output");
            segment.bindings.push((name, output));
        } else if let Some(args) = tree.field(holder, Field::TypeArguments) {
            self.type_arguments(args, segment);
        }
    }

    pub(super) fn type_arguments(&mut self, node: u32, segment: &mut Segment) {
        let tree = self.tree;
        for part in tree.parts(node) {
            match tree.node(part).kind {
                Kind::TypeBinding => {
                    let of = self.type_field(part, Field::Type);
                    if let (Some(name), Some(of)) = (tree.field(part, Field::Name), of) {
                        let name = self.name(name);
                        segment.bindings.push((name, of));
                    }
                }
                Kind::Lifetime
                | Kind::Block
                | Kind::TraitBounds
                | Kind::StringLiteral
                | Kind::RawStringLiteral
                | Kind::CharLiteral
                | Kind::BooleanLiteral
                | Kind::IntegerLiteral
                | Kind::FloatLiteral
                | Kind::NegativeLiteral
                | Kind::Error => {}
                _ => {
                    let of = self.type_ref(part);
                    segment.args.push(of);
                }
            }
        }
    }

    /// The types between the parentheses of `fn(…)` or `Fn(…)`.
    fn parameter_types(&mut self, node: u32) -> Vec<TypeId> {
        let tree = self.tree;
        let mut types = Vec::new();
        if let Some(params) = tree.field(node, Field::Parameters) {
            for part in tree.parts(params) {
                match tree.node(part).kind {
                    Kind::Parameter => {
                        let of = self.type_field(part, Field::Type);
                        types.push(of.unwrap_or_else(|| self.push_type(TypeRef::Unknown)));
                    }
                    Kind::VariadicParameter | Kind::Error => {}
                    _ => types.push(self.type_ref(part)),
                }
            }
        }
        types
    }

    /// Type and const parameters of an item, and what its where clause says of other types.
    pub(super) fn generics(&mut self, node: u32) -> (Vec<GenericParam>, Vec<(TypeId, Vec<Bound>)>) {
        let tree = self.tree;
        let mut params: Vec<GenericParam> = Vec::new();
        let mut wheres = Vec::new();
        for child in tree.children(node) {
            match tree.node(child).kind {
                Kind::TypeParameters => {
                    for part in tree.parts(child) {
                        params.extend(self.generic_param(part));
                    }
                }
                Kind::WhereClause => {
                    for part in tree.parts(child) {
                        self.predicate(part, &mut params, &mut wheres);
                    }
                }
                _ => {}
            }
        }
        (params, wheres)
    }

    fn generic_param(&mut self, node: u32) -> Option<GenericParam> {
        let tree = self.tree;
        let is_const = match tree.node(node).kind {
            Kind::TypeParameter => false,
            Kind::ConstParameter => true,
            _ => return None,
        };
        let name = tree.field(node, Field::Name)?;
        let name = self.name(name);
        let bounds = self.bounds(tree.field(node, Field::Bounds));
        let default = self.type_field(node, Field::DefaultType);
        Some(GenericParam { name, bounds, default, is_const })
    }

    fn predicate(
        &mut self,
        node: u32,
        params: &mut [GenericParam],
        wheres: &mut Vec<(TypeId, Vec<Bound>)>,
    ) {
        let tree = self.tree;
        let Some(left) = tree.field(node, Field::Left) else { return };
        let bounds = self.bounds(tree.field(node, Field::Bounds));
        let left = match tree.node(left).kind {
            Kind::Lifetime => return,
            Kind::HigherRankedTraitBound => tree.field(left, Field::Type).unwrap_or(left),
            _ => left,
        };
        if tree.node(left).kind == Kind::TypeIdentifier {
            let name = self.name(left);
            if let Some(param) = params.iter_mut().find(|it| it.name == name) {
                param.bounds.extend(bounds);
                return;
            }
        }
        let of = self.type_ref(left);
        wheres.push((of, bounds));
    }
}
