//! The part of the walk that fills in definitions: their kinds and stable identities.

use base::ItemKind;
use syntax::facts::{Decl, Shape};
use syntax::{Item, NodeKind};

use super::collect::{Collector, Ctx};
use super::{Def, DefId, Symbol};
use crate::FileIdx;
use crate::keys::Mix;

impl Collector<'_> {
    pub(super) fn kind(&self, item: &Item, decl: &Decl, ctx: Ctx) -> ItemKind {
        match item.kind {
            NodeKind::Function | NodeKind::Method if ctx.is_member => ItemKind::Method,
            NodeKind::Function | NodeKind::Method => ItemKind::Function,
            NodeKind::Const => ItemKind::Const,
            NodeKind::Enum => ItemKind::Enum,
            NodeKind::Impl => ItemKind::Impl,
            NodeKind::Import => ItemKind::Import,
            NodeKind::Macro => match decl.shape {
                Shape::MacroCall(_) => ItemKind::MacroCall,
                Shape::MacroDef { .. } => ItemKind::Macro,
                _ if item.name_span.is_some() && decl.name.is_some() => ItemKind::Macro,
                _ => ItemKind::MacroCall,
            },
            NodeKind::Module => ItemKind::Module,
            NodeKind::Static => ItemKind::Static,
            NodeKind::Struct => ItemKind::Struct,
            NodeKind::Trait => ItemKind::Trait,
            NodeKind::TypeAlias => ItemKind::TypeAlias,
            NodeKind::Union => ItemKind::Union,
        }
    }

    /// Fills in a definition.
    pub(super) fn define(
        &mut self,
        id: DefId,
        kind: ItemKind,
        name: Option<Symbol>,
        item: &Item,
        ctx: Ctx,
    ) {
        let idx = id.idx();
        let map = &mut self.map;
        let def = &mut map.defs[idx];
        *def = Def {
            kind,
            krate: ctx.krate,
            module: ctx.module,
            parent: ctx.parent,
            name,
            is_active: ctx.is_active,
            existence: ctx.existence,
            from_macro: ctx.from_macro,
            ..*def
        };
        map.defs[idx].scope = ctx.scope;
        let part = match (kind, name) {
            (ItemKind::Macro, Some(name)) => Mix::new(map.symbols.hash(name)).with(1).finish(),
            (ItemKind::Impl, _) => Mix::new(2).text(&item.name).finish(),
            (ItemKind::Import | ItemKind::MacroCall, _) => Mix::new(3).text(&item.name).finish(),
            (_, Some(name)) => map.symbols.hash(name),
            (_, None) => 4,
        };
        self.identify(id, Mix::new(ctx.canon).with(part).finish());
    }

    /// Sets the hashes of a definition; definitions with equal identity get ordinals in the order
    /// of the walk.
    pub(super) fn identify(&mut self, id: DefId, canon: u64) {
        let idx = id.idx();
        let ident = Mix::new(canon).with(self.map.defs[idx].kind as u64).finish();
        let ordinal = self.ordinals.entry(ident).or_insert(0);
        let ident_of = |ordinal: u32| match ordinal {
            0 => ident,
            _ => Mix::new(ident).with(u64::from(ordinal)).finish(),
        };
        // In a patch, definitions in other files keep their ordinals.
        while self.map.patching.by_ident.contains_key(&ident_of(*ordinal)) {
            *ordinal += 1;
        }
        self.map.defs[idx].canon_hash = canon;
        self.map.defs[idx].ident = ident_of(*ordinal);
        *ordinal += 1;
    }

    pub(super) fn variants(&mut self, source: FileIdx, id: DefId, decl: &Decl, ctx: Ctx) {
        let Shape::Enum(variants) = &decl.shape else { return };
        let first = self.map.def(id).inner;
        for (number, variant) in variants.iter().enumerate() {
            let it = DefId(first + number as u32);
            let name = self.map.file_symbol(source, variant.name);
            let def = &mut self.map.defs[it.idx()];
            *def = Def {
                krate: ctx.krate,
                module: ctx.module,
                parent: Some(id),
                name: Some(name),
                is_active: ctx.is_active,
                existence: ctx.existence,
                from_macro: ctx.from_macro,
                ..*def
            };
            self.map.defs[it.idx()].scope = ctx.scope;
            let hash = self.map.symbols.hash(name);
            self.identify(it, Mix::new(ctx.canon).with(hash).finish());
        }
    }
}
