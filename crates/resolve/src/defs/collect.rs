//! The walk over all files in source order: it builds the module tree and the scopes, puts items
//! into scopes, and tracks textual macros. Start at [`Collector::root`].

use std::collections::HashMap;
use std::sync::Arc;

use base::{ItemKind, SortedMap, SortedSet};
use syntax::Item;
use syntax::facts::{Decl, Shape};

use super::blocks::item_blocks;
use super::collect_names::spaces;
use super::macros::Macros;
use super::modules::{Files, Folders};
use super::problem::{ModuleProblem, ModuleProblemKind};
use super::table::{NONE, ScopeData, space};
use super::{DefId, DefMap, Existence, Namespace};
use crate::hash::FastMap;
use crate::keys::Mix;
use crate::workspace::NO_CFG;
use crate::{CfgSet, CrateIdx, CrateInput, FileIdx};

/// What an item inherits from its container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ctx {
    pub(super) krate: CrateIdx,
    pub(super) scope: u32,
    pub(super) module: DefId,
    pub(super) parent: Option<DefId>,
    /// The parent is an impl or trait.
    pub(super) is_member: bool,
    pub(super) is_active: bool,
    pub(super) existence: Existence,
    pub(super) from_macro: bool,
    /// Hash of the canonical path.
    pub(super) canon: u64,
    /// The number of expansions around it.
    pub(super) depth: u8,
}

/// The state when a file was entered, so that a patch can enter it again.
#[derive(Clone, Debug)]
pub(super) struct Entered {
    pub(super) ctx: Ctx,
    pub(super) textual: u32,
    pub(super) folders: Folders,
    /// The file passes its textual macros on (`#[macro_use]`).
    pub(super) leaks: bool,
    /// The textual macros at its end.
    pub(super) end: u32,
}

/// An item around the one that is read.
pub(super) struct OpenItem {
    pub(super) item: usize,
    pub(super) inner: Ctx,
    /// The textual macros to restore after it.
    pub(super) restore: Option<u32>,
    /// The scope that receives its textual macros, if it is an inline `#[macro_use]` module.
    pub(super) leaks_to: Option<u32>,
}

/// A source that is being read.
pub(super) struct Frame {
    pub(super) source: FileIdx,
    pub(super) next: usize,
    pub(super) root: Ctx,
    pub(super) opens: Vec<OpenItem>,
    pub(super) restore: Option<u32>,
    /// The scope that receives the textual macros at its end, and the offset in it.
    pub(super) leaks_to: Option<(u32, u32)>,
    /// For an expansion: the offset of the call in the module's file.
    pub(super) site: Option<u32>,
    pub(super) folders: Folders,
    /// Indices of `use` leaves, sorted by item.
    pub(super) uses: Vec<u32>,
    /// Scopes of local items, by item.
    pub(super) blocks: FastMap<u32, u32>,
}

/// A module in its own file that cfg disables: another declaration may claim the file first.
pub(super) struct Deferred {
    pub(super) def: DefId,
    pub(super) file: FileIdx,
    pub(super) ctx: Ctx,
    pub(super) textual: u32,
    pub(super) folders: Folders,
}

/// A macro call at item level whose macro is in no textual scope.
pub(super) struct Pending {
    pub(super) call: DefId,
    pub(super) ctx: Ctx,
    pub(super) folders: Folders,
    pub(super) site: u32,
    pub(super) textual: u32,
}

pub(super) struct Collector<'w> {
    pub(super) map: DefMap,
    cfgs: Vec<&'w CfgSet>,
    pub(super) files: Files<'w>,
    /// The module that owns each file.
    pub(super) owners: Vec<Option<DefId>>,
    pub(super) frames: Vec<Frame>,
    pub(super) deferred: Vec<Deferred>,
    pub(super) pending: Vec<Pending>,
    pub(super) textual: u32,
    pub(super) ordinals: FastMap<u64, u32>,
    /// The number of expansions so far.
    pub(super) expanded: usize,
    pub(super) macros: Macros,
    /// The state in which each file was entered.
    pub(super) entered: SortedMap<FileIdx, Entered>,
    /// The same for the map that is patched.
    pub(super) before: Arc<SortedMap<FileIdx, Entered>>,
    /// Stable names of the macros that each file's calls at item level resolve to.
    pub(super) calls: SortedMap<FileIdx, SortedSet<u64>>,
}

impl<'w> Collector<'w> {
    pub(super) fn new(map: DefMap, crates: &'w [CrateInput], files: Files<'w>) -> Self {
        let owners = vec![None; map.sources.len()];
        // After the crates of the workspace: the standard library, and files in no crate.
        let cfgs = crates.iter().map(|it| &it.cfg).chain([&NO_CFG, &NO_CFG]).collect();
        Self {
            map,
            cfgs,
            files,
            owners,
            frames: Vec::new(),
            deferred: Vec::new(),
            pending: Vec::new(),
            textual: NONE,
            ordinals: HashMap::default(),
            expanded: 0,
            macros: Macros::default(),
            entered: SortedMap::new(),
            before: Arc::default(),
            calls: SortedMap::new(),
        }
    }

    /// Reads a root file and all modules below it. `root` is the definition of its module.
    pub(super) fn root(&mut self, root: DefId, file: FileIdx, krate: CrateIdx) {
        let canon = self.map.def(root).canon_hash;
        let ctx = Ctx {
            krate,
            scope: NONE,
            module: root,
            parent: None,
            is_member: false,
            is_active: true,
            existence: Existence::Sure,
            from_macro: false,
            canon,
            depth: 0,
        };
        self.textual = NONE;
        self.owners[file.0 as usize] = Some(root);
        let folders = Folders::of_root(self.map.source(file).path.as_str());
        self.enter_module(root, file, ctx, NONE, folders, None);
        self.run();
    }

    /// Reads the disabled modules whose files no other declaration claimed.
    pub(super) fn deferred(&mut self) {
        while !self.deferred.is_empty() {
            for it in std::mem::take(&mut self.deferred) {
                self.textual = it.textual;
                self.claim(it.def, it.file, it.ctx, it.folders, None);
                self.run();
            }
        }
    }

    pub(super) fn run(&mut self) {
        while let Some(mut frame) = self.frames.pop() {
            // Files that the item leads to go on top: they are read before the items after it.
            let position = self.frames.len();
            if self.read_item(&mut frame) {
                self.frames.insert(position, frame);
            }
        }
    }

    /// Reads one item; returns `false` when there was none left.
    fn read_item(&mut self, frame: &mut Frame) -> bool {
        let facts = self.map.source(frame.source).facts.clone();
        let number = frame.next;
        let item = facts.file.items.get(number);
        let parent = item.and_then(|it| it.parent);
        while let Some(open) = frame.opens.last()
            && (item.is_none() || parent != Some(open.item))
        {
            if let Some(scope) = open.leaks_to {
                let end = facts.file.items.get(open.item).map_or(0, |it| it.span.end as u32);
                let end = frame.site.unwrap_or(end);
                self.map.scopes[scope as usize].macros.push((end, self.textual));
            }
            if let Some(restore) = open.restore {
                self.textual = restore;
            }
            frame.opens.pop();
        }
        let (Some(item), Some(decl)) = (item, facts.decls.get(number)) else {
            if let Some((scope, offset)) = frame.leaks_to {
                self.map.scopes[scope as usize].macros.push((offset, self.textual));
            }
            if frame.site.is_none()
                && let Some(entered) = self.entered.get_mut(&frame.source)
            {
                entered.end = self.textual;
            }
            if let Some(restore) = frame.restore {
                self.textual = restore;
            }
            return false;
        };
        let ctx = frame.opens.last().map_or(frame.root, |open| open.inner);
        self.item(frame, number, item, decl, ctx);
        frame.next += 1;
        true
    }

    fn item(&mut self, frame: &mut Frame, number: usize, item: &Item, decl: &Decl, mut ctx: Ctx) {
        if let Some(scope) = frame.blocks.get(&(number as u32)) {
            ctx.scope = *scope;
        }
        let id = self.map.def_of(frame.source, number as u32);
        if let Some(cfg) = &decl.cfg {
            ctx.is_active &= self.holds(ctx.krate, cfg);
        }
        ctx.from_macro |= decl.in_macro_call;
        let kind = self.kind(item, decl, ctx);
        let name = decl.name.map(|name| self.map.file_symbol(frame.source, name));
        self.define(id, kind, name, item, ctx);
        let mut inner =
            Ctx { parent: Some(id), is_member: false, canon: self.map.def(id).canon_hash, ..ctx };
        let mut open = OpenItem { item: number, inner, restore: None, leaks_to: None };
        match kind {
            ItemKind::Module => match &decl.shape {
                Shape::Module { is_inline: false, path, .. } => {
                    self.file_module(frame, id, item, decl, path.as_deref(), inner);
                    self.add(ctx, id, name, space(Namespace::Type), item);
                    return;
                }
                shape => {
                    let scope = self.module_scope(id, inner, ctx.scope);
                    let start = frame.site.unwrap_or(item.span.start as u32);
                    self.map.scopes[scope as usize].macros.push((start, self.textual));
                    inner.scope = scope;
                    inner.module = id;
                    inner.parent = None;
                    let leaks = matches!(shape, Shape::Module { macro_use: true, .. });
                    open.restore = (!leaks).then_some(self.textual);
                    let module = self.map.scopes[ctx.scope as usize].module;
                    open.leaks_to = leaks.then_some(module);
                    self.add(ctx, id, name, space(Namespace::Type), item);
                }
            },
            ItemKind::Import => {
                self.import(frame, id, number, item, ctx);
                return;
            }
            ItemKind::Macro => {
                self.macro_def(frame, id, name, item, decl, ctx);
                return;
            }
            ItemKind::MacroCall => {
                inner =
                    Ctx { parent: ctx.parent, is_member: ctx.is_member, canon: ctx.canon, ..inner };
                inner.from_macro = true;
                self.macro_call(frame, id, item, decl, &mut inner);
            }
            ItemKind::Impl => {
                inner.is_member = true;
                if let Some(bare) = super::canon::bare_self_type(&item.name) {
                    let hash = Mix::new(0).text(bare).finish();
                    inner.canon = Mix::new(ctx.canon).with(hash).finish();
                }
            }
            ItemKind::Trait => {
                inner.is_member = true;
                self.add(ctx, id, name, space(Namespace::Type), item);
            }
            _ => {
                self.add(ctx, id, name, spaces(kind, decl), item);
                if kind == ItemKind::Enum {
                    self.variants(frame.source, id, decl, inner);
                }
                if kind == ItemKind::Function {
                    self.proc_macro(id, name, item, ctx);
                }
                if let Some(body) = decl.body {
                    inner.scope = self.body(frame, id, body.0, inner);
                }
            }
        }
        open.inner = inner;
        frame.opens.push(open);
    }

    pub(super) fn holds(&self, krate: CrateIdx, cfg: &str) -> bool {
        self.cfgs.get(krate.0 as usize).is_none_or(|set| set.holds(cfg))
    }

    /// Creates scopes for the blocks of a body that contain items. Items that no block lists are in
    /// scope in the whole body. Returns the scope of the body.
    fn body(&mut self, frame: &mut Frame, id: DefId, body: u32, ctx: Ctx) -> u32 {
        let facts = self.map.source(frame.source).facts.clone();
        let number = self.map.defs[id.idx()].item as usize;
        let items = &facts.file.items;
        // Items are in preorder: a local item would come next.
        if items.get(number + 1).is_none_or(|next| next.parent != Some(number)) {
            return ctx.scope;
        }
        let whole = self.block(id, ctx, ctx.scope, 0);
        self.map.defs[id.idx()].inner = whole;
        let Some(of) = facts.bodies.get(body as usize) else { return whole };
        let mut scopes: Vec<u32> = Vec::new();
        for (nth, block) in item_blocks(of).into_iter().enumerate() {
            let outer = block.outer.and_then(|it| scopes.get(it)).copied().unwrap_or(whole);
            let scope = self.block(id, ctx, outer, nth as u64 + 1);
            self.map.block_scopes.insert((frame.source, body, block.expr.0), scope);
            frame.blocks.extend(block.items.into_iter().map(|item| (item, scope)));
            scopes.push(scope);
        }
        whole
    }

    fn block(&mut self, id: DefId, ctx: Ctx, parent: u32, nth: u64) -> u32 {
        let around = &self.map.scopes[parent as usize];
        let scope = ScopeData {
            parent,
            module: around.module,
            def: id,
            krate: ctx.krate,
            is_block: true,
            ident: Mix::new(self.map.def(id).ident).with(nth).with(7).finish(),
            file_key: around.file_key,
            globs: Vec::new(),
            underscores: Vec::new(),
            macros: Vec::new(),
            traits: Vec::new(),
        };
        self.map.scopes.push(scope);
        self.map.scopes.len() as u32 - 1
    }

    pub(super) fn problem(&mut self, frame: &Frame, offset: u32, kind: ModuleProblemKind) {
        let file = self.map.site(frame.source, offset).0;
        if !self.map.is_std_crate(frame.root.krate) {
            self.map.modules.problems.push(ModuleProblem { file, offset, kind });
        }
    }
}
