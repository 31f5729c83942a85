//! The request of a move, checked: the definition, its old and its new module, or why it cannot
//! move.

use base::ProjectPath;
use preserve::outline::Outline;
use syntax::places::{Definition, DefinitionKind};

use super::modules::ModulePath;
use super::pieces::Pieces;
use super::scope::Scopes;
use crate::SiteKey;

/// A definition with its old and its new module.
pub(super) struct Request<'s> {
    pub(super) file: usize,
    pub(super) definition: &'s Definition,
    pub(super) from: ModulePath,
    pub(super) to: ModulePath,
}

/// Most modules that a message lists.
const LISTED: usize = 12;

impl<'s> Request<'s> {
    pub(super) fn read(scopes: &'s Scopes, item: &SiteKey, to: &str) -> Result<Self, String> {
        let (file, source) = scopes
            .tree
            .file(&item.0)
            .ok_or_else(|| format!("its file `{}` is not in the project", item.0))?;
        let definition = source.places.definitions.iter().find(|it| it.name_span.start == item.1);
        let definition = definition.ok_or("its definition was not found")?;
        is_free(definition)?;
        let from = only_module(scopes, file, definition.name_span.start, &item.0)?;
        let to = destination(scopes, &from, to)?;
        if from == to {
            return Err(format!("it is in `{to}` already"));
        }
        Ok(Self { file, definition, from, to })
    }

    /// What of the texts prevents the move.
    pub(super) fn check(&self, scopes: &Scopes, pieces: &Pieces) -> Result<(), String> {
        let name = self.definition.name.as_str();
        let mut same = scopes.tree.members(&self.from);
        same.retain(|it| it.name == name && it.name_span != self.definition.name_span);
        if let Some(other) = same.first() {
            let line =
                base::LineIndex::new(&scopes.file(self.file).text).line_of(other.name_span.start);
            return Err(format!(
                "its module has another item of that name, such as an alternative for another \
                 `cfg`: {}:{line}",
                scopes.file(self.file).path
            ));
        }
        let (place, target) = scopes.place(&self.to).ok_or("the module was not found")?;
        if let Some(taken) = scopes.member(&self.to, name) {
            let line = base::LineIndex::new(&target.text).line_of(taken.name_span.start);
            return Err(format!("`{}` has an item of that name: {}:{line}", self.to, target.path));
        }
        let taken = scopes.leaves_of(&self.to).find(|(_, leaf)| {
            let names = leaf.names();
            let module = names.split_last().map(|it| it.1).unwrap_or(&[]);
            let is_item = names.last().is_some_and(|it| it.trim_start_matches("r#") == name)
                && scopes.resolve(&self.to, module, leaf.is_global).as_ref() == Some(&self.from);
            leaf.name == name && !is_item && !leads_to(scopes, &self.to, &names, self)
        });
        if let Some((item, _)) = taken {
            let line = base::LineIndex::new(&target.text).line_of(item.span.start);
            return Err(format!(
                "`{}` imports something else of that name: {}:{line}",
                self.to, target.path
            ));
        }
        let _ = place;
        self.check_conditions(scopes)?;
        self.check_attributes(scopes, pieces)
    }

    /// The `cfg`s around the old and the new place must be the same.
    pub(super) fn check_conditions(&self, scopes: &Scopes) -> Result<(), String> {
        let (old, new) = (conditions(scopes, &self.from), conditions(scopes, &self.to));
        if old == new {
            return Ok(());
        }
        let shown = |it: &[String]| match it {
            [] => "no condition".to_owned(),
            all => format!("`{}`", all.join(" ")),
        };
        Err(format!(
            "its module is compiled under {}, `{}` under {}",
            shown(&old),
            self.to,
            shown(&new)
        ))
    }

    fn check_attributes(&self, scopes: &Scopes, pieces: &Pieces) -> Result<(), String> {
        let source = scopes.file(self.file);
        if self.from.names.is_empty() && self.definition.name == "main" {
            return Err("it is the entry point of its crate".to_owned());
        }
        for span in &pieces.spans {
            let text = source.slice(*span);
            let outline = Outline::of(text);
            for attribute in &outline.attributes {
                let name = outline.text(attribute.name);
                if name.starts_with("proc_macro") {
                    return Err("a procedural macro has to be in the root of its crate".to_owned());
                }
                if name == "test" || name == "bench" || name.ends_with("_test") {
                    return Err("it is a test: tests are known by their path".to_owned());
                }
            }
        }
        Ok(())
    }
}

/// Whether an import of the target leads to the item through a re-export.
fn leads_to(scopes: &Scopes, scope: &ModulePath, names: &[&str], of: &Request<'_>) -> bool {
    let Some((last, module)) = names.split_last() else { return false };
    let Some(module) = scopes.resolve(scope, module, false) else { return false };
    let name = &of.definition.name;
    last.trim_start_matches("r#") == name
        && scopes.leaves_of(&module).any(|(_, leaf)| {
            let path = leaf.names();
            let own = path.split_last().map(|it| it.1).unwrap_or(&[]);
            let own = if leaf.is_glob() { &path[..] } else { own };
            (leaf.is_glob() || leaf.name == *name)
                && scopes.resolve(&module, own, leaf.is_global).as_ref() == Some(&of.from)
        })
}

/// Whether the definition is a member of a module that can move.
fn is_free(it: &Definition) -> Result<(), String> {
    let reason = match it.kind {
        _ if !it.owner.is_empty() => "only items of a module can move, no members",
        DefinitionKind::Module => "modules move with `mv` and their `mod` item",
        DefinitionKind::Macro => "a macro is visible in the text after it, not by its module",
        DefinitionKind::Field | DefinitionKind::Variant => {
            "only items of a module can move, no members"
        }
        _ => return Ok(()),
    };
    Err(reason.to_owned())
}

fn only_module(
    scopes: &Scopes,
    file: usize,
    at: usize,
    path: &ProjectPath,
) -> Result<ModulePath, String> {
    let mut found = scopes.tree.modules_at(file, at);
    match found.len() {
        0 => Err(format!("`{path}` is in no crate of the workspace")),
        1 => Ok(found.remove(0)),
        count => Err(format!("`{path}` is in {count} crates or modules")),
    }
}

/// The module that the user names.
fn destination(scopes: &Scopes, from: &ModulePath, to: &str) -> Result<ModulePath, String> {
    let module = match to.strip_suffix(".rs") {
        Some(_) => {
            let path = ProjectPath::new(to.trim_start_matches("./"))
                .map_err(|error| format!("`{to}` is no file of the project: {error}"))?;
            let file = scopes.tree.file(&path).map(|it| it.0);
            let file = file.ok_or_else(|| {
                format!("`{to}` is no file of the project: the module has to exist")
            })?;
            let all = scopes.tree.modules_at(file, 0);
            match all.as_slice() {
                [one] => one.clone(),
                [] => return Err(format!("`{to}` is no module of a crate: no `mod` declares it")),
                all => return Err(format!("`{to}` is in {} crates or modules", all.len())),
            }
        }
        None => by_path(scopes, from, to)?,
    };
    if module.krate != from.krate {
        return Err(format!("`{to}` is in another crate"));
    }
    let (place, file) = scopes.place(&module).ok_or("the module was not found")?;
    only_module(scopes, place.file, place.body.map_or(0, |it| it.start + 1), &file.path)?;
    Ok(module)
}

fn by_path(scopes: &Scopes, from: &ModulePath, to: &str) -> Result<ModulePath, String> {
    let names: Vec<&str> = to.split("::").map(str::trim).collect();
    let root = ModulePath { krate: from.krate, names: Vec::new() };
    let first = names.first().copied().unwrap_or("");
    let found = match first {
        "crate" | "self" | "super" => scopes.resolve(from, &names, false),
        _ => {
            let own = names.iter().fold(root.clone(), |path, it| path.child(it));
            let own = Some(own).filter(|it| scopes.tree.modules.contains_key(it));
            own.or_else(|| scopes.resolve(&root, &names, false))
        }
    };
    found.ok_or_else(|| {
        let own = scopes.tree.modules.keys().filter(|it| it.krate == from.krate);
        let mut all: Vec<String> = own.map(|it| format!("`{it}`")).collect();
        if all.len() > LISTED {
            all.truncate(LISTED);
            all.push("…".to_owned());
        }
        format!("no module `{to}` exists; the modules of its crate are {}", all.join(", "))
    })
}

/// The `cfg`s of the `mod` items around a module, in one order.
fn conditions(scopes: &Scopes, module: &ModulePath) -> Vec<String> {
    let mut found = Vec::new();
    let mut now = Some(module.clone());
    while let Some(inner) = now {
        now = inner.parent();
        let (Some(parent), Some(name)) = (&now, inner.names.last()) else { break };
        let Some((_, file)) = scopes.place(parent) else { continue };
        let members = scopes.tree.members(parent).into_iter().filter(|it| it.name == *name);
        let head = |it: &Definition| file.text.get(it.span.start..it.name_span.start);
        let declared: Vec<Vec<String>> = members.map(|it| cfgs(head(it).unwrap_or(""))).collect();
        if !is_always(&declared) {
            found.extend(declared.into_iter().next().unwrap_or_default());
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether two of the declarations of a module have conditions of which one is the negation of the other:
/// `#[cfg(test)] pub mod a; #[cfg(not(test))] mod a;`.
fn is_always(declared: &[Vec<String>]) -> bool {
    let single = || declared.iter().filter_map(|it| Some(it.first()?).filter(|_| it.len() == 1));
    let predicate = |it: &String| {
        let inner = it.strip_prefix("#[cfg(")?.strip_suffix(")]")?;
        Some(inner.to_owned())
    };
    single().filter_map(predicate).any(|it| {
        let negation = format!("#[cfg(not({it}))]");
        single().any(|other| *other == negation)
    })
}

/// The `cfg` attributes of a text.
pub(super) fn cfgs(head: &str) -> Vec<String> {
    let outline = Outline::of(head);
    let own = outline.attributes.iter().filter(|it| outline.text(it.name) == "cfg");
    let span = |it: &preserve::outline::Attribute| {
        let start = outline.tokens[..it.name].iter().rposition(|it| it.is("#"))?;
        head.get(outline.tokens[start].span.start..outline.tokens.get(it.end)?.span.end)
    };
    own.filter_map(span).map(crate::project::spelled).collect()
}
