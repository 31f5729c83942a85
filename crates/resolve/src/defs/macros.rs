//! Macro calls at item level: resolves the macro and reads the items that the call produces.

use std::sync::Arc;

use base::{ItemKind, SortedMap, SortedSet};
use syntax::facts::{Decl, FileFacts, Shape};
use syntax::{Item, Origin, Passthrough};

use super::collect::{Collector, Ctx, Frame, Pending};
use super::lookup::{Observer, UsedPath};
use super::modules::Folders;
use super::symbols::sym;
use super::table::{Binding, NONE, space};
use super::{DefId, Existence, NameScope, Namespace, Resolution, Symbol};
use crate::FileIdx;
use crate::keys::{Key, Mix};

/// The maximum nesting of expansions.
const MAX_DEPTH: u8 = 32;

/// The maximum number of expansions, so that a small text cannot become a large map.
const MAX_EXPANSIONS: usize = 50_000;

/// The number of rounds in which calls with a path to their macro are retried.
const MAX_ROUNDS: usize = 4;

/// The result of a macro call.
enum CallResult {
    /// The macro emits the items in the call's tokens, under this cfg.
    Items(Option<String>),
    /// An expansion with its own text.
    Expansion(Expanded),
    /// Unknown: the macro could not be expanded with certainty.
    Unknown,
}

/// A certain expansion.
#[derive(Clone, Debug)]
struct Expanded {
    text: Arc<str>,
    facts: Arc<FileFacts>,
    origins: Arc<[Origin]>,
}

/// Results of macro calls by hashes of definition and tokens, so that a build only expands calls
/// that the previous build did not contain.
#[derive(Clone, Debug, Default)]
pub(super) struct MacroCache {
    passthroughs: SortedMap<(u64, u64), Option<Passthrough>>,
    expansions: SortedMap<(u64, u64), Option<Expanded>>,
}

fn text_key(texts: &[&str]) -> (u64, u64) {
    let of = |tag| texts.iter().fold(Mix::new(tag), |mix, text| mix.text(text)).finish();
    (of(40), of(41))
}

/// The cache of the previous build, and that of this one.
#[derive(Default)]
pub(super) struct Macros {
    pub(super) before: Arc<MacroCache>,
    pub(super) now: MacroCache,
    /// Hashes of definitions.
    definitions: SortedMap<DefId, (u64, u64)>,
}

impl MacroCache {
    /// Merges the results of another build; `None`: there are no new ones.
    pub(super) fn with(&self, now: &Self) -> Option<Self> {
        let is_old = now.passthroughs.keys().all(|key| self.passthroughs.contains_key(key))
            && now.expansions.keys().all(|key| self.expansions.contains_key(key));
        (!is_old).then(|| {
            let mut all = self.clone();
            all.passthroughs.extend(now.passthroughs.clone());
            all.expansions.extend(now.expansions.clone());
            all
        })
    }
}

impl Macros {
    /// Must be called when definitions are renumbered.
    pub(super) fn renumbered(&mut self) {
        self.definitions.clear();
    }

    fn passthrough(&mut self, of: DefId, definition: &str) -> Option<Passthrough> {
        let key = *self.definitions.entry(of).or_insert_with(|| text_key(&[definition]));
        let found = self.now.passthroughs.entry(key).or_insert_with(|| {
            let before = self.before.passthroughs.get(&key);
            before.cloned().unwrap_or_else(|| syntax::passthrough(definition))
        });
        found.clone()
    }

    fn expansion(&mut self, definition: &str, tokens: &str) -> Option<Expanded> {
        let key = text_key(&[definition, tokens]);
        let found = self.now.expansions.entry(key).or_insert_with(|| {
            let before = self.before.expansions.get(&key);
            before.cloned().unwrap_or_else(|| {
                let expansion = syntax::expand(definition, tokens)?;
                Some(Expanded {
                    facts: Arc::new(syntax::read_made(&expansion.text)),
                    text: expansion.text.into(),
                    origins: expansion.origins.into(),
                })
            })
        });
        found.clone()
    }
}

struct NoObserver;

impl Observer for NoObserver {
    fn ask(&mut self, _key: Key) {}

    fn import(&mut self, _number: u32) {}

    fn hidden(&self) -> u32 {
        NONE
    }
}

impl Collector<'_> {
    /// Handles a macro call. `inner` is the context that the items in its tokens inherit.
    pub(super) fn macro_call(
        &mut self,
        frame: &mut Frame,
        id: DefId,
        item: &Item,
        decl: &Decl,
        inner: &mut Ctx,
    ) {
        if inner.existence == Existence::No {
            return;
        }
        let site = frame.site.unwrap_or(item.code_span.start as u32);
        let scope = NameScope { at: inner.scope, item: id, offset: item.code_span.start as u32 };
        // The module's textual macros up to here are not in its table yet.
        let found = match self.call_path(id, decl).as_slice() {
            [name] => {
                self.local_macro(&scope, *name).or_else(|| self.map.textual_at(self.textual, *name))
            }
            [sym::DOLLAR_CRATE, name] => self.exported_macro(frame.source, *name),
            _ => None,
        };
        if found.is_none() && self.include(frame, decl, *inner, site) {
            return;
        }
        if self.is_cfg_if(id, item, decl) {
            // Each item has the condition of its branch.
            return;
        }
        let folders = frame.folders_here(&self.map);
        let Some(of) = found else {
            inner.existence = inner.existence.max(Existence::Maybe);
            self.pending.push(Pending {
                call: id,
                ctx: *inner,
                folders,
                site,
                textual: self.textual,
            });
            return;
        };
        match self.expand_call(of, id) {
            CallResult::Items(cfg) => {
                if let Some(cfg) = cfg {
                    inner.is_active &= self.holds(inner.krate, &cfg);
                }
                inner.existence = inner.existence.max(self.map.def(of).existence);
            }
            CallResult::Expansion(text) => {
                if let Some(frame) = self.expansion(id, of, text, *inner, folders, site) {
                    self.frames.push(frame);
                }
                inner.existence = Existence::No;
            }
            CallResult::Unknown => inner.existence = inner.existence.max(Existence::Maybe),
        }
    }

    /// Reads the file of an `include!` as a part of the module. A file that is in a module already
    /// stays there.
    fn include(&mut self, frame: &Frame, decl: &Decl, ctx: Ctx, site: u32) -> bool {
        if !matches!(decl.shape, Shape::MacroCall(_)) || self.map.is_std_crate(ctx.krate) {
            return false;
        }
        let source = self.map.source(frame.source);
        let path = syntax::included_path(&source.facts, &source.text, frame.next);
        let file = path.and_then(|path| self.files.included(source.path.as_str(), path, false));
        let Some(file) = file else { return false };
        let is_free = self.owners.get(file.0 as usize) == Some(&None)
            && file != frame.source
            && ctx.depth < MAX_DEPTH;
        if is_free {
            self.owners[file.0 as usize] = Some(ctx.module);
            let folders = Folders::of_root(self.map.source(file).path.as_str());
            let ctx = Ctx { depth: ctx.depth + 1, from_macro: false, ..ctx };
            let frame = self.frame(file, ctx, folders, Some(site));
            self.frames.push(frame);
        }
        true
    }

    /// Whether the call is one of `cfg_if!`, whose definition the map seldom has.
    fn is_cfg_if(&self, id: DefId, item: &Item, decl: &Decl) -> bool {
        let Shape::MacroCall(path) = decl.shape else { return false };
        let source = self.map.source(self.map.def(id).file);
        let path = source.facts.paths.get(path.idx());
        let last = path.and_then(|it| source.facts.names.get(it.segments.last()?.name.0 as usize));
        let tokens = item.body.and_then(|body| source.text.get(body.start..body.end));
        last.is_some_and(|it| **it == *"cfg_if") && tokens.is_some_and(syntax::has_branches)
    }

    fn call_path(&self, id: DefId, decl: &Decl) -> Vec<Symbol> {
        let Shape::MacroCall(path) = decl.shape else { return Vec::new() };
        let file = self.map.def(id).file;
        let facts = &self.map.source(file).facts;
        let path = facts.paths.get(path.idx());
        path.map_or(&[][..], |it| &it.segments)
            .iter()
            .map(|it| self.map.file_symbol(file, it.name))
            .collect()
    }

    /// A `macro_rules!` of an enclosing block.
    fn local_macro(&self, scope: &NameScope, name: Symbol) -> Option<DefId> {
        let mut at = scope.at;
        while let Some(it) = self.map.scopes.get(at as usize).filter(|it| it.is_block) {
            let found = self.map.names.get(at, name).find_map(|it| match it.binding {
                Binding::Item(def) if self.map.def(def).kind == ItemKind::Macro => Some(def),
                _ => None,
            });
            if found.is_some() {
                return found;
            }
            at = it.parent;
        }
        None
    }

    /// The macro that `$crate::name!` means in an expansion: the only exported macro of that name,
    /// if it has been read.
    fn exported_macro(&self, source: FileIdx, name: Symbol) -> Option<DefId> {
        let dollar_crate = self.map.source(source).dollar_crate;
        let root = self.map.crates.get(dollar_crate.0 as usize)?.root?;
        let mut found = None;
        for it in self.map.names.get(self.map.def(root).inner, name) {
            if it.spaces & space(Namespace::Macro) == 0 {
                continue;
            }
            match it.binding {
                Binding::Item(def) if found.is_none() && self.map.def(def).is_active => {
                    found = Some(def);
                }
                Binding::Item(def) if !self.map.def(def).is_active => {}
                _ => return None,
            }
        }
        found.filter(|def| self.map.def(*def).kind == ItemKind::Macro)
    }

    /// Determines the result of a call.
    fn expand_call(&mut self, of: DefId, call: DefId) -> CallResult {
        let file = self.map.source(self.map.def(call).file).site.0;
        self.calls.entry(file).or_default().insert(self.map.def(of).ident);
        let definition = {
            let Some((_, item, _)) = self.map.facts(of) else { return CallResult::Unknown };
            let text = &self.map.source(self.map.def(of).file).text;
            text.get(item.code_span.start..item.code_span.end)
        };
        let tokens = {
            let Some((_, item, _)) = self.map.facts(call) else { return CallResult::Unknown };
            let text = &self.map.source(self.map.def(call).file).text;
            item.body.and_then(|body| text.get(body.start..body.end))
        };
        let (Some(definition), Some(tokens)) = (definition, tokens) else {
            return CallResult::Unknown;
        };
        if let Some(passthrough) = self.macros.passthrough(of, definition) {
            return CallResult::Items(passthrough.cfg_of(tokens));
        }
        match self.macros.expansion(definition, tokens) {
            Some(expanded) => CallResult::Expansion(expanded),
            None => CallResult::Unknown,
        }
    }

    /// Adds the expansion of a call as a source.
    fn expansion(
        &mut self,
        call: DefId,
        of: DefId,
        expanded: Expanded,
        ctx: Ctx,
        folders: Folders,
        site: u32,
    ) -> Option<Frame> {
        if ctx.depth >= MAX_DEPTH || self.expanded >= MAX_EXPANSIONS {
            return None;
        }
        self.expanded += 1;
        let path = self.map.source(self.map.def(call).file).path.clone();
        let dollar_crate = self.map.source(self.map.def(of).file).dollar_crate;
        let dollar_crate =
            if dollar_crate.0 == NONE { self.map.def(of).krate } else { dollar_crate };
        let is_std = self.map.is_std_crate(ctx.krate);
        let file = self.map.add_source(path, expanded.facts, expanded.text, is_std);
        let (real, _) = self.map.site(self.map.def(call).file, 0);
        let tokens = self.map.facts(call).and_then(|it| it.1.body).map_or(0, |it| it.start as u32);
        let source = &mut self.map.sources[file.0 as usize];
        source.call = Some(call);
        source.site = (real, site);
        source.tokens = tokens;
        source.origins = expanded.origins;
        source.dollar_crate = dollar_crate;
        self.map.macros.expansions.entry(real).or_default().push(file);
        self.owners.push(None);
        let ctx = Ctx { depth: ctx.depth + 1, from_macro: true, ..ctx };
        Some(self.frame(file, ctx, folders, Some(site)))
    }

    /// Retries the calls for which no textual macro was found: a path or an import may lead to it.
    /// Returns whether there are new items.
    pub(super) fn pending(&mut self, round: usize) -> bool {
        if round >= MAX_ROUNDS {
            return false;
        }
        let mut is_new = false;
        let all = std::mem::take(&mut self.pending);
        let mut open: SortedSet<DefId> = all.iter().map(|it| it.call).collect();
        for pending in all {
            let Some((_, item, decl)) = self.map.facts(pending.call) else { continue };
            let scope = NameScope {
                at: pending.ctx.scope,
                item: pending.call,
                offset: item.code_span.start as u32,
            };
            let is_global = match decl.shape {
                Shape::MacroCall(path) => {
                    let facts = &self.map.source(self.map.def(pending.call).file).facts;
                    facts.paths.get(path.idx()).is_some_and(|it| it.is_global)
                }
                _ => false,
            };
            let names = self.call_path(pending.call, decl);
            let path = UsedPath::new(&names, is_global, Namespace::Macro);
            let of = match self.map.resolve_path(&mut NoObserver, &scope, path) {
                Resolution::Def(of) if self.map.def(of).kind == ItemKind::Macro => of,
                _ => {
                    self.pending.push(pending);
                    continue;
                }
            };
            open.remove(&pending.call);
            // A call inside a call that emitted no items does not exist either.
            let existence = self.map.def(pending.call).existence;
            if existence == Existence::No {
                continue;
            }
            match self.expand_call(of, pending.call) {
                CallResult::Items(cfg) => {
                    is_new = true;
                    let is_active = cfg.is_none_or(|cfg| self.holds(pending.ctx.krate, &cfg));
                    let existence = existence.max(self.map.def(of).existence);
                    self.set_existence(pending.call, existence, is_active, &open);
                }
                CallResult::Expansion(text) => {
                    is_new = true;
                    self.set_existence(pending.call, Existence::No, true, &open);
                    let ctx = Ctx { existence, ..pending.ctx };
                    let (call, site) = (pending.call, pending.site);
                    if let Some(frame) = self.expansion(call, of, text, ctx, pending.folders, site)
                    {
                        self.textual = pending.textual;
                        self.frames.push(frame);
                        self.run();
                    }
                }
                CallResult::Unknown => {}
            }
        }
        is_new
    }

    /// Sets the existence of the items in a call's tokens, and of all items in the files that they
    /// declare. Items inside calls that are still `open` are left to those calls.
    fn set_existence(
        &mut self,
        call: DefId,
        existence: Existence,
        is_active: bool,
        open: &SortedSet<DefId>,
    ) {
        let file = self.map.def(call).file;
        let mut work: Vec<(FileIdx, usize, usize)> = Vec::new();
        let first = self.map.def(call).item as usize;
        let items = &self.map.source(file).facts.file.items;
        let Some(end) = items.get(first).map(|it| it.span.end) else { return };
        let len = items[first + 1..].iter().take_while(|it| it.span.start < end).count();
        work.push((file, first + 1, first + 1 + len));
        while let Some((file, from, to)) = work.pop() {
            let mut skip = 0;
            for number in from..to {
                let start = self.map.source(file).facts.file.items.get(number);
                let Some((start, end)) = start.map(|it| (it.span.start, it.span.end)) else {
                    break;
                };
                let is_inside = start < skip;
                let id = self.map.def_of(file, number as u32);
                let (variants, count) = self.map.variants_of(id);
                let all = std::iter::once(id).chain((0..count).map(|it| DefId(variants + it)));
                if open.contains(&id) && !is_inside {
                    skip = end;
                }
                for it in all {
                    let def = &mut self.map.defs[it.idx()];
                    def.existence = match existence {
                        Existence::Sure if !is_inside && def.existence == Existence::Maybe => {
                            Existence::Sure
                        }
                        existence => existence.max(def.existence),
                    };
                    def.is_active &= is_active;
                }
                if let Some(content) = self.map.modules.contents.get(&id) {
                    let len = self.map.source(*content).facts.file.items.len();
                    work.push((*content, 0, len));
                }
            }
        }
    }
}
