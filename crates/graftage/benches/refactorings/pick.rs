//! Random cases: an item and what a user would change about it. The choice depends on the definitions
//! and the seed, never on the program under test. [`Picker::next`] is the entry.

use base::{SortedMap, SortedSet};

use crate::items::{Definition, ItemKind};

/// Generator of the choices (SplitMix64).
#[derive(Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

/// One refactoring of one item.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Kind of `--kinds`.
    pub(crate) kind: &'static str,
    /// Subcommand of `refactor` and its arguments.
    pub(crate) command: Vec<String>,
    pub(crate) item: Definition,
    /// New name, of a rename.
    pub(crate) to: Option<String>,
    /// True if no item had the new name before.
    pub(crate) fresh: bool,
}

/// Source of cases of one workspace.
#[derive(Debug)]
pub(crate) struct Picker {
    dice: Dice,
    kinds: Vec<&'static str>,
    items: Vec<Definition>,
    /// Files that are modules, by the folder of sources of their package.
    modules: SortedMap<String, Vec<String>>,
    used: SortedSet<String>,
}

impl Picker {
    /// Picks from `items`; `sources` are the folders of sources of the packages.
    pub(crate) fn new(
        seed: u64,
        kinds: Vec<&'static str>,
        items: Vec<Definition>,
        (sources, files): (&[String], &[String]),
    ) -> Self {
        let mut modules = SortedMap::new();
        for folder in sources {
            let has_library = files.contains(&format!("{folder}lib.rs"));
            let of_package = files.iter().filter(|file| {
                let inner = file.strip_prefix(folder.as_str());
                inner.is_some_and(|it| !it.starts_with("bin/") && (it != "main.rs" || !has_library))
            });
            modules.insert(folder.clone(), of_package.cloned().collect());
        }
        Self { dice: Dice(seed), kinds, items, modules, used: SortedSet::new() }
    }

    /// Next case; `None` if nothing is left to pick.
    pub(crate) fn next(&mut self) -> Option<Case> {
        for _ in 0..1_000 {
            let renames = self.kinds.contains(&"rename") && self.dice.below(2) == 0;
            let others: Vec<_> = self.kinds.iter().copied().filter(|it| *it != "rename").collect();
            let kind =
                if renames || others.is_empty() { "rename" } else { self.dice.one(&others)? };
            let case = match kind {
                "rename" => self.rename(),
                "move" => self.relocation(),
                "inline" => self.inline(),
                _ => self.parameter(),
            };
            let Some(case) = case else { continue };
            let place = format!("{}:{}:{}", case.item.file, case.item.line, case.item.column);
            if self.used.insert(format!("{} {place}", case.command[0])) {
                return Some(case);
            }
        }
        None
    }

    /// Random item of a random kind among those that `fits` accepts.
    fn item(&mut self, fits: impl Fn(&Definition) -> bool) -> Option<Definition> {
        let fitting: Vec<Definition> = self.items.iter().filter(|it| fits(it)).cloned().collect();
        let kinds: SortedSet<ItemKind> = fitting.iter().map(|it| it.kind).collect();
        let kinds: Vec<ItemKind> = kinds.into_iter().collect();
        let kind = *self.dice.one(&kinds)?;
        let of_kind: Vec<Definition> = fitting.into_iter().filter(|it| it.kind == kind).collect();
        self.dice.one(&of_kind).cloned()
    }

    fn rename(&mut self) -> Option<Case> {
        let item = self.item(|it| it.name != "main")?;
        let same_kind: Vec<String> = self
            .items
            .iter()
            .filter(|it| it.kind == item.kind && it.name != item.name)
            .map(|it| it.name.clone())
            .collect();
        let fresh = same_kind.is_empty() || self.dice.below(6) > 0;
        let to = if fresh { fresh_name(&item.name) } else { self.dice.one(&same_kind)?.clone() };
        let command = vec!["rename".to_owned(), place(&item), to.clone()];
        Some(Case { kind: "rename", command, item, to: Some(to), fresh })
    }

    fn relocation(&mut self) -> Option<Case> {
        let sources: Vec<String> = self
            .modules
            .iter()
            .filter(|(_, files)| files.len() > 1)
            .map(|(it, _)| it.clone())
            .collect();
        let source = |file: &str| sources.iter().find(|it| file.starts_with(it.as_str())).cloned();
        let item = self.item(|it| {
            it.free
                && !it.is_test
                && !matches!(it.kind, "module" | "macro")
                && source(&it.file).is_some()
        })?;
        let others: Vec<String> = self.modules[&source(&item.file)?]
            .iter()
            .filter(|it| **it != item.file)
            .cloned()
            .collect();
        let module = self.dice.one(&others)?.clone();
        let command = vec!["move".to_owned(), place(&item), module];
        Some(Case { kind: "move", command, item, to: None, fresh: false })
    }

    fn inline(&mut self) -> Option<Case> {
        let item = self.item(|it| {
            let kind = matches!(
                it.kind,
                "function" | "method" | "constant" | "associated constant" | "type alias"
            );
            kind && it.name != "main" && !it.is_test
        })?;
        let mut command = vec!["inline".to_owned(), place(&item)];
        if item.public {
            command.push("--keep".to_owned());
        }
        Some(Case { kind: "inline", command, item, to: None, fresh: false })
    }

    fn parameter(&mut self) -> Option<Case> {
        let what = self.dice.below(5);
        let is_function = |it: &Definition| {
            matches!(it.kind, "function" | "method" | "trait method")
                && it.name != "main"
                && !it.is_test
        };
        let item = self.item(|it| match what {
            0 | 1 => is_function(it),
            2 => is_function(it) && !it.parameters.is_empty(),
            3 => is_function(it) && it.parameters.len() > 1,
            _ => it.has_fields,
        })?;
        let mut command = match what {
            0 | 1 => words(&["add-parameter", &place(&item), "added: bool", "--value", "false"]),
            2 => words(&["remove-parameter", &place(&item), self.dice.one(&item.parameters)?]),
            3 => words(&["reorder", &place(&item)]),
            _ => words(&["add-field", &place(&item), "added: bool", "--value", "false"]),
        };
        if what == 3 {
            let mut names = item.parameters.clone();
            let by = 1 + self.dice.below(names.len() - 1);
            names.rotate_left(by);
            command.push(names.join(","));
        }
        if what == 1 {
            command.extend(words(&["--at", "1"]));
        }
        Some(Case { kind: "parameter", command, item, to: None, fresh: false })
    }
}

fn words(of: &[&str]) -> Vec<String> {
    of.iter().map(|it| (*it).to_owned()).collect()
}

fn place(item: &Definition) -> String {
    format!("{}:{}:{}", item.file, item.line, item.column)
}

/// Name that no item has, in the case of `name`.
fn fresh_name(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    if name.chars().next().is_some_and(char::is_lowercase) || name.starts_with('_') {
        format!("{}_fresh", name.trim_end_matches('_'))
    } else if name.len() > 1 && !name.chars().any(char::is_lowercase) {
        format!("{name}_FRESH")
    } else {
        format!("{name}Fresh")
    }
}
