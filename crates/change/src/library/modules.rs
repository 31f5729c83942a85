//! One crate by its modules: what each declares and imports.

use std::collections::VecDeque;

use base::SortedMap;
use syntax::facts::{FileFacts, Shape, UseWhat};
use syntax::{Item, NodeKind};

use super::interface::{Entry, MAX_DEPTH};
use super::{CrateSource, notes};

/// Most files of a crate.
const MAX_FILES: usize = 4_000;

/// The names of a module and of those around it.
pub(super) type ModulePath = Vec<String>;

/// One crate by its modules.
pub(super) struct Crate {
    pub(super) modules: SortedMap<ModulePath, Module>,
    pub(super) macros: Vec<(String, Entry)>,
    /// The `cfg` predicates of the module that each file is.
    pub(super) file_cfgs: SortedMap<String, Vec<String>>,
}

#[derive(Default)]
pub(super) struct Module {
    /// Items by name, with whether they are public.
    pub(super) items: Vec<(String, bool, Entry)>,
    pub(super) uses: Vec<Import>,
}

pub(super) struct Import {
    /// What is imported.
    pub(super) path: Vec<String>,
    /// The name that it adds; `None`: all.
    pub(super) alias: Option<String>,
    pub(super) is_public: bool,
    pub(super) cfg: Option<String>,
}

impl Crate {
    pub(super) fn of(name: &str, source: &CrateSource) -> Self {
        let mut found = Self {
            modules: SortedMap::new(),
            macros: Vec::new(),
            file_cfgs: SortedMap::from([(source.root.clone(), Vec::new())]),
        };
        let mut queue = VecDeque::from([(source.root.clone(), ModulePath::new(), true)]);
        let mut count = 0;
        while let Some((file, at, owns_folder)) = queue.pop_front() {
            let Some(text) = source.files.get(&file) else { continue };
            count += 1;
            if count > MAX_FILES || at.len() > MAX_DEPTH {
                continue;
            }
            let facts = syntax::read(text);
            let mut reader = FileReader { name, source, file: &file, facts: &facts, owns_folder };
            reader.read(&at, &mut found, &mut queue);
        }
        found
    }
}

/// Reads the items of one file.
struct FileReader<'a> {
    name: &'a str,
    source: &'a CrateSource,
    file: &'a str,
    facts: &'a FileFacts,
    /// Whether its modules are in its own folder: `lib.rs` and `mod.rs`.
    owns_folder: bool,
}

impl FileReader<'_> {
    fn read(
        &mut self,
        at: &ModulePath,
        found: &mut Crate,
        queue: &mut VecDeque<(String, ModulePath, bool)>,
    ) {
        found.modules.entry(at.clone()).or_default();
        for (idx, item) in self.facts.file.items.iter().enumerate() {
            let Some(inner) = self.module_of(item.parent).filter(|_| !item.is_local) else {
                continue;
            };
            let path: ModulePath = at.iter().cloned().chain(inner.clone()).collect();
            let decl = self.facts.decls.get(idx);
            let shape = decl.map(|it| &it.shape);
            if let Some(Shape::MacroDef { is_exported: true }) = shape {
                let mut entry = self.entry(idx, item);
                let around = self.cfgs_around(item.parent, found);
                entry.cfgs.extend(around);
                found.macros.push((item.name.clone(), entry));
            }
            if item.name.is_empty() || matches!(item.kind, NodeKind::Impl | NodeKind::Import) {
                continue;
            }
            if matches!(shape, Some(Shape::MacroCall(_))) {
                continue;
            }
            let is_public = item.visibility == "pub";
            let entry = self.entry(idx, item);
            let name = item.name.trim_start_matches("r#").to_owned();
            let module = found.modules.entry(path.clone()).or_default();
            module.items.push((name.clone(), is_public, entry));
            if let Some(Shape::Module { is_inline, path: file, .. }) = shape {
                let mut below = path.clone();
                below.push(name.clone());
                found.modules.entry(below.clone()).or_default();
                if !is_inline
                    && let Some((file, owns)) = self.file_of(&inner, &name, file.as_deref())
                {
                    let own = self.facts.decls.get(idx).and_then(|it| it.cfg.as_deref());
                    let mut cfgs = self.cfgs_around(item.parent, found);
                    cfgs.extend(own.map(str::to_owned));
                    found.file_cfgs.insert(file.clone(), cfgs);
                    queue.push_back((file, below, owns));
                }
            }
        }
        self.read_uses(at, found);
    }

    fn read_uses(&self, at: &ModulePath, found: &mut Crate) {
        let name =
            |it: &syntax::facts::Name| self.facts.names.get(it.0 as usize).map(|it| it.to_string());
        for it in &self.facts.uses {
            let idx = it.item as usize;
            let Some(item) = self.facts.file.items.get(idx) else { continue };
            let Some(inner) = self.module_of(item.parent).filter(|_| !item.is_local) else {
                continue;
            };
            let path: ModulePath = at.iter().cloned().chain(inner).collect();
            let target: Vec<String> = it.path.iter().filter_map(name).collect();
            let alias = match it.what {
                UseWhat::Name(it) | UseWhat::ExternCrate(it) => name(&it),
                UseWhat::Glob => None,
                UseWhat::Underscore => continue,
            };
            let cfg = self.facts.decls.get(idx).and_then(|it| it.cfg.as_deref().map(str::to_owned));
            let is_public = item.visibility == "pub";
            let module = found.modules.entry(path).or_default();
            module.uses.push(Import { path: target, alias, is_public, cfg });
        }
    }

    /// The inline modules around an item; `None` inside of anything else.
    fn module_of(&self, mut parent: Option<usize>) -> Option<ModulePath> {
        let mut path = Vec::new();
        while let Some(idx) = parent {
            let item = self.facts.file.items.get(idx)?;
            match self.facts.decls.get(idx).map(|it| &it.shape) {
                Some(Shape::Module { .. }) => path.push(item.name.clone()),
                Some(Shape::MacroCall(_)) => {}
                _ => return None,
            }
            parent = item.parent;
        }
        path.reverse();
        Some(path)
    }

    /// The `cfg` predicates of the file and of the items around one.
    fn cfgs_around(&self, mut parent: Option<usize>, found: &Crate) -> Vec<String> {
        let mut cfgs = found.file_cfgs.get(self.file).cloned().unwrap_or_default();
        while let Some(idx) = parent {
            let cfg = self.facts.decls.get(idx).and_then(|it| it.cfg.as_deref());
            cfgs.extend(cfg.map(str::to_owned));
            parent = self.facts.file.items.get(idx).and_then(|it| it.parent);
        }
        cfgs
    }

    fn entry(&self, idx: usize, item: &Item) -> Entry {
        let cfg = self.facts.decls.get(idx).and_then(|it| it.cfg.as_deref());
        Entry {
            kind: item.kind,
            name: item.name.trim_start_matches("r#").to_owned(),
            at: (self.name.to_owned(), self.file.to_owned(), item.span.start),
            deprecated: notes::deprecation(&item.attributes).unwrap_or_default(),
            cfgs: cfg.map(str::to_owned).into_iter().collect(),
        }
    }

    /// The file of a module, and whether its modules are in its own folder.
    fn file_of(&self, inner: &[String], name: &str, path: Option<&str>) -> Option<(String, bool)> {
        let folder = self.file.rsplit_once('/').map_or("", |it| it.0);
        let join = |folder: &str, rest: &str| match folder {
            "" => rest.to_owned(),
            _ => format!("{folder}/{rest}"),
        };
        if let Some(path) = path {
            let file = join(folder, path.trim_start_matches("./"));
            return self.source.files.contains_key(&file).then_some((file, true));
        }
        let mut below = match self.owns_folder {
            true => folder.to_owned(),
            false => self.file.trim_end_matches(".rs").to_owned(),
        };
        for it in inner {
            below = join(&below, it);
        }
        let (plain, nested) =
            (join(&below, &format!("{name}.rs")), join(&below, &format!("{name}/mod.rs")));
        if self.source.files.contains_key(&plain) {
            return Some((plain, false));
        }
        self.source.files.contains_key(&nested).then_some((nested, true))
    }
}
