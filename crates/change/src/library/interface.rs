//! The public paths of a crate, through modules and re-exports.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use syntax::facts::{FileFacts, Shape, UseWhat};
use syntax::{Item, NodeKind};

use super::{CrateSource, Release, notes};

/// Most public paths of a crate.
const MAX_PATHS: usize = 30_000;
/// Most modules below each other.
const MAX_DEPTH: usize = 8;
/// Most public paths of one module.
const MAX_ALIASES: usize = 3;
/// Most re-exports in a chain.
const MAX_CHAIN: usize = 8;
/// Most lookups of a name in a module.
const MAX_LOOKUPS: usize = 2_000_000;
/// Most files of a crate.
const MAX_FILES: usize = 4_000;

/// What a public path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What it is.
    pub(crate) kind: NodeKind,
    /// Its name where it is defined.
    pub(crate) name: String,
    /// Where it is defined: crate, file, start.
    pub(crate) at: (String, String, usize),
    /// Note of its `#[deprecated]`; empty if it has none.
    pub(crate) deprecated: String,
    /// The `cfg` predicates on the way.
    pub(crate) cfgs: Vec<String>,
}

/// The public paths of a crate, without its own name.
#[derive(Debug, Default)]
pub(crate) struct Interface {
    paths: BTreeMap<String, Vec<Entry>>,
    by_name: BTreeMap<String, Vec<String>>,
}

impl Interface {
    pub(crate) fn of(release: &Release) -> Self {
        let crates: BTreeMap<&str, Crate> =
            release.crates.iter().map(|(name, it)| (name.as_str(), Crate::of(name, it))).collect();
        let mut found = Self::default();
        if crates.contains_key(release.name.as_str()) {
            Walk { crates: &crates, left: Cell::new(MAX_LOOKUPS) }.fill(&release.name, &mut found);
        }
        for path in found.paths.keys() {
            let name = path.rsplit("::").next().unwrap_or(path).to_owned();
            found.by_name.entry(name).or_default().push(path.clone());
        }
        found
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.contains_key(path)
    }

    pub(crate) fn get(&self, path: &str) -> &[Entry] {
        self.paths.get(path).map_or(&[], Vec::as_slice)
    }

    /// The paths whose last name is this.
    pub(crate) fn named(&self, name: &str) -> &[String] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The paths directly in a module.
    pub(crate) fn inside<'a>(&'a self, module: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let prefix = format!("{module}::");
        let from = self.paths.range(prefix.clone()..);
        from.map(|(path, _)| path.as_str())
            .take_while({
                let prefix = prefix.clone();
                move |path| path.starts_with(&prefix)
            })
            .filter(move |path| !path[prefix.len()..].contains("::"))
    }
}

type ModulePath = Vec<String>;

/// One crate by its modules.
struct Crate {
    modules: BTreeMap<ModulePath, Module>,
    macros: Vec<(String, Entry)>,
}

#[derive(Default)]
struct Module {
    /// Items by name, with whether they are public.
    items: Vec<(String, bool, Entry)>,
    uses: Vec<Import>,
}

struct Import {
    path: Vec<String>,
    /// The name that it adds; `None`: all.
    alias: Option<String>,
    is_public: bool,
    cfg: Option<String>,
}

impl Crate {
    fn of(name: &str, source: &CrateSource) -> Self {
        let mut found = Self { modules: BTreeMap::new(), macros: Vec::new() };
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
                found.macros.push((item.name.clone(), self.entry(idx, item)));
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

/// What a path inside of a crate leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target<'a> {
    Module(&'a str, ModulePath),
    Item(&'a str, ModulePath, usize),
}

/// Finds the public paths.
struct Walk<'a> {
    crates: &'a BTreeMap<&'a str, Crate>,
    /// Lookups that are left, since re-exports may lead in circles.
    left: Cell<usize>,
}

type Queued<'a> = (&'a str, ModulePath, Vec<String>, Vec<String>);

impl<'a> Walk<'a> {
    fn fill(&self, root: &'a str, found: &mut Interface) {
        let mut aliases: BTreeMap<(&str, ModulePath), usize> = BTreeMap::new();
        let mut queue: VecDeque<Queued<'a>> =
            VecDeque::from([(root, Vec::new(), Vec::new(), Vec::new())]);
        while let Some((name, module, public, cfgs)) = queue.pop_front() {
            let seen = aliases.entry((name, module.clone())).or_default();
            *seen += 1;
            if *seen > MAX_ALIASES || public.len() > MAX_DEPTH || found.paths.len() > MAX_PATHS {
                continue;
            }
            let Some(source) = self.crates.get(name) else { continue };
            if module.is_empty() {
                for (name, entry) in &source.macros {
                    found.add(&public, name, entry.clone(), &cfgs);
                }
            }
            let mut open = BTreeSet::new();
            for (alias, target, gates) in self.exports(name, &module, &mut open, 0) {
                let gates: Vec<String> = cfgs.iter().cloned().chain(gates).collect();
                match target {
                    Target::Item(krate, at, idx) => {
                        let Some((_, _, entry)) = self
                            .crates
                            .get(krate)
                            .and_then(|it| it.modules.get(&at)?.items.get(idx))
                        else {
                            continue;
                        };
                        found.add(&public, &alias, entry.clone(), &gates);
                        if entry.kind == NodeKind::Module {
                            let below = [public.as_slice(), &[alias]].concat();
                            let inner = [at.as_slice(), std::slice::from_ref(&entry.name)].concat();
                            let gates = [gates.as_slice(), &entry.cfgs].concat();
                            queue.push_back((krate, inner, below, gates));
                        }
                    }
                    Target::Module(krate, at) => {
                        let entry = Entry {
                            kind: NodeKind::Module,
                            name: at.last().cloned().unwrap_or_else(|| krate.to_owned()),
                            at: (krate.to_owned(), String::new(), 0),
                            deprecated: String::new(),
                            cfgs: Vec::new(),
                        };
                        found.add(&public, &alias, entry, &gates);
                        let below = [public.as_slice(), &[alias]].concat();
                        queue.push_back((krate, at, below, gates));
                    }
                }
            }
        }
    }

    /// The public names of a module.
    fn exports(
        &self,
        name: &'a str,
        module: &ModulePath,
        open: &mut BTreeSet<(&'a str, ModulePath)>,
        depth: usize,
    ) -> Vec<(String, Target<'a>, Vec<String>)> {
        let mut found = Vec::new();
        if depth > MAX_CHAIN || !open.insert((name, module.clone())) {
            return found;
        }
        let Some(of) = self.crates.get(name).and_then(|it| it.modules.get(module)) else {
            return found;
        };
        for (idx, (alias, is_public, _)) in of.items.iter().enumerate() {
            if *is_public {
                found.push((alias.clone(), Target::Item(name, module.clone(), idx), Vec::new()));
            }
        }
        for Import { path, alias, cfg, .. } in of.uses.iter().filter(|it| it.is_public) {
            let gates: Vec<String> = cfg.iter().cloned().collect();
            let targets = self.resolve(name, module, path, depth + 1);
            match alias {
                Some(alias) => {
                    let own = targets.into_iter().map(|it| (alias.clone(), it, gates.clone()));
                    found.extend(own);
                }
                None => {
                    for target in targets {
                        let Some((krate, at)) = self.module_at(&target) else { continue };
                        for (alias, it, inner) in self.exports(krate, &at, open, depth + 1) {
                            let gates = gates.iter().cloned().chain(inner).collect();
                            found.push((alias, it, gates));
                        }
                    }
                }
            }
        }
        found
    }

    fn module_at(&self, target: &Target<'a>) -> Option<(&'a str, ModulePath)> {
        match target {
            Target::Module(krate, at) => Some((krate, at.clone())),
            Target::Item(krate, at, idx) => {
                let entry = &self.crates.get(krate)?.modules.get(at)?.items.get(*idx)?.2;
                (entry.kind == NodeKind::Module)
                    .then(|| (*krate, [at.as_slice(), std::slice::from_ref(&entry.name)].concat()))
            }
        }
    }

    /// What a path in a module leads to, private things included.
    fn resolve(
        &self,
        name: &'a str,
        module: &ModulePath,
        path: &[String],
        depth: usize,
    ) -> Vec<Target<'a>> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        if depth > MAX_CHAIN {
            return Vec::new();
        }
        let mut at = match first.as_str() {
            "crate" | "$crate" => vec![Target::Module(name, Vec::new())],
            "self" => vec![Target::Module(name, module.clone())],
            "super" => {
                let above = module.split_last().map(|it| it.1.to_vec()).unwrap_or_default();
                vec![Target::Module(name, above)]
            }
            _ => {
                let mut here = self.member(name, module, first, depth);
                if here.is_empty()
                    && let Some((krate, _)) = self.crates.get_key_value(first.as_str())
                {
                    here = vec![Target::Module(krate, Vec::new())];
                }
                if here.is_empty() {
                    here = self.member(name, &Vec::new(), first, depth);
                }
                here
            }
        };
        for segment in rest {
            let mut next = Vec::new();
            for target in &at {
                let Some((krate, inner)) = self.module_at(target) else { continue };
                if segment == "super" {
                    let above = inner.split_last().map(|it| it.1.to_vec()).unwrap_or_default();
                    next.push(Target::Module(krate, above));
                } else if segment == "self" {
                    next.push(target.clone());
                } else {
                    next.extend(self.member(krate, &inner, segment, depth));
                }
            }
            at = next;
        }
        at
    }

    fn member(
        &self,
        name: &'a str,
        module: &ModulePath,
        of: &str,
        depth: usize,
    ) -> Vec<Target<'a>> {
        let Some(inner) = self.crates.get(name).and_then(|it| it.modules.get(module)) else {
            return Vec::new();
        };
        let Some(left) = self.left.get().checked_sub(1) else { return Vec::new() };
        self.left.set(left);
        let items = inner.items.iter().enumerate().filter(|(_, it)| it.0 == of);
        let mut found: Vec<Target<'a>> =
            items.map(|(idx, _)| Target::Item(name, module.clone(), idx)).collect();
        for Import { path, alias, .. } in &inner.uses {
            match alias {
                Some(alias) if alias == of => {
                    // `use x::x` in the module `x` does not lead to itself.
                    let own = [module.as_slice(), &[of.to_owned()]].concat();
                    if *path != own {
                        found.extend(self.resolve(name, module, path, depth + 1));
                    }
                }
                None if found.is_empty() => {
                    for target in self.resolve(name, module, path, depth + 2) {
                        let Some((krate, at)) = self.module_at(&target) else { continue };
                        if (krate, &at) != (name, module) {
                            found.extend(self.member(krate, &at, of, depth + 2));
                        }
                    }
                }
                _ => {}
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

impl Interface {
    fn add(&mut self, module: &[String], name: &str, mut entry: Entry, cfgs: &[String]) {
        if self.paths.len() > MAX_PATHS {
            return;
        }
        let path = match module.is_empty() {
            true => name.to_owned(),
            false => format!("{}::{name}", module.join("::")),
        };
        entry.cfgs.extend(cfgs.iter().cloned());
        let list = self.paths.entry(path).or_default();
        if !list.iter().any(|it| it.at == entry.at && it.kind == entry.kind) {
            list.push(entry);
        }
    }
}
