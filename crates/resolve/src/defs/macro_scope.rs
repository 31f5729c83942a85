//! The macros that a name means without an import: those above it in the text, and the preludes'.

use base::ItemKind;

use super::lookup::Observer;
use super::lookup_key::LookupKind;
use super::table::{NONE, Target};
use super::{DefId, DefMap, Existence, NameScope, Namespace, Symbol};
use crate::CrateIdx;

impl DefMap {
    /// The offset of a scope's item in its module's file.
    fn offset_in_file(&self, scope: &NameScope) -> u32 {
        let def = self.def(scope.item);
        if scope.offset != u32::MAX {
            return self.site(def.file, scope.offset).1;
        }
        match self.facts(scope.item) {
            Some((_, item, _)) if def.kind != ItemKind::Module => {
                self.site(def.file, item.code_span.start as u32).1
            }
            _ => u32::MAX,
        }
    }

    /// The last `macro_rules!` of a block before the offset.
    pub(super) fn block_macro(
        &self,
        observer: &mut impl Observer,
        at: u32,
        name: Symbol,
        scope: &NameScope,
        from: u32,
    ) -> Vec<Target> {
        let start = |target: &Target| match target {
            Target::Def(def) => self.facts(*def).map_or(0, |(_, item, _)| item.span.start as u32),
            _ => 0,
        };
        let offset_in_file =
            if scope.offset == u32::MAX { u32::MAX } else { self.offset_in_file(scope) };
        let found = self.lookup(observer, at, name, Namespace::Macro, from);
        let before = found.iter().filter(|it| start(it) < offset_in_file);
        before.max_by_key(|it| start(it)).copied().into_iter().collect()
    }

    /// The `macro_rules!` that is in textual scope.
    pub(super) fn textual_macro(
        &self,
        observer: &mut impl Observer,
        module: u32,
        name: Symbol,
        scope: &NameScope,
    ) -> Option<Target> {
        let data = &self.scopes[module as usize];
        if !self.is_std_crate(data.krate) {
            observer.ask(self.key(LookupKind::Textual(data.ident, name)));
        }
        let offset_in_file = self.offset_in_file(scope);
        let at =
            data.macros.partition_point(|(offset, _)| *offset <= offset_in_file).checked_sub(1)?;
        self.textual_at(data.macros.get(at)?.1, name).map(Target::Def)
    }

    /// The latest textual macro of a name, an active one before a cfg-disabled one.
    pub(crate) fn textual_at(&self, mut at: u32, name: Symbol) -> Option<DefId> {
        let mut inactive = None;
        while let Some(it) = self.macros.textual.get(at as usize) {
            if it.name == name && self.def(it.def).existence != Existence::No {
                if self.def(it.def).is_active {
                    return Some(it.def);
                }
                inactive = inactive.or(Some(it.def));
            }
            at = it.above;
        }
        inactive
    }

    /// Macros that need no import: those of `#[macro_use] extern crate`, and the standard
    /// library's.
    pub(super) fn macro_prelude(
        &self,
        observer: &mut impl Observer,
        krate: CrateIdx,
        name: Symbol,
    ) -> Vec<Target> {
        let Some(it) = self.crates.get(krate.0 as usize) else { return Vec::new() };
        if !self.is_std_crate(krate) {
            observer.ask(self.key(LookupKind::MacroUse(it.ident)));
        }
        let mut roots = Vec::new();
        for number in &it.macro_use {
            observer.import(*number);
            let Some(import) = self.imports.leaves.get(*number as usize) else { continue };
            roots.extend(import.results.iter().filter_map(|(target, _)| match target {
                Target::Def(def) => Some(*def),
                _ => None,
            }));
        }
        roots.extend(self.std_root());
        for root in roots {
            let scope = self.def(root).inner;
            if self.scopes.get(scope as usize).is_none() {
                continue;
            }
            let found = self.lookup(observer, scope, name, Namespace::Macro, NONE);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }
}
