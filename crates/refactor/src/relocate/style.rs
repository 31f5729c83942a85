//! How a module writes its imports: one declaration for the names of a path or several, and blocks.

use base::ByteSpan;
use preserve::outline::{ElementKind, Outline};

use super::modules::ModulePath;
use super::pieces::is_outermost;
use super::scope::Scopes;
use super::supply::NewImport;
use super::uses::{UseItem, UseLeaf};
use crate::text::{PlacedText, line_start};

/// The kind of block for a path: the standard library, other crates, the own crate.
pub(super) fn kind(scopes: &Scopes, module: &ModulePath, first: &str) -> u8 {
    let is_own = |first: &str| {
        scopes.resolve(module, &[first], false).is_some_and(|it| it.krate == module.krate)
    };
    match first.trim_start_matches("r#") {
        "std" | "core" | "alloc" => 0,
        "crate" | "self" | "super" => 2,
        first if is_own(first) => 2,
        _ => 1,
    }
}

/// The imports that a module has, each on lines of its own.
pub(super) struct Present<'s> {
    pub(super) scopes: &'s Scopes,
    pub(super) module: &'s ModulePath,
    pub(super) file: Option<&'s PlacedText>,
    pub(super) items: Vec<&'s UseItem>,
    /// Runs of declarations without a blank line or other code between them.
    pub(super) blocks: Vec<Vec<&'s UseItem>>,
}

impl<'s> Present<'s> {
    pub(super) fn of(scopes: &'s Scopes, module: &'s ModulePath) -> Self {
        let file = scopes.place(module).map(|it| it.1);
        let mut items = scopes.uses_of(module);
        if let Some(file) = file {
            let text: &str = &file.text;
            let outline = Outline::of(text);
            let start = |at: usize| outline.tokens.get(at).map_or(0, |it| it.span.start);
            let imports = outline
                .elements
                .iter()
                .filter(|it| it.kind == ElementKind::Import && is_outermost(file, &outline, it));
            let starts: Vec<usize> = imports.map(|it| start(it.start)).collect();
            items.retain(|it| {
                let line = line_start(text, it.span.start);
                let is_alone = text[line..it.span.start].trim().is_empty();
                is_alone && !it.leaves.is_empty() && starts.contains(&it.span.start)
            });
        }
        let mut blocks: Vec<Vec<&UseItem>> = Vec::new();
        for item in &items {
            let last = blocks.last_mut().filter(|block| {
                let end = block.last().map_or(0, |it| it.span.end);
                let gap = file.map_or("", |it| it.slice(ByteSpan::new(end, item.span.start)));
                gap.trim().is_empty() && gap.matches('\n').count() == 1
            });
            match last {
                Some(block) => block.push(item),
                None => blocks.push(vec![item]),
            }
        }
        Self { scopes, module, file, items, blocks }
    }

    /// Whether the module has an import already.
    pub(super) fn has(&self, (visibility, import): &(String, NewImport)) -> bool {
        let leaves =
            self.items.iter().flat_map(|item| item.leaves.iter().map(move |it| (item, it)));
        let mut same = leaves.filter(|(item, _)| {
            item.visibility.trim() == visibility.trim() && item.attributes == import.attributes
        });
        same.any(|(_, leaf)| {
            let path = self.scopes.absolute(self.module, &leaf.names(), leaf.is_global);
            let last = path.rsplit("::").next().unwrap_or("").trim_start_matches("r#");
            import.tree
                == match leaf.is_glob() {
                    true => format!("{path}::*"),
                    false if last == leaf.name => path,
                    false => format!("{path} as {}", leaf.name),
                }
        })
    }

    /// Whether names of one path are in one declaration; `None` if nothing shows it.
    fn is_merged(&self) -> Option<bool> {
        if self.items.iter().any(|it| it.leaves.len() > 1) {
            return Some(true);
        }
        let mut prefixes: Vec<String> =
            self.items.iter().filter_map(|it| self.prefix(it.leaves.first()?)).collect();
        let count = prefixes.len();
        prefixes.sort_unstable();
        prefixes.dedup();
        (prefixes.len() < count).then_some(false)
    }

    /// Whether blank lines part imports of different kinds; `None` if there is one declaration or none.
    fn has_blocks(&self) -> Option<bool> {
        let kinds: Vec<u8> = self.items.iter().filter_map(|it| self.kind(it)).collect();
        let is_mixed = kinds.windows(2).any(|it| it[0] != it[1]);
        is_mixed.then(|| {
            let alone = |block: &Vec<&UseItem>| {
                let mut kinds = block.iter().filter_map(|it| self.kind(it));
                let first = kinds.next();
                kinds.all(|it| Some(it) == first)
            };
            self.blocks.len() > 1 && self.blocks.iter().all(alone)
        })
    }

    pub(super) fn kind(&self, item: &UseItem) -> Option<u8> {
        let leaf = item.leaves.first()?;
        Some(kind(self.scopes, self.module, leaf.names().first()?))
    }

    /// The path before the name of a leaf, as every module of the crate can write it; `None` for a glob
    /// and a name alone.
    pub(super) fn prefix(&self, leaf: &UseLeaf) -> Option<String> {
        let names = leaf.names();
        let is_self = self.file.is_some_and(|it| it.slice(leaf.end) == "self");
        let before = if is_self { &names[..] } else { names.split_last()?.1 };
        let is_path = !leaf.is_glob() && !before.is_empty();
        is_path.then(|| self.scopes.absolute(self.module, before, leaf.is_global))
    }
}

/// How a module writes its imports.
pub(super) struct Style {
    pub(super) is_merged: bool,
    pub(super) has_blocks: bool,
}

impl Style {
    pub(super) fn of(own: &Present<'_>, like: &Present<'_>) -> Self {
        Self {
            is_merged: own.is_merged().or(like.is_merged()).unwrap_or(false),
            has_blocks: own.has_blocks().or(like.has_blocks()).unwrap_or(false),
        }
    }
}
