//! Resolves names and paths in scopes. Start at [`DefMap::walk`].

use super::digest::{self, LookupKind};
use super::hits::select;
use super::lookup_cache::NameLookup;
use super::symbols::{Symbols, sym};
use super::table::{ALL_SPACES, ImportKind, NONE, Spaces, Target, space};
use super::{DefId, DefKind, DefMap, Existence, Namespace, Resolution, Scope, Symbol};
use crate::deps::Key;
use crate::{CrateIdx, Deps};

/// Receives the dependencies of a lookup: a file's [`Deps`], or the recorder of the import that is
/// being resolved.
pub(crate) trait Observer {
    /// A lookup was made.
    fn ask(&mut self, key: Key);
    /// The result depends on the results of an import.
    fn import(&mut self, number: u32);
    /// The import that is being resolved, which must be ignored, or [`NONE`].
    fn hidden(&self) -> u32;
    /// The cached result of an earlier lookup by the same observer.
    fn known(&self, _look: NameLookup) -> Option<Vec<Target>> {
        None
    }
    /// Stores the result of a lookup.
    fn learn(&mut self, _look: NameLookup, _found: &[Target]) {}
}

impl Observer for Deps {
    fn ask(&mut self, key: Key) {
        self.note(key);
    }

    fn import(&mut self, _number: u32) {}

    fn hidden(&self) -> u32 {
        NONE
    }

    fn known(&self, look: NameLookup) -> Option<Vec<Target>> {
        self.lookup_cache.get(look)
    }

    fn learn(&mut self, look: NameLookup, found: &[Target]) {
        self.lookup_cache.learn(look, found);
    }
}

/// What a path led to, or where it stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// All segments are used: these targets, sorted. Empty: no such name.
    Found(Vec<Target>),
    /// External after this many segments: index in `externals`.
    External(u32, usize),
    /// An item missing from the standard library's declarations, after this many segments.
    Std(DefId, usize),
    /// Resolved without a scope table.
    Special(Resolution),
}

/// The maximum depth of globs through globs.
pub(super) const MAX_GLOBS: usize = 256;

impl DefMap {
    /// Looks a name up in one scope by the rules of the language.
    fn lookup(
        &self,
        observer: &mut impl Observer,
        scope: u32,
        name: Symbol,
        ns: Namespace,
        from: u32,
    ) -> Vec<Target> {
        let look = NameLookup { scope, name, ns, from };
        if let Some(known) = observer.known(look) {
            return known;
        }
        let found = select(self.hits(observer, scope, name, ns, from));
        observer.learn(look, &found);
        found
    }

    /// The members of an enum or trait with a name; cfg alternatives are reduced.
    pub(crate) fn pick_members(
        &self,
        observer: &mut impl Observer,
        of: DefId,
        name: Symbol,
        ns: Namespace,
    ) -> Vec<Target> {
        let mut hits = Vec::new();
        self.member_hits(observer, of, name, ns, &mut hits);
        select(hits)
    }

    /// Follows a path. `in_import`: its first segment is resolved like the first segment of a
    /// `use`.
    pub(crate) fn walk(
        &self,
        observer: &mut impl Observer,
        scope: &Scope,
        segments: &[Symbol],
        is_global: bool,
        ns: Namespace,
        in_import: bool,
    ) -> Walk {
        let nothing = Walk::Found(Vec::new());
        let (Some(first), Some(at)) = (segments.first(), self.scopes.get(scope.at as usize)) else {
            return nothing;
        };
        let krate = at.krate;
        let from = at.module;
        if at.file_key != 0 {
            observer.ask(Key(at.file_key));
        }
        let is_2015 = self.crates.get(krate.0 as usize).is_some_and(|it| it.edition < 2018);
        let last = segments.len() - 1;
        let ns_at = |at: usize| if at == last { ns } else { Namespace::Type };
        let mut used = 1;
        let mut targets = match *first {
            _ if is_global || (in_import && is_2015 && !is_keyword(*first)) => {
                if is_2015 || self.is_std_crate(krate) {
                    let root = self.root_scope(scope.at);
                    let found = self.lookup(observer, root, *first, ns_at(0), from);
                    if found.is_empty() { self.extern_name(observer, krate, *first) } else { found }
                } else {
                    self.extern_name(observer, krate, *first)
                }
            }
            sym::CRATE => vec![Target::Def(self.crate_of(scope.at))],
            sym::DOLLAR_CRATE => {
                let dollar_crate = self.source(self.def(scope.item).file).dollar_crate;
                match self.crates.get(dollar_crate.0 as usize).and_then(|it| it.root) {
                    Some(root) => vec![Target::Def(root)],
                    None => vec![Target::Def(self.crate_of(scope.at))],
                }
            }
            sym::SELF | sym::SUPER => {
                used = 0;
                vec![Target::Def(self.scopes[from as usize].def)]
            }
            sym::SELF_TYPE if ns_at(0) == Namespace::Macro => return nothing,
            sym::SELF_TYPE => {
                return self
                    .self_type(scope.item)
                    .map_or(nothing, |it| Walk::Special(Resolution::SelfType(it)));
            }
            first => match self.lexical(observer, scope, first, ns_at(0), segments.get(1).copied())
            {
                Walk::Found(targets) => targets,
                Walk::External(external, _) => return Walk::External(external, 1),
                // Types have no macros as members.
                Walk::Special(_) if ns == Namespace::Macro => return nothing,
                special => return special,
            },
        };
        while used < segments.len() {
            let name = segments[used];
            let mut next = Vec::new();
            let mut outside = None;
            let mut partial = None;
            let is_alone = targets.len() == 1;
            for target in targets {
                match target {
                    Target::External(it) => outside = Some(Walk::External(it, used)),
                    Target::Unknown => next.push(Target::Unknown),
                    Target::Def(def) => match self.inside(observer, def, name, ns_at(used), from) {
                        Inside::Names(names) => {
                            if names.is_empty() && self.is_std(def) {
                                outside = Some(Walk::Std(def, used));
                            }
                            next.extend(names);
                        }
                        Inside::Type => partial = Some(Resolution::Partial(def, used)),
                        Inside::Nothing => {}
                    },
                }
            }
            if next.is_empty() {
                return match partial {
                    Some(partial) if is_alone && ns != Namespace::Macro => Walk::Special(partial),
                    _ => outside.unwrap_or(nothing),
                };
            }
            next.sort_unstable();
            next.dedup();
            targets = next;
            used += 1;
        }
        Walk::Found(targets)
    }

    /// Looks a name up inside a definition.
    fn inside(
        &self,
        observer: &mut impl Observer,
        def: DefId,
        name: Symbol,
        ns: Namespace,
        from: u32,
    ) -> Inside {
        match self.def(def).kind {
            DefKind::Module | DefKind::Crate => {
                let inner = self.def(def).inner;
                let Some(scope) = self.scopes.get(inner as usize) else { return Inside::Nothing };
                match name {
                    sym::SELF => Inside::Names(vec![Target::Def(def)]),
                    sym::SUPER => match scope.parent {
                        NONE => Inside::Nothing,
                        parent => {
                            let module = self.scopes[parent as usize].module;
                            Inside::Names(vec![Target::Def(self.scopes[module as usize].def)])
                        }
                    },
                    _ => Inside::Names(self.lookup(observer, inner, name, ns, from)),
                }
            }
            DefKind::Enum | DefKind::Trait => {
                let names = self.pick_members(observer, def, name, ns);
                if names.is_empty() { Inside::Type } else { Inside::Names(names) }
            }
            DefKind::Struct | DefKind::Union | DefKind::TypeAlias => Inside::Type,
            _ => Inside::Nothing,
        }
    }

    /// Resolves one name from inside a scope: blocks, generics, module, preludes. `next` is the
    /// following segment.
    fn lexical(
        &self,
        observer: &mut impl Observer,
        scope: &Scope,
        name: Symbol,
        ns: Namespace,
        next: Option<Symbol>,
    ) -> Walk {
        let mut at = scope.at;
        let mut generics = ns != Namespace::Macro;
        let from = self.scopes[at as usize].module;
        loop {
            let it = &self.scopes[at as usize];
            if generics && !(it.is_block && it.def == scope.item) {
                generics = false;
                if let Some(of) = self.generic_param(scope.item, name, ns) {
                    return Walk::Special(Resolution::Param(of, name));
                }
            }
            if ns == Namespace::Macro {
                let found = if it.is_block {
                    self.block_macro(observer, at, name, scope, from)
                } else {
                    self.textual_macro(observer, at, name, scope).into_iter().collect()
                };
                if !found.is_empty() {
                    return Walk::Found(found);
                }
            }
            let found = self.lookup(observer, at, name, ns, from);
            if !found.is_empty() {
                return self.module_or_prim(observer, found, name, ns, next, from);
            }
            if !it.is_block {
                break;
            }
            at = it.parent;
        }
        let krate = self.scopes[at as usize].krate;
        if ns == Namespace::Type {
            let found = self.extern_name(observer, krate, name);
            if !found.is_empty() {
                return self.module_or_prim(observer, found, name, ns, next, from);
            }
        }
        if ns == Namespace::Macro {
            let found = self.macro_prelude(observer, krate, name);
            if !found.is_empty() {
                return Walk::Found(found);
            }
        }
        if let Some(prelude) = self.crates.get(krate.0 as usize).and_then(|it| it.prelude) {
            let found = self.lookup(observer, prelude, name, ns, prelude);
            if !found.is_empty() {
                return Walk::Found(found);
            }
        }
        match Symbols::prim(name) {
            Some(prim) if ns == Namespace::Type => Walk::Special(Resolution::Prim(prim)),
            _ => Walk::Found(Vec::new()),
        }
    }

    /// `use std::u8;` does not hide the type `u8`, except if the module contains the next segment.
    fn module_or_prim(
        &self,
        observer: &mut impl Observer,
        found: Vec<Target>,
        name: Symbol,
        ns: Namespace,
        next: Option<Symbol>,
        from: u32,
    ) -> Walk {
        let Some(prim) = Symbols::prim(name).filter(|_| ns == Namespace::Type) else {
            return Walk::Found(found);
        };
        let is_module = |target: &Target| {
            matches!(target, Target::Def(def)
                if matches!(self.def(*def).kind, DefKind::Module | DefKind::Crate))
        };
        if !found.iter().all(is_module) {
            return Walk::Found(found);
        }
        let has = |observer: &mut _, next: Symbol| {
            found.iter().any(|target| {
                let Target::Def(def) = target else { return false };
                let inner = self.def(*def).inner;
                [Namespace::Value, Namespace::Type]
                    .iter()
                    .any(|ns| !self.lookup(observer, inner, next, *ns, from).is_empty())
            })
        };
        match next {
            Some(next) if has(observer, next) => Walk::Found(found),
            _ => Walk::Special(Resolution::Prim(prim)),
        }
    }

    /// The item whose generics contain a parameter of this name: the item itself, or its impl or
    /// trait.
    fn generic_param(&self, item: DefId, name: Symbol, ns: Namespace) -> Option<DefId> {
        let mut at = item;
        loop {
            let def = self.def(at);
            let (_, _, decl) = self.facts(at)?;
            // A type parameter is not a value.
            let has_name =
                |it: &&syntax::facts::GenericParam| self.file_symbol(def.file, it.name) == name;
            if decl
                .generics
                .iter()
                .find(has_name)
                .is_some_and(|it| it.is_const || ns == Namespace::Type)
            {
                return Some(at);
            }
            let parent = def.parent?;
            let kind = self.def(parent).kind;
            if def.kind != DefKind::Variant && !matches!(kind, DefKind::Impl | DefKind::Trait) {
                return None;
            }
            at = parent;
        }
    }

    fn self_type(&self, item: DefId) -> Option<DefId> {
        let mut at = Some(item);
        while let Some(it) = at {
            let def = self.def(it);
            match def.kind {
                DefKind::Impl
                | DefKind::Trait
                | DefKind::Struct
                | DefKind::Enum
                | DefKind::Union => return Some(it),
                DefKind::Function => return None,
                _ => at = def.parent,
            }
        }
        None
    }

    /// The offset of a scope's item in its module's file.
    fn offset_in_file(&self, scope: &Scope) -> u32 {
        let def = self.def(scope.item);
        if scope.offset != u32::MAX {
            return self.site(def.file, scope.offset).1;
        }
        match self.facts(scope.item) {
            Some((_, item, _)) if def.kind != DefKind::Module => {
                self.site(def.file, item.code_span.start as u32).1
            }
            _ => u32::MAX,
        }
    }

    /// The last `macro_rules!` of a block before the offset.
    fn block_macro(
        &self,
        observer: &mut impl Observer,
        at: u32,
        name: Symbol,
        scope: &Scope,
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
    fn textual_macro(
        &self,
        observer: &mut impl Observer,
        module: u32,
        name: Symbol,
        scope: &Scope,
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

    /// The extern prelude.
    fn extern_name(
        &self,
        observer: &mut impl Observer,
        krate: CrateIdx,
        name: Symbol,
    ) -> Vec<Target> {
        let Some(it) = self.crates.get(krate.0 as usize) else { return Vec::new() };
        if !self.is_std_crate(krate) {
            observer.ask(self.key(LookupKind::Extern(it.ident, name)));
        }
        if let Ok(at) = it.externs.binary_search_by_key(&name, |(name, _)| *name) {
            return vec![it.externs[at].1];
        }
        let mut hits = Vec::new();
        for (_, number) in it.extern_items.iter().filter(|(it, _)| *it == name) {
            if *number != observer.hidden() {
                observer.import(*number);
                self.push_import(*number, Namespace::Type, true, &mut hits);
            }
        }
        if !hits.is_empty() {
            return select(hits);
        }
        match name {
            sym::STD | sym::CORE | sym::ALLOC => {
                self.std_root().map(Target::Def).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Macros that need no import: those of `#[macro_use] extern crate`, and the standard
    /// library's.
    fn macro_prelude(
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

    /// The root module of a scope.
    fn root_scope(&self, at: u32) -> u32 {
        let mut at = at;
        loop {
            match self.scopes[at as usize].parent {
                NONE => return at,
                parent => at = parent,
            }
        }
    }

    /// The meaning of `crate`: an orphan file without `main` belongs to the nearest crate.
    fn crate_of(&self, at: u32) -> DefId {
        let root = &self.scopes[self.root_scope(at) as usize];
        let def = self.def(root.def);
        if def.kind == DefKind::Module && !super::collect::has_main(self, self.root_scope(at)) {
            let krate = self.crates.get(root.krate.0 as usize);
            return krate.and_then(|it| it.root).unwrap_or(root.def);
        }
        root.def
    }

    /// Converts a walk to its public form.
    pub(crate) fn resolution(&self, walk: Walk, segments: &[Symbol]) -> Resolution {
        let rest = |mut path: String, used: usize| {
            for segment in segments.get(used..).unwrap_or_default() {
                path.push_str("::");
                path.push_str(self.name_of(*segment));
            }
            Resolution::External(path)
        };
        match walk {
            Walk::Special(it) => it,
            Walk::External(number, used) => rest(self.external_path(number), used),
            Walk::Std(def, used) => rest(self.canon(def), used),
            Walk::Found(targets) => {
                let mut defs = Vec::new();
                let mut external = None;
                for target in targets {
                    match target {
                        Target::Def(def) => defs.push(def),
                        Target::External(it) => external = Some(it),
                        Target::Unknown => return Resolution::None,
                    }
                }
                match (defs.as_slice(), external) {
                    ([], None) => Resolution::None,
                    ([], Some(external)) => Resolution::External(self.external_path(external)),
                    ([def], _) => Resolution::Def(*def),
                    _ => {
                        defs.sort_unstable();
                        Resolution::Ambiguous(defs)
                    }
                }
            }
        }
    }

    /// The current targets of an import.
    pub(crate) fn resolve_import(
        &self,
        observer: &mut impl Observer,
        number: u32,
        outside: &mut dyn FnMut(ExternalPath<'_>) -> u32,
    ) -> Vec<(Target, Spaces)> {
        let Some(import) = self.imports.leaves.get(number as usize) else { return Vec::new() };
        let path = &self.imports.paths[import.path.0 as usize..import.path.1 as usize];
        let scope = Scope { at: import.scope, item: import.def, offset: import.offset };
        let mut results: Vec<(Target, Spaces)> = Vec::new();
        let unknown = vec![(Target::Unknown, ALL_SPACES)];
        if import.kind == ImportKind::ExternCrate {
            let krate = self.scopes[import.scope as usize].krate;
            let found = match path.first() {
                Some(&sym::SELF) => {
                    vec![Target::Def(self.scopes[self.root_scope(import.scope) as usize].def)]
                }
                Some(name) => self.extern_name(observer, krate, *name),
                None => Vec::new(),
            };
            // A crate that is not among the dependencies is external.
            return match (found.as_slice(), path.first()) {
                ([], Some(name)) => {
                    vec![(
                        Target::External(outside(ExternalPath::Root(*name))),
                        space(Namespace::Type),
                    )]
                }
                _ => found.into_iter().map(|it| (it, space(Namespace::Type))).collect(),
            };
        }
        let spaces: &[Namespace] = match import.kind {
            ImportKind::Name => &[Namespace::Type, Namespace::Value, Namespace::Macro],
            _ => &[Namespace::Type],
        };
        if path.is_empty() {
            // `use ::*`, or a glob whose path could not be read.
            return if import.kind == ImportKind::Glob { Vec::new() } else { unknown };
        }
        let mut add = |target: Target, ns: Namespace| match results
            .iter_mut()
            .find(|(it, _)| *it == target)
        {
            Some((_, spaces)) => *spaces |= space(ns),
            None => results.push((target, space(ns))),
        };
        let mut external = None;
        for ns in spaces {
            match self.walk(observer, &scope, path, import.is_global, *ns, true) {
                Walk::Found(targets) => {
                    targets
                        .into_iter()
                        .filter(|it| *it != Target::Unknown)
                        .for_each(|it| add(it, *ns));
                }
                Walk::External(at, used) => {
                    external =
                        Some(outside(ExternalPath::Below(at, path.get(used..).unwrap_or(&[]))));
                }
                Walk::Std(def, used) => {
                    external =
                        Some(outside(ExternalPath::Std(def, path.get(used..).unwrap_or(&[]))));
                }
                Walk::Special(_) => {}
            }
        }
        if results.is_empty() {
            match external {
                // The namespaces of an external item are unknown: assume all.
                Some(it) => results.push((Target::External(it), ALL_SPACES)),
                None if import.kind == ImportKind::Name => return unknown,
                None => {}
            }
        }
        results.sort_unstable();
        results
    }

    pub(crate) fn key(&self, ask: LookupKind) -> Key {
        digest::key(ask, &self.symbols)
    }
}

/// An external path to intern.
pub(crate) enum ExternalPath<'a> {
    Root(Symbol),
    Below(u32, &'a [Symbol]),
    Std(DefId, &'a [Symbol]),
}

enum Inside {
    Names(Vec<Target>),
    /// A type: the following segments name its members.
    Type,
    Nothing,
}

fn is_keyword(name: Symbol) -> bool {
    matches!(name, sym::CRATE | sym::SELF | sym::SUPER | sym::SELF_TYPE | sym::DOLLAR_CRATE)
}

pub(crate) fn member_spaces(kind: DefKind) -> Spaces {
    match kind {
        DefKind::TypeAlias => space(Namespace::Type),
        DefKind::Method | DefKind::Const => space(Namespace::Value),
        DefKind::Variant => space(Namespace::Type) | space(Namespace::Value),
        _ => 0,
    }
}
