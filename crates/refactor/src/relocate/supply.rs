//! How the moved code reaches what it needs from its old module.

use base::{ByteSpan, SortedMap};
use preserve::outline::{Outline, Token, TokenKind, tokens};
use syntax::places::{Definition, DefinitionKind};

use super::modules::{ModulePath, visibility};
use super::needs::Head;
use super::request::written_cfgs;
use super::scope::Scopes;
use super::uses::{UseItem, UseLeaf, use_items};

/// An import that the target needs, without its path's beginning being relative.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NewImport {
    /// Path of what is imported, `as` included.
    pub(super) tree: String,
    /// Its `cfg`s.
    pub(super) attributes: Vec<String>,
}

impl NewImport {
    pub(super) fn of(tree: String) -> Self {
        Self { tree, attributes: Vec::new() }
    }

    /// Puts it behind `#[cfg(test)]` where only tests of a file with other code use its name.
    pub(super) fn gate(&mut self, text: &str) {
        let name = self.tree.rsplit(" as ").next().and_then(|it| it.rsplit("::").next());
        let name = name.unwrap_or("").trim_start_matches("r#");
        if !self.attributes.is_empty() || matches!(name, "_" | "*") {
            return;
        }
        let outline = Outline::of(text);
        let items = use_items(text);
        let is_use = |it: &&Token<'_>| {
            it.text.trim_start_matches("r#") == name
                && !items.iter().any(|item| item.span.contains(it.span))
        };
        let in_test =
            |it: &Token<'_>| outline.gates(text, it.span.start).iter().any(|it| it == "test");
        let mut uses = outline.tokens.iter().filter(is_use).peekable();
        // What is within a module of tests has its own imports, or those of the file by a glob.
        if uses.peek().is_some() && uses.all(in_test) {
            self.attributes.push("#[cfg(test)]".to_owned());
        }
    }

    /// The declaration at an indentation.
    pub(super) fn code(&self, visibility: &str, indent: &str) -> String {
        let attributes: String =
            self.attributes.iter().map(|it| format!("{it}\n{indent}")).collect();
        format!("{attributes}{visibility}use {};", self.tree)
    }
}

/// Where a name of the old module comes from.
pub(super) enum Origin<'s> {
    /// An import of it, by its last token.
    Import { leaf: &'s UseLeaf },
    /// A definition of the old module.
    Member(&'s Definition),
    /// A glob.
    Glob,
    /// The standard prelude.
    Prelude,
}

/// A name with what makes it available in the target.
pub(super) struct Supply<'s> {
    pub(super) name: String,
    pub(super) origin: Origin<'s>,
    /// The imports; none if the target has the name already.
    pub(super) imports: Vec<NewImport>,
    /// The path for each use instead, where the target has the name for something else.
    pub(super) qualified: Option<String>,
}

/// The old and the new module of an item.
pub(super) struct Ends<'s> {
    pub(super) scopes: &'s Scopes,
    pub(super) from: &'s ModulePath,
    pub(super) to: &'s ModulePath,
    /// The item's own name.
    pub(super) name: &'s str,
}

impl<'s> Ends<'s> {
    /// What the names of the moved code need; unknown names (of the prelude, of dependencies, of
    /// globs of other crates) need nothing that can be seen here.
    pub(super) fn supplies(&self, heads: &SortedMap<String, Head>) -> Vec<Supply<'s>> {
        let others = heads.iter().filter(|(name, _)| *name != self.name);
        others.filter_map(|(name, head)| self.supply(name, head)).collect()
    }

    fn supply(&self, name: &str, head: &Head) -> Option<Supply<'s>> {
        let (origin, imports) = self.origin(name)?;
        if head.is_macro
            && matches!(&origin, Origin::Member(it) if it.kind == DefinitionKind::Macro)
        {
            // The text before the use defines it.
            return None;
        }
        let mut supply = Supply { name: name.to_owned(), origin, imports, qualified: None };
        match self.in_target(name, &supply.imports) {
            Present::Same => supply.imports.clear(),
            Present::Other => {
                let tree = supply.imports.drain(..).next()?.tree;
                supply.qualified = tree.split(" as ").next().map(str::to_owned);
            }
            Present::No => {}
        }
        Some(supply)
    }

    /// Where the old module has a name from, and the imports that give it to another module.
    pub(super) fn origin(&self, name: &str) -> Option<(Origin<'s>, Vec<NewImport>)> {
        let leaves: Vec<(&UseItem, &UseLeaf)> =
            self.scopes.leaves_of(self.from).filter(|(_, it)| it.name == name).collect();
        if let Some((_, leaf)) = leaves.first() {
            let imports = leaves.iter().map(|(item, it)| self.copied(item, it)).collect();
            return Some((Origin::Import { leaf }, imports));
        }
        if let Some(member) = self.scopes.member(self.from, name) {
            let tree = format!("{}::{}", self.from, raw(name));
            let import = NewImport { attributes: self.conditions(name), ..NewImport::of(tree) };
            return Some((Origin::Member(member), vec![import]));
        }
        self.through_globs(self.from, name, 4).map(|tree| (Origin::Glob, vec![NewImport::of(tree)]))
    }

    /// The `cfg`s of the only member of a name of the old module; without them an import of it would not build.
    fn conditions(&self, name: &str) -> Vec<String> {
        let all = self.scopes.tree.members(self.from).into_iter();
        let all: Vec<&Definition> = all.filter(|it| it.name == name).collect();
        let (Some((_, file)), [only]) = (self.scopes.place(self.from), all.as_slice()) else {
            return Vec::new();
        };
        let head = file.text.get(only.span.start..only.name_span.start).unwrap_or("");
        written_cfgs(head).into_iter().map(str::to_owned).collect()
    }

    /// The imports that bring a trait into another module, where the old one has it without a name.
    pub(super) fn unnamed(&self, name: &str) -> Vec<NewImport> {
        let leaves = self.scopes.leaves_of(self.from).filter(|(_, it)| {
            it.name == "_"
                && it.names().last().is_some_and(|it| it.trim_start_matches("r#") == name)
        });
        leaves.map(|(item, it)| self.copied(item, it)).collect()
    }

    /// An import of the old module for another one.
    pub(super) fn copied(&self, item: &UseItem, leaf: &UseLeaf) -> NewImport {
        let path = self.scopes.absolute(self.from, &leaf.names(), leaf.is_global);
        let last = path.rsplit("::").next().unwrap_or("");
        let tree = match leaf.name.as_str() {
            "*" => format!("{path}::*"),
            name if name == last.trim_start_matches("r#") => path,
            name => format!("{path} as {name}"),
        };
        let attributes = item.attributes.iter().filter(|it| it.contains("cfg")).cloned().collect();
        NewImport { tree, attributes }
    }

    /// The path of a name that a module has by a glob of a module of the workspace or of an enum.
    pub(super) fn through_globs(
        &self,
        module: &ModulePath,
        name: &str,
        depth: usize,
    ) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        for (_, leaf) in self.scopes.leaves_of(module).filter(|(_, it)| it.is_glob()) {
            let names = leaf.names();
            if let Some(of) = self.scopes.resolve(module, &names, leaf.is_global) {
                let own = self.scopes.member(&of, name).is_some()
                    || self.scopes.leaves_of(&of).any(|(_, it)| it.name == name);
                if own {
                    return Some(self.path_for(&of, name));
                }
                if of != *module
                    && let Some(found) = self.through_globs(&of, name, depth)
                {
                    return Some(found);
                }
                continue;
            }
            // The variants of an enum.
            let of = names.last()?.trim_start_matches("r#");
            let has = self.scopes.tree.files.iter().any(|file| {
                let variants = file.places.definitions.iter();
                variants
                    .filter(|it| it.kind == DefinitionKind::Variant)
                    .any(|it| it.owner == of && it.name == name)
            });
            if has {
                let path = self.scopes.absolute(module, &names, leaf.is_global);
                return Some(format!("{path}::{name}"));
            }
        }
        None
    }

    /// The path of a member of a module in the crate of the item.
    fn path_for(&self, of: &ModulePath, name: &str) -> String {
        match of.krate == self.from.krate {
            true => format!("{of}::{}", raw(name)),
            false => {
                let root = &self.scopes.tree.roots[of.krate].name;
                let inner = of.to_string();
                format!("{root}{}::{}", inner.trim_start_matches("crate"), raw(name))
            }
        }
    }

    /// Whether the target has the name already.
    pub(super) fn in_target(&self, name: &str, imports: &[NewImport]) -> Present {
        let Some(wanted) = imports.first() else { return Present::Same };
        let wanted = wanted.tree.split(" as ").next().unwrap_or("");
        let here = format!("{}::{}", self.to, raw(name));
        let mut has_glob = false;
        for (_, leaf) in self.scopes.leaves_of(self.to) {
            if leaf.is_glob() {
                let of = self.scopes.resolve(self.to, &leaf.names(), leaf.is_global);
                has_glob |= of.is_some_and(|of| {
                    format!("{of}::{}", raw(name)) == wanted && self.is_visible(&of, name)
                });
            } else if leaf.name == name {
                let path = self.scopes.absolute(self.to, &leaf.names(), leaf.is_global);
                let is_it = path == wanted || self.is_re_export(leaf, wanted);
                return if is_it { Present::Same } else { Present::Other };
            }
        }
        if self.scopes.member(self.to, name).is_some() {
            return if here == wanted { Present::Same } else { Present::Other };
        }
        if has_glob || wanted == here {
            return Present::Same;
        }
        if self.is_used_in_target(name) { Present::Other } else { Present::No }
    }

    /// Whether an import of the target leads to an item by an import of another module.
    fn is_re_export(&self, leaf: &UseLeaf, wanted: &str) -> bool {
        let names = leaf.names();
        let Some((last, before)) = names.split_last() else { return false };
        let Some(module) = self.scopes.resolve(self.to, before, leaf.is_global) else {
            return false;
        };
        self.scopes.leaves_of(&module).any(|(_, it)| {
            it.name == *last && self.scopes.absolute(&module, &it.names(), it.is_global) == wanted
        })
    }

    /// Whether a member of a module can be named from the target.
    pub(super) fn is_visible(&self, of: &ModulePath, name: &str) -> bool {
        let Some((_, file)) = self.scopes.place(of) else { return false };
        let Some(member) = self.scopes.member(of, name) else { return of.contains(self.to) };
        reach(self.scopes, of, visibility(file, member).as_deref())
            .is_none_or(|it| it.contains(self.to))
    }

    /// Whether the target's own code has the name, which would then mean something else.
    fn is_used_in_target(&self, name: &str) -> bool {
        let Some((place, file)) = self.scopes.place(self.to) else { return false };
        let span = self.scopes.tree.span(&place);
        let text = file.slice(span);
        if !text.contains(name) {
            return false;
        }
        let list = tokens(text);
        list.iter().enumerate().any(|(at, it)| {
            let before = at.checked_sub(1).map_or("", |it| list[it].text);
            let after = list.get(at + 1).map_or("", |it| it.text);
            it.kind == TokenKind::Word
                && it.text.trim_start_matches("r#") == name
                && !matches!(before, "." | "::" | "fn" | "let" | "mut" | "|")
                && after != ":"
                && self.scopes.is_directly_in(self.to, place.file, span.start + it.span.start)
        })
    }
}

/// Whether a module has a name.
pub(super) enum Present {
    /// With the same meaning.
    Same,
    /// With another one.
    Other,
    No,
}

/// The module in which an item of `module` with this visibility can be named; `None`: everywhere.
pub(super) fn reach(
    scopes: &Scopes,
    module: &ModulePath,
    visibility: Option<&str>,
) -> Option<ModulePath> {
    let Some(written) = visibility else { return Some(module.clone()) };
    let inside = match written.strip_prefix("pub(") {
        None => return None,
        Some(rest) => rest.trim_end_matches(')').trim(),
    };
    let path = inside.strip_prefix("in").map_or(inside, str::trim_start);
    let names: Vec<&str> = path.split("::").map(str::trim).collect();
    Some(scopes.resolve(module, &names, false).unwrap_or_else(|| module.clone()))
}

/// A name as code spells it.
pub(super) fn raw(name: &str) -> String {
    match crate::check_name(name) {
        Err(crate::BadName::Keyword { raw }) => raw,
        _ => name.to_owned(),
    }
}

/// Replaces spans of a text, which must not overlap; later ones that do are left out.
pub(crate) fn replaced(text: &str, edits: &SortedMap<(usize, usize), String>) -> String {
    let mut found = String::with_capacity(text.len());
    let mut at = 0;
    for ((start, end), insert) in edits {
        if *start < at {
            continue;
        }
        found.push_str(ByteSpan::new(at, *start).slice(text).unwrap_or(""));
        found.push_str(insert);
        at = *end;
    }
    found.push_str(text.get(at..).unwrap_or(""));
    found
}
