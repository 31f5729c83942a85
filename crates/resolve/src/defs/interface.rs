//! What other files see of a file: its modules with their own files, and its macros. A patch of the
//! file must not change it.

use base::{ItemKind, SortedMap, SortedSet};
use syntax::facts::Shape;

use super::collect_names::has_main;
use super::table::ImportKind;
use super::{DefId, DefMap, Existence};
use crate::keys::Mix;

/// What other files see of a file, except for the texts of its macros.
#[derive(PartialEq)]
pub(super) struct FileInterface {
    /// The modules that have their own file.
    modules: SortedMap<DefId, ModuleState>,
    /// The order of the modules and macros, if there are such modules.
    macro_order: Vec<DefId>,
    has_main: bool,
}

/// A module with its own file.
#[derive(PartialEq)]
struct ModuleState {
    inner: u32,
    scope: u32,
    is_active: bool,
    existence: Existence,
    from_macro: bool,
    module: DefId,
    cfg: Option<Box<str>>,
    /// It passes macros on.
    macro_use: bool,
}

/// A macro that other files may call.
struct OpenMacro {
    /// Hash of its visibility.
    visibility: u64,
    is_active: bool,
    existence: Existence,
    text: Box<str>,
}

impl FileInterface {
    pub(super) fn has_modules(&self) -> bool {
        !self.modules.is_empty()
    }
}

impl DefMap {
    /// The interface of a file with these definitions and this scope; `None`: it affects the names
    /// of its whole crate.
    pub(super) fn file_interface(&self, ids: &[DefId], at: u32) -> Option<FileInterface> {
        if self.has_extern_crate(ids) {
            return None;
        }
        let modules = self.file_modules(ids);
        let macro_order = if modules.is_empty() { Vec::new() } else { self.macro_order(ids) };
        Some(FileInterface { modules, macro_order, has_main: has_main(self, at) })
    }

    /// The modules of these definitions that have their own file.
    fn file_modules(&self, ids: &[DefId]) -> SortedMap<DefId, ModuleState> {
        let mut found = SortedMap::new();
        for id in ids {
            let Some((_, _, decl)) = self.facts(*id) else { continue };
            let Shape::Module { is_inline: false, macro_use, .. } = decl.shape else { continue };
            let def = self.def(*id);
            let state = ModuleState {
                inner: def.inner,
                scope: def.scope,
                is_active: def.is_active,
                existence: def.existence,
                from_macro: def.from_macro,
                module: def.module,
                cfg: decl.cfg.clone(),
                macro_use,
            };
            found.insert(*id, state);
        }
        found
    }

    /// The order of the macros in textual scope, the calls that define such macros, and the modules
    /// that see them; empty if there are no such macros.
    fn macro_order(&self, ids: &[DefId]) -> Vec<DefId> {
        let is_in_file = self.flags(ids);
        let mut counts: SortedSet<DefId> = SortedSet::new();
        for it in self.macros.textual.iter().filter(|it| !it.is_removed && is_in_file[it.def.idx()])
        {
            counts.insert(it.def);
            let mut at = self.def(it.def).file;
            while let Some(call) = self.source(at).call {
                counts.insert(call);
                at = self.def(call).file;
            }
        }
        let passes_macros_on = |id: &DefId| {
            let shape = self.facts(*id).map(|it| &it.2.shape);
            matches!(shape, Some(Shape::Module { is_inline: false, macro_use: true, .. }))
        };
        if counts.is_empty() && !ids.iter().any(passes_macros_on) {
            return Vec::new();
        }
        let is_module = |id: DefId| {
            let shape = self.facts(id).map(|it| &it.2.shape);
            matches!(shape, Some(Shape::Module { is_inline: false, .. }))
        };
        ids.iter().copied().filter(|id| counts.contains(id) || is_module(*id)).collect()
    }

    fn has_extern_crate(&self, ids: &[DefId]) -> bool {
        let is_in_file = self.flags(ids);
        let mut imports =
            self.imports.leaves.iter().filter(|it| it.kind == ImportKind::ExternCrate);
        imports.any(|it| !it.is_removed && is_in_file[it.def.idx()])
    }

    /// Stable names of the macros that other files may call and whose calls expand differently in
    /// `now`. `None`: the set of these macros, or where they can be called, changed.
    pub(super) fn changed_macros(
        &self,
        old_ids: &[DefId],
        now: &DefMap,
        ids: &[DefId],
        is_closed: bool,
    ) -> Option<Vec<u64>> {
        let before_edit = self.open_macros(old_ids, is_closed);
        let after_edit = now.open_macros(ids, is_closed);
        if before_edit.len() != after_edit.len() {
            return None;
        }
        let mut changed = Vec::new();
        for ((id, old), (new_id, new)) in before_edit.iter().zip(&after_edit) {
            let callers = |it: &OpenMacro| (it.visibility, it.is_active, it.existence);
            if id != new_id || callers(old) != callers(new) {
                return None;
            }
            if old.text != new.text {
                let passed_on = syntax::passthrough(&old.text);
                if passed_on.is_none() || passed_on != syntax::passthrough(&new.text) {
                    changed.push(self.def(*id).ident);
                }
            }
        }
        Some(changed)
    }

    /// The macros that other files may call; for a closed file only those outside textual scope.
    fn open_macros(&self, ids: &[DefId], is_closed: bool) -> SortedMap<DefId, OpenMacro> {
        let of = |id: &DefId| {
            let def = self.def(*id);
            let scope = self.scopes.get(self.def(*id).scope as usize)?;
            if def.kind != ItemKind::Macro || def.existence == Existence::No || scope.is_block {
                return None;
            }
            let (_, item, decl) = self.facts(*id)?;
            let text = self.source(def.file).text.get(item.code_span.start..item.code_span.end);
            let is_exported = matches!(decl.shape, Shape::MacroDef { is_exported: true });
            if is_closed && !is_exported && item.visibility.is_empty() {
                return None;
            }
            let visibility = Mix::new(u64::from(is_exported)).text(&item.visibility).finish();
            let open = OpenMacro {
                visibility,
                is_active: def.is_active,
                existence: def.existence,
                text: text?.into(),
            };
            Some((*id, open))
        };
        ids.iter().filter_map(of).collect()
    }
}
