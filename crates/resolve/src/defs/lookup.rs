//! Resolves names and paths in scopes. Start at [`DefMap::walk`].

use std::ops::ControlFlow;

use base::ItemKind;

use super::hits::select;
use super::lookup_cache::NameLookup;
use super::lookup_key::{self, LookupKind};
use super::symbols::sym;
use super::table::{NONE, ScopeData, Spaces, Target, space};
use super::{DefId, DefMap, NameScope, Namespace, Resolution, Symbol};
use crate::keys::Key;

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

/// Where the first segment of a path is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathStart {
    /// In the scope of the use.
    Scope,
    /// As in a `use`: in edition 2015 the crate root.
    Import,
    /// At the root of names: `::path`.
    Root,
}

/// A path as it is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsedPath<'a> {
    pub(crate) segments: &'a [Symbol],
    pub(crate) start: PathStart,
    /// The namespace of the last segment; the others name types and modules.
    pub(crate) ns: Namespace,
}

impl<'a> UsedPath<'a> {
    /// A path outside of a `use`; `is_global`: it begins with `::`.
    pub(crate) fn new(segments: &'a [Symbol], is_global: bool, ns: Namespace) -> Self {
        let start = if is_global { PathStart::Root } else { PathStart::Scope };
        Self { segments, start, ns }
    }

    fn ns_at(&self, at: usize) -> Namespace {
        if at + 1 == self.segments.len() { self.ns } else { Namespace::Type }
    }
}

/// The end of a path that names nothing.
fn nothing<T>() -> ControlFlow<Walk, T> {
    ControlFlow::Break(Walk::Found(Vec::new()))
}

/// The maximum depth of globs through globs.
pub(super) const MAX_GLOBS: usize = 256;

impl DefMap {
    /// Looks a name up in one scope by the rules of the language.
    pub(super) fn lookup(
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

    /// Follows a path.
    pub(super) fn walk(
        &self,
        observer: &mut impl Observer,
        scope: &NameScope,
        path: UsedPath<'_>,
    ) -> Walk {
        let Some(at) = self.scopes.get(scope.at as usize).filter(|_| !path.segments.is_empty())
        else {
            return Walk::Found(Vec::new());
        };
        if at.file_key != 0 {
            observer.ask(Key(at.file_key));
        }
        let from = at.module;
        let (mut targets, mut used) = match self.first_segment(observer, scope, at, path) {
            ControlFlow::Continue(first) => first,
            ControlFlow::Break(walk) => return walk,
        };
        while used < path.segments.len() {
            targets = match self.next_segment(observer, targets, path, used, from) {
                ControlFlow::Continue(next) => next,
                ControlFlow::Break(walk) => return walk,
            };
            used += 1;
        }
        Walk::Found(targets)
    }

    /// The targets of the start of a path, and how many segments they use.
    fn first_segment(
        &self,
        observer: &mut impl Observer,
        scope: &NameScope,
        at: &ScopeData,
        path: UsedPath<'_>,
    ) -> ControlFlow<Walk, (Vec<Target>, usize)> {
        let Some(&first) = path.segments.first() else { return nothing() };
        let krate = at.krate;
        let is_2015 = self.crates.get(krate.0 as usize).is_some_and(|it| it.edition < 2018);
        let from_root = match path.start {
            PathStart::Root => true,
            PathStart::Import => is_2015 && !is_keyword(first),
            PathStart::Scope => false,
        };
        let ns = path.ns_at(0);
        let targets = match first {
            _ if from_root => {
                let mut found = Vec::new();
                if is_2015 || self.is_std_crate(krate) {
                    let root = self.root_scope(scope.at);
                    found = self.lookup(observer, root, first, ns, at.module);
                }
                if found.is_empty() { self.extern_name(observer, krate, first) } else { found }
            }
            sym::CRATE => vec![Target::Def(self.crate_of(scope.at))],
            sym::DOLLAR_CRATE => {
                let dollar_crate = self.source(self.def(scope.item).file).dollar_crate;
                let root = self.crates.get(dollar_crate.0 as usize).and_then(|it| it.root);
                vec![Target::Def(root.unwrap_or_else(|| self.crate_of(scope.at)))]
            }
            sym::SELF | sym::SUPER => {
                let module = Target::Def(self.scopes[at.module as usize].def);
                return ControlFlow::Continue((vec![module], 0));
            }
            sym::SELF_TYPE => {
                let of = self.self_type(scope.item).filter(|_| ns != Namespace::Macro);
                let Some(of) = of else { return nothing() };
                return ControlFlow::Break(Walk::Special(Resolution::SelfType(of)));
            }
            first => {
                match self.lexical(observer, scope, first, ns, path.segments.get(1).copied()) {
                    Walk::Found(targets) => targets,
                    Walk::External(external, _) => {
                        return ControlFlow::Break(Walk::External(external, 1));
                    }
                    // Types have no macros as members.
                    Walk::Special(_) if path.ns == Namespace::Macro => return nothing(),
                    special => return ControlFlow::Break(special),
                }
            }
        };
        ControlFlow::Continue((targets, 1))
    }

    /// The targets of the segment after those used, inside of `targets`.
    fn next_segment(
        &self,
        observer: &mut impl Observer,
        targets: Vec<Target>,
        path: UsedPath<'_>,
        used: usize,
        from: u32,
    ) -> ControlFlow<Walk, Vec<Target>> {
        let mut next = Vec::new();
        let mut outside = None;
        let mut partial = None;
        let is_alone = targets.len() == 1;
        let (name, ns) = (path.segments[used], path.ns_at(used));
        for target in targets {
            match target {
                Target::External(it) => outside = Some(Walk::External(it, used)),
                Target::Unknown => next.push(Target::Unknown),
                Target::Def(def) => match self.inside(observer, def, name, ns, from) {
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
            return match (partial, outside) {
                (Some(partial), _) if is_alone && path.ns != Namespace::Macro => {
                    ControlFlow::Break(Walk::Special(partial))
                }
                (_, Some(outside)) => ControlFlow::Break(outside),
                (_, None) => nothing(),
            };
        }
        next.sort_unstable();
        next.dedup();
        ControlFlow::Continue(next)
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
            ItemKind::Module | ItemKind::Crate => {
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
                    _ => {
                        let from = self.as_seen_in(def, from);
                        Inside::Names(self.lookup(observer, inner, name, ns, from))
                    }
                }
            }
            ItemKind::Enum | ItemKind::Trait => {
                let names = self.pick_members(observer, def, name, ns);
                if names.is_empty() { Inside::Type } else { Inside::Names(names) }
            }
            ItemKind::Struct | ItemKind::Union | ItemKind::TypeAlias => Inside::Type,
            _ => Inside::Nothing,
        }
    }

    /// The root module of a scope.
    pub(super) fn root_scope(&self, at: u32) -> u32 {
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
        if def.kind == ItemKind::Module
            && !super::collect_names::has_main(self, self.root_scope(at))
        {
            let krate = self.crates.get(root.krate.0 as usize);
            return krate.and_then(|it| it.root).unwrap_or(root.def);
        }
        root.def
    }

    /// Follows a path; what it names.
    pub(super) fn resolve_path(
        &self,
        observer: &mut impl Observer,
        scope: &NameScope,
        path: UsedPath<'_>,
    ) -> Resolution {
        self.resolution(self.walk(observer, scope, path), path.segments)
    }

    /// Converts a walk to its public form.
    fn resolution(&self, walk: Walk, segments: &[Symbol]) -> Resolution {
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

    pub(crate) fn key(&self, ask: LookupKind) -> Key {
        lookup_key::key(ask, &self.symbols)
    }
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

pub(crate) fn member_spaces(kind: ItemKind) -> Spaces {
    match kind {
        ItemKind::TypeAlias => space(Namespace::Type),
        ItemKind::Method | ItemKind::Const => space(Namespace::Value),
        ItemKind::Variant => space(Namespace::Type) | space(Namespace::Value),
        _ => 0,
    }
}
