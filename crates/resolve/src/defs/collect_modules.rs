//! The part of the walk that handles modules: their scopes, and the files that contain them.

use std::collections::HashMap;

use syntax::Item;
use syntax::facts::{Decl, Shape};

use super::collect::{Collector, Ctx, Deferred, Entered, Frame};
use super::modules::Folders;
use super::problem::ModuleProblemKind;
use super::table::{NONE, ScopeData};
use super::{DefId, DefMap, Existence};
use crate::FileIdx;

impl Frame {
    /// The directories for modules declared here: those of the enclosing inline modules.
    pub(super) fn folders_here(&self, map: &DefMap) -> Folders {
        let facts = &map.source(self.source).facts;
        let inline = self.opens.iter().filter_map(|open| {
            let of = facts.file.items.get(open.item)?;
            let path = match &facts.decls.get(open.item)?.shape {
                Shape::Module { path, .. } => path.as_deref(),
                _ => return None,
            };
            Some((of.name.as_str(), path))
        });
        self.folders.inside(inline)
    }
}

impl Collector<'_> {
    pub(super) fn module_scope(&mut self, id: DefId, ctx: Ctx, outer: u32) -> u32 {
        let scope = self.map.scopes.len() as u32;
        let parent = match outer {
            NONE => NONE,
            outer => self.map.scopes[outer as usize].module,
        };
        let file_key = match self.map.is_std_crate(ctx.krate) {
            true => 0,
            false => super::lookup_key::file_key(self.map.file_of_scope(id)),
        };
        self.map.scopes.push(ScopeData {
            parent,
            module: scope,
            def: id,
            krate: ctx.krate,
            is_block: false,
            ident: self.map.def(id).ident,
            file_key,
            globs: Vec::new(),
            underscores: Vec::new(),
            macros: Vec::new(),
            traits: Vec::new(),
        });
        self.map.defs[id.idx()].inner = scope;
        scope
    }

    /// `mod x;`: finds and claims its file.
    pub(super) fn file_module(
        &mut self,
        frame: &mut Frame,
        id: DefId,
        item: &Item,
        decl: &Decl,
        path: Option<&str>,
        mut inner: Ctx,
    ) {
        if inner.existence == Existence::No {
            return;
        }
        inner.parent = None;
        let folders = frame.folders_here(&self.map);
        let path = path.map(str::to_owned).or_else(|| {
            // `#[cfg_attr(unix, path = "unix.rs")]`.
            item.attributes.iter().find_map(|it| {
                let (predicate, path) = super::modules::cfg_attr_path(it)?;
                self.holds(inner.krate, predicate).then(|| path.to_owned())
            })
        });
        let is_std = self.map.is_std_crate(inner.krate);
        let found = self.files.module(&folders, &item.name, path.as_deref(), is_std);
        let offset = frame.site.unwrap_or(item.code_span.start as u32);
        let (file, folders) = match found {
            Ok(found) => found,
            Err(tried) => {
                if inner.is_active {
                    self.problem(frame, offset, ModuleProblemKind::Missing { tried });
                }
                // An empty module scope keeps its names from being resolved elsewhere.
                let outer = self.map.def(id).scope;
                self.module_scope(id, Ctx { module: id, ..inner }, outer);
                return;
            }
        };
        let is_around = self.frames.iter().any(|it| it.source == file) || frame.source == file;
        if is_around {
            self.problem(frame, offset, ModuleProblemKind::Cycle);
            return;
        }
        let macro_use = matches!(decl.shape, Shape::Module { macro_use: true, .. });
        if !inner.is_active && self.owners[file.0 as usize].is_none() {
            self.deferred.push(Deferred {
                def: id,
                file,
                ctx: inner,
                textual: self.textual,
                folders,
            });
            return;
        }
        let leaks = macro_use.then(|| {
            let scope = self.map.def(id).scope;
            let end = frame.site.unwrap_or(item.span.end as u32);
            (self.map.scopes[scope as usize].module, end)
        });
        self.claim(id, file, inner, folders, leaks);
    }

    /// Makes a file the content of a module; if another module owns the file, both share its scope.
    pub(super) fn claim(
        &mut self,
        id: DefId,
        file: FileIdx,
        ctx: Ctx,
        folders: Folders,
        leaks: Option<(u32, u32)>,
    ) {
        if let Some(owner) = self.owners[file.0 as usize] {
            self.map.defs[id.idx()].inner = self.map.def(owner).inner;
            // In a patch the file was read before: it passes on the same macros as then.
            if let Some((scope, offset)) = leaks
                && self.map.def(id).ident == self.map.def(owner).ident
                && let Some(known) = self.before.get(&file).filter(|known| known.leaks)
            {
                self.textual = known.end;
                self.map.scopes[scope as usize].macros.push((offset, known.end));
            }
            return;
        }
        self.owners[file.0 as usize] = Some(id);
        let outer = self.map.def(id).scope;
        self.map.modules.contents.insert(id, file);
        self.enter_module(id, file, ctx, outer, folders, leaks);
    }

    pub(super) fn enter_module(
        &mut self,
        id: DefId,
        file: FileIdx,
        ctx: Ctx,
        outer: u32,
        folders: Folders,
        leaks: Option<(u32, u32)>,
    ) {
        let scope = self.module_scope(id, ctx, outer);
        let textual = self.textual;
        let entered = Entered {
            ctx,
            textual,
            folders: folders.clone(),
            leaks: leaks.is_some(),
            end: textual,
        };
        self.entered.insert(file, entered);
        self.map.scopes[scope as usize].macros.push((0, textual));
        let source = self.map.source(file);
        let is_active = source.facts.inner_attributes.iter().all(|attribute| {
            super::modules::inner_cfg(attribute).is_none_or(|cfg| self.holds(ctx.krate, cfg))
        });
        let inner =
            Ctx { scope, module: id, parent: None, is_active: ctx.is_active && is_active, ..ctx };
        if !is_active {
            self.map.defs[id.idx()].is_active = false;
        }
        let mut frame = self.frame(file, inner, folders, None);
        frame.restore = leaks.is_none().then_some(textual);
        frame.leaks_to = leaks;
        self.frames.push(frame);
    }

    pub(super) fn frame(
        &self,
        file: FileIdx,
        root: Ctx,
        folders: Folders,
        site: Option<u32>,
    ) -> Frame {
        let facts = &self.map.source(file).facts;
        let mut uses: Vec<u32> = (0..facts.uses.len() as u32).collect();
        uses.sort_by_key(|it| facts.uses[*it as usize].item);
        Frame {
            source: file,
            next: 0,
            root,
            opens: Vec::new(),
            restore: None,
            leaks_to: None,
            site,
            folders,
            uses,
            blocks: HashMap::default(),
        }
    }
}
