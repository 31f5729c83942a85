//! Macro calls at item level: what they are, and what becomes of their tokens.

use syntax::Item;
use syntax::facts::{Decl, Shape};

use super::collect::{Collector, Ctx, Frame, Pending};
use super::lookup::Observer;
use super::table::NONE;
use super::{DefId, DefKind, Existence, Namespace, Resolution, Scope, Symbol};
use crate::FileIdx;
use crate::deps::Key;

/// How deep macros may make macro calls.
const DEEPEST: u8 = 32;

/// How many expansions there may be, so that a small text cannot become a large map.
const MOST_EXPANSIONS: usize = 50_000;

/// How often calls that a path leads to the macro of are looked at again.
const MOST_ROUNDS: usize = 4;

/// What a macro makes of the tokens of a call.
enum Becomes {
    /// It passes items on, under this cfg.
    Items(Option<String>),
    /// This text.
    Text(String),
    /// Something else, or nothing.
    Nothing,
}

struct Nobody;

impl Observer for Nobody {
    fn ask(&mut self, _key: Key) {}

    fn import(&mut self, _number: u32) {}

    fn hidden(&self) -> u32 {
        NONE
    }
}

impl Collector<'_> {
    /// A macro call: `inner` is what the items in its tokens inherit.
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
        let scope = Scope { at: inner.scope, item: id, offset: item.code_span.start as u32 };
        // The module's textual macros up to here are not in its table yet.
        let found = match self.call_path(id, decl).as_slice() {
            [name] => self.local_macro(&scope, *name).or_else(|| self.map.textual_at(self.textual, *name)),
            _ => None,
        };
        let Some(of) = found else {
            inner.existence = inner.existence.max(Existence::Maybe);
            self.pending.push(Pending {
                call: id,
                ctx: *inner,
                folders: frame.folders.clone(),
                site,
                textual: self.textual,
            });
            return;
        };
        match self.becomes(of, id) {
            Becomes::Items(cfg) => {
                if let Some(cfg) = cfg {
                    let krate = self.map.def(of).krate;
                    inner.is_active &= self.holds(krate, &cfg);
                }
                inner.existence = inner.existence.max(self.map.def(of).existence);
            }
            Becomes::Text(text) => {
                if let Some(frame) = self.expansion(id, of, text, *inner, frame.folders.clone(), site) {
                    self.frames.push(frame);
                }
                inner.existence = Existence::No;
            }
            Becomes::Nothing => inner.existence = Existence::No,
        }
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

    /// A `macro_rules!` of a block around.
    fn local_macro(&self, scope: &Scope, name: Symbol) -> Option<DefId> {
        let mut at = scope.at;
        while let Some(it) = self.map.scopes.get(at as usize).filter(|it| it.is_block) {
            let found = self.map.names.get(at, name).find_map(|it| match it.what {
                super::table::What::Item(def) if self.map.def(def).kind == DefKind::Macro => {
                    Some(def)
                }
                _ => None,
            });
            if found.is_some() {
                return found;
            }
            at = it.parent;
        }
        None
    }

    /// What becomes of the tokens of a call.
    fn becomes(&self, of: DefId, call: DefId) -> Becomes {
        let (Some((_, of_item, _)), Some((_, item, _))) = (self.map.facts(of), self.map.facts(call))
        else {
            return Becomes::Nothing;
        };
        let definition = self.map.source(self.map.def(of).file).text.get(of_item.code_span.start..of_item.code_span.end);
        let tokens = item
            .body
            .and_then(|body| self.map.source(self.map.def(call).file).text.get(body.start..body.end));
        let (Some(definition), Some(tokens)) = (definition, tokens) else {
            return Becomes::Nothing;
        };
        let _ = (definition, tokens);
        Becomes::Nothing
    }

    /// The expansion of a call as a text of its own.
    fn expansion(
        &mut self,
        call: DefId,
        of: DefId,
        text: String,
        ctx: Ctx,
        folders: super::modules::Folders,
        site: u32,
    ) -> Option<Frame> {
        if ctx.depth >= DEEPEST || self.expanded >= MOST_EXPANSIONS {
            return None;
        }
        self.expanded += 1;
        let facts = syntax::read(&text);
        let path = self.map.source(self.map.def(call).file).path.clone();
        let home = self.map.source(self.map.def(of).file).home;
        let home = if home.0 == NONE { self.map.def(of).krate } else { home };
        let is_std = self.map.is_std_crate(ctx.krate);
        let file = self.map.add_source(path, facts.into(), text.into(), is_std);
        let (real, _) = self.map.site(self.map.def(call).file, 0);
        let source = &mut self.map.sources[file.0 as usize];
        source.call = Some(call);
        source.site = (real, site);
        source.home = home;
        self.map.expansions.entry(real).or_default().push(file);
        self.owners.push(None);
        let ctx = Ctx { depth: ctx.depth + 1, from_macro: true, ..ctx };
        Some(self.frame(file, ctx, folders, Some(site)))
    }

    /// Looks at the calls that no textual macro was found for: a path or an import may lead to
    /// it. Answers whether there is anything new.
    pub(super) fn pending(&mut self, round: usize) -> bool {
        if round >= MOST_ROUNDS {
            return false;
        }
        let mut is_new = false;
        for pending in std::mem::take(&mut self.pending) {
            let Some((_, item, decl)) = self.map.facts(pending.call) else { continue };
            let scope = Scope {
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
            let walk =
                self.map.walk(&mut Nobody, &scope, &names, is_global, Namespace::Macro, false);
            let of = match self.map.resolution(walk, &names) {
                Resolution::Def(of) if self.map.def(of).kind == DefKind::Macro => of,
                _ => {
                    self.pending.push(pending);
                    continue;
                }
            };
            is_new = true;
            match self.becomes(of, pending.call) {
                Becomes::Items(cfg) => {
                    let krate = self.map.def(of).krate;
                    let is_active = cfg.is_none_or(|cfg| self.holds(krate, &cfg));
                    let existence = self.map.def(of).existence;
                    self.settle(pending.call, existence, is_active);
                }
                Becomes::Text(text) => {
                    self.settle(pending.call, Existence::No, true);
                    let existence = self.map.def(pending.call).existence;
                    let ctx = Ctx { existence, ..pending.ctx };
                    let (call, site) = (pending.call, pending.site);
                    if let Some(frame) = self.expansion(call, of, text, ctx, pending.folders, site) {
                        self.textual = pending.textual;
                        self.frames.push(frame);
                        self.run();
                    }
                }
                Becomes::Nothing => self.settle(pending.call, Existence::No, true),
            }
        }
        is_new
    }

    /// Says of the items in a call's tokens, and of all that stands in the files that they lead
    /// to, whether they exist.
    fn settle(&mut self, call: DefId, existence: Existence, is_active: bool) {
        let file = self.map.def(call).file;
        let mut work: Vec<(FileIdx, usize, usize)> = Vec::new();
        let first = self.map.def(call).item as usize;
        let items = &self.map.source(file).facts.file.items;
        let Some(end) = items.get(first).map(|it| it.span.end) else { return };
        let len = items[first + 1..].iter().take_while(|it| it.span.start < end).count();
        work.push((file, first + 1, first + 1 + len));
        while let Some((file, from, to)) = work.pop() {
            for number in from..to {
                let id = self.map.def_of(file, number as u32);
                let (variants, count) = self.map.variants_of(id);
                let all = std::iter::once(id).chain((0..count).map(|it| DefId(variants + it)));
                for it in all {
                    let def = &mut self.map.defs[it.idx()];
                    // What a second macro around leaves open stays open.
                    def.existence = match existence {
                        Existence::Sure if def.existence == Existence::Maybe => Existence::Sure,
                        existence => existence.max(def.existence),
                    };
                    def.is_active &= is_active;
                }
                if let Some(content) = self.map.contents.get(&id) {
                    let len = self.map.source(*content).facts.file.items.len();
                    work.push((*content, 0, len));
                }
            }
        }
    }
}
