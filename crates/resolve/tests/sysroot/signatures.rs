//! Signatures, members and types as text.

use std::fmt::Write as _;

use base::{ItemKind, SortedSet};
use graftage_resolve::{DefId, Deps, Namespace, Resolution};
use syntax::facts::{Bound, Decl, Fields, FnDecl, PathId, Receiver, Shape, TypeId, TypeRef};

use super::declare::{At, Printer, SKIPPED_TRAITS, raw};
use super::library::is_stable;

impl Printer<'_> {
    pub(super) fn resolve(&self, at: At<'_>, path: PathId) -> Resolution {
        let path = &at.facts.paths[path.idx()];
        let file = self.library.def(at.item).file;
        let names: Vec<_> =
            path.segments.iter().map(|it| self.library.map.file_symbol(file, it.name)).collect();
        let scope = self.library.map.scope_of(at.item);
        let mut deps = Deps::new();
        let map = &self.library.map;
        let found = map.resolve(&mut deps, &scope, &names, path.is_global, Namespace::Type);
        let own = |def: DefId| if map.is_std(def) { self.of_prelude(def) } else { Some(def) };
        match found {
            Resolution::Def(def) => own(def).map_or(Resolution::None, Resolution::Def),
            Resolution::Partial(def, used) => {
                own(def).map_or(Resolution::None, |def| Resolution::Partial(def, used))
            }
            other => other,
        }
    }

    pub(super) fn ty(&mut self, at: At<'_>, id: TypeId) -> String {
        match &at.facts.types[id.idx()] {
            TypeRef::Path(path) => self.path(at, *path),
            TypeRef::Ref(to) => format!("&{}", self.grouped(at, *to)),
            TypeRef::Ptr(to) => format!("*const {}", self.grouped(at, *to)),
            TypeRef::Slice(of) => format!("[{}]", self.ty(at, *of)),
            TypeRef::Array(of) => format!("[{}; 0]", self.ty(at, *of)),
            TypeRef::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.ty(at, *part)).collect();
                tuple(&parts)
            }
            TypeRef::Fn(params, ret) => {
                let params: Vec<String> = params.iter().map(|it| self.ty(at, *it)).collect();
                let ret = ret.map(|ret| format!(" -> {}", self.ty(at, ret)));
                format!("fn({}){}", params.join(", "), ret.unwrap_or_default())
            }
            TypeRef::Dyn(bounds) => format!("dyn {}", self.bounds_or(at, bounds, "Sized")),
            TypeRef::Impl(bounds) => format!("impl {}", self.bounds_or(at, bounds, "Sized")),
            TypeRef::Never => "!".to_owned(),
            TypeRef::Unknown => "_".to_owned(),
        }
    }

    fn grouped(&mut self, at: At<'_>, id: TypeId) -> String {
        let text = self.ty(at, id);
        if text.contains(" + ") && (text.starts_with("dyn") || text.starts_with("impl")) {
            return format!("({text})");
        }
        text
    }

    fn bounds_or(&mut self, at: At<'_>, bounds: &[Bound], none: &str) -> String {
        let bounds = self.bounds(at, bounds);
        if bounds.is_empty() { none.to_owned() } else { bounds }
    }

    pub(super) fn bounds(&mut self, at: At<'_>, bounds: &[Bound]) -> String {
        let all: Vec<String> = bounds.iter().filter_map(|it| self.bound(at, it.0)).collect();
        all.join(" + ")
    }

    pub(super) fn bound(&mut self, at: At<'_>, path: PathId) -> Option<String> {
        let Resolution::Def(def) = self.resolve(at, path) else { return None };
        let is_trait = self.library.def(def).kind == ItemKind::Trait;
        let is_skipped = SKIPPED_TRAITS.contains(&self.library.name(def).as_str());
        (is_trait && !is_skipped).then(|| self.path(at, path))
    }

    pub(super) fn path(&mut self, at: At<'_>, id: PathId) -> String {
        let path = &at.facts.paths[id.idx()];
        let mut text = String::new();
        let mut used = 0;
        if let Some((ty, of)) = path.qself {
            let ty = self.ty(at, ty);
            match of.and_then(|of| self.bound(at, of)) {
                Some(of) => write!(text, "<{ty} as {of}>").unwrap(),
                None => write!(text, "<{ty}>").unwrap(),
            }
        } else {
            match self.resolve(at, id) {
                Resolution::Def(def) => {
                    text = self.named(def);
                    used = path.segments.len();
                }
                Resolution::Partial(def, count) => {
                    text = self.named(def);
                    used = count;
                }
                _ => {}
            }
            if used > 0 {
                let segment = &path.segments[used - 1];
                let args = self.args(at, &segment.args, &segment.bindings);
                text.push_str(&args);
            }
        }
        for segment in &path.segments[used..] {
            if !text.is_empty() {
                text.push_str("::");
            }
            text.push_str(&raw(&at.facts.names[segment.name.idx()]));
            let args = self.args(at, &segment.args, &segment.bindings);
            text.push_str(&args);
        }
        text
    }

    fn args(
        &mut self,
        at: At<'_>,
        args: &[TypeId],
        bindings: &[(syntax::facts::Name, TypeId)],
    ) -> String {
        let mut all = Vec::new();
        for arg in args {
            if !self.is_allocator(at, *arg) {
                all.push(self.ty(at, *arg));
            }
        }
        for (name, ty) in bindings {
            let ty = self.ty(at, *ty);
            all.push(format!("{} = {ty}", at.facts.names[name.idx()]));
        }
        if all.is_empty() { String::new() } else { format!("<{}>", all.join(", ")) }
    }

    /// Whether a type argument is an allocator.
    fn is_allocator(&self, at: At<'_>, id: TypeId) -> bool {
        let TypeRef::Path(path) = &at.facts.types[id.idx()] else { return false };
        match self.resolve(at, *path) {
            Resolution::Def(def) => self.library.name(def) == "Global",
            Resolution::Param(of, name) => {
                let Some((facts, _, decl)) = self.library.map.facts(of) else { return false };
                let name = self.library.map.name_of(name);
                let mut params = decl.generics.iter();
                let param = params.find(|param| *facts.names[param.name.idx()] == *name);
                param.is_some_and(|param| self.has_allocator_bound(At { item: of, facts }, param))
            }
            _ => false,
        }
    }

    fn has_allocator_bound(&self, at: At<'_>, param: &syntax::facts::GenericParam) -> bool {
        param.bounds.iter().any(|bound| {
            let path = &at.facts.paths[bound.0.idx()];
            let last = path.segments.last().map(|it| &*at.facts.names[it.name.idx()]);
            last == Some("Allocator")
        })
    }

    pub(super) fn generics(&mut self, at: At<'_>, decl: &Decl) -> String {
        let mut all = Vec::new();
        for param in &decl.generics {
            let name = raw(&at.facts.names[param.name.idx()]);
            if param.is_const {
                all.push(format!("const {name}: usize"));
                continue;
            }
            if self.has_allocator_bound(at, param) {
                continue;
            }
            let bounds = self.bounds(at, &param.bounds);
            let mut text = name;
            if !bounds.is_empty() {
                write!(text, ": {bounds}").unwrap();
            }
            if let Some(default) = param.default {
                write!(text, " = {}", self.ty(at, default)).unwrap();
            }
            all.push(text);
        }
        if all.is_empty() { String::new() } else { format!("<{}>", all.join(", ")) }
    }

    pub(super) fn wheres(&mut self, at: At<'_>, decl: &Decl) -> String {
        let mut all = Vec::new();
        for (ty, bounds) in &decl.wheres {
            let bounds = self.bounds(at, bounds);
            if !bounds.is_empty() {
                all.push(format!("{}: {bounds}", self.ty(at, *ty)));
            }
        }
        if all.is_empty() { String::new() } else { format!(" where {}", all.join(", ")) }
    }

    /// The public fields.
    pub(super) fn fields(
        &mut self,
        at: At<'_>,
        fields: &Fields,
        code: &str,
        wheres: &str,
    ) -> String {
        match fields {
            Fields::Tuple(types) if code.contains("pub ") && code.contains("(pub ") => {
                let types: Vec<_> = types.iter().map(|it| self.ty(at, *it)).collect();
                format!("({}){wheres};", types.join(", "))
            }
            Fields::Named(fields) => {
                let mut all = Vec::new();
                for (name, ty) in fields {
                    let name = &at.facts.names[name.idx()];
                    if code.contains(&format!("pub {name}:")) {
                        all.push(format!("{name}: {}", self.ty(at, *ty)));
                    }
                }
                if all.is_empty() {
                    return format!("{wheres};");
                }
                format!("{wheres} {{ {} }}", all.join(", "))
            }
            _ => format!("{wheres};"),
        }
    }

    pub(super) fn function(&mut self, at: At<'_>, decl: &Decl, of: &FnDecl, name: &str) -> String {
        let generics = self.generics(at, decl);
        let mut params = Vec::new();
        match of.receiver {
            None => {}
            Some(Receiver::Value) => params.push("self".to_owned()),
            Some(Receiver::Ref) => params.push("&self".to_owned()),
            Some(Receiver::RefMut) => params.push("&mut self".to_owned()),
            Some(Receiver::Typed(ty)) => params.push(format!("self: {}", self.ty(at, ty))),
        }
        for param in &of.params {
            params.push(format!("_: {}", self.ty(at, *param)));
        }
        let ret = of.ret.map(|ret| format!(" -> {}", self.ty(at, ret))).unwrap_or_default();
        let wheres = self.wheres(at, decl);
        format!("fn {name}{generics}({}){ret}{wheres};", params.join(", "))
    }

    pub(super) fn alias(&mut self, at: At<'_>, decl: &Decl, name: &str) -> String {
        let Shape::Alias { of, bounds } = &decl.shape else { return String::new() };
        let generics = self.generics(at, decl);
        let bounds = self.bounds(at, bounds);
        let bounds = if bounds.is_empty() { bounds } else { format!(": {bounds}") };
        let of = of.map(|of| format!(" = {}", self.ty(at, of))).unwrap_or_default();
        format!("type {name}{generics}{bounds}{of};")
    }

    /// The members of an impl or trait: all stable ones, or the types alone.
    pub(super) fn members(&mut self, container: DefId, is_whole: bool) -> SortedSet<String> {
        let mut deps = Deps::new();
        let is_trait = self.library.def(container).kind == ItemKind::Trait;
        let members = self.library.map.members(&mut deps, container).to_vec();
        let mut all = SortedSet::new();
        for member in members {
            let map = &self.library.map;
            if !self.library.exists(member) || map.facts(member).is_none() {
                continue;
            }
            let number = map.def(member).item as usize;
            let facts = map.source(map.def(member).file).facts.clone();
            let (item, decl) = (&facts.file.items[number], &facts.decls[number]);
            let is_public = is_trait || item.visibility == "pub";
            let is_listed = is_whole && is_public && is_stable(item);
            let at = At { item: member, facts: &facts };
            let name = raw(&self.library.name(member));
            let text = match &decl.shape {
                Shape::Alias { .. } => self.alias(at, decl, &name),
                Shape::Fn(of) if is_listed => self.function(at, decl, of, &name),
                Shape::Value(Some(ty)) if is_listed => {
                    format!("const {name}: {} = 0;", self.ty(at, *ty))
                }
                _ => continue,
            };
            all.insert(text);
        }
        all
    }
}

fn tuple(parts: &[String]) -> String {
    match parts {
        [only] => format!("({only},)"),
        _ => format!("({})", parts.join(", ")),
    }
}
