//! The facts about implemented traits: impl headers, their members, derives.

use base::ItemKind;
use graph::ItemRow;
use syntax::facts::{Shape, TypeRef};

use super::Collector;
use crate::hydrate::analyzer_file::FactKind;
use crate::hydrate::resolved_names::{OfFile, Row, is_function};

impl Collector<'_> {
    /// Adds the impl headers, and the trait functions that their members implement.
    pub(super) fn impls(&mut self, names: &OfFile) {
        let facts = self.facts.clone();
        for (item, decl) in facts.file.items.iter().zip(&facts.decls) {
            let Shape::Impl { self_type, of_trait: Some(of_trait), .. } = &decl.shape else {
                continue;
            };
            let start = item.code_span.start as u32;
            let last = |path: Option<&syntax::facts::Path>| {
                path.and_then(|path| path.segments.last()).map(|segment| segment.offset)
            };
            let of_trait = last(facts.paths.get(of_trait.idx()));
            let Some(of_trait) = of_trait.and_then(|at| self.only(names, at, &[ItemKind::Trait]))
            else {
                continue;
            };
            let Some(trait_id) = self.id_of_row(of_trait) else { continue };
            let mut type_id = *self_type;
            while let Some(TypeRef::Ref(to)) = facts.types.get(type_id.idx()) {
                type_id = *to;
            }
            if let Some(TypeRef::Path(path)) = facts.types.get(type_id.idx())
                && let Some(at) = last(facts.paths.get(path.idx()))
                && let Some(own) =
                    self.only(names, at, &[ItemKind::Struct, ItemKind::Enum, ItemKind::Union])
                && let Some(own) = self.id_of_row(own)
            {
                self.put(start, own, FactKind::Implements, trait_id);
            }
            self.members(start, of_trait);
        }
    }

    fn members(&mut self, start: u32, of_trait: Row) {
        let file = self.file;
        let rows = &file.nodes.rows;
        let is_it = |row: &ItemRow| {
            row.kind == ItemKind::Impl && row.code_start == start && !row.flags.from_macro
        };
        let Some(own) = rows.iter().position(is_it) else { return };
        let Some(theirs) = self.state.files.get(of_trait.0 as usize) else { return };
        for (member, at) in rows.iter().zip(0_u32..) {
            if member.parent != Some(own as u32) || member.kind != ItemKind::Method {
                continue;
            }
            let declared = theirs.nodes.rows.iter().zip(0_u32..).find(|(row, _)| {
                row.parent == Some(of_trait.1) && row.name == member.name && is_function(row.kind)
            });
            if let Some((_, theirs)) = declared
                && let Some(src) = self.id_of_row((self.number as u32, at))
                && let Some(dst) = self.id_of_row((of_trait.0, theirs))
            {
                self.put(member.name_span.0, src, FactKind::Implements, dst);
            }
        }
    }

    /// Adds `#[derive(…)]` of workspace traits.
    pub(super) fn derives(&mut self, names: &OfFile) {
        let file = self.file;
        for (row, at) in file.nodes.rows.iter().zip(0_u32..) {
            use ItemKind::{Enum, Struct, Union};
            if !matches!(row.kind, Struct | Enum | Union) || row.flags.from_macro {
                continue;
            }
            let places: Vec<u32> =
                names.range(row.span.0..row.code_start).map(|(offset, _)| *offset).collect();
            for offset in places {
                let before = file.text.get(row.span.0 as usize..offset as usize);
                let is_derived = before.is_some_and(|before| {
                    before.rfind("derive(").is_some_and(|open| !before[open..].contains(')'))
                });
                let of = is_derived.then(|| self.only(names, offset, &[ItemKind::Trait])).flatten();
                if let Some(of) = of.and_then(|of| self.id_of_row(of))
                    && let Some(src) = self.id_of_row((self.number as u32, at))
                {
                    self.put(row.code_start, src, FactKind::Implements, of);
                }
            }
        }
    }
}
