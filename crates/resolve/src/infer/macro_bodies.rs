//! Edges from a macro to what its body names. A path that begins with `$crate` has one meaning at each
//! call; any other name is resolved where the macro is defined, which a call may not share.

use base::{EdgeKind, ItemKind};
use syntax::{MacroName, MacroNameRole};

use super::Infer;
use super::lower::Cx;
use crate::defs::sym;
use crate::{DefId, Namespace, Resolution, Rule, Symbol};

impl Infer<'_> {
    /// Adds the edges of a macro's definition.
    pub(super) fn macro_body_edges(&mut self, cx: &Cx, def: DefId) {
        let Some((_, item, _)) = self.map.facts(def) else { return };
        let start = item.code_span.start;
        let text = &self.map.source(self.map.def(def).file).text;
        let Some(definition) = text.get(start..item.code_span.end) else { return };
        for name in syntax::macro_names(definition) {
            let offset = (start + name.offset) as u32;
            match name.role {
                MacroNameRole::Method => self.method_in_macro(&name, offset),
                _ => self.path_in_macro(cx, &name, offset),
            }
        }
    }

    /// The methods of this name, if they are few.
    fn method_in_macro(&mut self, name: &MacroName, offset: u32) {
        let name = name.segments.first().and_then(|it| self.map.symbol(it));
        let guesses = name.and_then(|name| self.guesses_of(name));
        for def in guesses.iter().flat_map(|it| it.iter()) {
            self.push_edge_as(EdgeKind::Calls, *def, Rule::NameOnly, offset, false);
        }
    }

    fn path_in_macro(&mut self, cx: &Cx, name: &MacroName, offset: u32) {
        let names: Option<Vec<Symbol>> =
            name.segments.iter().map(|it| self.map.symbol(it)).collect();
        let Some(mut names) = names else { return };
        let is_sure = names.first() == Some(&sym::DOLLAR_CRATE);
        let mut scope = cx.scope;
        if is_sure && let Some(first) = names.first_mut() {
            *first = sym::CRATE;
            let Some(root) = self.map.dollar_crate_root(cx.item) else { return };
            scope = self.map.scope_of(root);
        }
        let spaces: &[Namespace] = match name.role {
            MacroNameRole::MacroCall => &[Namespace::Macro],
            MacroNameRole::Call => &[Namespace::Value],
            _ => &[Namespace::Value, Namespace::Type],
        };
        for space in spaces {
            let found = self.map.resolve(&mut self.deps, &scope, &names, false, *space);
            let def = match found {
                Resolution::Def(def) => def,
                Resolution::Partial(def, used) => {
                    self.member_in_macro(def, &names, used, offset);
                    continue;
                }
                _ => continue,
            };
            let kind = match (self.map.def(def).kind, name.role) {
                (ItemKind::Function | ItemKind::Method, MacroNameRole::Call)
                | (ItemKind::Macro, MacroNameRole::MacroCall) => EdgeKind::Calls,
                (ItemKind::Module | ItemKind::Crate | ItemKind::Impl, _) => continue,
                _ => EdgeKind::Uses,
            };
            let to = match self.map.def(def).kind {
                ItemKind::Variant => self.map.def(def).parent.unwrap_or(def),
                _ => def,
            };
            self.push_edge_as(kind, to, Rule::MacroBody, offset, is_sure);
        }
    }

    /// `Type::member`: the type, and the members of this name as guesses.
    fn member_in_macro(&mut self, of: DefId, names: &[Symbol], used: usize, offset: u32) {
        if !matches!(self.map.def(of).kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Union) {
            return;
        }
        self.push_edge_as(EdgeKind::Uses, of, Rule::MacroBody, offset, false);
        let [member] = names.get(used..).unwrap_or_default() else { return };
        let guesses = self.guesses_of(*member);
        for def in guesses.iter().flat_map(|it| it.iter()) {
            self.push_edge_as(EdgeKind::Calls, *def, Rule::NameOnly, offset, false);
        }
    }
}
