//! The part of the walk that puts names into scopes: of items, imports and macros.

use base::ItemKind;
use syntax::Item;
use syntax::facts::{Decl, Fields, Shape, UseWhat};

use super::collect::{Collector, Ctx, Frame};
use super::imports::Dependencies;
use super::symbols::sym;
use super::table::{
    ALL_SPACES, Binding, Import, ImportKind, NONE, Spaces, TextualMacro, Vis, space,
};
use super::{DefId, DefMap, Existence, Namespace, Symbol};

impl Collector<'_> {
    /// Adds an item to its scope; members and items that do not exist are in no scope.
    pub(super) fn add(
        &mut self,
        ctx: Ctx,
        id: DefId,
        name: Option<Symbol>,
        spaces: Spaces,
        item: &Item,
    ) {
        let Some(name) = name else { return };
        if ctx.is_member || ctx.existence == Existence::No || spaces == 0 || item.name == "_" {
            return;
        }
        let vis = self.vis(&item.visibility, ctx.scope);
        self.map.names.add(ctx.scope, name, spaces, Binding::Item(id), vis);
    }

    pub(super) fn vis(&self, text: &str, scope: u32) -> Vis {
        let scopes = &self.map.scopes;
        let module = scopes[scope as usize].module;
        let up = |from: u32| match scopes[from as usize].parent {
            NONE => from,
            parent => scopes[parent as usize].module,
        };
        let inside = text.strip_prefix("pub").map(|it| it.trim().trim_matches(['(', ')']).trim());
        match inside {
            Some("") => NONE,
            None if text != "crate" => module,
            Some("self") => module,
            Some("super") => up(module),
            Some(path) if path.starts_with("in ") => {
                let path = path.trim_start_matches("in ").trim_start_matches("::");
                let mut parts: Vec<_> = path.split("::").map(str::trim).collect();
                if matches!(parts.first(), Some(&"super" | &"self")) {
                    return parts
                        .iter()
                        .filter(|part| **part == "super")
                        .fold(module, |at, _| up(at));
                }
                if parts.first() == Some(&"crate") {
                    parts.remove(0);
                }
                // The path must name an enclosing module: its length selects which one.
                let mut around = vec![module];
                while let Some(last) = around.last()
                    && up(*last) != *last
                {
                    around.push(up(*last));
                }
                let at = around.len().saturating_sub(parts.len() + 1);
                around.get(at).copied().unwrap_or(module)
            }
            _ => {
                let mut root = module;
                while up(root) != root {
                    root = up(root);
                }
                root
            }
        }
    }

    pub(super) fn import(
        &mut self,
        frame: &Frame,
        id: DefId,
        number: usize,
        item: &Item,
        ctx: Ctx,
    ) {
        if ctx.existence == Existence::No || ctx.is_member {
            return;
        }
        let facts = self.map.source(frame.source).facts.clone();
        let vis = self.vis(&item.visibility, ctx.scope);
        let of = |it: &u32| facts.uses[*it as usize].item as usize;
        let start = frame.uses.partition_point(|it| of(it) < number);
        for leaf in frame.uses[start..].iter().take_while(|it| of(it) == number) {
            let leaf = &facts.uses[*leaf as usize];
            let map = &mut self.map;
            let from = map.imports.paths.len() as u32;
            for name in &leaf.path {
                let symbol = map.file_symbol(frame.source, *name);
                map.imports.paths.push(symbol);
            }
            let path = (from, map.imports.paths.len() as u32);
            let (kind, name) = match leaf.what {
                UseWhat::Name(name) => (ImportKind::Name, Some(name)),
                UseWhat::Underscore => (ImportKind::Underscore, None),
                UseWhat::Glob => (ImportKind::Glob, None),
                UseWhat::ExternCrate(name) => (ImportKind::ExternCrate, Some(name)),
            };
            let import = map.imports.leaves.len() as u32;
            map.imports.leaves.push(Import {
                def: id,
                scope: ctx.scope,
                path,
                is_global: leaf.is_global,
                kind,
                vis,
                offset: frame.site.unwrap_or(leaf.offset),
                is_removed: false,
                results: Vec::new(),
                dependencies: Dependencies::default(),
            });
            let name = name.map(|name| map.file_symbol(frame.source, name));
            let scope = &mut map.scopes[ctx.scope as usize];
            match kind {
                ImportKind::Glob => scope.globs.push(import),
                ImportKind::Underscore => scope.underscores.push(import),
                ImportKind::Name | ImportKind::ExternCrate => {}
            }
            let is_root = scope.parent == NONE;
            let Some(name) = name else { continue };
            if map.symbols.text(name) == "_" {
                continue;
            }
            map.names.add(ctx.scope, name, ALL_SPACES, Binding::Import(import), vis);
            if kind == ImportKind::ExternCrate {
                let krate = &mut map.crates[ctx.krate.0 as usize];
                if is_root {
                    krate.extern_items.push((name, import));
                }
                if item.attributes.iter().any(|it| it.contains("macro_use")) {
                    krate.macro_use.push(import);
                }
            }
        }
    }

    pub(super) fn macro_def(
        &mut self,
        frame: &Frame,
        id: DefId,
        name: Option<Symbol>,
        item: &Item,
        decl: &Decl,
        ctx: Ctx,
    ) {
        let Some(name) = name else { return };
        if ctx.existence == Existence::No {
            return;
        }
        let spaces = space(Namespace::Macro);
        if !item.visibility.is_empty() {
            let vis = self.vis(&item.visibility, ctx.scope);
            self.map.names.add(ctx.scope, name, spaces, Binding::Item(id), vis);
            return;
        }
        if matches!(decl.shape, Shape::MacroDef { is_exported: true }) {
            let mut root = ctx.scope;
            while self.map.scopes[root as usize].parent != NONE {
                root = self.map.scopes[root as usize].parent;
            }
            self.map.names.add(root, name, spaces, Binding::Item(id), NONE);
        }
        if self.map.scopes[ctx.scope as usize].is_block {
            let vis = self.vis("", ctx.scope);
            self.map.names.add(ctx.scope, name, spaces, Binding::Item(id), vis);
            return;
        }
        let above = self.textual;
        self.textual = self.map.macros.textual.len() as u32;
        self.map.macros.textual.push(TextualMacro {
            name,
            def: id,
            above,
            hash: 0,
            is_removed: false,
        });
        let end = frame.site.unwrap_or(item.span.end as u32);
        self.map.scopes[ctx.scope as usize].macros.push((end, self.textual));
    }

    /// Adds the macro that a function of a procedural macro crate defines.
    pub(super) fn proc_macro(&mut self, id: DefId, name: Option<Symbol>, item: &Item, ctx: Ctx) {
        if !self.map.crates[ctx.krate.0 as usize].is_proc_macro {
            return;
        }
        for attribute in &item.attributes {
            let Some((_, rest)) = attribute.split_once("proc_macro") else { continue };
            let defined = match rest.strip_prefix("_derive") {
                Some(rest) => {
                    let rest = rest.trim_start().trim_start_matches('(');
                    let end = rest.find([',', ')']).unwrap_or(rest.len());
                    Some(self.map.symbols.intern(rest[..end].trim()))
                }
                None => name,
            };
            if let Some(defined) = defined {
                let spaces = space(Namespace::Macro);
                self.map.names.add(ctx.scope, defined, spaces, Binding::Item(id), NONE);
            }
        }
    }
}

/// The namespaces of an item's name.
pub(super) fn spaces(kind: ItemKind, decl: &Decl) -> Spaces {
    match kind {
        ItemKind::Struct => match &decl.shape {
            Shape::Struct(Fields::Named(_)) => space(Namespace::Type),
            _ => space(Namespace::Type) | space(Namespace::Value),
        },
        ItemKind::Enum | ItemKind::Union | ItemKind::TypeAlias => space(Namespace::Type),
        ItemKind::Function | ItemKind::Const | ItemKind::Static => space(Namespace::Value),
        _ => 0,
    }
}

/// Whether the root scope contains `main`.
pub(super) fn has_main(map: &DefMap, scope: u32) -> bool {
    map.names.get(scope, sym::MAIN).any(|it| it.spaces & space(Namespace::Value) != 0)
}
