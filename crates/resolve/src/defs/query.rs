//! The public queries of a [`DefMap`]: definitions, sources, expansions, positions. Name lookup is
//! in `lookup.rs`.

use base::ItemKind;
use syntax::Item;
use syntax::facts::{Decl, ExprId, FileFacts, Name};

use super::lookup::{UsedPath, member_spaces};
use super::lookup_key::LookupKind;
use super::table::{NONE, Target, space};
use super::{
    Def, DefId, DefMap, DefSource, ModuleProblem, NameScope, Namespace, Resolution, Symbol,
    TypeHead,
};
use crate::{CrateIdx, Deps, FileIdx};

impl DefMap {
    /// The number of definitions; their indices are dense. Definitions that no lookup returns (in
    /// macro tokens that are not items) are counted too.
    pub fn len(&self) -> usize {
        self.defs.len()
    }

    /// Whether there are no definitions.
    pub fn is_empty(&self) -> bool {
        self.defs.is_empty()
    }

    /// All definitions, by index.
    pub fn ids(&self) -> impl Iterator<Item = DefId> + use<> {
        (0..self.defs.len() as u32).map(DefId)
    }

    /// A definition.
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.idx()]
    }

    /// The facts of its item; `None` for roots. For a variant: those of its enum.
    pub fn facts(&self, id: DefId) -> Option<(&FileFacts, &Item, &Decl)> {
        let def = self.def(id);
        let facts = self.source(def.file).facts.as_ref();
        let idx = def.item as usize;
        Some((facts, facts.file.items.get(idx)?, facts.decls.get(idx)?))
    }

    /// A source, by [`Def::file`]. The first ones are the files of the workspace, in its order.
    pub fn source(&self, file: FileIdx) -> &DefSource {
        &self.sources[file.0 as usize]
    }

    /// The definition of an item of a file.
    pub fn def_of(&self, file: FileIdx, item: u32) -> DefId {
        let source = self.source(file);
        match source.ids.get(item as usize) {
            Some(id) => *id,
            None => DefId(source.base + item),
        }
    }

    /// The definition of a variant of an enum.
    pub fn variant_of(&self, of: DefId, variant: u32) -> Option<DefId> {
        let (first, count) = self.variants_of(of);
        (variant < count).then_some(DefId(first + variant))
    }

    /// The first variant of an enum and the number of variants; zeros for other items.
    pub(crate) fn variants_of(&self, of: DefId) -> (u32, u32) {
        let is_enum = self.def(of).variant.is_none();
        match self.facts(of).map(|it| &it.2.shape) {
            Some(syntax::facts::Shape::Enum(all)) if is_enum && self.def(of).inner != NONE => {
                (self.def(of).inner, all.len() as u32)
            }
            _ => (0, 0),
        }
    }

    /// The expansions of a file's macro calls at item level. Their bodies are resolved with the
    /// file, and every offset in them maps to the call (see [`DefMap::site`]).
    pub fn expansions(&self, file: FileIdx) -> &[FileIdx] {
        self.macros.expansions.get(&file).map_or(&[], Vec::as_slice)
    }

    /// Maps an offset of any source to a workspace file: unchanged for a file; for an expansion the
    /// offset in the call from which its token was copied, else the offset of the call.
    pub fn site(&self, file: FileIdx, offset: u32) -> (FileIdx, u32) {
        let (mut file, mut offset) = (file, offset);
        // Terminates: a call is in a source that was added earlier.
        while let Some(call) = self.source(file).call {
            let source = self.source(file);
            let after = source.origins.partition_point(|it| it.start <= offset);
            let origin = after.checked_sub(1).and_then(|it| source.origins.get(it));
            match origin {
                Some(it)
                    if it.source == syntax::TokenSource::Call && offset - it.start < it.len =>
                {
                    offset = source.tokens + it.offset + (offset - it.start);
                    file = self.def(call).file;
                }
                _ => return source.site,
            }
        }
        (file, offset)
    }

    /// The module whose content a file is: a `mod x;`, a crate, or the root of an orphan file.
    pub fn module_of_file(&self, file: FileIdx) -> Option<DefId> {
        self.modules.file_roots.get(file.0 as usize).copied().flatten()
    }

    /// The errors of the module tree, sorted by file and offset.
    pub fn problems(&self) -> &[ModuleProblem] {
        &self.modules.problems
    }

    /// Whether it comes from the standard library's declarations and is thus external.
    pub fn is_std(&self, id: DefId) -> bool {
        self.is_std_crate(self.def(id).krate)
    }

    pub(crate) fn is_std_crate(&self, krate: CrateIdx) -> bool {
        krate == self.std
    }

    pub(crate) fn std_root(&self) -> Option<DefId> {
        self.crate_root(self.std)
    }

    /// The root of the crate that `$crate` means in the definition of a macro.
    pub(crate) fn dollar_crate_root(&self, of: DefId) -> Option<DefId> {
        let def = self.def(of);
        let krate = self.source(def.file).dollar_crate;
        self.crate_root(if krate.0 == NONE { def.krate } else { krate })
    }

    /// The root of a crate of the workspace.
    pub fn crate_root(&self, krate: CrateIdx) -> Option<DefId> {
        self.crates.get(krate.0 as usize)?.root
    }

    /// Resolves a path below `std` in the standard library's declarations: `ops::Add`.
    pub fn std_item(&self, path: &str, ns: Namespace) -> Option<DefId> {
        let root = self.std_root()?;
        let at = self.def(root).inner;
        let mut segments = Vec::new();
        for part in path.split("::") {
            segments.push(self.symbols.get(part)?);
        }
        segments.insert(0, super::symbols::sym::CRATE);
        let scope = NameScope { at, item: root, offset: u32::MAX };
        match self.resolve(&mut Deps::new(), &scope, &segments, false, ns) {
            Resolution::Def(def) => Some(def),
            _ => None,
        }
    }

    /// Path of the file that contains a module's content (or its declaration).
    pub(super) fn file_of_scope(&self, module: DefId) -> &str {
        let file = self.modules.contents.get(&module).copied().unwrap_or(self.def(module).file);
        self.source(file).path.as_str()
    }

    /// The symbol of a text that occurs in the map.
    pub(crate) fn symbol(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text)
    }

    /// A symbol's text.
    pub fn name_of(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// The symbol of a name of a file.
    pub fn file_symbol(&self, file: FileIdx, name: Name) -> Symbol {
        self.symbols.of_sources[self.source(file).names as usize + name.idx()]
    }

    /// The scope inside a definition: a module's items; otherwise the containing scope with the
    /// definition's own generics, and for an item with a body the local items that are in no inner
    /// block (`DefMap::block_scope` covers those).
    pub fn scope_of(&self, id: DefId) -> NameScope {
        let def = self.def(id);
        let inner = self.def(id).inner;
        let at = match def.kind {
            ItemKind::Enum | ItemKind::Variant => self.def(id).scope,
            _ if inner != NONE => inner,
            _ => self.def(id).scope,
        };
        NameScope { at, item: id, offset: u32::MAX }
    }

    /// The scope of a block of a body that contains items; `None` if it contains none and the
    /// enclosing scope applies. `outer` is the enclosing scope.
    pub(crate) fn block_scope(
        &self,
        outer: NameScope,
        file: FileIdx,
        body: u32,
        block: ExprId,
    ) -> Option<NameScope> {
        let at = *self.block_scopes.get(&(file, body, block.0))?;
        Some(NameScope { at, ..outer })
    }

    /// Resolves a path by the rules of the language: imports, globs, preludes, enum variants,
    /// re-exports, renames, `crate`, `self`, `super`, `$crate`, `Self`. Visible items are preferred
    /// to invisible ones, and globs import only visible items.
    pub fn resolve(
        &self,
        deps: &mut Deps,
        scope: &NameScope,
        segments: &[Symbol],
        is_global: bool,
        ns: Namespace,
    ) -> Resolution {
        self.resolve_path(deps, scope, UsedPath::new(segments, is_global, ns))
    }

    /// The inherent impls whose self type has this head; aliases are followed.
    pub(crate) fn inherent_impls(&self, deps: &mut Deps, head: TypeHead) -> &[DefId] {
        deps.note(self.key(LookupKind::Inherent(self.head_ident(head))));
        self.impls.inherent.get(head)
    }

    /// The impls of a trait.
    pub(crate) fn impls_of_trait(&self, deps: &mut Deps, of: DefId) -> &[DefId] {
        deps.note(self.key(LookupKind::ImplsOf(self.def(of).ident)));
        self.impls.by_trait.get(of)
    }

    /// The trait impls whose self type has this head; aliases are followed. Blanket impls have
    /// [`TypeHead::Param`]; impls whose type is unknown have [`TypeHead::Unknown`].
    pub(crate) fn trait_impls(&self, deps: &mut Deps, head: TypeHead) -> &[DefId] {
        deps.note(self.key(LookupKind::TraitImpls(self.head_ident(head))));
        self.impls.by_head.get(head)
    }

    /// The impls of a trait whose self type has this head, among those whose trait is unambiguous.
    /// The lookup depends on nothing else, so impls for other types do not invalidate it.
    pub(crate) fn impls_for(&self, deps: &mut Deps, of: DefId, head: TypeHead) -> &[DefId] {
        deps.note(self.key(LookupKind::ImplsFor(self.def(of).ident, self.head_ident(head))));
        self.impls.by_trait_and_head.get((of, head))
    }

    /// The trait of an impl; `None`: inherent, or unknown.
    pub(crate) fn trait_of(&self, deps: &mut Deps, of: DefId) -> Option<DefId> {
        if !self.is_std(of) {
            deps.note(self.key(LookupKind::ImplHead(self.def(of).ident)));
        }
        match self.impls.traits.get(of) {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// The head of an impl's self type.
    pub(crate) fn self_head(&self, deps: &mut Deps, of: DefId) -> TypeHead {
        if !self.is_std(of) {
            deps.note(self.key(LookupKind::ImplHead(self.def(of).ident)));
        }
        let start = self.impls.heads.partition_point(|it| it.0 < of);
        match self.impls.heads.get(start..).unwrap_or_default() {
            [(def, head), rest @ ..] if *def == of && rest.first().is_none_or(|it| it.0 != of) => {
                *head
            }
            _ => TypeHead::Unknown,
        }
    }

    /// The member of an impl, trait or enum (its variants) with this name; of cfg alternatives the
    /// active one, `None` if it is ambiguous.
    pub(crate) fn member(
        &self,
        deps: &mut Deps,
        container: DefId,
        name: Symbol,
        ns: Namespace,
    ) -> Option<DefId> {
        match self.members_named(container, name) {
            // Fast path: most containers do not have the name.
            cached @ ([] | [_]) => {
                self.record_member(deps, container, name);
                cached
                    .first()
                    .copied()
                    .filter(|it| member_spaces(self.def(*it).kind) & space(ns) != 0)
            }
            _ => match self.pick_members(deps, container, name, ns).as_slice() {
                [Target::Def(def)] => Some(*def),
                _ => None,
            },
        }
    }

    /// All members with this name, including cfg alternatives.
    pub(crate) fn members_named(&self, container: DefId, name: Symbol) -> &[DefId] {
        self.members.named.get((container, name))
    }

    /// The members of an impl or trait, or the variants of an enum, sorted by index.
    pub fn members(&self, deps: &mut Deps, container: DefId) -> &[DefId] {
        if !self.is_std(container) {
            deps.note(self.key(LookupKind::Members(self.def(container).ident)));
        }
        self.members.children.get(container)
    }

    /// Records that a result depends on a definition's declaration (signature, fields, generics,
    /// where clauses, derives; for a macro all of it), not only on its existence.
    pub(crate) fn signature(&self, deps: &mut Deps, id: DefId) {
        let def = self.def(id);
        if self.is_std(id) {
            return;
        }
        deps.note(self.key(LookupKind::Signature(self.def(id).ident)));
        // A variant is declared by its enum; a member may use what its impl or trait declares.
        if let Some(parent) = def.parent
            && matches!(self.def(parent).kind, ItemKind::Enum | ItemKind::Impl | ItemKind::Trait)
        {
            deps.note(self.key(LookupKind::Signature(self.def(parent).ident)));
        }
    }

    /// Records that a result depends on a file's module and crate (every [`DefMap::resolve`] inside
    /// the file records that too), on which of its items exist, and on the expansions of its macro
    /// calls.
    pub(crate) fn note_file(&self, deps: &mut Deps, file: FileIdx) {
        let path = self.source(file).path.as_str();
        deps.note(crate::Key(super::lookup_key::file_key(path)));
        deps.note(crate::Key(super::lookup_key::content_key(path)));
    }

    /// An external path as text.
    pub(super) fn external_path(&self, number: u32) -> String {
        let mut names = Vec::new();
        let mut at = number;
        while let Some((before, name)) = self.imports.externals.get(at as usize) {
            names.push(self.name_of(*name));
            at = *before;
        }
        names.reverse();
        names.join("::")
    }

    /// A hash of all facts: maps with equal hashes return equal results.
    #[cfg(test)]
    pub(crate) fn fingerprint(&self) -> u64 {
        let pairs = self.find_digests();
        pairs
            .iter()
            .fold(crate::keys::Mix::new(0), |mix, (key, of)| mix.with(*key).with(*of))
            .finish()
    }
}
