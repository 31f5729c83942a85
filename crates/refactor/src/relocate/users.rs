//! The uses of the item outside of the moved text: paths, imports, names.

use base::{ByteSpan, SortedMap, SortedSet};
use preserve::outline::{Token, TokenKind, tokens};

use super::modules::ModulePath;
use super::pieces::Pieces;
use super::scope::{Scopes, before, between};
use super::supply::{Ends, NewImport};
use super::uses::{UseItem, UseLeaf};
use crate::rename::docs;
use crate::text::line_start;

/// What follows from the move in other code.
#[derive(Default)]
pub(super) struct Uses {
    /// Replacements by file.
    pub(super) edits: SortedMap<usize, SortedMap<(usize, usize), String>>,
    /// Imports that go, by the last token of each.
    pub(super) removed: SortedMap<usize, Vec<ByteSpan>>,
    /// Imports that modules need.
    pub(super) imports: SortedMap<ModulePath, SortedSet<NewImport>>,
    /// The modules of the item's crate that name it.
    pub(super) users: SortedSet<ModulePath>,
    /// Whether the old module names the item itself.
    pub(super) in_old: bool,
    /// Modules with the name alone that may have it by a glob.
    by_glob: SortedSet<ModulePath>,
    /// Number of places with another path.
    pub(super) count: usize,
    /// Whether examples in the documentation are among them.
    pub(super) has_examples: bool,
}

/// The paths by which other crates reach the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Public {
    /// The old path stays, by a re-export.
    pub(super) old_stays: bool,
    /// The new path can be named.
    pub(super) new_is_public: bool,
}

pub(super) struct Finder<'a> {
    pub(super) ends: &'a Ends<'a>,
    pub(super) pieces: &'a Pieces,
    pub(super) public: Public,
    pub(super) found: Uses,
}

impl Finder<'_> {
    pub(super) fn run(mut self) -> Uses {
        for file in 0..self.scopes().tree.files.len() {
            let text = std::sync::Arc::clone(&self.scopes().file(file).text);
            if !text.contains(self.ends.name) {
                continue;
            }
            let in_uses: Vec<ByteSpan> =
                self.scopes().use_items(file).iter().map(|it| it.span).collect();
            self.imports(file);
            let list = tokens(&text);
            for at in 0..list.len() {
                let start = list[at].span.start;
                let is_name = list[at].kind == TokenKind::Word && self.is_name(list[at].text);
                let in_use = in_uses.iter().any(|it| it.contains(list[at].span));
                if is_name && !in_use && !self.pieces.contain(file, start) {
                    let scopes = self.scopes().tree.modules_at(file, start);
                    self.path(&list, at, &scopes, file, start);
                }
            }
            self.documentation(file, &text);
        }
        self.globs();
        self.found
    }

    fn scopes(&self) -> &Scopes {
        self.ends.scopes
    }

    fn is_name(&self, text: &str) -> bool {
        text.trim_start_matches("r#") == self.ends.name
    }

    fn edit(&mut self, file: usize, span: ByteSpan, insert: String) {
        if self.scopes().file(file).slice(span) != insert {
            self.found.edits.entry(file).or_default().insert((span.start, span.end), insert);
            self.found.count += 1;
        }
    }

    /// The new module as `scope` names it, in the style of the old path; `None` if it cannot, or has no
    /// need to.
    fn new_path(&self, scope: &ModulePath, old: &[&str]) -> Option<String> {
        let own = self.ends.to.to_string();
        if scope.krate == self.ends.to.krate {
            if old.first() == Some(&"$crate") {
                let stays = self.public.old_stays && !self.public.new_is_public;
                return (!stays).then(|| format!("${own}"));
            }
            return Some(self.relative(scope, old).unwrap_or(own));
        }
        let root = &self.scopes().tree.roots.get(self.ends.to.krate)?.name;
        self.public.new_is_public.then(|| format!("{root}{}", own.trim_start_matches("crate")))
    }

    /// The new module by a path that begins as the old one does: in the module itself, in one around it,
    /// or with a module inside of it.
    fn relative(&self, scope: &ModulePath, old: &[&str]) -> Option<String> {
        let to = self.ends.to;
        let supers = old.iter().take_while(|it| **it == "super").count();
        let (start, base) = match *old.first()? {
            "self" => ("self::".to_owned(), scope.clone()),
            "super" => {
                let base = (0..supers).try_fold(scope.clone(), |it, _| it.parent())?;
                ("super::".repeat(supers), base)
            }
            name if self.scopes().tree.modules.contains_key(&scope.child(name)) => {
                (String::new(), scope.clone())
            }
            _ => return None,
        };
        let rest = to.names.get(base.names.len()..).filter(|_| base.contains(to))?;
        let first = rest.first()?;
        // A crate of that name would be another meaning.
        let is_clear = !start.is_empty() || self.scopes().tree.library(first).is_none();
        let names: Vec<String> = rest.iter().map(|it| super::supply::raw(it)).collect();
        is_clear.then(|| format!("{start}{}", names.join("::")))
    }

    /// A name in code: with a path before it, or alone. `place` is its position in the file.
    fn path(
        &mut self,
        list: &[Token<'_>],
        at: usize,
        scopes: &[ModulePath],
        file: usize,
        place: usize,
    ) {
        let Some(before) = before(list, at) else { return };
        let next = list.get(at + 1).map_or("", |it| it.text);
        for scope in scopes {
            if before.path.is_empty() {
                let is_field =
                    next == ":" || at > 0 && matches!(list[at - 1].text, "fn" | "let" | "mod");
                if !before.is_global && !is_field {
                    self.bare(scope);
                }
                continue;
            }
            let module = self.scopes().resolve(scope, &before.path, before.is_global);
            if module.as_ref() == Some(self.ends.to) {
                // Of a move that was started manually.
                self.user(scope);
            }
            if module.as_ref() != Some(self.ends.from) {
                continue;
            }
            self.user(scope);
            if let Some(new) = self.new_path(scope, &before.path) {
                let end = list[at].span.start;
                // The path before the name, with `::`.
                let span = between(place - (end - before.start), place);
                self.edit(file, span, format!("{new}::"));
                return;
            }
        }
    }

    fn user(&mut self, scope: &ModulePath) {
        if scope.krate == self.ends.to.krate {
            self.found.users.insert(scope.clone());
        }
    }

    /// The name alone.
    fn bare(&mut self, scope: &ModulePath) {
        if scope == self.ends.from {
            self.found.in_old = true;
            self.user(scope);
            return;
        }
        let has_import = self.scopes().leaves_of(scope).any(|(_, it)| it.name == self.ends.name);
        if !has_import && self.scopes().member(scope, self.ends.name).is_none() {
            self.found.by_glob.insert(scope.clone());
        }
    }

    /// Modules that have the name by a glob of the old module.
    fn globs(&mut self) {
        for scope in std::mem::take(&mut self.found.by_glob) {
            let through = |module: &ModulePath| {
                self.scopes().leaves_of(&scope).any(|(_, it)| {
                    let of = self.scopes().resolve(&scope, &it.names(), it.is_global);
                    it.is_glob() && of.as_ref() == Some(module)
                })
            };
            let (by_old, by_new) = (through(self.ends.from), through(self.ends.to));
            if scope == *self.ends.to {
                continue;
            }
            if by_old || by_new {
                self.user(&scope);
            }
            if !by_old {
                continue;
            }
            let has_old = self.found.in_old && self.ends.from.contains(&scope);
            if has_old || self.public.old_stays {
                continue;
            }
            if let Some(path) = self.new_path(&scope, &[]) {
                let tree = format!("{path}::{}", super::supply::raw(self.ends.name));
                self.found.imports.entry(scope).or_default().insert(NewImport::of(tree));
            }
        }
    }

    /// The imports of a file.
    fn imports(&mut self, file: usize) {
        let items = self.scopes().use_items(file).to_vec();
        for item in &items {
            let mut seen = SortedSet::new();
            for leaf in &item.leaves {
                for scope in self.scopes().tree.modules_at(file, item.span.start) {
                    if self.import(file, item, leaf, &scope, &mut seen) {
                        break;
                    }
                }
            }
        }
    }

    /// Whether an import named the item and was changed.
    fn import(
        &mut self,
        file: usize,
        item: &UseItem,
        leaf: &UseLeaf,
        scope: &ModulePath,
        seen: &mut SortedSet<usize>,
    ) -> bool {
        let names = leaf.names();
        let below = |module: &ModulePath| {
            (0..names.len()).find(|at| {
                let before = &names[..*at];
                let is_it = match before.is_empty() {
                    true => scope == module,
                    false => {
                        let of = self.scopes().resolve(scope, before, leaf.is_global);
                        of.as_ref() == Some(module)
                    }
                };
                self.is_name(names[*at]) && is_it
            })
        };
        let (own, new) = (below(self.ends.from), below(self.ends.to));
        if new.is_some() {
            // Of a move that was started manually.
            self.user(scope);
        }
        let Some(at) = own else { return false };
        self.user(scope);
        let Some(new) = self.new_path(scope, &names[..at]) else { return false };
        let is_item = at + 1 == names.len() && !leaf.is_glob() && leaf.name == self.ends.name;
        if is_item && scope == self.ends.to && self.is_of_module(file, item) {
            self.found.removed.entry(file).or_default().push(leaf.end);
            self.found.count += 1;
            return true;
        }
        let token = leaf.path[at].1;
        let is_direct = !leaf.in_group || !self.has_brace(file, item, token);
        if !seen.insert(token.start) && is_direct {
            return true;
        }
        if is_direct {
            let start = leaf.path.first().map_or(token.start, |it| it.1.start);
            let global = if leaf.is_global { 2 } else { 0 };
            let start = start.saturating_sub(global).max(item.code.start);
            self.edit(file, between(start, token.start), format!("{new}::"));
            return true;
        }
        self.out_of_group(file, item, leaf, at, &new);
        true
    }

    /// Whether a brace is between `use` and a token.
    fn has_brace(&self, file: usize, item: &UseItem, token: ByteSpan) -> bool {
        self.scopes().file(file).slice(between(item.code.start, token.start)).contains('{')
    }

    fn is_of_module(&self, file: usize, item: &UseItem) -> bool {
        let definitions = &self.scopes().file(file).places.definitions;
        let around = definitions.iter().filter(|it| it.span.contains(item.span));
        around.into_iter().all(|it| it.kind == syntax::places::DefinitionKind::Module)
    }

    /// Takes one name out of a group: it gets a declaration of its own.
    fn out_of_group(&mut self, file: usize, item: &UseItem, leaf: &UseLeaf, at: usize, new: &str) {
        let inner: Vec<&str> = leaf.names()[at..leaf.path.len() - 1].to_vec();
        let middle: String = inner.iter().map(|it| format!("{it}::")).collect();
        let tail = match leaf.is_glob() {
            true => format!("{}::*", leaf.names().last().unwrap_or(&"")),
            false => leaf.tail(),
        };
        let import = NewImport {
            tree: format!("{new}::{middle}{tail}"),
            attributes: item.attributes.clone(),
        };
        let text = &self.scopes().file(file).text;
        let line = line_start(text, item.span.start);
        let indent = &text[line..item.span.start];
        let (place, code) = match indent.trim().is_empty() {
            true => (line, format!("{indent}{}\n", import.code(&item.visibility, indent))),
            false => (item.span.start, format!("{} ", import.code(&item.visibility, ""))),
        };
        let edits = self.found.edits.entry(file).or_default();
        edits.entry((place, place)).or_default().push_str(&code);
        self.found.removed.entry(file).or_default().push(leaf.end);
        self.found.count += 1;
    }

    /// Paths in links and examples.
    fn documentation(&mut self, file: usize, text: &str) {
        for example in docs::examples(text) {
            let list = tokens(&example.code);
            let root = ModulePath { krate: usize::MAX, names: Vec::new() };
            for at in 0..list.len() {
                let Some(place) = example.to_file(list[at].span.start) else { continue };
                if !self.is_name(list[at].text) || self.pieces.contain(file, place) {
                    continue;
                }
                let count = self.found.count;
                self.path(&list, at, std::slice::from_ref(&root), file, place);
                self.found.has_examples |= self.found.count > count;
            }
        }
        for span in docs::prose(text) {
            let line = span.slice(text).unwrap_or("");
            let list = tokens(line);
            for at in 0..list.len() {
                let place = span.start + list[at].span.start;
                let is_path = at > 0 && list[at - 1].text == "::";
                if is_path && self.is_name(list[at].text) && !self.pieces.contain(file, place) {
                    let scopes = self.scopes().tree.modules_at(file, place);
                    self.path(&list, at, &scopes, file, place);
                }
            }
        }
    }
}
