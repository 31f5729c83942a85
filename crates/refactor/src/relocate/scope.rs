//! What a path names, as far as `mod` and `use` declarations show.

use super::modules::{CrateRoot, ModulePath, ModulePlace, ModuleTree};
use super::uses::{UseItem, UseLeaf, use_items};
use crate::text::PlacedText;
use std::sync::{Arc, Mutex, PoisonError};

use base::{ByteSpan, ProjectPath, SortedMap, SortedSet};
use preserve::outline::Token;
use syntax::places::Definition;

/// Most imports in a row that are followed to write one path.
const DEEPEST: usize = 8;

/// A name in a module.
type Named = (ModulePath, String);

/// The names that one search has asked for: imports of modules may lead in circles, and through many
/// globs to one module.
type Asked = SortedSet<Named>;

/// The modules of the project with their imports.
pub(super) struct Scopes {
    pub(super) tree: ModuleTree,
    /// The imports of each file.
    uses: Vec<Vec<UseItem>>,
    /// Those of each module, by file and index.
    of_module: SortedMap<ModulePath, Vec<(usize, usize)>>,
    /// Results of whole searches.
    found: Mutex<SortedMap<Named, Option<ModulePath>>>,
}

impl Scopes {
    pub(super) fn of(files: &[(ProjectPath, Arc<str>)], roots: &[CrateRoot]) -> Self {
        let tree = ModuleTree::of(files, roots);
        let uses: Vec<Vec<UseItem>> = tree.files.iter().map(|it| use_items(&it.text)).collect();
        let mut of_module: SortedMap<ModulePath, Vec<(usize, usize)>> = SortedMap::new();
        for (file, items) in uses.iter().enumerate() {
            for (at, item) in items.iter().enumerate() {
                for module in tree.modules_at(file, item.span.start) {
                    of_module.entry(module).or_default().push((file, at));
                }
            }
        }
        Self { tree, uses, of_module, found: Mutex::default() }
    }

    pub(super) fn file(&self, at: usize) -> &PlacedText {
        &self.tree.files[at]
    }

    pub(super) fn use_items(&self, file: usize) -> &[UseItem] {
        &self.uses[file]
    }

    /// The file and text of a module.
    pub(super) fn place(&self, module: &ModulePath) -> Option<(ModulePlace, &PlacedText)> {
        let place = *self.tree.modules.get(module)?;
        Some((place, &self.tree.files[place.file]))
    }

    /// Whether a position is in this module and in none inside of it.
    pub(super) fn is_directly_in(&self, module: &ModulePath, file: usize, at: usize) -> bool {
        self.tree.modules_at(file, at).contains(module)
    }

    /// The declarations of a module, those in its functions included.
    pub(super) fn uses_of(&self, module: &ModulePath) -> Vec<&UseItem> {
        let Some(place) = self.tree.modules.get(module) else { return Vec::new() };
        let own = self.of_module.get(module).map_or(&[][..], Vec::as_slice);
        let own = own.iter().filter(|(file, _)| *file == place.file);
        own.filter_map(|(file, at)| self.uses[*file].get(*at)).collect()
    }

    pub(super) fn leaves_of(
        &self,
        module: &ModulePath,
    ) -> impl Iterator<Item = (&UseItem, &UseLeaf)> {
        self.uses_of(module)
            .into_iter()
            .flat_map(|item| item.leaves.iter().map(move |it| (item, it)))
    }

    /// The member of a module with this name, other than fields and variants.
    pub(super) fn member(&self, module: &ModulePath, name: &str) -> Option<&Definition> {
        self.tree.members(module).into_iter().find(|it| it.name == name)
    }

    /// The module that a path names in a module; `None` if it names no module of the workspace.
    pub(super) fn resolve(
        &self,
        scope: &ModulePath,
        path: &[&str],
        is_global: bool,
    ) -> Option<ModulePath> {
        self.resolve_below(scope, path, is_global, &mut Asked::new())
    }

    fn resolve_below(
        &self,
        scope: &ModulePath,
        path: &[&str],
        is_global: bool,
        asked: &mut Asked,
    ) -> Option<ModulePath> {
        let (first, mut rest) = path.split_first()?;
        let root = ModulePath { krate: scope.krate, names: Vec::new() };
        let mut now = match *first {
            "crate" => root,
            "$crate" => root,
            "self" => scope.clone(),
            "super" => scope.parent()?,
            name if is_global => self.tree.library(name)?,
            name => self
                .inner(scope, name, asked)
                .or_else(|| self.tree.library(name))
                // In edition 2015 imports begin at the root.
                .or_else(|| {
                    Some(root.child(name)).filter(|it| self.tree.modules.contains_key(it))
                })?,
        };
        while let Some((name, after)) = rest.split_first() {
            now = match *name {
                "super" => now.parent()?,
                "self" => now,
                name => self.inner(&now, name, asked)?,
            };
            rest = after;
        }
        Some(now)
    }

    /// The module with this name in a module, by `mod` or `use`. Each name of a module is searched
    /// for once in a search; what a whole search found is kept.
    fn inner(&self, module: &ModulePath, name: &str, asked: &mut Asked) -> Option<ModulePath> {
        let name = name.trim_start_matches("r#");
        let child = module.child(name);
        if self.tree.modules.contains_key(&child) {
            return Some(child);
        }
        let is_whole = asked.is_empty();
        let named = (module.clone(), name.to_owned());
        if let Some(known) = self.found().get(&named) {
            return known.clone();
        }
        if !asked.insert(named.clone()) {
            return None;
        }
        let found = self.imported(module, name, asked);
        if is_whole {
            asked.clear();
            self.found().insert(named, found.clone());
        }
        found
    }

    /// The module that a module imports under this name.
    fn imported(&self, module: &ModulePath, name: &str, asked: &mut Asked) -> Option<ModulePath> {
        let mut globs = Vec::new();
        for (_, leaf) in self.leaves_of(module) {
            let names = leaf.names();
            // `use name;` leads nowhere else.
            if leaf.name == name && names != [name] {
                return self.resolve_below(module, &names, leaf.is_global, asked);
            }
            if leaf.is_glob() {
                globs.push(leaf);
            }
        }
        globs.into_iter().find_map(|leaf| {
            let of = self.resolve_below(module, &leaf.names(), leaf.is_global, asked)?;
            if of == *module { None } else { self.inner(&of, name, asked) }
        })
    }

    fn found(&self) -> std::sync::MutexGuard<'_, SortedMap<Named, Option<ModulePath>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A path of `scope` as every module of the same crate can write it.
    pub(super) fn absolute(&self, scope: &ModulePath, path: &[&str], is_global: bool) -> String {
        self.absolute_below(scope, path, is_global, DEEPEST)
    }

    fn absolute_below(
        &self,
        scope: &ModulePath,
        path: &[&str],
        is_global: bool,
        depth: usize,
    ) -> String {
        let written = path.join("::");
        if is_global {
            return format!("::{written}");
        }
        let Some((first, rest)) = path.split_first() else { return written };
        if matches!(*first, "crate" | "$crate") {
            return written;
        }
        let with = |head: String| match rest.is_empty() {
            true => head,
            false => format!("{head}::{}", rest.join("::")),
        };
        let runs = path.iter().take_while(|it| matches!(**it, "self" | "super")).count();
        if runs > 0 {
            let Some(module) = self.resolve(scope, &path[..runs], false) else { return written };
            let rest = &path[runs..];
            let head = module.to_string();
            return [&[head.as_str()], rest].concat().join("::");
        }
        if self.member(scope, first.trim_start_matches("r#")).is_some() {
            return with(format!("{scope}::{first}"));
        }
        let named = first.trim_start_matches("r#");
        let mut leaves = self.leaves_of(scope);
        let leaf = leaves.find(|(_, it)| it.name == named && it.names() != [*first]);
        match (leaf, depth.checked_sub(1)) {
            (Some((_, leaf)), Some(depth)) => {
                with(self.absolute_below(scope, &leaf.names(), leaf.is_global, depth))
            }
            _ => written,
        }
    }
}

/// The path that ends before a token: its segments, and where it begins.
pub(super) struct Before<'t> {
    pub(super) path: Vec<&'t str>,
    pub(super) start: usize,
    pub(super) is_global: bool,
}

/// The path before the name at an index; `None` if the name is no path or that of a member of a type.
pub(super) fn before<'t>(tokens: &[Token<'t>], at: usize) -> Option<Before<'t>> {
    let text = |at: usize| tokens.get(at).map_or("", |it| it.text);
    let mut path: Vec<&'t str> = Vec::new();
    let mut first = at;
    let mut is_global = false;
    while first >= 1 && text(first - 1) == "::" {
        let Some(name) = first.checked_sub(2).map(|it| tokens[it]) else {
            is_global = true;
            first -= 1;
            break;
        };
        let is_word = name.kind == preserve::outline::TokenKind::Word;
        if matches!(name.text, ">" | ")" | "]") || name.text == "Self" {
            return None;
        }
        if !is_word || is_keyword(name.text) {
            is_global = true;
            first -= 1;
            break;
        }
        first -= 2;
        path.insert(0, name.text);
    }
    if first > 0 && path.first() == Some(&"crate") && text(first - 1) == "$" {
        first -= 1;
        path[0] = "$crate";
    }
    let previous = first.checked_sub(1).map_or("", text);
    if matches!(previous, "." | "$") && path.first() != Some(&"$crate") {
        return None;
    }
    Some(Before { path, start: tokens[first].span.start, is_global })
}

fn is_keyword(text: &str) -> bool {
    !matches!(text, "crate" | "self" | "super") && preserve::outline::is_keyword(text)
}

/// The span of tokens from one to another.
pub(super) fn between(start: usize, end: usize) -> ByteSpan {
    ByteSpan::new(start, end.max(start))
}
