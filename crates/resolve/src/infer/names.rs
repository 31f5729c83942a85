//! Edges that need no inference: the names in items, imports, impls and derives.

use base::{EdgeKind, ItemKind, Tier};
use syntax::facts::{Bound, Decl, Fields, PathId, Shape, TypeId, TypeRef, UseWhat};

use super::Infer;
use super::lower::Cx;
use super::select::derive_paths;
use super::ty::TyKind;
use crate::{DefId, Existence, FileIdx, FoundEdge, Namespace, Resolution, Rule, Symbol};

impl<'m> Infer<'m> {
    /// Adds the edges of the items of a source.
    pub(super) fn item_edges(&mut self, source: FileIdx) {
        let facts = self.facts_of(source);
        for (number, decl) in facts.decls.iter().enumerate() {
            let def = self.map.def_of(source, number as u32);
            let existence = self.map.def(def).existence;
            if existence == Existence::No {
                continue;
            }
            self.item.src = Some(def);
            self.item.exists = existence == Existence::Sure;
            self.item.is_active = self.map.def(def).is_active;
            let cx = self.cx_of(def);
            match &decl.shape {
                Shape::Impl { .. } => self.impl_edges(def),
                Shape::Struct(_) | Shape::Enum(_) => self.derive_edges(&cx, def),
                Shape::MacroCall(path) => self.macro_call_edge(&cx, *path),
                Shape::MacroDef { .. } => self.macro_body_edges(&cx, def),
                _ => {}
            }
            self.names_of(&cx, decl);
        }
        for used in &facts.uses {
            let def = self.map.def_of(source, used.item);
            if self.map.def(def).existence == Existence::No {
                continue;
            }
            self.item.src = Some(def);
            self.item.exists = self.map.def(def).existence == Existence::Sure;
            self.item.is_active = self.map.def(def).is_active;
            let cx = self.cx_of(def);
            let path: Vec<Symbol> = used.path.iter().map(|name| self.symbol(&cx, *name)).collect();
            if !matches!(used.what, UseWhat::ExternCrate(_)) {
                self.import_edges(&cx, &path, used.is_global, used.offset);
            }
        }
        self.item.src = None;
    }

    fn import_edges(&mut self, cx: &Cx, path: &[Symbol], is_global: bool, offset: u32) {
        let mut targets: Vec<DefId> = Vec::new();
        for ns in [Namespace::Type, Namespace::Value, Namespace::Macro] {
            let found = self.map.resolve(&mut self.deps, &cx.scope, path, is_global, ns);
            match found {
                Resolution::Def(def) if !targets.contains(&def) => targets.push(def),
                _ => {}
            }
        }
        for def in targets {
            self.push_edge(EdgeKind::Uses, def, Rule::Import, offset);
            let module = match self.map.def(def).kind {
                ItemKind::Module | ItemKind::Crate => def,
                _ => self.map.def(def).module,
            };
            let Some(src) = self.item.src else { continue };
            let own = self.map.def(src).module;
            if own != module && self.is_local(module) {
                let src = self.item.src.replace(own);
                self.push_edge(EdgeKind::Depends, module, Rule::ModuleImport, offset);
                self.item.src = src;
            }
        }
    }

    fn macro_call_edge(&mut self, cx: &Cx, path: PathId) {
        if let Resolution::Def(def) = self.resolve_path(cx, path, Namespace::Macro)
            && self.map.def(def).kind == ItemKind::Macro
        {
            let offset = self.offset_of(cx, path);
            self.push_edge(EdgeKind::Calls, def, Rule::MacroCall, offset);
        }
    }

    fn impl_edges(&mut self, def: DefId) {
        let Some(of) = self.impl_trait(def) else { return };
        let own = self.impl_self(def);
        let offset = self.map.facts(def).map_or(0, |(_, item, _)| item.code_span.start);
        let src = self.item.src;
        if let TyKind::Adt(adt, _) = *self.types.kind(own)
            && self.is_local(adt)
        {
            self.item.src = Some(adt);
            self.push_edge(EdgeKind::Implements, of.of, Rule::ImplHeader, offset as u32);
        }
        for member in self.map.members(&mut self.deps, def).to_vec() {
            let Some(name) = self.map.def(member).name.filter(|_| self.is_fn(member)) else {
                continue;
            };
            let trait_member = self.map.member(&mut self.deps, of.of, name, Namespace::Value);
            if let Some(member_of_trait) = trait_member {
                let at = self.map.facts(member).map_or(0, |(_, item, _)| {
                    item.name_span.map_or(item.code_span.start, |span| span.start)
                });
                self.item.src = Some(member);
                self.push_edge(EdgeKind::Implements, member_of_trait, Rule::ImplMember, at as u32);
            }
        }
        self.item.src = src;
    }

    fn derive_edges(&mut self, cx: &Cx, def: DefId) {
        let Some((_, item, _)) = self.map.facts(def) else { return };
        let offset = item.code_span.start as u32;
        let names = derive_paths(&item.attributes);
        for path in names.map(str::to_owned).collect::<Vec<_>>() {
            let segments: Option<Vec<Symbol>> =
                path.split("::").map(|part| self.map.symbol(part.trim())).collect();
            let Some(segments) =
                segments.filter(|it| it.iter().all(|it| !self.map.name_of(*it).is_empty()))
            else {
                continue;
            };
            let found =
                self.map.resolve(&mut self.deps, &cx.scope, &segments, false, Namespace::Type);
            if let Resolution::Def(of) = found
                && self.map.def(of).kind == ItemKind::Trait
            {
                self.push_edge_as(EdgeKind::Implements, of, Rule::AssumedDerive, offset, false);
            }
        }
    }

    /// Adds edges to the types, traits and constants in a declaration.
    fn names_of(&mut self, cx: &Cx, decl: &'m Decl) {
        for param in &decl.generics {
            self.names_of_bounds(cx, &param.bounds);
            self.names_of_types(cx, param.default.as_slice());
        }
        for (ty, bounds) in &decl.wheres {
            self.names_of_types(cx, &[*ty]);
            self.names_of_bounds(cx, bounds);
        }
        match &decl.shape {
            Shape::Fn(decl) => {
                self.names_of_types(cx, &decl.params);
                self.names_of_types(cx, decl.ret.as_slice());
            }
            Shape::Struct(fields) => self.names_of_fields(cx, fields),
            Shape::Enum(variants) => {
                for variant in variants {
                    self.names_of_fields(cx, &variant.fields);
                }
            }
            Shape::Trait(parents) => self.names_of_bounds(cx, parents),
            Shape::Impl { self_type, of_trait, .. } => {
                self.names_of_types(cx, &[*self_type]);
                if let Some(path) = of_trait {
                    self.names_of_path(cx, *path, 0);
                }
            }
            Shape::Alias { of, bounds } => {
                self.names_of_types(cx, of.as_slice());
                self.names_of_bounds(cx, bounds);
            }
            Shape::Value(of) => self.names_of_types(cx, of.as_slice()),
            Shape::None
            | Shape::Module { .. }
            | Shape::MacroDef { .. }
            | Shape::MacroCall(_)
            | Shape::Import => {}
        }
    }

    fn names_of_fields(&mut self, cx: &Cx, fields: &'m Fields) {
        match fields {
            Fields::Unit => {}
            Fields::Tuple(types) => self.names_of_types(cx, types),
            Fields::Named(fields) => {
                for (_, ty) in fields {
                    self.names_of_types(cx, &[*ty]);
                }
            }
        }
    }

    fn names_of_bounds(&mut self, cx: &Cx, bounds: &[Bound]) {
        for bound in bounds {
            self.names_of_path(cx, bound.0, 0);
        }
    }

    fn names_of_types(&mut self, cx: &Cx, types: &[TypeId]) {
        for ty in types {
            self.names_of_type(cx, *ty, 0);
        }
    }

    fn names_of_type(&mut self, cx: &Cx, id: TypeId, depth: u32) {
        let facts = self.facts_of(cx.file);
        if depth > 40 {
            return;
        }
        let mut bounds: &[Bound] = &[];
        let parts: Vec<TypeId> = match facts.types.get(id.idx()) {
            Some(TypeRef::Path(path)) => return self.names_of_path(cx, *path, depth + 1),
            Some(TypeRef::Ref(to) | TypeRef::Ptr(to) | TypeRef::Slice(to) | TypeRef::Array(to)) => {
                vec![*to]
            }
            Some(TypeRef::Tuple(parts)) => parts.clone(),
            Some(TypeRef::Fn(params, ret)) => params.iter().chain(ret).copied().collect(),
            Some(TypeRef::Dyn(all) | TypeRef::Impl(all)) => {
                bounds = all;
                Vec::new()
            }
            Some(TypeRef::Never | TypeRef::Unknown) | None => Vec::new(),
        };
        for part in parts {
            self.names_of_type(cx, part, depth + 1);
        }
        for bound in bounds {
            self.names_of_path(cx, bound.0, depth + 1);
        }
    }

    fn names_of_path(&mut self, cx: &Cx, id: PathId, depth: u32) {
        let facts = self.facts_of(cx.file);
        let Some(path) = facts.paths.get(id.idx()) else { return };
        if depth > 40 {
            return;
        }
        if let Some((ty, of)) = path.qself {
            self.names_of_type(cx, ty, depth + 1);
            if let Some(of) = of {
                self.names_of_path(cx, of, depth + 1);
            }
        } else {
            let mut found = self.resolve_path(cx, id, Namespace::Type);
            if matches!(found, Resolution::None) {
                // The argument of a constant parameter is written like a type.
                found = self.resolve_path(cx, id, Namespace::Value);
            }
            self.use_of(cx, id, &found);
        }
        for segment in &path.segments {
            for ty in segment.args.iter().chain(segment.bindings.iter().map(|(_, ty)| ty)) {
                self.names_of_type(cx, *ty, depth + 1);
            }
        }
    }

    /// Adds an edge from the current item to the target of a path; to a variant and to its enum.
    pub(super) fn use_of(&mut self, cx: &Cx, path: PathId, found: &Resolution) {
        self.use_at(found, self.offset_of(cx, path));
    }

    /// As [`Infer::use_of`], of a name at an offset.
    pub(super) fn use_at(&mut self, found: &Resolution, offset: u32) {
        let (Resolution::Def(def) | Resolution::Partial(def, _)) = *found else { return };
        let target = match self.map.def(def).kind {
            ItemKind::Struct
            | ItemKind::Enum
            | ItemKind::Union
            | ItemKind::Trait
            | ItemKind::TypeAlias
            | ItemKind::Const
            | ItemKind::Static => def,
            ItemKind::Variant => {
                let Some(parent) = self.map.def(def).parent else { return };
                if matches!(found, Resolution::Def(_)) {
                    self.push_edge(EdgeKind::Uses, def, Rule::Named, offset);
                }
                parent
            }
            _ => return,
        };
        self.push_edge(EdgeKind::Uses, target, Rule::Named, offset);
    }

    pub(super) fn offset_of(&self, cx: &Cx, path: PathId) -> u32 {
        let path = self.facts_of(cx.file).paths.get(path.idx());
        path.and_then(|path| path.segments.last()).map_or(0, |segment| segment.offset)
    }

    pub(super) fn push_edge(&mut self, kind: EdgeKind, to: DefId, rule: Rule, offset: u32) {
        self.push_edge_as(kind, to, rule, offset, true);
    }

    pub(super) fn push_edge_as(
        &mut self,
        kind: EdgeKind,
        to: DefId,
        rule: Rule,
        offset: u32,
        is_sure: bool,
    ) {
        let Some(src) = self.item.src else { return };
        if !self.is_local(to) || src == to {
            return;
        }
        let (offset, copied_from) = self.position(offset);
        let rule = match copied_from {
            Some(syntax::TokenSource::Definition) => Rule::MacroExpansion,
            _ => rule,
        };
        let def = self.map.def(to);
        let is_sure = is_sure
            && self.item.exists
            && def.existence == Existence::Sure
            && (def.is_active || !self.item.is_active);
        let tier = if is_sure { Tier::Proven } else { Tier::Candidate };
        let offset = self.site_offset(offset);
        self.found.edges.push(FoundEdge { src, kind, to, tier, rule, offset });
    }
}
