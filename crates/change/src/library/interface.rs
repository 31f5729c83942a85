//! The public paths of a crate, through modules and re-exports.

use std::cell::Cell;
use std::collections::VecDeque;

use base::{SortedMap, SortedSet};
use syntax::NodeKind;

use super::Release;
use super::modules::{Crate, Import, ModulePath};

/// Most public paths of a crate.
const MAX_PATHS: usize = 30_000;
/// Most modules below each other.
pub(super) const MAX_DEPTH: usize = 8;
/// Most public paths of one module.
const MAX_ALIASES: usize = 3;
/// Most re-exports in a chain.
const MAX_CHAIN: usize = 8;
/// Most lookups of a name in a module.
const MAX_LOOKUPS: usize = 2_000_000;

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
    paths: SortedMap<String, Vec<Entry>>,
    by_name: SortedMap<String, Vec<String>>,
    /// The `cfg` predicates of the module that a file is, by crate and file.
    file_cfgs: SortedMap<(String, String), Vec<String>>,
}

impl Interface {
    pub(crate) fn of(release: &Release) -> Self {
        let crates: SortedMap<&str, Crate> =
            release.crates.iter().map(|(name, it)| (name.as_str(), Crate::of(name, it))).collect();
        let mut found = Self::default();
        for (name, source) in &crates {
            let own = source.file_cfgs.iter();
            let own = own.map(|(file, cfgs)| (((*name).to_owned(), file.clone()), cfgs.clone()));
            found.file_cfgs.extend(own);
        }
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

    /// The `cfg` predicates of the module that a file of a crate is; `None` if it is none.
    pub(crate) fn file_cfgs(&self, name: &str, file: &str) -> Option<&[String]> {
        self.file_cfgs.get(&(name.to_owned(), file.to_owned())).map(Vec::as_slice)
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

/// What a path inside of a crate leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target<'a> {
    Module(&'a str, ModulePath),
    Item(&'a str, ModulePath, usize),
}

/// Finds the public paths.
struct Walk<'a> {
    crates: &'a SortedMap<&'a str, Crate>,
    /// Lookups that are left, since re-exports may lead in circles.
    left: Cell<usize>,
}

type Queued<'a> = (&'a str, ModulePath, Vec<String>, Vec<String>);

impl<'a> Walk<'a> {
    fn fill(&self, root: &'a str, found: &mut Interface) {
        let mut aliases: SortedMap<(&str, ModulePath), usize> = SortedMap::new();
        let mut queue: VecDeque<Queued<'a>> =
            VecDeque::from([(root, Vec::new(), Vec::new(), Vec::new())]);
        while let Some((name, module, public, cfgs)) = queue.pop_front() {
            let seen = aliases.entry((name, module.clone())).or_default();
            *seen += 1;
            if *seen > MAX_ALIASES || public.len() > MAX_DEPTH || found.paths.len() > MAX_PATHS {
                continue;
            }
            if !self.crates.contains_key(name) {
                continue;
            }
            for (name, entry) in self.macros(name, &module, 0) {
                found.add(&public, &name, entry, &cfgs);
            }
            let mut open = SortedSet::new();
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

    /// The exported macros that a module shows: those of its crate in the root, and those of the crates
    /// whose root it re-exports whole.
    fn macros(&self, name: &'a str, module: &ModulePath, depth: usize) -> Vec<(String, Entry)> {
        let Some(source) = self.crates.get(name).filter(|_| depth <= MAX_CHAIN) else {
            return Vec::new();
        };
        let mut found = if module.is_empty() { source.macros.clone() } else { Vec::new() };
        let uses = source.modules.get(module).map_or(&[][..], |it| &it.uses);
        for Import { path, cfg, .. } in uses.iter().filter(|it| it.is_public && it.alias.is_none())
        {
            for target in self.resolve(name, module, path, depth + 1) {
                let Target::Module(krate, at) = target else { continue };
                if krate == name || !at.is_empty() {
                    continue;
                }
                let gated = |(name, mut entry): (String, Entry)| {
                    entry.cfgs.extend(cfg.iter().cloned());
                    (name, entry)
                };
                found.extend(self.macros(krate, &at, depth + 1).into_iter().map(gated));
            }
        }
        found
    }

    /// The public names of a module.
    fn exports(
        &self,
        name: &'a str,
        module: &ModulePath,
        open: &mut SortedSet<(&'a str, ModulePath)>,
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
