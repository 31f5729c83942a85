//! The modules of the project's crates, read from `mod` items.

use std::fmt;
use std::sync::Arc;

use base::{ByteSpan, ProjectPath, SortedMap};
use preserve::outline::{Outline, tokens};
use syntax::places::{Definition, DefinitionKind, places};

use super::supply::raw;
use crate::text::{PlacedText, spelled};

/// Deepest nesting of modules that is read.
const DEEPEST: usize = 64;

/// A crate of the workspace by the file of its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrateRoot {
    /// Its name in paths.
    pub name: String,
    /// Whether other crates can name it.
    pub is_library: bool,
    /// Its root file.
    pub root: ProjectPath,
}

/// A module: number of its crate, and the names below the crate's root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ModulePath {
    /// Index of its crate among the roots.
    pub(super) krate: usize,
    /// Its path, empty for the root.
    pub(super) names: Vec<String>,
}

impl ModulePath {
    pub(super) fn parent(&self) -> Option<Self> {
        let (_, names) = self.names.split_last()?;
        Some(Self { krate: self.krate, names: names.to_vec() })
    }

    pub(super) fn child(&self, name: &str) -> Self {
        let mut names = self.names.clone();
        names.push(name.to_owned());
        Self { krate: self.krate, names }
    }

    /// Whether `other` is this module or inside of it.
    pub(super) fn contains(&self, other: &Self) -> bool {
        self.krate == other.krate && other.names.starts_with(&self.names)
    }

    /// The innermost module that contains both.
    pub(super) fn common(&self, other: &Self) -> Self {
        let both = self.names.iter().zip(&other.names);
        let count = both.take_while(|(a, b)| a == b).count();
        Self { krate: self.krate, names: self.names[..count].to_vec() }
    }
}

/// As a path from its own crate.
impl fmt::Display for ModulePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("crate")?;
        self.names.iter().try_for_each(|it| write!(f, "::{}", raw(it)))
    }
}

impl PlacedText {
    /// The inline modules around a position, outermost first.
    fn inline(&self, at: usize) -> Vec<&Definition> {
        let around = |it: &&Definition| {
            it.kind == DefinitionKind::Module
                && it.body.is_some_and(|body| body.start < at && at < body.end)
        };
        self.places.definitions.iter().filter(around).collect()
    }

    /// Whether a definition is a direct member of a module.
    pub(super) fn is_of_module(&self, of: &Definition) -> bool {
        let around = |it: &Definition| {
            it.kind != DefinitionKind::Module
                && it.name_span != of.name_span
                && it.span.contains(of.span)
        };
        of.owner.is_empty() && !self.places.definitions.iter().any(around)
    }
}

/// Where a module is.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModulePlace {
    /// Index of its file.
    pub(super) file: usize,
    /// Its braces in the file; `None`: the whole file.
    pub(super) body: Option<ByteSpan>,
    /// Whether it is `pub`.
    pub(super) is_pub: bool,
}

/// All modules of the project.
pub(super) struct ModuleTree {
    pub(super) files: Vec<PlacedText>,
    pub(super) roots: Vec<CrateRoot>,
    pub(super) modules: SortedMap<ModulePath, ModulePlace>,
    /// The modules that a whole file is.
    of_file: SortedMap<usize, Vec<ModulePath>>,
    /// The inline modules of each file, outermost first: their braces and names.
    inline: Vec<Vec<(ByteSpan, String)>>,
    /// The definitions that are direct members of each module, by their index in its file.
    members: SortedMap<ModulePath, Vec<usize>>,
    by_path: SortedMap<ProjectPath, usize>,
}

impl ModuleTree {
    pub(super) fn of(files: &[(ProjectPath, Arc<str>)], roots: &[CrateRoot]) -> Self {
        let file = |(path, text): &(ProjectPath, Arc<str>)| PlacedText {
            path: path.clone(),
            text: Arc::clone(text),
            places: places(text),
        };
        let files: Vec<PlacedText> = files.iter().map(file).collect();
        let by_path = files.iter().enumerate().map(|(at, it)| (it.path.clone(), at)).collect();
        let mut tree = Self {
            files,
            roots: roots.to_vec(),
            modules: SortedMap::new(),
            of_file: SortedMap::new(),
            inline: Vec::new(),
            members: SortedMap::new(),
            by_path,
        };
        tree.inline = tree.files.iter().map(inline_modules).collect();
        for (krate, root) in roots.iter().enumerate() {
            if let Some(file) = tree.by_path.get(&root.root).copied() {
                let place = ModulePlace { file, body: None, is_pub: true };
                tree.add(ModulePath { krate, names: Vec::new() }, place);
            }
        }
        tree.members = tree.all_members();
        tree
    }

    fn add(&mut self, root: ModulePath, place: ModulePlace) {
        let mut open = vec![(root, place)];
        while let Some((module, place)) = open.pop() {
            if module.names.len() > DEEPEST || self.modules.contains_key(&module) {
                continue;
            }
            self.modules.insert(module.clone(), place);
            self.of_file.entry(place.file).or_default().push(module.clone());
            let file = &self.files[place.file];
            let mut inner = Vec::new();
            for it in &file.places.definitions {
                if it.kind != DefinitionKind::Module || !file.is_of_module(it) {
                    continue;
                }
                let outer = file.inline(it.name_span.start);
                let names: Vec<&str> = outer.iter().map(|it| it.name.as_str()).collect();
                let parent = names.iter().fold(module.clone(), |path, it| path.child(it));
                let is_pub = visibility(file, it).is_some_and(|it| it == "pub");
                let child = parent.child(&it.name);
                match it.body {
                    Some(body) => {
                        let place = ModulePlace { file: place.file, body: Some(body), is_pub };
                        inner.push((child, place));
                    }
                    None => {
                        let found = self.file_of(file, it, &names, module.names.is_empty());
                        let place = found.map(|file| ModulePlace { file, body: None, is_pub });
                        open.extend(place.map(|it| (child, it)));
                    }
                }
            }
            for (path, place) in inner {
                self.modules.entry(path).or_insert(place);
            }
        }
    }

    /// The file of `mod name;` in inline modules of a file.
    fn file_of(
        &self,
        file: &PlacedText,
        it: &Definition,
        inline: &[&str],
        is_root: bool,
    ) -> Option<usize> {
        let path = &file.path;
        let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
        let stem = path.file_name().trim_end_matches(".rs");
        if let Some(written) = path_attribute(file, it).filter(|_| inline.is_empty()) {
            let path = ProjectPath::new(&format!("{folder}{written}")).ok()?;
            return self.by_path.get(&path).copied();
        }
        let own = match is_root || stem == "mod" {
            true => folder,
            false => format!("{folder}{stem}/"),
        };
        let inside: String = inline.iter().map(|it| format!("{it}/")).collect();
        let name = &it.name;
        [format!("{own}{inside}{name}.rs"), format!("{own}{inside}{name}/mod.rs")]
            .into_iter()
            .find_map(|it| self.by_path.get(&ProjectPath::new(&it).ok()?).copied())
    }

    pub(super) fn file(&self, path: &ProjectPath) -> Option<(usize, &PlacedText)> {
        let at = *self.by_path.get(path)?;
        Some((at, &self.files[at]))
    }

    /// The modules that a position of a file is in: one for each crate that has the file.
    pub(super) fn modules_at(&self, file: usize, at: usize) -> Vec<ModulePath> {
        let inline = &self.inline[file];
        let inline: Vec<&str> = inline
            .iter()
            .filter(|(body, _)| body.start < at && at < body.end)
            .map(|(_, name)| name.as_str())
            .collect();
        let whole = self.of_file.get(&file).map_or(&[][..], Vec::as_slice);
        let inner =
            |module: &ModulePath| inline.iter().fold(module.clone(), |path, it| path.child(it));
        whole.iter().map(inner).collect()
    }

    /// Text of a module: of an inline one with its braces.
    pub(super) fn span(&self, place: &ModulePlace) -> ByteSpan {
        let len = self.files[place.file].text.len();
        place.body.unwrap_or(ByteSpan::new(0, len))
    }

    /// The definitions that are direct members of a module.
    pub(super) fn members(&self, module: &ModulePath) -> Vec<&Definition> {
        let (Some(place), Some(own)) = (self.modules.get(module), self.members.get(module)) else {
            return Vec::new();
        };
        let all = &self.files[place.file].places.definitions;
        own.iter().filter_map(|at| all.get(*at)).collect()
    }

    /// The members of all modules.
    fn all_members(&self) -> SortedMap<ModulePath, Vec<usize>> {
        let mut found: SortedMap<ModulePath, Vec<usize>> = SortedMap::new();
        for (file, text) in self.files.iter().enumerate() {
            let free = free_definitions(text);
            for (at, it) in text.places.definitions.iter().enumerate().filter(|it| free[it.0]) {
                for module in self.modules_at(file, it.name_span.start) {
                    if self.modules.get(&module).is_some_and(|it| it.file == file) {
                        found.entry(module).or_default().push(at);
                    }
                }
            }
        }
        found
    }

    /// Whether other crates can name the module.
    pub(super) fn is_public(&self, module: &ModulePath) -> bool {
        let root = self.roots.get(module.krate).is_some_and(|it| it.is_library);
        let mut path = ModulePath { krate: module.krate, names: Vec::new() };
        root && module.names.iter().all(|name| {
            path = path.child(name);
            self.modules.get(&path).is_some_and(|it| it.is_pub)
        })
    }

    /// The library of the workspace with this name.
    pub(super) fn library(&self, name: &str) -> Option<ModulePath> {
        let krate = self.roots.iter().position(|it| it.is_library && it.name == name)?;
        Some(ModulePath { krate, names: Vec::new() })
    }
}

/// The inline modules of a text by their braces, outermost first.
fn inline_modules(text: &PlacedText) -> Vec<(ByteSpan, String)> {
    let all = text.places.definitions.iter().filter(|it| it.kind == DefinitionKind::Module);
    all.filter_map(|it| Some((it.body?, it.name.clone()))).collect()
}

/// Of each definition whether it is in none that is no module, and belongs to none.
fn free_definitions(text: &PlacedText) -> Vec<bool> {
    let all = &text.places.definitions;
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|at| (all[*at].span.start, std::cmp::Reverse(all[*at].span.end)));
    let mut found = vec![false; all.len()];
    // The end of what begins before.
    let mut end = 0;
    for at in order {
        let it = &all[at];
        found[at] = it.owner.is_empty() && end < it.span.end;
        if it.kind != DefinitionKind::Module {
            end = end.max(it.span.end);
        }
    }
    found
}

/// The visibility of a definition as written, in one spelling; `None` if it has none.
pub(super) fn visibility(file: &PlacedText, it: &Definition) -> Option<String> {
    visibility_span(&file.text, it).and_then(|span| span.slice(&file.text)).map(spelled)
}

/// The tokens of a definition's visibility.
pub(super) fn visibility_span(text: &str, it: &Definition) -> Option<ByteSpan> {
    let start = it.span.start;
    let head = text.get(start..it.name_span.start)?;
    let outline = Outline::of(head);
    let after = outline.attributes.iter().map(|it| it.end + 1).max().unwrap_or(0);
    let list = outline.tokens.get(after..)?;
    if !list.first()?.is("pub") {
        return None;
    }
    let end = match list.get(1).is_some_and(|it| it.is("(")) {
        true => list.iter().find(|it| it.is(")"))?.span.end,
        false => list[0].span.end,
    };
    Some(ByteSpan::new(start + list[0].span.start, start + end))
}

/// The file in `#[path = "…"]`.
fn path_attribute(file: &PlacedText, it: &Definition) -> Option<String> {
    let head = file.text.get(it.span.start..it.name_span.start)?;
    let list = tokens(head);
    let at = list.windows(3).position(|it| it[0].is("path") && it[1].is("="))?;
    let before = at.checked_sub(1).is_some_and(|it| list[it].is("["));
    let text = list[at + 2].text.strip_prefix('"')?.strip_suffix('"')?;
    before.then(|| text.trim_start_matches("./").to_owned())
}
