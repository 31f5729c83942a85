//! Builds a [`DefMap`] from scratch: sources, crates, the walk over all files, imports, macro
//! calls, impls.

use std::sync::Arc;

use base::{ItemKind, ProjectPath, SortedMap};
use syntax::NodeKind;
use syntax::facts::{FileFacts, Shape};

use super::collect::Collector;
use super::imports::{Externals, resolve_all};
use super::macros::MacroCache;
use super::modules::Files;
use super::parts::{
    Cached, ImplIndex, ImportTable, MacroTable, MemberIndex, ModuleFiles, PatchState,
};
use super::symbols::Symbols;
use super::table::{Binding, NONE, Names, Target};
use super::{Def, DefId, DefMap, DefSource, Existence, Krate, impls};
use crate::keys::Mix;
use crate::workspace::FileInput;
use crate::{CrateIdx, CrateInput, FileIdx, WorkspaceInput};

impl DefMap {
    /// Builds the map of a workspace, together with the standard library's declarations.
    pub fn build(workspace: &WorkspaceInput) -> DefMap {
        DefMap::build_with(workspace, Arc::default())
    }

    /// The same as [`DefMap::build`], faster if `old` is a map of nearly the same workspace: macro
    /// expansions are taken from its cache.
    pub fn build_after(workspace: &WorkspaceInput, old: &DefMap) -> DefMap {
        DefMap::build_with(workspace, old.macros.cache.clone())
    }

    fn build_with(workspace: &WorkspaceInput, macros: Arc<MacroCache>) -> DefMap {
        let mut map = DefMap::empty();
        for FileInput { path, facts, text } in &workspace.files {
            map.add_source(path.clone(), facts.clone(), text.clone(), false);
        }
        for input in &workspace.crates {
            map.add_crate(input, false);
        }
        map.std = CrateIdx(map.crates.len() as u32);
        let mut std_files = Vec::new();
        for file in crate::sysroot::files() {
            let Ok(path) = ProjectPath::new(file.path) else { continue };
            let idx = map.add_source(path, file.facts.clone(), file.text.clone(), true);
            std_files.push((file.path, idx));
        }
        let std_root = std_files.first().map_or(NONE, |(_, file)| file.0);
        map.add_crate(&std_input(std_root), true);
        // Files that belong to no crate are put into an unnamed one.
        map.add_crate(&CrateInput { root: NONE, edition: 2021, ..CrateInput::default() }, false);
        let mut externals = Externals::default();
        map.add_externs(workspace, &mut externals);

        let paths = workspace.files.iter().enumerate();
        let paths = paths.map(|(at, it)| (it.path.as_str(), FileIdx(at as u32))).collect();
        let std = map.std;
        let mut collector = Collector::new(map, &workspace.crates, Files::new(paths, std_files));
        collector.macros.before = macros;
        collector.crate_root(std, FileIdx(std_root));
        for krate in order(workspace) {
            let root = workspace.crates[krate.0 as usize].root;
            collector.crate_root(krate, FileIdx(root));
        }
        collector.deferred();
        collector.orphans(workspace);
        let mut calls: SortedMap<DefId, u32> = SortedMap::new();
        for round in 0.. {
            let map = &mut collector.map;
            map.find_preludes(workspace);
            impls::index_members(map);
            resolve_all(map, &mut externals);
            let open = collector.pending.iter().map(|it| (it.call, it.ctx.scope));
            calls.extend(open);
            if !collector.pending(round) {
                break;
            }
            collector.deferred();
        }
        let mut map = collector.finish();
        map.note_path_calls(calls);
        impls::index_impls(&mut map);
        impls::index_traits(&mut map);
        map.hash_textual();
        map.modules.problems.sort();
        map
    }

    fn empty() -> DefMap {
        DefMap {
            sources: Vec::new(),
            defs: Vec::new(),
            symbols: Symbols::new(),
            crates: Vec::new(),
            std: CrateIdx(NONE),
            modules: ModuleFiles::default(),
            scopes: Vec::new(),
            names: Names::default(),
            block_scopes: SortedMap::new(),
            imports: ImportTable::default(),
            macros: MacroTable::default(),
            members: MemberIndex::default(),
            impls: ImplIndex::default(),
            cached: Cached::default(),
            patching: PatchState::default(),
        }
    }

    /// Adds a source: its names, and empty definitions for its items, which the walk fills in.
    pub(super) fn add_source(
        &mut self,
        path: ProjectPath,
        facts: Arc<FileFacts>,
        text: Arc<str>,
        is_std: bool,
    ) -> FileIdx {
        let file = FileIdx(self.sources.len() as u32);
        let source = self.source_at(file, path, facts, text, is_std);
        self.sources.push(source);
        self.modules.file_roots.push(None);
        file
    }

    /// Creates a source that replaces an existing one.
    pub(super) fn source_at(
        &mut self,
        file: FileIdx,
        path: ProjectPath,
        facts: Arc<FileFacts>,
        text: Arc<str>,
        is_std: bool,
    ) -> DefSource {
        let names = self.symbols.of_sources.len() as u32;
        self.symbols.of_sources.reserve(facts.names.len());
        for name in &facts.names {
            let symbol = self.symbols.intern(name);
            self.symbols.of_sources.push(symbol);
        }
        let base = self.defs.len() as u32;
        let mut variants = base + facts.file.items.len() as u32;
        for (number, item) in facts.file.items.iter().enumerate() {
            let mut inner = NONE;
            if let (NodeKind::Enum, Some(Shape::Enum(all))) =
                (item.kind, facts.decls.get(number).map(|it| &it.shape))
            {
                inner = variants;
                variants += all.len() as u32;
            }
            self.push_def(file, number as u32, inner);
        }
        for (number, decl) in facts.decls.iter().enumerate().take(facts.file.items.len()) {
            let is_enum = facts.file.items[number].kind == NodeKind::Enum;
            if let (Shape::Enum(all), true) = (&decl.shape, is_enum) {
                for variant in 0..all.len() as u32 {
                    let id = self.push_def(file, number as u32, NONE);
                    let def = &mut self.defs[id.idx()];
                    def.kind = ItemKind::Variant;
                    def.variant = Some(variant);
                }
            }
        }
        DefSource {
            path,
            facts,
            text,
            call: None,
            site: (file, 0),
            tokens: 0,
            origins: Arc::default(),
            dollar_crate: CrateIdx(NONE),
            is_std,
            base,
            ids: Arc::default(),
            is_removed: false,
            names,
        }
    }

    fn push_def(&mut self, file: FileIdx, item: u32, inner: u32) -> DefId {
        let id = DefId(self.defs.len() as u32);
        self.defs.push(Def { inner, ..Def::none(id, file, item) });
        id
    }

    fn add_crate(&mut self, input: &CrateInput, is_std: bool) {
        let krate = CrateIdx(self.crates.len() as u32);
        let ident = Mix::new(30).text(&input.name).finish();
        let root = (input.root as usize) < self.sources.len();
        let root =
            root.then(|| self.add_root(FileIdx(input.root), krate, &input.name, ItemKind::Crate));
        let name = self.symbols.intern(&input.extern_name);
        if let Some(root) = root {
            self.defs[root.idx()].name = Some(name);
        }
        self.crates.push(Krate {
            ident,
            root,
            edition: input.edition,
            externs: Vec::new(),
            extern_items: Vec::new(),
            macro_use: Vec::new(),
            prelude: None,
            is_proc_macro: input.is_proc_macro,
            is_std,
        });
    }

    /// Adds the definition of a root module.
    fn add_root(&mut self, file: FileIdx, krate: CrateIdx, name: &str, kind: ItemKind) -> DefId {
        let id = self.push_def(file, NONE, NONE);
        let def = &mut self.defs[id.idx()];
        def.kind = kind;
        def.krate = krate;
        def.is_active = true;
        def.existence = Existence::Sure;
        let hash = Mix::new(31).text(name).finish();
        self.defs[id.idx()].canon_hash = hash;
        self.defs[id.idx()].ident = Mix::new(hash).with(kind as u64).finish();
        self.modules.root_names.insert(id, name.to_owned());
        id
    }

    fn add_externs(&mut self, workspace: &WorkspaceInput, externals: &mut Externals) {
        for (number, input) in workspace.crates.iter().enumerate() {
            let mut externs = Vec::new();
            for dependency in &input.dependencies {
                let name = self.symbols.intern(&dependency.name);
                let root = dependency.to.and_then(|it| self.crates.get(it.0 as usize)?.root);
                externs.push((
                    name,
                    match root {
                        Some(root) => Target::Def(root),
                        None => Target::External(externals.intern(
                            &mut self.imports.externals,
                            NONE,
                            name,
                        )),
                    },
                ));
            }
            externs.sort_unstable();
            externs.dedup_by_key(|(name, _)| *name);
            self.crates[number].externs = externs;
        }
    }

    /// The standard preludes: `prelude::rust_2021` …, else `prelude::v1`.
    fn find_preludes(&mut self, workspace: &WorkspaceInput) {
        let Some(root) = self.std_root() else { return };
        let prelude = self.module_in(self.def(root).inner, "prelude");
        let Some(prelude) = prelude else { return };
        for number in 0..self.crates.len() {
            let edition = workspace.crates.get(number).map_or(2021, |it| it.edition);
            self.crates[number].prelude = self
                .module_in(prelude, &format!("rust_{edition}"))
                .or_else(|| self.module_in(prelude, "v1"));
        }
    }

    /// The scope of a module declared in a scope.
    fn module_in(&self, scope: u32, name: &str) -> Option<u32> {
        let name = self.symbols.get(name)?;
        self.names.get(scope, name).find_map(|it| match it.binding {
            Binding::Item(def) if self.def(def).kind == ItemKind::Module => {
                Some(self.def(def).inner).filter(|it| *it != NONE)
            }
            _ => None,
        })
    }
}

impl Collector<'_> {
    fn crate_root(&mut self, krate: CrateIdx, file: FileIdx) {
        let Some(root) = self.map.crates.get(krate.0 as usize).and_then(|it| it.root) else {
            return;
        };
        match self.owners.get(file.0 as usize).copied().flatten() {
            // Two targets share a root file: both modules get the same scope.
            Some(owner) => self.map.defs[root.idx()].inner = self.map.def(owner).inner,
            None => self.root(root, file, krate),
        }
    }

    /// Makes a root module of each file that no module tree reaches. Files named like roots come
    /// first, so that the modules they declare belong to them.
    fn orphans(&mut self, workspace: &WorkspaceInput) {
        let order = order(workspace);
        let folders: Vec<(CrateIdx, String)> = order
            .iter()
            .filter_map(|krate| {
                let root = workspace.crates.get(krate.0 as usize)?.root;
                let path = workspace.files.get(root as usize)?.path.as_str();
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                Some((*krate, folder.to_owned()))
            })
            .collect();
        let mut files: Vec<(&str, FileIdx)> = Vec::new();
        for (at, file) in workspace.files.iter().enumerate() {
            files.push((file.path.as_str(), FileIdx(at as u32)));
        }
        let is_root = |path: &str| {
            let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
            matches!(name, "main.rs" | "lib.rs" | "mod.rs")
        };
        files.sort_unstable_by_key(|(path, _)| (!is_root(path), *path));
        let unnamed = CrateIdx(self.map.crates.len() as u32 - 1);
        for (path, file) in files {
            if self.owners[file.0 as usize].is_some() {
                continue;
            }
            let krate = crate_beside(path, &folders).unwrap_or(unnamed);
            let name = match workspace.crates.get(krate.0 as usize) {
                Some(krate) => format!("{}::{{{path}}}", krate.name),
                None => format!("{{{path}}}"),
            };
            let root = self.map.add_root(file, krate, &name, ItemKind::Module);
            self.map.modules.orphans.push(file);
            self.root(root, file, krate);
            self.deferred();
        }
    }

    fn finish(self) -> DefMap {
        let mut map = self.map;
        map.modules.file_roots = self.owners;
        map.patching.entered = Arc::new(self.entered);
        let calls = self.calls.into_iter();
        map.patching.called_macros =
            calls.map(|(file, all)| (file, all.into_iter().collect())).collect();
        map.patching.built = map.weight();
        map.patching.by_ident = map.ids().map(|id| (map.def(id).ident, id)).collect();
        map.macros.cache = Arc::new(self.macros.now);
        map
    }
}

/// The crate whose directory contains a file, or else whose package directory does; the nearest
/// one, and the first of several.
fn crate_beside(path: &str, folders: &[(CrateIdx, String)]) -> Option<CrateIdx> {
    let contains = |folder: &str| {
        folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    };
    let mut best: Option<(usize, CrateIdx)> = None;
    for (krate, folder) in folders {
        let package = folder.rsplit_once('/').map_or("", |(package, _)| package);
        let package = match folder.rsplit('/').next() {
            Some("src" | "tests" | "examples" | "benches" | "bin") => package,
            _ => folder,
        };
        let depth = |folder: &str| folder.len() + usize::from(!folder.is_empty());
        let score = if contains(folder) {
            depth(folder) * 2 + 1
        } else if contains(package) {
            depth(package) * 2
        } else {
            continue;
        };
        if best.is_none_or(|(other, _)| score > other) {
            best = Some((score, *krate));
        }
    }
    best.map(|(_, krate)| krate)
}

/// The order in which crates claim files: dependencies before dependents, libraries before other
/// targets, otherwise by name.
fn order(workspace: &WorkspaceInput) -> Vec<CrateIdx> {
    let crates = &workspace.crates;
    let mut is_library: Vec<bool> = crates
        .iter()
        .map(|it| {
            let root = workspace.files.get(it.root as usize).map_or("", |it| it.path.as_str());
            it.is_proc_macro || root == "lib.rs" || root.ends_with("/lib.rs")
        })
        .collect();
    for krate in crates {
        for to in krate.dependencies.iter().filter_map(|it| it.to) {
            if let Some(it) = is_library.get_mut(to.0 as usize) {
                *it = true;
            }
        }
    }
    let mut wanted: Vec<usize> = (0..crates.len()).collect();
    wanted.sort_by_key(|at| (!is_library[*at], &crates[*at].name));
    let mut state = vec![0_u8; crates.len()];
    let mut order = Vec::new();
    // Depth-first without recursion; a crate is placed after all its dependencies.
    for first in wanted {
        let mut stack = vec![first];
        while let Some(at) = stack.last().copied() {
            let mut next = None;
            if state[at] == 0 {
                state[at] = 1;
            }
            if state[at] == 1 {
                let mut uses: Vec<usize> = crates[at]
                    .dependencies
                    .iter()
                    .filter_map(|it| Some(it.to?.0 as usize))
                    .collect();
                uses.retain(|it| *it < crates.len() && state[*it] == 0);
                next = uses.into_iter().min_by_key(|it| &crates[*it].name);
            }
            match next {
                Some(next) => stack.push(next),
                None => {
                    if state[at] == 1 {
                        state[at] = 2;
                        order.push(CrateIdx(at as u32));
                    }
                    stack.pop();
                }
            }
        }
    }
    order
}

fn std_input(root: u32) -> CrateInput {
    CrateInput {
        name: "std".to_owned(),
        extern_name: "std".to_owned(),
        root,
        edition: 2021,
        ..CrateInput::default()
    }
}
